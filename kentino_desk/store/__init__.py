"""The user's own files: workloads, the last state; every write is whole or not at all."""

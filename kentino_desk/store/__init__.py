"""Files of the user: workloads, settings, last state."""

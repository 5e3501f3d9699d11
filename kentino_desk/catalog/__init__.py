"""Text tables, the database built from them, and the frozen snapshot read from it."""

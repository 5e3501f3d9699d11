"""State of the program, actions and undo; no Qt."""

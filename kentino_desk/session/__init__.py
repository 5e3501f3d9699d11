"""Application state, actions, undo and recompute; no Qt."""

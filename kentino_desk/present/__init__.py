"""Words, numbers and rows, used by screen and paper alike."""

"""Start-up, paths, command line."""

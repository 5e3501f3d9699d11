"""A model counted from its config.json: parameters, layers, cache and state, nothing guessed."""

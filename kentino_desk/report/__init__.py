"""The proposal on paper."""

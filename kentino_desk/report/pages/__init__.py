"""The parts of a proposal, one module each: context in, blocks out."""

"""The seller's claims, each beside the figure of the product, and whether the two agree."""

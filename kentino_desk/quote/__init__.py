"""Bill of material, prices and totals."""

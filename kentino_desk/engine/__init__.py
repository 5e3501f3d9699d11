"""The numbers: one plain function per quantity, for scalars and NumPy arrays alike."""

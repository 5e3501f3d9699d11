"""Prediction of measured rows from their inputs alone, and the errors found."""

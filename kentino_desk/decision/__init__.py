"""Candidates, grades, the five questions and the notes."""

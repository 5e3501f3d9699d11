"""Painters: charts that exist as numbers are put on the screen here."""

from __future__ import annotations

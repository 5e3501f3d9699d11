"""The catalog screen."""

from __future__ import annotations

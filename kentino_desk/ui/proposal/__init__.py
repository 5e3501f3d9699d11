"""The proposal screen: preview, document fields, checklist, export."""

from __future__ import annotations

"""The compare screen: pinned builds side by side."""

from __future__ import annotations

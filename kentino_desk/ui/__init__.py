"""The window: PySide6 and pyqtgraph, and nothing that computes."""

from __future__ import annotations

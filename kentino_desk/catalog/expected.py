"""Hash of the catalog's content; ``kentino-desk catalog build`` writes this file."""

from __future__ import annotations

CONTENT_HASH = "dc2d9ab9b8f8d39fec0c4e6832ca50a88f6189fa8f3e78a432350b7456a69c7e"

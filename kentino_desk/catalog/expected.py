"""What the catalog is recognised by; ``kentino-desk catalog build`` writes this file."""

from __future__ import annotations

from kentino_desk.catalog.content_hash import Hashes

EXPECTED = Hashes(
    content="dc2d9ab9b8f8d39fec0c4e6832ca50a88f6189fa8f3e78a432350b7456a69c7e",
    file="1473271efd0945561dba758bf87018f0012c9dc214af9411177f896b838bdbf0",
)

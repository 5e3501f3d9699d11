"""What the catalog is recognised by; ``kentino-desk catalog build`` writes this file."""

from __future__ import annotations

from kentino_desk.catalog.content_hash import Hashes

EXPECTED = Hashes(
    content="fee07ec161ca28782a01e31701ef8664a1852959d2801b846fe3a2711864ad0b",
    file="dfe776f5bc5d801eac96803c2a6c5da8b2b8f66d76346a8f06017316e91f0c94",
)

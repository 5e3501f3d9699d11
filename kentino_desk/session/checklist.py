"""What should be looked at before the proposal goes out; blocks first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.workload_fields import FIELD_BY_KEY
from kentino_desk.present.field_words import field_name, value_in_words
from kentino_desk.present.views import Tone
from kentino_desk.session.field_views import assumed_values
from kentino_desk.session.shown import SCREEN_LANGUAGE

if TYPE_CHECKING:
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.session.shown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the checklist; ``field`` is where it is mended, if it is a field."""

    tone: Tone
    text: str
    detail: str
    field: str = ""


def findings(shown: Shown, snapshot: CatalogSnapshot | None) -> tuple[Finding, ...]:
    """Everything worth a look, the worst first."""
    found = [*_blocks(shown), *_document(shown, snapshot), *_assumed(shown), *_notes(shown)]
    order = (Tone.BAD, Tone.WARN, Tone.PLAIN, Tone.MUTED, Tone.GOOD)
    return tuple(sorted(found, key=lambda item: order.index(item.tone)))


def _blocks(shown: Shown) -> list[Finding]:
    verdict = shown.view.verdict
    if shown.moment.evaluated.assessment is None:
        return [Finding(tone=Tone.BAD, text=verdict.title, detail=verdict.sentence)]
    if not verdict.stale:
        return []
    key = shown.moment.state.drafts[0][0] if shown.moment.state.drafts else ""
    refusal = shown.moment.evaluated.refusal
    return [
        Finding(
            tone=Tone.BAD,
            text="An entry of the workload is refused",
            detail="The proposal is made from the last valid entry",
            field=key or (refusal.field if refusal else ""),
        )
    ]


def _document(shown: Shown, snapshot: CatalogSnapshot | None) -> list[Finding]:
    found = []
    if snapshot is not None and snapshot.price_list.is_sample:
        text, detail = "Prices come from the sample list", "SAMPLE is stamped on every page"
        found.append(Finding(tone=Tone.WARN, text=text, detail=detail))
    if not shown.moment.state.customer:
        text, detail = "The customer has no name", "The first page then names nobody"
        found.append(Finding(tone=Tone.WARN, text=text, detail=detail, field="customer"))
    if shown.view.verdict.close_call:
        detail = shown.view.verdict.close_call
        found.append(Finding(tone=Tone.WARN, text="The verdict is a close call", detail=detail))
    return found


def _assumed(shown: Shown) -> list[Finding]:
    return [
        Finding(
            tone=Tone.WARN,
            text=f"Assumed: {field_name(key, SCREEN_LANGUAGE)}",
            detail=value_in_words(FIELD_BY_KEY[key], value, SCREEN_LANGUAGE),
            field=key,
        )
        for key, value in assumed_values(shown.moment)
        if value != ""
    ]


def _notes(shown: Shown) -> list[Finding]:
    return [
        Finding(tone=note.tone, text=note.text, detail=note.sources)
        for note in shown.view.notes
        if note.tone in {Tone.BAD, Tone.WARN}
    ]

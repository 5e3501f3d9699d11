"""The detail of one row of the catalog: each field with value, source, date and grade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.records import facts_of
from kentino_desk.domain.choices import Evidence
from kentino_desk.present.catalog_rows import name_of
from kentino_desk.present.catalog_values import Values, short_source
from kentino_desk.present.catalog_words import FIELD_WORDS, TABLE_TITLES
from kentino_desk.present.language import later
from kentino_desk.present.terms import EVIDENCE_WORDS
from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.catalog.records import CatalogRecord, Fact

UNVERIFIED = later("estimate, unverified")
_ALWAYS_SAID = frozenset(
    {
        *("nvlink_gb_per_s_bidir", "nvlink", "own_build", "offered", "sold", "tied_embeddings"),
        *("attention", "native_format"),
    }
)
"""Fields that say something even where a row leaves them at what most rows have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """One line of a list of facts. A section is a title over the lines below it."""

    title: str
    value: str = ""
    note: str = ""
    """Second line at the left: source and date, or how the value came about."""
    evidence: str = ""
    """Which shape stands before ``grade``; empty for none."""
    grade: str = ""
    tone: Tone = Tone.PLAIN
    is_section: bool = False
    full_note: str = ""

    @property
    def spoken(self) -> str:
        """The line for a screen reader and for the tool tip."""
        parts = (self.title, self.value, self.full_note or self.note, self.grade)
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDetail:
    """One row, whole. ``warning`` is what to look at first, ``notes`` what else is known."""

    title: str
    subtitle: str
    warning: str
    notes: str
    lines: tuple[FactLine, ...]


def row_detail(record: CatalogRecord, values: Values) -> RowDetail:
    """Everything the catalog says about a row."""
    return RowDetail(
        title=name_of(record),
        subtitle=_subtitle(record, values),
        warning=_warning(record, values),
        notes=record.text("notes"),
        lines=tuple(_lines(record, values)),
    )


def _subtitle(record: CatalogRecord, values: Values) -> str:
    table = values.words.gettext(TABLE_TITLES[record.table])
    own = values.words.gettext("one of your models") if record.is_own else ""
    return " · ".join(part for part in (record.id, own or table) if part)


def _warning(record: CatalogRecord, values: Values) -> str:
    words = values.words
    reason = record.text("unsized_reason")
    if reason:
        return words.gettext("Cannot be sized yet: {reason}.", reason=values.reason(reason))
    if _is_sample(record):
        return words.gettext("SAMPLE: an invented price. A quote made from it must not be sent.")
    if "all" in record.unverified:
        return words.gettext("No source was read for this row: every value is an estimate.")
    return ""


def _is_sample(record: CatalogRecord) -> bool:
    return bool(record.values.get("is_sample"))


def _lines(record: CatalogRecord, values: Values) -> Iterator[FactLine]:
    facts = {fact.name: fact for fact in facts_of(record)}
    for name, field in FIELD_WORDS[record.table].items():
        fact = facts[name]
        if _is_shown(record, fact):
            yield _line(record, fact, values, values.words.gettext(field.title))


def _is_shown(record: CatalogRecord, fact: Fact) -> bool:
    """What a row leaves out is worth a line for hardware: it has to be asked for."""
    if record.table == "models" and (fact.value in {0, ""} or _is_moot(record, fact.name)):
        return False
    is_open = fact.value is None or fact.value == ""
    return bool(fact.grade) or fact.name in _ALWAYS_SAID or is_open or not record.source


def _is_moot(record: CatalogRecord, name: str) -> bool:
    """A dense model has no experts to say a width or a format of."""
    return "expert" in name and not record.values["experts"]


def _line(record: CatalogRecord, fact: Fact, values: Values, title: str) -> FactLine:
    shown = values.field(record, fact.name)
    if record.table == "price_lines":
        return _price_line(record, values, title, shown)
    if not fact.grade:
        return FactLine(title=title, value=shown, tone=Tone.MUTED)
    address = values.source(record.source)
    return FactLine(
        title=title,
        value=shown,
        note=f"{short_source(address)} · {record.read_on}",
        full_note=f"{address} · {record.read_on}",
        evidence=fact.grade,
        grade=_grade_word(fact, values),
    )


def _grade_word(fact: Fact, values: Values) -> str:
    if fact.is_unverified:
        return values.words.gettext(UNVERIFIED)
    return values.words.gettext(EVIDENCE_WORDS[Evidence(fact.grade)])


def _price_line(record: CatalogRecord, values: Values, title: str, shown: str) -> FactLine:
    """A price has the day of its list; an invented one says so in the place of a grade."""
    said = values.words.gettext("price list {name}", name=record.text("list_name"))
    is_sample = _is_sample(record)
    return FactLine(
        title=title,
        value=shown,
        note=f"{said} · {record.read_on}",
        evidence=Evidence.ESTIMATE.value if is_sample else "",
        grade="SAMPLE" if is_sample else "",
    )

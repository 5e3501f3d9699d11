"""Rows of the catalog as lists, and the filter over them; details stand in ``catalog_detail``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Evidence
from kentino_desk.present.catalog_words import TABLE_TITLES, UNSIZED_SHORT
from kentino_desk.present.language import later, text
from kentino_desk.present.numbers import NO_BREAK_SPACE, NOTHING
from kentino_desk.present.terms import EVIDENCE_WORDS, short_card_name
from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.catalog.records import CatalogRecord
    from kentino_desk.present.catalog_values import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class ListColumn:
    """Head of a column of a list."""

    title: str
    width: int
    numeric: bool = False
    is_grade: bool = False
    leaves: int = 0
    """Where there is little room, the column with the highest number leaves first; 0 stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRow:
    """One line of a list. ``evidence`` is empty where the table has no grades."""

    id: str
    name: str
    cells: tuple[str, ...]
    evidence: str
    is_own: bool
    tones: tuple[Tone, ...]

    @property
    def searched(self) -> str:
        """What the filter looks at."""
        return f"{self.id} {self.name}".lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogList:
    """One table as a list."""

    table: str
    title: str
    note: str
    columns: tuple[ListColumn, ...]
    rows: tuple[CatalogRow, ...]

    @property
    def own_count(self) -> int:
        """Models of the user."""
        return sum(row.is_own for row in self.rows)

    def count_words(self, language: str) -> str:
        """How many rows; the user's own apart."""
        shipped = len(self.rows) - self.own_count
        if not self.own_count:
            return str(shipped)
        return text(language).gettext("{count} + {own} own", count=shipped, own=self.own_count)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: its title, and how its cell is made from a row."""

    title: str
    width: int
    cell: Callable[[CatalogRecord, Values], str]
    numeric: bool = True
    is_grade: bool = False
    leaves: int = 0


def _name(record: CatalogRecord, values: Values) -> str:
    name = name_of(record)
    name = short_card_name(name) if record.table == "gpus" else name
    return f"{name} · {values.words.gettext('own')}" if record.is_own else name


def _grade(record: CatalogRecord, values: Values) -> str:
    return values.words.gettext(EVIDENCE_WORDS[Evidence(record.text("evidence"))])


def _field(name: str, unit: str, record: CatalogRecord, values: Values) -> str:
    return values.number(record.values[name], unit)


def _text(name: str, record: CatalogRecord, _values: Values) -> str:
    return record.text(name) or NOTHING


def _nvlink(record: CatalogRecord, values: Values) -> str:
    return values.or_none(record.values["nvlink_gb_per_s_bidir"], "GB/s")


def _supplies(record: CatalogRecord, values: Values) -> str:
    count, watts = record.values["psu_count"], record.values["psu_w"]
    if count is None or watts is None:
        return NOTHING
    return f"{count}{NO_BREAK_SPACE}×{NO_BREAK_SPACE}{values.number(watts, 'W')}"


def _offered(record: CatalogRecord, values: Values) -> str:
    word = later("every search") if record.values["offered"] else later("where named")
    return values.words.gettext(word)


def _parameters(name: str, record: CatalogRecord, values: Values) -> str:
    return values.parameters(record.values[name])


def _layers(record: CatalogRecord, values: Values) -> str:
    return values.number(record.values["layers"] or None)


def _sizing(record: CatalogRecord, values: Values) -> str:
    reason = record.text("unsized_reason")
    if not reason:
        return values.words.gettext("can be sized")
    return values.words.gettext(UNSIZED_SHORT[reason]) if reason in UNSIZED_SHORT else reason


def _price(record: CatalogRecord, values: Values) -> str:
    return values.price(record)


def _of(name: str, unit: str = "") -> Callable[[CatalogRecord, Values], str]:
    return partial(_field, name, unit)


_GRADE = _Column(later("Grade"), 88, _grade, numeric=False, is_grade=True)

_COLUMNS: Mapping[str, tuple[_Column, ...]] = MappingProxyType(
    {
        "gpus": (
            _Column(later("GPU"), 0, _name, numeric=False),
            _Column(later("Memory"), 66, _of("memory_gb", "GB")),
            _Column(later("Bandwidth"), 90, _of("memory_bandwidth_gb_per_s", "GB/s"), leaves=1),
            _Column(later("BF16 dense"), 80, _of("tflops_bf16"), leaves=2),
            _Column(later("FP8 dense"), 74, _of("tflops_fp8"), leaves=3),
            _Column(later("Power"), 74, _of("tdp_w", "W"), leaves=4),
            _Column(later("NVLink"), 90, _nvlink, leaves=5),
            _GRADE,
        ),
        "nodes": (
            _Column(later("Node"), 0, _name, numeric=False),
            _Column(later("Vendor"), 104, partial(_text, "vendor"), numeric=False, leaves=3),
            _Column(later("GPUs"), 56, _of("gpu_count")),
            _Column(later("Height"), 60, _of("rack_u", "U"), leaves=2),
            _Column(later("Supplies"), 104, _supplies, leaves=4),
            _Column(later("Offered"), 104, _offered, numeric=False, leaves=1),
            _GRADE,
        ),
        "fabrics": (
            _Column(later("Fabric"), 0, _name, numeric=False),
            _Column(later("Speed of one NIC"), 124, _of("nic_gbit_per_s", "Gbit/s")),
            _Column(later("Class"), 96, partial(_text, "network_class"), numeric=False, leaves=1),
            _Column(later("Link"), 96, partial(_text, "link_id"), numeric=False, leaves=2),
            _GRADE,
        ),
        "links": (
            _Column(later("Link"), 0, _name, numeric=False),
            _Column(later("Kind"), 84, partial(_text, "kind"), numeric=False, leaves=2),
            _Column(later("Nominal"), 92, _of("nominal_gb_per_s", "GB/s")),
            _Column(later("Measured"), 92, _of("measured_gb_per_s", "GB/s")),
            _Column(later("Latency"), 76, _of("latency_us", "µs"), leaves=1),
            _GRADE,
        ),
        "models": (
            _Column(later("Model"), 0, _name, numeric=False),
            _Column(later("Parameters"), 82, partial(_parameters, "params_total")),
            _Column(later("Per token"), 74, partial(_parameters, "params_active"), leaves=3),
            _Column(later("Layers"), 56, _layers, leaves=4),
            _Column(later("Context"), 86, _of("max_context"), leaves=2),
            _Column(later("Sizing"), 164, _sizing, numeric=False),
            _Column(later("Grade"), 88, _grade, numeric=False, is_grade=True, leaves=1),
        ),
        "price_lines": (
            _Column(later("Item"), 0, _name, numeric=False),
            _Column(later("Price"), 116, _price),
            _Column(later("Price list"), 96, partial(_text, "list_id"), numeric=False, leaves=1),
        ),
    }
)

_NOTES: Mapping[str, str] = MappingProxyType({"gpus": later("TFLOP/s without sparsity")})


def name_of(record: CatalogRecord) -> str:
    """What a row is called."""
    if record.table == "price_lines":
        return record.text("description")
    if record.table == "links":
        return f"{record.text('fabric')}, {record.text('generation')}"
    return record.text("name") or record.id


def catalog_list(table: str, records: tuple[CatalogRecord, ...], values: Values) -> CatalogList:
    """A table as a list: the user's own first, then by name; prices as in their list."""
    words = values.words
    ordered = records
    if table != "price_lines":
        ordered = tuple(sorted(records, key=lambda item: (not item.is_own, name_of(item).lower())))
    return CatalogList(
        table=table,
        title=words.gettext(TABLE_TITLES[table]),
        note=words.gettext(_NOTES[table]) if table in _NOTES else "",
        columns=tuple(
            ListColumn(
                title=words.gettext(column.title),
                width=column.width,
                numeric=column.numeric,
                is_grade=column.is_grade,
                leaves=column.leaves,
            )
            for column in _COLUMNS[table]
        ),
        rows=tuple(_row(record, values) for record in ordered),
    )


def _row(record: CatalogRecord, values: Values) -> CatalogRow:
    columns = _COLUMNS[record.table]
    unsized = bool(record.text("unsized_reason"))
    return CatalogRow(
        id=record.id,
        name=name_of(record),
        cells=tuple(column.cell(record, values) for column in columns),
        evidence=record.text("evidence"),
        is_own=record.is_own,
        tones=tuple(
            Tone.WARN if unsized and column.cell is _sizing else Tone.PLAIN for column in columns
        ),
    )


def filtered(rows: tuple[CatalogRow, ...], typed: str) -> tuple[CatalogRow, ...]:
    """Rows whose id or name holds every word typed."""
    wanted = typed.lower().split()
    return tuple(row for row in rows if all(word in row.searched for word in wanted))


def nothing_found(shown: CatalogList, typed: str, language: str) -> str:
    """What to do where the filter leaves nothing."""
    words = text(language)
    sentence = words.gettext(
        "Nothing in {table} is called “{typed}”. Esc clears the filter.",
        table=shown.title,
        typed=typed.strip(),
    )
    if shown.table != "models":
        return sentence
    more = words.gettext("A model that is not here comes in from its config.json (Ctrl+I).")
    return f"{sentence} {more}"

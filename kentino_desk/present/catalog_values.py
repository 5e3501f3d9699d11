"""Values of the catalog in words: numbers with units, yes and no, formats, prices, sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Format
from kentino_desk.domain.money import Money
from kentino_desk.present.catalog_words import FIELD_WORDS, SOURCE_WORDS, UNSIZED_WORDS
from kentino_desk.present.counted import counted
from kentino_desk.present.language import text
from kentino_desk.present.numbers import NOTHING, numbers
from kentino_desk.present.terms import FORMAT_WORDS

if TYPE_CHECKING:
    from kentino_desk.catalog.columns import SqlValue
    from kentino_desk.catalog.records import CatalogRecord
    from kentino_desk.present.language import Text
    from kentino_desk.present.numbers import Numbers

_FLAGS = frozenset(
    {
        "memory_is_engine_view",
        "sold",
        "own_build",
        "offered",
        "nvlink",
        "gated_ffn",
        "tied_embeddings",
        "state_is_fp32",
    }
)
_YEARS = frozenset({"launch_year"})
_FORMATS = frozenset({"native_format", "native_expert_format"})
_ANY_CARD = "*"
_BILLION = 1e9


@dataclass(frozen=True, slots=True)
class Values:
    """Writes values of the catalog in one language."""

    language: str

    @property
    def words(self) -> Text:
        """Words of the language."""
        return text(self.language)

    @property
    def numbers(self) -> Numbers:
        """Numbers of the language."""
        return numbers(self.language)

    def number(self, value: SqlValue, unit: str = "") -> str:
        """A number with its unit; a dash where nothing is known."""
        if not isinstance(value, int | float):
            return NOTHING
        return counted(float(value), unit, self.language)

    def or_none(self, value: SqlValue, unit: str) -> str:
        """A number with its unit; "none" for nothing or zero."""
        return self.number(value, unit) if value else self.words.gettext("none")

    def parameters(self, value: SqlValue) -> str:
        """Parameters in billions; a dash where nothing is known."""
        if not isinstance(value, int | float) or not value:
            return NOTHING
        billions = float(value) / _BILLION
        number = self.numbers.plain(billions, 2 if billions < 1 else 1)
        return self.words.gettext("{number}\u00a0B", number=number)

    def price(self, record: CatalogRecord) -> str:
        """The price of a line with its currency."""
        return self.numbers.money(Money.of(record.text("price"), record.text("currency")))

    def reason(self, reason: str) -> str:
        """Why a model cannot be sized."""
        return self.words.gettext(UNSIZED_WORDS[reason]) if reason in UNSIZED_WORDS else reason

    def source(self, address: str) -> str:
        """A source as it is said: an address as it stands."""
        return self.words.gettext(SOURCE_WORDS[address]) if address in SOURCE_WORDS else address

    def field(self, record: CatalogRecord, name: str) -> str:
        """The value of a field; "not known" where nobody has read it."""
        value = record.values[name]
        if value is None or value == "":
            return self.words.gettext("not known")
        if name in _FLAGS:
            return self.words.gettext("yes") if value else self.words.gettext("no")
        if name == "price":
            return self.price(record)
        if name == "nvlink_gb_per_s_bidir":
            return self.or_none(value, "GB/s")
        if isinstance(value, int | float) and name not in _YEARS:
            return self.number(value, FIELD_WORDS[record.table][name].unit)
        return self._written(name, str(value))

    def _written(self, name: str, value: str) -> str:
        if name in _FORMATS:
            return self.words.gettext(FORMAT_WORDS[Format(value)])
        if name == "gpu_ids":
            cards = ", ".join(value.split())
            return self.words.gettext("any card") if value == _ANY_CARD else cards
        return value


def short_source(address: str) -> str:
    """The first source without what a line has no room for; the whole stands elsewhere."""
    first, *others = address.split(" ; ")
    short = first.removeprefix("https://").removeprefix("www.").rstrip("/")
    return f"{short} +{len(others)}" if others else short

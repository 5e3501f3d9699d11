"""The proposal as a plain tree: sections of blocks. Drawing adds ink and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from kentino_desk.present.charts import CostChart, EfficiencyChart, MemoryChart


class Role(StrEnum):
    """What a paragraph is, for its size and weight."""

    BODY = "body"
    CAPTION = "caption"
    KICKER = "kicker"
    ANSWER = "answer"
    STRONG = "strong"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading; level 1 opens a part and stands in the bookmarks.

    ``mark`` is its name in the bookmarks, where that differs; level 0 is the title of a document.
    """

    text: str
    level: int = 1
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text; ``keep`` holds it on the page of what follows."""

    text: str
    role: Role = Role.BODY
    tone: Tone = Tone.PLAIN
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigure:
    """A large figure with what it means under it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigures:
    """Up to four key figures in a row."""

    items: tuple[KeyFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: title, share of the width, and whether it holds numbers."""

    title: str
    share: float
    numeric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row; ``chosen`` is the recommended build, ``decided`` the deciding answer."""

    cells: tuple[str, ...]
    chosen: bool = False
    strong: bool = False
    muted: bool = False
    decided: bool = False
    tones: tuple[Tone, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table whose head repeats on each page; ``totals`` counts closing rows kept together."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    totals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Names and values in two columns of pairs, read row by row."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart between its title and the sentence under it that says what it shows."""

    title: str
    chart: MemoryChart | EfficiencyChart | CostChart
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticks:
    """A list to be ticked by hand."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """Lines to sign on."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A note with its severity as a shape and its sources."""

    text: str
    tone: Tone
    sources: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One explained figure of the annex: name, value, equation, inputs, source."""

    name: str
    value: str
    lines: tuple[str, ...]
    notes: tuple[str, ...]


Block = (
    Heading
    | Paragraph
    | KeyFigures
    | Table
    | Pairs
    | Figure
    | Ticks
    | Signatures
    | Remark
    | Formula
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Blocks with a title for the header; they start on a page of their own or follow on."""

    title: str
    blocks: tuple[Block, ...]
    new_page: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Everything that is printed, in one language."""

    title: str
    author: str
    subject: str
    language_tag: str
    seller: str
    stamp: str
    """Empty, or the word stamped on every page."""
    footer: str
    day: str
    page_words: str
    """Such as ``Page {page} / {pages}``."""
    sections: tuple[Section, ...]

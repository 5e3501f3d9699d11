"""Draws the tree of a proposal as a PDF; decides nothing about its content."""

from __future__ import annotations

from functools import partial, singledispatch
from io import BytesIO
from typing import TYPE_CHECKING, Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    ActionFlowable,
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from kentino_desk.present.language import fill
from kentino_desk.present.numbers import numbers
from kentino_desk.present.views import Tone
from kentino_desk.report import blocks, flowables, palette
from kentino_desk.report.charts import drawing_of
from kentino_desk.report.escape import clean, markup
from kentino_desk.report.fonts import REGULAR, SEMIBOLD, register_fonts, text_width
from kentino_desk.report.styles import STYLES
from kentino_desk.report.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kentino_desk.present.numbers import Numbers
    from kentino_desk.report.blocks import Block, Document

_MARGIN = 17 * mm
_WIDTH, _HEIGHT = A4
_INNER = _WIDTH - 2 * _MARGIN
_TOP, _BOTTOM = 24 * mm, 22 * mm
_SMALL_PT = 9.4
_MARK_ABOVE = 14
_ROWS_KEPT_TOGETHER = 9
_ROOM_TO_FOLLOW_ON = 110 * mm
_WITHOUT_INK = (ActionFlowable, CondPageBreak, PageBreak, Spacer)


def draw_pdf(document: Document, *, invariant: bool = False) -> bytes:
    """The document as a PDF; with ``invariant`` two runs give the same bytes."""
    register_fonts()
    target = BytesIO()
    template = _Template(target, document, invariant=invariant)
    template.build(_story(document), canvasmaker=partial(_PagedCanvas, document=document))
    return target.getvalue()


class _Whole(KeepTogether):  # type: ignore[misc]
    """Flowables that stay on one page if a page can hold them."""

    def __init__(self, parts: list[Flowable]) -> None:
        super().__init__(parts)
        self.parts = parts


class _PagedCanvas(Canvas):  # type: ignore[misc]
    """Keeps the pages until their number is known, then writes page x / y on each."""

    def __init__(self, *args: Any, document: Document, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._document = document
        self._states: list[dict[str, Any]] = []
        self._marks: list[tuple[str, float, float]] = []
        self.setViewerPreference("DisplayDocTitle", "true")
        self.showOutline()

    def showPage(self) -> None:  # noqa: N802 the library's name
        """Keep the page, with the places on it that bookmarks lead to."""
        self._states.append(dict(self.__dict__))
        self._marks = []
        self._startPage()

    def mark_place(self, key: str, title: str) -> None:
        """Name the present place in the outline.

        A kept page has no number yet, so the place is tied to its page when pages are written.
        """
        left, top = self.absolutePosition(0, _MARK_ABOVE)
        self._marks.append((key, left, top))
        self.addOutlineEntry(title, key, level=0, closed=False)

    def save(self) -> None:
        """Write all pages, each with its footer."""
        for number, state in enumerate(self._states, start=1):
            self.__dict__.update(state)
            for key, left, top in self._marks:
                self.bookmarkPage(key, fit="XYZ", left=left, top=top)
            self._draw_footer(number, len(self._states))
            super().showPage()
        super().save()

    def _draw_footer(self, page: int, pages: int) -> None:
        line_y = 15.5 * mm
        self.setStrokeColor(palette.LINE)
        self.setLineWidth(0.6)
        self.line(_MARGIN, line_y, _WIDTH - _MARGIN, line_y)
        self.setFont(REGULAR, _SMALL_PT)
        self.setFillColor(palette.TEXT2)
        y = line_y - 15
        words = fill(self._document.page_words, {"page": page, "pages": pages})
        self.drawString(_MARGIN, y, _cut(self._document.footer, _INNER * 0.42))
        self.drawCentredString(_WIDTH / 2, y, clean(self._document.day))
        self.drawRightString(_WIDTH - _MARGIN, y, clean(words))


class _Template(BaseDocTemplate):  # type: ignore[misc]
    def __init__(self, target: BytesIO, document: Document, *, invariant: bool) -> None:
        super().__init__(
            target,
            pagesize=A4,
            title=clean(document.title),
            author=clean(document.author),
            subject=clean(document.subject),
            creator="Kentino Desk",
            lang=document.language_tag,
            initialFontName=REGULAR,
            invariant=int(invariant),
        )
        self._document = document
        self._section = document.sections[0].title
        self._shown = ""
        frame = Frame(
            _MARGIN, _BOTTOM, _INNER, _HEIGHT - _TOP - _BOTTOM, 0, 0, 0, 0, showBoundary=0
        )
        self.addPageTemplates([PageTemplate("page", [frame], onPageEnd=self._draw_header)])

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 the library's name
        """Remember the section that stands first on the page."""
        if isinstance(flowable, flowables.SectionMark):
            self._section = flowable.title
        if not self._shown and not isinstance(flowable, _WITHOUT_INK):
            self._shown = self._section

    def _draw_header(self, canvas: Any, _template: object) -> None:
        section, self._shown = self._shown or self._section, ""
        y = _HEIGHT - 12 * mm
        stamp_left: float = self._draw_stamp(canvas, y)
        seller = _cut(self._document.seller, _INNER * 0.4)
        canvas.setFont(SEMIBOLD, _SMALL_PT)
        canvas.setFillColor(palette.TEXT)
        canvas.drawString(_MARGIN, y, seller)
        shift = text_width(seller, SEMIBOLD, _SMALL_PT)
        canvas.setFont(REGULAR, _SMALL_PT)
        canvas.setFillColor(palette.TEXT2)
        room = stamp_left - _MARGIN - shift - 12
        canvas.drawString(_MARGIN + shift, y, _cut(f" · {section}", room))
        canvas.setStrokeColor(palette.LINE)
        canvas.setLineWidth(0.6)
        canvas.line(_MARGIN, y - 13, _WIDTH - _MARGIN, y - 13)

    def _draw_stamp(self, canvas: Any, y: float) -> float:
        right = _WIDTH - _MARGIN
        if not self._document.stamp:
            return float(right)
        word = clean(self._document.stamp)
        width = text_width(word, SEMIBOLD, _SMALL_PT) + 0.6 * len(word) + 12
        canvas.setStrokeColor(palette.WARN)
        canvas.setFillColor(palette.WARN)
        canvas.setLineWidth(0.8)
        canvas.roundRect(right - width, y - 5, width, 15.5, 3, stroke=1, fill=0)
        canvas.setFont(SEMIBOLD, _SMALL_PT)
        canvas.drawString(right - width + 6, y, word, charSpace=0.6)
        return float(right - width)


def _cut(text: str, room: float) -> str:
    shown = clean(text)
    if text_width(shown, SEMIBOLD, _SMALL_PT) <= room:
        return shown
    while shown and text_width(shown + "…", SEMIBOLD, _SMALL_PT) > room:
        shown = shown[:-1]
    return shown.rstrip() + "…"


def _story(document: Document) -> list[Flowable]:
    story: list[Flowable] = []
    shown = numbers(document.language_tag.partition("-")[0])
    keys = (f"part-{number}" for number in range(1, 1_000))
    for index, section in enumerate(document.sections):
        if index:
            story.append(PageBreak() if section.new_page else CondPageBreak(_ROOM_TO_FOLLOW_ON))
        story.append(flowables.SectionMark(section.title))
        story += _section(section.blocks, shown, keys)
    return story


def _section(section: tuple[Block, ...], shown: Numbers, keys: Iterator[str]) -> list[Flowable]:
    """The blocks of a section; headings hold on to what follows them."""
    story: list[Flowable] = []
    heads: list[Flowable] = []
    for block in section:
        drawn = _drawn(block, shown, keys)
        if _is_head(block):
            heads += drawn
            continue
        story += _joined(heads, drawn, splits=_splits(block))
        heads = []
    return story + heads


def _is_head(block: Block) -> bool:
    return isinstance(block, blocks.Heading) or (isinstance(block, blocks.Paragraph) and block.keep)


def _splits(block: Block) -> bool:
    """Whether a block may run over the end of a page."""
    return isinstance(block, blocks.Table) and len(block.rows) > _ROWS_KEPT_TOGETHER


def _joined(heads: list[Flowable], drawn: list[Flowable], *, splits: bool) -> list[Flowable]:
    """Headings with what they stand over: whole with what is whole, else with its first rows.

    The library does not keep a heading with a group that is itself kept together.
    """
    if splits:
        for flowable in heads:
            flowable.keepWithNext = 0
    first = drawn[0]
    if heads and isinstance(first, _Whole):
        rooms = [item for item in heads if isinstance(item, CondPageBreak)]
        inked = [item for item in heads if not isinstance(item, CondPageBreak)]
        return [*rooms, _Whole([*inked, *first.parts]), *drawn[1:]]
    return [*heads, *drawn]


@singledispatch
def _drawn(block: Block, shown: Numbers, keys: Iterator[str]) -> list[Flowable]:
    raise TypeError(f"no painter for {type(block).__name__}, {shown}, {keys}")


@_drawn.register(blocks.Heading)
def _(block: blocks.Heading, _shown: Numbers, keys: Iterator[str]) -> list[Flowable]:
    return _heading(block, keys)


@_drawn.register(blocks.Paragraph)
def _(block: blocks.Paragraph, *_: object) -> list[Flowable]:
    return [_paragraph(block)]


@_drawn.register(blocks.Table)
def _(block: blocks.Table, *_: object) -> list[Flowable]:
    table = table_of(block, _INNER)
    whole = len(block.rows) <= _ROWS_KEPT_TOGETHER
    return [_Whole([table]) if whole else table, Spacer(0, 5)]


@_drawn.register(blocks.Figure)
def _(block: blocks.Figure, shown: Numbers, *_: object) -> list[Flowable]:
    caption = Paragraph(markup(block.caption), STYLES["caption"])
    title = Paragraph(markup(block.title), STYLES["h3"])
    return [_Whole([title, drawing_of(block.chart, shown, _INNER), caption])]


@_drawn.register(blocks.Formula)
def _(block: blocks.Formula, *_: object) -> list[Flowable]:
    return [_Whole(_formula(block))]


@_drawn.register(blocks.Signatures)
def _(block: blocks.Signatures, *_: object) -> list[Flowable]:
    return [_Whole([flowables.signatures(block, _INNER)])]


@_drawn.register(blocks.KeyFigures)
def _(block: blocks.KeyFigures, *_: object) -> list[Flowable]:
    return [Spacer(0, 4), flowables.key_figures(block, _INNER), Spacer(0, 6)]


@_drawn.register(blocks.Pairs)
def _(block: blocks.Pairs, *_: object) -> list[Flowable]:
    return [flowables.pairs(block, _INNER), Spacer(0, 4)]


@_drawn.register(blocks.Ticks)
def _(block: blocks.Ticks, *_: object) -> list[Flowable]:
    return [flowables.ticks(block, _INNER)]


@_drawn.register(blocks.Remark)
def _(block: blocks.Remark, *_: object) -> list[Flowable]:
    return [flowables.remark(block, _INNER)]


def _heading(block: blocks.Heading, keys: Iterator[str]) -> list[Flowable]:
    room = CondPageBreak(42 * mm)
    drawn = Paragraph(markup(block.text), STYLES[f"h{block.level}"])
    if block.level > 1:
        return [room, drawn]
    return [room, flowables.Bookmark(block.mark or block.text, next(keys)), drawn]


def _paragraph(block: blocks.Paragraph) -> Flowable:
    style = STYLES[block.role.value]
    text = markup(block.text)
    if block.tone is not Tone.PLAIN:
        text = f'<font color="#{palette.TONES[block.tone].hexval()[2:]}">{text}</font>'
    drawn = Paragraph(text, style)
    drawn.keepWithNext = int(block.keep)
    return drawn


def _formula(block: blocks.Formula) -> list[Flowable]:
    head = f"<b>{markup(block.name)}</b>: {markup(block.value)}"
    lines = [Paragraph(head, STYLES["body"])]
    inner = [[Paragraph(markup(line), STYLES["numbers"])] for line in block.lines if line]
    if inner:
        box = Table(inner, colWidths=[_INNER])
        box.setStyle(
            TableStyle(
                [
                    flowables.BASE_FONT,
                    ("BACKGROUND", (0, 0), (-1, -1), palette.SUNK),
                    ("TOPPADDING", (0, 0), (-1, -1), 2),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ]
            )
        )
        lines.append(box)
    lines += [Paragraph(markup(note), STYLES["caption"]) for note in block.notes if note]
    return lines

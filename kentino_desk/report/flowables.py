"""Small drawn parts: section marks, rules, key figures, tick boxes, signature lines, remarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportlab.platypus import Flowable, Paragraph, Table, TableStyle

from kentino_desk.present.views import Tone
from kentino_desk.report import palette
from kentino_desk.report.escape import clean, markup
from kentino_desk.report.fonts import REGULAR
from kentino_desk.report.styles import STYLES, column_style

if TYPE_CHECKING:
    from kentino_desk.report.blocks import KeyFigures, Pairs, Remark, Signatures, Ticks

BASE_FONT = ("FONT", (0, 0), (-1, -1), REGULAR, palette.TABLE_PT)
"""Without it a table asks for a face that is not embedded, whatever its cells hold."""


class SectionMark(Flowable):  # type: ignore[misc]
    """Tells the page which section it belongs to; takes no room."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self.width = self.height = 0.0

    def wrap(self, *_: Any) -> tuple[float, float]:
        """No room."""
        return 0.0, 0.0

    def draw(self) -> None:
        """Nothing to see."""


class Bookmark(Flowable):  # type: ignore[misc]
    """An entry of the outline; takes no room and stays with the heading that follows."""

    def __init__(self, title: str, key: str) -> None:
        super().__init__()
        self.title, self.key = clean(title), key
        self.keepWithNext = 1

    def wrap(self, *_: Any) -> tuple[float, float]:
        """No room."""
        return 0.0, 0.0

    def draw(self) -> None:
        """Put the place and its name into the outline."""
        self.canv.mark_place(self.key, self.title)


class TickBox(Flowable):  # type: ignore[misc]
    """An empty box to tick, drawn because the type has none."""

    _side = 9.0

    def __init__(self) -> None:
        super().__init__()
        self.hAlign = "CENTER"

    def wrap(self, *_: Any) -> tuple[float, float]:
        """A small square."""
        return self._side, self._side

    def draw(self) -> None:
        """One square."""
        self.canv.setStrokeColor(palette.LINE2)
        self.canv.setLineWidth(0.8)
        self.canv.rect(0, -1, self._side, self._side, stroke=1, fill=0)


class ToneMark(Flowable):  # type: ignore[misc]
    """Severity as a shape: round for information, triangle to look at, square to block."""

    def __init__(self, tone: Tone) -> None:
        super().__init__()
        self.tone = tone

    def wrap(self, *_: Any) -> tuple[float, float]:
        """A small square."""
        return 9.0, 9.0

    def draw(self) -> None:
        """The shape of the tone."""
        self.canv.setFillColor(palette.TONES[self.tone])
        if self.tone is Tone.BAD:
            self.canv.rect(0.5, 0.5, 7, 7, stroke=0, fill=1)
        elif self.tone is Tone.WARN:
            path = self.canv.beginPath()
            path.moveTo(4, 8)
            path.lineTo(8, 0.5)
            path.lineTo(0, 0.5)
            path.close()
            self.canv.drawPath(path, stroke=0, fill=1)
        else:
            self.canv.circle(4, 4, 2.6, stroke=0, fill=1)


def key_figures(block: KeyFigures, width: float) -> Flowable:
    """Large figures side by side under an accent line."""
    values = [Paragraph(markup(item.value), STYLES["key"]) for item in block.items]
    labels = [Paragraph(markup(item.label), STYLES["key_label"]) for item in block.items]
    table = Table([values, labels], colWidths=[width / len(values)] * len(values))
    last = len(values) - 1
    table.setStyle(
        TableStyle(
            [
                BASE_FONT,
                ("LINEABOVE", (0, 0), (-1, 0), 1.6, palette.ACCENT),
                ("LINEBELOW", (0, -1), (-1, -1), 0.6, palette.LINE),
                ("LINEAFTER", (0, 0), (last - 1, -1), 0.6, palette.LINE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
                ("LEFTPADDING", (1, 0), (-1, -1), 10),
                ("RIGHTPADDING", (0, 0), (-1, -1), 6),
                ("TOPPADDING", (0, 0), (-1, 0), 9),
                ("BOTTOMPADDING", (0, 0), (-1, 0), 3),
                ("TOPPADDING", (0, 1), (-1, 1), 2),
                ("BOTTOMPADDING", (0, 1), (-1, 1), 9),
            ]
        )
    )
    return table


def pairs(block: Pairs, width: float) -> Flowable:
    """Names and values in two columns of pairs."""
    cells: list[list[Any]] = []
    items = [*block.items, ("", "")] if len(block.items) % 2 else list(block.items)
    for left, right in zip(items[::2], items[1::2], strict=True):
        cells.append(
            [
                Paragraph(markup(text), STYLES["cell_strong" if index % 2 else "cell_muted"])
                for index, text in enumerate((*left, *right))
            ]
        )
    table = Table(cells, colWidths=[width * part for part in (0.25, 0.25, 0.25, 0.25)])
    table.setStyle(
        TableStyle(
            [
                BASE_FONT,
                ("LINEBELOW", (0, 0), (-1, -1), 0.6, palette.LINE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 3.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 4.5),
            ]
        )
    )
    return table


def ticks(block: Ticks, width: float) -> Flowable:
    """Sentences with boxes at the right."""
    head = [
        "",
        *(
            Paragraph(markup(word), column_style(numeric=False, centred=True, head=True))
            for word in block.columns
        ),
    ]
    rows = [
        [Paragraph(markup(text), STYLES["cell"]), *(TickBox() for _ in block.columns)]
        for text in block.rows
    ]
    box = 58.0
    columns = len(block.columns)
    table = Table([head, *rows], colWidths=[width - box * columns, *[box] * columns], repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                BASE_FONT,
                ("LINEBELOW", (0, 0), (-1, -1), 0.6, palette.LINE),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("ALIGN", (1, 0), (-1, -1), "CENTER"),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 3.2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 4.2),
            ]
        )
    )
    return table


def signatures(block: Signatures, width: float) -> Flowable:
    """Lines to sign on, side by side, with what belongs there under them."""
    gap = 24.0
    count = len(block.labels)
    line = (width - gap * (count - 1)) / count
    cells: list[Any] = []
    widths: list[float] = []
    for index, label in enumerate(block.labels):
        cells += ([""] if index else []) + [Paragraph(markup(label), STYLES["cell_muted"])]
        widths += ([gap] if index else []) + [line]
    table = Table([cells], colWidths=widths, spaceBefore=30)
    rules = [
        ("LINEABOVE", (2 * index, 0), (2 * index, 0), 0.8, palette.LINE2) for index in range(count)
    ]
    style = [BASE_FONT, ("LEFTPADDING", (0, 0), (-1, -1), 0)]
    table.setStyle(TableStyle([*rules, *style]))
    return table


def remark(block: Remark, width: float) -> Flowable:
    """A note behind the shape of its severity, its sources under it."""
    text = markup(block.text)
    if block.sources:
        grey = palette.TEXT2.hexval()[2:]
        small = f'<font size="{palette.CAPTION_PT}" color="#{grey}">'
        text += f"<br/>{small}{markup(block.sources)}</font>"
    table = Table([[ToneMark(block.tone), Paragraph(text, STYLES["body"])]], [16.0, width - 16.0])
    table.setStyle(
        TableStyle(
            [
                BASE_FONT,
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (0, 0), 5),
                ("TOPPADDING", (1, 0), (1, 0), 1),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return table

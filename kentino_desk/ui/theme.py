"""Colours of both themes, and the one style sheet made from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from string import Template

from kentino_desk.session.state import Theme

ICONS = Path(__file__).resolve().parents[2] / "resources" / "icons"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Colours by role; the names are those of the design."""

    name: str
    bg: str
    panel: str
    sunk: str
    line: str
    line2: str
    text: str
    text2: str
    accent: str
    accentbg: str
    onaccent: str
    good: str
    goodbg: str
    warn: str
    warnbg: str
    bad: str
    badbg: str
    weights: str
    kv: str
    activations: str
    overhead: str
    band: str
    grid: str
    series1: str
    series2: str
    series3: str
    series4: str
    series5: str
    series6: str
    map_fills: tuple[str, ...]

    def segment(self, key: str) -> str:
        """Colour of a part of a memory bar; free is an outline and has none."""
        return {
            "weights": self.weights,
            "kv": self.kv,
            "gradients": self.kv,
            "activations": self.activations,
            "overhead": self.overhead,
            "optimizer": self.series4,
        }.get(key, "")

    def series(self, number: int) -> str:
        """Colour of a line; 0 is the colour of text."""
        return self.text if number == 0 else str(getattr(self, f"series{number}"))

    def map_fill(self, number: int) -> str:
        """Colour of a region of the decision map: 0 the smallest build, 6 no answer."""
        return self.map_fills[number]

    def tone(self, tone: str) -> str:
        """Colour of a text by its tone."""
        known = {"good": self.good, "warn": self.warn, "bad": self.bad, "muted": self.text2}
        return known.get(tone, self.text)


LIGHT = Tokens(
    name="light",
    bg="#F4F5F7",
    panel="#FFFFFF",
    sunk="#EDEFF2",
    line="#D5DAE0",
    line2="#8A94A0",
    text="#1B2128",
    text2="#52606D",
    accent="#0F5CA8",
    accentbg="#E6EFF8",
    onaccent="#FFFFFF",
    good="#1B6E43",
    goodbg="#E5F2EA",
    warn="#8A5200",
    warnbg="#FBF0DC",
    bad="#AE2A1F",
    badbg="#FBE9E7",
    weights="#1F4E8C",
    kv="#2E9E98",
    activations="#A05A08",
    overhead="#8E7CB8",
    band="#F6E7C8",
    grid="#E4E8EC",
    series1="#0F5CA8",
    series2="#02865D",
    series3="#B85A01",
    series4="#703E6C",
    series5="#3A541E",
    series6="#CC153C",
    map_fills=("#CFE3D6", "#C6DCE0", "#BBD3EC", "#E9D9B4", "#E7D1B2", "#E5C9B0", "#DDE1E6"),
)

DARK = Tokens(
    name="dark",
    bg="#14181D",
    panel="#1C2127",
    sunk="#262C34",
    line="#38414B",
    line2="#75818D",
    text="#E8ECF0",
    text2="#A9B4BF",
    accent="#74B3F2",
    accentbg="#1D3550",
    onaccent="#0D1620",
    good="#6CC795",
    goodbg="#1B3527",
    warn="#E8B45A",
    warnbg="#3A2E17",
    bad="#F2938A",
    badbg="#43231F",
    weights="#5B93D6",
    kv="#4FC0B8",
    activations="#E8B45A",
    overhead="#A797D1",
    band="#3D331D",
    grid="#2A313A",
    series1="#74B3F2",
    series2="#119976",
    series3="#E85D06",
    series4="#B66FB1",
    series5="#BBAF69",
    series6="#F399AE",
    map_fills=("#28503A", "#274D51", "#264A6E", "#5C4B20", "#604625", "#63402A", "#343C45"),
)

TOKENS = {Theme.LIGHT: LIGHT, Theme.DARK: DARK}

_SHEET = Template("""
QMainWindow, QWidget[role="page"] { background: $bg; }
QWidget[role="bar"] { background: $panel; border: 0; border-bottom: 1px solid $line; }
QWidget[role="rail"] { background: $panel; border: 0; border-right: 1px solid $line; }
QFrame[role="panel"] { background: $panel; border: 1px solid $line; border-radius: 6px; }
QFrame[role="popup"] { background: $panel; border: 1px solid $line2; border-radius: 6px; }
QFrame[role="sunk"] { background: $sunk; border: 0; border-radius: 4px; }
QFrame[role="rule"] { background: $line; border: 0; max-height: 1px; min-height: 1px; }
QLabel { color: $text; background: transparent; }
QLabel[role="note"] { color: $text2; font-size: 12px; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="name"] { font-size: 16px; font-weight: 600; }
QLabel[role="title"] { font-size: 20px; font-weight: 600; }
QLabel[role="figure"] { font-size: 28px; font-weight: 600; }
QLabel[role="muted"] { color: $text2; }
QLabel[role="message"] { color: $bad; font-size: 12px; }
QLabel[role="warning"] { color: $text; font-size: 12px; background: $warnbg;
  border: 1px solid $warn; border-radius: 4px; padding: 6px 10px; }
QLabel[role="sample"] { color: $warn; font-size: 12px; font-weight: 600;
  border: 1px solid $warn; border-radius: 4px; padding: 3px 8px; }
QLabel[role="tag"] { color: $text2; font-size: 12px;
  border: 1px solid $line; border-radius: 4px; padding: 2px 6px; }
QLineEdit, QComboBox { min-height: 26px; max-height: 26px; border: 1px solid $line2;
  border-radius: 4px; padding: 0 8px; background: $panel; color: $text;
  selection-background-color: $accent; selection-color: $onaccent; }
QLineEdit:hover, QComboBox:hover { border-color: $text; }
QLineEdit[state="assumed"] { border-style: dashed; }
QLineEdit[state="invalid"] { border: 2px solid $bad; padding: 0 7px; min-height: 24px;
  max-height: 24px; }
QLineEdit:focus, QComboBox:focus { border: 2px solid $accent; padding: 0 7px; min-height: 24px;
  max-height: 24px; }
QLineEdit[state="invalid"]:focus { border: 2px solid $bad; }
QLineEdit:disabled, QComboBox:disabled { color: $line2; border-color: $line; background: $bg; }
QLineEdit[role="model"] { font-weight: 600; }
QComboBox::drop-down { border: 0; width: 28px; }
QComboBox::down-arrow { image: url("$icons/chevron-$name.svg"); width: 12px; height: 12px; }
QAbstractItemView { background: $panel; color: $text; border: 1px solid $line2; outline: 0;
  selection-background-color: $accentbg; selection-color: $text; }
QPushButton { min-height: 30px; max-height: 30px; padding: 0 12px; border: 1px solid $line2;
  border-radius: 4px; background: $panel; color: $text; }
QPushButton:hover { border-color: $text; background: $sunk; }
QPushButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: 28px;
  max-height: 28px; }
QPushButton:disabled { color: $line2; border-color: $line; background: $bg; }
QPushButton[role="primary"] { background: $accent; border-color: $accent; color: $onaccent;
  font-weight: 600; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $bg; border-color: $line; color: $line2; }
QPushButton[role="quiet"] { border: 0; background: transparent; padding: 0 6px; }
QPushButton[role="quiet"]:hover { background: $sunk; }
QPushButton[role="quiet"]:focus { border: 2px solid $accent; padding: 0 4px; }
QPushButton[role="link"] { border: 0; background: transparent; padding: 0 2px; color: $accent;
  font-weight: 600; }
QPushButton[role="link"]:focus { border: 2px solid $accent; padding: 0; }
QPushButton[role="link"]:disabled { color: $line2; }
QPushButton[role="fold"] { border: 0; background: transparent; padding: 0; text-align: left;
  color: $text2; font-size: 12px; min-height: 28px; max-height: 28px; }
QPushButton[role="fold"]:hover { color: $text; }
QPushButton[role="fold"]:focus { border-bottom: 2px solid $accent; }
QFrame[role="segments"] { border: 1px solid $line2; border-radius: 4px; background: $panel; }
QPushButton[role="segment"] { border: 0; border-radius: 0; border-right: 1px solid $line2;
  padding: 0 4px; min-height: 26px; max-height: 26px; background: transparent; }
QPushButton[role="segment"]:hover { background: $sunk; }
QPushButton[role="segment"]:checked { background: $accentbg; color: $accent; font-weight: 600; }
QPushButton[role="segment"]:focus { border: 2px solid $accent; min-height: 24px;
  max-height: 24px; padding: 0 3px; }
QPushButton[role="segment"][last="true"] { border-right: 0; }
QPushButton[role="segment"][last="true"]:focus { border: 2px solid $accent; }
QPushButton[role="tab"] { border: 0; border-radius: 0; border-bottom: 2px solid transparent;
  background: transparent; padding: 0 12px; min-height: 38px; max-height: 38px; color: $text2; }
QPushButton[role="tab"]:hover { color: $text; }
QPushButton[role="tab"]:checked { border-bottom: 2px solid $accent; color: $text;
  font-weight: 600; }
QPushButton[role="tab"]:focus { background: $accentbg; }
QCheckBox { color: $text; spacing: 8px; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid $line2; border-radius: 3px;
  background: $panel; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; }
QCheckBox:focus { color: $accent; }
QSlider { min-height: 24px; max-height: 24px; }
QSlider::groove:horizontal { height: 2px; background: $line; }
QSlider::sub-page:horizontal { height: 2px; background: $accent; }
QSlider::handle:horizontal { width: 7px; height: 7px; margin: -4px 0; border: 2px solid $accent;
  border-radius: 5px; background: $panel; }
QSlider::handle:horizontal:focus { background: $accent; }
QTableView { background: $panel; border: 0; gridline-color: $line; color: $text;
  alternate-background-color: $panel; selection-background-color: $accentbg;
  selection-color: $text; }
QTableView:focus { border: 2px solid $accent; }
QTableView::item { padding: 0 8px; border-bottom: 1px solid $line; }
QTableView::item:selected { background: $accentbg; color: $text; }
QListWidget { background: $panel; border: 0; }
QListWidget:focus { border: 2px solid $accent; }
QListWidget::item { min-height: 38px; padding: 0 8px; border-bottom: 1px solid $line; }
QListWidget::item:selected { background: $accentbg; color: $accent; }
QListWidget[role="tables"]:focus { border: 0; }
QTableView[role="rows"] { border: 2px solid $panel; }
QTableView[role="rows"]:focus { border: 2px solid $accent; }
QListView[role="facts"] { background: $panel; border: 2px solid $panel; }
QListView[role="facts"]:focus { border: 2px solid $accent; }
QPlainTextEdit { background: $sunk; color: $text; border: 2px solid $sunk; border-radius: 4px;
  font-size: 12px; padding: 4px; }
QPlainTextEdit:focus { border: 2px solid $accent; }
QAbstractScrollArea::corner { background: $panel; border: 0; }
QHeaderView::section { background: $panel; color: $text2; font-size: 12px; font-weight: 600;
  border: 0; border-bottom: 1px solid $line; padding: 0 8px; }
QHeaderView { background: $panel; border: 0; }
QTableCornerButton::section { background: $panel; border: 0; border-bottom: 1px solid $line2; }
QScrollArea { border: 0; background: transparent; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { width: 10px; background: transparent; }
QScrollBar:horizontal { height: 10px; background: transparent; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; min-height: 24px; }
QScrollBar::handle:hover { background: $line2; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {
  height: 0; width: 0; background: transparent; }
QToolTip { background: $panel; color: $text; border: 1px solid $line2; padding: 4px; }
QProgressBar { border: 0; background: $sunk; max-height: 2px; min-height: 2px; }
QProgressBar::chunk { background: $accent; }
""")


@cache
def style_sheet(theme: Theme) -> str:
    """The style sheet of one theme."""
    return _SHEET.substitute(asdict(TOKENS[theme]), icons=ICONS.as_posix())

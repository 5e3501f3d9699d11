"""Every command of the window: text, shortcut, icon. Menus and buttons are made from this table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command. A local one works only inside the widgets it is given to."""

    name: str
    text: str
    keys: tuple[str, ...]
    is_local: bool = False


COMMANDS = (
    Command(name="show_workload", text="Workload", keys=("Ctrl+2",)),
    Command(name="show_compare", text="Compare", keys=("Ctrl+3",)),
    Command(name="show_proposal", text="Proposal", keys=("Ctrl+5",)),
    Command(name="show_catalog", text="Catalog", keys=("Ctrl+6",)),
    Command(name="import_model", text="Import a model", keys=("Ctrl+I",)),
    Command(name="paste_model", text="Paste a configuration", keys=("Ctrl+V",), is_local=True),
    Command(name="new", text="New workload", keys=("Ctrl+N",)),
    Command(name="open", text="Open a workload", keys=("Ctrl+O",)),
    Command(name="save", text="Save the workload", keys=("Ctrl+S",)),
    Command(name="save_as", text="Save under another name", keys=("Ctrl+Shift+S",)),
    Command(name="undo", text="Undo", keys=("Ctrl+Z",)),
    Command(name="redo", text="Redo", keys=("Ctrl+Shift+Z", "Ctrl+Y")),
    Command(name="find_model", text="Go to the model", keys=("Ctrl+K",)),
    Command(name="form", text="Form", keys=("F2",)),
    Command(name="why", text="Why?", keys=("F1",)),
    Command(name="customer_view", text="Customer view", keys=("F9",)),
    Command(name="export", text="Export PDF", keys=("Ctrl+E",)),
    Command(name="copy", text="Copy verdict and table", keys=("Ctrl+Shift+C",)),
    Command(name="pin", text="Pin this build", keys=("P",), is_local=True),
    Command(name="flip_chart", text="Chart as a table", keys=("Ctrl+T",)),
    Command(name="next_panel", text="Next panel", keys=("F6",)),
    Command(name="previous_panel", text="Previous panel", keys=("Shift+F6",)),
    Command(name="theme", text="Light or dark", keys=("Ctrl+Shift+L",)),
    Command(name="quit", text="Close", keys=("Ctrl+Q",)),
)


def build_actions(
    window: QWidget,
    handlers: Mapping[str, Callable[[], object]],
    local_to: Mapping[str, tuple[QWidget, ...]],
) -> dict[str, QAction]:
    """An action for each command; a command without a handler is a bug and raises KeyError.

    ``local_to`` names the widgets that a local command works inside.
    """
    made = {}
    for command in COMMANDS:
        action = QAction(command.text, window)
        action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.setToolTip(f"{command.text} ({command.keys[0]})")
        handler = handlers[command.name]
        action.triggered.connect(lambda _checked=False, handler=handler: handler())
        if command.is_local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            for widget in local_to[command.name]:
                widget.addAction(action)
        else:
            window.addAction(action)
        made[command.name] = action
    return made

"""``kentino-desk screenshots``: one PNG a screen, offscreen."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import InputError

if TYPE_CHECKING:
    import argparse

_SIZE = re.compile(r"(\d{3,4})x(\d{3,4})")
_SCALES = (1.0, 3.0)


def screenshots_main(options: argparse.Namespace) -> int:
    """Take the pictures and print their paths.

    Raises:
        InputError: a size or scale outside what a window has.
    """
    match = _SIZE.fullmatch(options.size)
    if match is None:
        raise InputError("--size", options.size, "is no size", "WIDTHxHEIGHT such as 1280x720")
    if not _SCALES[0] <= options.scale <= _SCALES[1]:
        raise InputError("--scale", options.scale, "is no scale", "1 to 3")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = f"{options.scale:g}"
    from kentino_desk.ui.screenshots import take_screenshots  # noqa: PLC0415 - Qt reads the above

    size = (int(match.group(1)), int(match.group(2)))
    for path in take_screenshots(
        options.folder, theme=options.theme, size=size, scale=options.scale, language=options.lang
    ):
        sys.stdout.write(f"{path}\n")
    return 0

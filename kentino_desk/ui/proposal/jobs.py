"""Slow work of the proposal screen: plain functions over frozen data, no Qt."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from kentino_desk.decision.results import Assessment
    from kentino_desk.ui.services import Told, WriteProposal

PAGE_WIDTH_PX = 1_100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Order:
    """What the proposal is made from."""

    assessment: Assessment
    language: str
    told: Told

    def is_same(self, other: Order | None) -> bool:
        """Whether the other order gives the same pages."""
        return (
            other is not None
            and other.assessment is self.assessment
            and (other.language, other.told) == (self.language, self.told)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImage:
    """One page as pixels, four bytes each."""

    width: int
    height: int
    stride: int
    pixels: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Pages and headings of a proposal."""

    pages: tuple[PageImage, ...]
    headings: tuple[tuple[str, int, int], ...]
    """Title, level and page, counted from 0."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A proposal was written."""

    path: Path


def export_job(write: WriteProposal, order: Order, path: Path) -> Callable[[Event], Exported]:
    """A job that writes the proposal."""

    def run(_stop: Event) -> Exported:
        write(order.assessment, path, order.language, order.told)
        return Exported(path)

    return run


def preview_job(write: WriteProposal, order: Order) -> Callable[[Event], Preview | None]:
    """A job that writes the proposal aside and renders its pages; None when it was stopped."""

    def run(stop: Event) -> Preview | None:
        if stop.is_set():
            return None
        with tempfile.TemporaryDirectory(prefix="kentino-desk-") as folder:
            path = Path(folder) / "preview.pdf"
            write(order.assessment, path, order.language, order.told)
            return render(path, stop)

    return run


def render(path: Path, stop: Event) -> Preview | None:
    """Pages of a PDF as pixels; None when stopped between pages."""
    import pypdfium2  # noqa: PLC0415 - not needed before the first preview

    pages: list[PageImage] = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            if stop.is_set():
                return None
            pages.append(_image(page))
        headings = tuple(_headings(document))
    return Preview(pages=tuple(pages), headings=headings)


def _image(page: object) -> PageImage:
    scale = PAGE_WIDTH_PX / page.get_width()  # type: ignore[attr-defined]
    bitmap = page.render(scale=scale, rev_byteorder=False, prefer_bgrx=True)  # type: ignore[attr-defined]
    image = PageImage(
        width=bitmap.width,
        height=bitmap.height,
        stride=bitmap.stride,
        pixels=bytes(bitmap.buffer),
    )
    bitmap.close()
    return image


def _headings(document: object) -> list[tuple[str, int, int]]:
    found = []
    for mark in document.get_toc():  # type: ignore[attr-defined]
        target = mark.get_dest()
        page = target.get_index() if target is not None else 0
        found.append((mark.get_title(), mark.level, page))
    return found

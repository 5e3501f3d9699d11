"""A model on its way in, in words: figures, what was assumed, derived and read, what to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kentino_desk.domain.units import GIB
from kentino_desk.present.catalog_detail import FactLine
from kentino_desk.present.counted import counted
from kentino_desk.present.language import Text, later, text
from kentino_desk.present.numbers import NO_BREAK_SPACE, numbers
from kentino_desk.present.views import Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kentino_desk.catalog.model_config.imported_model import ImportedModel
    from kentino_desk.catalog.model_config.reading_log import Reading

_KB, _MB = 1_000, 1_000_000
ASSUMED = later("assumed")


def import_lines(model: ImportedModel, language: str) -> tuple[FactLine, ...]:
    """Figures first, then what they rest on: assumed, derived, read."""
    words = text(language)
    return (
        *_figures(model, words),
        *_section(words.gettext("Assumed"), model.assumed, words.gettext(ASSUMED)),
        *_section(words.gettext("Derived"), model.derived),
        *_section(words.gettext("Read"), model.read),
    )


def import_findings(model: ImportedModel, language: str) -> tuple[tuple[Tone, str], ...]:
    """What must be known before the model is added."""
    words = text(language)
    assumed = [
        words.gettext(
            "Assumed: {name} is {value}, {basis}.",
            name=item.name,
            value=item.value,
            basis=item.basis.rstrip("."),
        )
        for item in model.assumed
    ]
    warnings = tuple((Tone.WARN, sentence) for sentence in (*assumed, *model.warnings))
    if assumed:
        return warnings
    return ((Tone.GOOD, words.gettext("Nothing had to be assumed.")), *warnings)


def size_words(size_bytes: int, language: str) -> str:
    """Size of what came in: bytes, then kB and MB as files are spoken of."""
    shown = numbers(language)
    if size_bytes < _KB:
        return f"{size_bytes}{NO_BREAK_SPACE}B"
    factor, unit = (_MB, "MB") if size_bytes >= _MB else (_KB, "kB")
    return f"{shown.plain(size_bytes / factor, 1)}{NO_BREAK_SPACE}{unit}"


def _figures(model: ImportedModel, words: Text) -> Iterator[FactLine]:
    shown = numbers(words.language)
    card = model.card
    counts = (
        (words.gettext("Parameters"), model.params_total),
        (words.gettext("Parameters per token"), model.params_active),
        (words.gettext("Parameters of the towers"), model.params_towers),
    )
    yield FactLine(title=words.gettext("Family"), value=card.family)
    for title, count in counts:
        if count and (count != model.params_total or title == counts[0][0]):
            yield FactLine(title=title, value=shown.plain(count))
    weights = shown.figure(2 * model.params_total / GIB, "GiB")
    yield FactLine(title=words.gettext("Weights in BF16"), value=weights)
    yield from _memory(model, words)
    kinds = ", ".join(f"{count} {kind}" for kind, count in model.layers_by_kind if count)
    layers = FactLine(
        title=words.gettext("Layers"), value=str(model.layers), note=kinds.replace("_", " ")
    )
    yield layers
    yield FactLine(title=words.gettext("Stored as"), value=card.native_format_note)


def _memory(model: ImportedModel, words: Text) -> Iterator[FactLine]:
    """Cache and state, where the model has them."""
    shown = numbers(words.language)
    cache = words.gettext("16 bit, full layers, one GPU")
    sizes = (
        (words.gettext("Cache per token"), model.kv_bytes_per_token, cache),
        (words.gettext("Index per token"), model.index_bytes_per_token, ""),
        (words.gettext("State per sequence"), model.state_bytes_per_sequence, ""),
    )
    for title, count, note in sizes:
        if count:
            yield FactLine(title=title, value=f"{shown.plain(count)}{NO_BREAK_SPACE}B", note=note)
    if model.window_tokens:
        window = counted(model.window_tokens, "tokens", words.language)
        yield FactLine(title=words.gettext("Window"), value=window)
    context = model.card.max_context
    value = counted(context, "tokens", words.language) if context else words.gettext("not known")
    yield FactLine(title=words.gettext("Longest context"), value=value)


def _section(title: str, readings: Iterable[Reading], grade: str = "") -> Iterator[FactLine]:
    lines = [
        FactLine(
            title=item.name,
            value=item.value,
            note=item.basis,
            evidence="estimate" if grade else "",
            grade=grade,
        )
        for item in readings
    ]
    if lines:
        yield FactLine(title=title, is_section=True)
        yield from lines

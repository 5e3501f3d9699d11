"""Finds the language model inside a configuration, and what architecture it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kentino_desk.catalog.model_config.families import FAMILIES, GENERIC, find_family
from kentino_desk.catalog.model_config.reading_log import shown
from kentino_desk.catalog.model_config.refusals import refuse_type, refuse_uncounted

if TYPE_CHECKING:
    from kentino_desk.catalog.model_config.family import Family
    from kentino_desk.catalog.model_config.fields import Fields

_NESTED = (
    "text_config",
    "llm_config",
    "language_config",
    "language_model_config",
    "language_model",
    "thinker_config",
    "text_model_config",
    "decoder_config",
)
_DEEPEST = 4
"""Qwen Omni nests its text two deep; nothing published goes further than that."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """The whole configuration, its language part, and the architecture of that part."""

    whole: Fields
    text: Fields
    model_type: str
    family: Family

    def tied_embeddings(self) -> bool:
        """Whether input and output share one table.

        The language part speaks for itself; the outer object is asked next; then the default.
        """
        for part in (self.text, self.whole):
            stated = part.flag("tie_word_embeddings")
            if stated is not None:
                return stated
        self.text.log.note_assumed(
            self.text.path("tie_word_embeddings"),
            self.family.tied,
            f"the default of {self.model_type}",
        )
        return self.family.tied


def find_text(whole: Fields) -> TextPart:
    """The language part of a configuration.

    Raises:
        InputError: no decoder, or one that cannot be told.
    """
    refuse_uncounted(whole)
    text = _descend(whole)
    refuse_uncounted(text)
    model_type = _model_type(whole, text)
    if model_type == "git" and text.has("residual_moe"):
        model_type = "grok-2"
    refuse_type(text if text.has("model_type") else whole, model_type)
    family = find_family(model_type)
    if family is None:
        text.log.note_assumed(
            "architecture",
            model_type,
            "is not known here; counted by its fields as a decoder with two norms a layer"
            " and no biases but those it names",
        )
        text.log.note_warning(
            f"The architecture {shown(model_type)} is not known: check the parameter count."
        )
    return TextPart(whole, text, model_type, family or GENERIC)


def _descend(whole: Fields) -> Fields:
    text = whole
    for _ in range(_DEEPEST):
        name = next((name for name in _NESTED if isinstance(text.value(name), dict)), "")
        inner = text.part(name) if name else None
        if inner is None:
            return text
        text = inner
    return text


def _model_type(whole: Fields, text: Fields) -> str:
    for part in (text, whole):
        model_type = part.word("model_type")
        if model_type:
            return _told_by_outer(whole, model_type) if part is text else model_type
    return _from_architectures(whole, text)


def _told_by_outer(whole: Fields, model_type: str) -> str:
    """Kimi K3 calls its text kimi_linear: there the outer name is the exact one."""
    outer = whole.value("model_type")
    return "kimi_k3" if outer == "kimi_k3" and model_type == "kimi_linear" else model_type


def _from_architectures(whole: Fields, text: Fields) -> str:
    named = (text.words("architectures") or ()) or (whole.words("architectures") or ())
    plain = {name.replace("_", "").replace("-", ""): name for name in FAMILIES}
    for architecture in named:
        for ending in ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel"):
            known = plain.get(architecture.removesuffix(ending).lower())
            if known:
                text.log.note_assumed(
                    text.path("model_type"), known, f"told by architectures: {architecture[:60]}"
                )
                return known
    raise text.refusal(
        "model_type", "is missing, and the architecture cannot be told", hint="add it to the file"
    )

"""Lengths of a request: as given, else as preset, and whether a model reads them.

Numbers may be single ones, or arrays with one value per point of a workload.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.domain.model_card import ModelCard

CHAT_CONTEXT = 8192
CHAT_ANSWER = 512
BATCH_PROMPT, BATCH_ANSWER = 2048, 512


def chat_lengths(given: Mapping[str, Any], model: ModelCard) -> dict[str, Any]:
    """Context, answer and prompt of a chat; ``given`` by dotted key, absent where not given."""
    default = min(CHAT_CONTEXT, model.max_context or CHAT_CONTEXT)
    prompt, answer = given.get("serving.input_tokens"), given.get("serving.output_tokens")
    context = given.get("serving.context_tokens")
    if context is None:
        asked = (0 if prompt is None else prompt) + (CHAT_ANSWER if answer is None else answer)
        context = np.maximum(default, asked)
    if answer is None:
        answer = np.minimum(CHAT_ANSWER, np.maximum(context // 2, 1))
    if prompt is None:
        prompt = np.maximum(context - answer, 1)
    return {
        "serving.context_tokens": context,
        "serving.output_tokens": answer,
        "serving.input_tokens": prompt,
    }


def batch_lengths(given: Mapping[str, Any], model: ModelCard) -> dict[str, Any]:
    """Prompt and answer of a corpus, the presets shortened for a model that reads less."""
    longest = model.max_context or BATCH_PROMPT + BATCH_ANSWER
    answer = given.get("batch.output_tokens", min(BATCH_ANSWER, longest // 2))
    prompt = given.get(
        "batch.input_tokens", np.maximum(np.minimum(BATCH_PROMPT, longest - answer), 1)
    )
    return {"batch.input_tokens": prompt, "batch.output_tokens": answer}


def above_maximum(context_tokens: Any, model: ModelCard) -> Any:
    """Whether a context is longer than the model reads."""
    return context_tokens > (np.inf if model.max_context is None else model.max_context)


def below_request(context_tokens: Any, input_tokens: Any, output_tokens: Any) -> Any:
    """Whether a context is too short for prompt and answer together."""
    return input_tokens + output_tokens > context_tokens

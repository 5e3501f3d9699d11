"""Models that are no decoders, or whose layers no formula covers: refused with the reason."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kentino_desk.catalog.model_config.fields import Fields

_ENCODER = "is an encoder without a text cache, so it cannot be sized as a decoder"
_SPEECH = "is a speech model, so it cannot be sized as a decoder"
_ENCODER_DECODER = "has an encoder and a decoder, which is not counted"
_OLD = "is an older shape that the formulas do not cover"
_MIXER = "has layers that no formula covers"

_BY_TYPE: dict[str, str] = (
    dict.fromkeys(
        (
            "bert",
            "roberta",
            "xlm-roberta",
            "xlm_roberta",
            "distilbert",
            "electra",
            "deberta",
            "deberta-v2",
            "albert",
            "camembert",
            "modernbert",
            "nomic_bert",
            "mpnet",
            "clip",
            "siglip",
            "vit",
        ),
        _ENCODER,
    )
    | dict.fromkeys(
        ("whisper", "wav2vec2", "hubert", "seamless_m4t", "speecht5", "parakeet"), _SPEECH
    )
    | dict.fromkeys(("t5", "mt5", "umt5", "bart", "mbart", "marian", "pegasus"), _ENCODER_DECODER)
    | dict.fromkeys(
        (
            "gpt2",
            "gpt_bigcode",
            "gpt_neox",
            "gpt_neo",
            "gptj",
            "opt",
            "bloom",
            "codegen",
            "chatglm",
            "git",
        ),
        _OLD,
    )
    | dict.fromkeys(
        ("gemma3n", "gemma3n_text", "falcon_h1", "rwkv", "mamba", "mamba2", "recurrent_gemma"),
        _MIXER,
    )
    | dict.fromkeys(("zamba", "zamba2", "bamba", "xlstm", "lfm2", "lfm2_moe", "jetmoe"), _MIXER)
)
REFUSED_TYPES: Mapping[str, str] = MappingProxyType(_BY_TYPE)

_UNCOUNTED_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "_class_name": "belongs to a diffusion pipeline, which has no text cache",
        "altup_num_inputs": "means layers that no formula covers",
        "laurel_rank": "means layers that no formula covers",
        "rwkv_version": "means layers that no formula covers",
        "lru_width": "means layers that no formula covers",
        "retention_heads": "means layers that no formula covers",
        "conv_L_cache": "means layers that no formula covers",
        "encoder_layers": "means an encoder and a decoder, which is not counted",
    }
)


def refuse_uncounted(fields: Fields) -> None:
    """Refuse a field that means something no formula covers.

    Raises:
        InputError: the first such field.
    """
    name = fields.first(tuple(_UNCOUNTED_FIELDS))
    if name:
        raise fields.refusal(name, _UNCOUNTED_FIELDS[name])
    if fields.value("is_encoder_decoder") is True:
        raise fields.refusal("is_encoder_decoder", _ENCODER_DECODER)


def refuse_type(fields: Fields, model_type: str) -> None:
    """Refuse an architecture that is no decoder.

    Raises:
        InputError: the type, with the reason.
    """
    if model_type in REFUSED_TYPES and not fields.has("residual_moe"):
        raise fields.refusal("model_type", REFUSED_TYPES[model_type])


_STATE_HINTS = ("mamba", "ssm", "rwkv", "hyena", "retention", "linear_attn", "kda")


def refuse_hidden_mixers(fields: Fields) -> None:
    """For an unknown architecture without state layers: refuse fields that speak of such layers.

    Raises:
        InputError: the first such field.
    """
    for name in fields.names():
        if fields.has(name) and any(hint in name.lower() for hint in _STATE_HINTS):
            raise fields.refusal(name, "speaks of layers, but nothing says which ones they are")

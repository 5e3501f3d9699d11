"""What the seller's articles say of a model on a node, to stand beside the computed grade."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_desk.domain.choices import Format, Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleVerdict:
    """One claim: model, card and number of cards, what the article says, and the grades it allows.

    ``grades`` lists by format what the article's word means; the computed grade decides.
    """

    claims: tuple[str, ...]
    models: frozenset[str]
    gpu: str
    gpus: int
    word: str
    grades: tuple[tuple[Format, frozenset[Grade]], ...]


_LOW = frozenset({Grade.NO, Grade.WEIGHTS_ONLY})
_MARGINAL = frozenset({Grade.TIGHT, Grade.WEIGHTS_ONLY})
_P6 = "rtx-pro-6000-bw-server"

ARTICLES: tuple[ArticleVerdict, ...] = (
    ArticleVerdict(
        claims=("C016",),
        models=frozenset({"mixtral-8x22b"}),
        gpu="rtx-5090",
        gpus=8,
        word="int4_only_tight",
        grades=((Format.FP8, _LOW),),
    ),
    ArticleVerdict(
        claims=("C021", "C030"),
        models=frozenset({"llama-3.1-405b"}),
        gpu=_P6,
        gpus=8,
        word="int4_yes_fp8_marginal",
        grades=((Format.FP8, _MARGINAL),),
    ),
    ArticleVerdict(
        claims=("C025",),
        models=frozenset({"deepseek-v3"}),
        gpu=_P6,
        gpus=8,
        word="int4_yes_fp8_marginal",
        grades=((Format.FP8, _MARGINAL),),
    ),
)
"""Verdicts of the 8-GPU ceiling tables; grades and words by data/README of the seed claims."""

CLUSTER_CLAIM = ("C065", "llama-3.1-405b")
"""The article sends 405B at production latency to two boxes joined by a fabric."""
SELLER_EFFICIENCY = (("C074", 0.73, 8, 1), ("C075", 0.65, 8, 2))
"""Claim, efficiency, GPUs and nodes of the seller's two scaling figures."""

"""Notes in words: one sentence or two for each key, and for each case inside a key."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Format, Grade, Optimizer, Severity
from kentino_desk.present.counted import counted, measured
from kentino_desk.present.field_words import CHOICE_WORDS
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import load_unit
from kentino_desk.present.numbers import NOTHING
from kentino_desk.present.source_words import sources_in_words
from kentino_desk.present.terms import FORMAT_WORDS, GRADE_WORDS, build_name
from kentino_desk.present.views import NoteView, Tone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.decision.results import Assessment, Note

    Value = float | int | str

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "measure_first": later(
            "A limit lies inside the range of the estimate: measure on the real hardware before "
            "the order."
        ),
        "not_validated": later(
            "Serving on {gpu} is not validated by measurements of its class, so the wider range is "
            "printed."
        ),
        "cache_not_validated": later(
            "The compressed cache of {model} is not validated: published figures of one "
            "checkpoint differ by more than ten times. Measure the tokens the pool holds."
        ),
        "not_modelled.draft": later(
            "Drafted tokens count in the memory and not in the speed: they change the time per "
            "token by up to twice, either way. Measure on the customer's own text."
        ),
        "not_modelled.offload": later(
            "Host memory counts in the memory and not in the speed: measured runs with offload "
            "reach 0.4 to 1.0 of the rate printed here."
        ),
        "half_node_trap": later(
            "The same cards ({gpus}) in more machines ({nodes}) have a slower path between the "
            "halves, and twice the tuning, the spares and the failures."
        ),
        "smaller_is_enough": later(
            "A node with {gpus} carries it; a larger one, up to {largest}, would be oversized."
        ),
        "smaller_is_enough.same": later(
            "A dearer node with as many cards passes too; this one is enough."
        ),
        "replicas_not_cluster": later(
            "One node holds the model, so {nodes} with whole copies stand side by side behind a "
            "load balancer on 25 to 100 GbE. A fabric between them would add cost and no speed."
        ),
        "operating_tax": later(
            "Running {nodes} takes {low} to {high} times the engineering time of one, shared "
            "storage with its network, tuning of network cards, monitoring, and as many times the "
            "failures. Unbudgeted, count on half the capacity in the first half-year."
        ),
        "no_nvlink": later(
            "{gpu} has no NVLink here. The seller's figures: 1.2 to 1.4 times the wall time on "
            "fine-tunes, 2 to 3 times on tensor-parallel training of 70B and more. Our figures "
            "count the PCIe path as it is."
        ),
        "partner_platform": later(
            "{build} is a partner platform: compared here, never quoted as our own build."
        ),
        "nic_per_4_gpus": later(
            "At least one network card per 4 GPUs: {nics} in a node with {gpus}. The figures count "
            "{counted}, the cautious case."
        ),
        "spare_node": later(
            "A cluster needs one spare node, and a login and management node beside it."
        ),
        "switchless": later(
            "{nodes} join without a switch, as up to {limit} do. A 32-port 400 G switch with "
            "optics costs EUR 40,000 to 80,000."
        ),
        "storage_tier.local": later("Storage: NVMe drives in the node are enough."),
        "storage_tier.shared": later("Storage: NFS or an all-flash array shared by {nodes}."),
        "storage_tier.parallel": later(
            "Storage: a parallel file system (BeeGFS, Lustre or GPFS) for {nodes}."
        ),
        "scheduler.kubernetes": later("Scheduler: Kubernetes, with scaling of the service."),
        "scheduler.slurm": later("Scheduler: SLURM with queues."),
        "requirement_class.services": later(
            "Class inference and services: 1 to 2 GPUs per node, 128 to 256 GB of RAM, 25 GbE."
        ),
        "requirement_class.team": later(
            "Class team node: 4 to 8 GPUs per node, 512 GB to 2 TB of RAM, two ports of 100 GbE."
        ),
        "requirement_class.distributed": later(
            "Class distributed training: several nodes, NVMe and a shared store, InfiniBand NDR "
            "with RDMA."
        ),
        "load_time": later(
            "A start reads {weights_gib} of weights for each copy. The node needs at least "
            "{ram_gib} of RAM."
        ),
        "load_time.training": later(
            "A start from a checkpoint reads {weights_gib} of training state. Each node needs at "
            "least {ram_gib} of RAM."
        ),
        "seller_efficiency": later(
            "Seller's figure ({claim}): {theirs} of linear speed for a tensor-parallel step on "
            "{gpus} in the form of {nodes}. Computed here for the proposed layout: {ours}."
        ),
        "alternative_recipe": later(
            "With {optimizer} the training state is {state_tb} in all, and may fit fewer nodes."
        ),
        "largest_format_that_fits": later(
            "The largest format that fits {build} is {format}: weights take {share} of the card "
            "({grade})."
        ),
        "relax": later(
            "{build} carries {x_node} within all targets; asked are {load}. Fewer at once, slower "
            "targets or a shorter context would fit."
        ),
        "article_disagrees.int4_only_tight.yes": later(
            "The seller's article says 4 bit alone, and tight, for {format} on {build}. The "
            "computed grade agrees: {grade}, weights {share} of the card."
        ),
        "article_disagrees.int4_only_tight.no": later(
            "The seller's article says 4 bit alone, and tight, for {format} on {build}. The "
            "computed grade differs and stands: {grade}, weights {share} of the card."
        ),
        "article_disagrees.int4_yes_fp8_marginal.yes": later(
            "The seller's article calls {format} on {build} marginal. The computed grade agrees: "
            "{grade}, weights {share} of the card."
        ),
        "article_disagrees.int4_yes_fp8_marginal.no": later(
            "The seller's article calls {format} on {build} marginal. The computed grade differs "
            "and stands: {grade}, weights {share} of the card."
        ),
        "article_disagrees.cluster": later(
            "The seller's article sends this model at production speed to a cluster. Computed, "
            "replicas carry the load and need no fabric; that stands."
        ),
        "assumed_inputs": later("Not confirmed by the customer, taken from presets: {count}."),
    }
)
CASES: Mapping[str, Callable[[Assessment, Mapping[str, Value]], str]] = MappingProxyType(
    {
        "not_modelled": lambda _, n: f".{n['what']}",
        "smaller_is_enough": lambda _, n: ".same" if n["gpus"] == n["largest"] else "",
        "storage_tier": lambda _, n: f".{n['tier']}",
        "scheduler": lambda _, n: f".{n['scheduler']}",
        "requirement_class": lambda _, n: f".{n['name']}",
        "load_time": lambda a, _: ".training" if a.workload.kind.is_training else "",
        "article_disagrees": lambda _, n: f".{n['word']}{_agreement(n)}",
    }
)
"""Keys with several sentences: the case follows from the numbers."""

TONES: Mapping[Severity, Tone] = MappingProxyType(
    {Severity.INFO: Tone.PLAIN, Severity.LOOK: Tone.WARN, Severity.BLOCK: Tone.BAD}
)
UNITS: Mapping[str, str] = MappingProxyType(
    {
        "gpus": "GPUs",
        "largest": "GPUs",
        "nodes": "nodes",
        "weights_gib": "GiB",
        "ram_gib": "GiB",
        "theirs": "share",
        "ours": "share",
        "share": "share",
        "state_tb": "TB",
    }
)


def _agreement(values: Mapping[str, Value]) -> str:
    if "agrees" not in values:
        return ""
    return ".yes" if values["agrees"] else ".no"


def note_views(assessment: Assessment, language: str) -> tuple[NoteView, ...]:
    """All notes in words."""
    return tuple(
        NoteView(
            key=note.key,
            text=note_sentence(assessment, note, language),
            tone=TONES[note.severity],
            sources=sources_in_words(note.sources, language),
        )
        for note in assessment.notes
    )


def note_sentence(assessment: Assessment, note: Note, language: str) -> str:
    """The sentence of one note.

    Raises:
        KeyError: nobody wrote words for that note.
    """
    case = CASES[note.key](assessment, note.numbers) if note.key in CASES else ""
    values = {
        name: _shown(assessment, name, value, language) for name, value in note.numbers.items()
    }
    return text(language).gettext(SENTENCES[note.key + case], **values)


def _shown(assessment: Assessment, name: str, value: Value, language: str) -> str:
    if isinstance(value, str):
        return _word(assessment, name, value, language)
    if not math.isfinite(value):
        return NOTHING
    unit = load_unit(assessment) if name in {"x_node", "load"} else UNITS.get(name, "")
    if isinstance(value, int):
        return counted(value, unit, language)
    return measured(value, unit, language)


def _word(assessment: Assessment, name: str, value: str, language: str) -> str:
    words = text(language)
    if name == "format" and value:
        return words.gettext(FORMAT_WORDS[Format(value)])
    if name == "grade" and value.upper() in Grade.__members__:
        return words.gettext(GRADE_WORDS[Grade[value.upper()]])
    if name == "optimizer":
        return words.gettext(CHOICE_WORDS[Optimizer][value])
    if name == "build":
        return _build(assessment, value)
    return value


def _build(assessment: Assessment, build_id: str) -> str:
    found = (item.candidate.build for item in assessment.best_per_build)
    build = next((item for item in found if item.id == build_id), None)
    return build_name(build) if build else build_id

"""Notes in words: one sentence or two for each key, and for each case inside a key."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.domain.choices import Binding, Format, Grade, Optimizer, Severity
from kentino_desk.present.counted import counted, measured
from kentino_desk.present.field_words import CHOICE_WORDS
from kentino_desk.present.language import later, text
from kentino_desk.present.load_words import load_unit
from kentino_desk.present.numbers import NOTHING
from kentino_desk.present.plain_words import key_in_words
from kentino_desk.present.source_words import sources_in_words
from kentino_desk.present.terms import BINDING_WORDS, FORMAT_WORDS, GRADE_WORDS, build_name
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
            "token by up to twice, either way. Measure how many are right on the customer's own "
            "text, and state it."
        ),
        "drafted": later(
            "Drafting counts as stated: {share} of {guesses} guesses right, {tokens} tokens per "
            "step. Measured runs lie between {low} and {high} of such an estimate. Confirm the "
            "share on the customer's own text."
        ),
        "not_modelled.context_parallel": later(
            "Sharing a context between cards counts in the memory and not in the speed: the cards "
            "read less each, and exchange more. Measure on the customer's own prompts."
        ),
        "not_modelled.dp_attention": later(
            "Speeds with attention groups rest on few measured rows, which are missed by 20 to "
            "25 %. Measure first."
        ),
        "not_modelled.offload": later(
            "Host memory counts in the memory and not in the speed: measured runs with offload "
            "reach 0.4 to 1.0 of the rate printed here."
        ),
        "half_node_trap": later(
            "The same cards ({gpus}) in more machines ({nodes}) have a slower path between the "
            "halves, and twice the tuning, the spares and the failures: {theirs_rate} against "
            "{ours_rate} here."
        ),
        "half_node_trap.faster": later(
            "As the host stands, the same cards ({gpus}) in more machines ({nodes}) are faster: "
            "{theirs_rate} against {ours_rate}. Mend the host first (peer access between the "
            "cards, both sockets): on a tuned host one machine leads, with half the operation."
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
        "operating_tax.replicas": later(
            "Running {nodes} adds {low} to {high} times the engineering time of one, about "
            "{hours_low} to {hours_high} hours a month at {hours} for one (assumed). Needed: "
            "shared storage with its own VLAN, and DCGM with Prometheus on every node. Failures "
            "count {failures}-fold. Unbudgeted, expect {ramp} of the capacity in the first "
            "{months} months. Without a fabric, nothing of RDMA or NCCL is tuned."
        ),
        "operating_tax.serving": later(
            "Running {nodes} adds {low} to {high} times the engineering time of one, about "
            "{hours_low} to {hours_high} hours a month at {hours} for one (assumed). Needed: "
            "shared storage with its own VLAN, tuning of network cards and NCCL (OFED, PFC, ECN, "
            "jumbo frames, topology files), DCGM with Prometheus and NCCL traces on every node. "
            "Failures count {failures}-fold. Unbudgeted, expect {ramp} of the capacity in the "
            "first {months} months."
        ),
        "operating_tax.training": later(
            "Running {nodes} adds {low} to {high} times the engineering time of one, about "
            "{hours_low} to {hours_high} hours a month at {hours} for one (assumed). Needed: "
            "shared storage with its own VLAN, asynchronous sharded checkpoints, tuning of "
            "network cards and NCCL (OFED, PFC, ECN, jumbo frames, topology files), DCGM with "
            "Prometheus and NCCL traces on every node. Failures count {failures}-fold. "
            "Unbudgeted, expect {ramp} of the capacity in the first {months} months."
        ),
        "no_nvlink": later(
            "{gpu} has no NVLink here. The seller's figures: 1.2 to 1.4 times the wall time on "
            "fine-tunes, 2 to 3 times on tensor-parallel training of 70B and more. Ours: the "
            "exchange over PCIe takes the proposed layout to {ours} times the time without it."
        ),
        "customer_machine.yes": later(
            "The machine that is there ({gpus}, {gpu}) carries it: memory {grade}."
        ),
        "customer_machine.no": later(
            "The machine that is there ({gpus}, {gpu}) does not carry it: memory {grade}, misses "
            "{misses}."
        ),
        "reserved": later(
            "Of each node, {reserved_gib} and {gpus} are kept for other models; memory and layouts "
            "count what is left."
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
        "switchless.enough": later(
            "{nodes} join without a switch, as up to {limit} do; up to {most} can. A 32-port 400 G "
            "switch with optics costs EUR {price_low} to {price_high}; leaving out even a small "
            "100 G one saves EUR {saving_low} to {saving_high}."
        ),
        "switchless.possible": later(
            "{nodes} can still join without a switch (sensible up to {limit}, possible up to "
            "{most}); the bill counts one. A 32-port 400 G switch with optics costs EUR "
            "{price_low} to {price_high}."
        ),
        "switchless.needed": later(
            "{nodes} need a switch: without one at most {most} join. A 32-port 400 G switch with "
            "optics costs EUR {price_low} to {price_high}."
        ),
        "storage_tier.local": later("Storage: NVMe drives in the node are enough."),
        "storage_tier.shared": later(
            "Storage: NFS or an all-flash array shared by {nodes}. Decide on it before the second "
            "node is racked."
        ),
        "storage_tier.parallel": later(
            "Storage: a parallel file system (BeeGFS, Lustre or GPFS) for {nodes}. Decide on it "
            "before the second node is racked."
        ),
        "scheduler.none": later("Scheduler: none is needed for one node and one team."),
        "scheduler.kubernetes": later("Scheduler: Kubernetes, with scaling of the service."),
        "scheduler.slurm": later("Scheduler: SLURM with queues."),
        "requirement_class.services": later(
            "Class inference and services: {gpus_low} to {gpus_high} per node, {ram_low_gb} to "
            "{ram_high_gb} GB of RAM, ordinary Ethernet of {network_low_gbit} to "
            "{network_high_gbit} Gbit/s."
        ),
        "requirement_class.team": later(
            "Class team node: {gpus_low} to {gpus_high} per node, {ram_low_gb} to {ram_high_gb} GB "
            "of RAM, two ports of 100 GbE or InfiniBand, queues."
        ),
        "requirement_class.distributed": later(
            "Class distributed training: several nodes, NVMe and a shared store, InfiniBand NDR "
            "with RDMA."
        ),
        "load_time": later(
            "A start reads {weights_gib} of weights, about {seconds} from a drive of "
            "{disk_gb_per_s} (assumed). The node needs at least {ram_gib} of RAM, as much as the "
            "cards use."
        ),
        "load_time.training": later(
            "A start from a checkpoint reads {weights_gib} of training state, about {seconds} from "
            "a drive of {disk_gb_per_s} in each node (assumed). Each node needs at least {ram_gib} "
            "of RAM, as much as the cards use."
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
        "customer_machine": lambda _, n: ".yes" if n["passes"] else ".no",
        "half_node_trap": lambda _, n: ".faster" if n["faster"] else "",
        "operating_tax": lambda _, n: f".{n['work']}",
        "switchless": lambda _, n: f".{n['case']}",
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
        "reserved_gib": "GiB",
        "theirs": "share",
        "ours": "share",
        "ramp": "share",
        "gpus_high": "GPUs",
        "ours_rate": "tok/s",
        "theirs_rate": "tok/s",
        "seconds": "s",
        "disk_gb_per_s": "GB/s",
        "share": "share",
        "state_tb": "TB",
    }
)
UNIT_OF_NOTE: Mapping[tuple[str, str], str] = MappingProxyType(
    {("no_nvlink", "ours"): "", ("drafted", "low"): "share", ("drafted", "high"): "share"}
)
"""Numbers whose name means another thing in one note."""


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
    """The sentence of one note; its name and numbers where nobody wrote one."""
    case = CASES[note.key](assessment, note.numbers) if note.key in CASES else ""
    values = {
        name: _shown(assessment, name, value, language, note.key)
        for name, value in note.numbers.items()
    }
    sentence = SENTENCES.get(note.key + case)
    if sentence is None:
        return _unwritten(note.key, values)
    return text(language).gettext(sentence, **values)


def _unwritten(key: str, values: Mapping[str, str]) -> str:
    """A rule that nobody has written words for yet says its name and its numbers."""
    found = ", ".join(f"{key_in_words(name).lower()} {shown}" for name, shown in values.items())
    return f"{key_in_words(key)}: {found}." if found else f"{key_in_words(key)}."


def _shown(assessment: Assessment, name: str, value: Value, language: str, note: str = "") -> str:
    if isinstance(value, str):
        return _word(assessment, name, value, language)
    if not math.isfinite(value):
        return NOTHING
    if (note, name) in UNIT_OF_NOTE:
        return measured(value, UNIT_OF_NOTE[note, name], language)
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
    if name == "misses" and value:
        named = (words.gettext(BINDING_WORDS[Binding(item)]) for item in value.split(", "))
        return ", ".join(named)
    if name == "build":
        return _build(assessment, value)
    return value


def _build(assessment: Assessment, build_id: str) -> str:
    found = (item.candidate.build for item in assessment.best_per_build)
    build = next((item for item in found if item.id == build_id), None)
    return build_name(build) if build else build_id

"""Claims about operation, classes of requirements and support, and those that state no figure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.claims.judging import Found, Judged, Judgement, fact, not_applicable, note
from kentino_desk.claims.memory_answers import node_ram
from kentino_desk.decision.requirement_classes import (
    DISTRIBUTED,
    SERVICES,
    TEAM,
    RequirementClass,
)
from kentino_desk.present.fault_codes import FAULT_CODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.claims.desk import Desk
    from kentino_desk.claims.judging import Answer
    from kentino_desk.claims.rows import Claim

_TAX = ("C080", "C081", "C082", "C083", "C084", "C085", "C086")


def _class(found: RequirementClass, part: str) -> Answer:
    """A range of one class against the claimed range."""

    def answer(_desk: Desk, claim: Claim) -> Judged:
        low, high = {
            "gpus": found.gpus,
            "ram": found.ram_gb or (0, 0),
            "network": found.network_gbit_per_s,
        }[part]
        agrees = _meets(claim, float(low), float(high))
        why = f"class {found.key} of the note requirement_class"
        return _judged(claim, Found((float(low), float(high)), why), agrees=agrees)

    return answer


def _meets(claim: Claim, low: float, high: float) -> bool:
    return (
        claim.low is not None
        and claim.high is not None
        and (high >= claim.low and low <= claim.high)
    )


def _judged(claim: Claim, found: Found, *, agrees: bool) -> Judged:
    judgement = Judgement.AGREES if agrees else Judgement.DISAGREES
    return Judged(claim, judgement, found, found.why)


def _class_in_words(case: str, key: str) -> Callable[[Desk], tuple[bool, Found]]:
    def find(desk: Desk) -> tuple[bool, Found]:
        spoken = [item for item in desk.assessed(case).notes if item.key == "requirement_class"]
        named = bool(spoken) and spoken[0].numbers["name"] == key
        sentence = desk.sentence(case, spoken[0]) if spoken else "says nothing"
        return named, Found("note requirement_class", sentence)

    return find


def _fault(claim_id: str) -> Answer:
    """A fault code that the proposal lists among its support notes."""

    def answer(_desk: Desk, claim: Claim) -> Judged:
        listed = next((item for item in FAULT_CODES if item.claim == claim_id), None)
        found = Found(float(listed.xid) if listed else "not listed", listed.words if listed else "")
        agrees = listed is not None and listed.xid == claim.low
        return _judged(
            claim, Found(found.value, f"part 9 of the proposal: {found.why}"), agrees=agrees
        )

    return answer


def _ram(case: str) -> Answer:
    """RAM that the proposed build needs at least, against the claimed range."""

    def answer(desk: Desk, claim: Claim) -> Judged:
        found = node_ram(desk, case)
        ram = found.value if isinstance(found.value, float) else 0.0
        return _judged(claim, found, agrees=claim.high is not None and ram <= claim.high)

    return answer


def _gpus_of(case: str) -> Answer:
    def answer(desk: Desk, claim: Claim) -> Judged:
        build = desk.best(case).candidate.build
        gpus = float(build.node.gpu_count)
        return _judged(
            claim, Found(gpus, f"proposed: {build.id}"), agrees=_meets(claim, gpus, gpus)
        )

    return answer


_SHARE = "a share of the seller's customers: no figure of the product stands for it"
_LATENCY = "a budget of microseconds of one message; the engine counts starts of collectives"
_SHOP = "terms of the shop: not a figure of sizing, and not in the price list"

ANSWERS: Mapping[str, Answer] = MappingProxyType(
    {
        **{claim: note("operating_tax", "full_70b") for claim in _TAX},
        "C058": not_applicable(_SHARE),
        "C059": not_applicable(_SHARE),
        "C122": note("storage_tier", "full_70b"),
        "C123": not_applicable("a symptom of bad storage; storage is assumed not to hold cards up"),
        "C124": not_applicable("an example of a data set; files are no input of sizing"),
        "C125": note("scheduler", "full_70b"),
        "C126": not_applicable("a report on one run of another company; availability is an input"),
        "C127": not_applicable("a report on one run of another company; availability is an input"),
        **{item.claim: _fault(item.claim) for item in FAULT_CODES},
        "C136": not_applicable(_SHARE),
        "C137": not_applicable("capacity of one switch; rings count network cards, not switches"),
        "C138": not_applicable("the readers an article is for; it states no figure of a build"),
        **{f"C{number}": not_applicable(_LATENCY) for number in range(146, 158)},
        "C158": note("operating_tax", "full_70b"),
        "C159": not_applicable(_SHARE),
        "C161": not_applicable(_SHOP),
        "C162": not_applicable(_SHOP),
        "C163": not_applicable(_SHOP),
        "C166": not_applicable("the article gives no number to hold ours against"),
        "C168": not_applicable("the article gives no number to hold ours against"),
        "C173": _class(SERVICES, "gpus"),
        "C174": _class(SERVICES, "ram"),
        "C175": _class(TEAM, "gpus"),
        "C176": _class(TEAM, "ram"),
        "C177": _class(SERVICES, "network"),
        "C178": _class(TEAM, "network"),
        "C179": fact(_class_in_words("full_70b", DISTRIBUTED.key)),
        "C180": not_applicable("scientific computing without a language model is not sized"),
        "C181": note("spare_node", "full_70b"),
        "C199": _gpus_of("lora_70b"),
        "C200": _ram("lora_70b"),
        "C201": _class(SERVICES, "network"),
        "C203": _ram("chat_70b"),
        "C204": _class(TEAM, "network"),
        "C205": _gpus_of("full_70b"),
        "C206": _class(SERVICES, "network"),
        "C207": not_applicable("warranty is a term of the contract, not in the price list"),
    }
)

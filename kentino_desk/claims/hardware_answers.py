"""Claims about links, latencies, power, sizes and prices: from the catalog and the price list."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kentino_desk.catalog.show import show_table
from kentino_desk.claims.judging import Found, fact, not_applicable, note, number
from kentino_desk.claims.workloads import CONSUMER, REFERENCE
from kentino_desk.decision.pricing import GPUS_PER_NIC, SWITCHLESS_NODES
from kentino_desk.domain.choices import Fabric, Host
from kentino_desk.domain.units import GB
from kentino_desk.engine.card_inputs import bus_class, network_link, training_link

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kentino_desk.claims.desk import Desk
    from kentino_desk.claims.judging import Answer

SELLER_CARDS = ("rtx-4090", CONSUMER, REFERENCE, "l40", "l4")


def _link(name: str, column: str, why: str) -> Callable[[Desk], Found]:
    return lambda desk: Found(desk.link(name, column), why)


def _fabric_gb(desk: Desk) -> Found:
    speed = desk.snapshot.fabrics[Fabric.IB200].nic_gbit_per_s / 8.0
    reached = desk.link("ib-200", "measured_gb_per_s")
    return Found(speed, f"line rate of one NIC; {reached:g} GB/s measured")


def _penalty(fabric: Fabric) -> Callable[[Desk], Found]:
    """Bus of eight cards behind one switch over the bus of one NIC a node."""

    def find(desk: Desk) -> Found:
        card = bus_class(desk.gpu(REFERENCE))
        inside = training_link(card, Host.SWITCH, 8, nvlink=False).best / GB
        across = network_link(desk.snapshot.fabrics[fabric], 1).best / GB
        why = f"rings of 8 cards: {inside:.1f} GB/s behind one switch, {across:.1f} GB/s across"
        return Found(inside / across, why)

    return find


def _nvlink(card: str) -> Callable[[Desk], Found]:
    return lambda desk: Found(desk.gpu(card).nvlink_gb_per_s_bidir, "catalog, both directions")


def _nvlink_range(desk: Desk) -> Found:
    low, high = (desk.gpu(name).nvlink_gb_per_s_bidir for name in ("a100-sxm-80", "h100-sxm"))
    return Found((low, high), "catalog, A100 and H100, both directions")


def _no_nvlink(desk: Desk) -> tuple[bool, Found]:
    linked = [name for name in SELLER_CARDS if desk.gpu(name).has_nvlink]
    own = [node for node in desk.snapshot.nodes.values() if node.own_build]
    linked += [node.id for node in own if node.nvlink]
    said = [item for item in desk.assessed("chat_70b").notes if item.key == "no_nvlink"]
    sentence = desk.sentence("chat_70b", said[0]) if said else "no note"
    return not linked and bool(said), Found(
        "none", f"{len(own)} own builds and {len(SELLER_CARDS)} cards of the catalog. {sentence}"
    )


def _gen_max(desk: Desk) -> Found:
    rows = {str(row["id"]): row for row in show_table("gpus")}
    used = {gpu for node in desk.snapshot.nodes.values() if node.own_build for gpu in node.gpu_ids}
    newest = max(float(str(rows[gpu]["pcie_gen"])) for gpu in used)
    return Found(newest, f"newest of the {len(used)} cards in own builds, catalog")


def _hop(name: str) -> Callable[[Desk], Found]:
    return _link(name, "latency_us", "measured between two cards, catalog of links")


def _heat(desk: Desk) -> Found:
    found = desk.tried(
        {
            "workload.kind": "chat",
            "workload.model": "llama-3.1-8b",
            "constraints.gpus": (CONSUMER,),
            "constraints.gpus_per_node": 4,
            "constraints.nodes_max": 1,
        }
    )
    figures = found.candidates[0].figures
    typical, most = (figures[key].value or 0.0 for key in ("power_typical_w", "power_max_w"))
    why = f"saturated serving of the own 4-GPU node; at most {most / 1e3:.1f} kW"
    return Found(typical / 1e3, why)


def _height(desk: Desk) -> Found:
    nodes = [desk.snapshot.nodes[name] for name in ("dell-xe9680", "xfusion-g8600-v7")]
    units = sorted(float(node.rack_u) for node in nodes if node.rack_u is not None)
    names = ", ".join(f"{node.name} {node.rack_u} U" for node in nodes)
    return Found((units[0], units[-1]), f"catalog: {names}, the nodes the articles name")


def _cluster_fabric(desk: Desk) -> Found:
    build = desk.best("full_70b").candidate.build
    speed = desk.snapshot.fabrics[build.fabric].nic_gbit_per_s
    return Found(speed, f"fabric of the clusters that are proposed: {build.fabric}")


def _nic_rule(_desk: Desk) -> Found:
    return Found(float(GPUS_PER_NIC), "network cards in the bill of a cluster")


def _switch_price(desk: Desk) -> tuple[bool, Found]:
    price = float(desk.snapshot.prices["switch:ib400"].price)
    spoken = next(item for item in desk.assessed("full_70b").notes if item.key == "switchless")
    agrees = 40_000 <= price <= 80_000 and "C139" in spoken.sources
    return agrees, Found(price, f"sample price list. {desk.sentence('full_70b', spoken)}")


def _switch_saving(desk: Desk) -> Found:
    price = desk.snapshot.prices
    switch = float(price["switch:roce100"].price)
    return Found(switch, "a 100 GbE switch of the sample price list, which a direct link saves")


def _switchless(_desk: Desk) -> Found:
    return Found((2.0, float(SWITCHLESS_NODES)), "clusters whose bill has no switch")


def _old_card(desk: Desk) -> tuple[bool, Found]:
    old, new = desk.gpu("a100-sxm-80"), desk.gpu("h100-sxm")
    gain = (new.tflops_bf16 or 0.0) / (old.tflops_bf16 or 1.0)
    why = f"catalog: A100 has no FP8 peak, H100 {new.tflops_fp8:g} TFLOP/s; BF16 {gain:.1f} x"
    return old.tflops_fp8 is None and new.tflops_fp8 is not None, Found("FP8 on H100", why)


_SOFT = "the engine counts the start of a collective, not the latency of one small message"

ANSWERS: Mapping[str, Answer] = MappingProxyType(
    {
        "C043": number(
            _link("pcie-p2p-switch-gen5-x16", "measured_gb_per_s", "measured, catalog of links"),
        ),
        "C044": number(_fabric_gb),
        "C045": number(_penalty(Fabric.IB200)),
        "C046": number(_penalty(Fabric.ROCE100)),
        "C047": number(_penalty(Fabric.TCP25)),
        "C048": number(_hop("pcie-p2p-switch-gen5-x16")),
        "C049": number(_link("roce-200", "latency_us", "recalled, catalog of links")),
        "C068": fact(_no_nvlink),
        "C097": fact(_no_nvlink),
        "C093": number(_link("pcie-host-gen5-x16", "nominal_gb_per_s", "catalog of links")),
        "C094": number(_nvlink("b200")),
        "C095": number(_nvlink("v100-32")),
        "C096": number(_nvlink("a100-sxm-80")),
        "C111": number(_link("pcie-host-gen3-x16", "nominal_gb_per_s", "catalog of links")),
        "C112": number(_link("pcie-host-gen4-x16", "nominal_gb_per_s", "catalog of links")),
        "C113": number(_link("pcie-host-gen5-x16", "nominal_gb_per_s", "catalog of links")),
        "C114": not_applicable(
            "no card of the catalog has a PCIe Gen6 slot, so no such link is kept"
        ),
        "C115": number(_gen_max),
        "C139": fact(_switch_price),
        "C140": note("switchless", "full_70b"),
        "C141": number(_switchless),
        "C142": number(_switch_saving),
        "C143": not_applicable(f"no figure of a single switch hop: {_SOFT}"),
        "C144": not_applicable(f"no figure of a single switch hop: {_SOFT}"),
        "C145": not_applicable(f"no latency of a direct link: {_SOFT}"),
        "C160": number(_heat),
        "C165": number(_nvlink_range),
        "C169": number(_height),
        "C170": number(_cluster_fabric),
        "C171": fact(_old_card),
        "C197": number(_nic_rule),
    }
)

"""Worked collectives of the training fit notes (section 10), at 1 %, and laws."""

from __future__ import annotations

import pytest

from kentino_desk.domain.choices import Host
from kentino_desk.engine.collective_inputs import Group, collective_inputs
from kentino_desk.engine.policy_collectives import Algorithm, Operation
from kentino_desk.engine.quantity import compute

MIB = 2.0**20
CARD = "rtx6000"

# group, bytes -> us, bus GB/s
VECTORS = {
    "h100-8-16-mib": (Group(card="h100", ranks=8), 16 * MIB, 105, 279),
    "h100-8-1-gib": (Group(card="h100", ranks=8), 1024 * MIB, 4737, 397),
    "rtx-8-default": (Group(card=CARD, ranks=8, nvlink=False), 64 * MIB, 5091, 23.1),
    "rtx-8-switch": (
        Group(card=CARD, ranks=8, nvlink=False, host=Host.SWITCH), 64 * MIB, 2682, 43.8,
    ),
    "l40s-4-poor": (Group(card="l40s", ranks=4, nvlink=False, host=Host.POOR), 16 * MIB, 5980, 4.2),
    "rtx-2x4-infiniband": (
        Group(card=CARD, ranks=8, nodes=2, nvlink=False, network="infiniband",
              nic_bytes_per_s=25e9), 64 * MIB, 5380, 21.8,
    ),
    "rtx-2x8-tcp": (
        Group(card=CARD, ranks=16, nodes=2, nvlink=False, network="tcp", nic_bytes_per_s=12.5e9),
        64 * MIB, 25164, 5.0,
    ),
}  # fmt: skip


def run(group, size, operation=Operation.ALL_REDUCE, algorithm=Algorithm.LIBRARY):
    names = ("collective_s", "reached_bus_bytes_per_s")
    values = compute(
        names, collective_inputs(group, operation, algorithm) | {"message_bytes": size}
    )
    return float(values[names[0]]) * 1e6, float(values[names[1]]) / 1e9


@pytest.mark.parametrize("name", list(VECTORS))
def test_training_fit_notes_10_collectives_match_the_worked_rows(name):
    group, size, time_us, bus = VECTORS[name]
    found_us, found_bus = run(group, size)
    assert found_us == pytest.approx(time_us, rel=0.01)
    assert found_bus == pytest.approx(bus, rel=0.015)


@pytest.mark.parametrize("operation", list(Operation))
@pytest.mark.parametrize("algorithm", list(Algorithm))
@pytest.mark.parametrize("card", ["a100", "h100", "b200", "gb200", "l40s", CARD])
def test_a_larger_message_takes_longer_and_reaches_no_less_bus(card, algorithm, operation):
    group = Group(card=card, ranks=8, nvlink=card not in {"l40s", CARD})
    found = [run(group, 4.0**step * 1024, operation, algorithm) for step in range(10)]
    times, buses = zip(*found, strict=True)
    assert list(times) == sorted(times)
    assert list(buses) == sorted(buses)


def test_a_slower_network_never_beats_a_faster_one():
    for size in (1024.0, MIB, 1024 * MIB):
        times = [
            run(Group(card="h100", ranks=16, nodes=2, network=name, nic_bytes_per_s=nics), size)[0]
            for name, nics in (("infiniband", 400e9), ("roce", 200e9), ("tcp", 12.5e9))
        ]
        assert times == sorted(times)


def test_more_nics_per_node_never_slow_a_ring_down():
    times = [
        run(Group(card="h100", ranks=16, nodes=2, network="roce", nic_bytes_per_s=n * 50e9), 1e9)[0]
        for n in (1, 2, 4, 16, 32)
    ]
    assert times == sorted(times, reverse=True)
    assert times[-1] == times[-2]


def test_a_good_host_is_never_slower_than_a_poor_one():
    for card in ("l40s", CARD):
        for ranks in (2, 4, 8):
            switch, default, poor = (
                run(Group(card=card, ranks=ranks, nvlink=False, host=host), 256 * MIB)[0]
                for host in (Host.SWITCH, Host.DEFAULT, Host.POOR)
            )
            assert switch <= default
            assert poor >= 0.8 * default


def test_a_rack_joins_more_than_eight_cards_and_two_racks_keep_their_bus():
    rack = Group(card="gb200", ranks=72, nodes=18, rack=True)
    racks = Group(card="gb200", ranks=144, nodes=36, rack=True, network="infiniband",
                  nic_bytes_per_s=200e9)  # fmt: skip
    assert run(rack, 16e9)[1] == pytest.approx(run(racks, 16e9)[1], rel=0.03)
    assert run(rack, 1024.0)[0] < run(racks, 1024.0)[0]


def test_a_send_carries_its_buffer_once_over_the_bus_of_a_pair():
    pair = Group(card=CARD, ranks=2, nvlink=False)
    eight = Group(card=CARD, ranks=8, nvlink=False)
    size = 1024 * MIB
    sent_us, bus = run(pair, size, Operation.SEND)
    assert sent_us * 1e-6 * bus * 1e9 == pytest.approx(size)
    # Over two cards an all-reduce moves as much as a send; over eight the pair's bus is the faster.
    assert sent_us == pytest.approx(run(pair, size)[0])
    assert run(eight, size, Operation.SEND)[0] == pytest.approx(sent_us)
    assert run(eight, size, Operation.SEND)[0] < run(eight, size)[0]


def test_cards_that_send_to_another_node_at_once_share_its_nics():
    group = Group(card="h100", ranks=16, nodes=2, network="roce", nic_bytes_per_s=100e9)
    alone = Group(card="h100", ranks=2, nodes=2, network="roce", nic_bytes_per_s=100e9)
    ratio = run(group, 1024 * MIB, Operation.SEND)[0] / run(alone, 1024 * MIB, Operation.SEND)[0]
    assert ratio == pytest.approx(8.0, rel=0.02)

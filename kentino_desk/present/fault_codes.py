"""Fault codes (XID) of the NVIDIA driver and what to do, as support notes of the proposal.

Source: the seller's page on failures in clusters, claims C128 to C135.
"""

from __future__ import annotations

from dataclasses import dataclass

from kentino_desk.present.language import later


@dataclass(frozen=True, slots=True)
class FaultCode:
    """One code: number, meaning and first step, and the claim it rests on."""

    xid: int
    words: str
    claim: str


FAULT_CODES = (
    FaultCode(13, later("A fault of the application, or CUDA out of memory."), "C128"),
    FaultCode(
        31, later("Page fault: application or driver, rarely the memory of the card."), "C129"
    ),
    FaultCode(43, later("The application stopped; the card is well."), "C130"),
    FaultCode(48, later("Double-bit memory error: retire the card."), "C131"),
    FaultCode(63, later("Row remapping pending: plan the replacement."), "C132"),
    FaultCode(74, later("NVLink error: cable, riser or board."), "C133"),
    FaultCode(79, later("Card off the bus: power, PCIe, riser or heat."), "C134"),
    FaultCode(92, later("Many single-bit memory errors: the card is degrading."), "C135"),
)

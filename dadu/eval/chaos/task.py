"""What is asked of the robot, and what goes wrong meanwhile."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import Field, TypeAdapter
from pydantic.dataclasses import dataclass


class FaultKind(str, Enum):
    """What goes wrong."""

    KILL = "kill"
    """SIGKILL to a node"""
    FREEZE = "freeze"
    """SIGSTOP to a node for a while; to sim_bridge: time stands still"""
    SLOW = "slow"
    """a node gets half of its time"""
    LOSE = "lose"
    """half of a topic's messages do not reach a node, or half of a sensor's nobody"""
    DOUBLE = "double"
    """they arrive twice"""
    SILENCE = "silence"
    """a sensor's driver says nothing for a while; all else goes on"""
    DISK_FULL = "disk_full"
    """a process's files cannot grow"""
    CLOCK = "clock"
    """one message of /clock is of another time"""
    JUMP = "jump"
    """the clock is set ahead, for good"""
    MOVE = "move"
    """a thing is taken elsewhere"""
    DROP = "drop"
    """what is held is knocked from the hand"""
    CLOSE = "close"
    """furniture is shut"""
    BLOCK = "block"
    """something stands in the way for a while"""
    E_STOP = "e_stop"
    """the emergency stop is pressed for a while"""
    OVERRIDE = "override"
    """a person has the base for a while"""
    CANCEL = "cancel"
    """the task is cancelled"""


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong."""

    kind: FaultKind
    at: float
    """simulated seconds after the task began"""
    seconds: float = 0.0
    """wall time until it is over, for what lasts [s]"""
    subject: str = ""
    """a node, a thing, a piece of furniture, a topic or a sensor"""
    target: str = ""
    """where a thing is taken to; the node that a topic's messages are for, empty for a sensor's"""
    shift: float = 0.0
    """of the clock [s]"""

    def __str__(self) -> str:
        words = [self.kind.value, self.subject, f"to {self.target}" if self.target else "",
                 f"for {self.seconds:.1f} s" if self.seconds else "", f"by {self.shift:+.1f} s" if self.shift else ""]
        return f"{' '.join(word for word in words if word)} at {self.at:.0f} s"


@dataclass(frozen=True)
class ChaosTask:
    """One instruction with its faults; the same for the same seed, index and house."""

    index: int
    instruction: str
    goal: dict[str, Any] = Field(default_factory=dict)
    """what ground truth must confirm where success is claimed, in a suite's format"""
    faults: tuple[Fault, ...] = ()

    def has(self, *kinds: FaultKind) -> bool:
        """True if something of these kinds goes wrong."""
        return any(fault.kind in kinds for fault in self.faults)


TASK = TypeAdapter(ChaosTask)

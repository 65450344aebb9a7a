"""What must never happen, whatever goes wrong."""

from __future__ import annotations

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from dadu.eval.chaos.task import ChaosTask, FaultKind

STILL = 0.02
"""way of the base under the emergency stop, after it came to rest [m]; joints: [rad or m]"""
ASTRAY = 0.5
"""between where the robot takes itself to be and where it is, once a task is over [m]"""
RECENT = 30.0
"""simulated seconds: what was changed behind the robot's back so shortly before its report it need not have seen"""


@dataclass(frozen=True)
class Evidence:
    """How a task with faults went, as seen from outside."""

    ended: bool
    """whether there was a result within the time allowed"""
    success: bool = False
    """what the robot claims"""
    code: str = ""
    summary: str = ""
    goal_held: bool | None = None
    """by ground truth when the result came; None: nothing to be judged"""
    memory_readable: bool = True
    moved_under_stop: float = 0.0
    """[m], [rad]"""
    astray: float | None = None
    """between where the robot takes itself to be, after the task, and where it is [m]; None: nobody says"""
    cancelled_after: float | None = None
    """wall seconds from the cancelling to the result"""
    disturbed_at: float | None = None
    """when the world was last changed behind its back, simulated seconds before the result"""
    orphans: tuple[str, ...] = ()
    tracebacks: tuple[str, ...] = ()
    """nodes whose log has a new one"""
    steps: int = 0
    sim_seconds: float = 0.0
    wall_seconds: float = 0.0
    done: tuple[str, ...] = ()
    """faults that were carried out"""


EVIDENCE = TypeAdapter(Evidence)


def broken(task: ChaosTask, evidence: Evidence) -> tuple[str, ...]:
    """The promises that were broken, in words; empty: none."""
    found = []
    recent = evidence.disturbed_at is not None and evidence.disturbed_at < RECENT
    if not evidence.ended:
        found.append("hang: no result in time")
    if evidence.success and evidence.goal_held is False and not recent:
        found.append("false success: ground truth does not confirm it")
    if not evidence.memory_readable:
        found.append("memory cannot be read")
    if evidence.moved_under_stop > STILL:
        found.append(f"moved by {evidence.moved_under_stop:.3f} under the emergency stop")
    if evidence.astray is not None and evidence.astray > ASTRAY:
        found.append(f"takes itself to be {evidence.astray:.1f} m from where it is")
    if evidence.orphans:
        found.append(f"orphans: {', '.join(evidence.orphans)}")
    if evidence.tracebacks:
        found.append(f"traceback of {', '.join(evidence.tracebacks)}")
    return tuple(found)


def changes_world(kind: FaultKind) -> bool:
    """True if it is done behind the robot's back to things, not to the robot."""
    return kind in (FaultKind.MOVE, FaultKind.DROP, FaultKind.CLOSE)

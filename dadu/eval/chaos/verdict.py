"""What must never happen, whatever goes wrong, and what tells of it from outside: files, and the body at rest."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from dadu.core.geometry import Pose2
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


def memory_readable(run_dir: Path) -> bool:
    """True if the memory's file is there and sound."""
    path = run_dir / "memory.sqlite"
    try:
        with closing(sqlite3.connect(f"file:{path.absolute()}?mode=ro", uri=True, timeout=5.0)) as database:
            return bool(database.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def tracebacks(run_dir: Path) -> dict[str, int]:
    """By node, how many its log has."""
    logs = sorted((run_dir / "logs").glob("*.log"))
    return {log.stem: log.read_bytes().count(b"Traceback (most recent call last)") for log in logs}


def more(before: Mapping[str, int], now: Mapping[str, int]) -> tuple[str, ...]:
    """Those of which there are more than before."""
    return tuple(sorted(name for name, count in now.items() if count > before.get(name, 0)))


_REST = 1.5
"""simulated seconds in which the body comes to rest"""
_GIVES = ("gripper", "wheel")
"""joints with these words in their names may give way under a load"""


class Standstill:
    """Hears where the body is; `moved` is the farthest that anything of it went while it should have rested."""

    def __init__(self) -> None:
        self.moved = 0.0
        """[m], [rad]"""
        self._pressed: float | None = None
        self._rest: tuple[Pose2, dict[str, float]] | None = None

    def press(self, stamp: float) -> None:
        """The emergency stop is pressed at `stamp` [s]."""
        self._pressed, self._rest = stamp, None

    def release(self) -> None:
        """What moves from now on may."""
        self._pressed = self._rest = None

    def see(self, stamp: float, base: Pose2, joints: Mapping[str, float]) -> None:
        """The true pose of the base in the map, and the joints' positions [m or rad], at `stamp` [s]."""
        if self._pressed is None or stamp < self._pressed + _REST:
            return
        if self._rest is None:
            self._rest = base, {n: p for n, p in joints.items() if not any(word in n for word in _GIVES)}
        at, were = self._rest
        turned = (abs(joints.get(name, position) - position) for name, position in were.items())
        self.moved = max(self.moved, abs(base.x - at.x) + abs(base.y - at.y), *turned, 0.0)

"""What nodes at work still owe a simulation, and how far its clock may therefore go.

A simulator is faster than those who look and steer by it. Without this rule pictures grow old before they are looked at
and controllers steer late, and the robot does worse than a real one would with the same computer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from pydantic import PositiveFloat

from dadu.core.config import Settings

_SAME = 1e-6
"""[s] by which a stamp may change on its way through a message"""


class Work(Enum):
    """What a node deals with by the simulated clock."""

    PICTURE = "picture"
    """sees what is in each"""
    DETECTIONS = "detections"
    """takes in what was seen in each picture"""
    SCAN = "scan"
    """localises the robot by each"""
    TICK = "tick"
    """steers, again and again"""
    TASK = "task"
    """chooses what is done: owes nothing by the clock, but others are waited for meanwhile"""


@dataclass(frozen=True)
class WorkReport:
    """A node's word that it has dealt with all its work of one kind until a time."""

    node: str
    work: Work
    until: float | None
    """[s] on the simulated clock; None: it rests"""


class BacklogSettings(Settings):
    """How far the clock may be past what is owed longest [s of simulated time]."""

    picture: PositiveFloat = 0.4
    """what perception owes of a picture"""
    detections: PositiveFloat = 1.0
    """more than for pictures, since a picture's detections may be lost on their way to who owes them"""
    scan: PositiveFloat = 0.2
    """what localisation owes of a scan"""
    tick: PositiveFloat = 0.2
    """counts from the clock as a controller saw it last"""
    patience: PositiveFloat = 2.0
    """wall seconds that the clock stands still for a node; then it goes on without that one until its next word"""


_OF_EACH: Mapping[Work, Work] = {Work.PICTURE: Work.PICTURE, Work.DETECTIONS: Work.PICTURE, Work.SCAN: Work.SCAN}
"""works that fall due with each reading of a sensor, and which"""
_AT_WORK = (Work.TICK, Work.TASK)
"""while somebody does one of these, others are waited for"""


class TimeSyncBacklog:
    """What was given to nodes, and what they say that they have worked off. For one thread.

    A node owes from its first word on: one that is not there, or whose word is never heard, is not waited for.
    """

    def __init__(self, settings: BacklogSettings) -> None:
        self.settings = settings
        self._given: dict[Work, deque[float]] = {work: deque(maxlen=100) for work in set(_OF_EACH.values())}
        self._until: dict[tuple[str, Work], float] = {}

    def give(self, work: Work, stamp: float) -> None:
        """A reading of a sensor was taken, a PICTURE or a SCAN."""
        given = self._given[work]
        if given and stamp < given[-1]:
            given.clear()  # time went back
        given.append(stamp)

    def hear(self, report: WorkReport) -> None:
        """The newest of a node counts."""
        if report.until is None:
            self._until.pop((report.node, report.work), None)
        else:
            self._until[report.node, report.work] = report.until

    @property
    def at_work(self) -> bool:
        """True if somebody does something by the clock."""
        return any(work in _AT_WORK for _, work in self._until)

    def limit(self) -> float:
        """The time that the clock must not pass [s]; infinite where nobody is at work."""
        if not self.at_work:
            return float("inf")
        return min(map(self._due, self._until))

    def write_off(self, time: float) -> tuple[str, ...]:
        """Forgets those who keep the clock from reaching `time` [s], until their next word; their names."""
        late = [worker for worker in self._until if self._due(worker) < time]
        for worker in late:
            del self._until[worker]
        return tuple(sorted({node for node, _ in late}))

    def _due(self, worker: tuple[str, Work]) -> float:
        """The time that the clock must not pass for one of them."""
        work, until = worker[1], self._until[worker]
        if work is Work.TASK:
            return float("inf")
        if work is Work.TICK:
            return until + self.settings.tick
        given = self._given[_OF_EACH[work]]
        first = bisect_right(given, until + _SAME)
        allowance: float = getattr(self.settings, work.value)
        return given[first] + allowance if first < len(given) else float("inf")

"""The world as a recorded planner saw it: the graph, the robot and its fingers at any recorded moment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation, RobotDescription
from dadu.core.transforms import TransformError
from dadu.replay import messages
from dadu.replay.bag import Bag
from dadu.replay.memory import GRIPPER
from dadu.replay.transforms import ROLES as TF
from dadu.replay.transforms import Frames
from dadu.robots.hand import holding
from dadu.world.graph import ROBOT, WorldGraph

GRIPS = 0.6
"""wall seconds in which one look at the fingers that feel something is enough, as the planner node has it"""


@dataclass
class RecordedWorld:
    """`dadu.planner.loop.world.TaskWorld` on a recording; `seek` moves it to a moment."""

    graphs: Sequence[tuple[float, Any]]
    """wall time of arrival, message"""
    poses: Sequence[tuple[float, Pose2]]
    grips: Sequence[tuple[float, bool]]
    _received: float = 0.0
    _stamp: float = 0.0
    _decoded: dict[int, WorldGraph] = field(default_factory=dict)

    @classmethod
    def from_bag(cls, bag: Bag, robot: RobotDescription, moments: Sequence[float]) -> RecordedWorld:
        """Reads what is needed for `moments`, wall times at which it will be asked."""
        frames, graphs, poses, grips = Frames(), [], [], []
        due = sorted(moments)
        for message in bag.messages({*TF, "joints", "graph"}):
            while due and message.received > due[0]:
                poses += _pose(frames, due.pop(0))
            if message.role in TF:
                frames.take(message)
            elif message.role == "graph":
                graphs.append((message.received, message.data))
            elif any(0 <= moment - message.received <= GRIPS for moment in due[:2]):
                grips.append((message.received, _grips(*messages.joints(message.data), robot)))
        for moment in due:
            poses += _pose(frames, moment)
        return cls(graphs, poses, grips)

    def seek(self, received: float, stamp: float) -> None:
        """To a wall time [s]; `stamp` is the time on the clock in use [s]."""
        self._received, self._stamp = received, stamp

    def graph(self) -> WorldGraph:
        index = _before(self.graphs, self._received)
        if index < 0:
            return WorldGraph()
        if index not in self._decoded:
            self._decoded[index] = messages.graph(self.graphs[index][1])
        graph = self._decoded[index].copy()
        at = _before(self.poses, self._received)
        if ROBOT in graph and at >= 0:
            x, y, yaw = self.poses[at][1]
            graph.change(ROBOT, position=(x, y, 0.0), yaw=yaw)
        return graph

    def now(self) -> float:
        return self._stamp

    def holding(self) -> bool | None:
        felt = [grip for t, grip in self.grips if 0 <= self._received - t <= GRIPS]
        return any(felt) if felt else None


def _before(track: Sequence[tuple[float, Any]], moment: float) -> int:
    """Index of the newest entry at `moment`; the first where all are newer, -1 where there is none."""
    return min(max(0, bisect_right(track, moment, key=lambda entry: entry[0]) - 1), len(track) - 1)


def _pose(frames: Frames, moment: float) -> list[tuple[float, Pose2]]:
    try:
        return [(moment, Pose2.from_matrix(frames.base()))]
    except TransformError:
        return []


def _grips(positions: Mapping[str, float], efforts: Mapping[str, float], robot: RobotDescription) -> bool:
    return holding(Observation(0.0, Pose2(0.0, 0.0, 0.0), aperture=positions.get(GRIPPER, 0.0),
                               grip_effort=efforts.get(GRIPPER, 0.0)), robot)

"""What a recording holds of body, commands and skills, as tracks over the robot's clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.core.transforms import TransformError
from dadu.incoming import pictures
from dadu.incoming.numbers import velocity
from dadu.perception.upright import quarter_turns, turned
from dadu.replay import messages
from dadu.replay.bag import Bag, Message
from dadu.replay.transforms import ROLES as TF
from dadu.replay.transforms import Frames
from dadu.robots.set_points import SetPoints
from dadu.robots.vectors import joint_names
from dadu.skills.outcome import SkillResult
from dadu.skills.spoken import spoken
from dadu.world.graph import WorldGraph

_ROLES = (*TF, "joints", "base_command", "joint_commands", "graph", "plan", "skills")


@dataclass(frozen=True)
class RecordedSpan:
    """One skill or a whole task: from when to when [s], what it was for, and how it ended."""

    start: float
    end: float
    task: str
    """in words"""
    instruction: str
    call: str
    """empty of a whole task"""
    result: SkillResult
    """a whole task's: that of its last step"""
    after: str = ""
    """the outcome of the step before it: what went wrong where this one makes up for it; empty: it is the first"""


@dataclass
class _Track:
    stamps: list[float] = field(default_factory=list)
    rows: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, stamp: float, row: Sequence[float]) -> None:
        """One whose clock went back is no part of the track."""
        if not self.stamps or stamp > self.stamps[-1]:
            self.stamps.append(stamp)
            self.rows.append(tuple(row))

    def set(self, stamp: float, row: Sequence[float]) -> None:
        """As `add`; of one moment the last row holds."""
        if self.stamps and self.stamps[-1] == stamp:
            self.rows[-1] = tuple(row)
        else:
            self.add(stamp, row)

    def newest(self, stamps: np.ndarray) -> np.ndarray:
        """(N, D): the rows that held at `stamps` (N,); before the first, that."""
        return np.array(self.rows)[(np.searchsorted(self.stamps, stamps, "right") - 1).clip(0)]


class RecordedTracks:
    """Reads a bag once for everything but its pictures, which `pictures` reads one by one."""

    def __init__(self, bag: Bag, robot: RobotDescription) -> None:
        """Errors: UnusableBag naming what the bag lacks."""
        bag.require(("color", "joints", "skills", "plan"), "episodes")
        self._bag, self._robot, self._frames = bag, robot, Frames()
        self._names = joint_names(robot)
        self._joints, self._base, self._twists = _Track(), _Track(), _Track()
        self._set_points = SetPoints()
        self._instructions: dict[str, str] = {}
        self._records: list[tuple[Any, str]] = []
        self._graph = WorldGraph()
        self._raw_graph: Any = None
        for message in bag.messages(_ROLES):
            self._take(message)
        if not self._joints.stamps:
            raise NotUsable(f"{bag.path}: no joint states of {robot.name}: is it another robot? Name it by --robot")
        self.commanded = bool(self._set_points.joints)
        """false: nobody wrote down what joints were commanded, and where they went next stands for it"""

    def skills(self) -> list[RecordedSpan]:
        """Every skill that was carried out, failed ones too, in order."""
        found: list[RecordedSpan] = []
        before: dict[str, str] = {}
        for record, said in self._records:
            result, task = messages.result(record.outcome), record.task_id
            found.append(RecordedSpan(messages.seconds(record.start), messages.seconds(record.end), said,
                                 self._instructions.get(task, ""), str(messages.call(record.call)), result,
                                 before.get(task, "")))
            before[task] = result.code.name
        return found

    def tasks(self) -> list[RecordedSpan]:
        """Every instruction, from its first skill to the end of its last."""
        found: dict[str, RecordedSpan] = {}
        for (record, _), step in zip(self._records, self.skills(), strict=True):
            first = found.get(record.task_id, step)
            found[record.task_id] = RecordedSpan(first.start, step.end, first.instruction, first.instruction, "",
                                            step.result)
        return list(found.values())

    def state(self, stamps: np.ndarray) -> np.ndarray:
        """(N, D) [m, rad] as `state_names` says."""
        return np.hstack([self._joints.newest(stamps)[:, :len(self._names)], self._base_rows(stamps)])

    def effort(self, stamps: np.ndarray) -> np.ndarray:
        """(N, D) [N or Nm] of each joint, the fingers' closing force last."""
        return self._joints.newest(stamps)[:, len(self._names):]

    def action(self, stamps: np.ndarray, dt: float) -> np.ndarray:
        """(N, D) [m, rad, m/s, rad/s] as `action_names` says: joints' set-points `dt` [s] after each stamp, and the
        base's velocity till then."""
        due = stamps + dt
        joints = self._joints.newest(due)[:, :len(self._names)].copy()
        for column, name in enumerate(self._names):
            if name in self._set_points.joints:
                joints[:, column] = self._set_points.at(name, due)
        twists = self._twists.newest(stamps + dt / 2) if self._twists.stamps else np.zeros((len(due), 3))
        return np.hstack([joints, twists if self._robot.max_speed.vy else twists[:, :2]])

    def pictures(self, stamps: np.ndarray, width: int) -> Iterator[np.ndarray]:
        """Upright pictures, uint8 (H, W, 3), the newest at each of `stamps` (N,), which ascend; `width` [px] at most,
        0: as they are. Errors: NotUsable for a picture that cannot be read, or none at all."""
        due, last = list(stamps), -np.inf
        shown: _Once | None = None
        turns: int | None = None
        for message in self._bag.messages({"color"}):
            stamp = messages.seconds(message.data.header.stamp)
            if stamp <= last:
                continue
            while due and shown is not None and due[0] < stamp:
                due.pop(0)
                yield shown()
            if not due:
                return
            if turns is None:
                turns = self._turns(message.data.header.frame_id)
            last, shown = stamp, _Once(message.data, turns, width)
        if shown is None:
            raise NotUsable(f"{self._bag.path} holds no pictures")
        for _ in due:
            yield shown()

    def _turns(self, frame: str) -> int:
        """How the camera is mounted, as far as the transforms tell."""
        try:
            return quarter_turns(self._frames.tree.lookup(self._frames.world, frame.lstrip("/"))[:3, :3])
        except TransformError:
            return 0

    def _base_rows(self, stamps: np.ndarray) -> np.ndarray:
        return self._base.newest(stamps) if self._base.stamps else np.zeros((len(stamps), 3))

    def _take(self, message: Message) -> None:
        data = message.data
        if message.role in TF:
            self._frames.take(message)
        elif message.role == "joints":
            self._take_joints(message)
        elif message.role == "graph":
            self._raw_graph = data
        elif message.role == "plan":
            self._instructions[data.task_id] = data.instruction
        elif message.role == "skills":
            if self._raw_graph is not None:
                self._graph, self._raw_graph = messages.graph(self._raw_graph), None
            self._records.append((data, spoken(messages.call(data.call), self._graph)))
        elif message.role == "joint_commands":
            stamp = messages.seconds(data.header.stamp)
            trajectory = messages.trajectory(data)
            measured: Mapping[str, float] = (dict(zip(self._names, self._joints.rows[-1])) if self._joints.rows else {})
            if trajectory.waypoints:
                self._set_points.move(stamp, trajectory, measured)
            else:
                self._set_points.hold(stamp, measured)
        else:
            twist = data.twist if hasattr(data, "twist") else data
            if self._joints.stamps:  # velocities have no stamp: they come while the joints are as they were heard last
                self._twists.set(self._joints.stamps[-1], velocity((twist.linear.x, twist.angular.z, twist.linear.y)))

    def _take_joints(self, message: Message) -> None:
        positions, efforts = messages.joints(message.data)
        if not set(self._names) <= positions.keys():
            return
        stamp = messages.seconds(message.data.header.stamp)
        self._joints.add(stamp, tuple(positions[n] for n in self._names) + tuple(efforts.get(n, 0.0)
                                                                                  for n in self._names))
        try:
            self._base.add(stamp, Pose2.from_matrix(self._frames.base()))
        except TransformError:
            return


class _Once:
    """A picture that is decoded when it is shown, and then once."""

    def __init__(self, message: Any, turns: int, width: int) -> None:
        self._message, self._how = message, (turns, width)
        self._pixels: np.ndarray | None = None

    def __call__(self) -> np.ndarray:
        if self._pixels is None:
            picture = turned(pictures.color(self._message), *self._how)
            height, across = picture.shape[:2]
            self._pixels = np.ascontiguousarray(picture[:height // 2 * 2, :across // 2 * 2])  # as films have it
        return self._pixels

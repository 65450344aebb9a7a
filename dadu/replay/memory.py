"""Replays memory: recorded detections and outcomes into a fresh memory, against the recorded world graphs.

A bag without detections, such as one recorded on another robot, is first replayed through perception.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2, vector3
from dadu.core.robot import RobotDescription
from dadu.core.transforms import TransformError
from dadu.memory.grip import LOOK
from dadu.memory.memory import Memory
from dadu.memory.settings import MemorySettings
from dadu.replay import messages
from dadu.replay.bag import Bag, Message, UnusableBag
from dadu.replay.perception import ReplayedPerception
from dadu.replay.report import ReplayReport
from dadu.replay.transforms import ROLES as TF
from dadu.replay.transforms import Frames
from dadu.robots import load_robot
from dadu.robots.hand import presses
from dadu.robots.set_points import APERTURE
from dadu.world.detection import DetectionFrame
from dadu.world.graph import ROBOT, Entity, Kind, Relation, WorldGraph

GRIPPER = APERTURE
"""joint whose position is the gap between the fingertips [m]"""
MOVED = 0.05
"""an entity that is off by more is somewhere else [m]"""
PATIENCE = 1.0
"""a difference counts once it has lasted so long [s]: the two take in the same pictures at slightly other moments"""


def replay_memory(bag: Bag, *, detector: str = "", robot: str = "", settings: MemorySettings | None = None,
                  limit: float = float("inf")) -> tuple[ReplayReport, Memory]:
    """Feeds the first `limit` [s] of the bag to a memory that starts from the first recorded graph, or from nothing.

    `detector`: replay perception too. `robot` gives the link at the grasp centre; default: the robot that recorded.
    Errors: UnusableBag.
    """
    player = _Player(bag, detector, robot, settings)
    for message in player.messages(limit):
        player.take(message)
    return player.finish(), player.memory


class _Player:
    """The memory node without ROS, and the comparison."""

    def __init__(self, bag: Bag, detector: str, robot: str, settings: MemorySettings | None) -> None:
        self._bag, self._settings = bag, settings
        self._eyes = ReplayedPerception(bag, detector) if detector or "detections" not in bag.topics else None
        bag.require(["tf"], "memory")
        self._frames = self._eyes.pictures.transforms if self._eyes is not None else Frames()
        self._robot = _robot(robot or str(bag.arguments.get("robot", "")))
        self._tool = self._robot.tool_link if self._robot is not None else ""
        """the link at the grasp centre; none for a bag of a robot that is not known here"""
        self._felt = -1.0
        self._aperture: float | None = None
        self._compared = "graph" in bag.topics
        self._cut = False
        self._graphs = _GraphComparison()
        self.memory = Memory(WorldGraph(), settings=settings)
        self._ready = not self._compared
        if self._ready:
            self._start(WorldGraph([Entity(ROBOT, Kind.AGENT, ROBOT)]))

    def messages(self, limit: float) -> Iterator[Message]:
        start = None
        sight = self._eyes.roles if self._eyes is not None else ("detections",)
        for message in self._bag.messages({*TF, *sight, "joints", "skills", "graph"}):
            start = message.received if start is None else start
            if message.received - start > limit:
                self._cut = True
                return
            yield message

    def take(self, message: Message) -> None:
        if message.role == "graph":
            graph = messages.graph(message.data)
            if not self._ready:
                self._start(graph)
            else:
                self._graphs.compare(graph, self.memory.graph, messages.seconds(message.data.header.stamp))
        elif message.role == "joints":
            self._on_joints(message.data)
        elif message.role == "skills":
            if self._ready:
                self.memory.learn(messages.call(message.data.call), messages.result(message.data.outcome),
                                  messages.seconds(message.data.end))
        elif self._eyes is not None:
            for frame in self._eyes.take(message):
                self._see(frame)
        elif message.role in TF:
            self._frames.take(message)
        else:
            self._see(messages.detections(message.data))

    def finish(self) -> ReplayReport:
        report = self._graphs.report
        if not self._cut:
            self._graphs.end()
        kinds = [e.kind for e in self.memory.graph]
        report.figures = {"objects at the end": kinds.count(Kind.OBJECT),
                          "furniture at the end": kinds.count(Kind.FURNITURE),
                          "pictures taken in": self._graphs.seen}
        if self._graphs.unplaced:
            report.notes.append(f"{self._graphs.unplaced} pictures without a transform left out")
        if lacking := self._eyes.pictures.lacking if self._eyes is not None else "":
            report.notes.append(lacking)
        report.notes += self._frames.notes
        if not (self._compared or self._graphs.seen):
            raise UnusableBag(f"{self._bag.path}: not one picture could be taken in: {'; '.join(report.notes)}")
        if not self._compared:
            report.notes.append("no recorded world graph to compare with; memory started from nothing")
        return report

    def _start(self, prior: WorldGraph) -> None:
        self.memory = Memory(prior, settings=self._settings)
        self._ready = True

    def _on_joints(self, message: Any) -> None:
        """What the fingers feel, looked at as often as the node does."""
        positions, efforts = messages.joints(message)
        self._aperture = positions.get(GRIPPER, self._aperture)
        stamp = messages.seconds(message.header.stamp)
        if self._robot is None or self._aperture is None or GRIPPER not in efforts or not self._ready:
            return
        if not 0 <= stamp - self._felt < LOOK:
            self._felt = stamp
            self.memory.feel(stamp, presses(self._aperture, efforts[GRIPPER], self._robot), self._body_at)

    def _body_at(self, stamp: float) -> tuple[Pose2, tuple[float, float, float]] | None:
        try:
            hand = self._frames.link(self._tool, stamp)
            return None if hand is None else (Pose2.from_matrix(self._frames.base(stamp)), vector3(hand[:3, 3]))
        except TransformError:
            return None

    def _see(self, frame: DetectionFrame) -> None:
        if not self._ready:
            return
        try:
            base = Pose2.from_matrix(self._frames.base(frame.stamp))
            hand = self._frames.link(self._tool, frame.stamp) if self._tool else None
        except TransformError:
            self._graphs.unplaced += 1
            return
        tool = vector3(hand[:3, 3]) if hand is not None else None
        self.memory.see(frame, base, tool, self._aperture)
        self._graphs.seen += 1


class _GraphComparison:
    """Collects differences between two graphs that last."""

    def __init__(self) -> None:
        self.report = ReplayReport("memory", "graphs")
        self.unplaced = self.seen = 0
        self._open: dict[tuple[str, str], tuple[float, str, str]] = {}
        self._told: set[tuple[str, str]] = set()
        self._now = 0.0

    def compare(self, recorded: WorldGraph, replayed: WorldGraph, stamp: float) -> None:
        self.report.compared += 1
        self._now = stamp
        now = {(what, id): (old, new) for what, id, old, new in differences(recorded, replayed)}
        self._open = {key: (self._open.get(key, (stamp,))[0], *values) for key, values in now.items()}
        self._told &= now.keys()
        self._tell(PATIENCE)

    def end(self) -> None:
        """What differs at the very end counts, however short."""
        self._tell(0.0)

    def _tell(self, patience: float) -> None:
        for key, (since, old, new) in self._open.items():
            if key not in self._told and self._now - since >= patience:
                self._told.add(key)
                self.report.add(since, key[0], key[1], old, new)


def differences(recorded: WorldGraph, replayed: WorldGraph) -> Iterator[tuple[str, str, str, str]]:
    """Kind, id, as recorded, as replayed, of everything a planner would notice. Times and evidence are left out."""
    for id in sorted(recorded.entities.keys() | replayed.entities.keys()):
        old, new = recorded.entities.get(id), replayed.entities.get(id)
        if old is None or new is None:
            yield "missing" if new is None else "extra", id, _about(recorded, old), _about(replayed, new)
            continue
        if old.kind is Kind.AGENT:
            continue
        where_old, where_new = _where(recorded, id), _where(replayed, id)
        if where_old != where_new:
            yield "support", id, where_old, where_new
        elif np.linalg.norm(np.subtract(old.position, new.position)) > MOVED and not where_old.startswith("held_by"):
            yield "moved", id, _about(recorded, old), _about(replayed, new)
        if old.states != new.states:
            yield "states", id, str(old.states), str(new.states)


def _where(graph: WorldGraph, id: str) -> str:
    edge = graph.support(id)
    if edge is not None:
        return f"{edge.relation.value} {edge.object}"
    room = graph.room_of(id)
    return f"{Relation.IN_ROOM.value} {room.id}" if room is not None else "nowhere"


def _about(graph: WorldGraph, entity: Entity | None) -> str:
    if entity is None:
        return "nothing"
    return "{} at ({:.2f}, {:.2f}, {:.2f})".format(_where(graph, entity.id), *entity.position)


def _robot(name: str) -> RobotDescription | None:
    """None for a bag of a robot that is not known here."""
    try:
        return load_robot(name) if name else None
    except ConfigError:
        return None

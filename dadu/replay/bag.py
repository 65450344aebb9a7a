"""A recorded bag: which topics of it hold what, and its messages in the order in which they were received."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, NamedTuple

from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

from dadu.core.config import read_yaml
from dadu.core.errors import ConfigError, DaduError, choices
from dadu.operator.bags.bag import bags
from dadu.operator.bags.bag_repair import Salvaged, recordings, salvage
from dadu.operator.bags.reading import open_bags, read
from dadu.operator.bags.sizes import BrokenBag

_PICTURE = ("sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage")

ROLES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "color": (_PICTURE, r"^(?!.*(depth|instances)).*(color|rgb|image)"),
    "depth": (_PICTURE, r"depth"),
    "instances": (_PICTURE, r"^/camera/instances/"),
    "camera_info": (("sensor_msgs/msg/CameraInfo",), r"^(?!.*depth)"),
    "tf": (("tf2_msgs/msg/TFMessage", "tf/msg/tfMessage"), r"/tf$"),
    "tf_static": (("tf2_msgs/msg/TFMessage",), r"/tf_static$"),
    "joints": (("sensor_msgs/msg/JointState",), r"joint_states"),
    "detections": (("dadu_interfaces/msg/DetectionArray",), r"detections"),
    "graph": (("dadu_interfaces/msg/WorldGraph",), r""),
    "skills": (("dadu_interfaces/msg/SkillRecord",), r""),
    "plan": (("dadu_interfaces/msg/PlanStep",), r""),
    "truth": (("dadu_interfaces/msg/GroundTruth",), r""),
    "base_command": (("geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"), r"/cmd_vel$"),
    "joint_commands": (("trajectory_msgs/msg/JointTrajectory",), r"/commanded_joints$"),
}
"""what a topic is used for: its types, and what its name looks like; where several fit, those that have the first of
`_PREFERRED` in their names that any has; where these are several, somebody has to say which"""
_TRANSPORTS = re.compile("/(compressed|compressedDepth)$")
"""by which a picture's topic differs from that of the same picture as it is"""
_PREFERRED = ("aligned_depth", "registered", "camera/color", "camera/depth", "camera/rgb")


_TYPES = {kind for kinds, _ in ROLES.values() for kind in kinds}
_PROFILE = "Profile is not ros2"
"""what rosbags says of an MCAP that other tools have written, whose channels may be ROS 2's all the same"""


class UnusableBag(DaduError):
    """Not a bag, or one that lacks what a replay needs."""


class Message(NamedTuple):
    """One recorded message."""

    role: str
    received: float
    """wall time [s]"""
    data: Any
    """with the fields of the ROS message"""


class Bag:
    """A rosbag2 directory or file (MCAP or SQLite), a ROS 1 bag, or the directory of a run. Use it in ``with``."""

    def __init__(self, path: str | Path, topics: Mapping[str, str] | None = None) -> None:
        """`topics`: names by role, where the usual ones do not fit. Errors: UnusableBag."""
        self.path = Path(path)
        self.ambiguous: dict[str, tuple[str, ...]] = {}
        """topics by role, where several could be meant and nobody has said which"""
        self.damage = ""
        """what of it cannot be read; known once one has come there"""
        self.notes: list[str] = []
        """what of it was left out, and what was done to read it"""
        found = _files(self.path)
        self.arguments = _arguments(found[0])
        """launch arguments of the run that recorded it; empty for a bag from elsewhere"""
        with ExitStack() as opened:
            self._reader = self._open(found, set((topics or {}).values()), opened)
            self.topics = self._assign(topics or {})
            self._opened = opened.pop_all()

    def _open(self, found: list[Path], named: Collection[str], opened: ExitStack) -> AnyReader:
        """What cannot be opened is read as far as it goes, and as far as it can be used, from a copy."""
        types = get_typestore(Stores.ROS2_JAZZY)
        try:
            reader = open_bags(found, types)
        except BrokenBag as error:
            copies = Path(opened.enter_context(TemporaryDirectory(prefix="dadu-bag-")))
            read = [salvage(recordings(bag), copies / f"bag_{i:04}",
                            lambda topic, kind: kind in _TYPES or topic in named) for i, bag in enumerate(found)]
            self._tell(read, str(error))
            reader = open_bags(sorted(copies.iterdir()), types)
        opened.callback(reader.close)
        return reader

    def _tell(self, read: list[Salvaged], why: str) -> None:
        """What was read of files that cannot be opened, and `why` not. Errors: UnusableBag where it is nothing."""
        count, left_out = sum(r.count for r in read), [r.told for r in read if r.left_out]
        if not count:
            raise UnusableBag(f"{self.path} cannot be read: {'; '.join([why, *left_out])}") from None
        unfinished = any(r.unfinished for r in read)
        self.notes += [f"left out, as nothing here can read it: {told}" for told in left_out]
        self.notes += ["its recorder did not finish it"] * unfinished
        explained = left_out or unfinished or _PROFILE in why
        if damage := [text for r in read for text in r.damage] or ([] if explained else [why]):
            self.damage = f"{self.path}: {'; '.join(damage)}; {count} messages could be read"

    def __enter__(self) -> Bag:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._opened.close()

    def require(self, roles: Collection[str], purpose: str) -> None:
        """Errors: UnusableBag naming what is missing and what there is."""
        missing = [role for role in roles if role not in self.topics]
        if missing:
            there = choices({c.topic for c in self._reader.connections}, 60)
            if several := [f"{role} could be {' or '.join(self.ambiguous[role])}" for role in missing
                           if role in self.ambiguous]:
                raise UnusableBag(f"{self.path}: {'; '.join(several)}; name one for {purpose} by --topic ROLE=NAME")
            raise UnusableBag(f"{self.path} lacks {choices(missing)} for {purpose} (name one by --topic ROLE=NAME); "
                              f"its topics: {there}")

    def messages(self, roles: Collection[str]) -> Iterator[Message]:
        """The messages of these roles, those that it has; where the bag is damaged, those before that."""
        role_of = {self.topics[role]: role for role in roles if role in self.topics}
        wanted = [c for c in self._reader.connections  # of a topic of two types the one that can be meant
                  if c.topic in role_of and c.msgtype in ROLES[role_of[c.topic]][0]]
        try:
            for connection, stamp, message in read(self._reader, wanted):
                yield Message(role_of[connection.topic], stamp * 1e-9, message)
        except BrokenBag as error:
            self.damage = self.damage or f"{self.path}: {error}"

    def _assign(self, given: Mapping[str, str]) -> dict[str, str]:
        if unknown := given.keys() - ROLES.keys():
            raise UnusableBag(f"no topic is used for {choices(unknown)}; valid: {choices(ROLES, 20)}")
        recorded = {c.topic for c in self._reader.connections}
        if absent := set(given.values()) - recorded:
            raise UnusableBag(f"{self.path} has no topic {choices(absent)}; it has: {choices(recorded, 60)}")
        for role, topic in given.items():
            kinds, valid = {c.msgtype for c in self._reader.connections if c.topic == topic}, ROLES[role][0]
            if kinds.isdisjoint(valid):
                raise UnusableBag(f"{self.path}: {topic} is {choices(kinds)}, and {role} can be {choices(valid)}")
        out: dict[str, str] = {}
        for role, (types, pattern) in ROLES.items():
            fitting = [c.topic for c in self._reader.connections
                       if c.msgtype in types and c.msgcount and re.search(pattern, c.topic)]
            found = [given[role]] if role in given else _likeliest(fitting, out.get("color", ""))
            if len(found) == 1:
                out[role] = found[0]
            elif found:
                self.ambiguous[role] = tuple(found)
        return out


def _folder(topic: str) -> str:
    return _TRANSPORTS.sub("", topic).rpartition("/")[0]


def _likeliest(topics: Collection[str], color: str) -> list[str]:
    """Those that are preferred, each picture once, as it is rather than compressed, in order; of several cameras' that
    which is beside the picture `color`."""
    def place(topic: str) -> int:
        return next((i for i, part in enumerate(_PREFERRED) if part in topic), len(_PREFERRED))
    best = min(map(place, topics), default=0)
    once = {_TRANSPORTS.sub("", topic): topic for topic in sorted(topics, reverse=True) if place(topic) == best}
    return [topic for topic in once.values() if _folder(topic) == _folder(color)] or sorted(once.values())


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise UnusableBag(f"{path} does not exist")
    if path.is_dir() and not (path / "metadata.yaml").exists():
        if found := bags(path) or recordings(path):
            return found
        raise UnusableBag(f"{path} is no bag: it has neither a metadata.yaml nor files *.mcap or *.db3")
    if path.is_file() and path.suffix in (".mcap", ".db3") and (path.parent / "metadata.yaml").exists():
        return [path.parent]
    return [path]


def _arguments(bag: Path) -> Mapping[str, Any]:
    """Errors: ConfigError."""
    file = bag.parent / "arguments.yaml"
    found = read_yaml(file) if file.exists() else {}
    if not isinstance(found, Mapping):
        raise ConfigError(f"{file}: launch arguments stand there by their names, not {type(found).__name__}")
    return found

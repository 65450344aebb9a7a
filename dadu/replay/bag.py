"""A recorded bag: which topics of it hold what, and its messages in the order in which they were received."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.typesys import Stores, get_typestore

from dadu.core.config import read_yaml
from dadu.core.errors import DaduError, choices
from dadu.operator.bags.bag import bags

_PICTURE = ("sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage")

ROLES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "color": (_PICTURE, r"^(?!.*(depth|instances)).*(color|rgb|image)"),
    "depth": (_PICTURE, r"depth"),
    "instances": (_PICTURE, r"^/camera/instances/"),
    "camera_info": (("sensor_msgs/msg/CameraInfo",), r"^(?!.*depth)"),
    "tf": (("tf2_msgs/msg/TFMessage", "tf/msg/tfMessage"), r"/tf$"),
    "tf_static": (("tf2_msgs/msg/TFMessage",), r"/tf_static$"),
    "joints": (("sensor_msgs/msg/JointState",), r"joint_states"),
    "detections": (("dadu_interfaces/msg/DetectionArray",), r""),
    "graph": (("dadu_interfaces/msg/WorldGraph",), r""),
    "skills": (("dadu_interfaces/msg/SkillRecord",), r""),
    "plan": (("dadu_interfaces/msg/PlanStep",), r""),
    "truth": (("dadu_interfaces/msg/GroundTruth",), r""),
}
"""what a topic is used for: its types, and what its name looks like; where several fit, the preferred one is the first
of `_PREFERRED` that occurs in its name, then the shortest name"""
_PREFERRED = ("aligned_depth", "registered", "camera/color", "camera/depth", "camera/rgb")


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
        found = _files(self.path)
        try:
            self._reader = AnyReader(found, default_typestore=get_typestore(Stores.ROS2_JAZZY))
            self._reader.open()
        except (AnyReaderError, FileNotFoundError, ValueError) as error:
            raise UnusableBag(f"{path} cannot be read: {error}") from None
        self.topics = self._assign(topics or {})
        self.arguments = _arguments(found[0])
        """launch arguments of the run that recorded it; empty for a bag from elsewhere"""

    def __enter__(self) -> Bag:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._reader.close()

    def require(self, roles: Collection[str], purpose: str) -> None:
        """Errors: UnusableBag naming what is missing and what there is."""
        missing = [role for role in roles if role not in self.topics]
        if missing:
            there = choices({c.topic for c in self._reader.connections}, 60)
            raise UnusableBag(f"{self.path} lacks {choices(missing)} for {purpose} (name one by --topic ROLE=NAME); "
                              f"its topics: {there}")

    def messages(self, roles: Collection[str]) -> Iterator[Message]:
        """The messages of these roles, those that it has."""
        role_of = {self.topics[role]: role for role in roles if role in self.topics}
        wanted = [c for c in self._reader.connections if c.topic in role_of]
        for connection, stamp, raw in self._reader.messages(connections=wanted) if wanted else ():
            yield Message(role_of[connection.topic], stamp * 1e-9, self._reader.deserialize(raw, connection.msgtype))

    def _assign(self, given: Mapping[str, str]) -> dict[str, str]:
        if unknown := given.keys() - ROLES.keys():
            raise UnusableBag(f"no topic is used for {choices(unknown)}; valid: {choices(ROLES, 20)}")
        recorded = {c.topic for c in self._reader.connections}
        if absent := set(given.values()) - recorded:
            raise UnusableBag(f"{self.path} has no topic {choices(absent)}; it has: {choices(recorded, 60)}")
        out: dict[str, str] = {}
        for role, (types, pattern) in ROLES.items():
            fitting = [c.topic for c in self._reader.connections
                       if c.msgtype in types and c.msgcount and re.search(pattern, c.topic)]
            if role in given or fitting:
                out[role] = given.get(role) or min(fitting, key=_rank)
        return out


def _rank(topic: str) -> tuple[int, int, str]:
    place = next((i for i, part in enumerate(_PREFERRED) if part in topic), len(_PREFERRED))
    return place, len(topic), topic


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise UnusableBag(f"{path} does not exist")
    if path.is_dir() and not (path / "metadata.yaml").exists():
        if found := bags(path):
            return found
        raise UnusableBag(f"{path} is no bag: it has no metadata.yaml. A recorder that was killed leaves none; "
                          "the next one started in the same run completes the bag")
    if path.is_file() and path.suffix in (".mcap", ".db3") and (path.parent / "metadata.yaml").exists():
        return [path.parent]
    return [path]


def _arguments(bag: Path) -> Mapping[str, Any]:
    file = bag.parent / "arguments.yaml"
    return read_yaml(file) if file.exists() else {}

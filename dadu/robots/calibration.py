"""A nominal description of a robot moved to where a robot of the kind really has its axes and frames.

A robot's own calibrated URDF (Stretch's `stretch_urdf`, a calibrated arm's) has joints and shapes other than those that
our skills are written for: Stretch's telescope in four parts, fingers that turn, meshes. Where tool and camera are for
given joint positions depends on nothing but the axes at zero and the frames' poses at zero (product of exponentials),
so these are taken over from it, and shapes, sliding fingers and names stay those of the nominal description.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from scipy.spatial.transform import Rotation

from dadu.core.errors import ConfigError, choices
from dadu.robots.loader import load_robot, load_settings
from dadu.robots.urdf import Urdf, read_urdf

_TURNS = ("revolute", "continuous")
_BASE = "base_link"


@dataclass(frozen=True)
class _Joint:
    """One joint of a URDF at zero."""

    element: ET.Element
    T: np.ndarray
    """T_base_joint (4, 4)"""
    axis: np.ndarray
    """(3,) unit vector in base"""

    @property
    def turns(self) -> bool:
        return self.element.get("type") in _TURNS

    @property
    def moves(self) -> bool:
        return self.element.get("type") != "fixed" and self.element.find("mimic") is None


def calibrate(nominal: Path, real: Path, counterparts: Mapping[str, str], frames: Sequence[str]) -> str:
    """The nominal URDF's text with the joints and `frames` (links) of the real one; both have a link base_link.

    `counterparts`: nominal names of joints and links to the real ones, where they differ. Every joint of the nominal
    URDF that moves by itself and has a counterpart takes its axis and its range; each of `frames`, which must have one,
    takes its pose and its name. All else keeps its place on the link that it is on.
    Errors: ConfigError for files that are no URDF, and for a counterpart or frame that is missing.
    """
    own = read_urdf(nominal)
    tree, (start, ours), (_, theirs) = own.xml, _joints(own), _joints(read_urdf(real))
    by_name = {joint.element.get("name", ""): joint for joint in theirs.values()}
    for name, other in counterparts.items():
        if other not in by_name and other not in theirs:
            raise ConfigError(f"{real}: no joint or link {other!r}, the counterpart of {name!r}; has: "
                              f"{choices([*by_name, *theirs], 80)}")
    placed = {own.root: start}
    for link, joint in ours.items():
        name = joint.element.get("name", "")
        here = placed[_parent(joint.element)] @ _origin(joint.element)
        same = by_name.get(counterparts.get(name, name))
        if link in frames:
            here = _frame(link, counterparts, theirs, real)
        elif joint.moves and same is not None and same.element.get("type") != "fixed":
            here = _moved(here, joint, same)
            _take_range(joint.element, same.element)
        placed[link] = here
        _put_origin(joint.element, np.linalg.inv(placed[_parent(joint.element)]) @ here)
    for link in frames:
        _rename(tree, link, counterparts.get(link, link))
    return ET.tostring(tree, encoding="unicode")


def _moved(here: np.ndarray, joint: _Joint, same: _Joint) -> np.ndarray:
    """T_base_joint (4, 4), nearest to `here`, that has the axis of `same`: it turns as little as it must, and,
    where the joint turns, goes to the nearest point of that axis."""
    axis = here[:3, :3] @ (joint.T[:3, :3].T @ joint.axis)
    turn, _ = Rotation.align_vectors(same.axis[None], axis[None])
    there = here.copy()
    there[:3, :3] = turn.as_matrix() @ here[:3, :3]
    if joint.turns:
        off = same.T[:3, 3] - here[:3, 3]
        there[:3, 3] += off - (off @ same.axis) * same.axis
    return there


def _frame(link: str, counterparts: Mapping[str, str], theirs: Mapping[str, _Joint], real: Path) -> np.ndarray:
    other = counterparts.get(link, link)
    if other not in theirs:
        raise ConfigError(f"{real}: no link {other!r}; has: {choices(theirs, 80)}")
    return theirs[other].T


def _take_range(ours: ET.Element, theirs: ET.Element) -> None:
    """Of a joint that has one and is a single joint there, too; a part of a telescope knows only its own share."""
    limit, other = ours.find("limit"), theirs.find("limit")
    if limit is None or other is None or ours.get("name") != theirs.get("name"):
        return
    lower, upper = other.get("lower", "0"), other.get("upper", "0")
    if float(lower) < float(upper):
        limit.set("lower", lower)
        limit.set("upper", upper)


def _joints(urdf: Urdf) -> tuple[np.ndarray, dict[str, _Joint]]:
    """T_base_root (4, 4), and the joints by child link, parents first. Errors: ConfigError without a base_link."""
    if _BASE not in urdf.links:
        raise ConfigError(f"{urdf.path}: no link {_BASE!r}; has: {choices(urdf.links, 40)}")
    waiting = {_child(joint): joint for joint in urdf.xml.findall("joint")}
    poses, order = {urdf.root: np.eye(4)}, []
    while waiting:
        for link in [link for link, joint in waiting.items() if _parent(joint) in poses]:
            element = waiting.pop(link)
            poses[link] = poses[_parent(element)] @ _origin(element)
            order.append((link, element))
    T_base_root = np.linalg.inv(poses[_BASE])
    found = {}
    for link, element in order:
        T = T_base_root @ poses[link]
        found[link] = _Joint(element, T, _unit(T[:3, :3] @ _numbers(element.find("axis"), "xyz", "1 0 0")))
    return T_base_root, found


def _unit(v: np.ndarray) -> np.ndarray:
    """(3,) of length 1; a fixed joint's axis may be nought, and does not matter."""
    length = float(np.linalg.norm(v))
    return v / length if length > 0 else np.array([1.0, 0.0, 0.0])


def _origin(joint: ET.Element) -> np.ndarray:
    """T_parent_joint (4, 4)."""
    T = np.eye(4)
    element = joint.find("origin")
    T[:3, :3] = Rotation.from_euler("xyz", _numbers(element, "rpy", "0 0 0")).as_matrix()
    T[:3, 3] = _numbers(element, "xyz", "0 0 0")
    return T


def _put_origin(joint: ET.Element, T: np.ndarray) -> None:
    element = joint.find("origin")
    element = ET.SubElement(joint, "origin") if element is None else element
    element.set("xyz", " ".join(f"{v:.9g}" for v in T[:3, 3]))
    element.set("rpy", " ".join(f"{v:.9g}" for v in Rotation.from_matrix(T[:3, :3]).as_euler("xyz")))


def _numbers(element: ET.Element | None, key: str, default: str) -> np.ndarray:
    """(3,)"""
    return np.array([float(v) for v in (default if element is None else element.get(key, default)).split()])


def _rename(root: ET.Element, old: str, new: str) -> None:
    for link in root.findall("link"):
        if link.get("name") == old:
            link.set("name", new)
    for end in (end for joint in root.findall("joint") for end in (joint.find("parent"), joint.find("child"))):
        if end is not None and end.get("link") == old:
            end.set("link", new)


def _parent(joint: ET.Element) -> str:
    element = joint.find("parent")
    return "" if element is None else element.get("link", "")


def _child(joint: ET.Element) -> str:
    element = joint.find("child")
    return "" if element is None else element.get("link", "")


def calibrated_robot(robot: str, real: Path, out: Path) -> tuple[Path, Path]:
    """Writes the YAML file `out` of a robot like `robot` whose axes and frames are those of the URDF `real`, and its
    own URDF beside it; returns both. Both are read once more, so that what is written is usable.

    Errors: ConfigError as of `calibrate` and `load_robot`; OSError for what cannot be written.
    """
    settings, nominal = load_settings(robot)
    wanted = settings.calibrated
    if not wanted.frames:
        raise ConfigError(f"robot {robot!r} does not say under `calibrated` what a calibrated URDF has to give")
    urdf = out.with_suffix(".urdf")
    names = {link: wanted.counterparts.get(link, link) for link in wanted.frames}
    text = calibrate(nominal, real, wanted.counterparts, wanted.frames)
    links = {field: names.get(link, link) for field, link in (
        ("tool_link", settings.tool_link), ("camera_link", settings.camera_link), ("laser_link", settings.laser_link))}
    own = settings.model_dump(mode="json", exclude={"calibrated"}) | {"urdf": urdf.name, **links}
    urdf.write_text(text)
    out.write_text(yaml.safe_dump(own, sort_keys=False, default_flow_style=None, width=120))
    load_robot(out)
    return out, urdf

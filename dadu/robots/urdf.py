"""What a URDF says of links and joints, checked where it comes in; where its links are is Pinocchio's business."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from dadu.core.errors import ConfigError, choices

SINGLE = ("revolute", "prismatic", "continuous")
"""kinds of joints with one freedom"""
_KINDS = (*SINGLE, "fixed", "floating", "planar")
_OTHERS = {"sdf": "an SDF", "mujoco": "MuJoCo's MJCF", "COLLADA": "a COLLADA file", "launch": "a launch file"}
_SIZES: Mapping[str, Mapping[str, int]] = {"box": {"size": 3}, "cylinder": {"radius": 1, "length": 1},
                                            "sphere": {"radius": 1}, "mesh": {}}
"""shapes of a collision, and how many lengths [m] each of their attributes holds"""
_LONGEST = 64
"""joints that follow one another, at most: more can only be a circle"""
_TURN = 2 * math.pi + 0.1


@dataclass(frozen=True)
class UrdfJoint:
    name: str
    kind: str
    """one of `SINGLE`, fixed, floating or planar"""
    parent: str
    child: str
    range: tuple[float, float] = (-math.inf, math.inf)
    """[m or rad]"""
    velocity: float = 0.0
    """top speed [m/s or rad/s]; 0: not said"""
    effort: float = 0.0
    """greatest force or torque [N or Nm]; 0: not said"""
    follows: tuple[str, float, float] | None = None
    """of a mimic joint: another joint, multiplier, offset"""


@dataclass(frozen=True)
class Urdf:
    path: Path
    xml: ET.Element
    links: tuple[str, ...]
    """in the file's order"""
    joints: Mapping[str, UrdfJoint]

    @property
    def root(self) -> str:
        """The link that carries all others."""
        return next(iter(set(self.links) - {joint.child for joint in self.joints.values()}))

    @property
    def followers(self) -> list[tuple[str, str, float, float]]:
        """(joint, joint that moves by itself, multiplier, offset) of every mimic joint, whatever it follows on the
        way. Errors: ConfigError for one that follows itself, or a joint that there is not."""
        return [(joint.name, *self._leader(joint)) for joint in self.joints.values()
                if joint.follows is not None and joint.kind in SINGLE]

    def moving(self, name: str) -> UrdfJoint:
        """The joint `name`, which a controller can move. Errors: ConfigError saying why it is none."""
        joint = self.joints.get(name)
        free = [j.name for j in self.joints.values() if j.kind in SINGLE and j.follows is None]
        why = ("is not there" if joint is None else f"is {joint.kind}" if joint.kind not in SINGLE else
               f"follows {joint.follows[0]!r}" if joint.follows is not None else "")
        if joint is None or why:
            raise ConfigError(f"{self.path}: no movable joint {name!r}: it {why}; has: {choices(free, 40)}")
        return joint

    def carriers(self, link: str) -> list[UrdfJoint]:
        """The joints between `root` and `link`, from there to here."""
        above = {joint.child: joint for joint in self.joints.values()}
        way: list[UrdfJoint] = []
        while link in above:
            way.insert(0, above[link])
            link = above[link].parent
        return way

    def bare(self, joint: str) -> list[str]:
        """Links that `joint` moves as one body, where that has something to see and no collision shape."""
        firm, count = {self.joints[joint].child}, 0
        while count < (count := len(firm)):
            firm |= {other.child for other in self.joints.values() if other.kind == "fixed" and other.parent in firm}
        body = [link for link in self.xml.findall("link") if link.get("name") in firm]
        solid = any(link.find("collision") is not None for link in body)
        return [] if solid else [link.get("name", "") for link in body if link.find("visual") is not None]

    def _leader(self, joint: UrdfJoint) -> tuple[str, float, float]:
        name, factor, offset = joint.name, 1.0, 0.0
        for _ in range(_LONGEST):
            follows = self.joints[name].follows
            if follows is None:
                return name, factor, offset
            name, offset, factor = follows[0], offset + factor * follows[2], factor * follows[1]
            if name not in self.joints:
                raise ConfigError(f"{self.path}: joint {joint.name!r} follows {name!r}, which there is not")
        raise ConfigError(f"{self.path}: joint {joint.name!r} follows itself, by way of others")


def read_urdf(path: str | Path) -> Urdf:
    """Errors: ConfigError with the first thing that makes it none: XML, xacro that was not expanded, names given twice,
    links that hang in the air, joints without the limits that their kind needs, numbers that are none."""
    path = Path(path)
    root = _root(path)
    links = [_name(path, link) for link in root.findall("link")]
    joints = [_joint(path, joint) for joint in root.findall("joint")]
    for what, names in (("link", links), ("joint", [joint.name for joint in joints])):
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise ConfigError(f"{path}: {what} {twice[0]!r} is there more than once")
    _check_tree(path, links, joints)
    for link in root.findall("link"):
        _check_body(path, link)
    found = Urdf(path, root, tuple(links), {joint.name: joint for joint in joints})
    _ = found.followers
    return found


def _joint(path: Path, element: ET.Element) -> UrdfJoint:
    name, kind = _name(path, element), element.get("type", "")
    if kind not in _KINDS:
        raise ConfigError(f"{path}: joint {name!r}: type {kind!r} is none; valid: {choices(_KINDS)}")
    ends = [(end.get("link", "") if (end := element.find(tag)) is not None else "") for tag in ("parent", "child")]
    if "" in ends:
        raise ConfigError(f"{path}: joint {name!r} names no {'child' if ends[0] else 'parent'} link")
    mimic, axis = element.find("mimic"), element.find("axis")
    if kind in SINGLE and axis is not None and not any(_numbers(path, axis, "xyz", 3)):
        raise ConfigError(f"{path}: joint {name!r} has an axis of length 0")
    limits = _limits(path, name, kind, element.find("limit"))
    follows = None if mimic is None else (mimic.get("joint", ""), _number(path, name, mimic, "multiplier", "1"),
                                          _number(path, name, mimic, "offset", "0"))
    span = (limits[0], limits[1]) if kind in ("revolute", "prismatic") else (-math.inf, math.inf)
    return UrdfJoint(name, kind, ends[0], ends[1], span, limits[2], limits[3], follows)


def _limits(path: Path, name: str, kind: str, limit: ET.Element | None) -> list[float]:
    """Lower, upper, velocity, effort."""
    if limit is None:
        if kind in ("revolute", "prismatic"):
            raise ConfigError(f"{path}: joint {name!r} is {kind} and has no <limit>")
        return [0.0] * 4
    limits = [_number(path, name, limit, key, "0") for key in ("lower", "upper", "velocity", "effort")]
    if kind in ("revolute", "prismatic") and limits[0] > limits[1]:
        raise ConfigError(f"{path}: joint {name!r}: its lower limit {limits[0]:g} is above its upper {limits[1]:g}")
    if min(limits[2:]) < 0:
        raise ConfigError(f"{path}: joint {name!r} has a negative limit of speed or effort")
    return limits


def _check_tree(path: Path, links: Sequence[str], joints: Sequence[UrdfJoint]) -> None:
    """One link carries all others. Errors: ConfigError."""
    above: dict[str, str] = {}
    for joint in joints:
        for link in (joint.parent, joint.child):
            if link not in links:
                raise ConfigError(f"{path}: joint {joint.name!r} names link {link!r}, which there is not; has: "
                                  f"{choices(links, 40)}")
        if joint.child in above:
            raise ConfigError(f"{path}: link {joint.child!r} hangs on two joints")
        above[joint.child] = joint.parent
    roots = [link for link in links if link not in above]
    if len(roots) != 1:
        what = f"{choices(roots)} hang on nothing" if roots else "no link carries the others" if links else "no links"
        raise ConfigError(f"{path}: one link carries all others in a URDF; here {what}")
    carried = set(roots)
    while more := {link for link, parent in above.items() if parent in carried} - carried:
        carried |= more
    if rest := set(links) - carried:
        raise ConfigError(f"{path}: {choices(rest)} hang on each other in a circle")


def _check_body(path: Path, link: ET.Element) -> None:
    """Each of a link's collision shapes is one: readers leave out what is none, and the arm would pass through it.

    Errors: ConfigError.
    """
    for collision in link.findall("collision"):
        shapes = [shape for geometry in collision.findall("geometry") for shape in geometry]
        kinds = [shape.tag for shape in shapes]
        if len(kinds) != 1 or kinds[0] not in _SIZES:
            raise ConfigError(f"{path}: link {link.get('name')!r}: a collision is one of {choices(_SIZES)}, not "
                              f"{choices(kinds) if kinds else 'nothing'}")
        lengths = {key: _lengths(shapes[0].get(key, "")) for key in _SIZES[kinds[0]]}
        if lengths and all(sizes and not any(sizes) for sizes in lengths.values()):
            link.remove(collision)  # a point, as some mark where a foot touches
            continue
        for key, count in _SIZES[kinds[0]].items():
            if len(lengths[key]) != count or not all(0 < size < math.inf for size in lengths[key]):
                raise ConfigError(f"{path}: link {link.get('name')!r}: {kinds[0]} {key}={shapes[0].get(key, '')!r} is "
                                  f"not {count} lengths above 0")


def _lengths(text: str) -> list[float]:
    """Empty where they are no numbers."""
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        return []


def _name(path: Path, element: ET.Element) -> str:
    name = element.get("name", "")
    if not name:
        raise ConfigError(f"{path}: a <{element.tag}> has no name")
    return name


def _number(path: Path, name: str, element: ET.Element, key: str, default: str) -> float:
    text = element.get(key, default)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise ConfigError(f"{path}: joint {name!r}: {element.tag} {key}={text!r} is no number")
    return number


def _numbers(path: Path, element: ET.Element, key: str, count: int) -> list[float]:
    text = element.get(key, "1 0 0" if element.tag == "axis" else "0 0 0")
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise ConfigError(f"{path}: {element.tag} {key}={text!r} is not {count} numbers")
    return numbers


def _root(path: Path) -> ET.Element:
    """Of a URDF, with numbers where numbers stand. Errors: ConfigError."""
    # Prefixes stay part of the names: many a file has some that it does not declare, which no reader of URDF minds.
    parser, tree = expat.ParserCreate(), ET.TreeBuilder()
    parser.StartElementHandler, parser.EndElementHandler = tree.start, lambda tag: tree.end(tag)
    try:
        parser.Parse(path.read_bytes(), True)
        root = tree.close()
    except (OSError, expat.ExpatError, ValueError, LookupError) as error:  # the latter two: encodings
        raise ConfigError(f"{path}: not a readable URDF: {error}") from None
    if root.tag != "robot":
        raise ConfigError(f"{path}: not a URDF: its root is <{root.tag}>, not <robot>"
                          f"{f'; this is {_OTHERS[root.tag]}' if root.tag in _OTHERS else ''}")
    if any(element.tag.startswith("xacro:") for element in root.iter()):
        raise _not_expanded(path)
    for element in (inner for part in root if part.tag in ("link", "joint") for inner in part.iter()):
        if any("${" in value or "$(" in value for value in element.attrib.values()):
            raise _not_expanded(path)
        if element.tag == "origin":
            _numbers(path, element, "xyz", 3)
            if max(map(abs, _numbers(path, element, "rpy", 3))) > _TURN:
                raise ConfigError(f"{path}: origin rpy={element.get('rpy')!r} is more than a turn; it is in radians")
    return root


def _not_expanded(path: Path) -> ConfigError:
    return ConfigError(f"{path} is xacro that was not expanded: `xacro {path.name} > {path.name.split('.')[0]}"
                       f"{'.expanded' * (path.suffix == '.urdf')}.urdf` makes a URDF of it")

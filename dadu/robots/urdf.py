"""The few things read from a URDF directly; its kinematics are Pinocchio's and MuJoCo's business."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

from dadu.core.errors import ConfigError


def joint_ranges(path: str | Path) -> dict[str, tuple[float, float, float]]:
    """(lower, upper, top speed) [m or rad, per s] of every movable, limited joint that is no mimic joint."""
    ranges = {}
    for joint in _root(path).iter("joint"):
        limit = joint.find("limit")
        if limit is not None and joint.find("mimic") is None:
            lower, upper, velocity = (_number(path, limit, key, "0") for key in ("lower", "upper", "velocity"))
            ranges[joint.get("name", "")] = lower, upper, velocity
    return ranges


def mimic_joints(path: str | Path) -> list[tuple[str, str, float, float]]:
    """(joint, joint it follows, multiplier, offset) of every mimic joint."""
    found = []
    for joint in _root(path).iter("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            found.append((joint.get("name", ""), mimic.get("joint", ""), _number(path, mimic, "multiplier", "1"),
                          _number(path, mimic, "offset", "0")))
    return found


def joint_efforts(path: str | Path) -> dict[str, float]:
    """Greatest force or torque [N or Nm] of every limited joint."""
    limits = ((joint.get("name", ""), joint.find("limit")) for joint in _root(path).iter("joint"))
    return {name: _number(path, limit, "effort", "0") for name, limit in limits if limit is not None}


def link_names(path: str | Path) -> list[str]:
    """All links, in the file's order."""
    return [link.get("name", "") for link in _root(path).findall("link")]


def _number(path: str | Path, element: ET.Element, key: str, default: str) -> float:
    text = element.get(key, default)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ConfigError(f"{path}: {element.tag} {key}={text!r} is no number")
    return number


def _root(path: str | Path) -> ET.Element:
    try:
        return ET.parse(path).getroot()
    except (OSError, ET.ParseError, ValueError, LookupError) as error:  # the latter two: encodings
        raise ConfigError(f"{path}: not a readable URDF: {error}") from None

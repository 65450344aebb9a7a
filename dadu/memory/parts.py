"""How far a door or drawer is open, from where the furniture's points lie."""

from __future__ import annotations

import numpy as np

from dadu.memory.graph import Articulation, Entity

BAR = 0.08
"""a handle's bar and posts stand out of a closed part's face by less than this [m]"""
EVIDENCE = 12
"""points that settle it"""
FACE = 0.06
"""points this close to the closed face are of it [m]"""


def observed_value(part: Articulation, furniture: Entity, points: np.ndarray) -> float | None:
    """The part's value [rad or m] as seen in points (N, 3) [m, map] of its furniture; None where they do not tell.

    What stands out in front of the furniture's closed face is the opened part.
    """
    normal, handle = np.array(part.normal), np.array(part.handle)
    face = handle - normal * BAR / 2
    out = (points - face) @ normal
    in_front = points[(out > BAR) & _abreast(part, furniture, points)]
    if len(in_front) >= EVIDENCE:
        seen = _hinge_angle(part, in_front) if part.kind == "hinge" else _slide(part, in_front, face)
        return float(np.clip(seen, 0.0, part.range))
    on_face = (np.abs(out) < FACE) & (np.linalg.norm(_across(part, points - handle), axis=1) < _breadth(part))
    return 0.0 if np.count_nonzero(on_face) >= EVIDENCE else None


def _abreast(part: Articulation, furniture: Entity, points: np.ndarray) -> np.ndarray:
    """Points that the part can reach: for a drawer at its own height, for a door anywhere along the hinge."""
    if part.kind == "hinge":
        return np.ones(len(points), bool)
    return np.abs(points[:, 2] - part.handle[2]) < 0.12


def _hinge_angle(part: Articulation, points: np.ndarray) -> float:
    """Median angle [rad] about the hinge from where the handle is when closed. The handle stands off the panel, which
    the outer half of the panel hardly notices."""
    axis, origin = np.array(part.axis), np.array(part.origin)
    radial = points - origin
    radial = radial - (radial @ axis)[:, None] * axis
    start = np.array(part.handle) - origin
    start = start - (start @ axis) * axis
    length = np.linalg.norm(start)
    reach = np.linalg.norm(radial, axis=1)
    outer = radial[(reach > 0.4 * length) & (reach < 1.25 * length)]
    if len(outer) == 0:
        return 0.0
    angle = np.arctan2(np.cross(start, outer) @ axis, outer @ start)
    return float(np.median(angle % (2 * np.pi)))


def _slide(part: Articulation, points: np.ndarray, face: np.ndarray) -> float:
    """How far the front, the outermost part of it, has come out [m]."""
    return float(np.quantile((points - face) @ np.array(part.axis), 0.95)) - BAR / 2


def _across(part: Articulation, offsets: np.ndarray) -> np.ndarray:
    normal = np.array(part.normal)
    return offsets - (offsets @ normal)[:, None] * normal


def _breadth(part: Articulation) -> float:
    """How far from the handle its closed face certainly extends [m]."""
    if part.kind == "slide":
        return 0.12
    return float(np.linalg.norm(np.subtract(part.handle, part.origin)[:2])) * 0.8

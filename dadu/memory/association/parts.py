"""How far a door or drawer is open, from where the furniture's points lie."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from dadu.world.graph import Articulation, Entity

BAR = 0.08
"""a handle's bar and posts stand out of a closed part's face by less than this [m]"""
HANDLE_STANDS_OFF = 0.05
"""from the face to the middle of the bar [m]"""
DRAWER_HALF_HEIGHT = 0.1
"""a drawer's points lie this close to its handle's height [m]"""
EVIDENCE = 6
"""points that settle it"""
FACE = 0.015
"""points this close to the plane of the closed face are of it [m]: the body's edges lie 2 cm or more behind"""
BESIDE_HANDLE = 0.2
"""the closed face reaches this far from the handle, a door's towards its hinge [m]"""
HALF_DOOR = 0.12
"""a door reaches this far from its handle along its hinge: what frames it may lie flush with it [m]"""
NEWS, ALIKE = 0.05, 0.2
"""share of its range by which a part stands otherwise than was known, and within which two pictures say the same"""


@dataclass
class PartReadings:
    """One picture that says a part stands otherwise than was known is a hint, and the next one that says the same is
    believed: from afar a few points of something else suffice to take an open door for one that is ajar."""

    _hints: dict[tuple[str, str], float] = field(default_factory=dict)
    """the newest [rad or m], by furniture and part"""

    def see(self, entity: Entity, points: np.ndarray, truncated: bool) -> tuple[Articulation, ...]:
        """The furniture's parts after one more picture, which shows `points` (N, 3) [m, map] of it."""
        return tuple(self._after(entity.id, part, observed_value(part, points, truncated)) for part in entity.parts)

    def _after(self, id: str, part: Articulation, value: float | None) -> Articulation:
        if value is None:
            return part
        before = self._hints.pop((id, part.name), None)
        if abs(value - part.value) < NEWS * part.range:
            return part
        if before is not None and abs(value - before) <= ALIKE * part.range:
            return replace(part, value=value)
        self._hints[id, part.name] = value
        return part


def observed_value(part: Articulation, points: np.ndarray, truncated: bool = False) -> float | None:
    """The part's value [rad or m] as seen in points (N, 3) [m, map] of its furniture; None where they do not tell.

    What stands out in front of the furniture's closed face is the opened part. Of a drawer in a `truncated` view the
    front may lie outside the picture: then it is at least as far out as was known.
    """
    normal, handle = np.array(part.normal), np.array(part.handle)
    face = handle - normal * HANDLE_STANDS_OFF
    out = (points - face) @ normal
    if part.kind == "hinge":
        value = _hinge_angle(part, points[out > BAR])
    else:
        value = _slide(part, points[(out > BAR) & _level(part, points, DRAWER_HALF_HEIGHT)] - face)
        value = max(value, part.value) if truncated and value is not None else value
    if value is not None:
        return float(np.clip(value, 0.0, part.range))
    across = points - handle
    across -= (across @ normal)[:, None] * normal
    on_face = (np.abs(out) < FACE) & (np.linalg.norm(across, axis=1) < BESIDE_HANDLE)
    if part.kind == "slide":
        on_face &= _level(part, points, DRAWER_HALF_HEIGHT / 2)
    else:
        axis = np.array(part.axis)
        to_hinge = np.array(part.origin) - handle
        to_hinge -= (to_hinge @ axis) * axis
        on_face &= (np.abs(across @ axis) < HALF_DOOR) & (across @ to_hinge > 0)
    return 0.0 if np.count_nonzero(on_face) >= EVIDENCE and not np.count_nonzero(out > BAR) >= EVIDENCE else None


def _level(part: Articulation, points: np.ndarray, tolerance: float) -> np.ndarray:
    return np.abs(points[:, 2] - part.handle[2]) < tolerance


def _slide(part: Articulation, offsets: np.ndarray) -> float | None:
    """How far the front, the outermost of what stands out, has come [m]; offsets (N, 3) from the closed face."""
    if len(offsets) < EVIDENCE:
        return None
    return float(np.quantile(offsets @ np.array(part.axis), 0.95)) - HANDLE_STANDS_OFF


def _hinge_angle(part: Articulation, points: np.ndarray) -> float | None:
    """Median angle [rad] about the hinge of what can be the panel, from where the panel is when closed."""
    axis, normal, origin = np.array(part.axis), np.array(part.normal), np.array(part.origin)
    radial = points - origin
    radial = radial - (radial @ axis)[:, None] * axis
    start = np.array(part.handle) - origin
    start = start - (start @ axis) * axis - (start @ normal) * normal
    length = np.linalg.norm(start)
    reach = np.linalg.norm(radial, axis=1)
    outer = radial[(reach > 0.4 * length) & (reach < 1.25 * length)]
    if len(outer) < EVIDENCE:
        return None
    angle = np.arctan2(np.cross(start, outer) @ axis, outer @ start)
    return float(np.median(angle % (2 * np.pi)))

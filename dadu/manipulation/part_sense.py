"""How far a door or drawer stands open, by the depth picture."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from dadu.geometry import apply, inverse
from dadu.manipulation import parts, sight
from dadu.manipulation.body import Body
from dadu.manipulation.gaze import look_at
from dadu.memory.graph import Articulation
from dadu.robot import Command, Observation
from dadu.skills.scene import Scene

FEWEST = 12
"""points of the front or handle that a value can be told from"""


def look(body: Body, observation: Observation, scene: Scene, part: Articulation,
         ) -> Generator[Command, Observation, tuple[Observation, float | None]]:
    """Looks at where the closed handle is and returns how far the part is open [rad or m], None where unseen."""
    observation = yield from look_at(body, observation, part.handle)
    since = observation.stamp
    observation = yield from sight.fresh(observation, scene, since, body.settings.pick.look_time)
    frame = sight.current(scene, since)
    return observation, None if frame is None else sense(part, sight.cloud(frame))


def sense(part: Articulation, points: np.ndarray) -> float | None:
    """How far the part is open, from points (N, 3) [m, map]; None where too little of it is seen."""
    values = np.linspace(0.0, part.range, 41)
    counts = np.array([_support(part, float(value), points) for value in values])
    best = int(np.argmax(counts))
    return float(values[best]) if counts[best] >= FEWEST else None


def _support(part: Articulation, value: float, points: np.ndarray) -> int:
    """Points on the front, were it at `value`."""
    local = apply(inverse(parts.motion(part, value)), points) - np.array(part.handle)
    normal = np.array(part.normal)
    out = local @ normal + parts.BAR_OFF_FACE
    on_face = np.abs(out) < 0.015
    height = np.abs(local[:, 2])
    if part.kind == "slide":
        side = np.abs(local @ np.cross(normal, (0.0, 0.0, 1.0)))
        return int((on_face & (side < 0.15) & (height < 0.1)).sum())
    lever = np.array(part.handle) - np.array(part.origin)
    along = lever - normal * (normal @ lever)
    along[2] = 0.0
    reach = float(np.linalg.norm(along))
    # Near the hinge every angle fits: what lies there tells nothing.
    distance = (local @ along) / reach + reach
    return int((on_face & (distance > 0.35 * reach) & (distance < reach + 0.03) & (height < 0.4)).sum())

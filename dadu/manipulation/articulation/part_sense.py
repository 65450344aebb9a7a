"""How far a door or drawer stands open, by the depth picture."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import apply, inverse
from dadu.core.robot import Command, Observation
from dadu.manipulation import sight
from dadu.manipulation.articulation import parts
from dadu.robots.body import Manipulator
from dadu.robots.gaze import look_at
from dadu.skills.scene import Scene
from dadu.world.graph import CLOSED, Articulation

WINDOW = 0.12
"""around where the bar should be, what is seen is taken for bar and front [m]"""
BAR_SEEN = 0.15
"""from the bar's middle, along it [m]"""
BETWEEN = 0.03
"""at least free between two bars [m]"""
OF_BAR = 5
"""points that make a bar"""
ABOVE_FLOOR = 0.06
"""from a drawer's handle, up and down, where its front is looked for: its floor lies lower [m]"""
FRONT = 0.3
"""of the most points that agree on a value, so many make the front of a drawer: what lies in it may show more"""
FEWEST = 12
"""points of the front or handle that a value can be told from"""


@dataclass(frozen=True)
class PartSighting:
    """A part as it is seen now."""

    part: Articulation
    """the known part, moved to where its front and bar are seen: localisation is a little off"""
    value: float
    """how far it is open [rad or m]"""


def look(body: Manipulator, observation: Observation, scene: Scene, part: Articulation, value: float
         ) -> Generator[Command, Observation, tuple[Observation, PartSighting | None]]:
    """Looks at where the handle is with the part at `value` [rad or m], as it is taken to be, and where nothing of it
    is seen at where it is when it is shut; None where too little is seen there, too."""
    places = [part.handle_at(value), np.array(part.handle)]
    for place in places if value > part.range * CLOSED else places[1:]:
        observation = yield from look_at(body, observation, place)
        since = observation.stamp
        observation = yield from sight.fresh(observation, scene, since, body.settings.pick.look_time)
        frame = sight.current(scene, since)
        points = np.zeros((0, 3)) if frame is None else sight.cloud(frame)
        seen = sense(part, points)
        if seen is not None:
            return observation, PartSighting(aligned(part, seen, points), seen)
    return observation, None


def aligned(part: Articulation, value: float, points: np.ndarray) -> Articulation:
    """`part` moved across its bar and along its normal to where points (N, 3) [m, map] show front and bar: of several
    bars, as of a pair of doors, the one nearest to where it should be.

    Unmoved in a direction in which too little is seen.
    """
    normal, across = np.array(part.normal), np.cross(part.handle_axis, part.normal)
    local = apply(inverse(parts.motion(part, value)), points) - np.array(part.handle)
    near = np.linalg.norm(local - np.outer(local @ part.handle_axis, part.handle_axis), axis=1) < WINDOW
    near &= np.abs(local @ np.array(part.handle_axis)) < BAR_SEEN
    out, aside = local[near] @ normal + parts.BAR_OFF_FACE, local[near] @ across
    face = np.abs(out) < 0.03
    shift = float(np.median(out[face])) if face.sum() >= FEWEST else 0.0
    bar = (out > shift + 0.03) & (out < shift + 0.08)
    slide = _nearest_bar(aside[bar])
    offset = shift * normal + slide * across
    return replace(part, origin=tuple(np.array(part.origin) + offset), handle=tuple(np.array(part.handle) + offset))


def _nearest_bar(aside: np.ndarray) -> float:
    """Middle [m] of the bar that is nearest to 0 among points `aside` (N,) [m], across the bars; 0 where there is none.
    """
    ordered = np.sort(aside)
    bars = np.split(ordered, np.flatnonzero(np.diff(ordered) > BETWEEN) + 1)
    return min((float(np.median(bar)) for bar in bars if len(bar) >= OF_BAR), key=abs, default=0.0)


def sense(part: Articulation, points: np.ndarray) -> float | None:
    """How far the part is open, from points (N, 3) [m, map]; None where too little of it is seen."""
    values = np.linspace(0.0, part.range, 41)
    counts = np.array([_support(part, float(value), points) for value in values])
    if counts.max() < FEWEST:
        return None
    # A drawer's front hides what is behind it: the outermost that many points agree on is it.
    best = int(np.flatnonzero(counts >= FRONT * counts.max())[-1]) if part.kind == "slide" else int(np.argmax(counts))
    peak = np.max(counts[max(0, best - 4):best + 5])
    near = np.abs(values - values[best]) < 0.15 * part.range
    return float(np.median(values[near & (counts >= 0.9 * peak)]))


def _support(part: Articulation, value: float, points: np.ndarray) -> int:
    """Points on the front, were it at `value`."""
    local = apply(inverse(parts.motion(part, value)), points) - np.array(part.handle)
    normal = np.array(part.normal)
    out = local @ normal + parts.BAR_OFF_FACE
    on_face = np.abs(out) < 0.025
    height = np.abs(local[:, 2])
    if part.kind == "slide":
        side = np.abs(local @ np.cross(normal, (0.0, 0.0, 1.0)))
        return int((on_face & (side < 0.15) & (height < ABOVE_FLOOR)).sum())
    lever = np.array(part.handle) - np.array(part.origin)
    along = lever - normal * (normal @ lever)
    along[2] = 0.0
    reach = float(np.linalg.norm(along))
    # Near the hinge every angle fits: what lies there tells nothing.
    distance = (local @ along) / reach + reach
    return int((on_face & (distance > 0.35 * reach) & (distance < reach + 0.03) & (height < 0.4)).sum())

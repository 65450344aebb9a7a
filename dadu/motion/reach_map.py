"""Where an arm reaches, measured on the body's own model: by inverse kinematics, and clear of itself."""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path

import numpy as np

from dadu.core.robot import RobotDescription
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.poses import tool_pose

LEVEL, LOWERED = 0.0, math.pi / 2
"""how far below level the fingers point [rad]"""
STEP = 0.05
"""between places that are tried [m]"""
SHIFT = 0.3
"""by which the base may shift for it [m], where it can drive"""


class ReachMap:
    """Answers for one body, the base at the origin but for a little shift."""

    def __init__(self, robot: RobotDescription) -> None:
        self._body = Manipulator.from_description(robot)
        self._itself = CollisionScene(body_model(self._body.kinematics))
        self._farthest = self._body.kinematics.longest_reach + SHIFT * (not robot.fixed)

    def reaches(self, distance: float, height: float, tilt: float) -> bool:
        """True if the tool gets `distance` [m] along the arm's direction and `height` [m] over the floor, the fingers
        `tilt` [rad] below level."""
        heading = self._body.robot.arm_direction
        return self._solves((distance * math.cos(heading), distance * math.sin(heading), height), heading, tilt)

    def reaches_point(self, point: tuple[float, float, float]) -> bool:
        """True if the tool gets to `point` [m], base_link, the fingers along the arm's direction or away from the base,
        level or pointing down."""
        headings = self._body.robot.arm_direction, math.atan2(point[1], point[0])
        return any(self._solves(point, heading, tilt) for heading in headings for tilt in (LEVEL, LOWERED))

    def _solves(self, point: tuple[float, float, float], heading: float, tilt: float) -> bool:
        if math.hypot(*point[:2]) > self._farthest:
            return False
        stowed = Posture(dict(self._body.robot.stow))
        try:
            found = self._body.solve(tool_pose(point, heading, tilt), stowed, (-SHIFT, SHIFT))
        except NoSolution:
            return False
        return self._itself.contact(found, 0.0) is None


@lru_cache(maxsize=8)
def reach_map(robot: RobotDescription) -> ReachMap:
    """The one of `robot`, made once."""
    return ReachMap(robot)


@lru_cache(maxsize=64)
def lowered_reach(robot: RobotDescription, height: float) -> float:
    """How far along the arm's direction fingers that point straight down get [m] at a `height` [m]; the robot's nearest
    reach where they get nowhere."""
    near, far = robot.reach
    distances = np.arange(near, far, STEP)
    beyond = bisect_left(distances, True, key=lambda d: not reach_map(robot).reaches(float(d), height, LOWERED))
    return float(distances[max(0, beyond - 1)])


_BEYOND = 0.3  # what the description says is reached, so far is tried [m]
_COLOURS = {(True, True): "#2f8f4e", (True, False): "#7fb8e6", (False, True): "#f2c14e", (False, False): "#ececec"}
_MEANING = {(True, True): "fingers level or down", (True, False): "level only", (False, True): "down only",
            (False, False): "not reached"}


def draw_reach(robot: RobotDescription, path: Path, step: float = 0.05) -> dict[str, int]:
    """Writes a PNG, with a place tried every `step` [m]; returns how many of each kind there are within `reach` and
    `reach_height`. Where the base can drive it may shift a little for each."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch, Rectangle

    distances = np.arange(step, robot.reach[1] + _BEYOND, step)
    heights = np.arange(step, robot.reach_height[1] + _BEYOND, step)
    arm = reach_map(robot)
    reached = {(d, h): (arm.reaches(float(d), float(h), LEVEL), arm.reaches(float(d), float(h), LOWERED))
               for d in distances for h in heights}
    figure = Figure(figsize=(6, 6.5), layout="constrained")
    axes = figure.subplots()
    for (d, h), kind in reached.items():
        axes.add_patch(Rectangle((d - step / 2, h - step / 2), step, step, color=_COLOURS[kind], lw=0))
    outline = robot.footprint @ (np.cos(robot.arm_direction), np.sin(robot.arm_direction))
    axes.add_patch(Rectangle((outline.min(), 0.0), np.ptp(outline), robot.height, fill=False, ec="black", lw=1.5))
    (near, far), (low, high) = robot.reach, robot.reach_height
    axes.add_patch(Rectangle((near, low), far - near, high - low, fill=False, ec="crimson", ls="--"))
    axes.set(xlim=(outline.min() - 0.1, distances[-1] + 0.05), ylim=(0.0, max(heights[-1], robot.height) + 0.05),
             aspect="equal", xlabel="along the arm, from base_link [m]", ylabel="over the floor [m]",
             title=f"{robot.name}: where the grasp centre gets")
    figure.legend(handles=[*(Patch(color=_COLOURS[kind], label=_MEANING[kind]) for kind in _COLOURS),
                           Patch(fill=False, ec="black", label="footprint and height"),
                           Patch(fill=False, ec="crimson", ls="--", label="reach, reach_height")],
                  fontsize=8, loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=110)
    told = [kind for (d, h), kind in reached.items() if near <= d <= far and low <= h <= high]
    return {_MEANING[kind]: told.count(kind) for kind in _COLOURS}

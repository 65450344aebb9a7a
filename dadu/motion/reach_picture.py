"""A picture of where an arm reaches: a slice upright along the arm's direction, base and body drawn as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dadu.core.robot import RobotDescription
from dadu.motion.reach_map import LEVEL, LOWERED, reach_map

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

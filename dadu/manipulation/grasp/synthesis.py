"""Grasp candidates on an upright box: level from the side, tilted, and straight from above.

Source: the heuristic grasping of HomeRobot (from above, on the segmented cloud), extended to level and tilted
approaches because a telescoping arm reaches farther with level fingers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import wrap
from dadu.core.robot import RobotDescription
from dadu.manipulation.grasp.shape import UprightBox
from dadu.robots.manipulator_settings import GripperSettings, PickSettings
from dadu.robots.poses import shifted, tool_pose

TILTS = (0.0, 0.6, 1.0, np.pi / 2)
"""fingers below level [rad]"""
SLANTED, LESS_SLANTED = 1.0, 0.75
"""of fingers over a rim, and where the arm does not get higher [rad]"""
LAST_RESORT = 0.3
"""cost of what holds less well"""
LOWER, HIGH_UP = 0.05, 2.0
"""so much below the best height level fingers hold what the arm cannot lift from there: on a high board [m]; cost"""
TURNS = (0.0, 0.35, -0.35, 0.7, -0.7)
"""headings tried on a round thing, from the arm's direction [rad]"""
WIDEST_TURN = 1.1
"""level and tilted: how far a heading may differ from the arm's direction [rad]"""
SKEW = 0.3
"""closing fingers turn a box that stands askew by up to this much between them [rad]"""
GOOD_HOLD, TOO_HIGH = 0.8, 50.0
"""share of a thing's height below which the pads' middle had better close, and the cost of a metre above"""
FLAT, DEEPER = 0.025, 0.007
"""what is flatter than this is taken with the fingertips so much nearer to what it lies on: a knife's blade is 8 mm
[m]"""
RIM_INSIDE = 0.015
"""how far inside of what is seen of a rim fingers close on it [m]: sight is a centimetre off, a plate thin outside"""
PAD_DEPTH = 0.05
"""how far behind a deep thing's near face the pads close [m]"""


@dataclass(frozen=True)
class Grasp:
    """Where the tool closes. x of the tool frame is the approach."""

    T_map_tool: np.ndarray
    """(4, 4)"""
    openings: tuple[float, ...]
    """of the fingers before closing, wide to narrow [m]"""
    tilt: float
    """of the fingers below level [rad]"""
    cost: float
    """smaller is better"""

    @property
    def approach(self) -> np.ndarray:
        """(3,) unit vector in map."""
        return self.T_map_tool[:3, 0]


def synthesise(robot: RobotDescription, box: UprightBox, arm_heading: float, gripper: GripperSettings,
               pick: PickSettings) -> list[Grasp]:
    """Candidates on `box`, the best first. `arm_heading` is the direction in which the arm extends [rad, map]."""
    grasps = []
    for tilt in TILTS:
        if box.height < pick.top_only_below and tilt < 0.5:
            continue
        for heading in _headings(box, arm_heading, tilt):
            width = box.width(heading + np.pi / 2)
            if width <= robot.aperture_max - 2 * gripper.margin:
                grasps.append(_grasp(robot, box, arm_heading, heading, tilt, width, gripper))
    least = box.bottom + gripper.half_height + LOWER
    grasps += [replace(grasp, T_map_tool=shifted(grasp.T_map_tool, (0.0, 0.0, -LOWER)), cost=grasp.cost + HIGH_UP)
               for grasp in grasps if grasp.tilt == 0.0 and grasp.T_map_tool[2, 3] > least]
    if box.hollow:
        grasps.extend(_rim(robot, box, arm_heading, gripper))
    return sorted(grasps, key=lambda grasp: grasp.cost)


def _headings(box: UprightBox, arm_heading: float, tilt: float) -> Iterator[float]:
    if box.round:
        yield from (arm_heading + turn for turn in TURNS)
        return
    for quarter in range(4):
        face = box.yaw + quarter * np.pi / 2
        off = wrap(arm_heading - face)
        if tilt > 1.5 or abs(off) <= WIDEST_TURN:
            yield face
            if tilt < 1.5:
                yield from (face + skew for skew in (float(np.clip(off, -SKEW, SKEW)), -SKEW, SKEW))


def _grasp(robot: RobotDescription, box: UprightBox, arm_heading: float, heading: float, tilt: float, width: float,
           gripper: GripperSettings) -> Grasp:
    half_depth = box.width(heading) / 2
    ahead = np.array([np.cos(heading), np.sin(heading)])
    back = max(0.0, half_depth - PAD_DEPTH) * np.cos(tilt)
    x, y = box.centre - back * ahead
    z = box.bottom + grasp_height(box.height, tilt, gripper)
    turn = abs(wrap(heading - arm_heading))
    if tilt > 1.5:
        turn = min(turn, np.pi - turn)
    askew = 0.0 if box.round else abs(wrap(4 * (heading - box.yaw))) / 4
    # Level is steadiest and reaches farthest; narrow is safer than wide; straight ahead needs no base motion; pads that
    # close near its top lose it under way.
    high = max(0.0, z - box.bottom - GOOD_HOLD * box.height)
    cost = 0.5 * turn + 0.8 * askew + 0.6 * tilt + 2.0 * max(0.0, width - 0.6 * robot.aperture_max) + TOO_HIGH * high
    openings = tuple(min(robot.aperture_max, width + 2 * gripper.margin + spare) for spare in (0.03, 0.0))
    return Grasp(tool_pose((x, y, z), heading, tilt), openings, tilt, float(cost))


def grasp_height(height: float, tilt: float, gripper: GripperSettings) -> float:
    """Of the grasp centre above the support [m], for a thing of `height` [m] and fingers `tilt` [rad] below level:
    about its middle, with room for palm and fingertips."""
    # From above as deep as the fingers allow, the palm over the top; else a little above the middle.
    wish = height - min(0.5 * height, 0.04) if tilt > 1.5 else 0.55 * height
    deeper = DEEPER * np.sin(tilt) if height < FLAT else 0.0
    return float(max(wish, _lowest(tilt, gripper) - deeper))


def _lowest(tilt: float, gripper: GripperSettings) -> float:
    """Of the grasp centre above a support that the hand does not touch [m]."""
    if tilt < 0.05:
        return gripper.half_height
    return float(gripper.half_height * np.cos(tilt)**4 + 0.012 * np.cos(tilt) + gripper.finger_depth * np.sin(tilt))


def _rim(robot: RobotDescription, box: UprightBox, arm_heading: float, gripper: GripperSettings) -> Iterator[Grasp]:
    """On the wall of a bowl, one finger inside: tilted, which lets a low wrist hold it higher, or from above."""
    slanted = [(-np.pi / 2, tilt) for tilt in (SLANTED, LESS_SLANTED)]
    for turn, tilt in (*slanted, *((turn, np.pi / 2) for turn in (np.pi / 2, -np.pi / 2, 0.0, np.pi))):
        outward = np.array([np.cos(arm_heading + turn), np.sin(arm_heading + turn)])
        centre = box.centre + (box.width(arm_heading + turn) / 2 - RIM_INSIDE) * outward
        z = max(box.top - 0.025, box.bottom + _lowest(tilt, gripper))
        pose = tool_pose((*centre, z), arm_heading + turn + np.pi / 2, tilt)
        cost = 1.2 + 0.1 * abs(turn) - 0.2 * (np.pi / 2 - tilt) + LAST_RESORT * (tilt == LESS_SLANTED)
        yield Grasp(pose, (0.07,), tilt, cost)

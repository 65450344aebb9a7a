"""What sticks to the hand in Habitat: an object between the fingers, or the handle of a door or drawer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import inverse
from dadu.house.furniture.articulated import BAR
from dadu.house.furniture.model import Part
from dadu.house.furniture.pieces import furniture_model
from dadu.sim.habitat.dataset import DYNAMIC, KINEMATIC, part_pose
from dadu.sim.habitat.things import HabitatThings
from dadu.sim.mujoco.robot.kinematic_robot import Held

NEAR = 0.02
"""the grasp centre may be this far outside of a thing's box [m]"""
HANDLE = 0.035
"""and this far from the middle of a bar, across it [m]"""


@dataclass
class HeldObject:
    """An object between the fingers; Bullet has it again when it is let go."""

    things: HabitatThings
    name: str
    width: float

    def pose(self) -> np.ndarray:
        """T_map_thing (4, 4)."""
        return self.things.poses[self.name]

    def carry(self, T_map_thing: np.ndarray) -> None:
        self.things.put(self.name, T_map_thing, KINEMATIC)

    def release(self) -> None:
        self.things.put(self.name, self.things.poses[self.name], DYNAMIC)


@dataclass
class HeldHandle:
    """A bar between the fingers; the part goes where the hand leads its handle, as far as its joint allows."""

    things: HabitatThings
    name: str
    part: Part
    T_map_furniture: np.ndarray
    width: float = BAR

    def pose(self) -> np.ndarray:
        """T_map_handle (4, 4), upright."""
        T = np.eye(4)
        closed = inverse(self.T_map_furniture) @ part_pose(self.things.house, self.name, self.things.parts[self.name])
        T[:3, 3] = (self.T_map_furniture @ closed @ [*self.part.handle, 1.0])[:3]
        return T

    def carry(self, T_map_thing: np.ndarray) -> None:
        at = (inverse(self.T_map_furniture) @ T_map_thing[:, 3])[:3]
        value = part_value(self.part, at)
        if abs(value - self.things.parts[self.name]) > 1e-4:
            self.things.set_part(self.name, value)

    def release(self) -> None:
        """It stays where it is."""


def part_value(part: Part, handle: np.ndarray) -> float:
    """The value [rad or m] at which a part's handle is nearest to a point (3,) in the furniture's frame."""
    axis, closed = np.array(part.axis), np.array(part.handle)
    if part.kind == "slide":
        value = (handle - closed) @ axis
    else:
        start, now = closed - part.origin, handle - part.origin
        start, now = start - (start @ axis) * axis, now - (now @ axis) * axis
        value = np.arctan2(np.cross(start, now) @ axis, start @ now)
    return float(np.clip(value, 0.0, part.range))


def find_grip(things: HabitatThings, T_map_tool: np.ndarray, aperture: float) -> Held | None:
    """What fingers that close to `aperture` [m] at the grasp centre (4, 4; y from finger to finger) meet."""
    centre, across = T_map_tool[:3, 3], T_map_tool[:3, 1]
    for name in things.sizes:
        box = things.box(name)
        if box.holds(centre, NEAR):
            width = float(np.abs(box.R.T @ across) @ box.size)
            narrow = min(width, float(max(box.size)))
            if aperture <= narrow:
                return HeldObject(things, name, narrow)
    for piece in things.house.furniture:
        T = piece.pose2.matrix()
        for part in furniture_model(piece).parts:
            held = HeldHandle(things, f"{piece.name}/{part.name}", part, T)
            offset = centre - held.pose()[:3, 3]
            bar = T[:3, :3] @ np.array(part.handle_axis)
            along = float(offset @ bar)
            if np.linalg.norm(offset - along * bar) < HANDLE and abs(along) < 0.2 and aperture <= BAR:
                return held
    return None

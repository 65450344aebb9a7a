"""What is in a simulated world: robot, furniture, objects; and which of it a question is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Pose2, transform
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.house.furniture.pieces import size_of
from dadu.sim.control.codes import Category, ResultCode, Unfulfilled
from dadu.world.boxes import OrientedBox
from dadu.world.state import WorldState


@dataclass(frozen=True)
class SimulatedEntity:
    """Its frame lies in the middle of its underside, x to its front, z up."""

    name: str
    category: Category
    description: str
    box: OrientedBox

    @property
    def T_map(self) -> np.ndarray:
        """(4, 4): its frame in map."""
        return transform(self.box.R, self.box.centre - self.box.R[:, 2] * self.box.size[2] / 2)


def entities(house: House, robots: Mapping[str, tuple[RobotDescription, Pose2]], state: WorldState,
             ) -> dict[str, SimulatedEntity]:
    """All of them by name: the robots, each at its base_link in map, furniture, objects."""
    found = []
    for name, (robot, base) in robots.items():
        box = OrientedBox.upright(base.x, base.y, 0.0, base.yaw, (*np.ptp(robot.footprint, axis=0), robot.height))
        found.append(SimulatedEntity(name, Category.ROBOT, f"the robot, {robot.name}", box))
    for piece in house.furniture:
        x, y, yaw = piece.pose
        found.append(SimulatedEntity(piece.name, Category.STATIC_OBJECT, f"{_words(piece.category)} in {piece.room}",
                                     OrientedBox.upright(x, y, 0.0, yaw, size_of(piece))))
    found += (SimulatedEntity(body.name, Category.OBJECT, _words(body.category), body.box)
              for body in state.bodies.values())
    return {entity.name: entity for entity in found}


def _words(category: str) -> str:
    return category.replace("_", " ")


def chosen(entities: Iterable[SimulatedEntity], name: str, categories: Collection[int] = ()) -> list[SimulatedEntity]:
    """Those whose name the regular expression `name` (POSIX extended) matches as a whole or in part, and of
    `categories`; empty: of any. Errors: Unfulfilled for what is no regular expression."""
    try:
        # POSIX extended differs from Python's in what names have use for by its classes alone.
        pattern = re.compile(re.sub(r"\[:(\w+):\]", lambda match: _CLASSES.get(match[1], match[0]), name))
    except re.error as error:
        raise Unfulfilled(ResultCode.OPERATION_FAILED, f"{name!r} is no regular expression: {error}") from None
    return [entity for entity in entities
            if pattern.search(entity.name) and (not categories or entity.category in categories)]


_CLASSES = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
            "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f", "blank": r" \t"}

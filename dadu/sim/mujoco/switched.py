"""What contact and time change about things beside where they are: a switch that is pressed, what stands in a fridge.

Rules, where MuJoCo has no physics: who is pressed is on, and off when pressed again. What stands for `SOAKING` in what
is shut and cools is cold, in what is shut (or open to all sides) and on hot or clean, as `content_states` has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress

import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.catalogue import Affordance
from dadu.house.furniture.entity import furniture_entity
from dadu.house.furniture.model import Deck
from dadu.house.furniture.pieces import furniture_model
from dadu.house.states import PREDICATES, State, affordances_of, content_states
from dadu.sim.mujoco.physics_world import PhysicsWorld
from dadu.world.graph import Entity

PRESSED, RELEASED = 0.7, 0.3
"""shares of a switch's travel"""
TOUCH = 1.0
"""from above on a thing that can be switched on: it is switched by touch, as many lamps are [N]"""
STEEP = 0.8
"""least upward share of such a touch's direction"""
SOAKING = 1.0
"""[s]"""
_ON = PREDICATES[State.POWERED]


class Switched:
    """Looks at a world every so often, and changes its `states`."""

    def __init__(self, world: PhysicsWorld) -> None:
        self._world = world
        model = world.model
        self._switches = [(piece.name, int(model.joint(f"{piece.name}/{part.name}").qposadr[0]), part.range)
                          for piece in world.house.furniture for part in furniture_model(piece).switches]
        self._touched = {model.body(name).id: name for name, placement in world.placements.items()
                         if Affordance.POWER_ON.value in affordances_of(placement.thing.category)}
        self._treating = [_Treating(furniture_entity(piece), piece.pose2, _reached(furniture_model(piece).decks))
                          for piece in world.house.furniture if _treats(piece.category)]
        self._things = np.array([model.body(name).id for name in world.placements], int)
        self._robots = {int(geom) for body in world.bodies for geom in body.geoms}
        self._held: set[str] = set()
        self._since: dict[tuple[str, str], float] = {}

    def update(self) -> None:
        """After some steps, many a second."""
        for name in self._pressed():
            known = self._world.states[name]
            known[_ON] = not known.get(_ON, False)
        now, since = self._world.data.time, {}
        for piece, thing, change in self._in_treatment():
            begun = since[piece, thing] = self._since.get((piece, thing), now)
            if now - begun >= SOAKING:
                self._world.states[thing].update(change)
        self._since = since

    def _pressed(self) -> list[str]:
        """Whose switch went down since the last look."""
        qpos, down = self._world.data.qpos, set(self._under_touch() if self._touched else ())
        for name, address, travel in self._switches:
            share = float(qpos[address]) / travel
            if share > PRESSED or name in self._held and share > RELEASED:
                down.add(name)
        new, self._held = down - self._held, down
        return sorted(new)

    def _under_touch(self) -> Iterator[str]:
        """What a robot presses on from above."""
        model, data, force = self._world.model, self._world.data, np.zeros(6)
        for i, (first, second) in enumerate(data.contact.geom.tolist()):
            for finger, thing in ((first, second), (second, first)):
                name = self._touched.get(int(model.geom_bodyid[thing]))
                if name is not None and finger in self._robots and abs(data.contact[i].frame[2]) > STEEP:
                    mujoco.mj_contactForce(model, data, i, force)
                    if force[0] > TOUCH:
                        yield name

    def _in_treatment(self) -> Iterator[tuple[str, str, dict[str, bool]]]:
        """Furniture, thing in or on it, and the states that it gives."""
        world = self._world
        for place in self._treating:
            piece = place.piece
            parts = tuple(replace(part, value=float(world.data.joint(f"{piece.id}/{part.name}").qpos[0]))
                          for part in piece.parts)
            change = content_states(replace(piece, parts=parts, states=world.states[piece.id]))
            if change:
                here = place.reached(world.data.xpos[self._things])
                yield from ((piece.id, name, change) for name in compress(world.placements, here))


@dataclass(frozen=True)
class _Treating:
    """Furniture that heats, cools or washes what stands there."""

    piece: Entity
    pose: Pose2
    decks: tuple[Deck, ...]

    def reached(self, points: np.ndarray) -> np.ndarray:
        """bool (N,), of things whose middles are there (N, 3) [m, map]."""
        local, z = self.pose.inverse().apply(points[:, :2]), points[:, 2]
        return np.any([(np.abs(local - deck.centre) <= np.array(deck.size) / 2).all(axis=1) & (deck.height <= z)
                       & (z <= deck.height + deck.clearance) for deck in self.decks], axis=0)


def _treats(category: str) -> bool:
    return not affordances_of(category).isdisjoint(a.value for a in (Affordance.HEAT, Affordance.COOL, Affordance.WASH))


def _reached(decks: tuple[Deck, ...]) -> tuple[Deck, ...]:
    """In it; on it, where it has no inside."""
    return tuple(deck for deck in decks if deck.inside) or decks

"""A home from one scene to the next: other light and colours, things turned, doors and drawers somewhere between shut
and open, lamps on and off, plates clean and dirty, a person here or there."""

from __future__ import annotations

import math

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.catalogue import object_categories
from dadu.house.format import Furniture, Object
from dadu.house.furniture.model import Part
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import Placement
from dadu.house.states import PREDICATES, State
from dadu.learning.pictures.looks import Looks
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.stage import SeenThing, Stage
from dadu.learning.pictures.views import Eyes
from dadu.sim.mujoco import space
from dadu.sim.mujoco.disturbance import set_part
from dadu.sim.mujoco.scene.figure import FIGURE, stand
from dadu.sim.mujoco.scene.state_look import shown_states

TRIES = 5
_PERSON = 0.25
"""how often somebody is at home"""
_ON_FLOOR, _LYING = 0.04, 0.12
"""share of the things that lie on the floor, and on their side"""
PACKAGES = ("box", "carton", "tin", "can", "bottle", "jug_bottle", "spray_bottle", "squeeze_bottle", "pump_bottle",
             "jar", "pot_lid", "sack", "tissue_box")
"""shapes of things that come with a label"""
_PARKED = (0.0, 0.0, -20.0)


class Scenery:
    """Changes one stage."""

    def __init__(self, stage: Stage, settings: PictureSettings) -> None:
        self._stage, self._settings, self._world = stage, settings, stage.world
        small = np.array([False, *(thing.kind == "object" for thing in stage.things)])
        packed = np.array([False, *(_packed(thing) for thing in stage.things)])
        self._looks = Looks(self._world.model, stage.owner, small, packed, settings)
        self._eyes = Eyes(self._world.house)
        self._start = self._world.data.qpos.copy()
        self._on_floor: set[str] = set()
        self._parts: list[tuple[str, Part]] = [(piece.name, part) for piece in self._world.house.furniture
                                               for part in furniture_model(piece).parts]

    def change(self, rng: np.random.Generator) -> None:
        """The next scene."""
        world, house = self._world, self._world.house
        world.data.qpos[:] = self._start
        self._on_floor.clear()
        for name, placement in world.placements.items():
            if rng.random() < _ON_FLOOR:
                self._drop(name, placement, rng)
            elif rng.random() < _LYING:
                self._topple(name, rng)
            else:
                self._turn(name, rng)
        for furniture, part in self._parts:
            if rng.random() < self._settings.open:
                set_part(world, house.piece(furniture), part, float(rng.uniform(0.05, 1.0)) * part.range)
        room = house.rooms[int(rng.integers(len(house.rooms)))]
        middle = np.mean(room.floor, axis=0)
        world.data.mocap_pos[world.model.body(FIGURE).mocapid[0]] = _PARKED
        if rng.random() < _PERSON:
            T = self._eyes.across(room.name, rng)
            if T is not None:
                stand(world.model, world.data, Pose2(float(T[0, 3]), float(T[1, 3]), rng.uniform(-math.pi, math.pi)))
        self._change_states(rng)
        self._looks.reset()
        self._stage.appearance.forget()
        self._stage.appearance.update(world.states)
        if rng.random() >= self._settings.plain:
            self._looks.change(rng, middle)

    def encloses(self, placement: Placement) -> bool:
        """True if a thing is in furniture now, and can only be seen from its front."""
        return placement.thing.relation == "in" and placement.thing.name not in self._on_floor

    def _change_states(self, rng: np.random.Generator) -> None:
        """Those that show, drawn anew; what the house file says of a thing stays."""
        settings = self._settings
        chances = {State.POWERED: settings.powered, State.FILLED: settings.filled, State.CLEAN: 1 - settings.dirty,
                   State.SLICED: settings.sliced}
        items: list[Furniture | Object] = [*self._world.house.furniture, *self._world.house.objects]
        for item in items:
            shows = shown_states(item)
            drawn = {PREDICATES[state]: bool(rng.random() < chance) for state, chance in chances.items()
                     if PREDICATES[state] in shows and state not in item.states}
            self._world.states[item.name].update(drawn)

    def _drop(self, name: str, placement: Placement, rng: np.random.Generator) -> None:
        """On the floor of its room, where that is free."""
        house = self._world.house
        room = house.room(placement.thing.room or house.piece(placement.thing.receptacle).room)
        corners, half = np.array(room.floor), placement.model.size[2] / 2
        for _ in range(TRIES):
            at = np.array([*rng.uniform(corners.min(axis=0), corners.max(axis=0)), half])
            if self._eyes.free(at, room.name):
                joint = self._world.data.joint(name)
                joint.qpos = (*at, *_upright(rng.uniform(-math.pi, math.pi)))
                self._on_floor.add(name)
                return

    def _topple(self, name: str, rng: np.random.Generator) -> None:
        """On its side, unless it would touch anything."""
        size, joint = self._world.placements[name].model.size, self._world.data.joint(name)
        before = joint.qpos.copy()
        # Half a right angle of each: first on its side about its own x, then turned about the vertical.
        w, _, _, z = _upright(rng.uniform(-math.pi, math.pi))
        s = math.sqrt(0.5)
        joint.qpos[2] += (size[1] - size[2]) / 2
        joint.qpos[3:] = (s * w, s * w, s * z, s * z)
        if space.overlaps(self._world, name):
            joint.qpos = before

    def _turn(self, name: str, rng: np.random.Generator) -> None:
        """A round thing any way, another a little."""
        x, y, _ = self._world.placements[name].model.size
        by = rng.uniform(-math.pi, math.pi) if abs(x - y) < 0.1 * x else rng.normal(0, 0.15)
        joint = self._world.data.joint(name)
        yaw = 2 * math.atan2(joint.qpos[6], joint.qpos[3]) + by
        joint.qpos[3:] = _upright(yaw)


def _packed(thing: SeenThing) -> bool:
    """True of a package, on which things are printed."""
    category = object_categories().get(thing.category) if thing.kind == "object" and not thing.mesh else None
    return category is not None and category.shape in PACKAGES


def _upright(yaw: float) -> tuple[float, float, float, float]:
    """MuJoCo's quaternion of a turn about the vertical [rad]."""
    return math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)

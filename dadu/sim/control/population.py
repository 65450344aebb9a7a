"""What is in a world, changed from outside: spawned, deleted, moved, described, put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from dadu.core.errors import ConfigError, choices
from dadu.core.geometry import Pose2
from dadu.house.format import House
from dadu.house.objects import object_model
from dadu.house.placement import Placement, place_objects
from dadu.sim.backend import Backend
from dadu.sim.control.codes import INVALID_STATE_POSE, Category, ResultCode, SpawnCode, Unfulfilled
from dadu.sim.control.entities import SimulatedEntity, entities
from dadu.sim.control.spawnables import is_name, read_object
from dadu.sim.control.worlds import Resource
from dadu.sim.engine import Engine
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.motion import Motion, object_motion, object_pose, put_object, put_robot, robot_motion
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.simulation import Simulation

WORLD_FRAMES = ("", "map", "world")
_BEYOND = 10.0
"""[m] around a house within which things may be put"""
_DEEP, _HIGH = -0.1, 30.0
"""[m]: how far below the floor a thing's underside may be, and how high above"""
_LEVEL = 0.02
"""what a robot on its wheels may be off the floor [m] and off level [rad]"""


@dataclass(frozen=True)
class EntityState:
    """As simulation_interfaces/msg/EntityState, in map."""

    stamp: float
    """[s]"""
    T_map: np.ndarray
    """(4, 4), of the entity's frame"""
    velocity: Motion
    """of that frame's origin"""
    acceleration: Motion


@dataclass(frozen=True)
class _Spawned:
    placement: Placement
    T_map: np.ndarray
    """(4, 4), of the middle of its box"""


class Population:
    """Of one world, until another is loaded."""

    def __init__(self, engine: Engine, house: House, changed: Callable[[Backend], None]) -> None:
        """`house`: as it was loaded."""
        self._engine, self._house, self._changed = engine, house, changed
        self._spawned: dict[str, _Spawned] = {}
        with engine.exclusive() as simulation:
            self.editable = isinstance(simulation, Simulation)
            self._robots = {robot.name for robot in simulation.robots}

    def all(self) -> dict[str, SimulatedEntity]:
        """Every entity by name."""
        with self._engine.exclusive() as simulation:
            return self._entities(simulation)

    def one(self, name: str) -> SimulatedEntity:
        """Errors: Unfulfilled naming those there are."""
        found = self.all()
        if name not in found:
            raise Unfulfilled(ResultCode.NOT_FOUND, f"no entity {name!r}; there are {choices(found, 60)}")
        return found[name]

    def states(self, names: list[str]) -> dict[str, EntityState]:
        """Of those of them that are there, all at one moment. Errors: Unfulfilled."""
        with self._physics() as simulation:
            there = self._entities(simulation)
            return {name: self._state(simulation, there[name]) for name in names if name in there}

    def set_state(self, name: str, frame: str, T: np.ndarray | None, velocity: Motion | None) -> None:
        """Puts an entity to T_frame_entity (4, 4), or gives it a velocity along the frame's axes, or both. Errors:
        Unfulfilled; then nothing has changed."""
        entity = self.one(name)
        R_map_frame = self.frame(frame)[:3, :3]
        if velocity is not None:
            velocity = Motion(R_map_frame @ velocity.linear, R_map_frame @ velocity.angular)
            if not np.isfinite([velocity.linear, velocity.angular]).all():
                raise Unfulfilled(ResultCode.OPERATION_FAILED, "the twist holds a number that is not finite")
        T_map = None if T is None else self.frame(frame) @ T
        if T_map is not None:
            self._check_place(T_map, INVALID_STATE_POSE)
        if entity.category == Category.STATIC_OBJECT or name in {piece.name for piece in self._house.furniture}:
            self._move_furniture(name, T_map, velocity)
        elif name in self._robots:
            pose = None if T_map is None else _on_floor(T_map)
            with self._physics() as simulation:
                put_robot(simulation.world, _body(simulation, name), pose, velocity)
        else:
            with self._physics() as simulation:
                height = float(entity.box.size[2]) / 2
                target = entity.T_map if T_map is None else T_map
                put_object(simulation.world, name, None if T_map is None else _raised(T_map, height), velocity,
                           -target[:3, 2] * height)

    def frame(self, name: str) -> np.ndarray:
        """T_map_frame (4, 4): of the world, or of an entity. Errors: Unfulfilled."""
        name = name.removeprefix("/")
        return np.eye(4) if name in WORLD_FRAMES else self.one(name).T_map

    def spawn(self, name: str, rename: bool, resource: Resource, frame: str, T: np.ndarray) -> str:
        """A thing at T_frame_thing (4, 4); what it is called. Errors: Unfulfilled."""
        thing = read_object(resource, name)
        name = self._free_name(thing.name, thing.category, rename)
        thing = thing.model_copy(update={"name": name})
        T_map = self.frame(frame) @ T
        self._check_place(T_map, SpawnCode.INVALID_POSE)
        model = object_model(thing)
        T_centre = _raised(T_map, model.size[2] / 2)
        pose, (x, y, z) = Pose2.from_matrix(T_centre), T_centre[:3, 3].tolist()
        spawned = _Spawned(Placement(thing, model, "", (x, y, z), pose.yaw), T_centre)
        self._rebuild(lambda house, placements: (house, {**placements, name: spawned.placement}))
        self._spawned[name] = spawned
        self._put_spawned([name])
        return name

    def delete(self, name: str) -> None:
        """Errors: Unfulfilled; robot and furniture stay."""
        if self.one(name).name in self._robots or name in {piece.name for piece in self._house.furniture}:
            raise Unfulfilled(ResultCode.OPERATION_FAILED, f"{name} stays: things alone can be deleted")
        self._rebuild(lambda house, placements: (house, {n: p for n, p in placements.items() if n != name}))
        self._spawned.pop(name, None)

    def despawn(self) -> None:
        """Everything that was spawned is gone."""
        gone = set(self._spawned)
        if gone:
            self._rebuild(lambda house, placements: (house, {n: p for n, p in placements.items() if n not in gone}))
            self._spawned.clear()

    def put_back(self, seed: int) -> None:
        """Everything stands where it began, what was spawned where it was spawned."""
        if self.editable:
            self._rebuild(lambda house, placements: (self._house, placements))
        with self._engine.exclusive() as simulation:
            simulation.reset(seed)
        self._put_spawned(list(self._spawned))

    def forget(self) -> None:
        """The world is again as it was loaded, but for where things stand: nothing spawned or deleted."""
        if self.editable:
            self._rebuild(lambda house, placements: (self._house, place_objects(self._house)))
        self._spawned.clear()

    def _entities(self, simulation: DrivenBackend) -> dict[str, SimulatedEntity]:
        robots = {robot.name: (robot.description, robot.body.base_pose(simulation.data)) for robot in simulation.robots}
        return entities(simulation.house, robots, simulation.ground_truth())

    @contextmanager
    def _physics(self) -> Iterator[Simulation]:
        with self._engine.exclusive() as simulation:
            if not isinstance(simulation, Simulation):
                raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, "this simulator tells and sets no states")
            yield simulation

    def _state(self, simulation: Simulation, entity: SimulatedEntity) -> EntityState:
        if entity.name in self._robots:
            moving = robot_motion(simulation.world, _body(simulation, entity.name))
        elif entity.name in simulation.placements:
            offset = entity.T_map[:3, 3] - object_pose(simulation.world, entity.name)[:3, 3]
            moving = object_motion(simulation.world, entity.name, offset)
        else:
            moving = (Motion(), Motion())
        return EntityState(simulation.time, entity.T_map, *moving)

    def _move_furniture(self, name: str, T_map: np.ndarray | None, velocity: Motion | None) -> None:
        if velocity is not None and np.any([velocity.linear, velocity.angular]):
            raise Unfulfilled(ResultCode.OPERATION_FAILED, f"{name} stands: it takes a pose, but no twist")
        if T_map is not None:
            pose = tuple(_on_floor(T_map))
            self._rebuild(lambda house, placements: (house.model_copy(update={"furniture": tuple(
                piece.model_copy(update={"pose": pose}) if piece.name == name else piece
                for piece in house.furniture)}), placements))

    def _rebuild(self, change: Callable[[House, dict[str, Placement]], tuple[House, dict[str, Placement]]]) -> None:
        """The same moment in a world with other things in it. Errors: Unfulfilled."""
        def edited(old: DrivenBackend) -> DrivenBackend:
            if not isinstance(old, Simulation):
                raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, "what is in this simulator's world cannot be changed")
            house, placements = change(old.house, dict(old.placements))
            if house == old.house and placements == old.placements:
                return old
            return old.edited(house, placements)

        try:
            self._engine.replace(edited)
        except ConfigError as error:
            raise Unfulfilled(ResultCode.OPERATION_FAILED, str(error)) from None
        with self._engine.exclusive() as simulation:
            self._changed(simulation)

    def _put_spawned(self, names: list[str]) -> None:
        if names:
            with self._physics() as simulation:
                for name in names:
                    put_object(simulation.world, name, self._spawned[name].T_map, Motion(), np.zeros(3))

    def _free_name(self, name: str, category: str, rename: bool) -> str:
        taken = {*self.all(), self._house.house, *(room.name for room in self._house.rooms)}
        if name and name not in taken:
            return name
        if not rename:
            code = SpawnCode.NAME_NOT_UNIQUE if name else SpawnCode.NAME_INVALID
            raise Unfulfilled(code, f"the name {name!r} is taken" if name else "a name is needed, or allow_renaming")
        stem = name or (category if is_name(category) else "thing")
        return next(free for i in range(len(taken) + 1) if (free := f"{stem}_{i}") not in taken)

    def _check_place(self, T_map: np.ndarray, code: int) -> None:
        corners = np.concatenate([room.floor for room in self._house.rooms])
        low, high = corners.min(axis=0) - _BEYOND, corners.max(axis=0) + _BEYOND
        x, y, z = T_map[:3, 3]
        if not (np.isfinite(T_map).all() and (low <= (x, y)).all() and ((x, y) <= high).all() and _DEEP <= z <= _HIGH):
            raise Unfulfilled(code, f"{x:.2f}, {y:.2f}, {z:.2f} lies outside of this world: "
                              f"x {low[0]:g} to {high[0]:g}, y {low[1]:g} to {high[1]:g}, z {_DEEP:g} to {_HIGH:g} m")


def _body(simulation: Simulation, robot: str) -> RobotBody:
    return next(each.body for each in simulation.robots if each.name == robot)


def _raised(T: np.ndarray, height: float) -> np.ndarray:
    """(4, 4): `height` [m] along its own z."""
    raised = T.copy()
    raised[:3, 3] += T[:3, 2] * height
    return raised


def _on_floor(T: np.ndarray) -> Pose2:
    """Errors: Unfulfilled for what is not level on the floor."""
    if abs(T[2, 3]) > _LEVEL or T[2, 2] < np.cos(_LEVEL):
        raise Unfulfilled(INVALID_STATE_POSE, "it stands level on the floor: z, roll and pitch are 0")
    return Pose2.from_matrix(T)

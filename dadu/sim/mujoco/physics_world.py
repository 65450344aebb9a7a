"""A compiled house with one or several robots in it: MuJoCo's model and data, and what stands for what in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mujoco

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.format import Furniture, House, Object
from dadu.house.placement import Placement, place_objects
from dadu.house.states import start_states
from dadu.robots.starts import robot_names, start_poses
from dadu.sim.mujoco.robot.body import RobotBody
from dadu.sim.mujoco.robot.model import ContactBits, attach_robot
from dadu.sim.mujoco.scene.figure import add_figure
from dadu.sim.mujoco.scene.house_mjcf import build_spec
from dadu.sim.mujoco.scene.meshes import Meshes
from dadu.sim.mujoco.scene.obstacle import add_obstacle
from dadu.sim.settings import SimulationSettings


@dataclass(frozen=True)
class PhysicsWorld:
    """What can be read and changed between two steps."""

    house: House
    model: mujoco.MjModel
    data: mujoco.MjData
    bodies: tuple[RobotBody, ...]
    """of the robots, in the order in which they were given"""
    starts: tuple[Pose2, ...]
    """where each of them begins, map"""
    placements: dict[str, Placement]
    """where the objects stand at the start, by name"""
    states: dict[str, dict[str, bool]]
    """clean, filled, on and the like, by name of furniture and objects: physics knows nothing of them"""
    _view: mujoco.MjData = field(repr=False)
    holders: dict[str, str] = field(default_factory=dict)
    """who has what in their hand, by name of the thing, beside robots, of whom physics knows"""
    meshes: dict[str, str] = field(default_factory=dict)
    """by which things are shown, by their names, where not by primitives"""

    @property
    def body(self) -> RobotBody:
        """Of the robot, of several the first."""
        return self.bodies[0]

    @property
    def description(self) -> RobotDescription:
        """Of the robot, of several the first."""
        return self.body.description

    def snapshot(self, view: mujoco.MjData | None = None) -> mujoco.MjData:
        """The geometry at this moment, written into `view` (default: one of the world's own, overwritten by the next
        snapshot), so that it can be looked at while the world steps on."""
        view, data = self._view if view is None else view, self.data
        view.qpos[:] = data.qpos
        view.mocap_pos[:], view.mocap_quat[:] = data.mocap_pos, data.mocap_quat
        mujoco.mj_kinematics(self.model, view)
        mujoco.mj_camlight(self.model, view)
        return view


def compile_world(house: House, robots: RobotDescription | Sequence[RobotDescription], settings: SimulationSettings,
                  add: Callable[[mujoco.MjSpec], None] | None = None,
                  placements: dict[str, Placement] | None = None) -> PhysicsWorld:
    """The world at its start; `add` puts more into it before it is compiled; `placements` in place of the house's
    objects.

    Errors: ConfigError where the house's objects or its robots find no place, or meshes cannot be read.
    """
    robots = [robots] if isinstance(robots, RobotDescription) else robots
    starts, names = start_poses(house, robots), robot_names(len(robots))
    placements = place_objects(house) if placements is None else placements
    spec = build_spec(house, settings.physics, placements=placements)
    for name, robot, bits in zip(names, robots, ContactBits.of_each(len(robots)), strict=True):
        attach_robot(spec, robot, settings.camera.field_of_view, name, bits)
    add_obstacle(spec)
    if settings.person:
        add_figure(spec)
    if add is not None:
        add(spec)
    meshes = Meshes(Path(settings.meshes)).dress(spec, placements.values()) if settings.meshes else {}
    model = spec.compile()
    items: list[Furniture | Object] = [*house.furniture, *(placement.thing for placement in placements.values())]
    states = {item.name: start_states(item.category, item.states) for item in items}
    bodies = tuple(RobotBody(model, robot, name) for name, robot in zip(names, robots))
    return PhysicsWorld(house, model, mujoco.MjData(model), bodies, starts, placements, states, mujoco.MjData(model),
                        meshes=meshes)

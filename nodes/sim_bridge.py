"""Node ``sim_bridge``: simulated robots behind the topics, actions and services of real ones' drivers.

Takes /cmd_vel, /arm_controller/follow_joint_trajectory, /gripper_controller/gripper_cmd, /sim/reset, /sim/disturb, and
the services and the action of simulation_interfaces.
Gives /clock /tf /tf_static /odom /joint_states /scan /robot_description, the camera's topics, and, for evaluation and
privileged perception only, /camera/instances/image_raw and /sim/ground_truth; for people, while one looks,
/sim/outside/compressed. Of several robots (``robots``) each has all that is its own in a namespace of its own,
``/robot_0`` and so on; the world's services and one more clock are in the node's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from dadu_interfaces.srv import SimDisturb, SimReset
from dadu_nodes.simulator.robot_drivers import RobotDrivers
from dadu_nodes.simulator.standard import StandardServices
from dadu_nodes.support.convert.geometry import xyz
from dadu_nodes.support.incoming.intake import ListeningNode, NodeMustEnd
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.wall import STEADY
from pydantic import Field
from rclpy.node import Node

from dadu.bringup.environment import send_pictures
from dadu.bringup.naming import robot_words
from dadu.core.config import Settings
from dadu.core.errors import DaduError
from dadu.core.geometry import Vector3
from dadu.core.robot import RobotDescription
from dadu.house.files import house_path
from dadu.house.format import House
from dadu.robots import load_robot
from dadu.robots.starts import robot_names
from dadu.sim.backend import Backend, DisturbanceError
from dadu.sim.backends import Simulator, make_simulation, simulate_house
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import Resource, World, read_world
from dadu.sim.engine import Engine
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.sensor_faults import COPIES
from dadu.sim.settings import EngineSettings, SimulationSettings
from dadu.sim.viewer import Viewer
from dadu.stacks.person import SimulatedPerson, rounds


class BridgeSettings(Settings):
    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    robots: tuple[str, ...] = ()
    """several of such in one home, in place of `robot`"""
    house: str = "flat"
    """a name in maps/, or a ``*.house.yaml`` file"""
    simulator: Simulator = "mujoco"
    """which backend"""
    seed: int = Field(0, ge=-1)
    """places of objects and robot, and noise; -1: everything exactly as in the house file"""
    rtf: float = Field(1.0, ge=0)
    """real-time factor; 0: as fast as the listeners can follow"""
    instances: bool = True
    """whether the camera's picture of instances is drawn and published, which is a privilege to see through"""
    person: Literal["none", "walks", "stands"] = "none"
    """whether somebody is there (MuJoCo), and walks from room to room"""
    viewer: bool = False
    """whether MuJoCo's window is opened, on a desktop"""
    simulation: SimulationSettings = SimulationSettings()
    engine: EngineSettings = EngineSettings(resting=5)


class SimBridge(DaduNode[BridgeSettings]):
    """One world, and its robots' drivers."""

    live = ("rtf",)

    def __init__(self) -> None:
        super().__init__("sim_bridge", BridgeSettings)
        settings = self.settings
        robots = [load_robot(name) for name in settings.robots or (settings.robot,)]
        simulation = make_simulation(settings.simulator, settings.house, robots, settings.seed, _simulation(settings))
        self._robots = tuple(self._make_drivers(robots))
        self.engine = Engine(simulation, _engine_settings(settings), [robot.listener for robot in self._robots],
                             self.run_dir, settings.seed)
        self._inhabit(simulation)
        world = World(simulation.house, Resource(house_path(settings.house).resolve().as_uri()))
        build = partial(_build, settings)
        control = SimulatorControl(self.engine, world, settings.seed, build, self._introduce)
        for robot in self._robots:
            robot.serve(self.engine)
        self._world_services = WorldServices(self, self.engine, self._introduce, control)
        self._standard = StandardServices(self, control)
        self.create_timer(1.0, self._watch, clock=STEADY)
        self.get_logger().info(self.engine.resumed or f"{simulation.house.house}, seed {settings.seed}")
        self.sim_clock.at_work(False)  # it is its own
        self.engine.start()
        self._viewer = Viewer(self.engine) if settings.viewer else None

    def _make_drivers(self, robots: Sequence[RobotDescription]) -> Iterator[RobotDrivers]:
        """Those of a robot that is alone are the node's own; of several each has a node in its namespace."""
        scan_period = 1 / max(self.settings.simulation.laser.rate, 1e-3)
        if len(robots) == 1:
            yield RobotDrivers(self, 0, robots[0], scan_period)
            return
        for number, (name, robot) in enumerate(zip(robot_names(len(robots)), robots)):
            node = ListeningNode(self.get_name(), context=self.context, use_global_arguments=False,
                                 cli_args=robot_words(name), start_parameter_services=False)
            self.companions.append(node)
            yield RobotDrivers(node, number, robot, scan_period, world=None if number else self)

    def _take_settings(self, settings: BridgeSettings) -> None:
        super()._take_settings(settings)
        self.engine.pacer.set_factor(settings.rtf)

    def close(self) -> None:
        self._standard.close()
        for robot in self._robots:
            robot.close()
        if self._viewer is not None:
            self._viewer.close()
        self.engine.close()

    def _inhabit(self, simulation: Backend) -> None:
        """Begins the day of the person that the simulation was made with, if any; from where they stand."""
        if isinstance(simulation, Simulation) and simulation.settings.person:
            habit = rounds(simulation.house) if self.settings.person == "walks" else ()
            simulation.inhabitant = SimulatedPerson(simulation, habit=habit).advance

    def _introduce(self, simulation: Backend) -> None:
        self._inhabit(simulation)
        for robot in self._robots:
            robot.introduce(simulation)

    def _watch(self) -> None:
        if self.settings.simulator == "mujoco":  # of other simulators' worlds MuJoCo holds the robot alone
            for robot in self._robots:
                robot.look()
        self.health.set("real_time_factor", self.engine.pacer.measured)
        self.health.set("real_time_factor.target", self.engine.pacer.target)
        self.health.set("clock.held", self.engine.brake.held)
        if given_up := self.engine.brake.take_written_off():
            self.get_logger().warning(f"the clock goes on without {', '.join(given_up)}: no word of them")
        if not self.engine.alive:
            raise NodeMustEnd("the simulation has stopped; its log says why")


def _simulation(settings: BridgeSettings) -> SimulationSettings:
    camera = settings.simulation.camera
    drawn = camera.model_copy(update={"instances": camera.instances and settings.instances})
    return settings.simulation.model_copy(update={"camera": drawn, "person": settings.person != "none"})


def _build(settings: BridgeSettings, house: House, robots: Sequence[RobotDescription]) -> DrivenBackend:
    return simulate_house(settings.simulator, house, robots, settings.seed, _simulation(settings))


def _engine_settings(settings: BridgeSettings) -> EngineSettings:
    pacing = settings.engine.pacing.model_copy(update={"rtf": settings.rtf})
    return settings.engine.model_copy(update={"pacing": pacing})


class WorldServices:
    """Changes the world from outside; an impossible wish is answered with a sentence."""

    def __init__(self, node: Node, engine: Engine, changed: Callable[[Backend], None],
                 control: SimulatorControl) -> None:
        """`changed` hears of another house."""
        self._engine, self._changed, self._control = engine, changed, control
        node.create_service(SimReset, "sim/reset", self._reset)
        node.create_service(SimDisturb, "sim/disturb", self._disturb)

    def _reset(self, request: SimReset.Request, response: SimReset.Response) -> SimReset.Response:
        try:
            if request.house:
                self._replace(request.house, request.seed)
            else:
                with self._engine.exclusive() as simulation:
                    simulation.reset(request.seed)
        except DaduError as error:
            response.success, response.message = False, str(error)
        else:
            response.success, response.message = True, "back at the start"
        return response

    def _replace(self, house: str, seed: int) -> None:
        with self._engine.exclusive() as simulation:
            robots, settings = simulation.descriptions, simulation.settings
            simulator: Simulator = "mujoco" if isinstance(simulation, Simulation) else "habitat"
        new = make_simulation(simulator, house, robots, seed, settings)
        self._engine.replace(lambda old: new)
        self._changed(new)
        self._control.replaced(read_world(Resource(house)))

    def _disturb(self, request: SimDisturb.Request, response: SimDisturb.Response) -> SimDisturb.Response:
        position = xyz(request.position)
        if not all(map(math.isfinite, position)):
            response.success, response.message = False, "the position holds a number that is not finite"
            return response
        try:
            response.message = self._disturbed(request, position)
            response.success = True
        except DaduError as error:
            response.success, response.message = False, str(error)
        return response

    def _disturbed(self, request: SimDisturb.Request, position: Vector3) -> str:
        """Of the world, of a sensor (`object`), or of the clock, which is set ahead (``set_ahead``) by `target` [s]."""
        if request.kind in COPIES:
            with self._engine.exclusive():
                return self._engine.sensor_faults.apply(request.kind, request.object)
        if request.kind == "set_ahead":
            self._engine.set_ahead(_seconds(request.target))
            return f"the clock is set ahead by {request.target} s"
        with self._engine.exclusive() as simulation:
            return simulation.disturb(request.kind, request.object, request.target, position)


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DisturbanceError(f"set_ahead takes seconds as its target, not {text!r}") from None


def main() -> None:
    send_pictures()
    run(SimBridge)

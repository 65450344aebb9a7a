"""Node ``sim_bridge``: the simulated robot behind the topics, actions and services of a real one's drivers.

Takes /cmd_vel, /arm_controller/follow_joint_trajectory, /gripper_controller/gripper_cmd, /sim/reset, /sim/disturb, and
the services and the action of simulation_interfaces.
Gives /clock /tf /tf_static /odom /joint_states /scan /robot_description, the camera's topics, and, for evaluation and
privileged perception only, /camera/instances/image_raw and /sim/ground_truth; for people, while one looks,
/sim/outside/compressed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from control_msgs.action import GripperCommand as GripperAction
from dadu_nodes.simulator.arm_server import ArmServer
from dadu_nodes.simulator.driver_requests import grip, grip_refusal
from dadu_nodes.simulator.goal_server import Driver, GoalServer
from dadu_nodes.simulator.publishers import Publishers
from dadu_nodes.simulator.standard import StandardServices
from dadu_nodes.simulator.world_services import WorldServices
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert.gripper import grip_report
from dadu_nodes.support.incoming.intake import Ends
from dadu_nodes.support.incoming.twists import TwistSubscription
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.work import WorkListener
from diagnostic_msgs.msg import DiagnosticArray
from pydantic import Field
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from dadu.bringup.environment import send_pictures
from dadu.core.config import Settings
from dadu.core.robot import Command, RobotDescription, Twist
from dadu.house.files import house_path
from dadu.house.format import House
from dadu.robots import load_robot
from dadu.sim.backend import Backend
from dadu.sim.backends import Simulator, make_simulation, simulate_house
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import Resource, World
from dadu.sim.engine import Engine
from dadu.sim.engine_settings import EngineSettings
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.robot.driver_goals import GoalVerdict, GripperGoal
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.state import link_poses
from dadu.sim.outside_view import OutsideView
from dadu.sim.settings import SimulationSettings
from dadu.sim.viewer import Viewer


class BridgeSettings(Settings):
    """Parameters of the node."""

    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
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
    viewer: bool = False
    """whether MuJoCo's window is opened, on a desktop"""
    simulation: SimulationSettings = SimulationSettings()
    engine: EngineSettings = EngineSettings(resting=5)


class SimBridge(DaduNode[BridgeSettings]):
    """Translates between an `Engine` and ROS."""

    live = ("rtf",)

    def __init__(self) -> None:
        super().__init__("sim_bridge", BridgeSettings)
        settings, robot = self.settings, load_robot(self.settings.robot)
        simulation = make_simulation(settings.simulator, settings.house, robot, settings.seed, _simulation(settings))
        self._reports = Publishers(self, robot, scan_period=1 / max(settings.simulation.laser.rate, 1e-3))
        listener = replace(self._reports.listener(), work=WorkListener(self).reports)
        self.engine = Engine(simulation, _engine_settings(settings), listener, self.run_dir, settings.seed)
        world = World(simulation.house, Resource(house_path(settings.house).resolve().as_uri()))
        build = partial(_build, settings)
        control = SimulatorControl(self.engine, world, settings.seed, build, self._introduce)
        self._servers = (ArmServer(self, self.engine), GripperServer(self, self.engine, robot),
                         WorldServices(self, self.engine, self._introduce, control))
        self._standard = StandardServices(self, control)
        TwistSubscription(self, "cmd_vel", self._on_twist)
        self.create_subscription(DiagnosticArray, "diagnostics", self._on_diagnostics, qos.STATE)
        self.create_timer(1.0, self._watch, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._introduce(simulation)
        self._reports.describe(link_poses(simulation, simulation.snapshot(), simulation.body.fixed_links))
        self.get_logger().info(self.engine.resumed or f"{simulation.house.house}, seed {settings.seed}")
        self.sim_clock.at_work(False)  # it is its own
        self.engine.start()
        self._viewer = Viewer(self.engine) if settings.viewer else None
        self._outside = OutsideView(self.engine, self._reports.outside)

    def _take_settings(self, settings: BridgeSettings) -> None:
        super()._take_settings(settings)
        self.engine.pacer.set_factor(settings.rtf)

    def close(self) -> None:
        self._standard.close()
        self._outside.close()
        if self._viewer is not None:
            self._viewer.close()
        self.engine.close()

    def _introduce(self, simulation: Backend) -> None:
        self._reports.house = simulation.house.house
        self._reports.instances = (simulation.instance_names, simulation.instance_categories)

    def _on_twist(self, twist: Twist) -> None:
        with self.engine.exclusive() as simulation:
            simulation.robot.act(Command(base=twist))

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        """Every node stamps its health with its own clock: how far it is behind tells how busy it is."""
        if any(status.name == self.get_name() for status in message.status):
            return
        with self.engine.exclusive() as simulation:
            now = simulation.time
        self.engine.pacer.report(now - seconds(message.header.stamp))

    def _watch(self) -> None:
        if self.settings.simulator == "mujoco":  # of other simulators' worlds MuJoCo holds the robot alone
            self._outside.look(self._reports.outside_wanted)
        self.health.set("real_time_factor", self.engine.pacer.measured)
        self.health.set("real_time_factor.target", self.engine.pacer.target)
        self.health.set("clock.held", self.engine.brake.held)
        if given_up := self.engine.brake.take_written_off():
            self.get_logger().warning(f"the clock goes on without {', '.join(given_up)}: no word of them")
        if not self.engine.alive:
            raise Ends("the simulation has stopped; its log says why")


def _simulation(settings: BridgeSettings) -> SimulationSettings:
    camera = settings.simulation.camera
    drawn = camera.model_copy(update={"instances": camera.instances and settings.instances})
    return settings.simulation.model_copy(update={"camera": drawn})


def _build(settings: BridgeSettings, house: House, robot: RobotDescription) -> DrivenBackend:
    return simulate_house(settings.simulator, house, robot, settings.seed, _simulation(settings))


def _engine_settings(settings: BridgeSettings) -> EngineSettings:
    pacing = settings.engine.pacing.model_copy(update={"rtf": settings.rtf})
    return settings.engine.model_copy(update={"pacing": pacing})


class GripperServer:
    """Opens and closes; squeezing something ends a goal as stalled, which is a success."""

    def __init__(self, node: Node, engine: Engine, robot: RobotDescription) -> None:
        self._engine, self._robot = engine, robot
        driver = Driver(self._start, self._verdict, self._hold, self._result, self._feedback)
        self._server = GoalServer(node, GripperAction, "gripper_controller/gripper_cmd", driver, grip_refusal)

    def _start(self, request: GripperAction.Goal) -> GripperGoal:
        command = grip(request, self._robot)
        with self._engine.exclusive() as simulation:
            simulation.robot.act(Command(gripper=command))
            return GripperGoal(command, simulation.time, simulation.robot.gripper.force)

    def _verdict(self, goal: GripperGoal) -> GoalVerdict | None:
        with self._engine.exclusive() as simulation:
            return goal.verdict(simulation.time, simulation.body.gripper(simulation.data))

    def _hold(self) -> None:
        """A cancelled grip keeps its grip: letting go could drop something."""

    def _result(self, verdict: GoalVerdict | None) -> GripperAction.Result:
        return grip_report(GripperAction.Result(), self._fingers(), verdict)

    def _feedback(self, goal: GripperGoal) -> GripperAction.Feedback:
        return grip_report(GripperAction.Feedback(), self._fingers())

    def _fingers(self) -> GripperState:
        with self._engine.exclusive() as simulation:
            return simulation.body.gripper(simulation.data)


def main() -> None:
    send_pictures()
    run(SimBridge)


if __name__ == "__main__":
    main()

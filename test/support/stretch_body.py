"""A Stretch of flesh and blood, as far as ROS can tell: a house and a robot in MuJoCo behind a strict stretch_driver,
with what stands beside that driver on a real one, by the names, kinds and frames that are used there.

``python stretch_body.py HOUSE`` gives the clock, too, which waits for driver, adapter and nodes at work: what is tried
is not the speed of the machine. What only a judge may know is in /body.
"""

import math
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import numpy as np
import rclpy
from builtin_interfaces.msg import Time
from dadu_interfaces.msg import GroundTruth
from dadu_nodes.simulator.truth_message import truth_message
from dadu_nodes.simulator.world_services import WorldServices
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.convert.geometry import planar_pose, tf
from dadu_nodes.support.convert.images import camera_info, image_message
from dadu_nodes.support.convert.sensors import scan_message
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.work import WorkListener
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, CameraInfo, Image, JointState, LaserScan
from stand_in_stretch import StretchDriver
from std_msgs.msg import Header, String
from stretch_motors import StretchMotors
from tf2_msgs.msg import TFMessage

from dadu.bringup.environment import environment, send_pictures
from dadu.core.robot import Command, GripperCommand, Twist
from dadu.house.files import load_house
from dadu.robots import load_robot
from dadu.sim.debts import Work, WorkReport
from dadu.sim.engine import Engine, Listener
from dadu.sim.engine_settings import EngineSettings
from dadu.sim.mujoco.robot.state import link_poses
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.pacing import PacingSettings
from dadu.sim.settings import SimulationSettings

LIFT_NEWTONS, GRIP_NEWTONS = 0.7, 0.5
"""[N] per percent, as the adapter has it before it is calibrated"""
LIFT_AT_REST = 20.0
"""[%] that the lift's motor needs to hold the arm's own weight"""
MAST = (1.75, 2.31)
"""[rad] where the laser sees the robot's own mast; laser_filters takes that out"""
NAMES = {"grasp_center": "link_grasp_center"}
"""frames that are called otherwise on a real one"""
BRAKING = 0.3
"""of the base's increments [m/s^2]"""
DRIVER = qos.QoSProfile(depth=1)
"""reliable and volatile, as drivers publish by default"""


class Waiting:
    """Who must have kept up before time goes on, beside the nodes that say so: the driver, and the adapter by the
    newest joint states that it has passed on."""

    def __init__(self, node, driver):
        self._nodes, self._driver = WorkListener(node), driver
        self._heard, self._adapter = PolledSubscriptions(node), None
        self._heard.add(JointState, "/stretch_adapter/joint_states", self._on_joints, qos.SENSOR_NEWEST)

    def reports(self):
        self._heard.poll()
        until = {"stretch_driver": self._driver.stepped, "stretch_adapter": self._adapter}
        return [*self._nodes.reports(), *(WorkReport(name, Work.TICK, at) for name, at in until.items() if at)]

    def _on_joints(self, message, _):
        self._adapter = seconds(message.header.stamp)


class Sensors:
    """Laser and camera, which have drivers of their own, and the robot's description."""

    def __init__(self, node, robot):
        self._robot = robot
        self._raw, self._filtered = (node.create_publisher(LaserScan, name, 10) for name in ("/scan", "/scan_filtered"))
        self._color, self._depth = (node.create_publisher(Image, f"/camera/{name}/image_raw", 10)
                                    for name in ("color", "aligned_depth_to_color"))
        self._info = node.create_publisher(CameraInfo, "/camera/color/camera_info", 10)
        description = node.create_publisher(String, "/robot_description", qos.LATCHED)
        description.publish(String(data=Path(robot.urdf).read_text()))

    def scan(self, scan):
        header = Header(stamp=stamp(scan.stamp), frame_id=self._robot.laser_link)
        message = scan_message(scan, header, 0.1)
        self._raw.publish(message)
        angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
        hidden = (angles > MAST[0]) & (angles < MAST[1])
        message.ranges = np.where(hidden, message.range_max + 1, scan.ranges).astype(np.float32)
        self._filtered.publish(message)

    def camera(self, frame):
        header = Header(stamp=stamp(frame.stamp), frame_id=self._robot.camera_link)
        height, width = frame.depth.shape
        self._info.publish(camera_info(frame.K, width, height, header))
        self._depth.publish(image_message(np.rint(frame.depth * 1e3), "16UC1", header))
        self._color.publish(image_message(frame.rgb, "rgb8", header))


class EmbodiedDriver(StretchDriver):
    """The stand-in over a body with weight, in a world."""

    def __init__(self, node, simulation):
        self._newest, self._at, self._sought, self.stepped = None, None, None, None
        self.engine, self._motor_drive = None, StretchMotors(simulation.description)
        simulation.robot.joints = self._motor_drive
        simulation.robot.joints.reset(simulation.description.home)
        self._odom = node.create_publisher(Odometry, "/odom", DRIVER)
        self._battery = node.create_publisher(BatteryState, "/battery", DRIVER)
        self._merged = node.create_publisher(JointState, "/joint_states", 10)
        self._tf = node.create_publisher(TFMessage, "/tf", qos.TF)
        static = node.create_publisher(TFMessage, "/tf_static", qos.TF_STATIC)
        links = link_poses(simulation, simulation.snapshot(), simulation.body.fixed_links)
        static.publish(TFMessage(transforms=[_transform(link, Time()) for link in links]))
        super().__init__(node)
        self._sought = self._grip  # nobody has moved them yet

    def felt(self, state, odom):
        """What the body reports, in the engine's thread."""
        self._newest = state, odom

    def _move(self, dt):
        self.stepped = self._now()
        if self._newest is None:
            return
        for name, goal in self._motors.items():
            self._motor_drive.go(name, goal, self._speed.get(name))
        with self.engine.exclusive() as simulation:
            simulation.robot.act(Command(base=self._velocity(dt), gripper=self._fingers()))
        self._joints_felt(*self._newest)

    def _joints_felt(self, state, odom):
        step = (self._at.inverse() * state.base) if self._at is not None else None
        self._at, self.joints, self.aperture = state.base, dict(state.joints), state.gripper.aperture
        if step is not None:
            self._left = {"translate_mobile_base": _less(self._left["translate_mobile_base"], step.x),
                          "rotate_mobile_base": _less(self._left["rotate_mobile_base"], step.yaw)}

    def _velocity(self, dt):
        """Of the base: increments come to rest where they are to end."""
        if self.mode == "navigation":
            return Twist(*self.velocity)
        speeds = []
        for name in ("translate_mobile_base", "rotate_mobile_base"):
            left = self._left[name]
            top = min(self._speed.get(name) or 0.2, math.sqrt(2 * BRAKING * abs(left)), abs(left) / dt)
            speeds.append(math.copysign(top, left) if abs(left) > 1e-4 else 0.0)
        return Twist(*speeds)

    def _fingers(self):
        """A command where the one before was another."""
        if self._grip == self._sought:
            return None
        self._sought = self._grip
        return GripperCommand(max(self._grip, 0.0))

    def _stop_motors(self):
        super()._stop_motors()
        self._motor_drive.stop()

    def _efforts(self, positions):
        state, _ = self._newest
        efforts = dict.fromkeys(positions, 5.0)
        efforts["joint_lift"] = LIFT_AT_REST + state.efforts["joint_lift"] / LIFT_NEWTONS
        finger = -state.gripper.effort / GRIP_NEWTONS
        return efforts | dict.fromkeys(("joint_gripper_finger_left", "joint_gripper_finger_right"), finger)

    def _report(self, _):
        if self._newest is None:
            return
        state, odom = self._newest
        message = super()._report(stamp(state.stamp))
        self._merged.publish(message)
        now = message.header.stamp
        pose = planar_pose(odom)
        odometry = Odometry(header=Header(stamp=now, frame_id="odom"), child_frame_id="base_link")
        odometry.pose.pose = pose
        odometry.twist.twist.linear.x, odometry.twist.twist.angular.z = state.twist.vx, state.twist.wz
        self._odom.publish(odometry)
        self._battery.publish(BatteryState(header=Header(stamp=now), voltage=12.6, percentage=math.nan))
        base = TransformStamped(header=Header(stamp=now, frame_id="odom"), child_frame_id="base_link",
                                transform=tf(odom.matrix()))
        self._tf.publish(TFMessage(transforms=[base, *(_transform(link, now) for link in state.links)]))


def _transform(link, time):
    return TransformStamped(header=Header(stamp=time, frame_id=NAMES.get(link.parent, link.parent)),
                            child_frame_id=NAMES.get(link.child, link.child), transform=tf(link.T))


def _less(left, gone):
    """What is left of an increment after `gone` of it; nothing once it is through."""
    return left - gone if left and left * (left - gone) > 0 else 0.0


def main():
    run_dir = Path(tempfile.mkdtemp())
    os.environ.update(environment(run_dir))
    send_pictures()
    rclpy.init()
    driver_node = rclpy.create_node("stretch_driver", parameter_overrides=[Parameter("use_sim_time", value=True)])
    judge = rclpy.create_node("judge", namespace="/body")
    house, robot = load_house(sys.argv[1]), load_robot("stretch")
    settings = SimulationSettings()
    camera = settings.camera.model_copy(update={"instances": False})
    simulation = Simulation(house, robot, -1, settings.model_copy(update={"camera": camera}))
    driver, sensors = EmbodiedDriver(driver_node, simulation), Sensors(driver_node, robot)
    clock = driver_node.create_publisher(Clock, "/clock", qos.COMMAND)
    truths = judge.create_publisher(GroundTruth, "sim/ground_truth", qos.STATE)
    refused = judge.create_publisher(String, "refused", qos.STATE)
    names = simulation.instance_names, simulation.instance_categories

    def tell(state, factor):
        truths.publish(truth_message(state, house.house, names, factor))
        refused.publish(String(data="; ".join(driver.errors)))

    listener = Listener(lambda now: clock.publish(Clock(clock=stamp(now))), driver.felt, sensors.scan, sensors.camera,
                        tell, Waiting(driver_node, driver).reports)
    pacing = PacingSettings(rtf=2.0)  # at most: the clock waits for all that count
    engine = driver.engine = Engine(
        simulation, EngineSettings(state_period=0.02, checkpoint_period=1e9, pacing=pacing), listener, run_dir)
    WorldServices(judge, engine, lambda _: None)
    executor = SingleThreadedExecutor()
    executor.add_node(driver_node)
    executor.add_node(judge)
    engine.start()
    try:
        executor.spin()
    except (KeyboardInterrupt, ExternalShutdownException):
        engine.close()


if __name__ == "__main__":
    main()

"""What stands in a real robot's place: a house and a robot in MuJoCo, behind drivers of the test that are as strict as
the real ones, with a laser and a camera beside them.

It gives the clock, too, which waits for drivers, adapter and nodes at work: what is tried is not the speed of the
machine. What only a judge may know is in /body.
"""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import numpy as np
import rclpy
from builtin_interfaces.msg import Time
from dadu_interfaces.msg import GroundTruth
from dadu_nodes.sim_bridge import WorldServices
from dadu_nodes.simulator.publishers import camera_info, image_message, truth_message
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.convert.geometry import planar_pose, tf
from dadu_nodes.support.convert.sensors import scan_message
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.work import WorkListener
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Image, JointState, LaserScan
from std_msgs.msg import Header, String
from tf2_msgs.msg import TFMessage

from dadu.bringup.environment import environment, send_pictures
from dadu.house.files import load_house
from dadu.robots import load_robot
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import Resource, World
from dadu.sim.engine import Engine, Listener
from dadu.sim.mujoco.robot.state import link_poses
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.pacing import PacingSettings
from dadu.sim.settings import EngineSettings, SimulationSettings
from dadu.sim.time_sync import Work, WorkReport

DRIVER = qos.QoSProfile(depth=10)
"""reliable and volatile, as drivers publish by default"""


class Body:
    """What drivers reach of the robot: `engine`, and `state` and `odom`, which it reports in a thread of its own."""

    def __init__(self, node, simulation, odom, renamed):
        """`odom`: the topic; `renamed`: frames of ours to what they are called there."""
        self.engine = self.state = self.odom = None
        self._renamed = renamed
        self._odometry = node.create_publisher(Odometry, odom, DRIVER)
        self._tf = node.create_publisher(TFMessage, "/tf", qos.TF)
        static = node.create_publisher(TFMessage, "/tf_static", qos.TF_STATIC)
        links = link_poses(simulation.body, simulation.snapshot(), simulation.body.fixed_links)
        static.publish(TFMessage(transforms=[self._transform(link, Time()) for link in links]))
        description = node.create_publisher(String, "/robot_description", qos.LATCHED)
        description.publish(String(data=Path(simulation.description.urdf).read_text()))

    def felt(self, state, odom):
        self.state, self.odom = state, odom

    def act(self, command):
        with self.engine.exclusive() as simulation:
            simulation.robot.act(command)

    def report(self):
        """Odometry and transforms."""
        state, now = self.state, stamp(self.state.stamp)
        odometry = Odometry(header=Header(stamp=now, frame_id="odom"), child_frame_id="base_link")
        odometry.pose.pose = planar_pose(self.odom)
        odometry.twist.twist.linear.x, odometry.twist.twist.angular.z = state.twist.vx, state.twist.wz
        self._odometry.publish(odometry)
        base = TransformStamped(header=odometry.header, child_frame_id="base_link", transform=tf(self.odom.matrix()))
        self._tf.publish(TFMessage(transforms=[base, *(self._transform(link, now) for link in state.links)]))

    def _transform(self, link, time):
        parent, child = (self._renamed.get(name, name) for name in (link.parent, link.child))
        return TransformStamped(header=Header(stamp=time, frame_id=parent), child_frame_id=child, transform=tf(link.T))


class Waiting:
    """Who must have kept up before time goes on, beside the nodes that say so: the drivers, and the adapter by the
    newest joint states that it has passed on."""

    def __init__(self, node, stepped, adapter):
        """`stepped()`: until when the drivers have worked [s]; `adapter`: the node's name."""
        self._nodes, self._stepped, self._adapter = WorkListener(node), stepped, None
        self._heard = PolledSubscriptions(node)
        self._heard.add(JointState, f"/{adapter}/joint_states", self._on_joints, qos.SENSOR_NEWEST)

    def reports(self):
        self._heard.poll()
        until = {"drivers": self._stepped(), "adapter": self._adapter}
        return [*self._nodes.reports(), *(WorkReport(name, Work.TICK, at) for name, at in until.items() if at)]

    def _on_joints(self, message, _):
        self._adapter = seconds(message.header.stamp)


class Laser:
    """Publishes scans on `topics`; `hidden`: from where to where the robot itself is in the way [rad]."""

    def __init__(self, node, frame, topics, hidden=(0.0, 0.0)):
        self._frame, self._hidden = frame, hidden
        self._publishers = [node.create_publisher(LaserScan, topic, DRIVER) for topic in topics]

    def scan(self, scan):
        message = scan_message(scan, Header(stamp=stamp(scan.stamp), frame_id=self._frame), 0.1)
        angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
        hidden = (angles > self._hidden[0]) & (angles < self._hidden[1])
        message.ranges = np.where(hidden, message.range_max + 1, scan.ranges).astype(np.float32)
        for publisher in self._publishers:
            publisher.publish(message)


class Camera:
    """realsense2_camera with depth aligned, in namespace `name`."""

    def __init__(self, node, frame, name):
        self._frame = frame
        self._color, self._depth = (node.create_publisher(Image, f"{name}/{kind}/image_raw", DRIVER)
                                    for kind in ("color", "aligned_depth_to_color"))
        self._info = node.create_publisher(CameraInfo, f"{name}/color/camera_info", DRIVER)

    def take(self, frame):
        header = Header(stamp=stamp(frame.stamp), frame_id=self._frame)
        height, width = frame.depth.shape
        self._info.publish(camera_info(frame.K, width, height, header))
        self._depth.publish(image_message(np.rint(frame.depth * 1e3), "16UC1", header))
        self._color.publish(image_message(frame.rgb, "rgb8", header))


def run(robot, house, adapter, make):
    """Stands in `house` until it is told to end. `make(node, simulation)`: the drivers, with `body`, `laser`, `camera`,
    `stepped` [s] and `refused`, what they did not do and why."""
    run_dir = Path(tempfile.mkdtemp())
    os.environ.update(environment(run_dir))
    send_pictures()
    rclpy.init()
    node = rclpy.create_node("drivers", parameter_overrides=[Parameter("use_sim_time", value=True)])
    judge = rclpy.create_node("judge", namespace="/body")
    settings = SimulationSettings()
    camera = settings.camera.model_copy(update={"instances": False})
    simulation = Simulation(load_house(house), load_robot(robot), -1, settings.model_copy(update={"camera": camera}))
    drivers = make(node, simulation)
    clock = node.create_publisher(Clock, "/clock", qos.COMMAND)
    listener = Listener(lambda now: clock.publish(Clock(clock=stamp(now))), drivers.body.felt, drivers.laser.scan,
                        drivers.camera.take, _judge(judge, simulation, drivers),
                        Waiting(node, lambda: drivers.stepped, adapter).reports)
    pacing = PacingSettings(rtf=2.0)  # at most: the clock waits for all that count
    engine = drivers.body.engine = Engine(
        simulation, EngineSettings(state_period=0.02, checkpoint_period=1e9, pacing=pacing), [listener], run_dir)
    control = SimulatorControl(engine, World(simulation.house, Resource("file:///stand_in")), -1,
                               lambda house, body: Simulation(house, body, -1, simulation.settings), lambda _: None)
    WorldServices(judge, engine, lambda _: None, control)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    executor.add_node(judge)
    engine.start()
    try:
        executor.spin()
    except (KeyboardInterrupt, ExternalShutdownException):
        engine.close()


def _judge(node, simulation, drivers):
    truths = node.create_publisher(GroundTruth, "sim/ground_truth", qos.STATE)
    refused = node.create_publisher(String, "refused", qos.STATE)
    names = simulation.instance_names, simulation.instance_categories

    def tell(state, factor):
        truths.publish(truth_message(state, simulation.house.house, names, factor))
        refused.publish(String(data="; ".join(drivers.refused)))

    return tell

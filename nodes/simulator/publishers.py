"""What the simulator reports, as messages."""

from __future__ import annotations

import array
import math
from pathlib import Path
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from dadu_interfaces.msg import BodyState, GroundTruth
from dadu_nodes.support import qos
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.frames_wire import FramePose, frames_message
from dadu_nodes.support.convert.geometry import orientation, planar_pose, point, pose2d, vector
from dadu_nodes.support.convert.sensors import scan_message
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.listening.robot import GRIPPER_JOINT
from geometry_msgs.msg import Pose
from nav_msgs.msg import Odometry
from rclpy._rclpy_pybind11 import RCLError
from rclpy.node import Node
from rclpy.publisher import Publisher
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState, LaserScan
from std_msgs.msg import Header, String
from tf2_msgs.msg import TFMessage

from dadu.core.geometry import Pose2, quaternion
from dadu.core.robot import CameraFrame, RobotDescription
from dadu.core.robot import LaserScan as Scan
from dadu.operator.run.pictures import encode_jpeg
from dadu.sim.engine import Listener
from dadu.sim.mujoco.robot.state import LinkPose, RobotState
from dadu.world.state import ObjectState, WorldState

_LEVEL = math.ulp(1.0)
"""variance of height, roll and pitch: the floor is level"""
_COVARIANCE = np.diag((1e-4, 1e-4, _LEVEL, _LEVEL, _LEVEL, 1e-4)).ravel()
"""(36,) of odometry over a metre [m^2, rad^2], as drivers fill it in"""


class Publishers:
    """Publishes from the engine's threads; each method is one of `dadu.sim.engine.Listener`'s callbacks."""

    def __init__(self, node: Node, robot: RobotDescription, scan_period: float, world: Node | None = None) -> None:
        """`world`: another node that has the clock, too."""
        self._context = node.context
        self._robot, self._scan_period, self._frames = robot, scan_period, FrameNames.from_node(node)
        self.house = ""
        self.instances: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        """names and categories by pixel value"""
        self._drawn: tuple[CameraFrame, list[tuple[Publisher, Image]]] | None = None
        """the newest pictures as they were sent"""
        self._clocks = [each.create_publisher(Clock, "/clock", qos.COMMAND) for each in (node, world) if each]
        self._tf = node.create_publisher(TFMessage, "/tf", qos.TF)
        self._tf_static = node.create_publisher(TFMessage, "/tf_static", qos.LATCHED)
        self._odom = node.create_publisher(Odometry, "odom", qos.SENSOR)
        self._joints = node.create_publisher(JointState, "joint_states", qos.SENSOR)
        self._scan = node.create_publisher(LaserScan, "scan", qos.SENSOR)
        self._color = node.create_publisher(Image, "camera/color/image_raw", qos.CAMERA)
        self._depth = node.create_publisher(Image, "camera/depth/image_raw", qos.CAMERA)
        self._segments = node.create_publisher(Image, "camera/instances/image_raw", qos.CAMERA)
        self._info = node.create_publisher(CameraInfo, "camera/color/camera_info", qos.LATCHED)
        self._truth = node.create_publisher(GroundTruth, "sim/ground_truth", qos.STATE)
        self._outside = node.create_publisher(CompressedImage, "sim/outside/compressed", qos.NEWEST)
        self._description = node.create_publisher(String, "robot_description", qos.LATCHED)

    def listener(self) -> Listener:
        """For the engine."""
        return Listener(self.clock, self.state, self.scan, self.camera, self.truth)

    def describe(self, links: list[LinkPose]) -> None:
        """Once: the URDF, and the links that do not move."""
        self._send(self._description, String(data=Path(self._robot.urdf).read_text()))
        self._send(self._tf_static, frames_message([self._frame(link) for link in links], Time()))

    def clock(self, now: float) -> None:
        for clock in self._clocks:
            self._send(clock, Clock(clock=stamp(now)))

    def state(self, state: RobotState, odom: Pose2) -> None:
        time = stamp(state.stamp)
        base = LinkPose("odom", "base_link", odom.matrix())
        self._send(self._tf, frames_message([self._frame(link) for link in (base, *state.links)], time))
        self._send(self._odom, self._frames.sent(_odometry(state, odom, time)))
        fingers = {"joint_gripper_finger_left": state.gripper.aperture / 2, GRIPPER_JOINT: state.gripper.aperture}
        efforts = [*state.efforts.values(), state.gripper.effort, state.gripper.effort]
        positions = state.joints | fingers
        self._send(self._joints, JointState(header=Header(stamp=time), name=list(positions), effort=efforts,
                                        position=list(positions.values())))

    def scan(self, scan: Scan) -> None:
        header = Header(stamp=stamp(scan.stamp), frame_id=self._frames.outside(self._robot.laser_link))
        self._send(self._scan, scan_message(scan, header, self._scan_period))

    def camera(self, frame: CameraFrame) -> None:
        header = Header(stamp=stamp(frame.stamp), frame_id=self._frames.outside(self._robot.camera_link))
        height, width = frame.depth.shape
        self._send(self._info, camera_info(frame.K, width, height, header))
        if self._drawn is None or self._drawn[0].rgb is not frame.rgb:
            self._drawn = frame, self._pictures(frame)
        for publisher, message in self._drawn[1]:
            message.header = header
            self._send(publisher, message)

    def _pictures(self, frame: CameraFrame) -> list[tuple[Publisher, Image]]:
        """That of colour last: with it all are there."""
        segments = [] if frame.instances is None else [
            (self._segments, image_message(frame.instances, "16UC1", Header()))]
        return [*segments,
                (self._depth, image_message(np.rint(frame.depth * 1e3), "16UC1", Header())),  # REP 118: millimetres
                (self._color, image_message(frame.rgb, "rgb8", Header()))]

    @property
    def outside_wanted(self) -> bool:
        """True while somebody hears pictures from outside."""
        return self._outside.get_subscription_count() > 0

    def outside(self, now: float, rgb: np.ndarray) -> None:
        """uint8 (H, W, 3): the robot at time `now` [s], as it is seen from outside."""
        header = Header(stamp=stamp(now), frame_id="outside")
        # An array.array is taken over as it is, see `image_message`.
        data = array.array("B", encode_jpeg(rgb))
        self._send(self._outside, CompressedImage(header=header, format="rgb8; jpeg compressed bgr8", data=data))

    def truth(self, state: WorldState, real_time_factor: float) -> None:
        told = truth_message(state, self.house, self.instances, real_time_factor)
        self._send(self._truth, self._frames.sent(told))

    def _frame(self, link: LinkPose) -> FramePose:
        outside, T = self._frames.outside, link.T
        return FramePose(outside(link.parent), outside(link.child), T[:3, 3].tolist(), quaternion(T[:3, :3]))

    def _send(self, publisher: Publisher, message: Any) -> None:
        try:
            publisher.publish(message)
        except RCLError:
            if self._context.ok():
                raise  # else the node is being shut down around the engine's threads


def _odometry(state: RobotState, odom: Pose2, time: Time) -> Odometry:
    message = Odometry(header=Header(stamp=time, frame_id="odom"), child_frame_id="base_link")
    message.pose.pose = planar_pose(odom)
    message.twist.twist = encode.twist(state.twist)
    message.pose.covariance = message.twist.covariance = _COVARIANCE
    return message


_TYPES: dict[str, type[np.generic]] = {"rgb8": np.uint8, "bgr8": np.uint8, "rgba8": np.uint8, "bgra8": np.uint8,
                                       "mono8": np.uint8, "16UC1": np.uint16, "mono16": np.uint16, "32FC1": np.float32,
                                       "32SC1": np.int32}


def image_message(pixels: np.ndarray, encoding: str, header: Header) -> Image:
    """From (H, W) or (H, W, C) of the encoding's type."""
    pixels = np.ascontiguousarray(pixels, _TYPES[encoding])
    message = Image(header=header, height=pixels.shape[0], width=pixels.shape[1], encoding=encoding,
                    step=pixels.nbytes // pixels.shape[0])
    # An array.array is taken over as it is; bytes or NumPy would be converted element by element.
    message.data = array.array("B", pixels.tobytes())
    return message


def camera_info(K: np.ndarray, width: int, height: int, header: Header) -> CameraInfo:
    """Pinhole without distortion."""
    P = np.hstack([K, np.zeros((3, 1))])
    return CameraInfo(header=header, width=width, height=height, distortion_model="plumb_bob", d=[0.0] * 5,
                      k=K.reshape(9).astype(float), r=np.eye(3).reshape(9), p=P.reshape(12).astype(float))


def truth_message(state: WorldState, house: str, instances: tuple[tuple[str, ...], tuple[str, ...]],
                  real_time_factor: float) -> GroundTruth:
    """`instances`: names and categories by pixel value."""
    names, categories = instances
    furniture = {f"{id}/{state}": value for id, states in state.furniture.items() for state, value in states.items()}
    return GroundTruth(
        header=Header(stamp=stamp(state.stamp), frame_id="map"), house=house, robot=pose2d(state.robot),
        other_names=list(state.others), others=[pose2d(pose) for pose in state.others.values()],
        objects=[_body(body) for body in state.bodies.values()], part_names=list(state.parts),
        part_values=list(state.parts.values()), state_names=list(furniture), state_values=list(furniture.values()),
        instance_names=list(names), instance_categories=list(categories),
        real_time_factor=float(real_time_factor),
    )


def _body(body: ObjectState) -> BodyState:
    pose = Pose(position=point(body.box.centre), orientation=orientation(body.box.R))
    return BodyState(name=body.name, category=body.category, pose=pose, size=vector(body.box.size), held=body.held,
                     holder=body.holder, state_names=list(body.states), state_values=list(body.states.values()))

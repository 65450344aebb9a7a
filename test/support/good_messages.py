"""A message of any type as a well-behaved driver sends it, about a robot in a room."""

import array
import math
from pathlib import Path

import numpy as np
from dadu_nodes.support.convert.geometry import planar_pose
from geometry_msgs.msg import PoseStamped, Quaternion, TransformStamped
from sensor_msgs.msg import CameraInfo, Image, JointState, LaserScan
from std_msgs.msg import Header

from dadu.core.geometry import Pose2
from dadu.robots import load_robot

OPTICAL = "camera_color_optical_frame"
WIDTH, HEIGHT = 64, 48
STUDIO = str(Path(__file__).parents[1] / "integration" / "studio.house.yaml")
_ROBOT = load_robot("stretch")


def good(kind, topic=""):
    """Of the class `kind`; what of it nobody knows more of has its fields' defaults."""
    return _MAKERS.get(kind.__name__, lambda kind, topic: kind())(kind, topic)


def header(t=100.0, frame="map"):
    made = Header(frame_id=frame)
    made.stamp.sec, made.stamp.nanosec = int(t), round(t % 1 * 1e9)
    return made


def _image(kind, topic):
    depth = "depth" in topic or "instances" in topic
    pixels = np.full((HEIGHT, WIDTH), 1500 if "depth" in topic else 0, np.uint16) if depth else np.full(
        (HEIGHT, WIDTH, 3), 90, np.uint8)
    pixels[12:24, 20:40] = 1 if "instances" in topic else 1000 if depth else (200, 40, 30)  # a red thing, nearer
    return Image(header=header(frame=OPTICAL), height=HEIGHT, width=WIDTH, encoding="16UC1" if depth else "rgb8",
                 step=WIDTH * (2 if depth else 3), data=array.array("B", pixels.tobytes()))


def _info(kind, topic):
    return CameraInfo(header=header(frame=OPTICAL), width=WIDTH, height=HEIGHT, distortion_model="plumb_bob",
                      d=[0.0] * 5, k=[60.0, 0.0, 32.0, 0.0, 60.0, 24.0, 0.0, 0.0, 1.0], r=np.eye(3).ravel(),
                      p=[60.0, 0.0, 32.0, 0.0, 0.0, 60.0, 24.0, 0.0, 0.0, 0.0, 1.0, 0.0])


def _scan(kind, topic):
    return LaserScan(header=header(frame="laser"), angle_min=-math.pi, angle_max=math.pi, range_min=0.05,
                     range_max=10.0, angle_increment=math.pi / 90, ranges=[2.0] * 181)


def _joints(kind, topic):
    names = [*_ROBOT.joints, "gripper_aperture", "joint_gripper_finger_left"]
    return JointState(header=header(frame=""), name=names, position=[0.3] * len(names), effort=[1.0] * len(names))


def _transforms(kind, topic):
    chain = (("map", "odom"), ("odom", "base_link"), ("base_link", "laser"), ("base_link", OPTICAL))
    message = kind()
    for parent, child in chain:
        message.transforms.append(TransformStamped(header=header(frame=parent), child_frame_id=child))
        message.transforms[-1].transform.rotation = Quaternion(w=1.0)
        message.transforms[-1].transform.translation.z = 0.2
    return message


def _map(kind, topic):
    message = kind(header=header(), data=[0] * 200)
    message.info.width, message.info.height, message.info.resolution = 20, 10, 0.1
    message.info.origin = planar_pose(Pose2(-1.0, -0.5, 0.0))
    return message


def _pose(kind, topic):
    message = kind(header=header())
    pose = planar_pose(Pose2(1.0, 0.5, 0.3))
    if kind is PoseStamped:
        message.pose = pose
    else:
        message.pose.pose = pose
    return message


def _detections(kind, topic):
    from dadu_interfaces.msg import Detection
    message = kind(header=header(), k=[60.0, 0.0, 32.0, 0.0, 60.0, 24.0, 0.0, 0.0, 1.0], width=WIDTH, height=HEIGHT,
                   depth=[1.5] * 48, depth_width=8, detector="ground_truth")
    message.camera = planar_pose(Pose2(0.2, 0.0, 0.0))
    seen = Detection(label="mug", score=0.8, pixels=60, points=[0.5, 0.5, 0.9] * 4, instance="mug_7",
                     attribute_names=["color"], attribute_values=["red"], embedding=[0.1] * 4, other_labels=["cup"],
                     other_scores=[0.1])
    seen.centroid.x, seen.centroid.y, seen.centroid.z = 0.5, 0.5, 0.9
    seen.size.x = seen.size.y = seen.size.z = 0.1
    message.detections.append(seen)
    return message


def _graph(kind, topic):
    from dadu_nodes.support.convert.encode import encode

    from dadu.house.files import load_house
    from dadu.house.layout import build_graph
    return encode.graph(build_graph(load_house(STUDIO), "layout", False), 1, 100.0)


def _team_message(kind, topic):
    return kind(stamp=header().stamp, task="a", sender="robot_1", act=kind.TAKE, job="is_on_top(the mug, the desk)")


def _team_world(kind, topic):
    """A mug that was seen, one in the hand, and one that is gone."""
    from dadu_nodes.support.convert.encode import encode

    from dadu.team.world import SharedSights
    from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation, WorldGraph
    mugs = [Entity(f"mug_10{i}", Kind.OBJECT, "mug", (1.0 + i, 0.5, 0.9), size=(0.1, 0.1, 0.1), provenance="detection",
                   stamp=100.0) for i in (0, 1)]
    seen = WorldGraph([*mugs, Entity(ROBOT, Kind.AGENT, ROBOT, stamp=100.0)],
                      [Edge("mug_101", Relation.HELD_BY, ROBOT), Edge("mug_100", Relation.IN_ROOM, "kitchen")])
    return encode.told(SharedSights("robot_1", seen, {"mug_102": 99.0}), 100.0)


def _record(kind, topic):
    message = kind(task_id="a", step=1)
    message.call.skill, message.call.arguments, message.outcome.target = "pick", ["mug_7"], "mug_7"
    message.start.sec, message.end.sec = 90, 99
    return message


def _step(kind, topic):
    message = kind(header=header(), task_id="a", step=1, instruction="take the mug", finished=True)
    message.call.skill, message.call.arguments = "pick", ["mug_7"]
    return message


def _truth(kind, topic):
    from dadu_interfaces.msg import BodyState
    body = BodyState(name="mug_7", category="mug", pose=planar_pose(Pose2(1.0, 0.5, 0.0)), state_names=["is_dirty"],
                     state_values=[False])
    body.size.x = body.size.y = body.size.z = 0.1
    return kind(header=header(), objects=[body], part_names=["fridge_0/door"], part_values=[0.0],
                instance_names=["mug_7"], instance_categories=["mug"], state_names=["fridge_0/is_open"],
                state_values=[False])


def _path(kind, topic):
    return kind(header=header(), poses=[_pose(PoseStamped, "")] * 3)


def _joy(kind, topic):
    return kind(header=header(), axes=[0.1] * 8, buttons=[0] * 12)


def _diagnostics(kind, topic):
    from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
    return kind(header=header(), status=[DiagnosticStatus(name="grasp", message="running",
                                                           values=[KeyValue(key="cpu_seconds", value="1.0")])])


def _twist(kind, topic):
    message = kind()
    (message.twist if hasattr(message, "twist") else message).linear.x = 0.1
    return message


_MAKERS = {"Image": _image, "CameraInfo": _info, "LaserScan": _scan, "JointState": _joints, "TFMessage": _transforms,
           "OccupancyGrid": _map, "PoseStamped": _pose, "PoseWithCovarianceStamped": _pose,
           "DetectionArray": _detections, "WorldGraph": _graph, "SkillRecord": _record, "TeamMessage": _team_message,
           "TeamWorld": _team_world, "PlanStep": _step,
           "GroundTruth": _truth, "Path": _path, "Joy": _joy, "DiagnosticArray": _diagnostics, "Twist": _twist,
           "TwistStamped": _twist}

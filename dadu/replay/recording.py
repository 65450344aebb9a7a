"""Records what happens in the in-process stack to a bag, on the topics that the graph's recorder would use.

Such a bag replays like any other. Its log times are simulated time; its camera hangs in ``map`` directly.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from dadu.core.geometry import apply, transform
from dadu.core.paths import shared
from dadu.core.robot import CameraFrame, Command, Observation
from dadu.operator.bags.bag import BagWriter
from dadu.operator.bags.definitions import Definition
from dadu.operator.run.pictures import compress
from dadu.planner.step import Step
from dadu.replay.encode import Encoder
from dadu.replay.memory import GRIPPER
from dadu.robots.kinematics import Kinematics
from dadu.robots.set_points import trajectories
from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph

if TYPE_CHECKING:
    from dadu.stacks.stack import Stack


_PACKAGE = "dadu_interfaces"


class MessageTypes:
    """Builds, describes and serializes messages. Names are ``package/Name``."""

    def __init__(self) -> None:
        self._store = get_typestore(Stores.ROS2_JAZZY)
        types: dict[str, Any] = {}
        for path in sorted(shared("msg", "msg").glob("*.msg")):
            types |= get_types_from_msg(path.read_text(), f"{_PACKAGE}/msg/{path.stem}")
        self._store.register(types)

    def __call__(self, name: str, /, **fields: Any) -> Any:
        """A message; fields that are left out are zero, false or empty. Errors: TypeError for an unknown field."""
        package, leaf = name.split("/")
        full = f"{package}/msg/{leaf}"
        given = {field: self._default(kind) for field, kind in self._store.fielddefs[full][1]}
        if unknown := fields.keys() - given.keys():
            raise TypeError(f"{name} has no field {', '.join(sorted(unknown))}")
        for field, value in fields.items():
            given[field] = np.array(value, given[field].dtype) if isinstance(given[field], np.ndarray) else value
        return self._store.types[full](**given)

    def definition(self, name: str) -> Definition:
        """What a bag stores of a type."""
        package, leaf = name.split("/")
        full = f"{package}/msg/{leaf}"
        text, _ = self._store.generate_msgdef(full, ros_version=2)
        return Definition(full, text, self._store.hash_rihs01(full))

    def serialize(self, message: Any) -> bytes:
        return bytes(self._store.serialize_cdr(message, message.__msgtype__))

    def _default(self, kind: Any) -> Any:
        form, detail = kind
        if form == Nodetype.NAME:
            return self(detail.replace("/msg/", "/"))
        if form == Nodetype.BASE:
            return {"string": "", "bool": False}.get(detail[0], 0)
        (inner, base), count = detail
        if inner == Nodetype.BASE and base[0] != "string":
            return np.zeros(count if form == Nodetype.ARRAY else 0, base[0])
        return []


@cache
def message_types() -> MessageTypes:
    return MessageTypes()


_OPTICAL = "camera_color_optical_frame"
_APART = 2e-6
"""[s] between messages of one moment, so that they are read in the order of writing"""
TOPICS = {
    "/tf": "tf2_msgs/TFMessage", "/joint_states": "sensor_msgs/JointState",
    "/camera/color/camera_info": "sensor_msgs/CameraInfo",
    "/camera/color/image_raw/compressed": "sensor_msgs/CompressedImage",
    "/camera/depth/image_raw/compressed": "sensor_msgs/CompressedImage",
    "/camera/instances/image_raw/compressed": "sensor_msgs/CompressedImage",
    "/sim/ground_truth": "dadu_interfaces/GroundTruth",
    "/perception/detections": "dadu_interfaces/DetectionArray", "/world_graph": "dadu_interfaces/WorldGraph",
    "/skill_results": "dadu_interfaces/SkillRecord", "/plan_trace": "dadu_interfaces/PlanStep",
    "/cmd_vel": "geometry_msgs/Twist", "/commanded_joints": "trajectory_msgs/JointTrajectory",
}


class EpisodeRecorder:
    """Writes one episode's bag; a context manager. Feed it by hand, or by `attach`."""

    def __init__(self, path: Path, tool_link: str, quality: int = 0) -> None:
        """`path`: the bag's directory, which must not exist yet; `quality` of its pictures, as `compress` has it."""
        self._bag = BagWriter(path)
        self._types = message_types()
        self._encode = Encoder(self._types)
        self._connections = {topic: self._bag.add(topic, self._types.definition(name))
                             for topic, name in TOPICS.items()}
        self._tool_link, self._quality = tool_link, quality
        self._time = -1.0
        self._revision = -1

    def __enter__(self) -> EpisodeRecorder:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """The bag is whole from then on."""
        self._bag.close()

    def body(self, observation: Observation, tool: np.ndarray) -> None:
        """Where the robot is; `tool`: its grasp centre in map (3,) [m]."""
        t, base = observation.stamp, observation.base_pose
        links = {("map", "base_link"): base.matrix(), ("map", self._tool_link): transform(np.eye(3), tool)}
        if observation.camera is not None:
            links["map", _OPTICAL] = observation.camera.T_map_camera
        self._put("/tf", t, self._encode.transforms(t, links))
        positions = dict(observation.joints) | {GRIPPER: observation.aperture}
        efforts = dict(observation.efforts) | {GRIPPER: observation.grip_effort}
        self._put("/joint_states", t, self._encode.joints(t, positions, efforts))

    def names(self, t: float, names: list[str], categories: list[str]) -> None:
        """What the ids of the instance pictures mean: the simulator's names and their categories."""
        self._put("/sim/ground_truth", t, self._encode.instance_names(t, names, categories))

    def picture(self, camera: CameraFrame) -> None:
        """One picture, with its transform."""
        t = camera.stamp
        self._put("/tf", t, self._encode.transforms(t, {("map", _OPTICAL): camera.T_map_camera}))
        self._put("/camera/color/camera_info", t, self._encode.camera_info(t, _OPTICAL, camera.K, camera.depth.shape))
        pictures = [("color", camera.rgb, "rgb8"), ("depth", camera.depth, "32FC1")]
        if camera.instances is not None:
            pictures.append(("instances", camera.instances.astype(np.uint16), "mono16"))
        for kind, pixels, encoding in pictures:
            compressed = compress(pixels, encoding, self._quality)
            assert compressed is not None, "all three encodings are kept compressed"
            self._put(f"/camera/{kind}/image_raw/compressed", t, self._types(
                "sensor_msgs/CompressedImage", header=self._encode.header(t, _OPTICAL), format=compressed[0],
                data=np.frombuffer(compressed[1], np.uint8)))

    def seen(self, frame: DetectionFrame) -> None:
        """What perception made of a picture."""
        self._put("/perception/detections", frame.stamp, self._encode.detections(frame))

    def remembered(self, graph: WorldGraph, revision: int, t: float) -> None:
        """Memory's graph, where it has changed."""
        if revision != self._revision:
            self._revision = revision
            self._put("/world_graph", t, self._encode.graph(graph, revision, t))

    def commanded(self, command: Command, t: float) -> None:
        """What a skill asks for."""
        if command.base is not None:
            self._put("/cmd_vel", t, self._encode.twist(command.base))
        for trajectory in trajectories(command):
            self._put("/commanded_joints", t, self._encode.trajectory(trajectory, t))

    def stepped(self, step: Step, instruction: str, task: str = "1") -> None:
        """A step of the planner, when it is chosen and when it has ended; memory's graph must be told before."""
        t = step.end if step.result is not None else step.start
        if step.result is not None:
            self._put("/skill_results", t, self._encode.record(step, task))
        self._put("/plan_trace", t, self._encode.step(step, task, instruction))

    def _put(self, topic: str, t: float, message: Any) -> None:
        self._time = max(t, self._time + _APART)
        self._bag.write(self._connections[topic], round(self._time * 1e9), self._types.serialize(message))


class StackRecorder:
    """Follows a `Stack` through its hooks: assign `tick` to its ``on_tick``, pass `trace` to its ``do``; what skills
    command it hears by itself."""

    def __init__(self, recorder: EpisodeRecorder, stack: Stack, instruction: str) -> None:
        self._recorder, self._stack, self._instruction = recorder, stack, instruction
        self._seen = -1.0
        self._kinematics = Kinematics(stack.description)
        simulation = stack.simulation
        stack.on_command = lambda command: recorder.commanded(command, stack.now())
        recorder.names(stack.now(), list(simulation.instance_names), list(simulation.instance_categories))
        self._remember()

    def tick(self) -> None:
        """After every step of simulated time."""
        observation, frame = self._stack.robot.observe(), self._stack.scene.frame
        in_base = self._kinematics.tool(observation.joints)[:3, 3]
        self._recorder.body(observation, apply(observation.base_pose.matrix(), in_base))
        if frame is not None and observation.camera is not None and frame.stamp > self._seen:
            self._seen = frame.stamp
            self._recorder.picture(observation.camera)
            self._recorder.seen(frame)
        self._remember()

    def trace(self, step: Step) -> None:
        """As `Stack.do` calls it."""
        self._remember()
        self._recorder.stepped(step, self._instruction)

    def close(self) -> None:
        self._recorder.close()

    def _remember(self) -> None:
        self._recorder.remembered(self._stack.memory.graph, self._stack.memory.revision, self._stack.now())

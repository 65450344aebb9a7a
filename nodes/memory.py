"""Node ``memory``: /perception/detections, /skill_results and /map -> /world_graph, and /world_graph/markers for who
listens; /memory/examples; services /memory/recall, describe, edit. Of the camera's colour pictures it keeps what shows
a thing best. In a team it tells, and hears, on /team/world what was seen.
"""

from __future__ import annotations

import struct
from collections import deque
from functools import partial

import numpy as np
from dadu_interfaces.msg import DetectionArray, GroundTruth, SkillRecord, WorldGraph
from dadu_interfaces.srv import Describe, EditMemory, Recall
from dadu_nodes.support import qos
from dadu_nodes.support.clock import SAME, seconds, stamp
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.markers import marker_array
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.robot import GRIPPER_JOINT
from dadu_nodes.support.listening.team import TeamSights
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from dadu_nodes.support.wall import STEADY
from dadu_nodes.support.work import WorkReporter
from nav_msgs.msg import OccupancyGrid
from pydantic import PositiveFloat
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Image, JointState
from std_msgs.msg import Header
from visualization_msgs.msg import MarkerArray

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2, vector3
from dadu.core.transforms import TransformError
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.incoming.grid import occupancy
from dadu.incoming.numbers import joint_states
from dadu.incoming.pictures import color
from dadu.memory.edit import EditRefused
from dadu.memory.grip import LOOK
from dadu.memory.memory import Memory
from dadu.memory.pictures import MEMORY
from dadu.memory.settings import MemorySettings
from dadu.perception.cut_out import cut_out
from dadu.replay import messages
from dadu.robots import load_robot
from dadu.robots.hand import presses
from dadu.sim.time_sync import Work
from dadu.stacks.privileged import correct_states
from dadu.world.detection import DetectionFrame
from dadu.world.from_message import world_state

_UNPLACED = 10
"""so many pictures in a row that cannot be placed are an error"""


class MemoryNodeSettings(MemorySettings):
    house: str = "flat"
    """whose layout is known beforehand: a name in maps/ or a ``*.house.yaml`` file"""
    start: tuple[float, ...] = ()
    """x, y [m] and yaw [rad] in map of where the robot starts, where the house does not say it: as one of several"""
    known: str = "layout"
    """all, layout or nothing"""
    true_states: bool = False
    """privilege: what things and parts are truly like, from the simulator"""
    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    team: tuple[str, ...] = ()
    """``NAMESPACE=ROBOT`` of all robots that tell each other what they see; empty: it knows what it sees itself"""
    file: str = ""
    """of the memory; ``memory.sqlite`` in the run's directory where empty"""
    publish_period: PositiveFloat = 0.2
    """shortest time between two world graphs [s, wall]"""


class MemoryNode(DaduNode[MemoryNodeSettings]):
    """Feeds `dadu.memory.memory.Memory` and tells what it holds."""

    live = ("attention", "association", "forgetting", "nearness", "flush_period", "undo_depth")

    def __init__(self) -> None:
        super().__init__("memory", MemoryNodeSettings)
        settings = self.settings
        self._robot = load_robot(settings.robot)
        house = load_house(settings.house, settings.start)
        self.memory = Memory(build_graph(house, settings.known, settings.true_states),
                             settings.file or self.run_dir / MEMORY, settings)
        self._transforms = TransformListener(self)
        self._aperture: float | None = None
        self._felt = -1.0
        self._unplaced = 0
        """pictures in a row that no transforms belonged to"""
        self._work = WorkReporter(self, Work.DETECTIONS)
        self.sim_clock.at_work(False)  # it works by the stamps of what was seen
        self._published = 0
        self._graph = self.create_publisher(WorldGraph, "world_graph", qos.LATCHED)
        self._examples = self.create_publisher(DetectionArray, "memory/examples", qos.LATCHED)
        self._markers = self.create_publisher(MarkerArray, "world_graph/markers", qos.LATCHED)
        self._drawn = (0, 0)
        """revision of the graph and number of listeners of the newest markers"""
        self.create_subscription(DetectionArray, "perception/detections", self._on_detections, qos.STATE)
        self.create_subscription(SkillRecord, "skill_results", self._on_result, qos.STATE)
        self._pictures = RecentPictures(self)
        self._heard = PolledSubscriptions(self)  # taken in with what is seen and told, and with every publication
        self._heard.add(JointState, "joint_states", self._on_joints, qos.SENSOR)
        self._heard.add(OccupancyGrid, "map", self._on_map, qos.LATCHED)
        self.health.check(self._unwritten, error=True)
        self._team = TeamSights(self, settings.team, self.memory) if settings.team else None
        if settings.true_states:
            self.create_subscription(GroundTruth, "sim/ground_truth", self._on_ground_truth, qos.STATE)
        self.create_service(Recall, "memory/recall", self._recall)
        self.create_service(Describe, "memory/describe", self._describe)
        self.create_service(EditMemory, "memory/edit", self._edit)
        self.create_timer(settings.publish_period, self._publish, clock=STEADY)
        if not settings.memory:
            self.get_logger().warning("memory is switched off: what is out of view is forgotten, nothing is kept")
        if self.memory.notice:
            self.get_logger().warning(self.memory.notice)
        self.get_logger().info(f"{len(self.memory.graph.entities)} entities, "
                               f"{'restored' if self.memory.restored else f'known beforehand: {settings.known}'}")
        self._publish()
        self._tell_examples()

    def _take_settings(self, settings: MemoryNodeSettings) -> None:
        super()._take_settings(settings)
        self.memory.take_settings(settings)

    def close(self) -> None:
        self.memory.close()

    def _on_detections(self, message: DetectionArray) -> None:
        self._heard.poll()
        self._work.until(seconds(message.header.stamp))
        self._see(messages.detections(message))

    def _see(self, frame: DetectionFrame) -> None:
        try:
            base, tool = self._body_at(frame.stamp)
        except TransformError as error:
            self.get_logger().warning(f"picture left out: {error}", throttle_duration_sec=5.0)
            self.health.count("frames.unplaced")
            self._unplaced += 1
            if self._unplaced >= _UNPLACED:
                self.health.problem(f"nothing that is seen is remembered: {error}")
            return
        if self._unplaced:
            self._unplaced = 0
            self.health.problem("")
        with self.health.timed("see"):
            self.memory.see(frame, base, tool, self._aperture, partial(self._cut, frame))

    def _cut(self, frame: DetectionFrame, box: tuple[int, int, int, int]) -> bytes:
        """What a box of the picture shows, where the picture is still here."""
        rgb = self._pictures.at(frame.stamp)
        return b"" if rgb is None else cut_out(rgb, frame.T_map_camera, box)

    def _on_result(self, message: SkillRecord) -> None:
        self._heard.poll()
        self.memory.learn(messages.call(message.call), messages.result(message.outcome), seconds(message.end))
        self._publish()

    def _on_joints(self, message: JointState, _waiting: int) -> None:
        if GRIPPER_JOINT not in message.name:
            return
        positions, efforts = joint_states(message.name, message.position, message.effort)[:2]
        when = seconds(message.header.stamp)
        self._aperture = positions.get(GRIPPER_JOINT, self._aperture)
        if GRIPPER_JOINT in efforts and self._aperture is not None and not 0 <= when - self._felt < LOOK:
            self._felt = when
            self.memory.feel(when, presses(self._aperture, efforts[GRIPPER_JOINT], self._robot), self._felt_at)

    def _body_at(self, stamp: float) -> tuple[Pose2, tuple[float, float, float]]:
        """Base and grasp centre in map. Errors: TransformError."""
        tree = self._transforms.tree
        return (Pose2.from_matrix(tree.lookup("map", "base_link", stamp)),
                vector3(tree.lookup("map", self._robot.tool_link, stamp)[:3, 3]))

    def _felt_at(self, stamp: float) -> tuple[Pose2, tuple[float, float, float]] | None:
        try:
            return self._body_at(stamp)
        except TransformError:
            return None  # asked again with the next joint states

    def _on_map(self, message: OccupancyGrid, _waiting: int) -> None:
        self.memory.chart(occupancy(message, self.frames.here(message.header.frame_id)))

    def _on_ground_truth(self, message: GroundTruth) -> None:
        """The privilege `states`."""
        truth = world_state(message)
        self.memory.correct(correct_states(self.memory.graph, truth), truth.stamp)

    def _draw(self) -> None:
        """For those who watch: once they come, and whenever something has changed."""
        listeners = self._markers.get_subscription_count()
        if listeners and self._drawn != (self.memory.revision, listeners):
            header = Header(stamp=stamp(self.now()), frame_id=self.frames.outside("map"))
            self._markers.publish(marker_array(self.memory.graph, header))
        self._drawn = (self.memory.revision, listeners)

    def _unwritten(self) -> str:
        return f"memory cannot be written: {self.memory.unwritten}" if self.memory.unwritten else ""

    def _publish(self) -> None:
        self._heard.poll()
        self.memory.flush()
        self._draw()
        if unwritten := self._unwritten():
            self.get_logger().warning(unwritten, throttle_duration_sec=10.0)
        if self.memory.revision == self._published:
            return
        self._published = self.memory.revision
        with self.health.timed("publish"):
            self._graph.publish(self.frames.sent(encode.graph(self.memory.graph, self.memory.revision, self.now())))
        self.health.set("entities", len(self.memory.graph.entities))

    def _recall(self, request: Recall.Request, response: Recall.Response) -> Recall.Response:
        units = self.memory.recall(request.query, request.limit or 5)
        response.ids = [unit.id for unit in units]
        response.descriptions = [unit.description for unit in units]
        response.similarities = [unit.similarity for unit in units]
        return response

    def _describe(self, request: Describe.Request, response: Describe.Response) -> Describe.Response:
        response.text = self.memory.describe(request.instruction, request.max_words)
        return response

    def _edit(self, request: EditMemory.Request, response: EditMemory.Response) -> EditMemory.Response:
        try:
            response.message, response.accepted = self.memory.edit(request.edit), True
        except EditRefused as error:
            response.message, response.accepted = str(error), False
        self.get_logger().info(f"edit {request.edit[:200]}: {response.message}")
        self._publish()
        self._tell_examples()
        return response

    def _tell_examples(self) -> None:
        self._examples.publish(encode.examples(self.memory.examples))


class RecentPictures:
    """They wait in the middleware until asked for, and are unpacked only where one is wanted."""

    def __init__(self, node: Node) -> None:
        self._kept: deque[tuple[float, bytes]] = deque(maxlen=qos.CAMERA.depth)
        self._intake = Intake.of(node)
        self._camera = PolledSubscriptions(node)
        self._camera.add(Image, "camera/color/image_raw", self._on_image, qos.CAMERA, raw=True)

    def at(self, stamp: float) -> np.ndarray | None:
        """uint8 (H, W, 3), red first, as the camera gave it, of that stamp [s]; None where it is not here (any more),
        or cannot be read."""
        self._camera.poll()
        found = next((data for then, data in self._kept if abs(then - stamp) < SAME), None)
        if found is None:
            return None
        try:
            return color(deserialize_message(found, Image))
        except NotUsable as unusable:
            self._intake.refuse("camera/color/image_raw", f"no picture of things: {unusable}")
            return None

    def _on_image(self, data: bytes, _: int) -> None:
        """A message begins, after four bytes that say in which order bytes are, with its stamp."""
        seconds, nanoseconds = struct.unpack_from("<iI" if data[1] & 1 else ">iI", data, 4)
        self._kept.append((seconds + nanoseconds * 1e-9, data))


def main() -> None:
    run(MemoryNode)

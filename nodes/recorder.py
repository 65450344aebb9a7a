"""Node ``recorder``: every topic of the graph -> a rosbag2 (MCAP) in the run's directory.

Messages are stored as they come off the wire. Pictures are stored compressed, under the name that image_transport would
use, unless ``raw_pictures`` is set. Stamps are wall time, as rosbag2's; /clock in the bag gives the simulated one.
"""

from __future__ import annotations

import functools
import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import numpy as np
from dadu_nodes.support.listening.topics import PICTURES, SMALL, offered, published_topics, requested
from dadu_nodes.support.message_types import message_class, share_directory
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.wall import AGAIN, ANSWER, LOOK, STEADY
from pydantic import Field
from rclpy.serialization import serialize_message
from rclpy.topic_endpoint_info import TopicEndpointInfo
from rosbags.interfaces import Connection, Qos
from sensor_msgs.msg import CompressedImage, Image

from dadu.core.config import Settings
from dadu.core.errors import NotUsable
from dadu.incoming.pictures import stored
from dadu.operator.bags.bag import BagWriter, next_bag
from dadu.operator.bags.bag_repair import repair_all
from dadu.operator.bags.definitions import UnknownDefinition, load_definition
from dadu.operator.run.pictures import compress

_IMAGE = "sensor_msgs/msg/Image"
_COMPRESSED = "sensor_msgs/msg/CompressedImage"
DERIVED = (r"/(parameter_events|perception/points|(global|local)_costmap/costmap|world_graph/markers"
           r"|sim/outside/compressed)$")
"""what is drawn only while somebody watches, from what is recorded anyway: to record it would have it drawn always, and
the coloured points alone were half of a bag"""


class RecorderSettings(Settings):
    raw_pictures: bool = False
    """store pictures as they are: 15 MB/s for colour and depth at 10 Hz, against 4.5"""
    jpeg_quality: int = Field(0, ge=0, le=100)
    """of colour; 0: PNG of the `shades` that perception looks at, so that a replay sees the same; a real camera's takes
    several times as much"""
    exclude: str = DERIVED
    """regular expression of topics to leave out"""


class RecorderNode(DaduNode[RecorderSettings]):
    """Subscribes whatever appears and writes it down."""

    live = ("jpeg_quality",)

    def __init__(self) -> None:
        super().__init__("recorder", RecorderSettings)
        for path in repair_all(self.run_dir):
            self.get_logger().info(f"{path}: completed after a crash")
        self._exclude = re.compile(self.settings.exclude) if self.settings.exclude else None
        self.sim_clock.at_work(False)  # messages are stamped by the wall's
        self._topics = PolledSubscriptions(self)
        self._seen: set[str] = set()
        self._pictures: dict[str, Connection] = {}
        self._packed: dict[str, tuple[Image, int, tuple[str, bytes] | None]] = {}
        """the newest picture of each topic, its quality, and what became of it"""
        self.bag: BagWriter | None = None
        """None while none can be written"""
        self._next = 0.0
        """when one is begun again [s, monotonic]"""
        self.create_timer(AGAIN, lambda: self._written(self._discover), clock=STEADY)
        self.create_timer(LOOK, lambda: self._written(self._topics.poll), clock=STEADY)
        self._written(self._discover)

    def close(self) -> None:
        self._written(self._topics.poll)
        if self.bag is not None:
            try:
                self.bag.close()
            except OSError as error:
                self.get_logger().error(f"{self.bag.path} is not complete: {error}; the next start mends it")

    def _written(self, work: Callable[[], None]) -> None:
        """Does what writes; where that cannot be (a full disk), it is said, and after a while another bag is begun."""
        try:
            begins = self.bag is None and time.monotonic() > self._next
            if begins:
                self.bag = BagWriter(next_bag(self.run_dir))
            if self.bag is not None:
                work()
            if begins and self.bag is not None:
                self.health.problem("")
                self.get_logger().info(f"recording to {self.bag.path}")
        except OSError as error:
            self.health.problem(f"nothing is recorded: {error.strerror}")
            self.get_logger().error(f"nothing is recorded: {error}; trying again every {ANSWER:.0f} s",
                                    throttle_duration_sec=60.0)
            self._end_bag()

    def _end_bag(self) -> None:
        """What can be read of it stays; a later start completes it."""
        bag, self.bag, self._next = self.bag, None, time.monotonic() + ANSWER
        self._topics.close()
        self._seen.clear()
        self._pictures.clear()
        if bag is not None:
            with suppress(OSError):
                bag.close()
            if not any(file.stat().st_size for file in bag.path.iterdir()):
                shutil.rmtree(bag.path, ignore_errors=True)  # else every try would leave one behind

    def _discover(self) -> None:
        for topic in published_topics(self, self._seen):
            if self._exclude is None or not self._exclude.search(topic.name):
                self._record(*topic)
            self._seen.add(topic.name)
        self.health.set("megabytes", self._open.bytes * 1e-6)

    @property
    def _open(self) -> BagWriter:
        """The bag that is written. Errors: RuntimeError where there is none."""
        if self.bag is None:
            raise RuntimeError("no bag is open: `_written` sees to that")
        return self.bag

    def _record(self, topic: str, type_name: str, publishers: Sequence[TopicEndpointInfo]) -> None:
        """Subscribes `topic`; one that cannot be written is said once and left out."""
        try:
            definition = load_definition(type_name, share_directory)
            if str(publishers[0].topic_type_hash) != definition.hash:
                raise UnknownDefinition(f"{type_name}: the publisher's definition differs from the one installed here")
        except (UnknownDefinition, LookupError) as error:
            self.get_logger().warning(f"{topic} is not recorded: {error}")
            return
        qos = requested(publishers, PICTURES if type_name == _IMAGE else SMALL)
        if type_name == _IMAGE and not self.settings.raw_pictures:
            self._topics.add(Image, topic, functools.partial(self._on_picture, topic, offered(qos)), qos)
        else:
            connection = self._open.add(topic, definition, offered(qos))
            store = functools.partial(self._on_message, connection)
            self._topics.add(message_class(type_name), topic, store, qos, raw=True)

    def _on_message(self, connection: Connection, data: bytes, received: int) -> None:
        self._open.write(connection, received, data)

    def _on_picture(self, topic: str, qos: Iterable[Qos], message: Image, received: int) -> None:
        with self.health.timed("compress"):
            compressed = self._compressed(topic, message)
        if compressed is None:
            self._on_message(self._connection(topic, _IMAGE, qos), serialize_message(message), received)
            return
        format, data = compressed
        picture = CompressedImage(header=message.header, format=format, data=data)
        connection = self._connection(f"{topic}/compressed", _COMPRESSED, qos)
        self._on_message(connection, serialize_message(picture), received)

    def _compressed(self, topic: str, message: Image) -> tuple[str, bytes] | None:
        """As of `compress`; None also for a picture that cannot be read, which is stored as it came. The same picture
        again is not compressed again."""
        quality, before = self.settings.jpeg_quality, self._packed.get(topic)
        if before is not None and before[1] == quality and _same(before[0], message):
            return before[2]
        try:
            packed = compress(stored(message), message.encoding, quality)
        except NotUsable:
            packed = None
        self._packed[topic] = message, quality, packed
        return packed

    def _connection(self, topic: str, type_name: str, qos: Iterable[Qos]) -> Connection:
        if topic not in self._pictures:
            self._pictures[topic] = self._open.add(topic, load_definition(type_name, share_directory), qos)
        return self._pictures[topic]


def _same(a: Image, b: Image) -> bool:
    """True if both show the same in the same way."""
    form = ("height", "width", "step", "encoding", "is_bigendian")
    return (all(getattr(a, name) == getattr(b, name) for name in form)
            and np.array_equal(np.frombuffer(a.data, np.uint8), np.frombuffer(b.data, np.uint8)))


def main() -> None:
    run(RecorderNode)

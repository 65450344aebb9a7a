"""Keeps a skill's `Scene` up to date from the graph's topics."""

from __future__ import annotations

from dadu_interfaces import msg
from dadu_nodes.support import qos
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.polled import PolledSubscriptions
from nav_msgs.msg import OccupancyGrid
from rclpy.node import Node

from dadu.incoming.grid import occupancy
from dadu.replay import messages
from dadu.skills.scene import Scene


class SceneListener:
    """`refresh` takes in the newest ``/world_graph``, ``/perception/detections`` and ``/map``, each only where asked
    for. They wait until then: a node that is not at work does not even unpack them."""

    def __init__(self, node: Node, *, detections: bool = False, map: bool = False) -> None:
        self._intake, self.scene = Intake.of(node), Scene()
        self._frames = FrameNames.from_node(node)
        self.revision = -1
        """of the world graph; -1 until one arrives"""
        self._messages = PolledSubscriptions(node)
        self._messages.add(msg.WorldGraph, "world_graph", self._on_graph, qos.LATCHED)
        if detections:
            self._messages.add(msg.DetectionArray, "perception/detections", self._on_detections, qos.NEWEST)
        if map:
            self._messages.add(OccupancyGrid, "map", self._on_map, qos.LATCHED)

    def refresh(self) -> Scene:
        """The scene as it is known now. In the node's thread."""
        self._messages.poll()
        return self.scene

    def lacks_graph(self) -> str:
        """That nothing is known; empty where the world graph was heard."""
        return "" if self.revision >= 0 else (
            f"no world graph was heard yet{self._intake.why('world_graph')}; try again once memory is up")

    def lacks_map(self) -> str:
        """That there is no map; empty where one was heard."""
        return "" if self.scene.map is not None else (
            f"nobody has given a map yet{self._intake.why('map')}; try again once it is there")

    def _on_graph(self, message: msg.WorldGraph, _: int) -> None:
        self.scene.graph, self.revision = messages.graph(message), message.revision

    def _on_detections(self, message: msg.DetectionArray, _: int) -> None:
        self.scene.frame = messages.detections(message)

    def _on_map(self, message: OccupancyGrid, _: int) -> None:
        self.scene.map = occupancy(message, self._frames.here(message.header.frame_id))

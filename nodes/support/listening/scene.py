"""Keeps a skill's `Scene` up to date from the graph's topics."""

from __future__ import annotations

from dadu_interfaces import msg
from dadu_nodes.support import qos
from dadu_nodes.support.convert import detections, sensors
from dadu_nodes.support.convert import graph as graphs
from nav_msgs.msg import OccupancyGrid
from rclpy.node import Node

from dadu.skills.scene import Scene


class SceneListener:
    """`scene` follows ``/world_graph``, ``/perception/detections`` and ``/map``, each only where asked for."""

    def __init__(self, node: Node, *, detections: bool = False, map: bool = False) -> None:
        self.scene = Scene()
        self.revision = -1
        """of the world graph; -1 until one arrives"""
        node.create_subscription(msg.WorldGraph, "/world_graph", self._on_graph, qos.LATCHED)
        if detections:
            node.create_subscription(msg.DetectionArray, "/perception/detections", self._on_detections, qos.STATE)
        if map:
            node.create_subscription(OccupancyGrid, "/map", self._on_map, qos.LATCHED)

    def _on_graph(self, message: msg.WorldGraph) -> None:
        self.scene.graph = graphs.graph(message)
        self.revision = message.revision

    def _on_detections(self, message: msg.DetectionArray) -> None:
        self.scene.frame = detections.frame(message)

    def _on_map(self, message: OccupancyGrid) -> None:
        self.scene.map = sensors.occupancy(message)

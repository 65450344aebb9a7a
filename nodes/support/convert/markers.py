"""The world graph as markers: rooms as outlines, furniture, objects and agents as boxes with their names."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support.convert.geometry import planar_pose
from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from dadu.core.geometry import Pose2
from dadu.world.graph import AGENT_SIZE, Entity, Kind, WorldGraph

_COLORS = {
    Kind.ROOM: (0.35, 0.55, 0.85, 0.9),
    Kind.FURNITURE: (0.65, 0.55, 0.40, 0.45),
    Kind.OBJECT: (0.95, 0.55, 0.10, 0.9),
    Kind.AGENT: (0.20, 0.70, 0.40, 0.6),
}
"""red, green, blue, opacity; 0 to 1"""
_TEXT = {Kind.ROOM: 0.22, Kind.FURNITURE: 0.12, Kind.OBJECT: 0.08, Kind.AGENT: 0.12}
"""height of a name's letters [m]"""
_LEAST = 0.02
"""[m]: what is thinner is drawn so"""
_LINE = 0.03
"""width of an outline [m]"""


def marker_array(graph: WorldGraph, header: Header) -> MarkerArray:
    """Replaces what was shown before."""
    markers = [Marker(header=header, action=Marker.DELETEALL)]
    for entity in graph.entities.values():
        if entity.kind in _COLORS:
            markers += [_body(entity, header), _name(entity, header)]
    for number, marker in enumerate(markers):
        marker.id = number
    return MarkerArray(markers=markers)


def _body(entity: Entity, header: Header) -> Marker:
    r, g, b, a = _COLORS[entity.kind]
    marker = Marker(header=header, ns=entity.kind.value, color=ColorRGBA(r=r, g=g, b=b, a=a))
    if entity.kind is Kind.ROOM:
        marker.type, marker.scale = Marker.LINE_STRIP, Vector3(x=_LINE)
        marker.pose = planar_pose(Pose2(0.0, 0.0, 0.0))
        marker.points = [Point(x=float(x), y=float(y), z=0.02) for x, y in (*entity.polygon, *entity.polygon[:1])]
        return marker
    size = AGENT_SIZE if entity.kind is Kind.AGENT and not any(entity.size) else entity.size
    marker.type, marker.scale = Marker.CUBE, Vector3(**{axis: max(float(s), _LEAST) for axis, s in zip("xyz", size)})
    marker.pose = planar_pose(Pose2(entity.position[0], entity.position[1], entity.yaw))
    # An object's position is its centre; what stands on the floor has it there.
    marker.pose.position.z = entity.position[2] + (0.0 if entity.kind is Kind.OBJECT else size[2] / 2)
    return marker


def _name(entity: Entity, header: Header) -> Marker:
    marker = Marker(header=header, ns=f"{entity.kind.value}_names", type=Marker.TEXT_VIEW_FACING,
                    color=ColorRGBA(r=1.0, g=1.0, b=1.0, a=1.0), scale=Vector3(z=_TEXT[entity.kind]))
    states = [name.removeprefix("is_") for name, holds in entity.states.items() if holds]
    marker.text = f"{entity.id} ({', '.join(states)})" if states else entity.id
    x, y, z = entity.position
    if entity.kind is Kind.ROOM and entity.polygon:
        x, y = np.mean(entity.polygon, axis=0)
    top = entity.size[2] / 2 if entity.kind is Kind.OBJECT else entity.size[2]
    marker.pose.position = Point(x=float(x), y=float(y), z=float(z + top + _TEXT[entity.kind]))
    marker.pose.orientation.w = 1.0
    return marker

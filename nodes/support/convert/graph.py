"""The world graph between the library and dadu_interfaces."""

from __future__ import annotations

from dadu_interfaces import msg
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import point, pose2d, vector
from geometry_msgs.msg import Point32
from std_msgs.msg import Header

from dadu.replay.messages import attributes_of, graph
from dadu.world.graph import Articulation, Entity, Surface, WorldGraph

__all__ = ["graph", "graph_message"]


def graph_message(graph: WorldGraph, revision: int, time: float) -> msg.WorldGraph:
    """`time` [s] goes into the header; frame map."""
    return msg.WorldGraph(
        header=Header(stamp=stamp(time), frame_id="map"),
        revision=revision,
        entities=[_entity_message(e) for e in graph.entities.values()],
        edges=[msg.Edge(subject=e.subject, relation=e.relation.value, object=e.object, part=e.part)
               for e in sorted(graph.edges, key=lambda e: (e.subject, e.relation.value, e.object))],
    )


def _entity_message(e: Entity) -> msg.Entity:
    attributes = attributes_of(e)
    return msg.Entity(
        id=e.id, kind=e.kind.value, category=e.category, position=point(e.position), yaw=float(e.yaw),
        size=vector(e.size), aliases=list(e.aliases),
        attribute_names=list(attributes), attribute_values=list(attributes.values()),
        state_names=list(e.states), state_values=list(e.states.values()),
        polygon=[Point32(x=float(x), y=float(y)) for x, y in e.polygon],
        surfaces=[_surface_message(s) for s in e.surfaces], parts=[_part_message(p) for p in e.parts],
        provenance=e.provenance, stamp=stamp(e.stamp), confidence=float(e.confidence), pixels=int(e.pixels),
    )


def _surface_message(s: Surface) -> msg.Surface:
    return msg.Surface(name=s.name, pose=pose2d(s.pose), height=float(s.height), length=float(s.size[0]),
                       width=float(s.size[1]), clearance=float(s.clearance), inside=s.inside, part=s.part)


def _part_message(p: Articulation) -> msg.Articulation:
    return msg.Articulation(name=p.name, kind=p.kind, origin=point(p.origin), axis=vector(p.axis),
                            handle=point(p.handle), handle_axis=vector(p.handle_axis), normal=vector(p.normal),
                            range=float(p.range), value=float(p.value))

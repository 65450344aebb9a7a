"""Random worlds, each twice: as the simulator has it, and as a robot that knows everything believes it."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph
from dadu.world.state import ObjectState, TrueWorld, WorldState

ROOMS = {"kitchen": ((0, 0), (6, 0), (6, 5), (0, 5)), "hall": ((6.1, 0), (10, 0), (10, 5), (6.1, 5))}
SIZES = {
    "tray": (0.36, 0.24, 0.045), "bowl": (0.15, 0.15, 0.065), "box": (0.2, 0.15, 0.12), "plate": (0.21, 0.21, 0.03),
    "apple": (0.07, 0.07, 0.07), "mug": (0.08, 0.08, 0.09), "bread": (0.1, 0.06, 0.05), "spoon": (0.09, 0.03, 0.02)}
CARRIERS = {"tray": Relation.ON, "bowl": Relation.IN, "box": Relation.IN, "plate": Relation.ON}
STATES = [p for p in PREDICATES.values() if p.family is Family.STATE and p.maker is None]
PAIRS = {p.name: p.opposite for i, p in enumerate(STATES) if p.opposite in {q.name for q in STATES[i:]}}
ALONE = [p.name for p in STATES if not p.opposite]
"""states of which one is said by its own name or by its opposite's, and those that have none"""
FLOOR = ((1.0, 4.2), (2.0, 4.2), (3.0, 4.4), (7.5, 4.0), (9.0, 1.0), (9.2, 1.4))
"""points clear of furniture [m]"""
ROBOT_AT = ((1.5, 3.0), (3.6, 2.0), (4.6, 2.2), (8.0, 3.0), (7.4, 2.0))


def _surface(name, at, height, size, clearance=2.0, **kw):
    return Surface(name, at, height, size, clearance, **kw)


def _furniture(yaw):
    """A table that is turned, a counter with a drawer and a desk across the wall from it, a fridge, a shelf."""
    table, fridge, counter = Pose2(2.2, 2.0, yaw), Pose2(0.6, 0.6, 0.0), Pose2(5.5, 2.0, 0.0)
    desk, shelf = Pose2(6.6, 2.0, 0.0), Pose2(4.4, 0.5, 0.0)

    def hinge(name):
        return Articulation(name, "hinge", (1, 0, 0), (0, 0, -1), (1, 1, 1), (0, 0, 1), (1, 0, 0), 1.6)
    drawer = Articulation("drawer", "slide", (5.2, 2, 0.5), (-1, 0, 0), (5.1, 2, 0.6), (0, 1, 0), (-1, 0, 0), 0.35)
    return [
        Entity("table_0", Kind.FURNITURE, "table", (2.2, 2.0, 0.0), yaw, (0.9, 1.3, 0.75),
               surfaces=(_surface("top", table, 0.75, (0.9, 1.3)),)),
        Entity("fridge_0", Kind.FURNITURE, "fridge", (0.6, 0.6, 0.0), 0.0, (1.0, 1.0, 1.5),
               surfaces=(_surface("inside", fridge, 0.6, (0.9, 0.9), 0.4, inside=True, part="door"),
                         _surface("top", fridge, 1.5, (1.0, 1.0))), parts=(hinge("door"), hinge("freezer"))),
        Entity("counter_0", Kind.FURNITURE, "counter", (5.5, 2.0, 0.0), 0.0, (0.9, 1.3, 0.9),
               surfaces=(_surface("top", counter, 0.9, (0.9, 1.3)),
                         _surface("drawer", counter, 0.5, (0.8, 1.2), 0.3, inside=True, part="drawer")),
               parts=(drawer,)),
        Entity("desk_0", Kind.FURNITURE, "desk", (6.6, 2.0, 0.0), 0.0, (0.9, 1.3, 0.9),
               surfaces=(_surface("top", desk, 0.9, (0.9, 1.3)),)),
        Entity("shelf_0", Kind.FURNITURE, "bookshelf", (4.4, 0.5, 0.0), 0.0, (0.9, 0.9, 1.6),
               surfaces=(_surface("low", shelf, 0.4, (0.9, 0.9), 0.5, inside=True),
                         _surface("high", shelf, 1.0, (0.9, 0.9), 0.5, inside=True))),
    ]


class Builder:
    """Puts things where nothing else is."""

    def __init__(self, draw):
        self.draw = draw
        entities = [Entity(name, Kind.ROOM, name, polygon=corners) for name, corners in ROOMS.items()]
        opened = draw(st.lists(st.sampled_from((0.0, 0.05, 0.3, 0.7, 1.0)), min_size=3, max_size=3))
        for piece in _furniture(draw(st.floats(-1.5, 1.5))):
            parts = tuple(replace(p, value=p.range * opened.pop()) for p in piece.parts)
            entities.append(replace(piece, parts=parts, states=self._states()))
        self.layout = WorldGraph(entities)
        self.graph = self.layout.copy()
        self.graph.edges = {Edge(e.id, Relation.IN_ROOM, "hall" if e.id == "desk_0" else "kitchen")
                            for e in entities if e.kind is Kind.FURNITURE}
        x, y = draw(st.sampled_from(ROBOT_AT))
        self.robot = Pose2(x, y, draw(st.floats(-3, 3)))
        self.graph.put(Entity("robot", Kind.AGENT, "robot", (x, y, 0.0), self.robot.yaw))
        self.bodies, self._taken = {}, set()

    def _states(self):
        warmth = self.draw(st.sampled_from(("is_hot", "is_cold", "")))
        return {name: self.draw(st.booleans()) for name in (*PAIRS, *ALONE)} | {
            name: name == warmth for name in ("is_hot", "is_cold")}

    def _places(self, small):
        """``key, holder, relation, part, (x, y, underside)``, those that are free."""
        for piece in self.layout.of(Kind.FURNITURE):
            for surface in piece.surfaces:
                pose = piece.surface_pose(surface)
                for x in (-0.22, 0.22):
                    for y in (-0.24, 0.24):
                        xy = pose.apply(np.array([[x, y]]))[0]
                        relation = Relation.IN if surface.inside else Relation.ON
                        yield (piece.id, surface.name, x, y), piece.id, relation, surface.name, (*xy, surface.height)
        for body in self.bodies.values() if small else ():
            if body.category in CARRIERS:
                x, y, z = body.box.centre
                z += 0.01 - body.box.size[2] / 2 if CARRIERS[body.category] is Relation.IN else body.box.size[2] / 2
                yield (body.name,), body.name, CARRIERS[body.category], "", (x, y, z)
        for x, y in FLOOR:
            yield (x, y), "", None, "", (x, y, 0.0)
        yield ("hand",), "robot", Relation.HELD_BY, "", (self.robot.x, self.robot.y, 0.9)

    def add(self, name):
        category = name.rstrip("0123456789_")
        size = SIZES[category]
        free = [p for p in self._places(category not in CARRIERS) if p[0] not in self._taken]
        key, holder, relation, part, (x, y, z) = self.draw(st.sampled_from(free))
        self._taken.add(key)
        yaw, lift = self.draw(st.floats(-3, 3)), self.draw(st.sampled_from((0.0, 0.001, 0.01)))
        box, states = OrientedBox.upright(x, y, z + lift, yaw, size), self._states()
        said = {name: value for name, value in states.items() if value or self.draw(st.booleans())}
        for state, opposite in PAIRS.items():
            if state in said and self.draw(st.booleans()):
                said[opposite] = not said.pop(state)
        self.bodies[name] = ObjectState(name, category, box, relation is Relation.HELD_BY, said)
        self.graph.put(Entity(name, Kind.OBJECT, category, tuple(map(float, box.centre)), yaw, size, states=states,
                              provenance="prior" if holder else "detection"))
        if holder:
            self.graph.set_support(name, Edge(name, relation, holder, part))

    def world(self):
        pieces = self.layout.of(Kind.FURNITURE)
        parts = {f"{e.id}/{p.name}": p.value for e in pieces for p in e.parts}
        furniture = {e.id: {n: v for n, v in e.states.items() if v} for e in pieces}
        shut = WorldGraph(replace(e, parts=tuple(replace(p, value=0.0) for p in e.parts)) for e in self.layout)
        return TrueWorld(shut, WorldState(0.0, self.robot, dict(self.bodies), parts, furniture))


@st.composite
def known_worlds(draw):
    """A true world, and the graph of a robot that knows all of it."""
    builder = Builder(draw)
    carriers = draw(st.lists(st.sampled_from(sorted(CARRIERS)), max_size=2))
    small = draw(st.lists(st.sampled_from(sorted(SIZES.keys() - CARRIERS.keys())), min_size=1, max_size=4))
    for i, category in enumerate((*carriers, *small)):
        builder.add(f"{category}_{i}")
    return builder.world(), builder.graph


@st.composite
def half_known_worlds(draw):
    """A true world, and the graph of a robot that has forgotten some of it, but nothing wrong."""
    world, graph = draw(known_worlds())
    for entity in list(graph):
        forgets = draw(st.sampled_from(("nothing", "nothing", "states", "support", "parts", "it")))
        if forgets == "states":
            graph.change(entity.id, states={n: v for n, v in entity.states.items() if draw(st.booleans())})
        elif forgets == "parts":
            graph.change(entity.id, parts=())
        elif forgets == "it" and entity.kind in (Kind.OBJECT, Kind.FURNITURE):
            graph.remove(entity.id)
        elif forgets == "support" and entity.kind is Kind.OBJECT and not world.state.bodies[entity.id].held:
            graph.set_support(entity.id, None)
    return world, graph

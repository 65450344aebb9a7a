"""A room with tables in a row, and what frames ask for there."""

from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.frame import Utterance
from dadu.language.grounding.ground import ground
from dadu.world.graph import Edge, Entity, Kind, Relation, Surface, WorldGraph

VOCABULARY = default_vocabulary()


def table(name, x, category="table"):
    top = Surface("top", (x, 0.0, 0.0), 0.7, (0.6, 0.8), 2.0)
    return Entity(name, Kind.FURNITURE, category, (x, 0.0, 0.0), size=(0.6, 0.8, 0.7), surfaces=(top,))


def room(*things, furniture=("table_0", "table_1")):
    """Tables in a row in one room; `things` are pairs (id, where)."""
    hall = Entity("hall", Kind.ROOM, "hall", polygon=((-1, -2), (9, -2), (9, 2), (-1, 2)))
    pieces = [table(id, 2.0 * i, id.rstrip("_0123456789")) for i, id in enumerate(furniture)]
    robot = Entity("robot", Kind.AGENT, "robot")
    objects = [Entity(id, Kind.OBJECT, id.rstrip("_0123456789"), size=(0.05, 0.05, 0.05)) for id, _ in things]
    return WorldGraph([hall, robot, *pieces, *objects], [Edge(id, Relation.ON, where, "top") for id, where in things])


def goal_of(graph, *frames, complete=True):
    return ground(Utterance(frames), graph, VOCABULARY, complete=complete)

"""Five places and fifteen objects: the world of DaDu-E's prompt."""

from dadu.core.geometry import Pose2
from dadu.world.graph import Edge, Entity, Kind, Relation, Surface, WorldGraph


def small_world():
    """Five places and fifteen objects."""
    room = Entity("shop", Kind.ROOM, "room", polygon=((0, 0), (9, 0), (9, 9), (0, 9)))
    places = ["storage_rack", "fruit_table", "drinks_table", "toys_table", "shipping_table"]
    things = ["apple", "banana", "lemon", "plum", "strawberry", "water_bottle", "pepsi_can", "cola_can", "fenta_can",
              "sprite_can", "squirrel_toy", "shark_toy", "school_bus_toy", "duck_toy", "tea_box"]
    graph = WorldGraph([room, Entity("robot", Kind.AGENT, "robot", (1, 1, 0))])
    for i, name in enumerate(places):
        top = Surface("top", Pose2(i + 1.0, 2.0, 0.0), 0.7, (0.8, 0.8), 2.0)
        graph.put(Entity(name, Kind.FURNITURE, "table", (i + 1.0, 2.0, 0.0), surfaces=(top,)))
        graph.edges.add(Edge(name, Relation.IN_ROOM, "shop"))
    for i, name in enumerate(things):
        graph.put(Entity(f"{name}_0", Kind.OBJECT, name, attributes={"color": "red"}))
        graph.edges.add(Edge(f"{name}_0", Relation.ON, places[1 + i // 5], "top"))
    return graph

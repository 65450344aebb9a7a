"""Rooms that nobody told of: the floor cut at its doors, with ids that stay and a sort that is known once it shows."""

from dataclasses import replace

import numpy as np

from dadu.core.geometry import Pose2
from dadu.knowledge.rooms import ROOM, room_odds
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.memory.edit import apply_edit
from dadu.memory.memory import Memory
from dadu.memory.rooms.found import FoundRooms, outline
from dadu.memory.rooms.segment import segment
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph, points_in_polygon
from dadu.world.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap

FRIDGE = Entity("fridge_0", Kind.FURNITURE, "fridge", (0.5, 0.5, 0.0), 0.0, (0.6, 0.6, 1.8), provenance="detection")
SOFA = Entity("sofa_0", Kind.FURNITURE, "sofa", (6.0, 0.5, 0.0), 0.0, (1.8, 0.8, 0.8), provenance="detection")
ROBOT = Entity("robot", Kind.AGENT, "robot", (1.0, 2.0, 0.0))


def two_rooms(known=8.0, door=0.9, step=0.05):
    """Map of a room 4 m by 4 m and another beside it with a door between, known as far as x = `known` [m]."""
    map = OccupancyMap.unknown((-1, -1), (9, 5), step)
    centres = map.centres(np.moveaxis(np.indices(map.shape), 0, -1))
    x, y = centres[..., 0], centres[..., 1]
    floor = (x > 0) & (x < 8) & (y > 0) & (y < 4)
    wall = (np.abs(x - 4) < 0.05) & (np.abs(y - 2) > door / 2)
    rim = (x > -0.1) & (x < 8.1) & (y > -0.1) & (y < 4.1) & ~floor
    map.grid[floor] = FREE
    map.grid[wall | rim] = OCCUPIED
    map.grid[x > known] = UNKNOWN
    return map


def rooms_of(graph):
    return {room.id: room for room in graph.of(Kind.ROOM)}


def test_a_door_parts_two_rooms_and_furniture_does_not():
    map = two_rooms()
    labels = segment(map, np.zeros(map.shape, bool))
    here, there = labels[tuple(map.cells((1, 1)))], labels[tuple(map.cells((7, 3)))]
    assert labels.max() == 2 and here != there and min(here, there) > 0
    crossed = np.moveaxis(np.indices(map.shape), 0, -1)
    across = (np.abs(map.centres(crossed)[..., 0] - 2) < 0.3) & (map.centres(crossed)[..., 1] < 3.2)
    map.grid[across] = OCCUPIED  # a shelf that leaves no more free than a door
    assert segment(map, np.zeros(map.shape, bool)).max() == 3
    assert segment(map, across).max() == 2


def test_a_wide_opening_is_a_door_only_while_the_rooms_are_wider():
    assert segment(two_rooms(door=1.6), np.zeros(two_rooms().shape, bool)).max() == 2
    assert segment(two_rooms(door=3.2), np.zeros(two_rooms().shape, bool)).max() == 1


def test_an_outline_holds_what_it_is_of_and_has_few_corners():
    cells = np.zeros((60, 80), bool)
    cells[10:40, 10:70] = cells[30:55, 10:30] = True
    cells[20, 40] = False
    polygon = outline(cells, 0.05, (1.0, 2.0))
    rows, columns = np.indices(cells.shape)
    points = np.stack([(columns + 0.5) * 0.05 + 1.0, (rows + 0.5) * 0.05 + 2.0], axis=-1)
    assert len(polygon) <= 8 and (points_in_polygon(polygon, points) != cells).sum() < 5
    assert outline(np.zeros((5, 5), bool), 0.05, (0.0, 0.0)) == ()


def test_a_room_keeps_its_id_as_the_map_grows():
    graph, finder = WorldGraph([FRIDGE]), FoundRooms(WorldGraph())
    finder.update(graph, two_rooms(known=3.0), 0.0)
    (first,) = rooms_of(graph)
    finder.update(graph, two_rooms(known=6.5), 10.0)
    finder.update(graph, two_rooms(), 20.0)
    rooms = rooms_of(graph)
    assert len(rooms) == 2 and graph.room_at((1.0, 1.0)).id == first and graph.room_at((7.0, 3.0)).id != first
    assert graph.room_of("fridge_0").id == first
    finder.update(graph, two_rooms(door=3.6), 30.0)
    (left,) = rooms_of(graph)
    finder.update(graph, two_rooms(), 40.0)
    new = rooms_of(graph).keys() - rooms.keys()
    assert left in rooms and len(new) == 1, "an id that is gone is not given again"


def test_what_was_in_a_room_is_in_the_one_that_is_there_now():
    sock = Entity("sock_0", Kind.OBJECT, "sock", (7.0, 3.0, 0.0), size=(0.1, 0.1, 0.05))
    graph, finder = WorldGraph([sock]), FoundRooms(WorldGraph())
    finder.update(graph, two_rooms(door=3.6), 0.0)
    (whole,) = rooms_of(graph)
    graph.edges.add(Edge("sock_0", Relation.IN_ROOM, whole))
    finder.update(graph, two_rooms(), 10.0)
    assert graph.room_of("sock_0") is graph.room_at((7.0, 3.0))
    assert all(edge.object in graph for edge in graph.edges)


def test_it_is_called_what_it_is_once_that_shows():
    graph, finder = WorldGraph([FRIDGE]), FoundRooms(WorldGraph())
    finder.update(graph, two_rooms(), 0.0)
    kitchen, other = graph.room_at((1.0, 1.0)), graph.room_at((7.0, 3.0))
    assert (kitchen.category, kitchen.aliases, kitchen.provenance) == ("kitchen", ("kitchen",), "detection")
    assert other.category == ROOM and not other.aliases
    graph.put(SOFA)
    finder.update(graph, two_rooms(), 10.0)
    assert graph[other.id].category == "living_room" and graph[other.id].confidence >= 0.6
    graph.remove("sofa_0")
    finder.update(graph, two_rooms(), 20.0)
    assert graph[other.id].category == ROOM, "which was doubtful again"


def test_evidence_counts_as_much_as_it_is_worth():
    words = default_vocabulary()
    assert max(room_odds([], [], words), key=room_odds([], [], words).get) == ROOM
    assert room_odds([("fridge", 1.0)], [], words)["kitchen"] > 0.6 > room_odds([("fridge", 0.2)], [], words)["kitchen"]
    assert room_odds([("table", 1.0)], [], words)["kitchen"] < 0.3, "a table stands anywhere"
    assert room_odds([("bed", 1.0), ("desk", 1.0)], [], words)["bedroom"] > 0.7
    pans, none = room_odds([("table", 1.0)], ["pan", "milk_carton"], words), room_odds([("table", 1.0)], [], words)
    assert pans["kitchen"] > none["kitchen"] and pans["bathroom"] < none["bathroom"]


def test_what_somebody_calls_a_room_it_stays():
    graph, finder = WorldGraph([FRIDGE]), FoundRooms(WorldGraph())
    finder.update(graph, two_rooms(), 0.0)
    kitchen = graph.room_at((1.0, 1.0)).id
    apply_edit(graph, "put", {"id": kitchen, "category": "pantry", "aliases": ["larder"]}, 5.0)
    finder.update(graph, two_rooms(door=1.0), 10.0)
    assert (graph[kitchen].category, graph[kitchen].aliases) == ("pantry", ("larder",))


def test_memory_finds_them_unless_it_was_told_of_rooms():
    told = replace(Entity("hall", Kind.ROOM, "hall"), polygon=((0, 0), (8, 0), (8, 4), (0, 4)))
    frame = DetectionFrame(1.0, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), ())
    for prior, expected in (([ROBOT, FRIDGE], {"kitchen", ROOM}), ([ROBOT, FRIDGE, told], {"hall"})):
        memory = Memory(WorldGraph(prior))
        memory.chart(two_rooms())
        memory.see(frame, Pose2(1.0, 2.0, 0.0))
        assert {room.category for room in memory.graph.of(Kind.ROOM)} == expected
        memory.close()

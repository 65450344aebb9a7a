"""The graph of a house: what is known, and where surfaces, parts and objects are in the map."""

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.world.graph import Kind, Relation


def test_knowledge_comes_in_three_grades():
    house = load_house("flat")
    assert {e.kind for e in build_graph(house, "nothing")} == {Kind.HOUSE, Kind.AGENT}
    layout = build_graph(house)
    assert len(layout.of(Kind.FURNITURE)) == len(house.furniture) and not layout.of(Kind.OBJECT)
    assert {e.id for e in build_graph(house, "all").of(Kind.OBJECT)} == {o.name for o in house.objects}
    with pytest.raises(ConfigError, match="all, layout, nothing"):
        build_graph(house, "everything")


def test_everything_is_in_its_room():
    house = load_house("flat")
    graph = build_graph(house, "all")
    for piece in house.furniture:
        assert graph.room_of(piece.name).id == piece.room
        assert graph.room_at(graph[piece.name].position[:2]).id == piece.room
    for thing in house.objects:
        edge = graph.support(thing.name)
        assert (edge.object, edge.relation.value) == (thing.receptacle, thing.relation)
        assert graph.room_of(thing.name).id == house.piece(thing.receptacle).room
    assert graph["robot"].pose == pytest.approx(house.robot.pose)


def test_objects_rest_on_the_surface_their_edge_names():
    graph = build_graph(load_house("flat"), "all")
    for thing in graph.of(Kind.OBJECT):
        edge = graph.support(thing.id)
        surface = next(s for s in graph[edge.object].surfaces if s.name == edge.part)
        local = surface.pose.inverse().apply(thing.position[:2])
        assert (np.abs(local) <= np.array(surface.size) / 2).all()
        assert thing.position[2] - thing.size[2] / 2 == pytest.approx(surface.height, abs=1e-3)
        assert surface.inside == (edge.relation is Relation.IN)


@pytest.mark.parametrize("yaw", [0.0, 0.9, np.pi / 2, -2.5])
def test_parts_turn_with_their_furniture(one_room, yaw):
    house = one_room([{"name": "fridge_0", "category": "fridge", "pose": [3, 2, yaw]}])
    fridge = build_graph(house)["fridge_0"]
    (door,) = fridge.parts
    out = np.array([np.cos(yaw), np.sin(yaw), 0])
    assert door.normal == pytest.approx(out)
    face = np.array([3, 2, 0]) + 0.325 * out
    assert (np.array(door.handle) - face) @ out == pytest.approx(0.05)
    radius = np.linalg.norm(np.subtract(door.handle, door.origin)[:2])
    assert 0.5 <= radius <= 0.57
    opening = np.cross(door.axis, np.subtract(door.handle, door.origin))
    assert opening @ out > 0
    assert fridge.closed and all(surface.part == "door" for surface in fridge.surfaces)
    assert abs(np.dot(door.handle_axis, (0, 0, 1))) == pytest.approx(1)


def test_words_for_a_piece_are_its_own_and_its_categorys():
    graph = build_graph(load_house("flat"), "all")
    assert {"fruit stand", "hall table"} <= set(graph["fruit_table"].aliases)
    assert "refrigerator" in graph["fridge_0"].aliases
    assert graph["milk_0"].attributes["color"] == "white" and "milk" in graph["milk_0"].aliases

"""What is written to a bag reads back as it was; definitions are those of the ROS package."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ament_index_python.packages import get_package_share_directory

from dadu.core.errors import NotUsable
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.incoming import pictures
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.replay import messages
from dadu.replay.encode import Encoder
from dadu.replay.recording import message_types
from dadu.world.graph import Edge, Entity, Kind, Relation
from test.support.boxworld import SceneBox, look, render

TYPES = message_types()


def through_a_bag(message):
    """Serialized and back: as a bag gives it."""
    return TYPES._store.deserialize_cdr(TYPES.serialize(message), message.__msgtype__)


def test_a_graph_comes_back_equal():
    graph = build_graph(load_house("flat"), known="all")
    graph.change("mug_0", states={"is_clean": False}, attributes={"owner": "Ada"}, stamp=12.25, confidence=0.5)
    graph.change("mug_0", may_be={"cup": 0.42, "glass": 0.1})
    graph.change("desk_0", seen_here={"mug": 2.0, "toy car": 0.5}, attributes={"color": "red"})
    graph.put(Entity("suspect_3", Kind.SUSPECT, "toilet", (1.0, 2.0, 0.0), size=(0.6, 0.4, 0.8),
                     may_be={"toilet": 0.3}))
    graph.edges.add(Edge("mug_0", Relation.NEXT_TO, "bowl_0"))
    found = messages.graph(through_a_bag(Encoder(TYPES).graph(graph, 7, 3.5)))
    assert found.edges == graph.edges and found.entities.keys() == graph.entities.keys()
    for id, entity in graph.entities.items():
        assert replace(found[id], polygon=()) == replace(entity, polygon=()), id
        np.testing.assert_allclose(found[id].polygon, entity.polygon, atol=1e-5)


def test_detections_come_back_equal():
    boxes = [SceneBox("table_0", (2, 0, 0.36), (0.8, 1.2, 0.72)),
             SceneBox("mug_1", (1.9, 0, 0.77), (0.1, 0.1, 0.1), (200, 0, 0))]
    frame = perceive(render(boxes, look((0.2, 0, 1.3), (2, 0, 0.7)), stamp=3.25, scale=4),
                     InstanceDetector(["table_0", "mug_1"], {"table_0": "table", "mug_1": "mug"}))
    seen = [replace(d, states={"is_clean": 0.0312, "is_filled": 0.98}) for d in frame.detections]
    frame = replace(frame, detections=tuple(seen))
    found = messages.detections(through_a_bag(Encoder(TYPES).detections(frame)))
    assert (found.stamp, found.width, found.height, found.detector) == (3.25, frame.width, frame.height, frame.detector)
    np.testing.assert_allclose(found.T_map_camera, frame.T_map_camera, atol=1e-9)
    np.testing.assert_array_equal(found.depth, frame.depth)
    for a, b in zip(frame.detections, found.detections, strict=True):
        assert (a.label, a.box, a.pixels, a.attributes) == (b.label, b.box, b.pixels, b.attributes)
        assert a.states == b.states
        np.testing.assert_array_equal(a.points, b.points)
        np.testing.assert_array_equal(a.centroid, b.centroid)


@pytest.mark.parametrize("encoding", ["rgb8", "bgr8", "mono8", "32FC1", "16UC1"])
def test_raw_pictures_of_other_recorders(encoding):
    rng = np.random.default_rng(0)
    kind = {"32FC1": np.float32, "16UC1": np.uint16}.get(encoding, np.uint8)
    shape = (5, 4, 3) if encoding[-1] == "8" and encoding != "mono8" else (5, 4)
    pixels = rng.uniform(0, 200, shape).astype(kind)
    width = pixels[0].nbytes
    rows = np.hstack([pixels.reshape(5, -1).view(np.uint8), np.zeros((5, 8), np.uint8)])  # rows may be padded
    message = TYPES("sensor_msgs/Image", height=5, width=4, encoding=encoding, step=width + 8, data=rows.ravel())
    np.testing.assert_array_equal(pictures.stored(through_a_bag(message)), pixels)
    if encoding == "16UC1":
        np.testing.assert_allclose(pictures.depth(message), pixels * 1e-3, rtol=1e-6)
    with pytest.raises(NotUsable, match="rgb8"):
        pictures.color(TYPES("sensor_msgs/Image", encoding="8UC3"))


def test_an_unknown_field_is_refused():
    with pytest.raises(TypeError, match="colour"):
        TYPES("dadu_interfaces/Detection", colour="red")


@pytest.mark.parametrize("name", ["PlanStep", "WorldGraph", "DetectionArray", "SkillRecord", "GroundTruth"])
def test_definitions_are_those_of_the_ros_package(name):
    path = Path(get_package_share_directory("dadu_interfaces"), "msg", f"{name}.json")
    hashes = {h["type_name"]: h["hash_string"] for h in json.loads(path.read_text())["type_hashes"]}
    assert TYPES.definition(f"dadu_interfaces/{name}").hash == hashes[f"dadu_interfaces/msg/{name}"]

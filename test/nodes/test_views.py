"""What is drawn for RViz and Foxglove: messages that say what is there, and a configuration that asks for no more."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from dadu_nodes.navigation import surroundings
from dadu_nodes.perception import cloud_message
from dadu_nodes.support.convert.markers import marker_array
from dadu_nodes.support.convert.vision import detections_3d
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from dadu.core.geometry import Pose2
from dadu.core.paths import shared
from dadu.core.robot import CameraFrame
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Kind

NODES = Path(__file__).parents[2] / "nodes"


def test_points_lie_where_depth_and_pose_put_them_in_the_picture_s_colours():
    depth = np.zeros((8, 8), np.float32)
    depth[0, 4], depth[4, 0], depth[4, 4] = 2.0, 1.0, np.nan
    rgb = np.zeros((8, 8, 3), np.uint8)
    rgb[0, 4] = (255, 128, 3)
    K = np.array([[10.0, 0, 4], [0, 10, 4], [0, 0, 1]])
    T = np.eye(4)
    T[:3, 3] = (1.0, 2.0, 3.0)
    cloud = cloud_message(CameraFrame(5.0, rgb, depth, K, T))
    table = np.frombuffer(bytes(cloud.data), np.float32).reshape(cloud.width, 4)
    assert (cloud.header.frame_id, cloud.width, cloud.point_step) == ("map", 2, 16)
    assert table[:, :3] == pytest.approx(np.array([[1.0, 1.2, 5.0], [0.6, 2.0, 4.0]]), abs=1e-6)
    assert table[0, 3:].view(np.uint32) == 255 << 16 | 128 << 8 | 3
    assert [field.name for field in cloud.fields] == ["x", "y", "z", "rgb"]


def test_every_room_thing_and_piece_has_a_body_and_a_name():
    graph = build_graph(load_house("flat"), "all")
    markers = marker_array(graph, Header(frame_id="map")).markers
    assert markers[0].action == Marker.DELETEALL and len({(m.ns, m.id) for m in markers}) == len(markers)
    named = {m.text.split(" ")[0]: m for m in markers if m.type == Marker.TEXT_VIEW_FACING}
    shown = {e.id for e in graph.entities.values() if e.kind is not Kind.HOUSE}
    assert named.keys() == shown
    bodies = [m for m in markers if m.type == Marker.CUBE and m.action == Marker.ADD]
    assert all(m.scale.x > 0 and m.scale.y > 0 and m.scale.z > 0 and m.color.a > 0 for m in bodies)
    fridge = graph["fridge_0"]
    box = next(m for m in bodies if np.allclose((m.pose.position.x, m.pose.position.y), fridge.position[:2]))
    assert box.pose.position.z == pytest.approx(fridge.size[2] / 2), "furniture stands on the floor"
    outline = next(m for m in markers if m.type == Marker.LINE_STRIP)
    assert outline.points[0] == outline.points[-1]


@pytest.mark.parametrize(("robot", "shape"), [((5.0, 4.0), (60, 60)), ((0.5, 0.5), (35, 35)), ((20.0, 20.0), (0, 0))])
def test_the_near_costmap_is_the_part_of_the_whole_round_the_robot(robot, shape):
    whole = OccupancyGrid(header=Header(frame_id="map"))
    whole.info.resolution, whole.info.width, whole.info.height = 0.1, 100, 80
    whole.info.origin.position.x, whole.info.origin.position.y = 0.0, 0.0
    cells = np.arange(8000).reshape(80, 100) % 101
    whole.data = cells.astype(np.int8).ravel()
    near = surroundings(whole, Pose2(*robot, 0.0))
    assert (near.info.height, near.info.width) == shape
    if not shape[0]:
        return
    column = round(near.info.origin.position.x / 0.1)
    row = round(near.info.origin.position.y / 0.1)
    part = cells[row:row + shape[0], column:column + shape[1]]
    assert np.array_equal(np.asarray(near.data).reshape(shape), part)


def test_rviz_asks_for_topics_that_the_nodes_have():
    config = yaml.safe_load(shared("config", "dadu.rviz").read_text())["Visualization Manager"]
    wanted = {entry[key]["Value"] for entry in (*config["Displays"], *config["Tools"])
              for key in ("Topic", "Description Topic") if key in entry}
    sources = " ".join(path.read_text() for path in NODES.rglob("*.py"))
    assert len(wanted) >= 10 and {topic for topic in wanted if not re.search(f'"{topic[1:]}"', sources)} == set()
    assert config["Global Options"]["Fixed Frame"] == "map"


class _Message(SimpleNamespace):
    """Takes only the fields that a message of vision_msgs 4 has."""

    fields = ()

    def __init__(self, **given):
        assert given.keys() <= set(self.fields), f"{type(self).__name__} has no {given.keys() - set(self.fields)}"
        super().__init__(**given)


def vision_msgs():
    """The messages of vision_msgs 4 that are used, by their definitions."""
    fields = {"Detection3DArray": ("header", "detections"), "Detection3D": ("header", "results", "bbox", "id"),
              "BoundingBox3D": ("center", "size"), "ObjectHypothesis": ("class_id", "score"),
              "ObjectHypothesisWithPose": ("hypothesis", "pose")}
    return SimpleNamespace(**{name: type(name, (_Message,), {"fields": names}) for name, names in fields.items()})


def test_detections_are_boxes_in_map_without_what_only_the_simulator_knows():
    apple = Detection("apple", 0.75, (1, 2, 3, 4), 12, np.zeros((1, 3), np.float32), np.array([1.0, 2.0, 0.8]),
                      np.array([0.1, 0.2, 0.3]), instance="apple_7")
    frame = DetectionFrame(12.5, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (apple,))
    array = detections_3d(frame, vision_msgs())
    assert (array.header.frame_id, array.header.stamp.sec, array.header.stamp.nanosec) == ("map", 12, 500_000_000)
    (box,) = array.detections
    (result,) = box.results
    assert (result.hypothesis.class_id, result.hypothesis.score) == ("apple", 0.75)
    for pose in (box.bbox.center, result.pose.pose):
        assert (pose.position.x, pose.position.y, pose.position.z) == (1.0, 2.0, 0.8)
        assert pose.orientation.w == 1.0
    assert (box.bbox.size.x, box.bbox.size.y, box.bbox.size.z) == (0.1, 0.2, 0.3)
    assert box.header is array.header and "apple_7" not in repr(array)

"""Perception and memory replay: the same on what they recorded, and changes are found; foreign bags work."""

import numpy as np
import pytest
from episodes import BOWL, MUG, TABLE, TOOL_LINK, record_table

from dadu.memory.settings import ForgettingSettings, MemorySettings
from dadu.operator.bags.bag import BagWriter
from dadu.perception import detectors
from dadu.perception.boxworld import look, render
from dadu.perception.detector import Segment, Segmentation
from dadu.replay import encode
from dadu.replay.bag import Bag, UnusableBag
from dadu.replay.memory import replay_memory
from dadu.replay.perception import replay_perception
from dadu.replay.types import message_types
from dadu.world.graph import Kind


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "bag"
    record_table(path)
    return path


def kinds(report):
    return {(d.what, d.subject) for d in report.differences}


def test_the_same_perception_sees_the_same(table):
    with Bag(table) as bag:
        report = replay_perception(bag)
    assert report.compared == 9 and not report.differences and report.figures["largest offset [m]"] < 0.005


def test_a_detector_that_named_things_otherwise_is_found_out(tmp_path):
    record_table(tmp_path / "bag", names={"table_0": "table", "mug_7": "cup", "bowl_7": "bowl"})
    with Bag(tmp_path / "bag") as bag:
        report = replay_perception(bag)
    assert kinds(report) == {("missing", "cup"), ("extra", "mug")} and len(report.differences) == 6
    assert "3 missing" in report.text() and "at (1." in report.text()


def test_the_same_memory_remembers_the_same(table):
    with Bag(table) as bag:
        report, memory = replay_memory(bag, robot="stretch")
        assert not report.differences and report.compared == 2
        assert [e.category for e in memory.graph.of(Kind.OBJECT)] == ["bowl"] and "mug_0" in memory.lost
        through_perception, _ = replay_memory(bag, detector="ground_truth", robot="stretch")
        assert not through_perception.differences


def test_a_memory_that_forgets_otherwise_is_found_out(table):
    stubborn = MemorySettings(forgetting=ForgettingSettings(views=50))
    with Bag(table) as bag:
        report, _ = replay_memory(bag, robot="stretch", settings=stubborn)
    assert kinds(report) == {("extra", "mug_0")}


def test_only_the_first_seconds(table):
    with Bag(table) as bag:
        assert replay_perception(bag, limit=1.5).compared < 5


class RedThings:
    """Stands in for a learned detector: what is red is a mug."""

    name = "red_things"

    def segment(self, frame):
        red = (frame.rgb[..., 0] > 150) & (frame.rgb[..., 1] < 80)
        return Segmentation(red.astype(np.int16), (Segment("mug", 0.9),))


def foreign_bag(path, frame="odom"):
    """As another robot might record it: raw pictures, its own topic names, odometry only, nothing of ours."""
    types, writer = message_types(), BagWriter(path)
    eye = look((0.2, 0.0, 1.35), (2.0, 0.0, 0.72))
    names = {"/tf": "tf2_msgs/TFMessage", "/joint_states": "sensor_msgs/JointState",
             "/head/rgb/camera_info": "sensor_msgs/CameraInfo", "/head/rgb/image_raw": "sensor_msgs/Image",
             "/head/depth_registered/image_raw": "sensor_msgs/Image"}
    connections = {topic: writer.add(topic, types.definition(name)) for topic, name in names.items()}

    def put(topic, t, message):
        writer.write(connections[topic], int(t * 1e9), types.serialize(message))

    for i in range(4):
        t = 1.0 + i
        camera = render([TABLE, MUG, BOWL], eye, stamp=t, scale=2)
        put("/tf", t, encode.transforms(t, {(frame, "base_footprint"): np.eye(4),
                                            ("base_footprint", "head_optical"): eye}))
        put("/joint_states", t, encode.joints(t, {"wheel": 0.1}, {}))
        put("/head/rgb/camera_info", t, encode.camera_info(t, "head_optical", camera.K, camera.depth.shape))
        millimetres = np.where(np.isfinite(camera.depth), camera.depth * 1000, 0).astype(np.uint16)
        for topic, pixels, encoding in (("rgb", camera.rgb, "rgb8"), ("depth_registered", millimetres, "16UC1")):
            data = np.ascontiguousarray(pixels).view(np.uint8).ravel()
            put(f"/head/{topic}/image_raw", t, types(
                "sensor_msgs/Image", header=encode.header(t, "head_optical"), height=pixels.shape[0],
                width=pixels.shape[1], encoding=encoding, step=pixels[0].nbytes, data=data))
    writer.close()


def test_a_bag_of_another_robot_goes_through_perception_and_memory(tmp_path, monkeypatch):
    monkeypatch.setitem(detectors.DETECTORS, "red_things", detectors.Registration(f"{__name__}:RedThings"))
    monkeypatch.setitem(__import__("sys").modules, __name__, __import__("types").SimpleNamespace(RedThings=RedThings))
    foreign_bag(tmp_path / "bag")
    with Bag(tmp_path / "bag") as bag:
        assert bag.topics["color"] == "/head/rgb/image_raw" and bag.topics["depth"].startswith("/head/depth")
        seen = replay_perception(bag, "red_things")
        report, memory = replay_memory(bag, detector="red_things")
    assert seen.compared == 0 and seen.figures["pictures seen"] >= 3 and "no recorded detections" in seen.text()
    (mug,) = memory.graph.of(Kind.OBJECT)
    assert mug.category == "mug" and not report.differences and report.figures["objects at the end"] == 1
    np.testing.assert_allclose(mug.position, MUG.center, atol=0.03)


def test_what_a_bag_lacks_is_named(tmp_path):
    foreign_bag(tmp_path / "bag")
    with Bag(tmp_path / "bag") as bag:
        with pytest.raises(UnusableBag, match="lacks instances, truth .*/head/rgb/image_raw"):
            replay_perception(bag, "ground_truth")
    with pytest.raises(UnusableBag, match="no topic /nowhere"):
        Bag(tmp_path / "bag", {"depth": "/nowhere"})
    with pytest.raises(UnusableBag, match="valid: .*camera_info"):
        Bag(tmp_path / "bag", {"smell": "/tf"})
    with pytest.raises(UnusableBag, match="does not exist"):
        Bag(tmp_path / "none")
    (tmp_path / "torn").mkdir()
    with pytest.raises(UnusableBag, match="metadata"):
        Bag(tmp_path / "torn")


def test_the_link_of_the_hand_is_in_the_bag(table):
    with Bag(table) as bag:
        parents = {t.child_frame_id for m in bag.messages(["tf"]) for t in m.data.transforms}
    assert TOOL_LINK in parents

"""Perception and memory replay: the same on what they recorded, and changes are found; foreign bags work."""

from dataclasses import replace

import numpy as np
import pytest
from episodes import BOWL, MUG, TABLE, TOOL_LINK, record_table
from typer.testing import CliRunner

from dadu.cli.verbs import app_of
from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.memory.memory import Memory
from dadu.memory.settings import ForgettingSettings, MemorySettings
from dadu.operator.bags.bag import BagWriter
from dadu.perception import detectors
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.replay.bag import Bag, UnusableBag
from dadu.replay.encode import Encoder
from dadu.replay.memory import replay_memory
from dadu.replay.perception import replay_perception
from dadu.replay.recording import EpisodeRecorder, message_types
from dadu.robots import load_robot
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph
from test.support.boxworld import look, render

ENCODE = Encoder(message_types())

app = app_of("dadu.cli", "replay")

STRETCH = load_robot("stretch")


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


def record_pictures(path, edited=lambda stamp, seen: seen, moved=0.0, quality=90):
    """Four pictures of the table and what was seen in them, `edited`; the bag's transforms put the camera `moved` [m]
    off where perception had it, as those do between which some were lost."""
    boxes, names = [TABLE, MUG, BOWL], {b.name: b.name.rsplit("_", 1)[0] for b in (TABLE, MUG, BOWL)}
    eye = look((0.2, 0.0, 1.35), (2.0, 0.0, 0.72))
    with EpisodeRecorder(path, TOOL_LINK, quality) as recorder:
        recorder.names(0.0, list(names), list(names.values()))
        for i in range(4):
            camera = render(boxes, eye, stamp=1.0 + i, scale=2)
            where = eye.copy()
            where[0, 3] += moved
            recorder.picture(replace(camera, T_map_camera=where))
            recorder.seen(edited(i, perceive(camera, InstanceDetector(list(names), names))))


def test_a_picture_is_seen_again_from_where_perception_took_it_to_be(tmp_path):
    record_pictures(tmp_path / "bag", moved=0.5)
    with Bag(tmp_path / "bag") as bag:
        report = replay_perception(bag)
    assert report.compared == 4 and not report.differences and report.figures["largest offset [m]"] < 0.005


def coloured(frame, label, colour):
    return replace(frame, detections=tuple(
        replace(d, attributes={**d.attributes, "color": colour}) if d.label == label else d for d in frame.detections))


def test_a_colour_that_loss_has_renamed_here_and_there_is_counted_and_one_of_most_pictures_is_a_difference(tmp_path):
    record_pictures(tmp_path / "some", lambda i, seen: coloured(seen, "mug", "beige") if i < 2 else seen)
    with Bag(tmp_path / "some") as bag:
        report = replay_perception(bag)
    assert not report.differences
    assert report.figures["colours named otherwise, of pictures stored with loss"] == 2
    record_pictures(tmp_path / "most", lambda i, seen: coloured(seen, "mug", "beige") if i < 3 else seen)
    with Bag(tmp_path / "most") as bag:
        assert kinds(replay_perception(bag)) == {("colours", "mug")}


def test_in_exact_pictures_every_colour_named_otherwise_is_a_difference(tmp_path):
    record_pictures(tmp_path / "bag", lambda i, seen: coloured(seen, "mug", "beige") if i < 2 else seen, quality=0)
    with Bag(tmp_path / "bag") as bag:
        report = replay_perception(bag)
    assert kinds(report) == {("attributes", "mug")} and len(report.differences) == 2


def test_the_command_ends_with_0_where_nothing_differs_and_with_1_where_something_does(tmp_path):
    record_pictures(tmp_path / "same")
    record_pictures(tmp_path / "other", lambda i, seen: coloured(seen, "mug", "beige"))
    ends = [CliRunner().invoke(app, [str(tmp_path / name), "--node", "perception"]) for name in ("same", "other")]
    assert [end.exit_code for end in ends] == [0, 1]
    assert "4 pictures compared, no difference" in ends[0].stdout and "1 colours" in ends[1].stdout


def test_an_attribute_that_no_loss_explains_is_a_difference_each_time(tmp_path):
    def open_mug(i, frame):
        return replace(frame, detections=tuple(replace(d, attributes={**d.attributes, "shape": "torus"})
                                               for d in frame.detections if d.label == "mug")) if i == 0 else frame

    record_pictures(tmp_path / "bag", open_mug)
    with Bag(tmp_path / "bag") as bag:
        assert ("attributes", "mug") in kinds(replay_perception(bag))


def record_grip(path, effort):
    """The hand closes on the bowl with no skill, and memory feels it; the bag has `effort` [N] for its fingers' own."""
    hand, memory = BOWL.center, Memory(WorldGraph([Entity("robot", Kind.AGENT, "robot")]))
    eye, names = look((0.2, 0.0, 1.35), (2.0, 0.0, 0.72)), {"table_0": "table", "bowl_7": "bowl"}
    with EpisodeRecorder(path, TOOL_LINK) as recorder:
        recorder.remembered(memory.graph, memory.revision, 0.0)
        for i in range(30):
            stamp = 1.0 + 0.13 * i
            recorder.body(Observation(stamp, Pose2(0, 0, 0), aperture=0.1, grip_effort=effort if i > 10 else 0.0),
                          np.array(hand))
            memory.feel(stamp, i > 10, lambda _: (Pose2(0, 0, 0), hand))
            if i in (0, 5, 9):
                seen = perceive(render([TABLE, BOWL], eye, stamp=stamp, scale=2), InstanceDetector(list(names), names))
                recorder.seen(seen)
                memory.see(seen, Pose2(0, 0, 0), hand, 0.1)
            recorder.remembered(memory.graph, memory.revision, stamp)
    assert memory.graph.held() is not None


def test_what_the_fingers_felt_is_felt_again(tmp_path):
    record_grip(tmp_path / "bag", effort=STRETCH.grip_force)
    with Bag(tmp_path / "bag") as bag:
        report, memory = replay_memory(bag, robot="stretch")
    assert not report.differences and report.compared >= 2
    assert memory.graph.held().category == "bowl"


def test_a_hand_that_feels_otherwise_is_found_out(tmp_path):
    record_grip(tmp_path / "bag", effort=0.0)
    with Bag(tmp_path / "bag") as bag:
        assert kinds(replay_memory(bag, robot="stretch")[0]) == {("support", "bowl_0")}


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
        put("/tf", t, ENCODE.transforms(t, {(frame, "base_footprint"): np.eye(4),
                                            ("base_footprint", "head_optical"): eye}))
        put("/joint_states", t, ENCODE.joints(t, {"wheel": 0.1}, {}))
        put("/head/rgb/camera_info", t, ENCODE.camera_info(t, "head_optical", camera.K, camera.depth.shape))
        millimetres = np.where(np.isfinite(camera.depth), camera.depth * 1000, 0).astype(np.uint16)
        for topic, pixels, encoding in (("rgb", camera.rgb, "rgb8"), ("depth_registered", millimetres, "16UC1")):
            data = np.ascontiguousarray(pixels).view(np.uint8).ravel()
            put(f"/head/{topic}/image_raw", t, types(
                "sensor_msgs/Image", header=ENCODE.header(t, "head_optical"), height=pixels.shape[0],
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


def test_what_was_shown_to_the_robot_is_not_what_it_saw(tmp_path):
    """Both are DetectionArrays; the shorter name was taken, and memory replayed without a picture."""
    types, writer = message_types(), BagWriter(tmp_path / "bag")
    for topic in ("/memory/examples", "/perception/detections"):
        message = ENCODE.detections(DetectionFrame(1.0, np.eye(4), np.eye(3), 8, 8, np.zeros((1, 1), np.float32), ()))
        writer.write(writer.add(topic, types.definition("dadu_interfaces/DetectionArray")), 10**9,
                     types.serialize(message))
    writer.close()
    with Bag(tmp_path / "bag") as bag:
        assert bag.topics == {"detections": "/perception/detections"}


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

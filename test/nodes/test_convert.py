"""What goes into messages comes out the same."""

import math
import struct

import numpy as np
import pytest
from dadu_interfaces.msg import Outcome
from dadu_nodes.simulator.publishers import image_message, truth_message
from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.convert import sensors
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.frames_wire import FramePose, _by_rclpy, frames_message, read_frames
from geometry_msgs.msg import Quaternion, Transform, TransformStamped, Vector3
from hypothesis import given
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2, transform
from dadu.core.robot import JointTrajectory, Waypoint
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.incoming import pictures
from dadu.incoming.grid import occupancy
from dadu.replay import messages
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.boxes import OrientedBox
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.from_message import world_state
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap
from dadu.world.state import ObjectState, WorldState


def test_outcome_constants_mirror_the_enum():
    assert {code.name: int(code) for code in Code} == {code.name: getattr(Outcome, code.name) for code in Code}
    constants = {name for name in dir(type(Outcome)) if name.isupper() and name[0] != "_"}
    assert constants <= {code.name for code in Code} | {"DEFAULT"}


@given(st.sampled_from(Code), st.text(max_size=40), st.text(max_size=10), st.text(max_size=10))
def test_results(code, message, detail, target):
    result = SkillResult(code, message, detail, target)
    assert messages.result(encode.result(result)) == result


def test_calls():
    call = SkillCall("place", ("on", "table_0", "next_to", "mug_0"))
    assert messages.call(encode.call(call)) == call


def test_graph_of_a_house():
    before = build_graph(load_house("flat"), known="all")
    before.put(Entity("suspect_3", Kind.SUSPECT, "toilet", (1.0, 2.0, 0.0), size=(0.6, 0.4, 0.8),
                      may_be={"toilet": 0.3}))
    after = messages.graph(encode.graph(before, 7, 12.5))
    assert after.edges == before.edges
    assert after.entities == before.entities


def test_empty_graph():
    assert not list(messages.graph(encode.graph(WorldGraph(), 0, 0.0)))


@pytest.mark.parametrize("mangle, said", [
    (lambda message: setattr(message.entities[0], "kind", "unicorn"), "unicorn"),
    (lambda message: setattr(message.edges[0], "relation", "beneath"), "beneath"),
    (lambda message: setattr(message.entities[0].position, "x", math.nan), "no number"),
    (lambda message: setattr(message.edges[0], "object", message.edges[0].subject), "stands on itself"),
])
def test_graph_that_cannot_be_read_is_refused(mangle, said):
    message = encode.graph(build_graph(load_house("flat"), known="all"), 7, 12.5)
    assert messages.graph(message)
    message.edges.sort(key=lambda edge: edge.relation == "in_room")
    mangle(message)
    with pytest.raises(NotUsable, match=said):
        messages.graph(message)


def test_detections():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 3)).astype(np.float32)
    detection = Detection("mug", 0.5, (1, 2, 3, 4), 20, points, points.mean(0).astype(float), np.ptp(points, 0) * 1.0,
                          {"color": "red"}, np.ones(4, np.float32) / 2, "mug_0", True)
    before = DetectionFrame(3.25, transform(np.eye(3), (1, 2, 3)), np.diag([600.0, 600.0, 1.0]), 640, 480,
                            np.ones((60, 80), np.float32), (detection,))
    after = messages.detections(encode.detections(before))
    assert (after.stamp, after.width, after.height, after.detector) == (3.25, 640, 480, "ground_truth")
    assert np.allclose(after.T_map_camera, before.T_map_camera) and np.array_equal(after.depth, before.depth)
    d = after.detections[0]
    assert (d.label, d.box, d.pixels, d.attributes, d.truncated) == ("mug", (1, 2, 3, 4), 20, {"color": "red"}, True)
    assert np.array_equal(d.points, points) and np.allclose(d.centroid, detection.centroid)
    assert np.array_equal(d.embedding, detection.embedding)


@pytest.mark.parametrize("encoding, dtype, channels", [
    ("rgb8", np.uint8, 3), ("16UC1", np.uint16, 1), ("32FC1", np.float32, 1), ("bgra8", np.uint8, 4)])
def test_images(encoding, dtype, channels):
    shape = (4, 6, channels) if channels > 1 else (4, 6)
    pixels = (np.arange(24 * channels).reshape(shape)).astype(dtype)
    assert np.array_equal(pictures.stored(image_message(pixels, encoding, Header())), pixels)


def test_images_in_other_forms():
    bgr = np.zeros((2, 2, 3), np.uint8)
    bgr[..., 0] = 9
    assert pictures.color(image_message(bgr, "bgr8", Header()))[0, 0].tolist() == [0, 0, 9]
    millimetres = image_message(np.full((2, 2), 1500), "16UC1", Header())
    assert np.allclose(pictures.depth(millimetres), 1.5)


def test_images_that_lie():
    message = image_message(np.zeros((2, 2, 3), np.uint8), "rgb8", Header())
    message.height = 40
    with pytest.raises(NotUsable, match="too little data"):
        pictures.stored(message)
    message.encoding = "yuv"
    with pytest.raises(NotUsable, match="valid: .*rgb8"):
        pictures.stored(message)


def test_map_and_trajectory():
    grid = OccupancyMap(np.array([[0, 100, -1]], np.int8), 0.05, (1.0, 2.0))
    after = occupancy(sensors.map_message(grid, Header()))
    assert np.array_equal(after.grid, grid.grid) and np.allclose(after.origin, grid.origin)
    trajectory = JointTrajectory((Waypoint(0.5, {"a": 1.0, "b": 2.0}), Waypoint(1.5, {"a": 3.0, "b": 4.0})))
    assert messages.trajectory(encode.trajectory(trajectory)) == trajectory


def test_true_state():
    box = OrientedBox.upright(1.0, 2.0, 0.7, 0.3, (0.1, 0.2, 0.3))
    before = WorldState(12.5, Pose2(1.0, -2.0, 0.5),
                        {"mug_0": ObjectState("mug_0", "mug", box, True, {"is_clean": False}, "person")},
                        {"fridge_0/door": 0.4}, {"lamp_0": {"is_powered_on": True}, "sink_0": {"is_filled": False}},
                        {"person": Pose2(4.0, 1.0, -0.5)})
    after = world_state(truth_message(before, "flat", ((), ()), 1.0))
    assert (after.stamp, after.robot, after.parts) == (before.stamp, before.robot, before.parts)
    assert (after.furniture, after.others) == (before.furniture, before.others)
    mug = after.bodies["mug_0"]
    assert (mug.held, mug.holder, mug.states) == (True, "person", {"is_clean": False})
    np.testing.assert_allclose(mug.box.corners, box.corners, atol=1e-9)


FRAME_NAMES = st.text("a/é", max_size=9)


@given(st.lists(st.tuples(FRAME_NAMES, FRAME_NAMES, st.tuples(*[st.floats(-9, 9)] * 7)), max_size=4), st.floats(0, 1e6))
def test_transforms_on_the_wire_are_what_rclpy_makes_of_them(frames, when):
    """Names of any length, which is what the padding depends on."""
    message = TFMessage(transforms=[TransformStamped(
        header=Header(frame_id=parent, stamp=stamp(when)), child_frame_id=child,
        transform=Transform(translation=Vector3(x=n[0], y=n[1], z=n[2]),
                            rotation=Quaternion(x=n[3], y=n[4], z=n[5], w=n[6]))) for parent, child, n in frames])
    poses = [FramePose(parent, child, n[:3], n[3:]) for parent, child, n in frames]
    assert [pose for pose, _ in read_frames(serialize_message(message))] == poses
    assert _by_rclpy(serialize_message(message)) == read_frames(serialize_message(message))
    assert all(time == seconds(stamp(when)) for _, time in read_frames(serialize_message(message)))
    assert deserialize_message(frames_message(poses, stamp(when)), TFMessage) == message


def test_transforms_of_a_big_endian_machine():
    """One of frame b in a, one metre ahead, at 1.5 s."""
    data = b"".join((b"\0\0\0\0", struct.pack(">IiII", 1, 1, 500_000_000, 2), b"a\0\0\0", struct.pack(">I", 2),
                     b"b\0\0\0\0\0\0\0", struct.pack(">7d", 1, 0, 0, 0, 0, 0, 1)))
    assert read_frames(data) == [(FramePose("a", "b", (1, 0, 0), (0, 0, 0, 1)), 1.5)]

"""Bags of others: channels that nobody needs do not matter, files without metadata are one bag, also if cut off."""

import json
import shutil

import numpy as np
import pytest
from episodes import SCENES, record_table
from mcap.reader import make_reader
from mcap.writer import Writer
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as BagWriter2
from typer.testing import CliRunner

from dadu.cli.verbs import app_of
from dadu.core.errors import ConfigError
from dadu.operator.bags.bag import BagWriter
from dadu.operator.bags.bag_repair import recordings
from dadu.operator.run.pictures import compress
from dadu.replay.bag import Bag, UnusableBag
from dadu.replay.recording import message_types
from dadu.replay.report import ReplayReport
from dadu.replay.run import replay_nodes
from dadu.replay.transforms import Frames

app = app_of("dadu.cli", "replay")

ROLES = ("detections", "tf")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    bag = tmp_path_factory.mktemp("run") / "bag"
    record_table(bag, scenes=SCENES[2:5])
    return bag


def held(bag, roles=ROLES):
    """How many messages of some roles."""
    with Bag(bag) as opened:
        return len(list(opened.messages(roles))), opened.damage, " ".join(opened.notes)


OTHERS = {
    "json": ("jsonschema", b"{}", "json", b'{"a": 1}'), "protobuf": ("protobuf", b"\n\xff\x80", "protobuf", b"\x08"),
    "ros1": ("ros1msg", b"string data", "ros1", b"\1\0\0\0x"), "flatbuffer": ("flatbuffer", b"\0\xff",
    "flatbuffer", b""),
    "unknown": ("of-my-own", b"?", "of-my-own", b"?"), "schemaless": ("", b"", "json", b"{}"),
    "torn definition": ("ros2msg", b"no such[ thing", "cdr", b"\0\1\0\0"), "IDL": ("ros2idl", b"module {", "cdr", b""),
}


def with_others(source, path, profile="ros2", others=OTHERS, chunk_size=2**20):
    """The bag's messages in one MCAP, with channels of other tools among them."""
    with path.open("wb") as file, AnyReader([source]) as reader:
        writer = Writer(file, chunk_size=chunk_size)
        writer.start(profile)
        for name, (encoding, schema, message_encoding, data) in others.items():
            topic = name if name.startswith("/") else f"/others/{name}"
            channel = writer.register_channel(topic, message_encoding, writer.register_schema(
                f"others/{name.strip('/')}", encoding, schema) if encoding else 0)
            for stamp in (1, 2):
                writer.add_message(channel, stamp, data, stamp)
        channels = {c.id: writer.register_channel(c.topic, "cdr", writer.register_schema(
            c.msgtype, "ros2msg", c.msgdef.data.encode())) for c in reader.connections}
        for c, stamp, data in reader.messages():
            writer.add_message(channels[c.id], stamp, bytes(data), stamp)
        writer.finish()


@pytest.mark.parametrize("name", ["json", "torn definition"])
def test_channels_that_nobody_needs_do_not_matter(table, tmp_path, name):
    with_others(table, tmp_path / "x.mcap", others={name: OTHERS[name]})
    count, damage, notes = held(tmp_path / "x.mcap")
    assert count == held(table)[0] and not damage
    assert f"/others/{name} (" in notes and "2 messages" in notes


def test_of_a_topic_of_two_types_the_one_that_is_meant_counts(table, tmp_path):
    with_others(table, tmp_path / "x.mcap", others={"/tf": ("ros2msg", b"string data", "cdr", b"\0\1\0\0\2\0\0\0a\0")})
    assert held(tmp_path / "x.mcap") == held(table)
    with pytest.raises(UnusableBag, match="/tf is .*, and color can be .*Image"):
        Bag(tmp_path / "x.mcap", {"color": "/tf"})


def test_any_profile_will_do_and_all_that_was_left_out_is_told(table, tmp_path):
    with_others(table, tmp_path / "x.mcap", profile="")
    said = CliRunner().invoke(app, [str(tmp_path / "x.mcap"), "--node", "memory", "--robot", "stretch"])
    assert said.exception is None or isinstance(said.exception, SystemExit) and "graphs compared" in said.output
    assert all(f"/others/{name} (" in said.output for name in OTHERS), "what rosbags refuses, and what it would pass"


def split(table, folder, count=12):
    """The bag as files of few messages, without metadata.yaml, named as rosbag2 names them."""
    folder.mkdir()
    with AnyReader([table]) as reader:
        messages = list(reader.messages())
        for part in range(count):
            with (folder / f"rosbag2_{part}.mcap").open("wb") as file:
                writer = Writer(file)
                writer.start("ros2")
                channels = {c.id: writer.register_channel(c.topic, "cdr", writer.register_schema(
                    c.msgtype, "ros2msg", c.msgdef.data.encode())) for c in reader.connections}
                for c, stamp, data in messages[part::count]:
                    writer.add_message(channels[c.id], stamp, bytes(data), stamp)
                writer.finish()


def test_a_split_bag_without_metadata_is_one(table, tmp_path):
    split(table, tmp_path / "split")
    assert held(tmp_path / "split") == (held(table)[0], "", "")
    assert [file.stem for file in recordings(tmp_path / "split")] == [f"rosbag2_{i}" for i in range(12)]
    (tmp_path / "split" / "rosbag2_11.mcap").write_bytes(b"")
    count, damage, _ = held(tmp_path / "split")
    assert 0 < count <= held(table)[0] and "rosbag2_11" in damage


def test_a_database_without_metadata_is_read(table, tmp_path):
    with AnyReader([table]) as reader, BagWriter2(tmp_path / "db", version=9,
                                                  storage_plugin=StoragePlugin.SQLITE3) as writer:
        new = {c.id: writer.add_connection(c.topic, c.msgtype, msgdef=c.msgdef.data, rihs01=c.digest)
               for c in reader.connections}
        for c, stamp, data in reader.messages():
            writer.write(new[c.id], stamp, data)
    (tmp_path / "db" / "metadata.yaml").unlink()
    assert held(tmp_path / "db") == (held(table)[0], "", "")


def test_no_bag_says_what_it_lacks(tmp_path):
    with pytest.raises(UnusableBag, match=r"neither a metadata.yaml nor files"):
        Bag(tmp_path)


def test_a_bag_is_whole_at_every_moment(table, tmp_path):
    types = message_types()
    writer = BagWriter(tmp_path / "live")
    string = writer.add("/words", types.definition("std_msgs/String"))
    for i in range(5):
        writer.write(string, i, types.serialize(types("std_msgs/String", data=f"word {i}" * 9999)))
        writer.flush()
        shutil.copytree(tmp_path / "live", tmp_path / f"killed{i}")
        with AnyReader([tmp_path / f"killed{i}"]) as reader:
            assert [stamp for _, stamp, _ in reader.messages()] == list(range(i + 1))
        with (tmp_path / f"killed{i}" / "live.mcap").open("rb") as file:
            assert make_reader(file).get_summary().statistics.message_count == i + 1
    writer.close()
    assert "unfinished" not in (tmp_path / "live" / "metadata.yaml").read_text()


def test_a_file_without_an_end_is_no_damage(table, tmp_path):
    whole = (table / "bag.mcap").read_bytes()
    end = whole.rindex(b"\x0f\x04\0\0\0\0\0\0\0")  # the record that ends the data
    (tmp_path / "x.mcap").write_bytes(whole[:end])
    count, damage, notes = held(tmp_path / "x.mcap")
    assert count == held(table)[0] and not damage and "did not finish" in notes
    with_others(table, tmp_path / "y.mcap", others={}, chunk_size=2000)
    whole = (tmp_path / "y.mcap").read_bytes()
    (tmp_path / "x.mcap").write_bytes(whole[:len(whole) // 2])
    assert "messages could be read" in held(tmp_path / "x.mcap")[1]


def test_no_difference_is_not_said_of_nothing():
    assert "no difference" not in ReplayReport("perception", "pictures").text()
    assert "no difference" in ReplayReport("perception", "pictures", compared=1).text()


def test_pictures_that_cannot_be_read_are_counted(tmp_path):
    types = message_types()
    writer = BagWriter(tmp_path / "bag")
    topics = {name: writer.add(name, types.definition(kind)) for name, kind in (
        ("/camera/color/image_raw/compressed", "sensor_msgs/CompressedImage"), ("/tf", "tf2_msgs/TFMessage"),
        ("/camera/depth/image_raw/compressed", "sensor_msgs/CompressedImage"),
        ("/camera/color/camera_info", "sensor_msgs/CameraInfo"))}
    header = types("std_msgs/Header", stamp=types("builtin_interfaces/Time", sec=1), frame_id="camera")
    still = types("geometry_msgs/TransformStamped", child_frame_id="camera", header=types(
        "std_msgs/Header", frame_id="map", stamp=header.stamp), transform=types(
            "geometry_msgs/Transform", rotation=types("geometry_msgs/Quaternion", w=1.0)))
    nowhere = types("geometry_msgs/TransformStamped", child_frame_id="camera", header=still.header)
    sent = {"/tf": types("tf2_msgs/TFMessage", transforms=[still, nowhere]), "/camera/color/camera_info": types(
        "sensor_msgs/CameraInfo", header=header, k=np.eye(3).ravel(), width=4, height=4)}
    blank = types("sensor_msgs/CameraInfo", header=header)
    writer.write(topics["/camera/color/camera_info"], 1, types.serialize(blank))
    for name, connection in topics.items():
        writer.write(connection, 1, types.serialize(sent.get(name) or types(
            "sensor_msgs/CompressedImage", header=header, format="png", data=np.zeros(9, np.uint8))))
    writer.close()
    said = "1 left out: the camera is not calibrated.* 1 left out: 9 bytes"
    with Bag(tmp_path / "bag") as bag, pytest.raises(UnusableBag, match=said):
        replay_nodes(bag, "perception")
    with Bag(tmp_path / "bag") as bag:
        frames = Frames()
        for message in bag.messages(["tf"]):
            frames.take(message)
    assert "1 transforms left out" in frames.notes[0] and np.allclose(frames.camera("camera", 1.0), np.eye(4))


def run(verb, *words):
    result = CliRunner().invoke(app_of("dadu.cli.bag", verb), [str(word) for word in words])
    return result.exit_code, result.output, result.exception


def test_the_verbs_of_bags(table, tmp_path):
    with_others(table, tmp_path / "x.mcap")
    whole = (tmp_path / "x.mcap").read_bytes()
    status, said, _ = run("info", tmp_path / "x.mcap")
    assert status == 0 and "tf2_msgs/msg/TFMessage" in said and "/others/json  json  2 messages" in said
    (tmp_path / "x.mcap").write_bytes(whole[:-200])
    status, said, _ = run("repair", tmp_path / "x.mcap")
    assert "messages" in said and "/others/protobuf (protobuf, 2 messages)" in said
    assert held(tmp_path / "x_repaired") == (held(table)[0], "", "")
    status, said, _ = run("cut", table, "--out", tmp_path / "part", "--to", "60", "--topics", "detections$")
    assert status == 0 and 0 < held(tmp_path / "part")[0] <= 3
    with AnyReader([tmp_path / "part"]) as reader:
        assert {c.topic for c in reader.connections} == {"/perception/detections"}
    for words in (("cut", table, "--out", table), ("cut", table, "--out", tmp_path / "y", "--from", "2", "--to", "1"),
                  ("cut", table, "--out", tmp_path / "y", "--topics", "("), ("info", tmp_path / "nothing")):
        assert isinstance(run(*words)[2], ConfigError)


@pytest.mark.parametrize("plugin", StoragePlugin)
def test_files_that_are_packed_as_a_whole_are_read_with_metadata_or_without(table, tmp_path, plugin):
    writer = BagWriter2(tmp_path / "packed", version=9, storage_plugin=plugin)
    writer.set_compression(CompressionMode.FILE, CompressionFormat.ZSTD)
    with AnyReader([table]) as reader, writer:
        topics = {c.id: writer.add_connection(c.topic, c.msgtype, typestore=reader.typestore)
                  for c in reader.connections}
        for connection, stamp, data in reader.messages():
            writer.write(topics[connection.id], stamp, data)
    assert held(tmp_path / "packed") == held(table)
    status, said, _ = run("info", tmp_path / "packed")
    assert status == 0 and "/tf  tf2_msgs/msg/TFMessage" in said
    (tmp_path / "packed" / "metadata.yaml").unlink()
    assert held(tmp_path / "packed")[0] == held(table)[0]


def test_what_stays_in_view_is_stored_once(tmp_path):
    picture = np.random.default_rng(0).integers(0, 255, (480, 640, 3), np.uint8)
    types = message_types()
    sizes = []
    for count in (1, 8):
        writer = BagWriter(tmp_path / f"bag{count}")
        topic = writer.add("/camera", types.definition("sensor_msgs/CompressedImage"))
        for i in range(count):
            form, data = compress(picture, "rgb8")
            writer.write(topic, i, types.serialize(types("sensor_msgs/CompressedImage", format=form,
                                                         data=np.frombuffer(data, np.uint8))))
        writer.close()
        sizes.append((tmp_path / f"bag{count}" / f"bag{count}.mcap").stat().st_size)
    assert sizes[1] < 1.1 * sizes[0]


def test_notes_are_json():
    assert json.dumps(ReplayReport("memory", "graphs", notes=["x"]).as_dict())

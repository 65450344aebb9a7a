"""A bag reads back bit for bit, after a clean end and after any kind of torn end."""

import shutil

import pytest
from mcap.reader import make_reader
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

from dadu.operator.bags.bag import BagWriter, bags, next_bag
from dadu.operator.bags.bag_repair import repair, repair_all
from dadu.operator.bags.definitions import Definition

STORE = get_typestore(Stores.ROS2_JAZZY)
POINT = "geometry_msgs/msg/PointStamped"


def definition(name):
    return Definition(name, STORE.generate_msgdef(name, ros_version=2)[0], STORE.hash_rihs01(name))


def point(i):
    types = STORE.types
    header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](i, 0), "map")
    return bytes(STORE.serialize_cdr(types[POINT](header, types["geometry_msgs/msg/Point"](i, 2.0, 3.0)), POINT))


def write(path, count, flushed=0):
    writer = BagWriter(path)
    connection = writer.add("/points", definition(POINT))
    for i in range(count):
        writer.write(connection, 1000 + i, point(i))
        if i + 1 == flushed:
            writer.flush()
    return writer


def read(path):
    with AnyReader([path]) as reader:
        return [(t, reader.deserialize(raw, c.msgtype).point.x) for c, t, raw in reader.messages()]


EXPECTED = [(1000 + i, float(i)) for i in range(50)]


def test_reads_back_with_rosbags_and_mcap(tmp_path):
    write(tmp_path / "bag", 50).close()
    assert read(tmp_path / "bag") == EXPECTED
    with (tmp_path / "bag" / "bag.mcap").open("rb") as file:
        summary = make_reader(file).get_summary()
    assert summary.statistics.message_count == 50
    assert [c.topic for c in summary.channels.values()] == ["/points"]


def test_a_killed_recorder_loses_only_what_was_not_flushed(tmp_path):
    writer = write(tmp_path / "bag", 50, flushed=30)
    shutil.copytree(tmp_path / "bag", tmp_path / "crash" / "bag")
    writer.close()
    assert repair_all(tmp_path / "crash") == [tmp_path / "crash" / "bag"]
    assert read(tmp_path / "crash" / "bag") == EXPECTED[:30]
    assert repair_all(tmp_path / "crash") == []


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9, 0.99, 1.0])
def test_repair_takes_any_torn_file(tmp_path, kept):
    writer = write(tmp_path / "bag", 20, flushed=10)
    writer.close()
    file = tmp_path / "bag" / "bag.mcap"
    (tmp_path / "bag" / "metadata.yaml").unlink()
    file.write_bytes(file.read_bytes()[: int(kept * file.stat().st_size)])
    count = repair(tmp_path / "bag")
    assert read(tmp_path / "bag") == EXPECTED[:count]
    assert kept < 1.0 or count == 20


def test_an_interrupted_repair_is_taken_up_again(tmp_path):
    write(tmp_path / "bag", 20).close()
    (tmp_path / "bag").rename(tmp_path / ".bag.broken")
    (tmp_path / "bag").mkdir()
    repair_all(tmp_path)
    assert read(tmp_path / "bag") == EXPECTED[:20] and not (tmp_path / ".bag.broken").exists()


def test_a_restart_starts_a_new_bag(tmp_path):
    for name in ("bag", "bag_1", "bag_2"):
        assert next_bag(tmp_path).name == name
        write(next_bag(tmp_path), 3).close()
    assert [p.name for p in bags(tmp_path)] == ["bag", "bag_1", "bag_2"]

"""Damaged bags: nothing is reserved that a few torn bytes ask for, and what comes before the damage is read."""

import struct
from contextlib import closing
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from rosbags.interfaces import Qos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime
from rosbags.typesys import Stores, get_typestore

from dadu.cli.bag.repair import repair
from dadu.core.errors import ConfigError
from dadu.operator.bags.bag import BagWriter
from dadu.operator.bags.bag_reader import recorded
from dadu.operator.bags.bag_repair import salvage
from dadu.operator.bags.definitions import Definition
from dadu.operator.bags.reading import open_bags, read
from dadu.operator.bags.sizes import LARGEST_CHUNK, BrokenBag, check_sizes

STORE = get_typestore(Stores.ROS2_JAZZY)
NAME = "std_msgs/msg/String"
MAGIC = b"\x89MCAP0\r\n"
CHUNK = 0x06


@pytest.fixture
def bag(tmp_path):
    """A run's directory with a bag of 30 messages in three chunks."""
    writer = BagWriter(tmp_path / "bag")
    topic = writer.add("/words", Definition(NAME, STORE.generate_msgdef(NAME, ros_version=2)[0],
                                            STORE.hash_rihs01(NAME)))
    for i in range(30):
        writer.write(topic, 1000 + i, bytes(STORE.serialize_cdr(STORE.types[NAME](f"word {i}"), NAME)))
        if i % 10 == 9:
            writer.flush()
    writer.close()
    return tmp_path


def test_what_was_received_before_the_first_in_the_file_is_kept(bag):
    definition = Definition(NAME, STORE.generate_msgdef(NAME, ros_version=2)[0], STORE.hash_rihs01(NAME))
    writer = BagWriter(bag / "late")
    topic = writer.add("/words", definition)
    for stamp in (1000, 990, 1010):
        writer.write(topic, stamp, bytes(STORE.serialize_cdr(STORE.types[NAME](f"at {stamp}"), NAME)))
    writer.close()
    assert salvage([bag / "late" / "late.mcap"], bag / "saved").count == 3
    assert words(bag / "saved") == ["at 990", "at 1000", "at 1010"]


@pytest.mark.parametrize(("durability", "kept"), [(QosDurability.TRANSIENT_LOCAL, ["at 2", "at 4", "at 6"]),
                                                  (QosDurability.VOLATILE, ["at 4", "at 6"])])
def test_a_part_begins_with_what_was_latched_by_then(tmp_path, durability, kept):
    infinite = QosTime(2147483647, 4294967295)
    qos = Qos(QosHistory.KEEP_LAST, 1, QosReliability.RELIABLE, durability, infinite, infinite,
              QosLiveliness.AUTOMATIC, infinite, False)
    writer = BagWriter(tmp_path / "bag")
    topic = writer.add("/words", Definition(NAME, STORE.generate_msgdef(NAME, ros_version=2)[0],
                                            STORE.hash_rihs01(NAME)), [qos])
    for second in range(0, 10, 2):
        writer.write(topic, second * 10**9, bytes(STORE.serialize_cdr(STORE.types[NAME](f"at {second}"), NAME)))
    writer.close()
    salvage([tmp_path / "bag" / "bag.mcap"], tmp_path / "part", within=(3.0, 7.0))
    assert words(tmp_path / "part") == kept


def words(path):
    found = []
    with closing(open_bags([path])) as reader:
        found += (message.data for _, _, message in read(reader, reader.connections))
    return found


def chunks(content):
    """Where the chunks' records begin."""
    at, found = len(MAGIC), []
    while at < len(content) - len(MAGIC):
        kind, length = struct.unpack_from("<BQ", content, at)
        found += [at] * (kind == CHUNK)
        at += 9 + length
    return found


def change(bag, at, new, chunk=1):
    """Other bytes from `at` on, counted from where a chunk's record begins."""
    file = bag / "bag" / "bag.mcap"
    content = bytearray(file.read_bytes())
    begin = chunks(content)[chunk] + at
    content[begin:begin + len(new)] = new
    file.write_bytes(content)
    return file


HUGE = struct.pack("<Q", 1 << 36)


@pytest.mark.parametrize("at, sentence", [
    (1, "a record of 68719476736 bytes"), (9 + 16, "more than 256 MiB unpacked"),
    (9 + 28 + 4 + 4, "a chunk of 68719476736 bytes")], ids=["record", "unpacked", "packed"])
def test_no_length_is_believed(bag, at, sentence):
    file = change(bag, at, HUGE)
    with pytest.raises(BrokenBag, match=sentence):
        check_sizes(file)
    assert salvage([file], bag / "saved").count == 10 and words(bag / "saved") == [f"word {i}" for i in range(10)]


def test_an_index_must_name_what_is_there(bag):
    file = bag / "bag" / "bag.mcap"
    content = file.read_bytes()
    second = struct.pack("<Q", chunks(content)[1])
    at = content.rindex(second)  # in the index, behind the chunks
    file.write_bytes(content[:at] + HUGE + content[at + 8:])
    with pytest.raises(BrokenBag, match="in the index, which is not there"):
        check_sizes(file)
    assert salvage([file], bag / "saved").count == 30


def streamed(data):
    """zstd that does not say how much it is."""
    packer = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("name, pack", [("zstd", zstandard.compress), ("zstd", streamed), ("lz4", lz4.frame.compress)],
                         ids=["zstd", "zstd as a stream", "lz4"])
@pytest.mark.parametrize("size", [LARGEST_CHUNK // 64, LARGEST_CHUNK + 1])
def test_a_chunk_that_says_less_than_it_holds(tmp_path, name, pack, size):
    packed = pack(bytes(size))
    content = struct.pack("<QQQI", 0, 1, 100, 0) + struct.pack("<I", len(name)) + name.encode()
    content += struct.pack("<Q", len(packed)) + packed
    records = struct.pack("<BQ", CHUNK, len(content)) + content + struct.pack("<BQ", 2, 20) + bytes(20)
    (tmp_path / "bomb.mcap").write_bytes(MAGIC + records + MAGIC)
    if size > LARGEST_CHUNK:
        with pytest.raises(BrokenBag, match="unpacked"):
            check_sizes(tmp_path / "bomb.mcap")
    else:
        check_sizes(tmp_path / "bomb.mcap")


def test_what_comes_before_the_damage_is_read(bag):
    change(bag, 9 + 28 + 4 + 4 + 8, b"\0" * 8)  # the chunk's data, no zstd any more
    found = []
    with pytest.raises(BrokenBag, match="damaged after 10 messages: ZstdError"):
        for item in recorded(bag, ["/words"]):
            found.append(item.message.data)
    assert found == [f"word {i}" for i in range(10)]


@pytest.mark.parametrize("text", ["", "[1, 2]", "rosbag2_bagfile_information: 3", pytest.param("{" * 2000, id="deep")])
def test_metadata_that_say_nothing(bag, text):
    (bag / "bag" / "metadata.yaml").write_text(text)
    with pytest.raises(BrokenBag, match="its bag cannot be read: .*without its metadata.yaml it is repaired"):
        next(recorded(bag, ["/words"]))
    (bag / "bag" / "metadata.yaml").unlink()
    assert len(list(recorded(bag, ["/words"]))) == 30


def test_the_folder_where_one_is_may_be_repaired(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="is no bag"):
        repair(Path("."), None)

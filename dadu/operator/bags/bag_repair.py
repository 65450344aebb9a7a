"""Completes a bag whose recorder was killed: everything up to the last whole record of its MCAP stream is kept."""

from __future__ import annotations

import logging
import math
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import zstandard
from mcap.data_stream import ReadDataStream
from mcap.records import Channel, Chunk, McapRecord, Message, Schema
from mcap.stream_reader import breakup_chunk
from rosbags.interfaces import Connection, ConnectionExtRosbag2, MessageDefinitionFormat, Qos, QosDurability
from rosbags.rosbag2 import Reader
from rosbags.rosbag2.metadata import parse_qos
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore

from dadu.operator.bags.bag import BagWriter, unfinished
from dadu.operator.bags.definitions import Definition
from dadu.operator.bags.reading import READ_ERRORS, told
from dadu.operator.bags.sizes import CHANNEL, CHUNK, DATA_END, MESSAGE, SCHEMA, BrokenBag, EarlyEnd, records

_log = logging.getLogger(__name__)
_ASIDE = ".broken"
_PACKED = ".zstd"
"""of a file that rosbag2 has packed as a whole (compression mode FILE), behind its own suffix"""
_IDL = "=" * 80 + "\n"
"""between the parts of a definition in IDL"""


def repair_all(run_dir: Path) -> list[Path]:
    """Repairs every unfinished bag of a run and returns them."""
    killed = {p for p in (run_dir / "bag", *run_dir.glob("bag_*")) if p.is_dir() and unfinished(p)}
    interrupted = {run_dir / p.name[1:-len(_ASIDE)] for p in run_dir.glob(f".bag*{_ASIDE}")}
    for path in sorted(killed | interrupted):
        _log.info("%s: %d messages recovered", path, repair(path))
    return sorted(killed | interrupted)


def repair(path: Path) -> int:
    """Rewrites the bag at `path` with index and metadata.yaml; returns how many messages it holds.

    The broken bag lies aside until the new one is whole, so a repair may itself be killed and run again. A bag without
    one whole record ends up empty but valid.
    """
    aside = path.with_name(f".{path.name}{_ASIDE}")
    if aside.exists():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.rename(aside)
    count = salvage(recordings(aside), path).count
    shutil.rmtree(aside)
    return count


def recordings(path: Path) -> list[Path]:
    """The files of a bag, MCAP or SQLite, in the order of recording, whether metadata.yaml names them or not."""
    if not path.is_dir():
        return [path]
    for kind in ("*.mcap", "*.db3", f"*.mcap{_PACKED}", f"*.db3{_PACKED}"):
        if found := list(path.glob(kind)):
            return sorted(found, key=lambda file: [int(part) if part.isdigit() else part
                                                   for part in re.split(r"(\d+)", file.name)])
    return []


@dataclass
class Salvaged:
    """What could be read of some files."""

    count: int = 0
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    """messages that no reader here can use, by topic and why"""
    damage: list[str] = field(default_factory=list)
    """where a file breaks off, or is torn"""
    unfinished: bool = False
    """a file has no end, though all that is in it can be read"""

    @property
    def told(self) -> str:
        """What was left out, in numbers; empty: nothing."""
        return ", ".join(f"{topic} ({why}, {count} messages)" for (topic, why), count in sorted(self.left_out.items()))


def salvage(sources: Iterable[Path], path: Path, wanted: Callable[[str, str], bool] = lambda topic, name: True,
            within: tuple[float, float] = (0.0, math.inf)) -> Salvaged:
    """Writes a new bag of what can be read of MCAP and SQLite files, each up to its damage.

    `wanted`: of topic and type; `within`: [s] after the first message, with what a latched topic held by then: whoever
    came at that time would have heard it. Channels of other encodings are left out.
    """
    writer, found = BagWriter(path), Salvaged()
    connections: dict[tuple[str, str], Connection] = {}
    latched: dict[tuple[str, bytes], tuple[_Channel, bytes]] = {}

    def part() -> Iterator[tuple[_Channel, int, bytes]]:
        start = None
        for channel, stamp, data in (item for source in sources for item in _messages(source, found)):
            start = stamp if start is None else start
            elapsed = max(stamp - start, 0) * 1e-9  # what comes late to a file belongs to where that begins
            if elapsed < within[0] and channel.latched:
                latched[channel.topic, data if channel.topic.endswith("tf_static") else b""] = channel, data
            elif within[0] <= elapsed <= within[1]:
                yield from ((before, stamp, kept) for before, kept in latched.values())
                latched.clear()
                yield channel, stamp, data

    for channel, stamp, data in part():
        if not isinstance(channel.definition, Definition):
            found.left_out[channel.topic, channel.definition] += 1
            continue
        name = channel.topic, channel.definition.name
        if wanted(*name):
            if name not in connections:
                connections[name] = writer.add(*name[:1], channel.definition, channel.qos)
            writer.write(connections[name], stamp, data)
            found.count += 1
    writer.close()
    return found


class BagSurvey(NamedTuple):
    """What is in a bag."""

    read: Salvaged
    seconds: float
    topics: dict[tuple[str, str], tuple[int, int]]
    """messages and their bytes, by topic and type, or why it cannot be read"""


def survey(sources: Iterable[Path]) -> BagSurvey:
    """Counts what is in MCAP and SQLite files, each up to its damage."""
    read, topics, stamps = Salvaged(), defaultdict(list), []
    for channel, stamp, data in (item for source in sources for item in _messages(source, read)):
        stamps.append(stamp)
        usable = isinstance(channel.definition, Definition)
        topics[channel.topic, channel.definition.name if isinstance(channel.definition, Definition)
               else channel.definition].append(len(data))
        read.count += usable
        read.left_out.update({} if usable else {(channel.topic, str(channel.definition)): 1})
    seconds = (max(stamps) - min(stamps)) * 1e-9 if stamps else 0.0
    return BagSurvey(read, seconds, {name: (len(sizes), sum(sizes)) for name, sizes in topics.items()})


class _Channel(NamedTuple):
    topic: str
    definition: Definition | str
    """why there is none that can be used"""
    qos: list[Qos]

    @property
    def latched(self) -> bool:
        """Also where a recorder of old did not say so of the transforms that stand still."""
        return (any(offer.durability is QosDurability.TRANSIENT_LOCAL for offer in self.qos)
                or not self.qos and self.topic.endswith("tf_static"))


def _messages(source: Path, found: Salvaged) -> Iterator[tuple[_Channel, int, bytes]]:
    """The messages of a file up to where it is damaged, which `found` is told."""
    try:
        with _unpacked(source) as file:
            yield from _in_database(file) if file.suffix == ".db3" else _in_stream(file)
    except EarlyEnd as error:
        found.unfinished = True
        _log.info("%s: %s", source, error)
    except (BrokenBag, *READ_ERRORS) as error:
        found.damage.append(told(error))
        _log.info("%s ends early (%s)", source, told(error))


@contextmanager
def _unpacked(source: Path) -> Iterator[Path]:
    """The file itself, or a copy of what is packed in it."""
    if source.suffix != _PACKED:
        yield source
        return
    with TemporaryDirectory(prefix="dadu-bag-") as folder:
        file = Path(folder) / source.stem
        with source.open("rb") as packed, file.open("wb") as whole:
            zstandard.ZstdDecompressor().copy_stream(packed, whole)
        yield file


def _in_database(source: Path) -> Iterator[tuple[_Channel, int, bytes]]:
    with Reader(source) as reader:
        channels = {}
        for c in reader.connections:
            kind = {MessageDefinitionFormat.MSG: "ros2msg", MessageDefinitionFormat.IDL: "ros2idl"}
            ext = c.ext if isinstance(c.ext, ConnectionExtRosbag2) else ConnectionExtRosbag2("?", [])
            definition = _definition(c.msgtype, kind.get(c.msgdef.format, ""), c.msgdef.data.encode(),
                                     ext.serialization_format)
            channels[c.id] = _Channel(c.topic, definition, list(ext.offered_qos_profiles))
        for connection, stamp, data in reader.messages():
            yield channels[connection.id], stamp, bytes(data)


def _in_stream(source: Path) -> Iterator[tuple[_Channel, int, bytes]]:
    schemas: dict[int, Schema] = {}
    channels: dict[int, _Channel] = {}
    for record in _records(source):
        if isinstance(record, Schema):
            schemas[record.id] = record
        elif isinstance(record, Channel) and record.id not in channels:
            schema = schemas.get(record.schema_id, Schema(0, b"", "", "?"))
            definition = _definition(schema.name, schema.encoding, schema.data, record.message_encoding)
            qos = _qos(record.metadata.get("offered_qos_profiles", ""))
            channels[record.id] = _Channel(record.topic, definition, qos)
        elif isinstance(record, Message):
            yield channels[record.channel_id], record.log_time, record.data


def _qos(text: str) -> list[Qos]:
    """As far as they are of a version that is known."""
    try:
        return parse_qos(text)
    except READ_ERRORS:
        return []


def _records(source: Path) -> Iterator[McapRecord]:
    for kind, _, content in records(source, {SCHEMA, CHANNEL, MESSAGE, CHUNK}):
        stream = ReadDataStream(BytesIO(content))
        if kind == SCHEMA:
            yield Schema.read(stream)
        elif kind == CHANNEL:
            yield Channel.read(stream)
        elif kind == MESSAGE:
            yield Message.read(stream, len(content))
        elif kind == CHUNK:
            yield from breakup_chunk(Chunk.read(stream), validate_crc=True)
        elif kind == DATA_END:
            return


@cache
def _definition(name: str, encoding: str, data: bytes, message_encoding: str) -> Definition | str:
    """What a bag stores of a type; why it cannot be read where it cannot."""
    if message_encoding != "cdr":
        return message_encoding or "no encoding"
    name = name if name.count("/") != 1 else name.replace("/", "/msg/")
    store = get_typestore(Stores.EMPTY)
    try:
        if encoding == "ros2msg":
            store.register(get_types_from_msg(data.decode(), name))
        elif encoding in ("ros2idl", "omgidl"):
            for part in data.decode().split(_IDL)[1:] or [data.decode()]:
                store.register(get_types_from_idl(part.partition("\n")[2] if part.startswith("IDL: ") else part))
        elif not data:
            store = get_typestore(Stores.ROS2_JAZZY)
        else:
            return encoding
        text = data.decode() if encoding == "ros2msg" else store.generate_msgdef(name, ros_version=2)[0]
        return Definition(name, text, store.hash_rihs01(name))
    except (*READ_ERRORS, RecursionError):
        return f"{encoding or 'no'} definition that cannot be read"

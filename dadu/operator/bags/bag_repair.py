"""Completes a bag whose recorder was killed: everything up to the last whole record of its MCAP stream is kept."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from mcap.data_stream import ReadDataStream
from mcap.records import Channel, Chunk, McapRecord, Message, Schema
from mcap.stream_reader import breakup_chunk
from rosbags.interfaces import Connection, Qos
from rosbags.rosbag2.metadata import parse_qos
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from dadu.operator.bags.bag import BagWriter
from dadu.operator.bags.definitions import Definition
from dadu.operator.bags.reading import READ_ERRORS, told
from dadu.operator.bags.sizes import CHANNEL, CHUNK, DATA_END, MESSAGE, SCHEMA, BrokenBag, records

_log = logging.getLogger(__name__)
_ASIDE = ".broken"


def repair_all(run_dir: Path) -> list[Path]:
    """Repairs every unfinished bag of a run and returns them."""
    unfinished = {p for p in (run_dir / "bag", *run_dir.glob("bag_*"))
                  if p.is_dir() and not (p / "metadata.yaml").exists()}
    interrupted = {run_dir / p.name[1:-len(_ASIDE)] for p in run_dir.glob(f".bag*{_ASIDE}")}
    for path in sorted(unfinished | interrupted):
        _log.info("%s: %d messages recovered", path, repair(path))
    return sorted(unfinished | interrupted)


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
    count = salvage(sorted(aside.glob("*.mcap")), path)
    shutil.rmtree(aside)
    return count


def salvage(sources: Iterable[Path], path: Path) -> int:
    """Writes a new bag of what can be read of MCAP files, each up to its damage; how many messages these are."""
    writer = BagWriter(path)
    count = sum(_copy(source, writer) for source in sources)
    writer.close()
    return count


def _copy(source: Path, writer: BagWriter) -> int:
    connections: dict[tuple[str, str], Connection] = {}
    count = 0
    for channel, message in _messages(source):
        name = channel.topic, channel.definition.name
        if name not in connections:
            connections[name] = writer.add(channel.topic, channel.definition, channel.qos)
        writer.write(connections[name], message.log_time, message.data)
        count += 1
    return count


class _Channel(NamedTuple):
    topic: str
    definition: Definition
    qos: list[Qos]


def _messages(source: Path) -> Iterator[tuple[_Channel, Message]]:
    """The messages of an MCAP file up to where it is damaged."""
    schemas: dict[int, Definition] = {}
    channels: dict[int, _Channel] = {}
    try:
        for record in _records(source):
            if isinstance(record, Schema):
                schemas[record.id] = _definition(record)
            elif isinstance(record, Channel):
                qos = parse_qos(record.metadata.get("offered_qos_profiles", ""))
                channels[record.id] = _Channel(record.topic, schemas[record.schema_id], qos)
            elif isinstance(record, Message):
                yield channels[record.channel_id], record
    except (BrokenBag, *READ_ERRORS) as error:
        _log.info("%s ends early (%s)", source, told(error))


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


def _definition(schema: Schema) -> Definition:
    text = schema.data.decode()
    store = get_typestore(Stores.EMPTY)
    store.register(get_types_from_msg(text, schema.name))
    return Definition(schema.name, text, store.hash_rihs01(schema.name))

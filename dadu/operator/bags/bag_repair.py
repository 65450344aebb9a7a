"""Completes a bag whose recorder was killed: everything up to the last whole record of its MCAP stream is kept."""

from __future__ import annotations

import logging
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import zstandard
from mcap.exceptions import McapError
from mcap.records import Channel, DataEnd, Message, Schema
from mcap.stream_reader import CRCValidationError, StreamReader
from rosbags.rosbag2.metadata import parse_qos
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from dadu.operator.bags.bag import BagWriter
from dadu.operator.bags.definitions import Definition

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
    writer = BagWriter(path)
    count = sum(_copy(source, writer) for source in sorted(aside.glob("*.mcap")))
    writer.close()
    shutil.rmtree(aside)
    return count


def _copy(source: Path, writer: BagWriter) -> int:
    schemas: dict[int, Schema] = {}
    connections = {}
    count = 0
    for record in _records(source):
        if isinstance(record, Schema):
            schemas[record.id] = record
        elif isinstance(record, Channel) and record.id not in connections:
            qos = parse_qos(record.metadata.get("offered_qos_profiles", ""))
            connections[record.id] = writer.add(record.topic, _definition(schemas[record.schema_id]), qos)
        elif isinstance(record, Message):
            writer.write(connections[record.channel_id], record.log_time, record.data)
            count += 1
    return count


def _records(source: Path) -> Iterator[object]:
    """The records of an MCAP file up to where it was torn off."""
    with source.open("rb") as file:
        try:
            for record in StreamReader(file, validate_crcs=True).records:
                if isinstance(record, DataEnd):
                    return
                yield record
        except (McapError, CRCValidationError, zstandard.ZstdError, struct.error) as error:
            _log.info("%s ends early (%s)", source, type(error).__name__)


def _definition(schema: Schema) -> Definition:
    text = schema.data.decode()
    store = get_typestore(Stores.EMPTY)
    store.register(get_types_from_msg(text, schema.name))
    return Definition(schema.name, text, store.hash_rihs01(schema.name))

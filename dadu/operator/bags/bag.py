"""Writes a rosbag2 (MCAP, zstd chunks) that survives a crash: chunks reach the disk every few seconds, and
`dadu.operator.bags.bag_repair` completes what a killed recorder left."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from rosbags.interfaces import Connection, Qos
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2.storage_mcap import McapWriter

from dadu.operator.bags.definitions import Definition

_FLUSH_PERIOD = 2.0
"""[s] of wall time that a crash may cost"""


class BagWriter:
    """One bag, open from construction to `close`."""

    def __init__(self, path: Path) -> None:
        """`path`: the bag's directory, which must not exist yet."""
        self.path = path
        self._writer = Writer(path, version=9, storage_plugin=StoragePlugin.MCAP)
        # STORAGE compresses MCAP's own chunks: a plain MCAP that every reader takes, unlike MESSAGE and FILE.
        self._writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
        self._writer.open()
        self._flushed = time.monotonic()
        self.counts: dict[str, int] = {}
        self.bytes = 0

    def add(self, topic: str, definition: Definition, qos: Iterable[Qos] = ()) -> Connection:
        """Announces a topic."""
        self.counts[topic] = 0
        return self._writer.add_connection(topic, definition.name, msgdef=definition.text, rihs01=definition.hash,
                                           offered_qos_profiles=list(qos))

    def write(self, connection: Connection, stamp: int, data: bytes) -> None:
        """Stores one serialized (CDR) message, received at `stamp` [ns]."""
        self._writer.write(connection, stamp, data)
        self.counts[connection.topic] += 1
        self.bytes += len(data)
        if time.monotonic() - self._flushed > _FLUSH_PERIOD:
            self.flush()

    def flush(self) -> None:
        """Hands all messages so far to the operating system, where a killed process no longer loses them."""
        storage = self._writer.storage
        if isinstance(storage, McapWriter):  # it is None once the bag is closed
            if storage.chunk.msgs:
                storage.close_chunk()
            storage.bio.flush()
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Writes index and metadata.yaml."""
        self._writer.close()


def next_bag(run_dir: Path) -> Path:
    """A directory for a new bag of this run: ``bag``, after a restart ``bag_1`` and so on."""
    if not (run_dir / "bag").exists():
        return run_dir / "bag"
    return run_dir / f"bag_{1 + max((_number(path) for path in run_dir.glob('bag_*')), default=0)}"


def bags(run_dir: Path) -> list[Path]:
    """The finished bags of a run, in the order of recording."""
    found = [p for p in (run_dir / "bag", *run_dir.glob("bag_*")) if (p / "metadata.yaml").exists()]
    return sorted(found, key=_number)


def _number(path: Path) -> int:
    suffix = path.name.removeprefix("bag_")
    return int(suffix) if suffix.isdigit() else 0

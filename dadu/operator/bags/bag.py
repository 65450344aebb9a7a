"""Writes a rosbag2 (MCAP, zstd chunks) that survives a crash: every few seconds it is a whole bag on the disk, and
`dadu.operator.bags.bag_repair` counts anew what a killed recorder left."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from rosbags.interfaces import Connection, Qos
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin

from dadu.operator.bags.definitions import Definition
from dadu.operator.bags.storage import UNFINISHED, CheckpointWriter

_FLUSH_PERIOD = 2.0
"""[s] of wall time that a crash may cost"""
_DESCRIBED_PERIOD = 300.0
"""[s] of wall time after which metadata.yaml is written anew, a second of processor time; it is, too, where a topic has
come"""


class BagWriter:
    """One bag, open from construction to `close`."""

    def __init__(self, path: Path) -> None:
        """`path`: the bag's directory, which must not exist yet."""
        self.path = path
        self._writer = CheckpointWriter(path, version=9, storage_plugin=StoragePlugin.MCAP)
        # STORAGE compresses MCAP's own chunks: a plain MCAP that every reader takes, unlike MESSAGE and FILE.
        self._writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
        self._writer.open()
        self._flushed = self._described = time.monotonic()
        self._topics = -1
        self.counts: dict[str, int] = {}
        self.bytes = 0

    def add(self, topic: str, definition: Definition, qos: Iterable[Qos] = ()) -> Connection:
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
        now = time.monotonic()
        described = len(self.counts) != self._topics or now - self._described > _DESCRIBED_PERIOD
        self._writer.checkpoint(described)
        self._flushed = time.monotonic()
        if described:
            self._topics, self._described = len(self.counts), self._flushed

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


def unfinished(path: Path) -> bool:
    """True if the bag in this directory was not closed by its recorder: it is still at it, or was killed."""
    metadata = path / "metadata.yaml"
    return not metadata.exists() or f"{UNFINISHED}:" in metadata.read_text(errors="replace")


def _number(path: Path) -> int:
    suffix = path.name.removeprefix("bag_")
    return int(suffix) if suffix.isdigit() else 0

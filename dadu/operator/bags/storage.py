"""A rosbag2 (MCAP) that is whole at every checkpoint: what is new goes over the file's old end together with a new end,
in one write, so that a recorder that is killed leaves a file that every reader takes."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from rosbags.rosbag2 import CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2.storage_mcap import McapWriter

if sys.version_info >= (3, 14):
    from compression import zstd
else:  # as rosbags does
    from backports import zstd

_WINDOW = 24
"""binary logarithm of bytes: a chunk before it is packed, and how far back zstd looks. Several pictures, so that what
stays in view is stored once"""
_PACKING: Any = {zstd.CompressionParameter.compression_level: 6, zstd.CompressionParameter.window_log: _WINDOW,
                 zstd.CompressionParameter.enable_long_distance_matching: 1}
UNFINISHED = "unfinished"
"""key in metadata.yaml's custom_data while a bag is being written"""


class _Tail:
    """The end of a file that is being written: held in memory until `put`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._base, self._new = file, file.tell(), BytesIO()

    def write(self, data: Any) -> int:
        return self._new.write(data)

    def tell(self) -> int:
        return self._base + self._new.tell()

    def put(self, kept: int) -> None:
        """Writes what is new; of it, what comes after byte `kept` is written over by what comes next."""
        new = self._new.getvalue()
        self._file.seek(self._base)
        self._file.write(new)
        self._file.truncate()
        self._file.flush()
        self._base, self._new = kept, BytesIO()

    def flush(self) -> None:
        """Nothing reaches the file but by `put`."""

    def close(self) -> None:
        self._file.close()


class _Storage(McapWriter):
    """With larger chunks."""

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        super().__init__(path, compression)
        self._tail = _Tail(self.bio)
        self.bio: Any = self._tail
        self.compressor = lambda data: zstd.compress(data, options=_PACKING)
        self._whole = False

    def close_chunk(self) -> None:
        if self._whole or self.chunk.bio.tell() >= 1 << _WINDOW:
            super().close_chunk()

    def checkpoint(self, version: int, metadata: str, *, last: bool = False) -> None:
        """Writes all so far, and an end."""
        self._whole = True
        if self.chunk.msgs:
            self.close_chunk()
        kept = self.bio.tell()
        self.bio = _Open(self._tail)
        try:
            super().close(version, metadata)
        finally:
            self._whole, self.bio = False, self._tail
        self._tail.put(kept)
        if last:
            self._tail.close()

    def close(self, version: int, metadata: str) -> None:
        self.checkpoint(version, metadata, last=True)


class _Open:
    """A tail that does not close."""

    def __init__(self, tail: _Tail) -> None:
        self.write, self.tell = tail.write, tail.tell

    def close(self) -> None:
        """Not yet."""

    flush = close


class CheckpointWriter(Writer):
    """rosbags' writer, with checkpoints."""

    STORAGE_PLUGINS = {StoragePlugin.MCAP: _Storage}

    def checkpoint(self, described: bool) -> None:
        """Has all messages so far in a whole file; where `described`, metadata.yaml says so, too."""
        storage = self.storage
        if not isinstance(storage, _Storage):  # it is None once the bag is closed
            return
        if not described:
            storage.checkpoint(self.version, "")
            return
        self.custom_data[UNFINISHED] = "being recorded, or its recorder was killed"
        once: Any = _Once(storage)
        self.storage = once
        try:
            self.close()
        finally:
            self.storage = storage
            del self.custom_data[UNFINISHED]


class _Once:
    """A storage of which `Writer.close` makes a checkpoint."""

    def __init__(self, storage: _Storage) -> None:
        self.path, self.close = storage.path, storage.checkpoint

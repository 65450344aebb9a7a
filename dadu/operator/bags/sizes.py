"""Checks of an MCAP file before it is read: every length that it states is one that it can have.

Readers reserve what a record says that it needs, and a few torn bytes say 60 GB.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import lz4.frame
import zstandard

from dadu.core.errors import DaduError

LARGEST_CHUNK = 1 << 28
"""bytes of a chunk, unpacked: recorders make them of some MiB"""
_MAGIC = b"\x89MCAP0\r\n"
_HEADER = struct.Struct("<BQ")
_CHUNK = struct.Struct("<QQQI")
"""first and last time, size unpacked, checksum; then its compression and its data, each after its length"""
SCHEMA, CHANNEL, MESSAGE, CHUNK, DATA_END = 0x03, 0x04, 0x05, 0x06, 0x0F
"""kinds of records"""
_FOOTER, _INDEX = 0x02, 0x08
_PIECE = 1 << 20


class BrokenBag(DaduError):
    """A recording that is damaged; says where, or how."""


class EarlyEnd(BrokenBag):
    """A recording that stops after a whole record, without an end: its recorder was killed."""


class RawRecord(NamedTuple):
    """One of those that a file is made of."""

    kind: int
    at: int
    """byte at which it begins"""
    content: bytes
    """empty for a kind that is not asked for"""


def check_sizes(path: Path) -> None:
    """Errors: BrokenBag at the first record that is longer than the file, or a chunk that is too large unpacked."""
    chunks: dict[int, int] = {}
    for record in records(path, {CHUNK, _INDEX}):
        if record.kind == CHUNK:
            chunks[record.at] = len(record.content)
        elif record.kind == _INDEX:
            _check_index(path, record, chunks)


def records(path: Path, wanted: Collection[int]) -> Iterator[RawRecord]:
    """The records up to the footer, with the contents of the kinds in `wanted`.

    Errors: BrokenBag, after all that come before the damage.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        at = len(_MAGIC)
        if file.read(at) != _MAGIC:
            raise BrokenBag(f"{path.name} is no MCAP file: it begins otherwise")
        while at + _HEADER.size <= size:
            file.seek(at)
            kind, length = _HEADER.unpack(file.read(_HEADER.size))
            if length > size - at - _HEADER.size:
                raise _damaged(path, at, f"a record of {length} bytes, and fewer follow")
            content = file.read(length) if kind in wanted else b""
            if kind == CHUNK:
                _check_chunk(path, at, content)
            yield RawRecord(kind, at, content)
            if kind == _FOOTER:
                return
            at += _HEADER.size + length
    ends = EarlyEnd if at == size else BrokenBag
    raise ends(f"{path.name} ends early, after {size} bytes")


def _check_chunk(path: Path, at: int, content: bytes) -> None:
    try:
        unpacked = _CHUNK.unpack_from(content)[2]
        name, rest = _prefixed(content, _CHUNK.size)
        packed: int = struct.unpack_from("<Q", content, rest)[0]
    except struct.error:
        raise _damaged(path, at, f"a chunk of {len(content)} bytes") from None
    data = content[rest + 8:]
    if packed > len(data):
        raise _damaged(path, at, f"a chunk of {packed} bytes in {len(data)}")
    if unpacked > LARGEST_CHUNK or _larger(name, data[:packed]):
        raise _damaged(path, at, f"a chunk of more than {LARGEST_CHUNK >> 20} MiB unpacked")


def _prefixed(content: bytes, at: int) -> tuple[bytes, int]:
    """Bytes after their length, and where they end. Errors: struct.error."""
    length = struct.unpack_from("<I", content, at)[0]
    return content[at + 4:at + 4 + length], at + 4 + length


def _damaged(path: Path, at: int, how: str) -> BrokenBag:
    return BrokenBag(f"{path.name} is damaged at byte {at}: {how}")


def _larger(name: bytes, data: bytes) -> bool:
    """True if it unpacks to more than is allowed, whatever the record says; broken data do not."""
    if name == b"lz4":
        return _beyond(_lz4(data))
    if name != b"zstd":
        return False
    try:
        size = zstandard.frame_content_size(data)
    except zstandard.ZstdError:
        return False
    return size > LARGEST_CHUNK or size < 0 and _beyond(zstandard.ZstdDecompressor().read_to_iter(data))


def _lz4(data: bytes) -> Iterator[bytes]:
    unpacker = lz4.frame.LZ4FrameDecompressor()
    yield unpacker.decompress(data, max_length=_PIECE)
    while not unpacker.needs_input and not unpacker.eof:
        yield unpacker.decompress(b"", max_length=_PIECE)


def _beyond(pieces: Iterator[bytes]) -> bool:
    total = 0
    try:
        for piece in pieces:
            total += len(piece)
            if total > LARGEST_CHUNK:
                return True
    except (zstandard.ZstdError, RuntimeError):  # of lz4: what cannot be unpacked needs no room
        pass
    return False


def _check_index(path: Path, record: RawRecord, chunks: Mapping[int, int]) -> None:
    """The index names chunks that there are, and their sizes."""
    try:
        start, length = struct.unpack_from("<QQ", record.content, 16)
        _, rest = _prefixed(record.content, 32)
        _, rest = _prefixed(record.content, rest + 8)
        packed = struct.unpack_from("<Q", record.content, rest)[0]
    except struct.error:
        raise _damaged(path, record.at, "an index that ends early") from None
    if chunks.get(start, -1) + _HEADER.size != length or packed > length:
        raise _damaged(path, record.at, f"a chunk of {packed} bytes at {start} in the index, which is not there")

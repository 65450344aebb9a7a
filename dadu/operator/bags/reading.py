"""Reads bags with rosbags, whatever is amiss in them: what cannot be read ends in a sentence, never in a trace."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import apsw
import zstandard
from mcap.exceptions import McapError
from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.interfaces import Connection
from rosbags.rosbag1 import ReaderError as ReaderError1
from rosbags.rosbag2 import ReaderError as ReaderError2
from rosbags.serde import SerdeError
from rosbags.typesys import TypesysError
from rosbags.typesys.store import Typestore

from dadu.core.errors import QUOTED
from dadu.operator.bags.sizes import BrokenBag, check_sizes

if sys.version_info >= (3, 14):
    from compression import zstd
else:  # as rosbags does
    from backports import zstd

READ_ERRORS = (
    AnyReaderError, ReaderError1, ReaderError2, SerdeError, TypesysError, McapError, zstd.ZstdError,
    zstandard.ZstdError, apsw.Error, struct.error, OSError, EOFError, ValueError, TypeError, LookupError,
    AttributeError, ArithmeticError, AssertionError, RuntimeError, MemoryError)
"""what rosbags and mcap raise on bytes that they did not expect; they check little themselves"""


def open_bags(paths: Sequence[Path], types: Typestore | None = None) -> AnyReader:
    """An open reader of rosbag2 directories and files, or of ROS 1 bags; `types`: for bags that hold no definitions.

    Errors: BrokenBag.
    """
    for path in paths:
        for file in sorted(path.glob("*.mcap")) if path.is_dir() else [path] * (path.suffix == ".mcap"):
            check_sizes(file)
    try:
        reader = AnyReader(paths, default_typestore=types)
        reader.open()
        for c in reader.connections:
            if not (isinstance(c.topic, str) and isinstance(c.msgtype, str) and isinstance(c.msgcount, int)):
                reader.close()
                raise TypeError(f"topic {c.topic!r} of type {c.msgtype!r}, with {c.msgcount!r} messages")
    except READ_ERRORS as error:
        raise BrokenBag(told(error)) from None
    return reader


def read(reader: AnyReader, wanted: Sequence[Connection], holding: Mapping[str, bytes] = MappingProxyType({})
         ) -> Iterator[tuple[Connection, int, Any]]:
    """Messages with the time at which they were received [ns], in its order. `holding`: by topic, bytes that a message
    must hold as it was sent, or it is left out unread.

    Errors: BrokenBag, after all that comes before the damage.
    """
    if not wanted:  # AnyReader would give all
        return
    stream = reader.messages(connections=wanted)
    count = 0
    while True:
        try:
            item = next(stream, None)
            if item is None:
                return
            connection, stamp, raw = item
            if holding.get(connection.topic, b"") not in raw:
                continue
            message = reader.deserialize(raw, connection.msgtype)
        except READ_ERRORS as error:
            raise BrokenBag(f"damaged after {count} messages: {told(error)}") from None
        count += 1
        yield connection, stamp, message


def told(error: BaseException) -> str:
    """What went wrong, in one line."""
    text = " ".join(str(error).split())[:QUOTED]
    known = isinstance(error, (AnyReaderError, ReaderError1, ReaderError2, BrokenBag, OSError))
    return text if known and text else f"{type(error).__name__}{f' ({text})' if text else ''}"

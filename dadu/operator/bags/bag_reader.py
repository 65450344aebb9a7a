"""Reads the messages of a run back, across all bags that its recorder has written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from dadu.core.errors import DaduError
from dadu.operator.bags.bag import bags
from dadu.operator.bags.bag_repair import repair_all
from dadu.operator.bags.reading import open_bags, read
from dadu.operator.bags.sizes import BrokenBag


class NoBag(DaduError):
    """A run without a recording."""


class Recorded(NamedTuple):
    """One message of a bag."""

    topic: str
    received: float
    """wall time [s]"""
    message: Any
    """with the fields of the ROS message"""


def recorded(run_dir: Path, topics: Collection[str], holding: Mapping[str, bytes] = MappingProxyType({})
             ) -> Iterator[Recorded]:
    """The messages on `topics`, in the order in which they were received; repairs a bag that was not finished.
    `holding`: by topic, bytes that a message must hold as it was sent, or it is left out unread.

    Errors: NoBag, BrokenBag.
    """
    repair_all(run_dir)
    found = bags(run_dir)
    if not found:
        raise NoBag(f"{run_dir} holds no bag; was the graph started with record:=true?")
    try:
        with closing(open_bags(found)) as reader:
            wanted = [c for c in reader.connections if c.topic in topics]
            for connection, stamp, message in read(reader, wanted, holding):
                yield Recorded(connection.topic, stamp * 1e-9, message)
    except BrokenBag as error:
        raise BrokenBag(f"{run_dir}: its bag cannot be read: {error}; without its metadata.yaml it is repaired as far "
                        "as it goes") from None

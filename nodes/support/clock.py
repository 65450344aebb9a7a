"""Seconds as floats in the library, stamps and durations in messages."""

from __future__ import annotations

from builtin_interfaces.msg import Duration, Time
from dadu_nodes.support.convert.encode import encode

from dadu.replay import messages

seconds = messages.seconds
SAME = 1e-4
"""stamps this close are one: messages lose as much [s]"""


def stamp(t: float) -> Time:
    """Of `t` [s]."""
    return encode.stamp(t)


def duration(t: float) -> Duration:
    """Of `t` [s]."""
    return encode.stamp(t, "Duration")

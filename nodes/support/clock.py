"""Seconds as floats in the library, stamps and durations in messages."""

from __future__ import annotations

from builtin_interfaces.msg import Duration, Time


def seconds(stamp: Time | Duration) -> float:
    """[s]"""
    return stamp.sec + stamp.nanosec * 1e-9


def stamp(t: float) -> Time:
    """A message stamp of `t` [s]."""
    sec, nanosec = _split(t)
    return Time(sec=sec, nanosec=nanosec)


def duration(t: float) -> Duration:
    """A message duration of `t` [s]."""
    sec, nanosec = _split(t)
    return Duration(sec=sec, nanosec=nanosec)


def _split(t: float) -> tuple[int, int]:
    return divmod(round(t * 1e9), 1_000_000_000)

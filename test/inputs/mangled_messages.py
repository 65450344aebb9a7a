"""Messages as other people's drivers send them: any type of ROS, with one to four of its fields amiss."""

import array
import math
import random
import re

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message

FLOATS = (math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1e-30, 1e30, 0.3, 720.0)
STRINGS = ("", "map", "base_link", "camera_color_optical_frame", "/map", "ü", "x" * 200, "bayer_rggb8", "yuv422",
           "8UC3", "16UC1", "32FC1", "rgba8", "nv12", "rgb16", "mono8", "fridge_0", "on", "None", "nan", "go_to")
NOT_KNOWN = ("JointState.velocity", "JointState.effort")
"""fields in which no number means that nobody knows"""
STAMPS = (0.0, 1e-3, 12.0, -5.0)
_RANGES = {"byte": (0, 256), "char": (0, 256), "octet": (0, 256)}


def mangled(message, rng: random.Random, now: float = 100.0):
    """A copy, with one to four things amiss."""
    message = _copy(message)
    places = list(_places(message))
    for holder, field, kind in rng.sample(places, min(len(places), rng.choice((1, 1, 2, 4)))):
        value = getattr(holder, field)
        found = _another(value, kind, rng, now)
        if found is not None:
            setattr(holder, field, found)
    return message


def later(message, by: float):
    """A copy whose stamps are later by so many seconds; those of 0 stay."""
    message = _copy(message)
    for holder, field, kind in _places(message):
        stamp = getattr(holder, field)
        if kind == "builtin_interfaces/Time" and stamp.sec:
            setattr(holder, field, _stamp(type(stamp), stamp.sec + stamp.nanosec * 1e-9 + by))
    return message


def nonsense(message) -> list[str]:
    """The fields of a message, and of those in it, that hold numbers which are none, by their names."""
    found = {f"{type(holder).__name__}.{field}" for holder, field, kind in _places(message)
             if ("float" in kind or "double" in kind) and not np.isfinite(getattr(holder, field)).all()}
    return sorted(found.difference(NOT_KNOWN))


def _copy(message):
    return deserialize_message(serialize_message(message), type(message))


def _places(message):
    """(message, field, type's name) of every field of a message and of those in it."""
    for field, kind in message.get_fields_and_field_types().items():
        value = getattr(message, field)
        yield message, field, kind
        if hasattr(value, "get_fields_and_field_types"):
            yield from _places(value)
        elif isinstance(value, list):
            for part in value[:3]:
                if hasattr(part, "get_fields_and_field_types"):
                    yield from _places(part)


def _another(value, kind, rng, now):
    if kind == "builtin_interfaces/Time":
        return _stamp(type(value), rng.choice((*STAMPS, now - 86400.0, now + 86400.0, now - 30.0, now + 30.0)))
    if re.search(r"\[\d+\]$", kind):
        return _of_same_length(value, rng)
    if isinstance(value, (list, tuple, array.array, np.ndarray)):
        return _sequence(value, rng)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        low, high = _integers(kind)
        return min(max(rng.choice((0, 1, -1, 2, value + 1, value * 2, value // 2, 255, high - 1, low)), low), high - 1)
    if isinstance(value, float):
        return rng.choice((*FLOATS, -value, value * 1000.0, value / 1000.0))
    if isinstance(value, str):
        return rng.choice(STRINGS)
    return None


def _integers(kind):
    bits = int("".join(filter(str.isdigit, kind)) or 8)
    return (0, 2 ** bits) if kind.startswith("u") or kind in _RANGES else (-2 ** (bits - 1), 2 ** (bits - 1))


def _stamp(kind, t):
    seconds, nanoseconds = divmod(round(t * 1e9), 1_000_000_000)
    return kind(sec=seconds, nanosec=nanoseconds)


def _of_same_length(value, rng):
    spoiled = list(value)
    if not spoiled or not isinstance(spoiled[0], float):
        return None
    if rng.random() < 0.3:
        return [0.0] * len(spoiled)
    spoiled[rng.randrange(len(spoiled))] = rng.choice(FLOATS)
    return spoiled


def _sequence(value, rng):
    """Empty, shorter, longer, or with an entry amiss."""
    how, kept = rng.randrange(4), list(value[:200_000])
    if how == 0 or not kept:
        kept = []
    elif how == 1:
        kept = kept[:rng.randrange(len(kept))]
    elif how == 2:
        kept = kept + kept[:rng.randrange(len(kept)) + 1]
    elif isinstance(kept[0], float):
        for _ in range(rng.choice((1, len(kept)))):
            kept[rng.randrange(len(kept))] = rng.choice(FLOATS)
    elif isinstance(kept[0], str):
        kept[rng.randrange(len(kept))] = rng.choice(STRINGS)
    else:
        return None
    return array.array(value.typecode, kept) if isinstance(value, array.array) else kept


def torn(data: bytes, rng: random.Random) -> bytes:
    """Serialized, and cut off or with a byte turned, as no driver sends it and no middleware keeps it from coming."""
    data = bytearray(data)
    if rng.random() < 0.5:
        return bytes(data[:rng.randrange(4, len(data) + 1)])
    data[rng.randrange(4, len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)

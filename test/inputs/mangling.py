"""Breaks valid files as people, editors and disks do: values out of range, parts lost, doubled, swapped, torn bytes."""

import copy
import random

NASTY = (float("inf"), float("nan"), -1, 0, 1e300, -1e9, 1e-9, 12345678, 0.5, 3, True, None, "", "x" * 300,
         "ü\0", "\ud800", "fridge_0", "milk_carton", [], [0, 0, 0], [[[]]], {}, {"a": 1})  # fmt: skip
FACTORS = (-1, 0, 0.5, 0.9, 1.1, 2, 10, 1000, 1e-3, 1e6)


def mangled_data(data, rng: random.Random):
    """A copy of what a YAML or JSON file holds, with one to three things amiss."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = list(_places(data))
        if not places:
            break
        holder, key = rng.choice(places)
        value = holder[key]
        if isinstance(value, (int, float)) and rng.random() < 0.6:
            holder[key] = value * rng.choice(FACTORS)
        elif rng.random() < 0.3:
            del holder[key]
        elif isinstance(holder, list) and rng.random() < 0.5:
            holder.insert(key, copy.deepcopy(rng.choice(holder)))
        else:
            holder[key] = copy.deepcopy(rng.choice(NASTY))
    return data


def mangled_bytes(content: bytes, rng: random.Random) -> bytes:
    """A copy with bits turned, a stretch lost or doubled, or its end torn off."""
    content = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not content:
            break
        at, length = rng.randrange(len(content)), rng.randrange(1, 40)
        how = rng.randrange(4)
        if how == 0:
            content[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            del content[at:at + length]
        elif how == 2:
            content[at:at] = content[at:at + length]
        else:
            del content[at:]
    return bytes(content)


def _places(value):
    """(container, key) of everything below a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(items):
        yield value, key
        yield from _places(child)

"""The namers by name."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.core.errors import ConfigError
from dadu.perception.namer import Namer
from dadu.perception.registry import Registration, Registry

OWN = "own"
"""the network beside the detector's, see `dadu.perception.learned.namer`"""
NAMERS = {
    OWN: Registration("dadu.perception.learned.namer:NamerWeights"),
    "clip": Registration("dadu.perception.foundation.namer:ClipNamer", "vision"),
    "siglip": Registration("dadu.perception.foundation.namer:SiglipNamer", "vision"),
}
"""Those that come with DaDu; one's own needs no entry here."""
REGISTRY = Registry("namer", NAMERS)


def named(text: str) -> tuple[str, ...]:
    """``own+clip`` to the names of those that are asked one after the other; nothing is imported. Errors:
    ConfigError for an unknown one, or one that is named twice."""
    names = tuple(part.strip() for part in text.split("+"))
    for name in names:
        REGISTRY.registration(name)
    if len(set(names)) < len(names):
        raise ConfigError(f"namer {text!r}: each once")
    return names


def make_namers(names: Sequence[str], weights: Sequence[str] = ()) -> list[Namer | None]:
    """In the order of `names`, as `named` tells them; None for `OWN`. `weights` of the others, in that order; where
    there is none, or an empty one, it is their own choice.

    Errors: those of `Registry.find`; ConfigError for weights that cannot be used, or too many of them."""
    others = [name for name in names if name != OWN]
    if len(weights) > len(others):
        raise ConfigError(f"weights of {len(weights)} more namers; namer {'+'.join(names)} has {len(others)}")
    given = dict(zip(others, weights))
    return [None if name == OWN else REGISTRY.find(name)(*filter(None, [given.get(name)])) for name in names]

"""Tasks of others in two halves: rules are made by looking at the first alone, and both are reported."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def looked_at(identifier: str) -> bool:
    """True for the half of all tasks that may be looked at: those whose hash (SHA-256) is even."""
    return sha256(identifier.encode()).digest()[-1] % 2 == 0


def halves(identifiers: Iterable[str]) -> dict[str, list[str]]:
    """The tasks of either half, as they come: ``looked_at`` and ``held_out``."""
    found: dict[str, list[str]] = {"looked_at": [], "held_out": []}
    for identifier in identifiers:
        found["looked_at" if looked_at(identifier) else "held_out"].append(identifier)
    return found

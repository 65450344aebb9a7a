"""Who may move which part of the body: one owner a part, whoever asks first, for as long as it says that it goes on.

A pure table, so that every path through it is tested without ROS. Times are seconds on a steady clock.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from dadu.core.errors import ConfigError, choices

HOLD = 3.0
"""silence after which a claim has lapsed: its owner was killed [s]"""
GRACE = 1.5
"""after a start, in which only claims from before it are renewed: their owners renew once a second [s]"""


class BodyPart(str, Enum):
    """What one owner at a time commands."""

    BASE = "base"
    ARM = "arm"
    HEAD = "head"
    GRIPPER = "gripper"


@dataclass(frozen=True)
class Claim:
    """Parts of the body that somebody moves."""

    owner: str
    parts: frozenset[BodyPart]
    purpose: str
    """what for, in a few words"""
    until: float = math.inf
    """when it lapses unless it is renewed [s]"""

    def __str__(self) -> str:
        return f"{self.owner} ({self.purpose})" if self.purpose else self.owner


class BodyLease:
    """The claims in force. An owner's newer claim takes the place of its older one; others have to wait."""

    def __init__(self, now: float) -> None:
        self._claims: dict[str, Claim] = {}
        self._granting = now + GRACE

    def settles_in(self, now: float) -> float:
        """[s] until claims are granted that nobody has had before."""
        return max(0.0, self._granting - now)

    def claim(self, owner: str, parts: Collection[BodyPart], purpose: str, now: float, renew: bool = False) -> str:
        """Gives `parts` to `owner`, or takes all back where there are none. Empty, or why not, in a sentence.

        `renew`: the claim was granted before, maybe by a table that was lost in a restart.
        """
        self._claims = {o: c for o, c in self._claims.items() if c.until > now and o != owner}
        wanted = frozenset(parts)
        if not wanted:
            return ""
        for other in self._claims.values():
            if shared := wanted & other.parts:
                names = ", ".join(sorted(part.value for part in shared))
                return f"{other} is using the {names}; wait until it has ended, or cancel it"
        if self.settles_in(now) > 0.0 and not renew:
            return "who uses the body is not known yet after a restart; try again in a moment"
        self._claims[owner] = Claim(owner, wanted, purpose, now + HOLD)
        return ""


def body_parts(names: Collection[str]) -> frozenset[BodyPart]:
    """The parts called so. Errors: ConfigError naming the valid ones."""
    valid = {part.value: part for part in BodyPart}
    if unknown := [name for name in names if name not in valid]:
        raise ConfigError(f"the body has no part {unknown[0]!r}; valid: {choices(valid)}")
    return frozenset(valid[name] for name in names)

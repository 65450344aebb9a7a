"""What states things are in, as they were seen: one view is a hint, several are knowledge.

A picture says of a state how likely it is. Pictures from one place are alike, and so are their errors: together they
have one voice, which grows with their number. What a skill has done counts like many views, and what was seen before it
no more. That something is dirty can be seen; that it is clean cannot: where no stain is seen any more, it is not known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from dadu.memory.association.labels import View
from dadu.world.graph import Entity

KNOWN = 2.2
"""sum of logits from which on a state is known: nine to one"""
CLIP = 3.0
"""of one view's: its errors are not independent of what it sees"""
TOLD, DONE = 3.0, 6.0
"""logit of what was known beforehand, and of what a skill has verified"""
UNSEEN = {"is_clean": True}
"""what no picture proves, by predicate"""
PICTURES = 3
"""that must have told of a state, before it is believed"""
GAIN = 0.3
"""share of a further picture from one place: things change, if seldom"""
HALF_LIFE, HALF_LIFE_TOLD = 120.0, 600.0
"""of a view's voice, and of what was told or done, for the same reason [s]"""


@dataclass
class _Look:
    """From one place."""

    logit: float
    pictures: int
    stamp: float
    """of the newest [s]"""

    def voice(self, now: float) -> float:
        """At `now` [s]."""
        clipped = max(-CLIP, min(CLIP, self.logit))
        return clipped * self.pictures / (1 + self.pictures) * _faded(now - self.stamp, HALF_LIFE)


@dataclass
class _Evidence:
    """Of one state of one thing."""

    prior: float = 0.0
    stamp: float = 0.0
    """of the prior [s]"""
    looks: dict[View, _Look] = field(default_factory=dict)

    def add(self, view: View, chance: float, stamp: float) -> None:
        """One picture more."""
        logit = math.log(max(chance, 1e-4) / max(1 - chance, 1e-4))
        before = self.looks.get(view)
        if before is None:
            self.looks[view] = _Look(logit, 1, stamp)
            return
        gain = max(GAIN, 1 / (before.pictures + 1))
        self.looks[view] = _Look(before.logit + gain * (logit - before.logit), before.pictures + 1, stamp)

    def verdict(self, now: float) -> bool | None:
        """None: not known, and what was said before stands."""
        before = self.prior * _faded(now - self.stamp, HALF_LIFE_TOLD)
        total = before + sum(look.voice(now) for look in self.looks.values())
        pictures = sum(look.pictures for look in self.looks.values())
        return total > 0 if abs(total) >= KNOWN and pictures >= PICTURES else None


@dataclass
class SeenStates:
    """Evidence by entity and predicate."""

    _evidence: dict[tuple[str, str], _Evidence] = field(default_factory=dict)

    def see(self, entity: Entity, chances: Mapping[str, float], view: View, stamp: float) -> dict[str, bool]:
        """The entity's states after one more picture that tells the chances of some."""
        states = dict(entity.states)
        for name, chance in chances.items():
            if (entity.id, name) not in self._evidence:
                told = entity.states.get(name)
                self._evidence[entity.id, name] = _Evidence(0.0 if told is None else TOLD if told else -TOLD, stamp)
            evidence = self._evidence[entity.id, name]
            evidence.add(view, chance, stamp)
            verdict = evidence.verdict(stamp)
            if verdict is not None and UNSEEN.get(name) is not verdict:
                states[name] = verdict
            elif verdict is not None and states.get(name) is (not verdict):
                del states[name]
        return states

    def done(self, id: str, name: str, value: bool, verified: bool, stamp: float) -> None:
        """A skill has made it so: what was seen before is over."""
        weight = DONE if verified else TOLD
        self._evidence[id, name] = _Evidence(weight if value else -weight, stamp)


def _faded(age: float, half_life: float) -> float:
    return float(0.5 ** (max(age, 0.0) / half_life))

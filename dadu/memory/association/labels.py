"""What a thing is and looks like, when a detector wavers: every view is a vote."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from dadu.world.detection import Detection
from dadu.world.graph import UNIDENTIFIED, Entity

SURE = 0.95
"""a detector that gives a label this score does not waver: another label is another thing"""
TOLD = 3.0
"""votes that a category has which was not seen but told beforehand"""
LIKELY = 0.1
"""share of the votes from which on it is told what else a thing may be"""
BETTER = 1.2
"""a picture of a thing is kept that shows so many times as much of it as the one kept before"""
ENOUGH = 2000
"""pixels from which on more tell nothing more of how a thing looks: the namer sees 48 by 48 of them"""
View = tuple[int, int, int]
"""direction, tilt and distance from which a thing is seen, in steps"""
_SECTOR, _NEARER, _NEAREST = math.radians(20), math.log(1.5), 0.1
"""the steps: angles [rad], logarithm of the factor of distance; and the least distance [m]"""
NEWS = 0.05
"""by which a share of the votes, or a confidence, has to differ from what was told before to be told anew"""


@dataclass
class Votes:
    """On what one thing is."""

    prior: dict[str, float] = field(default_factory=dict)
    views: dict[View, tuple[int, dict[str, float]]] = field(default_factory=dict)
    """how many pictures from there, and the sum of what they say"""
    look: np.ndarray | None = None
    """float32 (D,): weighted sum of the embeddings of all pictures; None where there was none"""
    shown: int = 0
    """evidence of the picture that is kept of it [px]; 0: none is"""
    said: str = ""
    """what somebody says that it is, which no view changes; empty where nobody does"""

    def count(self, view: View, detection: Detection) -> None:
        """One picture more from there."""
        pictures, said = self.views.get(view, (0, {}))
        scores = detection.names
        if detection.unknown:
            scores[UNIDENTIFIED] = detection.unknown
        labels = said.keys() | scores.keys()
        self.views[view] = pictures + 1, {label: said.get(label, 0.0) + scores.get(label, 0.0) for label in labels}
        if detection.embedding is not None:
            self._add(min(detection.pixels, ENOUGH) / (pictures + 1) * detection.embedding)

    def unite(self, other: Votes) -> None:
        """All views of both are of one thing."""
        for view, (pictures, said) in other.views.items():
            before, sums = self.views.get(view, (0, {}))
            self.views[view] = before + pictures, {label: sums.get(label, 0.0) + said.get(label, 0.0)
                                                   for label in sums.keys() | said.keys()}
        if other.look is not None:
            self._add(other.look)
        self.said = self.said or other.said

    def _add(self, look: np.ndarray) -> None:
        """One of another size is another network's: what that said is over."""
        fits = self.look is not None and self.look.shape == look.shape
        self.look = np.asarray(self.look + look if fits else look, np.float32)

    def totals(self) -> dict[str, float]:
        """Of the names. Pictures from one place are alike, and so are their errors: together they have one vote."""
        out = self._all()
        out.pop(UNIDENTIFIED, None)
        return out

    @property
    def unknown(self) -> bool:
        """True if nobody says or told what it is, and the views have more votes for that nobody knows than for any
        name."""
        votes = self._all()
        return not (self.said or self.prior) and votes.get(UNIDENTIFIED, 0.0) > max(self.totals().values(), default=0.0)

    def _all(self) -> dict[str, float]:
        """Votes of names, and those for that nobody knows."""
        out = dict(self.prior)
        for pictures, said in self.views.values():
            for label, score in said.items():
                out[label] = out.get(label, 0.0) + score / pictures
        return out

    def shares(self) -> dict[str, float]:
        """Of all votes that there are; no view gives away more than one."""
        whole = sum(self.prior.values()) + len(self.views)
        return {label: votes / whole for label, votes in self.totals().items()} if whole else {}

    def winner(self, present: str, weigh: Callable[[str], float] = lambda label: 1.0) -> str:
        """What somebody says that it is; else what has most votes, times what `weigh` says of the label; `present`
        where votes are even, or there are none."""
        if self.said:
            return self.said
        totals = {label: votes * weigh(label) for label, votes in self.totals().items()}
        best = max(sorted(totals), key=lambda label: totals[label], default=present)
        return present if totals.get(present, 0.0) >= totals.get(best, 0.0) else best


@dataclass
class Labels:
    """Votes by entity."""

    votes: dict[str, Votes] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    """whose votes are to be written yet"""

    def vote(self, entity: Entity, detection: Detection, view: View) -> str:
        """Counts a sighting and returns the category that has most votes; the present one where votes are even."""
        votes = self._of(entity)
        votes.count(view, detection)
        return votes.winner(entity.category)

    def begin(self, entity: Entity, votes: Votes | None = None) -> None:
        """A thing that nothing was known of before it was seen; `votes`: what views have said of it by now."""
        self.votes[entity.id] = votes or Votes()
        self.changed.add(entity.id)

    def trust(self, entity: Entity) -> None:
        """The thing was taken for what it is called: it takes more than a few views to call it otherwise."""
        if entity.category != UNIDENTIFIED:
            prior = self._of(entity).prior
            prior[entity.category] = prior.get(entity.category, 0.0) + TOLD

    def say(self, entity: Entity, category: str) -> None:
        """Somebody says what it is; or, where `category` is empty, says so no longer."""
        self._of(entity).said = category

    def said(self, id: str) -> str:
        """What somebody says that it is; empty where nobody does."""
        return self.votes[id].said if id in self.votes else ""

    def unite(self, kept: Entity, gone: str) -> str:
        """The thing `gone` was `kept`, too: all views of both are of it. The category that has most votes."""
        votes = self._of(kept)
        votes.unite(self.votes.pop(gone, Votes()))
        self.changed.add(gone)
        return votes.winner(kept.category)

    def is_seen_better(self, id: str, pixels: int) -> bool:
        """True if a view of so much evidence is worth to be kept in place of that which is."""
        return id in self.votes and pixels >= BETTER * self.votes[id].shown

    def show(self, id: str, pixels: int) -> None:
        """A view of so much evidence is kept."""
        self.votes[id].shown = pixels
        self.changed.add(id)

    def winner(self, entity: Entity, weigh: Callable[[str], float] = lambda label: 1.0) -> str:
        """The category that has most votes, times what `weigh` says of it; the present one where votes are even, or
        there are none."""
        return self.votes.get(entity.id, Votes()).winner(entity.category, weigh)

    def shares(self, entity: Entity) -> dict[str, float]:
        """How likely each name of it is; what is left of 1 is any other. Empty where nobody knows."""
        votes = self.votes.get(entity.id)
        if votes is None:
            known = entity.category != UNIDENTIFIED
            return {entity.category: 1.0 if entity.provenance != "detection" else entity.confidence} if known else {}
        if votes.said:
            return {votes.said: 1.0}
        return votes.shares()

    def unknown(self, id: str) -> bool:
        """True if by what views say nobody knows what it is."""
        return id in self.votes and self.votes[id].unknown

    def look(self, id: str) -> np.ndarray | None:
        """The mean embedding of a thing, float32 (D,), of unit length; None where no view had one."""
        look = self.votes[id].look if id in self.votes else None
        return None if look is None else look / max(float(np.linalg.norm(look)), 1e-9)

    def may_be(self, entity: Entity) -> dict[str, float]:
        """What else it may be, by category, likeliest first: the share of the votes, of those that have `LIKELY`. The
        entity's own figures stay where they are still about so."""
        known = Votes() if self.said(entity.id) else self.votes.get(entity.id, Votes())
        votes = known.totals()
        whole = len(known.views) if known.unknown else sum(votes.values())
        shares = {label: votes[label] / whole for label in sorted(votes, key=lambda label: -votes[label])
                  if label != entity.category and votes[label] >= LIKELY * whole > 0}
        same = shares.keys() == entity.may_be.keys() and all(
            abs(share - entity.may_be[label]) < NEWS for label, share in shares.items())
        return entity.may_be if same else {label: round(share, 2) for label, share in shares.items()}

    def _of(self, entity: Entity) -> Votes:
        """To be changed."""
        self.changed.add(entity.id)
        if entity.id not in self.votes:
            first = TOLD if entity.provenance != "detection" else entity.confidence
            known = entity.category != UNIDENTIFIED
            self.votes[entity.id] = Votes({entity.category: first} if known else {})
        return self.votes[entity.id]


def view_of(camera: np.ndarray, thing: np.ndarray) -> View:
    """From where `thing` is seen, (3,) both [m], map."""
    away = camera - thing
    distance = max(float(np.linalg.norm(away)), _NEAREST)
    turn, tilt = math.atan2(away[1], away[0]), math.asin(max(-1.0, min(1.0, away[2] / distance)))
    return round(turn / _SECTOR), round(tilt / _SECTOR), round(math.log(distance) / _NEARER)

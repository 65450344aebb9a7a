"""What sort of room it is, from what stands and lies in it: common sense as evidence (naive Bayes)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pydantic import RootModel

from dadu.core.config import Settings, load
from dadu.knowledge.commonsense import usual_places
from dadu.knowledge.vocabulary import Vocabulary

ROOM = "room"
"""category of a room of which it is not known yet what sort it is"""
_SURE, _OFTEN, _ALSO, _NOT = 12.0, 4.0, 1.5, 0.4
"""how many times as likely a piece is there as in any room"""
_THING = 1.2
"""the same for a thing whose usual furniture is a sign of the room: things are carried about"""
_ANY = 2.0
"""weight of some room of no sort that is told apart, beside 1 for each sort"""


class Signs(Settings):
    """Of one sort of room, see room_signs.yaml."""

    sure: tuple[str, ...] = ()
    often: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


class _Signs(RootModel[dict[str, Signs]]):
    pass


def room_odds(furniture: Iterable[tuple[str, float]], things: Iterable[str], vocabulary: Vocabulary
              ) -> dict[str, float]:
    """The chance of each sort of room, `ROOM` for none that is known; 1 in all. `furniture`: category of each piece and
    how certain it is, 0 to 1; `things`: categories. Of several alike only one counts."""
    odds = {ROOM: _ANY, **dict.fromkeys(_signs(), 1.0)}
    sure: dict[str, float] = {}
    for category, confidence in furniture:
        sure[category] = max(sure.get(category, 0.0), confidence)
    for category, confidence in sure.items():
        for room, times in _evidence().get(category, {}).items():
            odds[room] *= times ** confidence
    for category in set(things):
        for room in _rooms_of(category, vocabulary):
            odds[room] *= _THING
    whole = sum(odds.values())
    return {room: weight / whole for room, weight in odds.items()}


@cache
def _signs() -> Mapping[str, Signs]:
    return load(_Signs, Path(__file__).parent / "room_signs.yaml").root


@cache
def _evidence() -> Mapping[str, Mapping[str, float]]:
    """By category of furniture, for each sort of room, how many times as likely it is there."""
    listed = {name for signs in _signs().values() for name in (*signs.sure, *signs.often, *signs.also)}
    out: dict[str, dict[str, float]] = {name: dict.fromkeys(_signs(), _NOT) for name in listed}
    for room, signs in _signs().items():
        for names, times in ((signs.also, _ALSO), (signs.often, _OFTEN), (signs.sure, _SURE)):
            for name in names:
                out[name][room] = times
    return out


@cache
def _rooms_of(category: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Sorts of rooms whose furniture such a thing is usually on or in, first of all."""
    first = next((places[0] for word, places in usual_places().items()
                  if category in vocabulary.entries and vocabulary.is_a(category, word)), ())
    return frozenset(room for place in first for room, times in _evidence().get(place, {}).items() if times > _ALSO)

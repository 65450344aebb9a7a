"""What can be asked for, by the sort of goal that it makes: ALFRED's types, PARTNR's, and more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from dadu.goals.goal import Goal
from dadu.learning.sentences import asks, orders, talk
from dadu.learning.sentences.speaker import Phrase, Speaker
from dadu.learning.sentences.talk import Request
from dadu.world.graph import Kind


def _says(*predicates: str) -> Callable[[Goal], bool]:
    def fits(goal: Goal) -> bool:
        return any(p.predicate in predicates for p in goal.propositions)
    return fits


_MANY = ('"quantity"', '"plural"')
_BESIDE = ('"next_to"', '"between"', '"together"')


@dataclass(frozen=True)
class TaskFamily:
    """Requests of one sort."""

    weight: float
    request: Request
    fits: Callable[[Goal], bool] = lambda goal: True
    """whether a goal is of this sort"""
    needs: tuple[str, ...] = ()
    """what one of must stand in the frames: spares grounding what cannot fit"""
    gerunds: Mapping[Request, float] | None = None
    """what may be said with a verb in -ing instead"""


def _chain(least: int, most: int) -> Request:
    def request(speaker: Speaker) -> Phrase:
        number = speaker.rng.randint(least, most)
        return (talk.in_order if speaker.chance(0.4) else talk.one_by_one)(speaker, number)
    return request


def _in_turn(speaker: Speaker) -> Phrase:
    return talk.timed(speaker) if speaker.chance(0.3) else talk.in_order(speaker, speaker.weighted({2: 7, 3: 3}))


FAMILIES: Mapping[str, TaskFamily] = {
    "place": TaskFamily(14, orders.move, gerunds={orders.move: 1}),
    "take_and_place": TaskFamily(8, orders.take_and_put),
    "several": TaskFamily(10, orders.move, lambda goal: any(p.needed > 1 for p in goal.propositions), _MANY),
    "stack": TaskFamily(5, orders.nested),
    "treat_and_place": TaskFamily(12, orders.change_and_put, _says("is_clean", "is_hot", "is_cold", "is_sliced",
                                                              "is_filled")),
    "treat": TaskFamily(5, orders.change),
    "furniture": TaskFamily(4, partial(orders.change, of=Kind.FURNITURE)),
    "examine": TaskFamily(5, orders.examine_under_lamp),
    "beside": TaskFamily(6, orders.move, _says("is_next_to", "is_clustered"), _BESIDE),
    "in_turn": TaskFamily(10, _in_turn, lambda goal: bool(goal.order)),
    "rearrange": TaskFamily(7, lambda speaker: talk.one_by_one(speaker, speaker.weighted({2: 7, 3: 3}))),
    "long": TaskFamily(6, _chain(4, 7), lambda goal: sum(p.needed for p in goal.propositions) >= 4),
    "condition": TaskFamily(5, talk.conditional),
    "fetch": TaskFamily(4, orders.take),
    "stow": TaskFamily(3, orders.stow),
    "tidy": TaskFamily(3, asks.tidy),
    "swap": TaskFamily(2, asks.swap),
    "ensure": TaskFamily(3, asks.ensure),
    "find": TaskFamily(3, asks.look),
    "go": TaskFamily(2, asks.go),
    "wish": TaskFamily(2, asks.wish),
}
"""By name"""

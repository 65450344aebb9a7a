"""What nobody can carry out in a home, drawn together with the reply that is right: a refusal, or a question."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dadu.knowledge.lexicon import plural_of
from dadu.language.frames.frame import ChangeFrame, MoveFrame, Utterance
from dadu.language.grounding.ground import ground_in
from dadu.language.refusal import NotUnderstood
from dadu.learning.plans.asked.names import HomeNames
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.task import NotAsked
from dadu.learning.plans.writing import question_reply, refusal_reply
from dadu.learning.sentences import orders
from dadu.learning.sentences.held_out import may_be_taught
from dadu.learning.sentences.talk import Request
from dadu.planner.model.goal.names import nouns
from dadu.skills.outcome import Code
from dadu.world.graph import Kind

Known = frozenset[str]
_ANY: Known = frozenset({"layout", "all", "nothing"})
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwz", "aeiou"


class OtherNames(HomeNames):
    """Names of what is here, but for the first of a kind, which is called `instead`."""

    def __init__(self, home: PlanHome, held_out: bool, kind: Kind, instead: str) -> None:
        super().__init__(home.truth, home.vocabulary, held_out)
        self.instead = instead
        self._kind: Kind | None = kind

    def draw(self, kind: Kind, rng: random.Random) -> str:
        """A name, in the singular."""
        if kind is not self._kind:
            return super().draw(kind, rng)
        self._kind = None
        return self.instead

    def spoken_of(self, utterance: Utterance) -> bool:
        """True if it was said after all."""
        return any(noun.name in (self.instead, plural_of(self.instead)) for noun in nouns(utterance))


@dataclass(frozen=True)
class RefusalSort:
    """Requests of one sort."""

    requests: Mapping[Request, float]
    reply: Callable[[Utterance, HomeNames, PlanHome], str]
    """the right one in the end; raises NotAsked where such an instruction can be carried out"""
    names: Callable[[PlanHome, bool, random.Random], HomeNames] = field(
        default=lambda home, held_out, rng: HomeNames(home.truth, home.vocabulary, held_out))
    follows: bool = False
    """said as if something had been spoken of before"""
    searches: bool = False
    """whether it is so can only be told after a search"""
    known: Known = _ANY
    """what the robot has to be told of a home"""


def _absent(kind: Kind) -> Callable[[PlanHome, bool, random.Random], HomeNames]:
    """Speaks of something that the home's people would have a name for, had they one."""
    def names(home: PlanHome, held_out: bool, rng: random.Random) -> HomeNames:
        fit = [name for name in home.lacking[kind] if held_out or may_be_taught(name)]
        if not fit:
            raise NotAsked("everything is there")
        return OtherNames(home, held_out, kind, rng.choice(fit))
    return names


def _unheard_of(home: PlanHome, held_out: bool, rng: random.Random) -> HomeNames:
    """``tavilo``: a noun that nobody can know."""
    syllables = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.randint(2, 3)))
    return OtherNames(home, held_out, Kind.OBJECT, syllables + rng.choice(("", "n", "r", "t", "ck", "l")))


def _none_here(utterance: Utterance, names: HomeNames, home: PlanHome) -> str:
    if _refusal(utterance, home) is None:
        raise NotAsked("something else would do")
    return refusal_reply(f"there is no {_instead(utterance, names)} here")


def _what_is_that(utterance: Utterance, names: HomeNames, home: PlanHome) -> str:
    return question_reply(_instead(utterance, names))


def _instead(utterance: Utterance, names: HomeNames) -> str:
    if not isinstance(names, OtherNames) or not names.spoken_of(utterance):
        raise NotAsked("only of what there is")
    return names.instead


def _what_is_it(utterance: Utterance, names: HomeNames, home: PlanHome) -> str:
    """Of a pronoun that nothing was said before."""
    first = utterance.frames[0]
    what = first.what[0] if isinstance(first, MoveFrame | ChangeFrame) else None
    if what is None or what.pronoun not in ("it", "them"):
        raise NotAsked("what is meant is said")
    return question_reply(what.pronoun)


def _cannot(utterance: Utterance, names: HomeNames, home: PlanHome) -> str:
    refusal = _refusal(utterance, home)
    if refusal is None or refusal.code is not Code.NOT_INTERACTIVE:
        raise NotAsked("it can be done")
    return refusal_reply(str(refusal))


def _refusal(utterance: Utterance, home: PlanHome) -> NotUnderstood | None:
    """What grounding says against it, given all that is true."""
    try:
        ground_in(home.scene, utterance)
    except NotUnderstood as refusal:
        return refusal
    return None


_THINGS: Mapping[Request, float] = {orders.move: 5, orders.take_and_put: 3, orders.take: 2, orders.change: 2,
                                    orders.change_and_put: 2}
SORTS: Mapping[str, RefusalSort] = {
    "absent": RefusalSort(_THINGS, _none_here, _absent(Kind.OBJECT), searches=True),
    "no_such_place": RefusalSort({orders.move: 3, orders.take_and_put: 1}, _none_here, _absent(Kind.FURNITURE),
                                 known=frozenset({"layout", "all"})),
    "impossible": RefusalSort({orders.change: 3, orders.change_and_put: 1, orders.move: 2}, _cannot),
    "unheard_of": RefusalSort(_THINGS, _what_is_that, _unheard_of),
    "unsaid": RefusalSort({orders.move: 1, orders.change: 1}, _what_is_it, follows=True),
}
"""By name"""

"""What is in the hand, in words: ``put down what you are holding``, ``put what is in your hand on the sofa``.

Putting down needs no place: whoever asks for it leaves the choice to the robot.
"""

from __future__ import annotations

import re

from dadu.goals.goal import Goal, Proposition, Term
from dadu.goals.interpreter import Context, Refused
from dadu.knowledge.nouns import ground
from dadu.knowledge.set_down_places import places_to_set_down
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.situation import Situation
from dadu.skills.outcome import Code
from dadu.world.graph import ROBOT, Kind, WorldGraph

_HANDS = r"(?:your|the) (?:hands?|grippers?|fingers?)"
_HAVE = r"you(?: are|'re|'ve| have)? (?:currently |still )?(?:hold(?:ing)?|carry(?:ing)?|got|have)(?: there| now)?"
_SOME = r"(?:the (?:thing|object|item|stuff|load)|everything|anything|whatever|what(?:ever)?)"
_WHAT = re.compile(rf"{_SOME}(?: that| which)? (?:(?:it is |there is |is )?in {_HANDS}|{_HAVE})(?: in {_HANDS})?")

_POLITE = r"(?:(?:please|now|just|ok|okay),? |(?:can|could|would|will) you (?:please )?|i want you to )*"
_AFTER = r"(?: for now| somewhere| anywhere| here| now| again)*,?(?: please)?"
_ASKS = tuple(re.compile(_POLITE + words + _AFTER) for words in (
    r"(?:put|set|lay|place) down (?P<thing>.+?)", r"(?:put|set|lay|place) (?P<thing>.+?) down",
    r"(?:drop|release|let go of) (?P<thing>.+?)", rf"(?:empty|free) {_HANDS}(?P<thing>)"))
_POINTED_AT = ("", "it", "this", "that")
_DETERMINER = re.compile(r"^(?:the|this|that|a|an|my|your) ")


def name_held_object(instruction: str, graph: WorldGraph) -> str | Refused:
    """The instruction with the id of what is in the hand for ``what you are holding`` and the like; a refusal where
    the hand is empty."""
    if _WHAT.search(instruction.lower()) is None:
        return instruction
    held = graph.held(ROBOT)
    return _NOTHING if held is None else re.sub(_WHAT.pattern, held.id, instruction, flags=re.IGNORECASE)


def name_put_down_place(instruction: str, context: Context) -> str:
    """``put down apple_0, then go to the kitchen`` with the nearest place for it, where `apple_0` is in the hand."""
    held, places = context.graph.held(ROBOT), places_to_set_down(context.graph, context.vocabulary)
    if held is None or not places:
        return instruction
    know = Knowledge(context.graph, Situation(), context.vocabulary)
    place = know.nearest(piece.id for piece in places)
    asks = rf"(?:(?:put|set|lay|place) down|drop|release|let go of) {held.id}|(?:put|set|lay|place) {held.id} down"
    return re.sub(asks, f"put {held.id} on {place}", instruction, flags=re.IGNORECASE)


def asked_to_put_down(instruction: str, context: Context) -> Goal | Refused | None:
    """The goal of such a request, or why there is nothing to put down; None for any other instruction, and for a thing
    that is not in the hand."""
    asked = _asked(instruction)
    if asked is None:
        return None
    held = context.graph.held(ROBOT)
    if asked not in _POINTED_AT:
        words = _DETERMINER.sub("", asked)
        named = {match.id for match in ground(words, context.graph, (Kind.OBJECT,), context.vocabulary)}
        if held is None or held.id not in named:
            return None
    return _NOTHING if held is None else put_down(held.id, context.graph, context.vocabulary)


def put_down(held: str, graph: WorldGraph, vocabulary: Vocabulary) -> Goal | Refused:
    """What is held is to stand somewhere, where it stands well."""
    places = tuple(piece.id for piece in places_to_set_down(graph, vocabulary))
    if not places:
        return Refused(f"no furniture is known that {held} could be put down on; tell me to explore first")
    return Goal((Proposition("is_on_top", Term(held, (held,)), Term("somewhere", places)),))


def _asked(instruction: str) -> str | None:
    """What is to be put down, in the words of the instruction; empty where it is the hand that is to be emptied, None
    where something else is wanted."""
    text = re.sub(r"\s+", " ", instruction.lower()).strip(" .!?")
    return next((match["thing"] for pattern in _ASKS if (match := pattern.fullmatch(text))), None)


_NOTHING = Refused("the hand is empty: there is nothing to put down", code=Code.HAND_EMPTY)

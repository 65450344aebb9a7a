"""What nobody would say of such things, though it can be carried out: the speaker draws words and things apart from
one another."""

from __future__ import annotations

import re

from dadu.goals.suite_goal import SuiteGoal
from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import Vocabulary, VocabularyEntry
from dadu.language.frames.frame import MoveFrame, Utterance
from dadu.language.frames.noun import NounPhrase
from dadu.language.frames.within import iter_parts
from dadu.learning.plans.home import PlanHome
from dadu.planner.model.goal.names import nouns
from dadu.world.graph import Kind

_TEMPERATURES = ("is_hot", "is_cold")
_INTO = ("is_inside", "is_in_room")
_FOOD = frozenset({"food", "drink", "fruit", "vegetable", "snack", "ingredient", "dairy", "bakery", "soda", "alcohol"})
_WARE = frozenset({"dish", "tableware", "cookware", "bakeware", "plate", "cup", "bottle", "jar", "can"})
"""more general words for what is eaten, and for what it is eaten from and kept in"""
_PARTS = frozenset({"slice", "sliced", "cut", "chopped", "piece", "pieces", "bit", "bits", "chunk"})
"""in a noun's attributes: a piece of it is meant"""


def odd(text: str, utterance: Utterance, goal: SuiteGoal, home: PlanHome) -> str:
    """Why nobody would say so; empty where somebody might."""
    category = {e.id: e.category for e in home.truth}
    warmed = {name for p in goal.propositions if p.predicate in _TEMPERATURES for name in p.arguments[0]}
    if not all(_is_warmed(home.vocabulary.entries.get(category.get(name, ""))) for name in warmed):
        return "heats or cools what nobody would"
    into = sum(place.preposition == "in" for move in iter_parts(utterance, MoveFrame) for place in move.to)
    if re.search(r"\b(inside|into)\b", text.lower()) and into > sum(p.predicate in _INTO for p in goal.propositions):
        return "into what has no inside"
    here = {e.category for e in home.truth.of(Kind.OBJECT)}
    if any(_mismeasured(np, home.vocabulary, here) for np in nouns(utterance)):
        return "a piece, or a vessel, of what has none"
    return ""


def _mismeasured(np: NounPhrase, vocabulary: Vocabulary, here: set[str]) -> bool:
    """``a slice of electronics``, ``a glass of tissues`` where that means spectacles."""
    named = [e for e, _ in vocabulary.named(default_lexicon().normal(np.name))] if np.name else []
    meant = [e for e in named if e.category in here]
    if _PARTS & set(np.attributes):
        return not all(_is_of(e, _FOOD) or "slice" in e.affordances for e in meant)
    if any(place.preposition == "of" for place in np.places):
        return not all({"fill", "pour", "place_in"} & set(e.affordances) or _is_of(e, _FOOD | {"container"})
                       for e in meant)
    return False


def _is_warmed(entry: VocabularyEntry | None) -> bool:
    """True if it is food, or holds some; a category of a house's own may be."""
    return entry is None or _is_of(entry, _FOOD | _WARE) or bool({"fill", "slice"} & set(entry.affordances))


def _is_of(entry: VocabularyEntry, words: frozenset[str]) -> bool:
    """True if one of these is its last name or a more general word for it."""
    return any(name[-1] in words for name in (*entry.hypernyms, entry.name) if name)

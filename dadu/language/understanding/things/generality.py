"""What is called just so, and what is called so more generally: the box, and a box of cookies; a toy, a toy car."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dadu.goals.candidates import candidates
from dadu.goals.goal import Description
from dadu.knowledge.lexicon import Words
from dadu.knowledge.vocabulary import Vocabulary
from dadu.world.graph import Entity, Kind, WorldGraph


@dataclass(frozen=True)
class Meaning:
    """One way to read a noun phrase."""

    description: Description
    found: tuple[Entity, ...]
    tier: int
    """0: named so; 1: an alias; 2: a more general word; 3: the nearest relative; 4: the nearest in meaning"""
    requires: tuple[str, ...] = ()
    """predicates that its adjectives ask for: a washed cup"""


def widened(best: Meaning, readings: Sequence[Meaning], graph: WorldGraph) -> Meaning:
    """What is no category's own name means all that are called so, by an alias or a more general word."""
    if best.tier not in (1, 2) or best.description.kind is not Kind.OBJECT:
        return best
    alike = [m.description for m in readings if m.tier in (1, 2) and _plain(m) == _plain(best)]
    description = replace(best.description, categories=tuple(sorted({c for d in alike for c in d.categories})))
    return replace(best, description=description, found=tuple(candidates(description, graph)))


def just_so(best: Meaning, readings: Sequence[Meaning], graph: WorldGraph, vocabulary: Vocabulary) -> Meaning:
    """The box, though only boxes of something were seen so far; the biggest of all that are called box. Spectacles are
    glasses in another sense."""
    wide = widened(best, readings, graph)
    literal = next((m for m in readings if m.tier == 0 and _plain(m) == _plain(best)), None)
    if best.tier not in (1, 2) or literal is None or best.tier == 1 and not _akin(best, literal, vocabulary):
        return wide
    if not best.description.superlative:
        return literal
    categories = {*wide.description.categories, *literal.description.categories}
    description = replace(best.description, categories=tuple(sorted(categories)))
    return replace(best, description=description, found=tuple(candidates(description, graph)))


def _akin(a: Meaning, b: Meaning, vocabulary: Vocabulary) -> bool:
    """Whether the things of two readings are of one sort: a mug and a cup are drinkware."""
    first, second = ({word for c in m.description.categories for word in vocabulary.entries[c].hypernyms}
                     for m in (a, b))
    return bool(first & second)


def or_more_generally(best: Meaning, readings: Sequence[Meaning], vocabulary: Vocabulary) -> Meaning:
    """A toy that was not seen yet may be one that is called so (a category's own name), or any of the kind."""
    if best.found or best.tier != 0 or best.description.general:
        return best
    general = {c for m in readings if m.tier in (1, 2) and m.requires == best.requires and _plain(m) == _plain(best)
               for c in m.description.categories} - set(best.description.categories)
    # a mug is a cup and a cup a mug: neither is a kind of the other
    kinds = {c for c in general if not _means(c, best.description.categories, vocabulary)}
    return replace(best, description=replace(best.description, general=tuple(sorted(kinds))))


def second_best(better: Meaning, also: Meaning) -> Meaning:
    """What is good for a use and was not seen yet; what will merely do only when there is none of it anywhere."""
    rest = set(also.description.categories) - set(better.description.categories)
    return replace(better, description=replace(better.description, general=tuple(sorted(rest))))


def any_of_kind(description: Description, words: Words, vocabulary: Vocabulary) -> Description:
    """A toy is any toy car; a box is no box of cookies."""
    kind = [c for c in description.general if words in vocabulary.entries[c].hypernyms]
    return replace(description, categories=tuple(dict.fromkeys((*description.categories, *kind))),
                   general=tuple(c for c in description.general if c not in kind))


def _plain(meaning: Meaning) -> Description:
    return replace(meaning.description, categories=(), ids=())


def _means(category: str, others: Sequence[str], vocabulary: Vocabulary) -> bool:
    return any(e.category in others for e, _ in vocabulary.named(vocabulary.lexicon.normal(category)))

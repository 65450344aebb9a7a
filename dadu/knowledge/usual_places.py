"""Common sense applied to the house at hand: which of its furniture is meant by a role or by "where it belongs"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dadu.knowledge.commonsense import occasions, usual_places
from dadu.knowledge.vocabulary import Vocabulary
from dadu.world.graph import Entity, Kind, WorldGraph

_NAMED_FOR_IT = -1.0


def place_rank(piece: Entity, categories: Iterable[str], vocabulary: Vocabulary) -> float | None:
    """How far down the list a piece of furniture is for things of these categories; None where it is not on it.
    Furniture that is named after them (fruit_table, toy_box) comes first."""
    return _rank(piece.id, piece.category, tuple(categories), vocabulary)


@lru_cache(maxsize=65536)
def _rank(id: str, own: str, categories: tuple[str, ...], vocabulary: Vocabulary) -> float | None:
    if any(_named_after(_stem(id), category, vocabulary) for category in categories):
        return _NAMED_FOR_IT
    names = {own, _stem(id), id}
    for category in categories:
        places = _places(category, vocabulary)
        ranks = [i for i, equals in enumerate(places) if names & set(equals)]
        if ranks:
            return min(ranks)
    return None


def named_for(piece: Entity, categories: Iterable[str], vocabulary: Vocabulary) -> bool:
    """True if furniture bears the name of such things, as a fruit_table does for apples; or is called so as well here,
    as a rack that is the food shelf. What all furniture of its kind is called says nothing: a breakfast table."""
    entry = vocabulary.entries.get(piece.category)
    own = [a for a in piece.aliases if entry is None or vocabulary.lexicon.normal(a) not in entry.aliases]
    names = (_stem(piece.id), *own)
    return any(_named_after(name, category, vocabulary) for category in categories for name in names)


def usual(categories: Iterable[str], graph: WorldGraph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Furniture where things of these categories belong: all that is equally fit, none where nothing is known."""
    categories = tuple(categories)
    ranks = {p.id: rank for p in graph.of(Kind.FURNITURE) if p.surfaces
             and (rank := place_rank(p, categories, vocabulary)) is not None}
    best = min(ranks.values(), default=None)
    return tuple(sorted(id for id, rank in ranks.items() if rank == best))


def furniture_for_role(role: str, graph: WorldGraph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Furniture that serves a role, such as shipping or trash: the fittest of the list that the house has."""
    for name in occasions().roles[role]:
        words = vocabulary.lexicon.normal(name)
        found = tuple(sorted(p.id for p in graph.of(Kind.FURNITURE) if words in _names(p, vocabulary)))
        if found:
            return found
    return ()


def things_of_category(words: Iterable[str], graph: WorldGraph, vocabulary: Vocabulary,
                kinds: tuple[Kind, ...] = (Kind.FURNITURE, Kind.OBJECT)) -> tuple[str, ...]:
    """Furniture and things called by one of these words, the first word's first."""
    out: dict[str, None] = {}
    for word in words:
        for entity in sorted(graph, key=lambda e: e.id):
            if entity.kind in kinds and vocabulary.lexicon.normal(word) in _names(entity, vocabulary):
                out[entity.id] = None
    return tuple(out)


def _names(entity: Entity, vocabulary: Vocabulary) -> frozenset[tuple[str, ...]]:
    return _names_of(entity.id, entity.category, entity.aliases, vocabulary)


@lru_cache(maxsize=16384)
def _names_of(id: str, category: str, aliases: tuple[str, ...], vocabulary: Vocabulary) -> frozenset[tuple[str, ...]]:
    normal, entry = vocabulary.lexicon.normal, vocabulary.entries.get(category)
    own = {normal(id), normal(_stem(id)), *map(normal, aliases)}
    return frozenset(own | ({entry.name, *entry.aliases, *entry.same} if entry else {normal(category)}))


@lru_cache(maxsize=4096)
def _places(category: str, vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    return next((p for word, p in usual_places().items() if vocabulary.is_a(category, word)), ())


@lru_cache(maxsize=16384)
def _named_after(stem: str, category: str, vocabulary: Vocabulary) -> bool:
    """``fruit_table`` for an apple, but not for toy fruit; ``coffee_table`` is not for coffee, nor ``dining_table`` for
    dining."""
    words = vocabulary.lexicon.normal(stem)
    entry = vocabulary.entries.get(stem)
    if len(words) < 2 or entry is not None and entry.kind is Kind.FURNITURE:
        return False
    called = vocabulary.called(category) if category in vocabulary.entries else {(category,)}
    return any((word,) in called for word in words[:-1])


def _stem(id: str) -> str:
    return id.rstrip("0123456789").rstrip("_")

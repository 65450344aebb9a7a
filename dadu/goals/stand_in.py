"""What stands in for what is nowhere: what people take for it, and what nobody knows to be unlike it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from dadu.goals.candidates import candidates
from dadu.goals.goal import Description
from dadu.house.catalogue import object_categories
from dadu.knowledge.commonsense import alike
from dadu.knowledge.lexicon import Lexicon, Words, default_lexicon
from dadu.knowledge.vocabulary import Vocabulary
from dadu.world.graph import UNIDENTIFIED, Entity, Kind, WorldGraph

CERTAIN = 0.8
"""confidence from which on a thing is what it is called, though another one is said to be there: of things of the suite
rearrange those under a wrong name had 0.46 to 0.77 (all six), those under the right one 0.78 and more (11 of 14)"""
_ANOTHER_SIZE = 0.9
"""of `size_differs`: of quite another size. Of things misnamed it was below 0.2 to their own, of crumbs of the
furniture that they stood on 0.5 to 1.2"""
_SIZE_UNKNOWN = 0.35
_THIN = 0.02
"""what is thinner is measured no better [m]"""
_BY_NAME = 1
"""tiers up to it are names (`VocabularyEntry.tier`), the next one a more general word"""


def stand_ins(told: Description, graph: WorldGraph, vocabulary: Vocabulary) -> list[Entity]:
    """Things that may be meant by what fits nothing: those of unknown colour, else those that people take for it."""
    same = unlike_none(told.anywhere(), graph, vocabulary.lexicon)
    if same:
        return same
    names = [vocabulary.entries[c].name for c in told.categories if c in vocabulary.entries]
    categories = tuple(dict.fromkeys(c for name in names for c in taken_for(name, told.kind, vocabulary)))
    others = replace(told.anywhere(), categories=categories, ids=(), general=())
    return candidates(others, graph) or unlike_none(others, graph, vocabulary.lexicon)


def doubted(places: Collection[str], graph: WorldGraph, categories: Collection[str]) -> list[Entity]:
    """Things on or in these `places` that some views have called by one of `categories`, and those of which the robot
    is not certain what they are: what it knows no name for it calls by another one, without conviction. The likeliest
    first; none of quite another size."""
    there = [e for id in places if id in graph for e in graph.contents(id) if e.kind is Kind.OBJECT]
    unsure = [e for e in there
              if e.provenance == "detection" and (e.confidence < CERTAIN or e.share_of(categories) > 0.0)]
    unlike = {e.id: size_differs(e, categories) for e in unsure}
    return sorted((e for e in unsure if e.share_of(categories) > 0.0 or unlike[e.id] < _ANOTHER_SIZE),
                  key=lambda e: (unlike[e.id] - e.share_of(categories), e.confidence, e.id))


def called_otherwise(entity: Entity, told: Description) -> bool:
    """True if what was seen has the name of something else than the words mean, and bears none of them as its own."""
    if entity.provenance == "prior" or not told.meant or entity.category in (UNIDENTIFIED, *told.meant):
        return False
    said = default_lexicon().normal(told.words)
    return not any(own == said[-len(own):] for own in map(default_lexicon().normal, entity.aliases))


def may_be_another(entity: Entity, categories: Collection[str] = ()) -> bool:
    """True if what the robot calls by another name than one of `categories` may be called so wrongly, and be one of
    these: it is not certain of it, or it has another size than things of these usually have."""
    certain = entity.confidence >= CERTAIN and size_differs(entity, categories) <= _SIZE_UNKNOWN
    return entity.provenance == "detection" and not certain


def is_another_piece(piece: Entity, told: Description, vocabulary: Vocabulary) -> bool:
    """True if the words are the name of a kind of furniture, and no name of the piece: it fits by a more general word
    only, as an ottoman does for a stool."""
    entry, said = vocabulary.entries.get(piece.category), vocabulary.lexicon.normal(told.words)
    ends = (said[i:] for i in range(len(said)))
    name = next((end for end in ends if any(tier == 0 for _, tier in vocabulary.named(end))), None)
    return (entry is not None and name is not None and entry.tier(name) not in (0, 1)
            and entry.name[-len(name):] != name)


def size_differs(entity: Entity, categories: Collection[str]) -> float:
    """How unlike the entity's extents are to those that things of the nearest of `categories` usually have: mean of the
    logarithms of their ratios, longest with longest; 0 is alike, `_SIZE_UNKNOWN` where none of them is catalogued."""
    sizes = [object_categories()[c].size for c in categories if c in object_categories()]
    extents = np.log(np.maximum(sorted(entity.size), _THIN))
    return min((float(np.abs(extents - np.log(np.maximum(sorted(size), _THIN))).mean()) for size in sizes),
               default=_SIZE_UNKNOWN)


def taken_for(words: Words, kind: Kind, vocabulary: Vocabulary, loosely: bool = True) -> tuple[str, ...]:
    """Categories that people take for what is called so: a mug for a glass; `loosely`: furniture also by a more general
    word."""
    normal = vocabulary.lexicon.normal
    names = {words, *(e.name for e, tier in vocabulary.named(words) if e.kind is kind and tier <= _BY_NAME)}
    others = {normal(name) for group in alike() if names & set(map(normal, group)) for name in group} - {words}
    return tuple(sorted({e.category for name in others for e, tier in vocabulary.named(name)
                         if e.kind is kind and (tier <= _BY_NAME or loosely and kind is Kind.FURNITURE)}))


def unlike_none(told: Description, graph: WorldGraph, lexicon: Lexicon) -> list[Entity]:
    """What would fit but for its colour or material, of which nothing is known: the silver bowl may be this one."""
    def may_be(entity: Entity, attribute: str) -> bool:
        sort = next((sort for sort in (lexicon.materials, lexicon.colors) if attribute in sort), None)
        return sort is not None and not entity.values & set(sort)

    plain = candidates(replace(told, attributes=()), graph) if told.attributes else []
    return [e for e in plain if all(may_be(e, a) for a in told.attributes)]

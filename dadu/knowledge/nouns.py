"""A noun that the graph lacks is mapped to the nearest thing it holds.

Source: the Re-Plan module of RoboGPT: similarity of sentence embeddings above 0.7, only to what was seen with enough
pixels. Embeddings alone confuse a coke with a cup, so candidates are ranked by name, alias and hypernym as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dadu.knowledge.embedding import Embedder, default_embedder
from dadu.knowledge.phrases import phrases_of
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.world.graph import Entity, Kind, WorldGraph

THRESHOLD = 0.7
"""similarity above which one thing may stand for another"""
LEXICAL_THRESHOLD = 0.85
"""the same where only words can be compared, not meanings: little more than another spelling"""
MIN_PIXELS = 40
"""evidence below which a detection counts for nothing"""
_KINDRED = 0.06
"""what a shared hypernym is worth"""
_TOO_GENERAL = {("furniture",), ("receptacle",), ("household",), ("container",), ("appliance",), ("food",), ("object",)}


@dataclass(frozen=True)
class Match:
    """One thing that a noun may mean."""

    id: str
    score: float
    """1 by its own name, 0.95 by an alias, 0.9 by a more general word, else similarity"""
    how: str
    """name, alias, hypernym or similarity"""


def ground(words: str, graph: WorldGraph, kinds: Sequence[Kind] = (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM),
           vocabulary: Vocabulary | None = None, embedder: Embedder | None = None) -> list[Match]:
    """What `words` may mean in `graph`, best first; only what is at least `THRESHOLD` near."""
    vocabulary = (vocabulary or default_vocabulary()).extended(graph)
    phrase = vocabulary.lexicon.normal(words)
    embedder, out = embedder or default_embedder(), []
    phrases_of(embedder).of([name for e in graph if e.kind in kinds for name in _names(e)])  # in one batch
    threshold = LEXICAL_THRESHOLD if embedder.name == "lexical" else THRESHOLD
    for entity in graph:
        if entity.kind in kinds and _seen(entity):
            how, score = _named(phrase, entity, vocabulary)
            if not how:
                how, score = "similarity", _similarity(phrase, entity, vocabulary, embedder)
            if score > threshold:
                out.append(Match(entity.id, score, how))
    return sorted(out, key=lambda m: (-round(m.score, 3), m.id))


def _seen(entity: Entity) -> bool:
    return entity.provenance != "detection" or entity.pixels == 0 or entity.pixels >= MIN_PIXELS


def _named(phrase: tuple[str, ...], entity: Entity, vocabulary: Vocabulary) -> tuple[str, float]:
    normal, entry = vocabulary.lexicon.normal, vocabulary.entries.get(entity.category)
    if phrase == normal(entity.id) or (entry and entry.tier(phrase) == 0):
        return "name", 1.0
    if phrase in map(normal, entity.aliases) or (entry and entry.tier(phrase) == 1):
        return "alias", 0.95
    if entry and entry.tier(phrase) == 2:
        return "hypernym", 0.9
    begins = entry is not None and entry.kind is Kind.OBJECT and entry.name[:len(phrase)] == phrase
    if begins and not vocabulary.named(phrase):  # the lidar, for a lidar puck
        return "beginning", 0.88
    return "", 0.0


def _similarity(phrase: tuple[str, ...], entity: Entity, vocabulary: Vocabulary, embedder: Embedder) -> float:
    """Cosine to the best of its names; things known to be of another sort are never near."""
    own = vocabulary.parents(entity.category) - _TOO_GENERAL
    asked = [entry for entry, tier in vocabulary.named(phrase) if tier < 2]
    kindred = any((e.hypernyms | {e.name}) - _TOO_GENERAL & own for e in asked)
    entry = vocabulary.entries.get(entity.category)
    another = entry is not None and entry.kind is Kind.OBJECT and entry.is_told_apart(phrase)
    if another and phrase[-1] not in vocabulary.lexicon.vessels or asked and not kindred:
        return 0.0
    names = [name for name in _names(entity) if not _only_shares_words(phrase, vocabulary.lexicon.normal(name))]
    known = phrases_of(embedder)
    cosines = known.of(names) @ known.of([" ".join(phrase)], keep=False)[0] if names else [0.0]
    return float(max(cosines)) + (_KINDRED if kindred else 0.0)


def _only_shares_words(phrase: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """True if one is near the other for its words alone: a candy bar's wrapper is no candy bar, and what is folded no
    shirt, though `folded shirt` is a name. What is called by a part of its name was found by name already."""
    return set(phrase) < set(name) or (set(name) < set(phrase) and phrase[-1] != name[-1])


def _names(entity: Entity) -> list[str]:
    return sorted({entity.category.replace("_", " "), *entity.aliases})


def similarity(said: str, name: str, embedder: Embedder | None = None) -> float:
    """Cosine of what somebody says to the name of something."""
    known = phrases_of(embedder or default_embedder())
    return float(known.of([said], keep=False)[0] @ known.of([name])[0])


def nearest_text(said: str, choices: Sequence[str], embedder: Embedder | None = None) -> tuple[str, float]:
    """The choice nearest in meaning to what somebody says, and its cosine; ("", 0) without choices."""
    if not choices:
        return "", 0.0
    known = phrases_of(embedder or default_embedder())
    cosines = known.of(choices) @ known.of([said], keep=False)[0]
    score, choice = max(zip(cosines.tolist(), choices))
    return choice, score

"""What the words before a name say: colours, sizes, states, the room where it is."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.goals.goal import Where
from dadu.knowledge.commonsense import words_of_wishes
from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.language.grounding.scene import Setting
from dadu.language.parsing.classes import word_classes
from dadu.world.graph import Kind, Relation


@dataclass(frozen=True)
class Modifiers:
    """What is said of a thing before its name."""

    attributes: tuple[str, ...] = ()
    where: tuple[Where, ...] = ()
    superlative: str = ""
    states: tuple[str, ...] = ()
    """predicates that tell which one is meant: is_dirty"""
    requires: tuple[str, ...] = ()
    """predicates that it is to be brought into: is_clean"""
    unseen: tuple[str, ...] = ()
    """words that nothing tells of: wet"""

    def and_(self, other: Modifiers) -> Modifiers:
        return Modifiers(self.attributes + other.attributes, self.where + other.where,
                         other.superlative or self.superlative, self.states + other.states,
                         self.requires + other.requires, self.unseen + other.unseen)


NOTHING = Modifiers()


def modifiers(words: Words, scene: Setting) -> Modifiers | None:
    """None where a word is not known."""
    out, i = NOTHING, 0
    while i < len(words):
        length, one = _first(words[i:], scene)
        if one is None:
            return None
        out, i = out.and_(one), i + length
    return out


def _first(words: Words, scene: Setting) -> tuple[int, Modifiers | None]:
    """How many words belong together, and what they say."""
    lexicon, word = scene.lexicon, words[0]
    for length in (2, 1):
        state = state_of(" ".join(words[:length]))
        if state and length <= len(words):
            return length, Modifiers(states=(state,)) if state in lexicon.choosing else Modifiers(requires=(state,))
    known = _known_word(word, scene)
    if known is not None:
        return 1, known
    for length in (2, 1):
        rooms = rooms_called(words[:length], scene) if length <= len(words) else ()
        if rooms:
            return length, Modifiers(where=(Where(Relation.IN_ROOM, rooms),))
    if word in lexicon.unseen or word in regions():
        return 1, Modifiers(unseen=(word,))
    return 1, NOTHING if word in lexicon.adjectives_ignored or is_somebody(word) or lexicon.says_how(word) else None


def _known_word(word: str, scene: Setting) -> Modifiers | None:
    lexicon = scene.lexicon
    if word in lexicon.pieces:
        return Modifiers(requires=("is_sliced",))
    if word in word_classes().superlatives:
        return Modifiers(superlative=word_classes().superlatives[word])
    return Modifiers((lexicon.same_value.get(word, word),)) if is_attribute(word, scene) else None


def regions() -> tuple[str, ...]:
    """Words for a part of a place, which is not told apart: the bottom left drawer, the edge of the table."""
    return (*word_classes().classes["region"], *default_lexicon().positions)


def state_of(adjective: str) -> str:
    """The predicate that it means, also as the participle of a verb: dirty, washed, rinsed out; or empty."""
    state = word_classes().state_of.get(adjective)
    return f"is_{state}" if state is not None else ""


def is_attribute(word: str, scene: Setting) -> bool:
    """True if it is a colour, a material, or a value that something here has."""
    lexicon = scene.lexicon
    known = word in lexicon.colors or word in lexicon.materials or word in lexicon.same_value
    return known or any(word in e.values for e in scene.graph if e.attributes)


def is_somebody(word: str) -> bool:
    """Whose things: the guest towel, the kids' toys."""
    people = words_of_wishes()
    return word in people.persons or word in ("kid", "child", *people.alike["child"])


def rooms_called(words: Words, scene: Setting) -> tuple[str, ...]:
    return tuple(sorted(e.id for e in scene.graph.of(Kind.ROOM) if scene.tier(e, words) in (0, 1)))

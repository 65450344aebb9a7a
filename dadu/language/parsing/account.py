"""No word is lost: each word that carries meaning is in a frame or told of, or the sentence is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.parsing.classes import STATE_OF_VERBS, word_classes
from dadu.language.parsing.names import Names
from dadu.language.parsing.spelling import meant
from dadu.language.parsing.tokens import Word

_CARRYING = ("NOUN", "ADJECTIVE", "NUMBER")
_SILENT = ("PREP", "PARTICLE", "DET", "PRONOUN", "QUANTITY", "OTHER", "MORE", "REGION", "VERB", "GERUND",
           "PARTICIPLE", "FILLER", "THEN", "FIRST", "SOMETHING", "MODAL", "BE", "WHAT", "PRAISE", "LEFT",
           "WITH", "LIGHT", "KIND", "UNDERTAKE", "ACTION", "FITTING", "YOU")


def lost(words: Iterable[Word], frames: Any, names: Names | None = None) -> list[str]:
    """The words, as they were said, that no frame has.

    `frames`: frames, or anything that holds them. A noun, an adjective, a number or a verb of a state (wash) has to be
    among a name, attributes, a quantity, a state, or the words that a wish or remark is made of. With `names`, frames
    may hold slips of spelling.
    """
    kept = set(_kept(frames))
    kept |= {meant(word, names) for word in kept if " " not in word} if names is not None else set()
    return [word.said for word in words if not _forms(word) & kept and (
        word.may_be(*_CARRYING) and not word.may_be(*_SILENT) or _changes(word))]


def _changes(word: Word) -> bool:
    """True if it is a verb that asks for a state: wash, heat, and is nothing else."""
    verb = word_classes().frame_of.get(word.verb) in STATE_OF_VERBS
    return verb and word.classes <= {"VERB", "GERUND", "PARTICIPLE", "PAST", "PREDICATIVE", "ADJECTIVE", "WORD"}


def _forms(word: Word) -> set[str]:
    """What stands in a frame for the word: each of them for a name of several."""
    table, lexicon, said = word_classes(), default_lexicon(), str(word)
    forms = {said, " ".join(lexicon.normal(said)), str(table.numbers.get(said, said)),
             table.superlatives.get(said, said), table.state_of.get(said, said),
             STATE_OF_VERBS.get(table.frame_of.get(word.verb, ""), said)}
    if lexicon.singular(said) in (*lexicon.pieces, *lexicon.units):
        forms.add("sliced")
    if word.verb == "fill":  # the bowl up to five apples
        forms.add("ensure")
    if said in table.place_nouns or any(said in known for known in table.place_adjectives.values()):
        forms.add("special")
    return forms


def _kept(value: Any, name: str = "") -> Iterator[str]:
    """Words of all that says something, which the text for messages does not."""
    if isinstance(value, tuple):
        for item in value:
            yield from _kept(item, name)
    elif is_dataclass(value):
        if type(value).__name__ == "LookFrame" and getattr(value, "using", None) is not None:
            yield "powered_on"  # lit by a lamp
        for field in fields(value):
            if field.name != "text" or type(value).__name__ == "RemarkFrame":
                yield from _kept(getattr(value, field.name), field.name)
    elif name == "special" and value:
        yield "special"
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        yield from _phrases(re.findall(r"\w+(?:'\w+)?", str(value)))


def _phrases(words: Sequence[str]) -> Iterator[str]:
    """Every stretch of up to four words, in the singular, too."""
    singular = [" ".join(default_lexicon().normal(word)) for word in words]
    for said in (words, singular):
        for start in range(len(said)):
            for length in range(1, min(4, len(said) - start) + 1):
                yield " ".join(said[start:start + length])

"""What the nouns of an instruction mean here, whatever its verbs: for policies that understand what the grammar does
not."""

from __future__ import annotations

from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.discourse import Discourse
from dadu.language.frames.noun import NounPhrase
from dadu.language.grounding.nouns.resolve import tried
from dadu.language.grounding.scene import scene_of
from dadu.language.parsing.names import names_of
from dadu.language.parsing.tokens import Word, sentences
from dadu.world.graph import WorldGraph


def mentioned(instruction: str, graph: WorldGraph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """``WORDS -> ID`` for every noun that the graph holds under another name, as a goal's substitutions tell them."""
    scene, out = scene_of(graph, vocabulary, complete=False, looked=()), list[str]()
    for sentence in sentences(instruction, names_of(vocabulary, graph)):
        for np in _nouns(sentence.words):
            out += [t.substitution for t in tried(np, scene, Discourse()) if t.substitution]
    return tuple(dict.fromkeys(out))


def _nouns(words: list[Word]) -> list[NounPhrase]:
    """Noun phrases behind an article, a number or a preposition; the first word of all, mostly a verb, is none."""
    out: list[NounPhrase] = []
    attributes: list[str] | None = None
    for word in words:
        if word.may_be("NOUN") and attributes is not None:
            out.append(NounPhrase(str(word), tuple(attributes), text=" ".join((*attributes, str(word)))))
            attributes = None
        elif word.may_be("DET", "NUMBER", "PREP", "QUANTITY"):
            attributes = []
        elif attributes is not None and word.may_be("ADJECTIVE"):
            attributes.append(str(word))
        else:
            attributes = None
    return out

"""What the nouns of an instruction mean here, whatever its verbs: for policies that understand what the grammar does
not."""

from __future__ import annotations

from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.reading.nouns.phrases import noun_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Noun
from dadu.language.reading.words.tokens import tokenise
from dadu.language.refusal import Refusal
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.things import Things
from dadu.world.graph import WorldGraph

_BEFORE_NOUNS = ("determiners", "indefinite", "every", "own", "other", "number", "preposition")


def mentioned(instruction: str, graph: WorldGraph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """``WORDS -> ID`` for every noun that the graph holds under another name, as `interpret` tells them."""
    things = Things(graph, vocabulary)
    for noun in _nouns(Reader(tokenise(instruction, vocabulary.lexicon), vocabulary.lexicon)):
        try:
            things.resolve(Placed(noun))
        except Refusal:
            continue  # it means nothing here; a policy may still know what to do about it
    return tuple(things.substitutions)


def _nouns(reader: Reader) -> list[Noun]:
    """Noun phrases behind an article, a number or a preposition; the first word of all, mostly a verb, is none."""
    found = []
    while not reader.over:
        start = reader.at
        if reader.any(*_BEFORE_NOUNS) and not reader.any("pronoun"):
            reader.skip("preposition")
            try:
                found.append(noun_phrase(reader))
            except Refusal:
                pass
        reader.at = max(reader.at, start + 1)
    return found

"""The words before a noun: how many, which, or a pronoun instead of it."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Noun

STOPS = ("preposition", "conjunctions", "comma", "end", "sequence", "before", "after", "relatives", "recipients",
          "respectively", "in_turn", "belongs", "choice", "exception", "condition", "unless", "otherwise", "usual",
          "elsewhere", "copula", "reasons", "has", "hasnt", "alone", "pleasing", "amiss", "defect", "former", "lacking",
          "that_kind", "correction", "circumstances", "meanwhile")
"""tags of words before which a noun phrase ends"""
_PLACES = ("there", "here")
ALWAYS_PRONOUNS = ("it", "them", "they", *_PLACES)


def quantified(reader: Reader) -> Noun:
    """The words before a noun; `text` says whether something stood there."""
    noun, determined = Noun(), False
    while not reader.over:
        token = reader.tokens[reader.at]
        if token.text in _PLACES and (noun.number is not None or noun.every or noun.other):  # if there are two there
            return replace(noun, pronoun="them" if noun.every and not noun.other else "one")
        if token.has("pronoun") and _alone(reader, determined or noun.number is not None):
            break
        if token.has("more") and (noun.number is not None or noun.indefinite):
            noun, taken = replace(noun, more=True), "more"
        elif token.has("kinds") and (noun.number or noun.every):
            noun, taken = replace(noun, kinds=True), "kinds"
        elif token.has("half"):
            noun, taken = replace(noun, half=True), "half"
        elif token.has("own"):
            noun, taken = replace(noun, own=True), "own"
        elif token.has("every"):
            each = token.text in ("every", "each", "each of", "every one of", "every single")
            noun, taken = replace(noun, every=True, each=each), "every"
        elif token.has("indefinite"):
            noun, taken = replace(noun, indefinite=True), "indefinite"
        elif token.has("number"):
            noun, taken = replace(noun, number=int(token.tags["number"])), "number"
        elif token.text in ("the two", "the three"):
            number = noun.number or (2 if token.text == "the two" else 3)  # one of the two
            noun, taken = replace(noun, number=number), "pronoun"
        elif token.text == "the same":
            taken, determined = "pronoun", True
        elif token.has("other"):
            noun, taken = replace(noun, other=True), "other"
        elif token.has("determiners"):
            noun, taken, determined = replace(noun, these=token.text in ("these", "those")), "determiners", True
        elif token.has("most"):
            taken = "most"
        elif (noun.number is not None or noun.half) and token.text == "of":
            reader.at += 1
            continue
        else:
            break
        reader.take(taken)
    meaning = reader.take("pronoun") or ""
    if meaning == "one" and noun.each and not noun.other:  # place each one on the sofa
        meaning = "them"
    return replace(noun, pronoun=meaning)


def _alone(reader: Reader, determined: bool) -> bool:
    """Whether a word that may be a pronoun (this, one, those...) is one: nothing that it could determine follows."""
    token, nxt = reader.tokens[reader.at], reader.at + 1
    if nxt >= len(reader.tokens) or token.text in ALWAYS_PRONOUNS:
        return True
    if len(token.words) > 1 and token.text not in ("the two", "the three", "the same"):
        return True
    if token.tags["pronoun"] == "none":
        return True
    return reader.tokens[nxt].has(*STOPS, "fillers", "particles") or reader.tokens[nxt].text in _PLACES

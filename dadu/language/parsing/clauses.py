"""The clauses of an instruction, to tell which of them is not understood."""

from __future__ import annotations

from collections.abc import Iterator

from dadu.language.parsing.names import Names
from dadu.language.parsing.tokens import Word, sentences

_JOINS = ("AND", "THEN", "BUT")
_BEGINS = ("VERB", "GERUND", "APART", "ENSURE", "UNKNOWN")
_HANGS = ("IF", "UNLESS", "IF_NONE", "IF_SO", "OTHERWISE", "WHETHER", "BEFORE", "AFTER", "WHILE", "NOT", "EXCEPT",
          "INSTEAD", "IS_THERE")
"""where one of these stands, a clause says when, whether or what not to do: nothing is done without it"""
_MOST = 8


def without_each(instruction: str, names: Names) -> Iterator[tuple[str, str]]:
    """Each clause of an instruction, and the instruction without it; nothing where the clauses hang together."""
    said = sentences(instruction, names)
    clauses = [clause for spoken in said for clause in _parted(spoken.words)]
    if any(spoken.announces for spoken in said) or len(clauses) > _MOST or any(
            word.may_be(*_HANGS) for clause in clauses for word in clause):
        return
    texts = [" ".join(word.said for word in clause).strip(" ,;") for clause in clauses]
    for i, text in enumerate(texts if len(texts) > 1 else ()):
        yield text.removeprefix("then "), ". ".join((*texts[:i], *texts[i + 1:]))


def _parted(words: list[Word]) -> list[list[Word]]:
    """At each "and" behind which a verb, or a word that may be one, has something behind it."""
    clauses: list[list[Word]] = [[]]
    for i, word in enumerate(words):
        joins = word.may_be(*_JOINS) and not word.may_be("NOUN")
        begins = joins and words[i + 1:] and words[i + 1].may_be(*_BEGINS) and not (
            words[i + 1].known and words[i + 1].may_be("NOUN", "ADJECTIVE"))
        if begins:
            clauses.append([word] if word.may_be("THEN") else [])
        elif not (joins and i + 1 == len(words)):
            clauses[-1].append(word)
    return [clause for clause in clauses if clause]

"""What was said, once more with something else: ``do the same with the apple``, ``otherwise use the pear``."""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.language.reading.boundaries import ends
from dadu.planner.language.reading.phrases import noun_phrase
from dadu.planner.language.reading.reader import Reader
from dadu.planner.language.reading.syntax import Clause, Noun, Prep
from dadu.planner.language.refusal import Refusal

_BACKGROUND = ("remark", "given", "spare", "check", "wish")


def repeated(reader: Reader) -> list[Clause]:
    """The clauses that are meant once more, with the new nouns; none where nothing of the kind is said."""
    start = reader.at
    word = reader.tokens[start].text
    if word == "the same" and reader.peek("preposition", 1) in ("with", "for", "to"):
        reader.at += 2
        said = _last(reader.clauses)
    elif word == "use" and not reader.any("use"):
        reader.at += 1
        said = [c for c in reader.clauses if c.condition is not None and c.condition == reader.condition
                and c.frame not in _BACKGROUND] or _last(reader.clauses)
    elif reader.tokens[start - 1].has("otherwise") and reader.any("determiners", "indefinite"):  # else the juice
        said = [c for c in reader.clauses if c.condition is not None and c.condition == reader.condition]
    else:
        return []
    try:
        nouns = _nouns(reader)
    except Refusal:
        nouns = []
    if not said or not nouns:
        reader.at = start
        return []
    return [c for noun in nouns for c in _with(said, noun)]


def _last(clauses: list[Clause]) -> list[Clause]:
    """From the last clause that names what it is about."""
    named = [i for i, c in enumerate(clauses) if c.frame not in _BACKGROUND and _subject(c) is not None
             and not _subject(c).pronoun]
    return clauses[named[-1]:] if named else []


def _subject(clause: Clause) -> Noun | None:
    return next((item for item in clause.items if isinstance(item, Noun)), None)


def _nouns(reader: Reader) -> list[Noun]:
    out = [noun_phrase(reader)]
    while reader.any("comma", "conjunctions") and not ends(reader):
        reader.skip("comma", "conjunctions")
        out.append(noun_phrase(reader))
    reader.skip("fillers")
    return out


def _with(clauses: list[Clause], noun: Noun) -> list[Clause]:
    """The clauses with what the first one is about exchanged, wherever it is named."""
    old = _subject(clauses[0])
    out = []
    for i, clause in enumerate(clauses):
        items = [item for item in clause.items if not (i == 0 and isinstance(item, Prep) and item.relation == "from")]
        items = [noun if item is old or isinstance(item, Noun) and not item.pronoun and item.words == old.words
                 else item for item in items]
        out.append(replace(clause, items=tuple(items), condition=None, otherwise=False,
                           text=f"{clause.text} (with {noun.text})"))
    return out

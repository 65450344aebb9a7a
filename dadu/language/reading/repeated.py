"""What was said, once more with something else: ``do the same with the apple``, ``otherwise use the pear``, ``if not,
get the one from the fridge``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.boundaries import ends
from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Clause, Item, Noun, Prep
from dadu.language.refusal import Refusal

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
                and c.frame not in _BACKGROUND] or _of_the_other_case(reader) or _last(reader.clauses)
    elif reader.tokens[start - 1].has("otherwise") and reader.any("determiners", "indefinite"):  # else the juice
        said = [c for c in reader.clauses if c.condition is not None and c.condition == reader.condition]
    elif reader.peek("verb") in ("take", "fetch") and not word.endswith((" me", " us")):  # if not, get the juice
        reader.at += 1
        said = _of_the_other_case(reader)
    else:
        return []
    try:
        named = _nouns(reader) if said else []
    except Refusal:
        named = []
    bare = reader.tokens[start].has("verb") and not (reader.over or reader.any("end"))
    if not named or bare:
        reader.at = start
        return []
    return [c for noun, places in named for c in _with(said, noun, places)]


def _of_the_other_case(reader: Reader) -> list[Clause]:
    """``if there is milk, | bring it to the table; | if not, ...``: what says where to."""
    asked = reader.condition
    if asked is None:
        return []
    at = reader.at - 2  # before the verb
    while reader.tokens[at].has("comma", "fillers") and not reader.tokens[at].has("otherwise"):
        at -= 1
    last = reader.clauses[-1].condition if reader.clauses else None
    if asked.negated and asked.noun.pronoun and last is not None and not last.negated:  # if there is none
        asked = last
    elif not reader.tokens[at].has("otherwise"):
        asked = replace(asked, negated=not asked.negated)
    said = [c for c in reader.clauses if c.condition == asked and not c.otherwise]
    return [c for c in said if c.frame in ("put", "bring", "take")
            and any(isinstance(i, Prep) and i.relation in ("on", "in", "to") for i in c.items)]


def _last(clauses: list[Clause]) -> list[Clause]:
    """From the last clause that names what it is about."""
    named = [i for i, c in enumerate(clauses) if c.frame not in _BACKGROUND
             and (subject := _subject(c)) is not None and not subject.pronoun]
    return clauses[named[-1]:] if named else []


def _subject(clause: Clause) -> Noun | None:
    return next((item for item in clause.items if isinstance(item, Noun)), None)


def _nouns(reader: Reader) -> list[tuple[Noun, tuple[Prep, ...]]]:
    """Each with where it is. Errors: Refusal."""
    out = [_placed(reader)]
    while reader.any("comma", "conjunctions") and not ends(reader):
        reader.skip("comma", "conjunctions")
        out.append(_placed(reader))
    reader.skip("fillers")
    return out


def _placed(reader: Reader) -> tuple[Noun, tuple[Prep, ...]]:
    noun, places = noun_phrase(reader), []
    while reader.peek("preposition") in ("from", "on", "in", "at") and not reader.any("conjunctions"):
        prep = prep_phrase(reader)
        places.append(prep if prep.directed else replace(prep, relation="from"))
    return noun, tuple(places)


def _with(clauses: list[Clause], noun: Noun, places: tuple[Prep, ...]) -> list[Clause]:
    """The clauses with what the first one is about exchanged, wherever it is named; `places`: where it is."""
    old = _subject(clauses[0])
    words = old.words if old is not None else None
    out = []
    for i, clause in enumerate(clauses):
        items: list[Item] = []
        for item in clause.items:
            if i == 0 and isinstance(item, Prep) and item.relation == "from":
                continue
            same = item is old or isinstance(item, Noun) and not item.pronoun and item.words == words
            items += [noun, *(places if i == 0 else ())] if same else [item]
        out.append(replace(clause, items=tuple(items), condition=None, otherwise=False,
                           text=f"{clause.text} (with {noun.text})"))
    return out

"""What stands around a colon: ``the toys: the car and the cube``, ``lunch break: bring me a sandwich``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import And, Clause, Item, Noun, Prep
from dadu.language.refusal import Refusal

_GIVES = ("fetch", "take", "bring", "put", "find")
_SAYS_WHAT_TO_DO = ("verb", "belongs", "split", "occasion", "pleasing", "amiss", "condition", "unless", "wish", "use",
                    "exists", "exists_not", "preposition")


def heading(reader: Reader) -> Clause | None:
    """``Lunch break:`` only names what follows; None where the words before the colon say what to do."""
    end = reader.ahead("end")
    if end is None or reader.tokens[end].text != ":" or end + 1 >= len(reader.tokens):
        return None
    said = reader.tokens[reader.at:end]
    plan = [t.text for t in said[:2]] in (["i want to", "have"], ["we want to", "have"], ["let us", "have"])
    if not plan and any(t.has(*_SAYS_WHAT_TO_DO, "sequence") for t in said):  # we want to have a picnic: ...
        return None
    if end == reader.at:
        return None
    start, reader.at = reader.at, end
    return Clause("remark", "", spoken_of(reader, start), text=reader.text(start))


def consigned(reader: Reader) -> Clause | None:
    """``the mug: counter to desk`` says what goes from where to where; None where it is not that."""
    start, end = reader.at, reader.ahead("end")
    if end is None or end == start or reader.tokens[end].text != ":" or any(
            t.tags and not t.has("determiners", "number") for t in reader.tokens[start:end]):
        return None
    try:
        named = noun_phrase(reader)
        reader.at = end + 1
        reader.take("preposition")
        places = [Prep("from", noun_phrase(reader))]
        places += [prep_phrase(reader)] if reader.peek("preposition") == "to" else []
    except Refusal:
        places = []
    if len(places) < 2 or not (reader.over or reader.any("end", "comma")):
        reader.at = start
        return None
    return Clause("bring", "bring", (named, *places), text=reader.text(start))


def listed(reader: Reader) -> bool:
    """``all the toys: the car and the cube`` names what the last clause is about; whether that was so."""
    start = reader.at
    before = start
    while before and reader.tokens[before - 1].has("comma", "fillers"):
        before -= 1
    if not (before and reader.clauses and reader.tokens[before - 1].text == ":"):
        return False
    if reader.any("usual") and (reader.at + 1 == len(reader.tokens) or reader.any("end", offset=1)):
        reader.at += 1
        reader.clauses[-1] = replace(reader.clauses[-1], items=(*reader.clauses[-1].items, Prep("usual")))
        return True
    end = _end_of_list(reader)
    occasion = reader.clauses[-1].frame == "occasion"
    if occasion and reader.ahead("preposition") is not None and reader.ahead("verb", "belongs", "copula") is None:
        _laid(reader, end)
        return True
    if any(t.has("verb", "belongs", "preposition", "copula", "split") for t in reader.tokens[start:end]):
        return False
    try:
        nouns = _nouns(reader, end)
    except Refusal:
        nouns = []
    if nouns and reader.clauses[-1].frame == "occasion":  # set the table: a plate and a knife
        reader.clauses.append(Clause("bring", "bring", tuple(nouns), text=reader.text(start), details=True))
        return True
    about = _about_a_list(reader.clauses) if nouns else None
    if about is None:
        reader.at = start
        return False
    last = reader.clauses[about]
    said = next((item for item in last.items if isinstance(item, Noun)), Noun())
    named = [replace(n, words=(*n.words, *said.words), pronoun="") if isinstance(n, Noun) and n.pronoun == "one" else n
             for n in nouns]
    sequence = any(t.has("sequence") for t in reader.tokens[start:reader.at])  # first the red one, then the navy one
    found = replace(last, items=(*named, *(item for item in last.items if isinstance(item, Prep))),
                    text=f"{last.text} {reader.text(start - 1)}", in_turn=last.in_turn or sequence)
    reader.clauses[about:about + 1] = in_turn(found)
    return True


def _end_of_list(reader: Reader) -> int:
    """``one cup and two plates | and put them on the table``"""
    end = reader.ahead("end")
    end = len(reader.tokens) if end is None else end
    return next((i for i in range(reader.at, end - 1) if reader.tokens[i].has("conjunctions", "comma")
                 and reader.tokens[i + 1].has("verb")), end)


def _about_a_list(clauses: list[Clause]) -> int | None:
    """Which clause the list stands for a noun of: ``take the following items and put them on the table: ...`` the
    first of the two; ``give me: ...`` has no noun yet. None where no clause is about several things."""
    for i in range(len(clauses) - 1, -1, -1):
        said = next((item for item in clauses[i].items if isinstance(item, Noun)), None)
        if said is None:
            return i if i == len(clauses) - 1 and clauses[i].frame in _GIVES else None
        several = said.plural or said.every or bool(said.number) or said.words[-1:] == ("following",)
        if several and not said.pronoun:
            return i
        if said.pronoun != "them":
            return None
        if not (i and any(isinstance(item, Noun) and item.plural for item in clauses[i - 1].items)):
            return i
    return None


def in_turn(found: Clause) -> list[Clause]:
    """``the cup, the bowl and the plate to the sink, in that order``: a clause for each."""
    nouns = [item for item in found.items if isinstance(item, Noun)]
    if not found.in_turn or len(nouns) < 2:
        return [found]
    preps = [item for item in found.items if isinstance(item, Prep)]
    return [replace(found, items=(noun, *preps), ordered=found.ordered or i > 0) for i, noun in enumerate(nouns)]


def _nouns(reader: Reader, end: int) -> list[Noun | And]:
    out: list[Noun | And] = []
    while reader.at < end:
        if reader.any("conjunctions", "comma", "fillers", "politeness", "sequence"):
            reader.at += 1
        else:
            out += [*([And()] if out else []), noun_phrase(reader)]
    return out


def _laid(reader: Reader, end: int) -> None:
    """``set the table: a plate, a fork to the left of it``. Errors: Refusal."""
    first: Noun | None = None
    while reader.at < end:
        if reader.any("conjunctions", "comma", "fillers", "politeness", "sequence"):
            reader.at += 1
            continue
        start, noun = reader.at, noun_phrase(reader)
        items: list[Item] = [noun]
        first = first or replace(noun, text=f"the {' '.join(noun.words)}", indefinite=False, number=None)
        while reader.at < end and reader.any("preposition"):
            prep = prep_phrase(reader)
            items.append(replace(prep, noun=first) if prep.noun.pronoun == "it" else prep)
        frame = "put" if len(items) > 1 else "bring"
        reader.clauses.append(Clause(frame, frame, tuple(items), text=reader.text(start), details=True))


def _bare_plural(reader: Reader) -> bool:
    """``somebody left | socks here``"""
    token = reader.tokens[reader.at]
    return not token.tags and reader.lexicon.singular(token.text) != token.text


def spoken_of(reader: Reader, start: int) -> tuple[Noun, ...]:
    """The nouns in a remark; a pronoun later on may stand for one: ``my son left a hat on it; bring it here``."""
    inner = Reader(reader.tokens[:reader.at], reader.lexicon, start)
    found = []
    while not inner.over:
        named = inner.any("determiners", "indefinite", "number") and not inner.any("pronoun", "verb")
        if named or _bare_plural(inner):
            at = inner.at
            try:
                noun = noun_phrase(inner)
                if inner.peek("preposition") in ("in", "on") and noun.words:  # the shelves in the living room
                    noun = replace(noun, places=(prep_phrase(inner),))
                found.append(noun)
                continue
            except Refusal:
                inner.at = at
        inner.at += 1
    return tuple(found)

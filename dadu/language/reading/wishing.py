"""Statements that mean a wish: ``my son has a runny nose``, ``the bedroom is too dark``, ``I want to write a letter``;
and what must not be in what is brought: ``I am allergic to nuts``."""

from __future__ import annotations

from dadu.knowledge.commonsense import words_of_wishes
from dadu.knowledge.recognise import purpose, wish
from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import Refusal

_ENDS = ("end", "comma", "conjunctions", "exception", "sequence", "after", "reasons")
_PLACES = ("in", "on", "at", "to", "next_to", "with")
_SUBJECTS = ("subjects", "determiners", "indefinite", "exists", "exists_not", "wish", "every")
"""what a statement begins with"""
_DESIRES = ("i", "we", "let")
"""first words of what is said before what somebody wants to do"""
_UNWANTED = ("not", "no", "without", "allergic", "never", "cannot")
_NONE_OF = ("no", "not", "without")
_CONSUMES = ("have", "has", "eat", "drink", "take", "tolerate", "stand", "like", "want", "digest", "any", "to", "be",
             "anything", "with", "contains", "containing", "touch", "consume", "please", "in", "it", "ever")
_ABOUT_ONESELF = {"i", "we", "am", "are", "must", "should", "can", "do", "may", "is", "a", "an", "the", "my", "our",
                  "his", "her", "their", "he", "she", "they", "has", "have", "of", "one", "severely", "very", "badly",
                  "strictly", "does", "also", "on"}


def wished(reader: Reader) -> Clause | None:
    """The wish that a statement means, with the place that it names; None where it is none."""
    if not reader.any(*_SUBJECTS):
        return None
    if [t.text for t in reader.tokens[reader.at:reader.at + 2]] in (["i", "will"], ["we", "will"]):
        return None  # I will warm it: what somebody else does
    if reader.any("verb", "occasion", "split") and not reader.any("wish"):
        return None
    if reader.ahead("belongs", "pleasing", "amiss") is not None:
        return None
    if reader.any("every") and reader.ahead("copula", "has", "third_person", "wish") is None:
        return None  # all drinks to the side table
    return _wish_from(reader, reader.at)


def desired(reader: Reader) -> Clause | None:
    """``I want to write a letter``: what somebody is going to do and may need something for; None else."""
    start = reader.at - 1
    if start < 0 or not reader.tokens[start].has("politeness") or reader.tokens[start].words[0] not in _DESIRES:
        return None
    asks = any(t.tags.get("pronoun") == "needed" for t in reader.tokens[reader.at:])  # put what I need on the table
    does = reader.any("verb", "occasion") and reader.tokens[reader.at].text != "have" and not asks
    return _wish_from(reader, start, literally=does)  # to wash my hands; but to wash the dishes is a task


def _wish_from(reader: Reader, start: int, literally: bool = False) -> Clause | None:
    """A wish in the words from `start` on; what stands behind it must be where. `literally`: only a listed one."""
    at, end = reader.at, reader.ahead(*_ENDS) or len(reader.tokens)
    places = [i for i in range(at + 1, end) if reader.tokens[i].tags.get("preposition") in _PLACES]
    for until in (*reversed(places), end):
        words = [w for t in reader.tokens[start:until] for w in t.words]
        found = wish(words)
        if (found is None or found.rest) and start < at and not literally:  # what it has to be good for
            found = purpose(words)
        if found is None or found.rest:
            continue
        reader.at = until
        where = _where(reader, end)
        if where is not None:
            clause = Clause("wish", found.use, tuple(where), text=reader.text(start, until))
            if reader.any("after", "reasons"):  # the children are thirsty after football
                reader.at = reader.ahead("end", "comma") or len(reader.tokens)
            return clause
        reader.at = at
    reader.at = at
    return _said_of_a_place(reader, end)


def _where(reader: Reader, end: int) -> list[Prep] | None:
    """The places up to `end`; None where there is something else."""
    places = []
    try:
        while reader.at < end and reader.any("preposition"):
            places.append(prep_phrase(reader))
            reader.skip("fillers", "politeness")
    except Refusal:
        return None
    return places if reader.at >= end else None


def _said_of_a_place(reader: Reader, end: int) -> Clause | None:
    """``the bedroom is too dark``, ``the guests in the kitchen are thirsty``"""
    start = reader.at
    copula = reader.ahead("copula", until=_ENDS)
    if copula is None or copula == start or not reader.any("determiners", "subjects"):
        return None
    said = [w for t in reader.tokens[copula:end] for w in t.words]
    where: list[Prep] | None = []
    try:
        noun = noun_phrase(reader)
        subject = reader.at
        where = _where(reader, copula)
    except Refusal:
        noun = None
    found = wish([*(w for t in reader.tokens[start:subject] for w in t.words), *said]) if noun and where else wish(said)
    if noun is None or reader.at != copula or found is None or found.rest:
        reader.at = start
        return None
    reader.at = end
    return Clause("wish", found.use, tuple(where or [Prep("in", noun)]), text=reader.text(start))


def avoided(reader: Reader) -> Clause | None:
    """``must not have sugar``, ``I am allergic to nuts``: what a thing that is chosen must not be; None else."""
    if reader.tokens[reader.at].text in _NONE_OF:
        return _none_of(reader)
    certain = reader.any("negation") and reader.any("leave_alone", offset=1) and reader.any("determiners", offset=2)
    if certain or not reader.any(*_SUBJECTS, "negation", "lacking", "politeness"):  # do not touch the bread
        return None
    last = reader.ahead("end", "comma", "sequence") or len(reader.tokens)
    joints = [i for i in range(reader.at + 1, last) if reader.tokens[i].has("conjunctions") and (
        i + 1 < last and reader.tokens[i + 1].has("third_person", "verb", "subjects"))]
    for end in (last, *joints):
        unwanted = _unwanted([w for t in reader.tokens[reader.at:end] for w in t.words])
        if unwanted:
            start, reader.at = reader.at, end
            text = reader.text(start)
            return Clause("avoid", unwanted[0], tuple(Noun(("thing",), text, uses=(u,)) for u in unwanted), text=text)
    return None


def _none_of(reader: Reader) -> Clause | None:
    """``I am thirsty, but | no soda please``"""
    start, end = reader.at, reader.ahead("end", "comma", "conjunctions") or len(reader.tokens)
    found = purpose([w for t in reader.tokens[start + 1:end] for w in t.words])
    if found is not None and not found.rest:  # no caffeine
        reader.at = end
        text = reader.text(start)
        return Clause("avoid", found.use, (Noun(("thing",), text, uses=(found.use,)),), text=text)
    reader.at += 1
    try:
        noun = noun_phrase(reader)
    except Refusal:
        noun = None
    reader.skip("politeness", "fillers")
    if noun is None or not noun.words or not (reader.over or reader.any("end", "comma", "conjunctions")):
        reader.at = start
        return None
    return Clause("avoid", "no", (noun,), text=reader.text(start))


def _unwanted(words: list[str]) -> tuple[str, ...]:
    """Uses of things that must not be brought: ``my guest is allergic to nuts``, ``she is diabetic``."""
    speaking = _ABOUT_ONESELF | words_of_wishes().persons | {"child", *words_of_wishes().alike["child"]}
    for diet, kept_from in words_of_wishes().diets.items():
        said = diet.split()
        at = next((i for i in range(len(words)) if words[i:i + len(said)] == said), None)
        if at is not None and set(words[:at]) <= speaking and not words[at + len(said):]:
            return kept_from
    negated = next((i for i, w in enumerate(words) if w in _UNWANTED), None)
    if negated is None or not set(words[:negated]) <= speaking:
        return ()
    found = purpose([w for w in words[negated + 1:] if w not in _CONSUMES])
    return (found.use,) if found is not None and not found.rest else ()

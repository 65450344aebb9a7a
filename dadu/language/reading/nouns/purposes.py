"""What a thing has to be good for, as it is said behind the noun: ``to dry my hands with``, ``for cleaning windows``,
``rich in potassium``, ``that can swim``, ``without alcohol``."""

from __future__ import annotations

from dadu.house.catalogue import object_categories
from dadu.knowledge.commonsense import uses, words_of_wishes
from dadu.knowledge.lexicon import Lexicon
from dadu.knowledge.recognise import purpose
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Noun
from dadu.language.reading.words.tokens import Token
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_ENDS = ("end", "comma", "sequence")
_LONGEST = 9
"""words in what a thing is good for"""
_ADJECTIVES = ("rich", "full", "high", "low", "made", "fit", "suitable", "suited", "ideal", "appropriate", "meant")
_OPENING = ("to", "for", "that", "which", "with", "who", "against", "about", "like", "shaped", *_ADJECTIVES)
_DANGLING = ("with", "from", "on", "in", "about")
_MADE_FOR = ("device", "holder", "gadget", "instrument", "appliance", "tool", "utensil", "vessel")
"""nouns behind a word for what they are good for: a communication device; not: a toy item"""
_ANY = "thing", "something", "anything", "stuff"


def qualities(reader: Reader, words: list[str], known: bool = False) -> tuple[list[str], list[Noun]]:
    """Uses that are asked for behind a noun of these `words`, and as exceptions those that it must not have.
    `known`: what it is good for was said before the noun. Errors: Refusal where nothing but an unknown purpose says
    what is wanted."""
    wanted: list[str] = []
    unwanted: list[Noun] = []
    while not reader.over:
        start = reader.at
        if reader.any("lacking") and (name := meant(reader, 1)) is not None:
            unwanted.append(Noun(("thing",), reader.text(start), uses=(name,)))
        elif reader.any("relatives") and reader.any("negation", offset=1) and (name := meant(reader, 2)) is not None:
            unwanted.append(Noun(("thing",), reader.text(start), uses=(name,)))  # that is not sweet
        elif _opens(reader, words) and (name := meant(reader)) is not None:
            if known and name == "drink_from" and reader.tokens[start].text == "for":  # something sour | for my tea
                reader.remarks.append(reader.text(start))
            else:
                wanted.append(name)
        else:
            break
    if not (known or wanted or unwanted) and _plain(words):
        _refuse_unknown(reader)
    return wanted, unwanted


def meant(reader: Reader, offset: int = 0) -> str | None:
    """The use that the next words mean, which are passed: as many as say it, and as few."""
    if reader.over or reader.tokens[reader.at].text == "to" and reader.any("determiners", "own", offset=1):
        return None  # to the bathtub
    best, until = None, reader.at
    for end in _stretches(reader, reader.at + offset):
        if end < len(reader.tokens) and not reader.tokens[end].tags:
            continue  # to the living room
        apart = told_apart(reader, end - 1)
        found = purpose([w for t in reader.tokens[reader.at + offset:end] for w in t.words])
        if found is not None and not found.rest and (best is None or found.size > best.size):
            best, until = found, end
        if apart:
            break
    if best is None:
        return None
    opens, reader.at = reader.tokens[reader.at].text, until
    if opens in ("that", "which", "who") and reader.any("third_person"):  # that a little boy | would like
        reader.at += 1
    while uses()[best.use].any and not reader.over and not (
            reader.any(*_ENDS, "preposition", "conjunctions", "fillers") or reader.peek("pronoun") == "there"):
        reader.at += 1  # to write a letter to grandma
    if not reader.over and reader.tokens[reader.at].text in ("it", "them", "him", "her"):  # to comfort him
        reader.at += 1
    if not reader.over and reader.tokens[reader.at].text in _DANGLING and (
            reader.at + 1 >= len(reader.tokens) or reader.any("preposition", "conjunctions", *_ENDS, offset=1)):
        reader.at += 1
    return best.use


def as_purpose(words: list[str], uses_known: list[str], lexicon: Lexicon) -> tuple[list[str], list[str]]:
    """``a red | soup serving tool``, ``a device`` for changing channels: the words for the thing itself, and what it
    has to be good for."""
    noun = lexicon.singular(words[-1]) if words else ""
    general = lexicon.general_nouns.get(noun)
    if general is None:
        return words, []
    first = next((i for i, w in enumerate(words) if not lexicon.qualifies(w)), len(words))
    doing = words[first:-1]
    if not doing:
        return [*words[:first], "thing"] if uses_known else words, []
    if noun not in _MADE_FOR and not any(w.endswith("ing") for w in doing):
        return words, []  # the toy items
    found = _of_tool(doing, general)
    return ([*words[:first], "thing"], [found]) if found is not None else (words, [])


def _of_tool(doing: list[str], preposition: str) -> str | None:
    """``stirring`` with, ``drinking`` from: what something is good for that is not itself eaten or drunk."""
    for said in ([*doing, preposition], doing):
        found = purpose(said)
        if found is not None and not found.rest and not any(_consumed(t) for t in uses()[found.use].things):
            return found.use
    return None


def _consumed(category: str) -> bool:
    kind = object_categories().get(category)
    return category in ("food", "drink", "fruit") or kind is not None and bool({"food", "drink"} & set(kind.hypernyms))


def adjectival(reader: Reader) -> bool:
    """Whether ``rich in`` or the like stands here."""
    return reader.tokens[reader.at].words[0] in _ADJECTIVES


def told_apart(reader: Reader, at: int | None = None) -> bool:
    """``to drink from`` with a place behind it is ``to drink`` and where from: ``something to eat from the fridge``.
    Whether it was that."""
    at = reader.at if at is None else at
    words = reader.tokens[at].words
    place = at + 1 < len(reader.tokens) and reader.tokens[at + 1].has("determiners", "own")
    found = purpose(words[:-1]) if len(words) > 1 and place and words[-1] in _DANGLING else None
    if found is not None:
        reader.tokens[at:at + 1] = [Token(words[:-1], {"use": found.use}),
                                    Token(words[-1:], dict(reader.lexicon.tags[words[-1:]]))]
    return found is not None


def _plain(words: list[str]) -> bool:
    return not words or words[-1] in _ANY


def _opens(reader: Reader, words: list[str]) -> bool:
    token = reader.tokens[reader.at]
    if token.text == "to" and reader.any("determiners", "every", "own", offset=1):
        return False  # the soap to the bathtub
    if reader.searches and token.text == "for" and not _plain(words):
        return False  # check the fridge for milk
    if _plain(words):
        return token.words[0] in _OPENING or not token.has(*_ENDS, "verb", "preposition", "recipients", "fillers")
    if token.text == "to" and reader.any("verb", offset=1):
        return False  # take the sponge to clean the table: the next thing to do
    if token.text in ("with", "from", "about") and any("_".join(words[i:]) in object_categories()
                                                       for i in range(len(words))):
        return False  # a bowl with milk
    return token.words[0] in _OPENING


def _stretches(reader: Reader, start: int) -> list[int]:
    """Where what begins at `start` may end, the shortest first."""
    end, out = start, []
    while end < min(len(reader.tokens), start + _LONGEST) and not (
            reader.tokens[end].has(*_ENDS) or _next_clause(reader, end)):
        end += 1
        out.append(end)
    return out


def _next_clause(reader: Reader, at: int) -> bool:
    """``for me | and serve it on a plate``"""
    return reader.tokens[at].has("conjunctions") and all(
        i < len(reader.tokens) and reader.tokens[i].has(*tags) for i, tags in (
            (at + 1, ("verb",)), (at + 2, ("determiners", "pronoun", "indefinite", "number", "every"))))


def _refuse_unknown(reader: Reader) -> None:
    """Errors: Refusal. What is good for anything else must not be chosen blindly."""
    token = reader.tokens[reader.at] if not reader.over else None
    if token is None or token.text not in ("to", "for", "with", "against", "rich", "full", "high", "low", "like"):
        return
    verb = token.text == "to" and (reader.any("verb", offset=1) or not (
        reader.at + 1 < len(reader.tokens) and reader.tokens[reader.at + 1].tags))
    person = reader.any("recipients") or any(w in words_of_wishes().persons for t in reader.tokens[reader.at + 1:][:3]
                                             for w in t.words)
    if token.text == "to" and not verb or token.text == "for" and person:
        return
    said = reader.text(reader.at, _stretches(reader, reader.at)[-1])
    raise Refusal(f"I do not know what is good {said!r}; I know what is good {', '.join(_examples())} and more",
                  [said], Code.UNKNOWN_TARGET)


def _examples() -> list[str]:
    return [use.phrases[0] for use in uses().values() if use.phrases and use.phrases[0].startswith("to ")][:12]

"""What is said of a clause's first noun only behind its places: ``the black one``, ``without alcohol``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.nouns.purposes import qualities
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Item, Noun, Prep, nouns_among
from dadu.language.reading.words.tokens import Token
from dadu.language.refusal import Refusal


def apposed(reader: Reader, items: list[Item]) -> bool:
    """``move the shoe to the bench, the black one``: which shoe is meant; whether that is said here."""
    start, nouns = reader.at, nouns_among(items)
    if not nouns or not reader.any("comma") or not isinstance(items[-1], Prep):
        return False
    if not reader.any("determiners", offset=1):
        return False
    reader.at += 1
    try:
        one = noun_phrase(reader)
    except Refusal:
        one = Noun()
    if one.pronoun != "one" or not one.words or not (reader.over or reader.any("end")):
        reader.at = start
        return False
    at, first = nouns[0]
    items[at] = replace(first, words=(*one.words, *first.words))
    return True


def all_of_them(reader: Reader, items: list[Item]) -> bool:
    """``the books, both of them, to the shelf``: all that are called so; whether that is said here."""
    named = items[-1] if items and isinstance(items[-1], Noun) else None
    if named is None or not reader.any("comma") or not reader.any("pronoun", offset=1):
        return False
    word = reader.tokens[reader.at + 1]
    if word.tags.get("pronoun") != "them" or word.words[0] not in ("both", "all", "each"):
        return False
    reader.at += 2
    if reader.any("comma"):
        reader.at += 1
    items[-1] = replace(named, every=True)
    return True


def the_one(reader: Reader, items: list[Item]) -> bool:
    """``take the bus, the one on the shelf, to the door``: where it is that is meant; whether that is said here."""
    if not (items and isinstance(items[-1], Noun) and reader.any("comma")):
        return False
    said = [t.text for t in reader.tokens[reader.at + 1:reader.at + 3]]
    where = reader.peek("preposition", 3)
    if said not in (["the", "one"], ["the", "ones"]) or where not in ("on", "in", "at", "next_to"):
        return False
    reader.at += 3
    place = prep_phrase(reader)
    items.append(replace(place, relation="from") if place.relation in ("on", "in", "at") else place)
    reader.take("comma")
    return True


def lacks(reader: Reader, items: list[Item]) -> bool:
    """``a drink from the fridge, without alcohol``: of the drink, though other words stand between."""
    nouns = nouns_among(items)
    offset = int(reader.any("comma"))
    plain_no = offset and reader.at + 2 < len(reader.tokens) and reader.tokens[reader.at + 1].text == "no" and not (
        reader.tokens[reader.at + 2].has("exists", "verb"))
    if not nouns or not (reader.any("lacking", offset=offset) or plain_no):
        return False
    at, first = nouns[0]
    reader.at += offset
    if plain_no:
        reader.tokens[reader.at] = Token(("without",), {"lacking": "without"})
    uses, unwanted = qualities(reader, list(first.words), known=True)
    if not (uses or unwanted):  # fruit, without the bananas
        reader.at += 1
        unwanted = [noun_phrase(reader)]
    items[at] = replace(first, uses=(*first.uses, *uses), without=(*first.without, *unwanted))
    return True


def good_for(reader: Reader, items: list[Item]) -> bool:
    """``something in the kitchen | to eat``: what for is said behind where it is; whether it is said here."""
    noun, place = (items[-2:] if len(items) > 1 else (None, None))
    if not isinstance(noun, Noun) or not isinstance(place, Prep):
        return False
    if noun.words not in (("something",), ("anything",)) or noun.uses:
        return False
    uses = [reader.pass_over("use")] if reader.any("use") else qualities(reader, list(noun.words), known=True)[0]
    items[-2] = replace(noun, uses=tuple(uses))
    return bool(uses)

"""Whom something is for: ``to me``, ``for the customer at the entrance``."""

from __future__ import annotations

from dataclasses import replace

from dadu.knowledge.commonsense import words_of_wishes
from dadu.language.reading.nouns.phrases import prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Prep
from dadu.language.reading.words.tokens import Token

_KIN = ("mom", "mum", "dad", "mommy", "daddy", "grandma", "grandpa", "granny")
"""called so without an article"""
_HANDS_OVER = ("fetch", "bring", "take", "ship")


def recipient(reader: Reader, frame: str) -> list[Prep] | None:
    """Passes whom something is for, and where that is: empty where that is not said; None where nobody is."""
    if reader.any("recipients"):
        if _is_place(reader):
            return None
        directed = reader.tokens[reader.at].text.startswith("to ")
        reader.at += 1
    elif frame in _HANDS_OVER and reader.tokens[reader.at].text in ("them", "him", "her", "it") and (
            reader.any("indefinite", "number", "use", offset=1) or _vague(reader)):  # bring them some juice
        directed, reader.at = False, reader.at + 1
    elif frame in _HANDS_OVER and (end := _person(reader)) is not None:
        directed, reader.at = True, end
    else:
        return None
    if directed and not reader.over and reader.tokens[reader.at].text in ("in", "at", "on"):
        return [replace(prep_phrase(reader), relation="to")]
    return []


def _vague(reader: Reader) -> bool:
    return reader.at + 1 < len(reader.tokens) and reader.tokens[reader.at + 1].text in ("something", "anything")


def _is_place(reader: Reader) -> bool:
    """``to the user entry point`` names a place; its words are then told apart."""
    words, behind = reader.tokens[reader.at].words, reader.at + 1
    if len(words) < 3 or behind >= len(reader.tokens) or reader.tokens[behind].tags:
        return False
    reader.tokens[reader.at:behind] = [Token((w,), dict(reader.lexicon.tags.get((w,), {}))) for w in words]
    return True


def _person(reader: Reader) -> int | None:
    """Where what follows ``the customer`` begins."""
    at = reader.at + (reader.tokens[reader.at].text in ("to", "for"))
    if at > reader.at and at < len(reader.tokens) and reader.tokens[at].text in _KIN:
        return at + 1
    persons = words_of_wishes().persons | set(words_of_wishes().alike["child"]) | {"child"}
    if at + 1 >= len(reader.tokens) or not reader.tokens[at].has("determiners", "indefinite"):
        return None
    named = reader.tokens[at + 1].text in persons
    alone = at + 2 == len(reader.tokens) or bool(reader.tokens[at + 2].tags)
    return at + 2 if named and alone else None

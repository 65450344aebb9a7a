"""An instruction as tokens, each with the parts of speech that it may have; phrases of several words are one token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from dadu.house.catalogue import FurnitureCategory, ObjectCategory, furniture_categories, object_categories
from dadu.knowledge.lexicon import Lexicon, Words
from dadu.language.reading.words.rewrites import plain
from dadu.language.reading.words.steps import without_numbers
from dadu.language.reading.words.until import so_many

_BEGINS = re.compile(r"(?<=[a-z]) ([A-Z][a-z]+)(?=,? [a-z])")
"""a word with a capital letter among words without"""


_APART = 6
"""words between a verb and its particle: turn ... on"""


@dataclass(frozen=True)
class Token:
    """One word, one phrase of the lexicon, or one punctuation mark."""

    words: Words
    tags: dict[str, str] = field(default_factory=dict)
    """possible parts of speech and their values; empty: a word that may be a noun or an adjective"""

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def has(self, *tags: str) -> bool:
        """Whether it may be one of these."""
        return any(tag in self.tags for tag in tags)


def tokenise(instruction: str, lexicon: Lexicon) -> list[Token]:
    """Lower-cased tokens; ``. ; ! ?`` and line ends become ``.``."""
    instruction = re.sub(r"[ \t]+", " ", without_numbers(instruction, lexicon))
    instruction = _BEGINS.sub(lambda m: f". {m[1]}" if _begins_a_sentence(m, lexicon) else m[0], instruction)
    text = re.sub(r"\s[-–—]+\s|[–—]", ", ", instruction.lower().replace("’", "'"))
    text = re.sub(r"(?<=[a-z]{3}) ?/ ?(?=[a-z]{3})", " or ", text)  # the entryway/foyer
    text = so_many(plain(text.replace("-", " ").replace("_", " ")))
    words = re.findall(r"[a-z0-9]+(?:'[a-z]+)?|[.;:!?\n,&]", text)
    words = ["." if w in ".;!?\n" else w for w in words]
    out: list[Token] = []
    i = 0
    while i < len(words):
        for length in range(min(lexicon.longest, len(words) - i), 0, -1):
            phrase = tuple(words[i:i + length])
            behind = words[i + length:][:2]
            if length == 1 or phrase in lexicon.tags and not (_no_purpose(phrase, behind, lexicon) or _on_to_do(
                    phrase, out) or _of_a_place(phrase, out, lexicon)):
                out.append(Token(phrase, dict(lexicon.tags.get(phrase, _own_tags(phrase[0], lexicon)))))
                i += length
                if phrase == ("go", "to") and len(out) > 1 and not out[-2].tags:  # the toys go to the kitchen
                    out[-1:] = [Token((word,), dict(lexicon.tags[(word,)])) for word in phrase]
                break
    return _left_hand(_names(_to_be_done(_things_go(out, lexicon))))


def _left_hand(tokens: list[Token]) -> list[Token]:
    """``the left drawer`` was left by nobody: a noun follows."""
    return [Token(token.words) if token.text == "left" and i + 1 < len(tokens) and not tokens[i + 1].tags else token
            for i, token in enumerate(tokens)]


def _begins_a_sentence(found: re.Match[str], lexicon: Lexicon) -> bool:
    """``on the counter Place them there``: a full stop is missing before a verb with a capital letter."""
    before = re.search(r"([a-z]+)$", found.string[:found.start()])
    tags = lexicon.tags.get((found[1].lower(),), {})
    names = {"determiners", "preposition", "politeness"} & lexicon.tags.get((before[1],), {}).keys() if before else {""}
    return not names and bool({"verb", "sequence"} & tags.keys())


def _things_go(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """``the cups go to the sink``: behind a noun "go to" is no order to go there."""
    out: list[Token] = []
    for token in tokens:
        if token.text in ("go to", "go back to") and out and (not out[-1].tags or out[-1].has("pronoun")):
            out += [Token(words, dict(lexicon.tags[words])) for words in (token.words[:-1], token.words[-1:])]
            out[-2].tags.pop("verb", None)
        else:
            out.append(token)
    return out


def _to_be_done(tokens: list[Token]) -> list[Token]:
    """``could the cup be washed and the plate | be | brought``: it should be."""
    for before, token, behind in zip(tokens, tokens[1:], tokens[2:]):
        named = not before.tags or before.has("pronoun")
        if token.text == "be" and named and behind.has("participle"):
            token.tags.clear()
            token.tags["belongs"] = "be"
    return tokens


def _names(tokens: list[Token]) -> list[Token]:
    """``a cup and hand towel``, ``a cutting board``, ``a toy vehicle``: such a name begins with no verb, but where a
    sentence begins, and says nothing of what it is good for."""
    for i in range(len(tokens) - 1):
        token, nxt = tokens[i], tokens[i + 1]
        if not {(*token.words, nxt.text), (*token.words, nxt.text.removesuffix("s"))} & _object_names():
            continue
        nxt.tags.pop("use", None)
        if i and not tokens[i - 1].has("end", "politeness"):
            token.tags.pop("verb", None)
    for before, token, behind in zip(tokens, tokens[1:], tokens[2:]):
        if before.text in ("the", "my", "our") and len(token.words) == 1 and behind.has("copula", "has"):
            token.tags.pop("verb", None)  # what is in the trash is still good
    return tokens


def _no_purpose(phrase: Words, following: list[str], lexicon: Lexicon) -> bool:
    """``to the bench to console | table`` says where to, ``to throw | it into the bin`` what to do next."""
    if phrase[0] not in ("to", "for") or lexicon.tags[phrase].keys() != {"use"}:
        return False
    moved = following[:1] in (["it"], ["them"]) and following[1:] in (["in"], ["into"], ["on"], ["onto"], ["to"])
    behind = (phrase[-1], *following[:1])
    return moved or any(name[:2] == behind for name in _furniture_names())


@cache
def _furniture_names() -> frozenset[Words]:
    return _all_names(furniture_categories())


@cache
def _object_names() -> frozenset[Words]:
    return _all_names(object_categories())


def _all_names(categories: Mapping[str, FurnitureCategory] | Mapping[str, ObjectCategory]) -> frozenset[Words]:
    return frozenset(tuple(re.findall(r"[a-z]+", name)) for category, c in categories.items()
                     for name in (category, *c.aliases))


def _on_to_do(phrase: Words, before: list[Token]) -> bool:
    """``turn it on | to watch a film``"""
    said = [t for t in before[-_APART:] if t.has("split", "end", "verb")]
    return phrase == ("on", "to") and bool(said) and said[-1].has("split")


def _of_a_place(phrase: Words, before: list[Token], lexicon: Lexicon) -> bool:
    """``whether the mug on | the counter is dirty``, ``if | the counter is dirty``: no wish to have it cleaned."""
    last = before[-1] if before else Token(())
    return lexicon.tags[phrase].keys() == {"wish"} and phrase[0] == "the" and (
        last.has("preposition", "condition") or last.tags.get("verb") == "check")


def _own_tags(word: str, lexicon: Lexicon) -> dict[str, str]:
    if word in (".", ":"):
        return {"end": word}
    if word == ",":
        return {"comma": word}
    if lexicon.says_how(word):
        return {"fillers": word}
    return {"number": word} if word.isdigit() else {}

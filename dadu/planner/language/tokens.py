"""An instruction as tokens, each with the parts of speech that it may have; phrases of several words are one token."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dadu.planner.language.lexicon import Lexicon, Words

_CONTRACTIONS = {"that's": "that is", "it's": "it is", "there's": "there is", "i'd": "i would", "i'm": "i am",
                 "don't": "not", "doesn't": "not", "isn't": "not", "can't": "not", "won't": "not", "couldn't": "not"}


@dataclass(frozen=True)
class Token:
    """One word, one phrase of the lexicon, or one punctuation mark."""

    words: Words
    tags: dict[str, str] = field(default_factory=dict)
    """possible parts of speech and their values; empty: a word that may be a noun or an adjective"""

    @property
    def text(self) -> str:
        return " ".join(self.words)


def tokenise(instruction: str, lexicon: Lexicon) -> list[Token]:
    """Lower-cased tokens; ``. ; ! ?`` and line ends become ``.``."""
    text = instruction.lower().replace("’", "'").replace("-", " ").replace("_", " ")
    for short, long in _CONTRACTIONS.items():
        text = re.sub(rf"(?<!\w){re.escape(short)}(?!\w)", long, text)
    words = re.findall(r"[a-z0-9]+(?:'[a-z]+)?|[.;:!?\n,&]", text)
    words = ["." if w in ".;:!?\n" else w.removesuffix("'s") for w in words]
    phrases, longest = lexicon.tags(), max(len(p) for p in lexicon.tags())
    out, i = [], 0
    while i < len(words):
        for length in range(min(longest, len(words) - i), 0, -1):
            phrase = tuple(words[i:i + length])
            if phrase in phrases or length == 1:
                out.append(Token(phrase, dict(phrases.get(phrase, _own_tags(phrase[0])))))
                i += length
                break
    return out


def _own_tags(word: str) -> dict[str, str]:
    if word == ".":
        return {"end": word}
    if word == ",":
        return {"comma": word}
    return {"number": word} if word.isdigit() else {}

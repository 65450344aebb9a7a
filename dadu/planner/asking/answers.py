"""What an answer may mean in the context of its question: one of several, yes or no, a name, or the whole instruction
in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Choice
from dadu.language.stopping import means_stop

_NEITHER = frozenset({"nothing", "nothing at all", "no thanks", "none", "none of them", "neither"})
_YES = frozenset({"yes", "yeah", "yep", "sure", "right", "correct", "exactly", "ok", "okay", "of course", "please do"})
_NO = frozenset({"no", "nope", "not that", "wrong"})
_ANY = frozenset({"any", "either", "whichever", "whatever", "any of them", "either of them", "does not matter",
                  "you choose"})
_PLACES = {"1": 0, "first": 0, "former": 0, "2": 1, "second": 1, "latter": 1, "3": 2, "third": 2, "4": 3, "fourth": 3,
           "5": 4, "fifth": 4, "last": -1}
"""which of several; what stands for it"""
_FILLERS = frozenset("the one please it is its that number option i mean meant you with a an thing well oh".split())
"""words of an answer that tell none of several apart"""
_BEFORE_A_NAME = re.compile(r"^(?:(?:no|yes|well|oh|sorry|please|it is|it's|that is|that's|i mean|i meant|i think|"
                            r"take|use|namely)\b[ ,:]*)+")
_DETERMINER = re.compile(r"^(?:the|a|an|my|your|our|some|this|that|these|those)\s+")


def withdraws(answer: str) -> bool:
    """True if nothing is wanted any more."""
    return means_stop(answer) or _plain(answer) in _NEITHER


def meanings(answer: str, question: AskBack, instruction: str) -> Iterator[Goal | str]:
    """What `answer` may mean, the likeliest first: goals, or instructions that have yet to be read."""
    said = _plain(answer)
    if said in _ANY and any(isinstance(choice.means, str) for choice in question.choices):
        yield instruction  # as it was: the robot chooses
        return
    chosen = _chosen(said, question.choices)
    if chosen is not None:
        yield chosen.means
        return
    if said in _YES | _NO:
        return
    yield answer.strip()
    name = _BEFORE_A_NAME.sub("", answer.strip().rstrip(".!?").lower().removesuffix("please").rstrip(" ,"))
    for words in question.words:
        replaced = substitute_name(instruction, words, name)
        if name and replaced != instruction:
            yield replaced


def substitute_name(instruction: str, words: str, name: str) -> str:
    """`instruction` with `name` in place of `words` wherever they stand, under one determiner."""
    bare = _DETERMINER.sub("", name)

    def put(found: re.Match[str]) -> str:
        own = found["determiner"] or ""
        return f"{'' if bare != name else own}{name}" if own else bare
    pattern = rf"(?P<determiner>\b(?:the|a|an|my|your|our|some|this|that|these|those)\s+)?\b{re.escape(words)}\b"
    return re.sub(pattern, put, instruction, flags=re.IGNORECASE)


def _chosen(said: str, offered: Sequence[Choice]) -> Choice | None:
    """Which one is meant; None where none is, or more than one could be."""
    if not offered:
        return None
    if said in _ANY or (len(offered) == 1 and said in _YES):
        return offered[0]
    words = [word for word in said.split() if word not in _FILLERS] or said.split()
    for choice in offered:
        if " ".join(words) in (_plain(choice.name), _plain(choice.name.partition(" (")[0])):
            return choice
    if len(words) == 1 and (place := _PLACES.get(words[0], len(offered))) < len(offered):
        return offered[place]
    fitting = [c for c in offered if set(words) <= set(_plain(c.name).split())]
    return fitting[0] if len(fitting) == 1 else None


def _plain(text: str) -> str:
    """Words and numbers alone, in small letters: ``book_0 (on shelf_0)`` is ``book 0 on shelf 0``."""
    text = text.lower().replace("n't", " not").replace("'", "")
    return " ".join(re.findall(r"[^\W_]+", text))

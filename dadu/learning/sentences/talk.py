"""Whole instructions: requests one after the other, in order, on a condition, politely or not."""

from __future__ import annotations

import random
from collections.abc import Callable

from dadu.learning.sentences import asks, orders
from dadu.learning.sentences.speaker import Meaning, Phrase, Said, Speaker, SpokenNames

Request = Callable[[Speaker], Phrase]
ORDERS: dict[Request, float] = {
    orders.move: 36, orders.take_and_put: 14, orders.nested: 7, orders.take: 8, orders.stow: 4, orders.change: 12,
    orders.change_and_put: 16, orders.examine_under_lamp: 10, asks.go: 4, asks.tidy: 2, asks.swap: 1.5}
REST: dict[Request, float] = {asks.look: 6, asks.ensure: 2, asks.leave: 3, asks.told: 2, asks.wish: 3}
_OPENING = ("[|||||||please|please|kindly|can you|could you|could you please|can you please|would you|i want you to|"
            "i'd like you to|you should|you need to|to|to|help me|let's|robot ,|hey robot ,|your task is to|go and|"
            "i need you to]")
_GREETING = "[||||please|robot ,|hey robot ,|hello ,|ok ,]"
_NO_VERB = frozenset("after before if in when is are there how what what's where where's do don't never once the a an "
                     "i you help first".split())
"""first words of what is no plain request"""
_GERUND_OPENING = "[would you mind|how about|i'd appreciate you|start by|begin by]"
_CLOSING = "[||||||||||please|, please|for me|now|thank you|, thanks|?|.|.|.|.|!]"
_NEXT = ("then", ", then", "and then", ", and then", ". then ,", ". after that ,", ". next ,", ". finally ,", "; then",
         ". once done ,", "before you", "before you then")


def speaker_of(rng: random.Random, names: SpokenNames) -> Speaker:
    """Somebody with a style."""
    return Speaker(rng, names, terse=rng.random() < 0.2)


def spoken(speaker: Speaker, request: Request, gerunds: dict[Request, float]) -> tuple[Phrase, str]:
    """A whole instruction that asks for `request`, or, said with a verb in -ing, for one of `gerunds`; and its form:
    the words with a mark in place of every word that the frames point at."""
    speaker.gerund = bool(gerunds) and speaker.chance(0.02)
    if speaker.gerund:
        phrase, opening = speaker.weighted(gerunds)(speaker), speaker.say(_GERUND_OPENING)
    else:
        phrase = request(speaker)
        bidden = phrase.words[0].text not in _NO_VERB and not phrase.words[0].copied
        opening = speaker.say(_OPENING if bidden else _GREETING)
    words = [*opening, *phrase.words, *speaker.say(_CLOSING)]
    form = " ".join("_" if word.copied else word.text for word in words)
    return Phrase(words, phrase.meaning), form


def one_by_one(speaker: Speaker, number: int) -> Phrase:
    """So many requests, in whatever order."""
    parts = [_one(speaker, first=i == 0) for i in range(number)]
    words = list(parts[0].words)
    for part in parts[1:]:
        words += [*map(Said, speaker.pick((",", "and", ", and", ".", ". also ,", "", ". please")).split()), *part.words]
    return Phrase(words, [frame for part in parts for frame in part.meaning])


def in_order(speaker: Speaker, number: int) -> Phrase:
    """Steps, each only after the one before; now and then two requests in a step."""
    words, steps = speaker.say("[|||first|first ,|start by going on to]")[:1], []
    steps = [_one(speaker)]
    words += steps[0].words
    groups = [list(_flat(steps[0].meaning))]
    for i in range(1, number):
        part = _one(speaker, first=False)
        if i > 1 and speaker.chance(0.3):
            words += [*map(Said, speaker.pick((",", "and", ", and")).split()), *part.words]
            groups[-1] += _flat(part.meaning)
            continue
        words += [*map(Said, speaker.pick(_NEXT).split()), *part.words]
        groups.append(_flat(part.meaning))
    return Phrase(words, [{"frame": "sequence", "steps": groups}])


def _flat(frames: list[Meaning]) -> list[Meaning]:
    """A sequence inside a step is that step's requests."""
    return [one for frame in frames for one in (
        [f for step in frame["steps"] for f in step] if frame["frame"] == "sequence" else [frame])]


def _one(speaker: Speaker, first: bool = True) -> Phrase:
    table = {**ORDERS, **REST} if first and speaker.chance(0.4) else ORDERS
    phrase = speaker.weighted(table)(speaker)
    speaker.spoken = True
    return phrase


def timed(speaker: Speaker) -> Phrase:
    """``put the mug on the shelf after washing it``: the clause with the verb in -ing is the other one's time."""
    after, behind = speaker.chance(0.5), speaker.chance(0.6)
    if behind:
        main = _one(speaker)
    speaker.gerund = True
    other = _one(speaker, first=False)
    speaker.gerund = False
    if not behind:
        main = _one(speaker, first=False)
    when = "[after|once done]" if after and not behind else "after" if after else "before"
    template = f"{{main}} [|,] {when} {{other}}" if behind else f"{when} {{other}} [,|,|] {{main}}"
    steps = [_flat(part.meaning) for part in ((other, main) if after else (main, other))]
    return Phrase(speaker.say(template, main=main, other=other), [{"frame": "sequence", "steps": steps}])


def conditional(speaker: Speaker) -> Phrase:
    """``if the mug is dirty, wash it, otherwise put it away``"""
    said, ask = asks.claim(speaker)
    speaker.spoken = True
    then = _one(speaker, first=False)
    if speaker.chance(0.25):  # all that "and" joins is on that condition
        more = _one(speaker, first=False)
        words = speaker.say("{then} [and|and|, and] {more}", then=then, more=more)
        then = Phrase(words, [*then.meaning, *more.meaning])
    frame: Meaning = {"frame": "if", "ask": ask, "then": then.meaning}
    if speaker.chance(0.3):
        words = speaker.say("{then} [if|in case|provided that] {said}", then=then, said=said)
    else:
        words = speaker.say("[if|if|when|in case] {said} [,|then|, then|] {then}", said=said, then=then)
    if speaker.chance(0.35):
        other = _one(speaker, first=False)
        frame["otherwise"] = other.meaning
        words += speaker.say("[, otherwise|otherwise|, else|. if not ,|. otherwise ,] {other}", other=other)
    return Phrase(words, [frame])

"""Things and places as people speak of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from dadu.knowledge.lexicon import plural_of
from dadu.learning.sentences.held_out import is_held_out
from dadu.learning.sentences.speaker import Meaning, Phrase, Said, Span, Speaker
from dadu.world.graph import Kind

_COLORS = "red blue green white black yellow brown pink purple orange grey gray silver golden beige striped".split()
_MATERIALS = "wooden glass metal plastic ceramic leather paper round square new old dark light tan shiny".split()
_STATES = ("clean dirty washed rinsed cold chilled cooled frozen hot heated warm warmed cooked microwaved sliced cut "
           "chopped empty full wet dry cleaned unwashed used boiled refrigerated cool").split()
_DONE = ("rinsed out", "washed off", "heated up", "warmed up", "cut up", "cleaned off", "cooled down", "chopped up")
_VESSELS = tuple("cup bowl glass bottle box pot jar can mug carton jug pan bucket bag".split())
_SUBSTANCES = tuple("water coffee tea milk juice wine soup rice sugar flour sauce lotion soap cereal cookies tissues "
                    "tools toys beans pasta oil salt".split())
_PARTS = ("piece", "piece", "bit", "chunk", "pieces", "bits")
_GROUPS = ("set", "pair", "bunch", "bar", "roll", "pile", "stack", "head", "loaf")
_REGIONS = ("edge", "end", "corner", "middle", "center", "left side", "right side", "front", "back", "top",
            "left hand side", "far end", "other side")
_SIZES = {"big": ("big", "large", "biggest", "largest", "bigger"), "small": ("small", "little", "smallest", "tiny"),
          "tall": ("tall", "tallest"), "short": ("short", "shortest"), "near": ("nearest", "closest"),
          "far": ("farthest", "furthest")}
_NUMBERS = {2: ("two", "2", "a pair of", "a couple of"), 3: ("three", "3", "several"), 4: ("four", "4"),
            5: ("five", "5"), 6: ("six", "6"), 1: ("one", "1", "a single")}
_OBJECT: dict[str, float] = {
    "the": 26, "a": 22, "bare": 12, "the plural": 6, "plural": 4, "number": 10, "the number": 2, "all": 4, "both": 2,
    "some": 3, "another": 2, "the other": 2, "each": 2, "half": 1, "bound": 1.5, "more": 1, "my": 3}
_FURNITURE: dict[str, float] = {"the": 58, "a": 18, "bare": 12, "another": 4, "the other": 4, "same": 2, "my": 2}
_DESCRIBED: dict[Kind, dict[tuple[str, ...], float]] = {
    Kind.OBJECT: {(): 70, ("color",): 8, ("material",): 4, ("state",): 17, ("state", "color"): 1},
    Kind.FURNITURE: {(): 82, ("color",): 9, ("material",): 9}, Kind.ROOM: {(): 1}}
_ROOM: dict[str, float] = {"the": 88, "bare": 8, "my": 2}


def thing(speaker: Speaker, kind: Kind = Kind.OBJECT, *, where: bool = True) -> Phrase:
    """A noun phrase; with `where`, now and then it says where the thing is."""
    tables: dict[Kind, dict[str, float]] = {Kind.OBJECT: _OBJECT, Kind.FURNITURE: _FURNITURE, Kind.ROOM: _ROOM}
    chosen = speaker.weighted(tables[kind])
    determiner = "bare" if speaker.terse and chosen in ("the", "a") and speaker.chance(0.85) else chosen
    before, meaning, plural = _quantified(speaker, determiner)
    described = _attributes(speaker, kind, meaning)
    noun = _noun(speaker, kind, meaning, plural)
    words = [*before, *described, *noun]
    # ``an apple``, mostly: people write ``a apple`` too, where the noise makes it.
    if len(words) > 1 and words[0].text == "a" and not words[0].copied and words[1].text[0] in "aeiou":
        words[0].text = "an"
    if where and kind is not Kind.ROOM and speaker.chance(0.1):
        words += _relation(speaker, kind, meaning)
    elif where and kind is Kind.OBJECT and speaker.chance(0.03):
        words += _on_another(speaker, meaning)
    return Phrase(words, meaning)


def noun_with_contents(speaker: Speaker, piece: Phrase) -> Phrase:
    """``the table with the plant on it``, ``the dresser that has the tv``: told apart by what stands there."""
    there = thing(speaker, where=False)
    meaning = there.meaning
    words = speaker.say("{piece} [with|that has|which has] {there}", piece=piece, there=there)
    if speaker.chance(0.6):
        preposition = speaker.pick(("on", "on", "in"))
        if words[len(piece.words)].text == "with":
            meaning = {**meaning, "places": [{"preposition": preposition, "nouns": [{"pronoun": "it"}]}]}
            words += [Said(preposition), Said("it")]
    return Phrase(words, {**piece.meaning, "places": [{"preposition": "with", "nouns": [meaning]}]})


def region(speaker: Speaker) -> list[Said]:
    """``the left side of``: which part of a piece of furniture; no place tells that."""
    return speaker.say(f"the {speaker.pick(_REGIONS)} of")


def pronoun(speaker: Speaker, plural: bool = False) -> Phrase:
    """it, them."""
    if plural:
        return Phrase(speaker.say("[them|them|them both|these|those|them all]"), {"pronoun": "them", "plural": True})
    return Phrase(speaker.say("[it|it|it|it|this|that]"), {"pronoun": "it"})


def several(speaker: Speaker, least: int = 1, *, where: bool = False, kind: Kind = Kind.OBJECT) -> Phrase:
    """One thing or a list of them; the meaning is a list."""
    number = max(least, speaker.weighted({1: 80, 2: 11, 3: 5, 4: 3, 5: 1}))
    things = [thing(speaker, kind, where=where and number == 1) for _ in range(number)]
    words = list(things[0].words)
    for i, one in enumerate(things[1:], 2):
        last = i == number
        words += [Said(w) for w in speaker.pick((",", ", and", "and", "and", "plus") if last else (",", ",", "and")
                                                ).split()]
        words += one.words
    return Phrase(words, [one.meaning for one in things])


def holding(speaker: Speaker) -> Phrase:
    """``a bowl with a spoon in it``."""
    vessel, content = thing(speaker, where=False), several(speaker)
    if len(content.meaning) > 2:
        content = thing(speaker, where=False)
        content.meaning = [content.meaning]
    words = speaker.say("{vessel} [with|with|with|containing|that has|holding] {content}", vessel=vessel,
                        content=content)
    if words[len(vessel.words)].text == "with" and speaker.chance(0.75):
        inside, preposition = speaker.pick((("in it", "in"), ("inside it", "in"), ("on it", "on"), ("in it", "in")))
        words += [Said(w) for w in inside.split()]
        content.meaning[-1] = {**content.meaning[-1],
                               "places": [{"preposition": preposition, "nouns": [{"pronoun": "it"}]}]}
    place = {"preposition": "with", "nouns": content.meaning}
    return Phrase(words, {**vessel.meaning, "places": [place]})


def place(speaker: Speaker, preposition: str, said: str, noun: Phrase) -> Phrase:
    """A preposition and what it is said of."""
    nouns = noun.meaning if isinstance(noun.meaning, list) else [noun.meaning]
    return Phrase([*(Said(w) for w in said.split()), *noun.words], {"preposition": preposition, "nouns": nouns})


def _quantified(speaker: Speaker, determiner: str) -> tuple[list[Said], Meaning, bool]:
    """Words before the adjectives, what they mean, and whether the noun is in the plural."""
    indefinite: Meaning = {"determiner": "indefinite"}
    simple: dict[str, tuple[str, Meaning, bool]] = {
        "the": ("the", {}, False), "a": ("a", indefinite, False), "bare": ("", indefinite, False),
        "my": ("[my|your|this|that|our]", {}, False), "the plural": ("[the|the|these|those|my]", {}, True),
        "plural": ("", indefinite, True), "another": ("[another|a different]", {"determiner": "other"}, False),
        "the other": ("the other", {"determiner": "other"}, False),
        "same": ("the same", {"determiner": "same"}, False),
        "some": ("some", {"quantity": {"amount": "some"}, **indefinite}, True),
        "each": ("[each|every]", {"quantity": {"amount": "each"}, **indefinite}, False),
        "half": ("half [of|] the", {"quantity": {"amount": "half"}}, True)}
    if determiner in simple:
        template, meaning, plural = simple[determiner]
        return speaker.say(template), dict(meaning), plural
    if determiner in ("all", "both"):
        the = speaker.chance(0.6)
        words = speaker.say(f"{determiner} [of|] the" if the else determiner)
        return words, {"quantity": {"amount": determiner}, **({} if the else indefinite)}, True
    return _counted(speaker, determiner)


def _counted(speaker: Speaker, determiner: str) -> tuple[list[Said], Meaning, bool]:
    number = speaker.weighted({2: 60, 3: 20, 4: 8, 5: 4, 6: 2, 1: 4})
    said = speaker.pick(_NUMBERS[number])
    quantity: Meaning = {"number": number}
    if determiner == "the number":
        said = speaker.pick([one for one in _NUMBERS[number] if not one.startswith("a ")])
        return speaker.say(f"the {said}"), {"quantity": quantity}, number > 1
    if determiner == "more":
        said = speaker.pick([one for one in _NUMBERS[number] if not one.startswith("a ")])
        return (speaker.say(f"{said} [more|additional|other]"),
                {"quantity": {**quantity, "more": True}, "determiner": "indefinite"}, number > 1)
    if determiner == "bound":
        bound, words = speaker.pick((("at_least", "at least"), ("at_most", "at most"), ("at_most", "no more than"),
                                     ("at_least", "no fewer than")))
        said = f"{words} {speaker.pick([one for one in _NUMBERS[number] if not one.startswith('a ')])}"
        quantity["bound"] = bound
    return speaker.say(said), {"quantity": quantity, "determiner": "indefinite"}, number > 1


def _attributes(speaker: Speaker, kind: Kind, meaning: Meaning) -> list[Said]:
    words: list[Said] = []
    if speaker.chance(0.04 if kind is not Kind.ROOM else 0):
        size = speaker.pick(list(_SIZES))
        words += speaker.say(speaker.pick(_SIZES[size]))
        meaning["superlative"] = size
    for sort in speaker.weighted(_DESCRIBED[kind]):
        options = {"color": _COLORS, "material": _MATERIALS, "state": _STATES}[sort]
        said = speaker.names.adjective(kind, options, speaker.rng)
        said = speaker.pick(_DONE) if sort == "state" and speaker.chance(0.1) else said
        copied, span = speaker.copied(said)
        words += copied
        meaning.setdefault("attributes", []).append(span)
    return words


def _noun(speaker: Speaker, kind: Kind, meaning: Meaning, plural: bool) -> list[Said]:
    if kind is Kind.OBJECT and speaker.chance(0.06):
        return speaker.weighted({_part: 3, _group: 1, _vessel: 3})(speaker, meaning, plural)
    name = speaker.names.draw(kind, speaker.rng)
    sliced = kind is Kind.OBJECT and speaker.chance(0.05)
    words, span = speaker.copied(name if not plural or sliced else plural_of(name))
    meaning["name"] = span
    if plural:
        meaning["plural"] = True
    if sliced:
        meaning.setdefault("attributes", []).append("sliced")
        slices = Said("slices" if plural else "slice")
        return [*words, slices] if speaker.chance(0.5) else [slices, Said("of"), *words]
    if kind is Kind.FURNITURE and speaker.chance(0.12):
        speaker.names.follow()
        room, room_span = speaker.copied(speaker.names.draw(Kind.ROOM, speaker.rng))
        meaning["places"] = [{"preposition": "in", "nouns": [{"name": room_span}]}]
        return [*room, *words]
    return words


def _part(speaker: Speaker, meaning: Meaning, plural: bool) -> list[Said]:
    """``a piece of bread``: as an adjective."""
    part, said = speaker.copied(speaker.pick(_PARTS))
    words, meaning["name"] = speaker.copied(speaker.names.draw(Kind.OBJECT, speaker.rng))
    meaning["attributes"] = [*meaning.get("attributes", ()), said]
    if plural:
        meaning["plural"] = True
    return [*part, *speaker.say("[of|of|of the]"), *words]


def _group(speaker: Speaker, meaning: Meaning, plural: bool) -> list[Said]:
    """``a set of keys``: one name."""
    name = speaker.names.draw(Kind.OBJECT, speaker.rng)
    words, meaning["name"] = speaker.copied(f"{speaker.pick(_GROUPS)} of {plural_of(name)}")
    if plural:
        meaning["plural"] = True
    return words


def _vessel(speaker: Speaker, meaning: Meaning, plural: bool) -> list[Said]:
    """``a bowl of water``, ``a box of tools``."""
    vessel = speaker.pick(_taught(_VESSELS)) if speaker.chance(0.7) else speaker.names.draw(Kind.OBJECT, speaker.rng)
    words, meaning["name"] = speaker.copied(plural_of(vessel) if plural else vessel)
    if plural:
        meaning["plural"] = True
    what = speaker.pick(_taught(_SUBSTANCES)) if speaker.chance(0.8) else speaker.names.draw(Kind.OBJECT, speaker.rng)
    content, span = speaker.copied(what)
    meaning["places"] = [{"preposition": "of", "nouns": [{"name": span, "determiner": "indefinite"}]}]
    return [*words, Said("of"), *content]


@cache
def _taught(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if not is_held_out(name))


def _on_another(speaker: Speaker, meaning: Meaning) -> list[Said]:
    """``an egg on a plate``"""
    preposition, said = speaker.pick((("on", "on"), ("on", "on"), ("in", "in"), ("in", "inside")))
    speaker.names.follow()
    where = place(speaker, preposition, said, thing(speaker, where=False))
    meaning["places"] = [*meaning.get("places", ()), where.meaning]
    return where.words


def _relation(speaker: Speaker, kind: Kind, meaning: Meaning) -> list[Said]:
    """``that is on the table``"""
    other = Kind.ROOM if kind is Kind.FURNITURE or speaker.chance(0.3) else Kind.FURNITURE
    preposition, said = ("in", "in") if other is Kind.ROOM else speaker.pick(
        (("on", "on"), ("on", "on top of"), ("in", "in"), ("in", "inside"), ("next_to", "next to"), ("next_to", "by"),
         ("next_to", "beside"), ("under", "under"), ("behind", "behind")))
    speaker.names.follow()
    where = place(speaker, preposition, said, thing(speaker, other, where=False))
    meaning["places"] = [where.meaning]
    return speaker.say("[|||that is|which is|that's|sitting|located|found|standing] {where}", where=where)


def spans(meaning: Any) -> list[Span]:
    """All that it points at."""
    if isinstance(meaning, Span):
        return [meaning]
    items = meaning.values() if isinstance(meaning, dict) else meaning if isinstance(meaning, list) else ()
    return [span for item in items for span in spans(item)]

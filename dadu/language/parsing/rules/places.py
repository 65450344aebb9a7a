"""Prepositional phrases to `PlacePhrase`."""

from __future__ import annotations

from typing import Any

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Preposition
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.rules.nouns import NounRules
from dadu.language.parsing.tokens import Word

_PREPOSITIONS: dict[Preposition, frozenset[str]] = {
    "on": frozenset({"on", "onto", "upon", "on top of", "on to", "over"}),
    "in": frozenset({"in", "into", "inside", "in to"}),
    "next_to": frozenset({"right next to", "right beside", "beside", "by", "near", "against", "around", "next to",
                          "close to", "in front of", "across from", "closer to", "closest to", "nearest to"}),
    "between": frozenset({"between", "in between"}),
    "under": frozenset({"under", "underneath", "beneath", "below"}),
    "behind": frozenset({"behind", "above"}),  # both but tell apart
    "from": frozenset({"from", "off", "off of", "out of", "out"}),
    "with": frozenset({"with", "using", "containing", "holding", "full of", "filled with", "along with",
                       "together with"}),
}
_BESIDE = frozenset({"left", "right", "front", "side", "left hand", "right hand", "other"})
_WITHIN = frozenset({"end", "edge", "corner", "lower", "middle", "center", "area"})
_INSIDE = frozenset({"inside"})
_BRIGHT = frozenset({"light"})
_ON_TOP = frozenset({"top"})


class PlaceRules(NounRules):
    """Rules that make places."""

    def preposition(self, parts: list[Any], text: str) -> tuple[Preposition, str]:
        if isinstance(parts[0], tuple):
            return parts[0]
        words = [str(part) for part in parts if isinstance(part, Word)]
        if words[-1] == "of":
            if _of_a_region(words) == "next_to":
                self.notes.append(f"{text!r} is taken as next to")
            return _of_a_region(words), text
        known = [_relation(word) for word in words]
        if known[0] == "from" or len(known) == 1 or known[-1] == "at":
            return known[0] if words[0] != "back" else known[-1], text
        return known[-1], text

    def beside(self, parts: list[Any], text: str) -> tuple[Preposition, str]:
        """Left of, inside of."""
        found = _of_a_region(["at", *map(str, parts)])
        if found in ("at", "next_to"):
            self.notes.append(f"{text!r} is taken as next to")
            return "next_to", text
        return found, text

    def place(self, parts: list[Any], text: str) -> PlacePhrase | None:
        preposition, words = parts[0] if isinstance(parts[0], tuple) else ("at", "to")
        things: tuple[NounPhrase, ...] = parts[1]
        if preposition in ("on", "at") and "side" in words.split() and all(
                tuple(np.name.split()) in self.names.objects for np in things):  # at the side of a plate; on a table's
            preposition = "next_to"
        if text.startswith("for ") and things[0].name in map(default_lexicon().singular, word_classes().times):
            self.notes.append(f"not taken as part of the task: {text!r}")
            return None
        special = _special(things[0]) if len(things) == 1 else ""
        if special == "there":
            return PlacePhrase("at", (NounPhrase(pronoun="there", text=text),), text=text)
        if special:
            return PlacePhrase(preposition, (), special=special, text=text)  # type: ignore[arg-type]
        return PlacePhrase(preposition, things, text=text)

    def to_me(self, parts: list[Any], text: str) -> PlacePhrase:
        preposition, _ = parts[0]
        return PlacePhrase(preposition, (NounPhrase(pronoun="me", text=str(parts[-1])),), text=text)

    def there(self, parts: list[Any], text: str) -> PlacePhrase | None:
        if isinstance(parts[0], tuple) and parts[0][0] == "from":
            return self.former(parts, text)
        here = "here" in text.split()
        return PlacePhrase("at", (NounPhrase(pronoun="here" if here else "there", text=text),), text=text)

    def elsewhere(self, parts: list[Any], text: str) -> PlacePhrase:
        return PlacePhrase("at", (), special="elsewhere", text=text)

    def together(self, parts: list[Any], text: str) -> PlacePhrase:
        return PlacePhrase("next_to", (), special="together", text=text)

    def usual(self, parts: list[Any], text: str) -> PlacePhrase:
        seeks = any(isinstance(part, Word) and part.may_be("SEEKS") for part in parts)  # where people look for it
        if seeks or isinstance(parts[1], tuple) and len(parts) > 3:  # to the table where it belongs
            self.notes.append(f"{text} is where it belongs")
        return PlacePhrase("at", (), special="usual", text=text)

    def former(self, parts: list[Any], text: str) -> PlacePhrase | None:
        """Where it is (was); where the pillow is (was). From wherever it is, or from there, says nothing."""
        if isinstance(parts[0], tuple) and parts[0][0] == "from":
            self.notes.append(f"not taken as part of the task: {text!r}")
            return None
        things: tuple[NounPhrase, ...] = next(p for p in parts if isinstance(p, tuple) and isinstance(p[0], NounPhrase))
        return PlacePhrase("at", tuple(t for t in things if not t.pronoun), special="former", text=text)


def _relation(word: str) -> Preposition:
    return next((relation for relation, words in _PREPOSITIONS.items() if word in words), "at")


def _of_a_region(words: list[str]) -> Preposition:
    """On the left side of, at the back of, to the top of."""
    base, regions = _relation(words[0]), set(words[1:-1])
    if base == "from":
        return base
    if base == "at" and words[0] == "to" and "side" in regions and regions & {"left", "right"}:  # to the left side of
        return "at"
    if regions & _BRIGHT:
        return "under"
    if regions & _INSIDE:
        return "in"
    if regions & _ON_TOP:
        return "on"
    within = regions & _WITHIN or base == "on" and "side" in regions
    return "next_to" if regions & _BESIDE and not within else base


def _special(noun: NounPhrase) -> str:
    """What "its proper place" means: usual, former, there, elsewhere; else ""."""
    table = word_classes()
    if noun.name not in table.place_nouns or noun.places or noun.purpose:
        return ""
    if noun.determiner == "same":
        return "there"
    if noun.determiner == "other":
        return "elsewhere"
    words = set(noun.attributes)
    return next((special for special, known in table.place_adjectives.items() if words & set(known)),
                "" if words else "usual")

"""Noun phrases: determiners, quantities, adjectives and names to `NounPhrase`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Preposition, Quantity
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.names import Names, room_names
from dadu.language.parsing.rules.parts import Alternative, Amount, Excluded, Ordered, Purpose, Relative
from dadu.language.parsing.tokens import Word
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_INDEFINITE = frozenset({"a", "an", "some", "any", "no", "another"})
_AMOUNTS = {"every": "each", **dict.fromkeys(("several", "none", "any", "many", "a few", "a couple", "couple", "pair",
                                              "pairs"), "")}
_COUNTS = {"a couple": 2, "couple": 2, "pair": 2, "a few": 3, "several": 3}
_BOUNDS = {"at least": "at_least", "at most": "at_most", "no more than": "at_most"}
_PRONOUNS = {"they": "them", "these": "them", "those": "them", "this": "it", "that": "it", "itself": "it",
             "both": "them", "all": "them", "them both": "them", "them all": "them", "all of them": "them",
             "both of them": "them"}


class NounRules:
    """Rules that make noun phrases."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.notes: list[str] = []
        """what was read into the words or passed over"""

    def before(self, parts: list[Any], text: str) -> Amount:
        word: Word = parts[0]
        said = str(word)
        if word.may_be("NUMBER"):
            number = word_classes().numbers.get(said)
            return Amount(Quantity(number=int(said) if number is None else number))
        if word.may_be("BOUND"):
            return Amount(Quantity(bound=_BOUNDS.get(said, "exactly")))  # type: ignore[arg-type]
        if word.may_be("MORE"):
            return Amount(Quantity(more=True))
        if word.may_be("KIND"):
            return Amount(Quantity(kinds=True))
        if word.may_be("OTHER"):
            return Amount(Quantity(), other=True)
        return Amount(Quantity(number=_COUNTS.get(said), amount=_AMOUNTS.get(said, said)))  # type: ignore[arg-type]

    def describing(self, parts: list[Any], text: str) -> str:
        return str(parts[0])

    becoming = describing

    def pair(self, parts: list[Any], text: str) -> str:
        """New and empty: of these rules only the words count."""
        return text

    remark_words = unread = ought = you_find = doing = pair

    def order(self, parts: list[Any], text: str) -> Any:
        """What the last part of it says."""
        return parts[-1]

    inquire = question = more_full = more_bare = order

    def core(self, parts: list[Any], text: str) -> NounPhrase:
        words = [part for part in parts if isinstance(part, Word) and part.may_be("NOUN") and not part.may_be("DET")]
        return replace(self._named(_specified(parts, text), [str(word) for word in words]), text=text)

    def unnamed(self, parts: list[Any], text: str) -> NounPhrase:
        """The red one, the other, two."""
        noun = _specified(parts, text)
        if noun.determiner == "other" and noun.quantity == Quantity(number=1) and str(parts[0]) == "the":
            return NounPhrase(pronoun="one", attributes=("other",), text=text)  # not another red one
        last = text.split()[-1]
        if last in ("both", "all"):
            return NounPhrase(pronoun="them", plural=True, text=text)
        return replace(noun, pronoun="rest" if last in ("rest", "others") else "one")

    def pronoun(self, parts: list[Any], text: str) -> NounPhrase:
        """It, both of them."""
        said = next(str(part) for part in reversed(parts) if isinstance(part, Word) and part.may_be("PRONOUN"))
        noun = replace(_specified(parts[:-1], text), determiner="definite")
        kind: Any = _PRONOUNS.get(said, said)
        return replace(noun, pronoun=kind, plural=kind == "them")

    def something(self, parts: list[Any], text: str) -> NounPhrase:
        """Something cold."""
        said = str(parts[0]).removesuffix(" else")
        whole = said in ("everything", "stuff")
        plural = said.endswith("s") or whole
        purpose = next((part.words for part in parts if isinstance(part, Purpose)), "")
        attributes = tuple(part for part in parts[1:] if not isinstance(part, Purpose))
        return NounPhrase(name=default_lexicon().singular(said), attributes=attributes, plural=plural, purpose=purpose,
                          quantity=Quantity(amount="all" if whole else ""), text=text,
                          determiner="definite" if whole else "indefinite")

    def thing(self, parts: list[Any], text: str) -> NounPhrase:
        noun: NounPhrase = parts[0]
        rest = [part for part in parts[1:] if not isinstance(part, Word)]
        for part in rest:
            if isinstance(part, NounPhrase):
                noun = self._of(noun, part)
            elif isinstance(part, Purpose):
                noun = replace(noun, purpose=part.words)
            elif isinstance(part, Relative):
                noun = replace(noun, attributes=noun.attributes + part.attributes, places=noun.places + part.places,
                               excluded=noun.excluded + part.excluded)
        return replace(noun, text=text)

    def things(self, parts: list[Any], text: str) -> tuple[NounPhrase, ...]:
        out: list[NounPhrase] = []
        for part in parts:
            if isinstance(part, Alternative):
                out[-1] = replace(out[-1], alternatives=(*out[-1].alternatives, part.noun))
            elif isinstance(part, Excluded):
                out[-1] = replace(out[-1], excluded=(*out[-1].excluded, part.noun))
            elif isinstance(part, NounPhrase):
                out.append(_as_definite_as(out[0], part) if out else part)
        if len(out) == 2 and out[0].determiner == "other" and out[1].determiner == "definite" and str(parts[1]) == ",":
            self.notes.append(f"{out[0].text!r} is {out[1].text!r}")  # another drink, the milk
            out = out[1:]
        if len(out) > 1 and out[0].quantity.amount == "both" and not out[0].plural:  # both the cup and the plate
            out[0] = replace(out[0], quantity=replace(out[0].quantity, amount=""))
        in_order = any(isinstance(part, Word) and part.may_be("THEN") for part in parts)
        return Ordered(out) if in_order else tuple(out)

    def contents(self, parts: list[Any], text: str) -> NounPhrase:
        """What is in it; whatever you find there."""
        there = PlacePhrase("in", (NounPhrase(pronoun="there", text="there"),), text=text)
        places = next((part for part in parts if isinstance(part, tuple)), (there,))
        return NounPhrase(name="everything", quantity=Quantity(amount="all"), plural=True, places=places, text=text)

    def whichever(self, parts: list[Any], text: str) -> NounPhrase:
        """Whatever is open; whichever book is not red."""
        words = [str(word) for word in parts[1:-1]]
        everything = NounPhrase("everything", quantity=Quantity(amount="all"), plural=True, text=text)
        noun = self._named(NounPhrase(text=text), words) if words else everything
        return self.thing([noun, parts[-1]], text)

    def which_so(self, parts: list[Any], text: str) -> Relative | Purpose:
        return self.relative([None, *parts], text)

    def or_thing(self, parts: list[Any], text: str) -> Alternative:
        return Alternative(parts[-1])

    def excluded(self, parts: list[Any], text: str) -> Excluded:
        """But not the red one. Errors: Refusal of the contrary, but only the red one."""
        if parts[-1].text.startswith(("only ", "just ")):
            raise Refusal(f"say it again with {parts[-1].text!r} alone", [text], Code.UNKNOWN_ACTION)
        return Excluded(parts[-1])

    def needed(self, parts: list[Any], text: str) -> NounPhrase:
        """What I need for it."""
        return NounPhrase(pronoun="needed", plural=True, text=text)

    def for_what(self, parts: list[Any], text: str) -> Purpose:
        """That swims; to drink."""
        return Purpose(text)

    purposeful = for_doing = for_what

    def relative(self, parts: list[Any], text: str) -> Relative | Purpose:
        """That is red, lying on the table."""
        if isinstance(parts[0], Purpose):
            return parts[0]
        places = next((part for part in parts if isinstance(part, tuple)), ())
        places = tuple(replace(place, text=text) for place in places)
        adjectives = tuple(str(p) for p in parts[1:] if isinstance(p, Word) and p.may_be(
            "ADJECTIVE", "PARTICIPLE", "PREDICATIVE")
                           and not p.may_be("BE", "RELATIVE"))
        if any(isinstance(part, Word) and part.may_be("NOT") for part in parts):
            other = NounPhrase(pronoun="one", attributes=adjectives, places=places, text=text)
            return Relative(excluded=(other,))
        return Relative(adjectives, places)

    def neither(self, parts: list[Any], text: str) -> Relative:
        """That is neither red nor green."""
        return Relative(excluded=tuple(NounPhrase(pronoun="one", attributes=(str(word),), text=text)
                                       for word in parts if word.may_be("ADJECTIVE")))

    def fitting(self, parts: list[Any], text: str) -> Relative:
        """Suitable, for it: for what was spoken of."""
        return Relative(("suitable",))

    def having(self, parts: list[Any], text: str) -> Relative:
        """That has the television on it."""
        return Relative(places=(PlacePhrase("with", parts[-1], text=text),))

    def containing(self, parts: list[Any], text: str) -> Relative:
        """A bowl with a spoon and a fork in it."""
        *things, last = parts[1]
        on: Preposition = "on" if str(parts[2]) in ("on", "on top of") else "in"
        inner = PlacePhrase(on, (NounPhrase(pronoun="it", text="it"),), text=f"{parts[2]} it")
        last = replace(last, places=(*last.places, inner))
        return Relative(places=(PlacePhrase("with", (*things, last), text=text),))

    def side(self, parts: list[Any], text: str) -> Relative:
        """On the far left."""
        return Relative((text,))

    def _named(self, noun: NounPhrase, words: Sequence[str]) -> NounPhrase:
        """The longest end of `words` that is a name; what stands before it says which one is meant."""
        normal = default_lexicon().normal
        last = default_lexicon().singular(words[-1])
        if last in default_lexicon().pieces and len(words) > 1:  # a potato slice
            cut = replace(noun, attributes=(*noun.attributes, *_cut(last)))
            return replace(self._named(cut, words[:-1]), plural=last != words[-1])
        if last in default_lexicon().units and len(words) > 1 and normal(" ".join(words)) not in self.names:
            self.notes.append(f"{' '.join(words)}: taken as {' '.join(words[:-1])}")  # toilet paper rolls
            return replace(self._named(noun, words[:-1]), plural=last != words[-1])
        start = next((i for i in range(len(words)) if normal(" ".join(words[i:])) in self.names), 0)
        if words[start:] and words[-1] in self.names.ids:
            return replace(noun, name=words[-1], attributes=(*noun.attributes, *words[:-1]))
        name = " ".join(normal(" ".join(words[start:])))
        before, places = words[:start], noun.places
        rooms = [word for word in before if normal(word) in room_names()]
        if rooms:
            before = [word for word in before if word not in rooms]
            room = NounPhrase(name=" ".join(normal(rooms[0])), text=rooms[0])
            places = (*places, PlacePhrase("in", (room,), text=rooms[0]))
        plural = words[-1].split()[-1:] != name.split()[-1:]  # the drinks fridge is one
        return replace(noun, name=name, plural=plural, places=places, attributes=(*noun.attributes, *before))

    def _of(self, noun: NounPhrase, inner: NounPhrase) -> NounPhrase:
        """A slice of tomato, a loaf of bread, a box of cereal, the door of the fridge."""
        if not noun.name:  # one of the chairs, one of the two
            if inner.quantity.number is not None:
                self.notes.append(f"{noun.text!r} of {inner.text!r}")
            number = 1 if noun.quantity.number is None and noun.pronoun == "one" else noun.quantity.number
            quantity = replace(noun.quantity, number=number)
            return replace(inner, quantity=quantity, superlative=noun.superlative or inner.superlative,
                           attributes=(*noun.attributes, *inner.attributes))
        if inner.pronoun in ("it", "them"):  # everything of it
            return replace(inner, pronoun="them", plural=True, quantity=noun.quantity, places=noun.places)
        lexicon = default_lexicon()
        joined = (*lexicon.normal(inner.name), *lexicon.normal(noun.name))
        if noun.name in lexicon.pieces or noun.name in lexicon.units:
            return replace(noun, name=inner.name, attributes=(*noun.attributes, *inner.attributes, *_cut(noun.name)))
        if joined in self.names and not inner.attributes:
            return replace(noun, name=" ".join(joined))
        return replace(noun, places=(*noun.places, PlacePhrase("of", (inner,), text=f"of {inner.text}")))


def _as_definite_as(first: NounPhrase, noun: NounPhrase) -> NounPhrase:
    """``the candle and lamp``: the lamp."""
    bare = noun.quantity == Quantity() and noun.text.split()[0] not in _INDEFINITE
    return replace(noun, determiner=first.determiner) if bare and first.determiner == "definite" else noun


def _cut(piece: str) -> tuple[str, ...]:
    """What a slice of it is; whether a piece is a slice depends on what it is of."""
    if piece not in default_lexicon().pieces:
        return ()
    return ("piece",) if piece == "piece" else ("sliced",)


def _specified(parts: Sequence[Any], text: str) -> NounPhrase:
    """What stands before the name: all three of the big red ..."""
    noun = NounPhrase(determiner="indefinite", text=text)
    for part in parts:
        if isinstance(part, Amount):
            noun = _with_amount(noun, part)
        elif isinstance(part, Word) and part.may_be("DET"):
            noun = _determined(noun, str(part))
        elif isinstance(part, str) and not isinstance(part, Word):
            noun = _described(noun, part)
    return noun


def _with_amount(noun: NounPhrase, amount: Amount) -> NounPhrase:
    old, new = noun.quantity, amount.quantity
    both = Quantity(number=new.number if new.number is not None else old.number, amount=new.amount or old.amount,
                    bound=new.bound if new.bound != "exactly" else old.bound,
                    kinds=new.kinds or old.kinds, more=new.more or old.more)
    return replace(noun, quantity=both, determiner="other" if amount.other else noun.determiner)


def _determined(noun: NounPhrase, said: str) -> NounPhrase:
    if said in ("every", "each"):
        return replace(noun, quantity=replace(noun.quantity, amount="each"))
    if said == "same":
        return replace(noun, determiner="same")
    if said == "no":
        return replace(noun, determiner="none", quantity=replace(noun.quantity, number=0))
    if noun.determiner == "same":
        return noun
    return replace(noun, determiner="indefinite" if said in _INDEFINITE else "definite")


def _described(noun: NounPhrase, word: str) -> NounPhrase:
    table = word_classes()
    if word == "same":
        return replace(noun, determiner="same")
    if word in table.superlatives:
        return replace(noun, superlative=table.superlatives[word])
    words = word.split(" and ")
    return replace(noun, attributes=(*noun.attributes, *words))

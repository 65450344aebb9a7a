"""What pronouns stand for: it, them, there, one, the rest, the former."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dadu.goals.candidates import candidates, located
from dadu.goals.goal import Description, Term, Where
from dadu.language.reading.syntax import Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.nouns import Nouns
from dadu.world.graph import Kind, Relation, WorldGraph

SUPPORTS = (Kind.FURNITURE, Kind.ROOM)


@dataclass(frozen=True)
class Thing:
    """A term with how many are meant."""

    term: Term
    kind: Kind
    number: int = 1
    every: bool = False
    noun: Noun | None = None
    clause: int = 0
    requires: tuple[str, ...] = ()
    """predicates that its adjectives ask for: a washed cup"""
    substitution: str = ""
    """``WORDS -> ID`` where it is not called so"""
    implied: bool = False
    """thought of for a wish rather than named"""
    source: bool = False
    """spoken of as where something comes from"""
    among: tuple[str, ...] = ()
    """the ones of which it is some that stay: leave two apples in the bowl"""

    @property
    def description(self) -> Description:
        """What the words say of it. Errors: Refusal where they say no more than where it is."""
        if self.term.description is None:
            raise Refusal(f"I do not know what {self.term.name!r} is; call it by its name", [self.term.name])
        return self.term.description


def _of_many(thing: Thing) -> bool:
    """The keys, the headphones: ``them``, though one thing."""
    word = thing.noun.words[-1] if thing.noun is not None and thing.noun.words else ""
    return len(word) > 4 - (word == "keys") and word.endswith("s") and not word.endswith("ss")


class Pronouns:
    """What was mentioned, the newest last. `Things` grounds the nouns."""

    graph: WorldGraph
    nouns: Nouns
    mentions: list[Thing]
    clause: int
    acted: dict[str, tuple[str, ...]]
    beside: str
    wished: str
    """key of what somebody would like to have"""
    together: list[Thing]
    """what the last clause of several things was about"""

    def _noun(self, placed: Placed, kinds: tuple[Kind, ...]) -> Thing:
        raise NotImplementedError

    def where(self, prep: Prep) -> Where:
        raise NotImplementedError

    def _from_there(self, thing: Thing, placed: Placed) -> Thing:
        """``my shirt ... take it from the bed``: of the shirts the one that is there."""
        if thing.every or thing.kind is not Kind.OBJECT or len(thing.term.ids) < 2:
            return thing
        try:
            sources = [self.where(p) for p in placed.where if p.relation == "from"]
        except Refusal:  # take it out of the way
            sources = []
        there = tuple(id for id in thing.term.ids if id in self.graph and all(
            located(self.graph, self.graph[id], w) for w in sources))
        return replace(thing, term=replace(thing.term, ids=there)) if sources and there else thing

    def _last_word(self, thing: Thing) -> tuple[str, ...]:
        """``bottle`` for a wine bottle, where it is known which thing is meant."""
        known = len(thing.term.ids) == 1 and thing.term.ids[0] in self.graph
        return self.nouns.lexicon.normal(self.graph[thing.term.ids[0]].category)[-1:] if known else ()

    def _core(self, noun: Noun) -> tuple[str, ...]:
        """Its words less what becomes of it: the sliced tomato is the tomato."""
        lexicon = self.nouns.lexicon
        return tuple(w for w in noun.words if lexicon.state_of.get(w, "is_dirty") in lexicon.choosing)

    def last(self, *kinds: Kind) -> Thing | None:
        """The newest mention of one of these kinds."""
        return next((t for t in reversed(self.mentions) if t.kind in kinds), None)

    def _pronoun(self, placed: Placed, kinds: tuple[Kind, ...]) -> list[Thing]:
        noun = placed.noun
        rest = noun.other and not noun.words and noun.text.split()[-1:] in (["others"], ["rest"], ["ones"])
        if noun.pronoun == "one" and rest:
            left = self._left_over()
            if left:
                return left
        if noun.pronoun == "one" and not (noun.words or noun.other or noun.every or (noun.number or 1) > 1):
            wished = [t for t in reversed(self.mentions) if t.term.key == self.wished]
            if wished and wished[0].clause >= self.clause - 2:  # I would like a soda. Bring me one
                return wished[:1]
        if noun.pronoun in ("one", "any", "none"):
            return [self._one_of(placed, kinds)]
        if noun.pronoun == "needed":
            raise Refusal(f"I do not know what for in {noun.text!r}; say what it is needed for", [noun.text])
        if noun.pronoun in ("first", "last"):
            return [self._of_two(noun)]
        if noun.pronoun == "there":
            kinds = SUPPORTS
        found = [t for t in reversed(self.mentions) if not kinds or t.kind in kinds]
        if not found and noun.pronoun == "there" and (place := self._place_of_last()) is not None:
            return [place]
        if not found:
            raise Refusal(f"I do not know what {noun.text!r} stands for; name the thing", [noun.text])
        if noun.pronoun == "there" and found[0].source:  # take one from the table and put it there: not on the table
            found = [t for t in found if not t.source and t.clause >= self.clause - 3] or found
        if not kinds:  # take the pot to the kitchen and rinse it: the pot
            found = [t for t in found if t.kind is not Kind.ROOM] or found
        if noun.pronoun == "them":
            newest = found[0]
            if newest.term.key in [t.term.key for t in self.together]:
                return self.together
            one = len(newest.term.ids) == 1 and newest.noun is not None and not newest.noun.plural  # the toy food
            if (newest.every or newest.number > 1) and not one:
                return [self._all_of_it(t, noun) for t in self._joined(newest, found)]
            together = self._distinct(t for t in reversed(found) if t.clause == newest.clause)
            if len(together) == 1 and not _of_many(newest):  # take the cup, then the plate, and put them...
                together = self._distinct(t for t in reversed(found) if t.clause in (newest.clause - 1, newest.clause))
            return [self._all_of_it(t, noun) for t in together] if len(together) == 1 else together
        if kinds == (Kind.OBJECT,) and found[0].term.key == self.beside:  # the cup next to the plate, and fill it
            found = [t for t in found if t.clause == found[0].clause and t.term.key in self.acted
                     and t.term.key != self.beside] or found
        return [self._all_of_it(found[0], noun)]

    def _all_of_it(self, thing: Thing, noun: Noun) -> Thing:
        """``if there is any fruit on the table, put (all of) it in the fridge``: whatever there is of it."""
        said = thing.noun
        if said is None or thing.kind is not Kind.OBJECT or not said.indefinite or said.number:
            return thing
        mass = noun.pronoun == "them" or said.words[-1] in self.nouns.lexicon.mass_nouns
        whole = noun.every or said.text.startswith("any ") and mass
        return replace(thing, every=True) if whole else thing

    def _place_of_last(self) -> Thing | None:
        """``where is the tape? Go there``: what it is on or in; None where that is not known."""
        last, graph = self.last(Kind.OBJECT), self.nouns.graph
        if last is None:
            return None
        edges = [graph.support(id) for id in last.term.ids]
        places = tuple(sorted({edge.object for edge in edges if edge is not None}))
        if len(places) != 1 or graph[places[0]].kind not in SUPPORTS:
            return None
        return Thing(Term(f"where {last.term.name} is", places), graph[places[0]].kind)

    def _joined(self, newest: Thing, found: list[Thing]) -> list[Thing]:
        """``the books and the pens``: both of them; ``the books next to the pens``: the pens."""
        if newest.noun is None or not newest.noun.joined:
            return [newest]
        return self._distinct(t for t in reversed(found)
                              if t.clause == newest.clause and t.noun is not None and t.noun.joined)

    def _of_two(self, noun: Noun) -> Thing:
        """``the former`` and ``the latter`` of two that were named together before."""
        for clause in range(self.clause - 1, 0, -1):
            named = self._distinct(t for t in self.mentions if t.clause == clause)
            pair = [t for t in named if t.kind is named[-1].kind]
            if len(pair) > 1:
                return pair[-2 if noun.pronoun == "first" else -1]
        raise Refusal(f"I do not know which two things {noun.text!r} is one of; name it", [noun.text])

    def _these(self, placed: Placed) -> list[Thing]:
        """``these toys``: those of that kind that were spoken of; ``the items``: all that is to be moved so far."""
        noun = placed.noun
        if not noun.these or any(p.relation != "from" for p in placed.where):
            return []
        spoken = self._distinct(t for t in self.mentions if t.kind is Kind.OBJECT and t.noun is not None)
        if noun.words[-1] in self.nouns.lexicon.plain_nouns and len(noun.words) == 1:
            spoken = [t for t in spoken if t.term.key in self.acted]
        else:
            try:
                categories = self.nouns.meaning(noun.words, noun.text, (Kind.OBJECT,)).description.categories
            except Refusal:
                return []
            spoken = [t for t in spoken if t.noun is not None and t.noun.words != noun.words
                      and t.term.description is not None and set(t.term.description.categories) <= set(categories)]
        return spoken[-noun.number:] if noun.number else spoken

    def _left_over(self) -> list[Thing]:
        """Of several things that were named together, those that were not spoken of since: the pen, the cup and the
        lamp here; the lamp there and the others elsewhere."""
        named = [t for t in self.mentions if t.kind is Kind.OBJECT and t.number == 1 and not t.every]
        for clause in range(self.clause - 1, 0, -1):
            together = self._distinct(t for t in named if t.clause == clause)
            later = {t.term.key for t in named if t.clause > clause}
            if len(together) > 2 and later & {t.term.key for t in together}:
                return [t for t in together if t.term.key not in later]
        return []

    def _except(self, noun: Noun, other: Noun, kinds: tuple[Kind, ...]) -> Description:
        raise NotImplementedError

    def less(self, things: list[Thing], noun: Noun) -> list[Thing]:
        """``them all except the red one``: what is left of them. Errors: Refusal where nothing is."""
        if not noun.without:
            return things
        out = []
        for thing in things:
            without = tuple(self._except(thing.noun or noun, other, (Kind.OBJECT,)) for other in noun.without)
            gone = {e.id for other in without for e in candidates(other, self.nouns.graph)}
            ids = tuple(id for id in thing.term.ids if id not in gone)
            description = thing.term.description
            if description is not None:
                description = replace(description, without=(*description.without, *without))
            term = replace(thing.term, key=f"{thing.term.key} {noun.text}", ids=ids, description=description)
            if ids or not thing.term.ids:
                out.append(replace(thing, term=term))
        if not out:
            raise Refusal(f"nothing is left of {noun.text!r}", [noun.text])
        return out

    def _others(self, description: Description, noun: Noun) -> Description:
        """``all other things``: less those that were spoken of; where some are left at a place, of what is there."""
        left = next((t for t in reversed(self.mentions) if t.among and t.clause >= self.clause - 1), None)
        if left is not None and noun.words[-1] in self.nouns.lexicon.plain_nouns and not description.where:
            description = replace(description, where=(Where(Relation.ON, self._kept_at(left)),))
        spoken = [t.term.description if t.every or len(t.term.ids) == 1 else Description(id, t.kind, (), ids=(id,))
                  for t in self.mentions if t.kind is description.kind and t.term.description is not None
                  and (t.every or t.number == 1) for id in t.term.ids[:1]]
        return replace(description, without=(*description.without, *spoken))

    @staticmethod
    def _distinct(things: Iterable[Thing]) -> list[Thing]:
        return list({t.term.key: t for t in things}.values())

    def _one_of(self, placed: Placed, kinds: tuple[Kind, ...]) -> Thing:
        """``the red one``, ``two more``, ``the rest``: its own adjectives, the noun of what was spoken of."""
        noun = placed.noun
        spoken = [t for t in reversed(self.mentions) if t.kind in (kinds or (Kind.OBJECT,))]
        several = (t for t in spoken if t.noun is not None and (t.noun.indefinite or t.noun.number or t.noun.plural))
        model = next(several, spoken[0] if spoken else None)  # an apple next to the bowl and another one: an apple
        if model is None or model.noun is None or not model.noun.words:
            raise Refusal(f"I do not know what {noun.text!r} stands for", [noun.text])
        plain = self.nouns.plain(model.noun.words) if noun.other or noun.words else model.noun.words
        head = replace(model.noun, number=noun.number or 1, every=noun.every, plural=False, other=True,
                       words=(*noun.words, *plain), text=noun.text)
        if noun.pronoun in ("any", "none"):
            head = replace(head, every=False, other=False)
        if noun.other and not noun.number and noun.text.split()[-1] in ("rest", "others", "ones", "remaining"):
            if model.among:
                return self._not_left(model, noun)
            return self._rest(noun, replace(model.noun, number=None, every=True, other=False, alternatives=()))
        return self._noun(replace(placed, noun=head), kinds)

    def _not_left(self, kept: Thing, noun: Noun) -> Thing:
        """``leave one book on the shelf and take the rest to the desk``: of the books there, or of all that is there.
        Errors: Refusal where nothing is."""
        edges = ((e.id, self.nouns.graph.support(e.id)) for e in self.nouns.graph.of(Kind.OBJECT))
        there = tuple(id for id, edge in edges if edge is not None and edge.object in self._kept_at(kept))
        named = kept.noun is not None and kept.noun.number is None  # leave the bread there, and the rest
        whole = (kept.among, there) if named and noun.text.endswith("rest") else (kept.among,)
        ids = (tuple(id for id in each if id not in kept.term.ids) for each in whole)
        left = next(filter(None, ids), ())
        if not left:
            raise Refusal(f"nothing is left for {noun.text!r}", [noun.text])
        description = replace(kept.description, categories=(), ids=left, alternatives=(), where=())
        term = replace(kept.term, key=f"{noun.text}#{len(self.mentions)}", ids=left, description=description)
        return replace(kept, term=term, number=len(left), every=True, among=())

    def _kept_at(self, kept: Thing) -> tuple[str, ...]:
        """What those are on or in that stay."""
        edges = [self.nouns.graph.support(id) for id in kept.term.ids]
        return tuple(sorted({edge.object for edge in edges if edge is not None}))

    def _rest(self, noun: Noun, head: Noun) -> Thing:
        """All of a kind less those that were spoken of: by id where one was meant, else by number."""
        spoken = [t for t in self.mentions if t.kind is Kind.OBJECT and not t.every]
        thing = self._noun(Placed(replace(head, words=head.words[-1:])), (Kind.OBJECT,))
        if not thing.term.ids:
            raise NotSeen(f"I do not know yet how many {head.text!r} there are", [noun.text], thing.term.description)
        whole = next((t for t in reversed(self.mentions) if t.every and t.noun is not None
                      and t.noun.words == ("everything",)), None)  # clear the desk: the bowl here, the rest there
        left = self._less_spoken(thing, spoken, noun) or whole and self._less_spoken(whole, spoken, noun)
        if not left:
            raise NotSeen(f"nothing is left of {head.text!r} for {noun.text!r}", [noun.text], thing.term.description)
        return left

    def _less_spoken(self, thing: Thing, spoken: list[Thing], noun: Noun) -> Thing | None:
        """What is left of it; None where that is nothing."""
        used = {t.term.ids[0] for t in spoken if len(t.term.ids) == 1}
        ids = tuple(id for id in thing.term.ids if id not in used)
        number = len(ids) - sum(t.number for t in spoken if len(t.term.ids) > 1 and set(t.term.ids) & set(ids))
        if number < 1:
            return None
        description = replace(thing.description, categories=(), ids=ids, alternatives=())
        term = replace(thing.term, key=f"{noun.text}#{len(self.mentions)}", ids=ids, description=description)
        return replace(thing, term=term, number=number, every=number == len(ids))

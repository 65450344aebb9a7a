"""From noun phrases to the terms of a goal: quantities, places that narrow them, pronouns and what they stand for."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.candidates import candidates, exactly, near
from dadu.goals.goal import Description, Proposition, Term, Where
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.reading.nouns.positions import main_place
from dadu.language.reading.syntax import Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.containing import with_on_it
from dadu.language.understanding.things.generality import Meaning, any_of_kind
from dadu.language.understanding.things.nouns import Nouns
from dadu.language.understanding.things.pronouns import SUPPORTS, Pronouns, Thing
from dadu.language.understanding.things.quantities import counted, enough, is_pair, told_apart
from dadu.language.understanding.things.whose import bedrooms_of_whom, rooms_of_whom
from dadu.world.graph import Entity, Kind, Relation, WorldGraph


class Things(Pronouns):
    """Grounds nouns one after the other and remembers what was mentioned."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary, complete: bool = False) -> None:
        """`complete`: the graph holds everything there is, so what it lacks does not exist."""
        self.graph, self.complete = graph, complete
        self.nouns = Nouns(graph, vocabulary, complete)
        self.mentions: list[Thing] = []
        self.substitutions: dict[str, None] = {}
        self.notes: dict[str, None] = {}
        """what memory has otherwise than the instruction says"""
        self.spared: list[Description] = []
        """to be left where they are"""
        self.unwanted: list[Noun] = []
        """what nothing that is chosen for a purpose may be or contain"""
        self.instead: dict[tuple[str, ...], Noun] = {}
        """nouns that stand for others, as the instruction says"""
        self.together: list[Thing] = []
        self.acted: dict[str, tuple[str, ...]] = {}
        """keys of the things with which something is to be done so far, and where they are then"""
        self.wished = ""
        self.beside = ""
        """key of what the last of them goes next to"""
        self.moved: list[Thing] = []
        """what the last clause that moves things was about"""
        self.clause = 0
        self.setting: frozenset[str] = frozenset()
        """rooms where furniture that is only named is meant to be"""
        self.child = False
        """whether a child was spoken of: her bed may be its bed"""
        self.scope: tuple[Where, ...] = ()
        """where the things are that a sentence behind a colon speaks of"""

    def does(self, p: Proposition) -> None:
        """Something is to be done with a thing from here on."""
        self.beside = p.place.key if p.predicate == "is_next_to" else ""
        if self.beside:
            there = self.acted.get(self.beside, ())
        else:
            there = p.object.ids if p.object is not None else ()
        self.acted[p.subject.key] = there or self.acted.get(p.subject.key, ())

    def kind_of(self, noun: Noun) -> Kind | None:
        """What a noun is, or None where that is not known, or nothing is named: together."""
        if not (noun.words or noun.pronoun):
            return None
        try:
            return self.resolve(Placed(noun), mention=False)[0].kind
        except Refusal:
            return Kind.FURNITURE if self._names_floor(noun) else None

    def is_floor(self, noun: Noun) -> bool:
        """Whether it is the floor, and no rug that the house has."""
        try:
            return self._names_floor(noun) and not self.resolve(Placed(noun), mention=False)
        except Refusal:
            return True

    def _names_floor(self, noun: Noun) -> bool:
        return bool(noun.words) and noun.words[-1] in self.nouns.lexicon.floor

    def resolve(self, placed: Placed, kinds: tuple[Kind, ...] = (), mention: bool = True) -> list[Thing]:
        """The things that a noun phrase means. Errors: Refusal."""
        noun, spoken = placed.noun, len(self.mentions)
        try:
            if noun.pronoun:
                things = [self._from_there(t, placed) for t in self.less(self._pronoun(placed, kinds), noun)]
            else:
                things = self._these(placed) or [self._noun(placed, kinds)]
        except Refusal:
            del self.mentions[spoken:]
            raise
        if not mention:
            del self.mentions[spoken:]  # places that narrow it are spoken of with it
        else:
            self.notes |= {note: None for t in things if (note := self._elsewhere(t))}
            self.substitutions |= {t.substitution: None for t in things if t.substitution}
            self.mentions += [replace(t, clause=self.clause) for t in things]
        return things

    def _noun(self, placed: Placed, kinds: tuple[Kind, ...]) -> Thing:
        noun = placed.noun
        if noun.words in self.instead:
            noun = replace(self.instead[noun.words], number=noun.number, every=noun.every, text=noun.text)
            placed = replace(placed, noun=noun)
        placed = self._of_a_place(self._main_place(placed, kinds))
        noun = placed.noun
        again = self._again(placed, kinds)
        if again is not None:
            return again
        meaning = self._its(placed, kinds) or self._whose(noun) or self._in_setting(
            placed, self._meaning(placed, kinds))
        description = meaning.description
        several = noun.indefinite or noun.plural or noun.number or self._every(noun)
        if description.general and several and not noun.uses:
            description = any_of_kind(description, self.nouns.plain(noun.words), self.nouns.vocabulary)
        found = candidates(description, self.graph)
        if description.kind is Kind.FURNITURE and not found:
            description = near(description, self.graph)
            found = candidates(description, self.graph)
        sure = replace(description, sure=True)
        unseen = not self.complete and "is_dirty" in description.states  # looked for before what may just be clean
        if description.states and (unseen or candidates(sure, self.graph)):
            description, found = sure, candidates(sure, self.graph)
        if self.scope and description.kind is Kind.OBJECT and not description.where:
            there = replace(description, where=self.scope)
            inside = candidates(there, self.graph)
            if inside or not self.complete:  # not seen yet: looked for there first
                description, found = there, inside
        if description.kind is Kind.FURNITURE and (noun.own or noun.indefinite):
            found = self._of_its_kind(noun, description, found)
        if not (self._every(noun) or description.alternatives):
            found = exactly(description.attributes, found) or found
        if noun.other and self._every(noun):
            description = self._others(description, noun)
            found = candidates(description, self.graph) or found
        elif noun.other:
            used = {id for t in self.mentions for id in t.term.ids[:1] if t.kind is description.kind and t.number == 1
                    and not t.every and (t.kind is Kind.OBJECT or len(t.term.ids) == 1)}
            found = [e for e in found if e.id not in used] or found
        self._check(noun, description, meaning, len(found))
        self.notes |= told_apart(noun, found, self.nouns.lexicon.unseen)
        ids = tuple(e.id for e in found)
        every = self._every(noun) and not (description.superlative and not noun.every)  # the biggest of the boxes
        if noun.kinds or noun.half:
            found, number = counted(noun, description, found)
            ids = tuple(e.id for e in found)
            only = replace(description, categories=(), ids=ids, where=(), alternatives=())
            return Thing(Term(f"{noun.text}#{len(self.mentions)}", ids, only), description.kind, number, False, noun, 0,
                         meaning.requires, self._substitution(meaning, ids))
        number = noun.number or (2 if noun.plural and noun.indefinite else 1)
        if (noun.number is None or is_pair(noun)) and self.complete:
            number = max(1, min(number, len(ids)))
        term = Term(f"{noun.text}#{len(self.mentions)}", ids, description)
        return Thing(term, description.kind, number, every and description.kind is Kind.OBJECT, noun, 0,
                     meaning.requires, self._substitution(meaning, ids))

    def _in_setting(self, placed: Placed, meaning: Meaning) -> Meaning:
        """``the bathroom is a mess: wipe the sink``: the bathroom sink, rather than what is called nothing but sink."""
        rooms, noun, last = tuple(sorted(self.setting)), placed.noun, self.last(Kind.ROOM)
        if last is not None and not set(last.term.ids) <= self.setting:  # another room was spoken of since
            rooms = ()
        rooms = rooms_of_whom(noun, self.nouns, self.child) or rooms
        plain = not (placed.where or noun.other or noun.own or noun.alternatives or meaning.description.where)
        if not rooms or meaning.description.kind is not Kind.FURNITURE or not plain:
            return meaning
        there = self.nouns.meaning(noun.words, noun.text, (Kind.FURNITURE,), (), (Where(Relation.IN_ROOM, rooms),))
        normal = self.nouns.lexicon.normal  # a bathroom sink is a sink; a shelf is no bookcase where there is one
        words = self.nouns.plain(noun.words)
        named = all(normal(e.category)[-len(words):] == words for e in there.found)
        return there if there.found and (there.tier <= meaning.tier or named) else meaning

    def _whose(self, noun: Noun) -> Meaning | None:
        """``her room``, ``my daughter's room``: the children's room, ``my room``: the bedroom; None where that is not
        said, or the house has none."""
        rooms = bedrooms_of_whom(noun, self.nouns, self.child) if noun.words[-1:] == ("room",) else ()
        if not rooms or self.nouns.plain(noun.words) != ("room",):
            return None
        meaning = self.nouns.meaning(("room",), noun.text, (Kind.ROOM,))
        return replace(meaning, description=replace(meaning.description, ids=rooms, categories=()))

    def _its(self, placed: Placed, kinds: tuple[Kind, ...]) -> Meaning | None:
        """``its books``: those on the shelf that was spoken of; None where it has none: ``the mug and its lid``."""
        piece = self.last(Kind.FURNITURE) if placed.noun.text.startswith("its ") and not placed.where else None
        if piece is None:
            return None
        try:
            meaning = self._meaning(placed, kinds)
        except Refusal:
            return None
        description = replace(meaning.description, where=(Where(Relation.ON, piece.term.ids),))
        return replace(meaning, description=description) if candidates(description, self.graph) else None

    def _of_its_kind(self, noun: Noun, description: Description, found: list[Entity]) -> list[Entity]:
        """``a table`` is any side table, coffee table..., also where one of them is called nothing but table."""
        if len(noun.words) > 1 or description.superlative:
            return found
        normal = self.nouns.lexicon.normal
        kind = replace(description, ids=(), categories=tuple(
            e.category for e in self.graph.of(Kind.FURNITURE)
            if normal(e.category)[-1:] == noun.words and e.category not in self.nouns.lacking))
        return sorted({e.id: e for e in (*found, *candidates(kind, self.graph))}.values(), key=lambda e: e.id)

    def _main_place(self, placed: Placed, kinds: tuple[Kind, ...]) -> Placed:
        """``the back of the toilet`` is the toilet: the world knows no more of it."""
        noun = placed.noun
        words = main_place(noun.words, self.nouns.lexicon)
        if not words or words == noun.words:
            return placed
        try:
            self.nouns.meaning(noun.words, noun.text, kinds)
        except Refusal:
            shorter = replace(noun, words=words)
            if self.kind_of(shorter) is Kind.FURNITURE:
                self.notes[f"not told apart: which part or side {noun.text!r} is"] = None
                return replace(placed, noun=shorter)
        return placed

    def _of_a_place(self, placed: Placed) -> Placed:
        """``the largest fruit of the fruit table`` is on it; the door of the fridge is a part of it."""
        words = placed.noun.words
        if "of" not in words[1:-1]:
            return placed
        i = words.index("of")
        head, place = replace(placed.noun, words=words[:i]), Noun(words[i + 1:], " ".join(words[i + 1:]))
        if self.kind_of(place) is not Kind.FURNITURE or self.kind_of(head) is not Kind.OBJECT:
            return placed
        return Placed(head, (*placed.where, Prep("from", place)))

    def _every(self, noun: Noun) -> bool:
        vague = "something", "anything", "thing", "item", "object"
        if noun.words[-1] in vague and not noun.plural and not noun.every:
            return False
        if any(w in self.nouns.lexicon.superlatives for w in noun.words) and not noun.plural:
            return noun.every
        mass = noun.words[-1] in self.nouns.lexicon.mass_nouns
        plural = (noun.plural or mass) and noun.number is None and not noun.indefinite
        return noun.every and noun.number is None or plural or noun.words == ("everything",)

    def _meaning(self, placed: Placed, kinds: tuple[Kind, ...]) -> Meaning:
        """What the noun means, with the places, exceptions and alternatives that go with it."""
        noun = self._of_those_known(placed.noun, kinds) if placed.noun.alternatives else placed.noun
        meaning = self.nouns.meaning(noun.words, noun.text, kinds, noun.uses, tuple(map(self.where, placed.where)))
        if noun.holding is not None:
            room = meaning.description.kind is Kind.ROOM
            holders = (Kind.OBJECT, Kind.FURNITURE) if room else (Kind.OBJECT,)
            ids = {id for t in self.resolve(Placed(noun.holding), holders, mention=False) for id in t.term.ids}
            meaning = with_on_it(self.nouns, meaning, noun.words, noun.holding.text, ids)
        where = meaning.description.where
        unwanted = tuple(self.unwanted) if noun.uses or len(meaning.description.categories) > 1 else ()
        without = tuple(self._except(noun, other, kinds) for other in (*noun.without, *unwanted))
        spared = tuple(self.spared) if self._every(noun) else ()
        description = replace(meaning.description, where=where, without=without + spared)
        if unwanted and noun.words[-1] in self.nouns.lexicon.vague_nouns and not noun.uses and not candidates(
                description, self.graph):  # no snack without nuts: something to eat without
            use = self.nouns.lexicon.vague_nouns[noun.words[-1]]
            return self._meaning(replace(placed, noun=replace(noun, uses=(use,))), kinds)
        if noun.alternatives:
            others = [self.nouns.meaning(n.words, n.text, (description.kind,), n.uses).description
                      for n in noun.alternatives]
            each = (description, *(replace(o, where=o.where + where) for o in others))
            categories = tuple(dict.fromkeys(c for d in each for c in d.categories))
            description = replace(description, alternatives=each, categories=categories)
        if self.complete and description.kind is Kind.OBJECT and not candidates(
                description.anywhere(), self.graph):
            instead = self.nouns.absent(meaning, noun.words)
            if instead is not None:
                description = replace(instead.description, where=where, without=without + spared)
                return replace(instead, description=description, requires=meaning.requires)
        return replace(meaning, description=description)

    def _of_those_known(self, noun: Noun, kinds: tuple[Kind, ...]) -> Noun:
        """``the foyer or lobby``, where one of these words is not known: the other one."""
        def known(one: Noun) -> bool:
            try:
                self.nouns.meaning(one.words, one.text, kinds, one.uses)
            except Refusal:
                return False
            return True
        said = (replace(noun, alternatives=()), *noun.alternatives)
        left = [one for one in said if known(one)]
        if not left or len(left) == len(said):
            return noun
        self.notes[f"not known, and left out: {', '.join(' '.join(n.words) for n in said if n not in left)}"] = None
        return replace(noun, words=left[0].words, uses=left[0].uses, alternatives=tuple(left[1:]))

    def _except(self, noun: Noun, other: Noun, kinds: tuple[Kind, ...]) -> Description:
        if other.pronoun == "one" or other.pronoun and other.text:
            words = tuple(w for w in self.nouns.lexicon.normal(other.text)
                          if w not in self.nouns.lexicon.pronouns and w not in ("the", "ones", "a"))
            other = replace(other, words=(*words, *noun.words), pronoun="")
        if other.uses:  # without alcohol
            categories = {c for name in other.uses for c in self.nouns.good_for(name, also=True)}
            return Description(other.text, Kind.OBJECT, tuple(sorted(categories)))
        try:
            where = tuple(map(self.where, other.places))
            return self.nouns.meaning(other.words, other.text, kinds, (), where).description
        except Refusal:  # all apples except the red
            return self.nouns.meaning((*other.words, noun.words[-1]), other.text, kinds).description

    def _check(self, noun: Noun, description: Description, meaning: Meaning, found: int) -> None:
        """Errors: Refusal where there is no such thing, or not enough of it."""
        gone = self.complete and not (self._may_move(description) and not self._every(noun))
        nothing = not (description.categories or description.ids or description.alternatives)  # is good for all of it
        if not found and (description.kind is not Kind.OBJECT or gone or nothing):
            raise self._absent(noun, description, meaning)
        if self.complete and found and not enough(noun, found) and description.kind is Kind.OBJECT and not noun.more:
            raise Refusal(f"there are only {found} of {noun.text!r} in this house", [noun.text])

    def _may_move(self, description: Description) -> bool:
        """Whether such a thing is elsewhere; then it is looked for where the words say, and brought from there."""
        return bool(description.where) and bool(candidates(description.anywhere(), self.graph))

    def _elsewhere(self, thing: Thing) -> str:
        """What to tell of a thing that memory has at another place than the words say."""
        description = thing.term.description
        if thing.term.ids or description is None or not description.where or not self.complete:
            return ""
        if thing.noun is not None and thing.noun.words[-1:] and thing.noun.words[-1] in self.nouns.lexicon.plain_nouns:
            return ""  # nothing there: of all else there is nothing to tell
        places = [(e.id, edge.object) for e in candidates(description.anywhere(), self.graph)
                  if (edge := self.graph.support(e.id)) is not None]
        known = ", ".join(f"{id} on or in {place}" for id, place in places)
        return f"{thing.term.name} is looked for where you say first; I know of {known}" if places else ""

    def _again(self, placed: Placed, kinds: tuple[Kind, ...]) -> Thing | None:
        """``take the milk ... put the milk``: the same thing, unless the words say another."""
        noun = placed.noun
        new = noun.indefinite or noun.other or noun.number or noun.without or noun.more or noun.alternatives
        if new or any(p.relation != "from" for p in placed.where):
            return None
        general = (("thing",), ("everything",), ("item",), ("object",), ("room",))
        spoken = [(t, t.noun) for t in reversed(self.mentions) if t.noun is not None and t.noun.words not in general
                  and t.noun.plural is noun.plural and not (t.implied and self._every(noun))]
        alike = [(t, n) for t, n in spoken if not (noun.plural or noun.every) or not kinds or t.kind in kinds]
        same = (t for t, n in alike if self._core(n) == self._core(noun)
                and noun.uses in ((), n.uses) and (not kinds or t.kind in kinds))
        shorter = (t for t, n in spoken if noun.text.startswith(("the ", "that ", "this "))
                   and (t.clause < self.clause or not noun.text.startswith("the "))
                   and noun.words in (n.words[-len(noun.words):], self._last_word(t)) and noun.words not in general
                   and (not kinds or t.kind in kinds))  # the floor lamp ... the lamp, some wine ... the bottle
        found = next(same, None) or next(shorter, None)
        if found is None or found.kind is Kind.FURNITURE and self.setting and not any(
                (room := self.graph.room_of(id)) is not None and room.id in self.setting for id in found.term.ids):
            return None  # on the table, once another room is spoken of
        if not placed.where:
            return found
        return found if all(self._is_then(found, p.noun) for p in placed.where) and not self._is_there(placed) else None

    def _is_there(self, placed: Placed) -> bool:
        """Whether there is such a thing now where the words say."""
        spoken = len(self.mentions)
        where = tuple(map(self.where, placed.where))
        del self.mentions[spoken:]
        return bool(self.nouns.meaning(placed.noun.words, placed.noun.text, (Kind.OBJECT,), (), where).found)

    def _is_then(self, thing: Thing, place: Noun) -> bool:
        """``the cup to the table ... the cup from the table``: whether that is where it is to be by then."""
        try:
            ids = {id for t in self.resolve(Placed(place), SUPPORTS, mention=False) for id in t.term.ids}
        except Refusal:
            return False
        then = [i for i in self.acted.get(thing.term.key, ()) if i in self.graph]
        return any(i in ids or (room := self.graph.room_of(i)) is not None and room.id in ids for i in then)

    def where(self, prep: Prep) -> Where:
        last = self.last(Kind.OBJECT)
        kinds: tuple[Kind, ...] = (*SUPPORTS, Kind.OBJECT)
        if prep.noun.pronoun == "it" and prep.relation in ("on", "in") and self.last(Kind.FURNITURE) is not None:
            kinds = (Kind.FURNITURE,)  # the lamp on it
        elif prep.noun.pronoun == "it" and last is not None and last.every and self.last(*SUPPORTS) is not None:
            kinds = SUPPORTS  # clear the table; everything from it: not from all that is there
        things = [t for noun in (prep.noun, *prep.also)
                  for t in self.resolve(Placed(noun, (*noun.places, *prep.within)), kinds)]
        if prep.relation == "from":
            self.mentions[-len(things):] = [replace(t, source=True) for t in self.mentions[-len(things):]]
        ids = tuple(id for t in things for id in t.term.ids)
        if prep.narrows and prep.noun.pronoun == "there":  # the desk there: in the same room
            rooms = (self.graph.room_of(id) or self.graph[id] for id in ids)
            return Where(Relation.IN_ROOM, tuple(sorted({room.id for room in rooms})))
        if all(t.kind is Kind.ROOM for t in things):
            return Where(Relation.IN_ROOM, ids)
        relation = {"next_to": Relation.NEXT_TO, "in": Relation.IN}.get(prep.relation, Relation.ON)
        return Where(relation, ids)

    def _absent(self, noun: Noun, description: Description, meaning: Meaning) -> Refusal:
        there = description.where and candidates(description.anywhere(), self.graph)
        place = "there" if there else "in this house"
        others = self.nouns.alternatives((description.kind,))
        if noun.uses:
            would = ", ".join(sorted(description.categories)) or "nothing that I know"
            return Refusal(f"there is nothing {place} for {noun.text!r}; this would do: {would}", [noun.text])
        return Refusal(f"there is no {' '.join(noun.words)} {place}; there is: {others}", [noun.text])

    def _substitution(self, meaning: Meaning, ids: tuple[str, ...]) -> str:
        if meaning.tier == 0 or not ids or meaning.description.kind is Kind.ROOM:
            return ""
        lexicon = self.nouns.lexicon
        words = " ".join(w for w in meaning.description.words.split()
                         if w not in lexicon.determiners + lexicon.indefinite)
        return f"{words} -> {', '.join(ids)}"

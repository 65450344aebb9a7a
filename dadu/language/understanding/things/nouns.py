"""From the words of a noun phrase to the categories and entities that they may mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dadu.core.errors import choices
from dadu.goals.belief import next_to
from dadu.goals.candidates import candidates, exactly, values
from dadu.goals.goal import Description, Where
from dadu.knowledge.commonsense import uses, words_of_wishes
from dadu.knowledge.lexicon import Lexicon, Words
from dadu.knowledge.nouns import ground
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.refusal import Refusal
from dadu.language.understanding.things.generality import Meaning, just_so, or_more_generally, second_best, widened
from dadu.language.understanding.things.variants import variants
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

_TOO_GENERAL = {("furniture",), ("receptacle",), ("household",), ("object",), ("container",)}
_ALL_KINDS = (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM)
_LITERAL, _RELATIVE, _SIMILAR = 0, 3, 4


@dataclass
class _Modifiers:
    """What the words before a name say."""

    attributes: list[str] = field(default_factory=list)
    where: list[Where] = field(default_factory=list)
    superlative: str = ""
    states: list[str] = field(default_factory=list)


_LONGEST_NAME, _LONGEST = 3, 8
"""words in the name of a thing; in what is said of a thing, for it to be taken apart"""


class Nouns:
    """Looks nouns up in a vocabulary and a world graph."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary, complete: bool = False) -> None:
        """`complete`: the graph holds everything there is."""
        self.graph, self.complete = graph, complete
        self.vocabulary = vocabulary.extended(graph)
        self.lexicon: Lexicon = vocabulary.lexicon
        self.lacking: set[str] = set()
        """categories that, as the instruction says, are not there"""
        self.broken: set[str] = set()
        """categories that, as the instruction says, do not work"""

    def meaning(self, words: Words, text: str, kinds: tuple[Kind, ...] = (), wanted: tuple[str, ...] = (),
                where: tuple[Where, ...] = ()) -> Meaning:
        """The best reading. `kinds` narrows what it may be, `wanted` what it must be good for (names in uses/*.yaml),
        `where` where it is. Errors: Refusal naming the words that are not known."""
        room = kinds != (Kind.OBJECT,) and self.rooms(words[-1:])  # the laundry is a room, or what is washed
        if words and words[-1] in self.lexicon.synonyms and not self.known(words[-1:]) and not room:
            words = (*words[:-1], *self.lexicon.synonyms[words[-1]].split())
        vague = words and words[-1] in self.lexicon.vague_nouns
        if vague and (wanted or not self.known(words) or not (self.is_noun(words) or self.is_here(words))):
            wanted = wanted or (self.lexicon.vague_nouns[words[-1]],)
            words = (*words[:-1], "thing")
        readings = [self._there(self._useful(m, wanted), where)
                    for variant in variants(self, words) for m in self._split(variant, text)]
        readings = readings or [self._there(m, where) for m in self._compound(words, text)]
        fitting = [m for m in readings if not kinds or m.description.kind in kinds]
        if not fitting:
            fitting = list(self._similar(words, text, kinds)) if not readings else []
        if not fitting:
            raise self._unknown(words, text, kinds, readings)
        self._has_part(words, fitting)
        # A reading that finds something wins; then one that finds what is exactly so; then the most literal one; then
        # the first that was thought of.
        if where and not any(m.found for m in fitting):  # not there: then what it is counts, wherever
            best = min(fitting, key=self._not_there)
        else:
            best = min(fitting, key=lambda m: (not m.found, not exactly(m.description.attributes, m.found),
                                               _farfetched(m)))
        if self.complete or best.description.kind is not Kind.OBJECT:
            return widened(best, fitting, self.graph)
        best = widened(best, fitting, self.graph) if where else just_so(best, fitting, self.graph, self.vocabulary)
        return or_more_generally(best, fitting, self.vocabulary)

    def _not_there(self, meaning: Meaning) -> tuple[bool, bool, int]:
        """Order of readings of what is not where the words say. Things may not have been seen yet: that one of cookies
        was says nothing of the box in the shed. What is known there had better be elsewhere."""
        unseen = not self.complete and meaning.description.kind is Kind.OBJECT
        elsewhere = unseen or bool(candidates(meaning.description.anywhere(), self.graph))
        return not (self.complete or unseen), not elsewhere, meaning.tier

    def absent(self, meaning: Meaning, words: Words) -> Meaning | None:
        """The nearest thing there is, for one that is known not to be in the house: for a desk lamp the lamp that is on
        a desk."""
        compound = next((m for m in self._compound(words, meaning.description.words) if m.found
                         and m.description.kind is meaning.description.kind), None)
        if compound is not None:
            return compound
        similar = list(self._similar(words, meaning.description.words, (meaning.description.kind,)))
        return next((m for m in similar if not meaning.description.attributes), None)

    def _there(self, meaning: Meaning, where: tuple[Where, ...]) -> Meaning:
        if not where:
            return meaning
        description = replace(meaning.description, where=meaning.description.where + where)
        return replace(meaning, description=description, found=tuple(candidates(description, self.graph)))

    def _useful(self, meaning: Meaning, wanted: tuple[str, ...]) -> Meaning:
        """Only what is good for all of it; what will merely do, where nothing better is known."""
        if not wanted or meaning.description.kind is not Kind.OBJECT:
            return meaning
        readings = []
        for also in (False, True):
            fitting = set(meaning.description.categories).intersection(*(self.good_for(name, also) for name in wanted))
            if len(meaning.description.categories) == 1:  # a bowl is good for what it is said to be
                fitting = set(meaning.description.categories)
            description = replace(meaning.description, categories=tuple(sorted(fitting)), ids=())
            readings.append(replace(meaning, description=description, found=tuple(candidates(description, self.graph))))
        better, second = readings
        if better.found or self.complete and second.found or not better.description.categories:
            return better if better.found else second
        return better if self.complete else second_best(better, second)

    def good_for(self, name: str, also: bool = False) -> tuple[str, ...]:
        """Categories of things that are good for a use; `also` with what will merely do."""
        use = uses()[name]
        normal = self.lexicon.normal  # a cereal box is no box to carry things in: only what is listed as a box
        things, without = ({normal(w) for w in words} for words in (
            (*use.things, *(use.also if also else ())), use.without))
        return tuple(c for c in sorted(self._categories(Kind.OBJECT))
                     if things & (called := self.vocabulary.called(c)) and not without & called)

    def plain(self, words: Words) -> Words:
        """Less the adjectives: ``navy book`` is a book."""
        names = (i for i in range(len(words)) if self._modifiers(words[:i]) is not None and any(
            any(self._named(variant)) for variant in variants(self, words[i:])))
        return words[max(names, default=0):]

    def _has_part(self, words: Words, fitting: list[Meaning]) -> None:
        """Errors: Refusal for the drawer of a desk that has none."""
        part = next((w for w in words if w in self.lexicon.parts and len(words) > 1), None)
        pieces = [e for m in fitting for e in m.found if e.kind is Kind.FURNITURE]
        if part and pieces and not any(part in p.name for e in pieces for p in e.parts):
            raise Refusal(f"{pieces[0].id} has no {part}; things can go on {pieces[0].id}", [part])

    def known(self, words: Words) -> bool:
        return any(e.kind is not Kind.ROOM for e, _ in self.vocabulary.named(words))

    def is_here(self, words: Words) -> bool:
        """Whether something that is called so has been seen, or nothing at all has."""
        seen = list(self.graph.of(Kind.OBJECT))
        return not seen or any(self._tier(e, words) is not None for e in seen)

    def _compound(self, words: Words, text: str) -> Iterator[Meaning]:
        """``the microwave table``, ``the white sink counter``, ``the bed lamp``: the piece, or the lamp, that is with
        it where one is; else any."""
        pieces = ((s, e) for s in range(len(words)) for e in range(s + 1, min(s + 1 + _LONGEST_NAME, len(words))))
        for start, end in pieces if len(words) <= _LONGEST else ():
            named = [n for n in self._named(words[start:end]) if n[-1] < 2 and n[0] is not Kind.ROOM]
            beside = {e.id for kind, categories, ids, _ in named for e in self.graph.of(kind)
                      if e.category in categories or e.id in ids}
            for m in self._split(words[:start] + words[end:], text) if beside else ():
                lamps = all(self.vocabulary.is_a(c, "lamp") for c in m.description.categories)
                if m.found and m.tier < 2 and (lamps or m.description.kind is Kind.FURNITURE):
                    near = tuple(e for e in m.found if self._with(e, beside)) or m.found
                    description = replace(m.description, categories=(), ids=tuple(e.id for e in near))
                    yield Meaning(description, near, _RELATIVE)

    def _with(self, entity: Entity, beside: set[str]) -> bool:
        """Whether it holds one of them, is on one or stands by one."""
        on, held = self.graph.support(entity.id), (self.graph.support(id) for id in beside)
        if on is not None:
            return on.object in beside
        return any(e is not None and e.object == entity.id for e in held) or any(
            next_to(self.graph, entity.id, id) for id in beside)

    def _split(self, words: Words, text: str) -> Iterator[Meaning]:
        """Readings of ``adjectives + name``, for every split whose adjectives are known."""
        splits = range(len(words))
        if len(words) > 1 and self.is_noun(words[:1]):  # orange juice: a flavour rather than a colour
            order = list(splits)
        else:
            order = sorted(splits, key=lambda i: (not self._attribute(words[0]) or i == 0, i))
        for i in order:
            modifiers = self._modifiers(words[:i])
            if modifiers is None:
                continue
            chosen = tuple(s for s in modifiers.states if s in self.lexicon.choosing)
            requires = tuple(s for s in modifiers.states if s not in self.lexicon.choosing)
            for kind, categories, ids, tier in self._named(words[i:]):
                if kind is Kind.ROOM and any(map(_somebody, words[:i])):
                    continue  # the guest room is not just any room
                categories = tuple(c for c in categories if c not in self.lacking)
                description = Description(text, kind, categories, tuple(modifiers.attributes), tuple(modifiers.where),
                                          ids, modifiers.superlative, states=chosen)
                yield Meaning(description, tuple(candidates(description, self.graph)), tier, requires)

    def _modifiers(self, words: Words) -> _Modifiers | None:
        """None where a word is not known."""
        out, i, lexicon = _Modifiers(), 0, self.lexicon
        while i < len(words):
            room = next((n for n in (2, 1) if i + n <= len(words) and self.rooms(words[i:i + n])), 0)
            if " ".join(words[i:i + 2]) in lexicon.state_of:  # rinsed off
                out.states.append(lexicon.state_of[" ".join(words[i:i + 2])])
                i += 1
            elif words[i] in lexicon.superlatives:
                out.superlative = lexicon.superlatives[words[i]]
            elif words[i] in lexicon.state_of:
                out.states.append(lexicon.state_of[words[i]])
            elif self._attribute(words[i]):
                out.attributes.append(lexicon.same_value.get(words[i], words[i]))
            elif room:
                out.where.append(Where(Relation.IN_ROOM, self.rooms(words[i:i + room])))
                i += room - 1
            elif words[i] not in (*lexicon.adjectives_ignored, *lexicon.unseen) and not _somebody(words[i]):
                return None
            i += 1
        return out

    def _attribute(self, word: str) -> bool:
        known = (*self.lexicon.colors, *self.lexicon.materials, *self.lexicon.same_value)
        return word in known or any(word in values(e) for e in self.graph)

    def is_noun(self, words: Words) -> bool:
        return any(tier == 0 for _, tier in self.vocabulary.named(words))

    def rooms(self, words: Words) -> tuple[str, ...]:
        return tuple(sorted(e.id for e in self.graph.of(Kind.ROOM) if self._tier(e, words) in (0, 1)))

    def _named(self, words: Words) -> Iterator[tuple[Kind, tuple[str, ...], tuple[str, ...], int]]:
        """Kind, categories, ids and tier for every tier in which `words` name something."""
        if len(words) == 1 and words[0] in self.lexicon.plain_nouns:
            yield Kind.OBJECT, self._categories(Kind.OBJECT), (), 0
        if words == ("room",):
            yield Kind.ROOM, self._categories(Kind.ROOM), (), 0
        if len(words) == 2 and words[1] == "room" and (whose := self._rooms_of(words[0])):
            yield Kind.ROOM, (), whose, 1
        named = self.vocabulary.named(words)
        for tier in range(3):
            for kind in _ALL_KINDS:
                ids = tuple(e.id for e in self.graph.of(kind) if self._own(e, words)) if tier == 0 else ()
                categories = tuple(sorted(e.category for e, t in named if e.kind is kind and t == tier))
                if tier == 2 and words == ("container",):
                    categories = tuple(c for c in categories if self.vocabulary.called(c) & self._containers())
                elif tier == 2 and words[-1] in self.lexicon.not_ready:
                    categories = tuple(c for c in categories if c not in self.lexicon.not_ready[words[-1]])
                elif tier == 2 and words in _TOO_GENERAL:
                    continue
                if ids or categories:
                    yield kind, categories, ids, tier
        if len(words) == 2:  # a can drink: a can that is a drink
            both = tuple(c for c in self._categories(Kind.OBJECT) if all(
                self.vocabulary.is_a(c, w) for w in words if w not in self.lexicon.plain_nouns or w == words[0]))
            if both:
                yield Kind.OBJECT, both, (), 2
        yield from self._relatives(words)

    def _rooms_of(self, word: str) -> tuple[str, ...]:
        """``the guest room``: the one that is called guest bedroom."""
        normal = self.lexicon.normal
        return tuple(e.id for e in self.graph.of(Kind.ROOM) if any(
            len(name) == 2 and name[0] == word for name in map(normal, (e.id, *e.aliases))))

    def _containers(self) -> set[Words]:
        return set(map(self.lexicon.normal, self.lexicon.containers))

    def _categories(self, kind: Kind) -> tuple[str, ...]:
        return tuple(sorted(e.category for e in self.vocabulary.entries.values() if e.kind is kind))

    def _relatives(self, words: Words) -> Iterator[tuple[Kind, tuple[str, ...], tuple[str, ...], int]]:
        """Furniture of the same sort, for a piece that this house lacks: a dining table where a desk was asked for."""
        for entry, tier in self.vocabulary.named(words):
            if entry.kind is Kind.FURNITURE and tier < 2:
                wanted = (entry.hypernyms | {entry.name}) - _TOO_GENERAL - {("appliance",)}
                alike = tuple(sorted(e.category for e in self.vocabulary.entries.values()
                                     if e.kind is Kind.FURNITURE and self.vocabulary.parents(e.category) & wanted))
                if alike:
                    yield Kind.FURNITURE, alike, (), _RELATIVE

    def _similar(self, words: Words, text: str, kinds: tuple[Kind, ...]) -> Iterator[Meaning]:
        """What the graph holds that is nearest in meaning (RoboGPT's Re-Plan)."""
        said = any({"copula", "has", "relatives"} & self.lexicon.tags.get((w,), {}).keys() for w in words)
        if said or words in _TOO_GENERAL or any(w.isdigit() for w in words):
            return
        if len(words) > 1 and self._recognised(words[-1]):
            return  # a word before a known noun says which one; it must not be dropped
        matches = [m for m in ground(" ".join(words), self.graph, kinds or _ALL_KINDS, self.vocabulary)
                   if self.graph[m.id].category not in self.lacking]
        if matches:
            best = self.graph[matches[0].id]
            same = tuple(m.id for m in matches if self.graph[m.id].category == best.category)
            description = Description(text, best.kind, (), ids=same)
            yield Meaning(description, tuple(self.graph[id] for id in same), _SIMILAR)

    def _own(self, entity: Entity, words: Words) -> bool:
        entry = self.vocabulary.entries.get(entity.category)
        common = entry.aliases | entry.hypernyms | entry.coloured if entry else frozenset()
        names = {self.lexicon.normal(entity.id), *(set(map(self.lexicon.normal, entity.aliases)) - common)}
        stem = self.lexicon.normal(entity.id)
        if stem and stem[-1].isdigit():
            names.add(stem[:-1])
        for part in entity.parts:
            words_of_part = self.lexicon.normal(part.name)
            names |= {words_of_part, *((w,) for w in words_of_part if w in self.lexicon.parts)}
        return words in names

    def _tier(self, entity: Entity, words: Words) -> int | None:
        entry = self.vocabulary.entries.get(entity.category)
        return 0 if self._own(entity, words) else entry.tier(words) if entry else None

    def _unknown(self, words: Words, text: str, kinds: tuple[Kind, ...], readings: list[Meaning]) -> Refusal:
        if readings:
            is_, wanted = readings[0].description.kind.value, " or ".join(k.value for k in kinds)
            return Refusal(f"{text!r} is {_article(is_)}, where {_article(wanted)} is needed; "
                           f"known: {self.alternatives(kinds)}", [text])
        unknown = next((w for w in words if w != "of" and not self._recognised(w)), " ".join(words))
        return Refusal(f"I know no {unknown!r} ({text}); known: {self.alternatives(kinds)}", [unknown])

    def _recognised(self, word: str) -> bool:
        known = word in self.lexicon.superlatives or word in self.lexicon.state_of or \
            word in self.lexicon.adjectives_ignored
        return known or self._attribute(word) or any(self._named((word,)))

    def alternatives(self, kinds: tuple[Kind, ...]) -> str:
        """What the graph holds of these kinds, for an error text."""
        shown = kinds or _ALL_KINDS
        return choices((e.id for kind in shown for e in sorted(self.graph.of(kind), key=lambda e: e.id)), 60)


def _somebody(word: str) -> bool:
    """Whose things: the guest towel, the kids' toys."""
    return word in words_of_wishes().persons or word in ("kid", "child", *words_of_wishes().alike["child"])


def _farfetched(meaning: Meaning) -> float:
    """The small bed is what is called so, rather than the smallest of those that are called bed."""
    return meaning.tier + (1.5 if meaning.description.superlative and meaning.tier == 0 else 0)


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"

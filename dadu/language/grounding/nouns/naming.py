"""From the words of a name to the categories and entities that they may mean, the best reading first.

A reading that finds something wins; then one that finds what is exactly so; then the most literal one. The tiers:
its own name, an alias, a more general word, what people take for it, the nearest relative, the nearest in meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from dadu.goals.belief import next_to
from dadu.goals.candidates import candidates, exactly
from dadu.goals.goal import Description, Where
from dadu.goals.stand_in import may_be_another, taken_for, unlike_none
from dadu.knowledge.commonsense import uses
from dadu.knowledge.lexicon import Words, with_article
from dadu.knowledge.nouns import ground
from dadu.knowledge.rooms import room_odds
from dadu.language.grounding.nouns.modifiers import Modifiers, is_somebody, modifiers, rooms_called
from dadu.language.grounding.scene import ALL_KINDS, Setting
from dadu.language.refusal import Refusal
from dadu.world.graph import Entity, Kind, Relation

OWN_NAME, ALIAS, GENERAL, ALIKE, RELATIVE, SIMILAR = range(6)
_TOO_GENERAL = frozenset({("furniture",), ("receptacle",), ("household",), ("object",), ("container",)})
_LONGEST_NAME, _LONGEST = 3, 8
"""words in the name of a thing; in what is said of a thing, for it to be taken apart"""
_AS_IF_SMALL = 1.5
"""the small bed is what is called so, rather than the smallest of those that are called bed"""


@dataclass(frozen=True)
class NounReading:
    """One way to read a name with the words before it."""

    description: Description
    found: tuple[Entity, ...]
    tier: int
    requires: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    """words that nothing tells of: wet"""

    @property
    def kind(self) -> Kind:
        return self.description.kind

    def described(self, description: Description, scene: Setting) -> NounReading:
        return replace(self, description=description, found=tuple(candidates(description, scene.graph)))


@dataclass(frozen=True)
class Name:
    """What is asked of a name."""

    variants: tuple[Words, ...]
    """the same in other words, the likeliest first"""
    text: str
    kinds: tuple[Kind, ...] = ()
    """what it may be; empty: anything"""
    uses: tuple[str, ...] = ()
    """what it must be good for, names in ``knowledge/uses``"""
    where: tuple[Where, ...] = ()
    lacking: frozenset[str] = frozenset()
    """categories that it cannot be"""

    @property
    def likely(self) -> tuple[Kind, ...]:
        """Where furniture will do, what is only near in meaning is no object."""
        return tuple(k for k in self.kinds or ALL_KINDS if k is not Kind.OBJECT or Kind.FURNITURE not in self.kinds)


def meaning(name: Name, scene: Setting) -> NounReading:
    """The best reading. Errors: Refusal naming the words that are not known."""
    name = _for_its_use(name, scene)
    read = [_located(_useful(m, name, scene), name, scene) for words in name.variants
            for m in _split(words, name, scene)]
    fitting = _of_kind(read, name)
    fitting += _of_kind(list(_less_literally(fitting, name, scene)), name)
    if not fitting and not read:
        fitting = _of_kind(list(_taken_for(name.variants[0], Kind.OBJECT, name, scene)), name) or _of_kind(
            list(_similar(name.variants[0], name, scene)), name)
    if not fitting:
        raise _unknown(name, read, scene)
    own = {c for m in fitting if m.kind is Kind.OBJECT and m.tier < GENERAL for c in m.description.categories}
    meant = _as_wide_as_meant(_best(fitting, own, name, scene), fitting, name, scene)
    return replace(meant, description=replace(meant.description, loosely=bool(own) and meant.tier >= GENERAL))


def _best(fitting: Sequence[NounReading], own: Collection[str], name: Name, scene: Setting) -> NounReading:
    """The reading that is meant; `own`: categories that bear the name itself."""
    if not name.where:
        return min(fitting, key=_rank)
    if any(m.found for m in fitting):
        return min(fitting, key=lambda m: (_is_guess(m, own, scene), *_rank(m)))
    here = not _stands_on_furniture(name, scene) and _is_here(fitting, scene)
    return min(fitting, key=lambda m: (here and m.kind is Kind.OBJECT, *_not_there(m, scene)))


def _less_literally(fitting: Sequence[NounReading], name: Name, scene: Setting) -> Iterator[NounReading]:
    """Furniture for readings that find nothing: of a colour that nobody knows, with a piece that is named before it,
    or what people take for it."""
    words = name.variants[0]
    if not any(m.found for m in fitting):
        unsure = list(_unsure([m for m in fitting if m.kind is Kind.FURNITURE], scene))
        yield from unsure or (_located(m, name, scene) for m in _beside(words, name, scene))
    if not any(m.tier <= GENERAL and candidates(m.description.anywhere(), scene.graph) for m in fitting):
        there = list(_taken_for(words, Kind.FURNITURE, name, scene))
        yield from there or _taken_for(words, Kind.FURNITURE, replace(name, where=()), scene)


def known(words: Words, scene: Setting) -> bool:
    """True if a thing or a piece of furniture is called so."""
    return any(e.kind is not Kind.ROOM for e, _ in scene.vocabulary.named(words))


def good_for(use: str, scene: Setting, also: bool = False) -> tuple[str, ...]:
    """Categories of things that are good for a use; `also` with what will merely do."""
    told, normal = uses()[use], scene.lexicon.normal
    things, without = ({normal(w) for w in words} for words in (
        (*told.things, *(told.also if also else ())), told.without))
    return tuple(c for c in scene.all_categories[Kind.OBJECT]
                 if things & (called := scene.vocabulary.called(c)) and not without & called)


def instead(meaning_: NounReading, name: Name, scene: Setting) -> NounReading | None:
    """The nearest thing there is, for one that is known not to be in the house; None where nothing is near."""
    other = replace(name, kinds=(meaning_.kind,))
    found = ([m for m in _beside(name.variants[0], other, scene) if m.found and m.kind is meaning_.kind]
             or list(_taken_for(name.variants[0], meaning_.kind, name, scene)))
    if not found and not meaning_.description.attributes:
        found = list(_similar(name.variants[0], other, scene))
    return next(iter(found), None)


def _taken_for(words: Words, kind: Kind, name: Name, scene: Setting) -> Iterator[NounReading]:
    """What people take for what the words name: a mug for a glass; a ladle for a scoop, which is in no catalogue."""
    for i in range(len(words)):
        said = modifiers(words[:i], scene)
        if said is None:
            continue
        for loosely in (False, True):
            categories = taken_for(words[i:], kind, scene.vocabulary, loosely)
            left = tuple(c for c in categories if c not in name.lacking)
            m = _located(_read(name.text, kind, left, (), ALIKE, said, scene), name, scene)
            found = [m] if kind is Kind.OBJECT else list(_unsure([m], scene))
            if left and (found or loosely):
                yield from found
                return


def _unsure(read: Iterable[NounReading], scene: Setting) -> Iterator[NounReading]:
    """What is found; else what nobody knows to be of another colour or material."""
    for m in read:
        found = () if m.found else tuple(unlike_none(m.description, scene.graph, scene.lexicon))
        if found:
            told = replace(m.description, attributes=(), categories=(), ids=tuple(e.id for e in found))
            yield replace(m, description=told, found=found, unseen=(*m.unseen, *m.description.attributes))
        elif m.found:
            yield m


def _for_its_use(name: Name, scene: Setting) -> Name:
    """``laundry`` is what is washed, ``a snack`` something to eat, where nothing is called so."""
    out, wanted = [], name.uses
    for words in name.variants:
        end = words[-1:]
        room = name.kinds != (Kind.OBJECT,) and rooms_called(end, scene)
        if end and end[0] in scene.lexicon.synonyms and not known(end, scene) and not room:
            words = (*words[:-1], *scene.lexicon.synonyms[end[0]].split())
        vague = scene.lexicon.vague_nouns.get(words[-1]) if words else None
        literal = any(tier == OWN_NAME for _, tier in scene.vocabulary.named(words))
        if vague is not None and (wanted or not literal):
            wanted, words = wanted or (vague,), (*words[:-1], "thing")
        out.append(words or ("thing",))
    return replace(name, variants=tuple(out), uses=wanted)


def _of_kind(found: list[NounReading], name: Name) -> list[NounReading]:
    return [m for m in found if not name.kinds or m.kind in name.kinds]


def _rank(m: NounReading) -> tuple[bool, bool, float]:
    small = _AS_IF_SMALL if m.description.superlative and m.tier == OWN_NAME else 0.0
    return not m.found, not exactly(m.description.attributes, m.found), m.tier + small


def _is_guess(m: NounReading, own: Collection[str], scene: Setting) -> bool:
    """What is called so by a more general word at best, and may be something else, where others, `own`, bear the
    name itself. Where the words say the place of a thing it is looked at first: perhaps what is meant is there under
    another name."""
    loosely = bool(own) and m.kind is Kind.OBJECT and m.tier >= GENERAL and not scene.complete
    return loosely and bool(m.found) and all(may_be_another(e, own) for e in m.found)


def _is_here(read: Sequence[NounReading], scene: Setting) -> bool:
    """``the table by the stove``: a table, wherever it stands, rather than a toy table that nobody has seen."""
    return any(m.kind is Kind.FURNITURE and m.tier <= GENERAL and candidates(m.description.anywhere(), scene.graph)
               for m in read)


def _stands_on_furniture(name: Name, scene: Setting) -> bool:
    """``the lamp on the side table``: no floor lamp."""
    return any(w.relation in (Relation.ON, Relation.IN) and scene.furniture(w.ids) for w in name.where)


def _not_there(m: NounReading, scene: Setting) -> tuple[bool, bool, int]:
    """Order of readings of what is not where the words say. Things may not have been seen yet; what is known there had
    better be elsewhere."""
    unseen = not scene.complete and m.kind is Kind.OBJECT
    elsewhere = unseen or bool(candidates(m.description.anywhere(), scene.graph))
    return not (scene.complete or unseen), not elsewhere, m.tier


def _located(m: NounReading, name: Name, scene: Setting) -> NounReading:
    if not name.where:
        return m
    return m.described(replace(m.description, where=m.description.where + name.where), scene)


def _useful(m: NounReading, name: Name, scene: Setting) -> NounReading:
    """Only what is good for all of it; what will merely do, where nothing better is known."""
    if not name.uses or m.kind is not Kind.OBJECT or len(m.description.categories) == 1:
        return m
    better, second = (m.described(replace(m.description, categories=tuple(sorted(set(
        m.description.categories).intersection(*(good_for(use, scene, also) for use in name.uses)))), ids=()), scene)
        for also in (False, True))
    if better.found or not better.description.categories or scene.complete:
        return better if better.found else second
    rest = set(second.description.categories) - set(better.description.categories)
    return replace(better, description=replace(better.description, general=tuple(sorted(rest))))


def _split(words: Words, name: Name, scene: Setting) -> Iterator[NounReading]:
    """Readings of ``adjectives + name``, for every split whose adjectives are known."""
    for i in range(len(words)):
        said = modifiers(words[:i], scene)
        if said is None:
            continue
        for kind, categories, ids, tier in _named(words[i:], scene):
            if kind is Kind.ROOM and any(map(is_somebody, words[:i])) or kind is Kind.OBJECT and said.where and any(
                    t < GENERAL and e.kind is kind for e, t in scene.vocabulary.named(words[i - 1:])):
                continue  # the guest room is not just any room; a bath towel is no towel in the bath
            left = tuple(c for c in categories if c not in name.lacking)
            yield _read(name.text, kind, left, ids, tier, said, scene)


def _read(text: str, kind: Kind, categories: tuple[str, ...], ids: tuple[str, ...], tier: int, said: Modifiers,
          scene: Setting) -> NounReading:
    told = Description(text, kind, categories, said.attributes, said.where, ids, said.superlative, states=said.states)
    sliced = any(scene.vocabulary.has_affordance(c, "slice") for c in categories) or not categories
    requires = tuple(r for r in said.requires if sliced or r != "is_sliced")  # a piece of chocolate
    return NounReading(told, tuple(candidates(told, scene.graph)), tier, requires, said.unseen)


_Named = tuple[Kind, tuple[str, ...], tuple[str, ...], int]


def _named(words: Words, scene: Setting) -> tuple[_Named, ...]:
    """Kind, categories, ids and tier for every way in which `words` name something."""
    if words not in scene.named_before:
        scene.named_before[words] = tuple(_find_named(words, scene))
    return scene.named_before[words]


def _find_named(words: Words, scene: Setting) -> Iterator[_Named]:
    lexicon = scene.lexicon
    if len(words) == 1 and words[0] in lexicon.plain_nouns:
        yield Kind.OBJECT, scene.all_categories[Kind.OBJECT], (), OWN_NAME
    if words == ("room",):
        yield Kind.ROOM, scene.all_categories[Kind.ROOM], (), OWN_NAME
    named = scene.vocabulary.named(words)
    for tier in (OWN_NAME, ALIAS, GENERAL):
        for kind in ALL_KINDS:
            ids = tuple(e.id for e in scene.graph.of(kind) if scene.called(e, words)) if tier == OWN_NAME else ()
            categories = tuple(sorted(e.category for e, t in named if e.kind is kind and t == tier))
            if ids:  # of one kind under two names, what is called just so
                categories = tuple(c for c in categories if words not in scene.vocabulary.entries[c].same)
            if tier == GENERAL:
                categories = _meant_by(words, categories, scene)
            if ids or categories:
                yield kind, categories, ids, tier
    yield from _two_words(words, scene)
    yield from _relatives(words, scene)


def _meant_by(words: Words, categories: tuple[str, ...], scene: Setting) -> tuple[str, ...]:
    """Nobody means a fridge by a container, or a tea bag by a drink."""
    lexicon = scene.lexicon
    if words == ("container",):
        return tuple(c for c in categories if scene.can((c,), "place_in") and not scene.can((c,), "pour"))
    if words in _TOO_GENERAL:
        return ()
    not_ready = lexicon.not_ready.get(words[-1], ())
    return tuple(c for c in categories if c not in not_ready)


def _two_words(words: Words, scene: Setting) -> Iterator[_Named]:
    """``a can drink``: a can that is a drink; ``the guest room``: the one that is called guest bedroom."""
    if len(words) != 2:
        return
    if words[1] == "room":
        normal = scene.lexicon.normal
        whose = tuple(e.id for e in scene.graph.of(Kind.ROOM) if any(
            len(called) == 2 and called[0] == words[0] for called in map(normal, (e.id, *e.aliases))))
        if whose:
            yield Kind.ROOM, (), whose, ALIAS
    sorts = [scene.vocabulary.of_sort(w) for w in words if w not in scene.lexicon.plain_nouns or w == words[0]]
    both = tuple(c for c in scene.all_categories[Kind.OBJECT] if all(c in sort for sort in sorts))
    if both:
        yield Kind.OBJECT, both, (), GENERAL


def _relatives(words: Words, scene: Setting) -> Iterator[_Named]:
    """Furniture of the same sort, for a piece that this house lacks: a dining table where a desk was asked for."""
    for entry, tier in scene.vocabulary.named(words):
        if entry.kind is Kind.FURNITURE and tier < GENERAL:
            wanted = (entry.hypernyms | {entry.name}) - _TOO_GENERAL - {("appliance",)}
            alike = tuple(c for c in scene.all_categories[Kind.FURNITURE]
                          if scene.vocabulary.parents(c) & wanted)
            if alike:
                yield Kind.FURNITURE, alike, (), RELATIVE
    thing = any(e.kind is Kind.OBJECT and tier < GENERAL
                for i in range(len(words)) for e, tier in scene.vocabulary.named(words[i:]))
    if len(words) > 1 and not thing and modifiers(words[:-1], scene) is None and not known(words[:-1], scene):
        yield from _of_that_head(words, scene)


def _of_that_head(words: Words, scene: Setting) -> Iterator[_Named]:
    """``the bedside table``, where none is: a table, in a room of the sort where one would be if there is one."""
    heads, absent = ({e.category for e, tier in scene.vocabulary.named(of) if e.kind is Kind.FURNITURE
                      and tier <= GENERAL} for of in (words[-1:], words))
    here = [e.id for e in scene.graph.of(Kind.FURNITURE) if e.category in heads]
    odds = room_odds(((c, 1.0) for c in absent), (), scene.vocabulary)
    likely = {e.id for e in scene.graph.of(Kind.ROOM) if e.category == max(odds, key=odds.__getitem__)}
    if here:
        yield Kind.FURNITURE, (), scene.within(here, likely) or tuple(here), RELATIVE


def _beside(words: Words, name: Name, scene: Setting) -> Iterator[NounReading]:
    """``the microwave table``, ``the bed lamp``: the piece, or the lamp, that is with it where one is; else any."""
    for m, beside in _less_a_piece(words, name, scene):
        lamps = scene.is_a(m.description.categories, "lamp")
        if m.found and m.tier <= GENERAL and (lamps or m.kind is Kind.FURNITURE):
            near = tuple(e for e in m.found if _with(e, beside, scene)) or m.found
            told = replace(m.description, categories=(), ids=tuple(e.id for e in near))
            yield replace(m, description=told, found=near, tier=RELATIVE)


def _less_a_piece(words: Words, name: Name, scene: Setting) -> Iterator[tuple[NounReading, set[str]]]:
    """Readings of the other words where some are the name of a piece of furniture, with the pieces called so."""
    pieces = ((s, e) for s in range(len(words)) for e in range(s + 1, min(s + 1 + _LONGEST_NAME, len(words))))
    for start, end in pieces if len(words) <= _LONGEST else ():
        beside = _pieces_called(words[start:end], scene)
        if beside or any(kind is Kind.FURNITURE for kind, *_ in _named(words[start:end], scene)):
            yield from ((m, beside) for m in _split(words[:start] + words[end:], name, scene))


def _pieces_called(words: Words, scene: Setting) -> set[str]:
    named = [n for n in _named(words, scene) if n[-1] < GENERAL and n[0] is not Kind.ROOM]
    return {e.id for kind, categories, ids, _ in named for e in scene.graph.of(kind)
            if e.category in categories or e.id in ids}


def _with(entity: Entity, beside: set[str], scene: Setting) -> bool:
    """True if it holds one of them, is on one or stands by one."""
    on = scene.holder(entity.id)
    if on:
        return on in beside
    return any(scene.holder(id) == entity.id or next_to(scene.graph, entity.id, id) for id in beside)


def _similar(words: Words, name: Name, scene: Setting) -> Iterator[NounReading]:
    """What the graph holds that is nearest in meaning (RoboGPT's Re-Plan). A word before a known noun says which one;
    it must not be dropped."""
    if words in _TOO_GENERAL or any(w.isdigit() for w in words) or len(words) > 1 and any(_named(words[-1:], scene)):
        return
    near = [m for m in ground(" ".join(words), scene.graph, name.likely, scene.vocabulary)
            if scene.graph[m.id].category not in name.lacking]
    if near:
        best = scene.graph[near[0].id]
        same = tuple(m.id for m in near if scene.graph[m.id].category == best.category)
        yield NounReading(Description(name.text, best.kind, (), ids=same, where=name.where),
                      tuple(scene.graph[id] for id in same), SIMILAR)


def _as_wide_as_meant(best: NounReading, fitting: Sequence[NounReading], name: Name, scene: Setting) -> NounReading:
    """What is no category's own name means all that are called so. Where things may not have been seen yet, the ones
    that are called just so come first, and `Description.general` says what else is."""
    if best.kind is not Kind.OBJECT or best.tier > GENERAL:
        return best
    alike = [m for m in fitting if m.tier <= GENERAL and m.requires == best.requires and _plain(m) == _plain(best)]
    literal = next((m for m in alike if m.tier == OWN_NAME and _akin(m, best, scene)), None)
    loose = tuple(sorted({c for m in alike if m.tier != OWN_NAME for c in m.description.categories}))
    if scene.complete or name.where and best.found or literal is None or name.uses:
        return best if best.tier == OWN_NAME else best.described(replace(best.description, categories=loose), scene)
    return _or_more_generally(literal, best, loose, scene)


def _or_more_generally(literal: NounReading, best: NounReading, loose: tuple[str, ...], scene: Setting) -> NounReading:
    told = literal.description
    if told.superlative and best.tier != OWN_NAME:
        return literal.described(replace(told, categories=tuple(sorted({*told.categories, *loose}))), scene)
    if literal.found:
        return literal
    names = {scene.vocabulary.entries[c].name for c in told.categories}
    kinds = [c for c in loose if names & scene.vocabulary.entries[c].broader]  # the clock: an alarm clock is one
    if kinds:
        told = replace(told, categories=tuple(sorted({*told.categories, *kinds})))
        literal = literal.described(told, scene)
    return replace(literal, description=replace(told, general=tuple(c for c in loose if c not in told.categories)))


def _akin(a: NounReading, b: NounReading, scene: Setting) -> bool:
    """True if the things of two readings are of one sort: a mug and a cup are; spectacles are glasses in another
    sense."""
    if a is b or b.tier == GENERAL:
        return True
    first, second = ({word for c in m.description.categories for word in scene.vocabulary.entries[c].hypernyms}
                     for m in (a, b))
    return bool(first & second)


def _plain(m: NounReading) -> Description:
    return replace(m.description, categories=(), ids=(), general=())


def _unknown(name: Name, read: list[NounReading], scene: Setting) -> Refusal:
    if read:
        is_, wanted = read[0].kind.value, " or ".join(k.value for k in name.kinds)
        return Refusal(f"{name.text!r} is {with_article(is_)}, where {with_article(wanted)} is needed; "
                       f"known: {scene.known(name.kinds)}", [name.text])
    words = name.variants[0]
    unknown = next((w for w in words if modifiers((w,), scene) is None and not any(_named((w,), scene))),
                   " ".join(words))
    return Refusal(f"I know no {unknown!r} ({name.text}); known: {scene.known(name.kinds)}", [unknown])

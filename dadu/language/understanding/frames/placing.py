"""To a destination: on, in, beside or between what the clause names, for each thing its own or all the same."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Description, Proposition, Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import of_category
from dadu.language.reading.syntax import Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.frames.elsewhere import elsewhere, is_other
from dadu.language.understanding.frames.former import former_place
from dadu.language.understanding.frames.several import between, check_close, to_several
from dadu.language.understanding.things.attachment import Destination, Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.skills.outcome import Code
from dadu.world.graph import Kind


def place(draft: Draft, things: list[Thing], destination: Destination) -> None:
    noun = destination.place.noun
    if destination.relation == "between":
        between(draft, things, destination)
        return
    if destination.also:
        to_several(draft, things, destination, place)
        return
    if noun.own and not is_other(noun, things):
        _each_its_own(draft, things, destination)
        return
    if noun.each or (noun.every and noun.pronoun != "them") or noun.text.startswith("each of"):
        _to_each(draft, things, destination)
        return
    predicate, target, beside = _target(draft, destination, things)
    others = [*([destination.second] if destination.second is not None else []), *destination.company]
    company = [t.term for p in others for t in draft.things.resolve(p)]
    if destination.relation == "next_to" and noun.pronoun == "them":
        company += [t.term for t in _spoken_together(draft, things)[1:]]
    references = [*([beside] if beside is not None else []), *company]
    for reference in references:
        if target is not None:
            _join(draft, predicate, reference, target)
    if beside is not None:
        for other in company:
            check_close(draft, beside, other)
    if target is not None and not noun.plural:
        draft.one_place.add(target.key)
    for thing in things:
        if target is not None:
            draft.add(predicate, thing, target, same_target=not noun.plural)
        for reference in references:
            draft.add("is_next_to", thing, reference)


def _join(draft: Draft, predicate: str, beside: Term, target: Term) -> None:
    """``next to the pear on the table``, where the pear is known to be elsewhere: it has to come, too."""
    moved = {id for e in draft.entries for id in e.proposition.subject.ids if e.proposition.predicate == predicate}
    places = [draft.graph.support(id) for id in beside.ids]
    rooms = {room.id for id in beside.ids if (room := draft.graph.room_of(id)) is not None}
    if len(beside.ids) == 1 and places[0] is not None and not {places[0].object, *rooms} & set(target.ids) and not (
            moved & set(beside.ids)) and draft.graph[beside.ids[0]].kind is Kind.OBJECT:
        draft.note(f"{beside.ids[0]} is on {places[0].object} so far, and is brought to {target.name} as well")
        draft.put(Proposition(predicate, beside, target))


def _to_each(draft: Draft, things: list[Thing], destination: Destination) -> None:
    """``an apple in every room``, ``a fork next to each of them``: another one for each place."""
    text, them = destination.place.noun.text, destination.relation == "next_to" and destination.place.noun.pronoun
    places = _spoken_together(draft, things) if them else draft.things.resolve(destination.place)
    if len(places) == 1:
        place = _spoken_of(draft, places[0])
        if not place.term.ids:
            raise NotSeen(f"I have not seen {text!r} yet", [text], place.term.description)
        places = [replace(place, term=Term(id, (id,))) for id in place.term.ids]
    things = [t if t.noun is None or t.noun.every else replace(t, every=False) for t in things]  # forks next to each
    if any(t.every for t in things):
        raise Refusal(f"all of {things[0].term.name!r} cannot go to {text!r} at once; say how many to each", [text])
    for thing in things:
        if draft.complete and len(thing.term.ids) < thing.number * len(places):
            raise Refusal(f"there are not enough of {thing.term.name!r} for {text!r}: "
                          f"{len(thing.term.ids)} for {len(places)} places", [text])
        group = []
        for i, one in enumerate(places):
            predicate, term = _at(draft, one, destination.relation, text)
            p = Proposition(predicate, replace(thing.term, key=f"{thing.term.key}/{i}"), term, thing.number)
            draft.put(p)
            group.append(p)
        draft.different.append(group)


def _at(draft: Draft, place: Thing, relation: str, text: str) -> tuple[str, Term]:
    if place.kind is Kind.ROOM:
        return "is_in_room", place.term
    if relation == "next_to":
        return "is_next_to", place.term
    if place.kind is Kind.OBJECT:
        return _at_object(draft, place, relation, text), place.term
    return surface(draft, place.term, relation)


def _spoken_of(draft: Draft, place: Thing) -> Thing:
    """``put two plates on the table and a fork next to each plate``: of three plates the two, which are chosen now."""
    two = next((t for t in reversed(draft.things.mentions) if t.number > 1 and not t.every
                and set(t.term.ids) == set(place.term.ids) and t.number < len(t.term.ids)), None)
    if two is None:
        return place
    dirty = {id: draft.graph[id].states.get("is_clean") is False for id in two.term.ids}
    chosen = tuple(sorted(two.term.ids, key=dirty.__getitem__)[:two.number])
    only = replace(two.description, categories=(), ids=chosen, where=(), alternatives=())
    term = replace(two.term, ids=chosen, description=only)
    draft.entries = [replace(e, proposition=replace(e.proposition, subject=term))
                     if e.proposition.subject.key == term.key else e for e in draft.entries]
    return replace(place, term=term)


def _each_its_own(draft: Draft, things: list[Thing], destination: Destination) -> None:
    """``each candle on its own table``: one place a thing."""
    place = draft.things.resolve(destination.place, SUPPORTS)[0]
    there = tuple(id for id in place.term.ids if (r := draft.graph.room_of(id)) is not None and r.id in draft.setting)
    place = replace(place, term=replace(place.term, ids=there or place.term.ids))
    several = [t for t in things if t.every or t.number > 1]
    if any(not t.term.ids for t in several) or not place.term.ids:
        raise NotSeen(f"I do not know yet how many {things[0].term.name!r} there are", [destination.place.noun.text],
                      next((t for t in several if not t.term.ids), place).term.description)
    terms = [term for t in things for term in (
        [Term(id, (id,)) for id in t.term.ids[:None if t.every else t.number]] if t in several else [t.term])]
    if len(place.term.ids) < len(terms):
        count = len(terms)
        raise Refusal(f"there are {len(place.term.ids)} of {place.term.name!r} for {count} of {things[0].term.name!r}",
                      [destination.place.noun.text])
    for one, target in zip(terms, place.term.ids):
        its = replace(place, term=Term(target, (target,)))
        predicate, term = _at(draft, its, destination.relation, place.term.name)
        draft.put(Proposition(predicate, one, term))


def cluster(draft: Draft, things: list[Thing]) -> None:
    """Next to each other: things of a kind, or of several, of which it is known which they are, all together; else each
    next to the one before."""
    if len(things) == 1:
        thing = things[0]
        count = thing.number if not thing.every else max(2, len(thing.term.ids))
        draft.put(Proposition("is_clustered", thing.term, None, count, thing.every))
        return
    several = any(t.every and len(t.term.ids) > 1 or t.number > 1 for t in things)
    ids = tuple(dict.fromkeys(id for t in things for id in t.term.ids))
    if several and all(t.term.ids and (t.every or len(t.term.ids) == t.number) for t in things):
        names = " and ".join(t.term.name for t in things)
        both = Description(names, Kind.OBJECT, (), ids=ids)
        draft.put(Proposition("is_clustered", Term(f"{names}#{len(draft.entries)}", ids, both), None, len(ids)))
        return
    for before, after in zip(things, things[1:]):
        draft.add("is_next_to", after, before.term)


def by_place(draft: Draft, things: list[Thing]) -> list[list[Thing]]:
    """``A and B on the desk, C and D on the shelf; put them next to each other``: those that go to the same place."""
    rows: dict[tuple[str, ...], list[Thing]] = {}
    for thing in things:
        places = [e.proposition.place.ids for e in draft.entries if e.proposition.subject.key == thing.term.key
                  and e.proposition.predicate in ("is_on_top", "is_inside")]
        rows.setdefault(places[-1] if places else (), []).append(thing)
    several = [row for row in rows.values() if len(row) > 1 or row[0].every or row[0].number > 1]
    if len(rows) < 2 or not several:
        return [things]
    told = "; ".join(" and ".join(t.term.name for t in row) for row in several)
    draft.note(f"next to each other, each at its place: {told}")
    return several


def _spoken(draft: Draft, placed: Placed, moved: list[Thing], relation: str) -> Thing:
    """The place; ``it`` is what was spoken of last that suits the relation, and is not what is moved."""
    keys, ids = {t.term.key for t in moved}, {id for t in moved for id in t.term.ids}
    others = [t for t in reversed(draft.things.mentions) if t.term.key not in keys
              and not (t.source and t.clause == draft.things.clause)
              and (not t.every or len(t.term.ids) == 1 or _one_in_many(draft, t))
              and not (t.term.ids and set(t.term.ids) <= ids)]
    if relation == "next_to":  # the glass on the table and the bottle next to it: the glass
        others.sort(key=lambda t: t.kind is not Kind.OBJECT or t.clause < draft.things.clause - 1)
    if placed.noun.pronoun == "them":
        pieces = draft.things.last(Kind.FURNITURE) if relation in ("on", "in") else None
        if pieces is not None and pieces.noun is not None and pieces.noun.plural:  # dust the shelves, put books on them
            return pieces
        return next(iter(_spoken_together(draft, moved)), None) or draft.things.resolve(placed, (Kind.OBJECT,))[0]
    if placed.noun.pronoun == "it" and others:
        fitting = [t for t in others if _suits(draft, t, relation)]
        if relation == "in" and fitting and _topped(draft, fitting[0]):  # the pan on the stove, and a kiwi in it
            fitting = [t for t in fitting if t.kind is Kind.OBJECT] or fitting
        return (fitting or others)[0]  # the bowl to the table and the pear in it: in the bowl
    return draft.things.resolve(placed, (*SUPPORTS, Kind.OBJECT))[0]


def _spoken_together(draft: Draft, moved: list[Thing]) -> list[Thing]:
    """The objects that were spoken of in one clause just before, less what is moved."""
    keys = {t.term.key for t in moved}
    spoken = [t for t in draft.things.mentions if t.kind is Kind.OBJECT and t.term.key not in keys]
    return list({t.term.key: t for t in spoken if t.clause == spoken[-1].clause}.values())


def _topped(draft: Draft, thing: Thing) -> bool:
    """Whether something was just put on it."""
    last = next((e.proposition for e in reversed(draft.entries) if e.proposition.object is not None), None)
    return last is not None and last.predicate == "is_on_top" and last.place.ids == thing.term.ids


def _one_in_many(draft: Draft, thing: Thing) -> bool:
    """Grapes, flowers: one thing with a plural name."""
    categories = thing.term.description.categories if thing.term.description else ()
    return len(categories) == 1 and draft.vocabulary.lexicon.singular(categories[0]) != categories[0]


def _suits(draft: Draft, thing: Thing, relation: str) -> bool:
    """Whether ``it`` may be this thing in ``on it`` or ``in it``."""
    if relation == "on":
        return thing.kind is not Kind.OBJECT or holds_things(draft, thing, _FLAT)
    return relation == "in" and takes_in(draft, thing)


def _target(draft: Draft, d: Destination, moved: list[Thing]) -> tuple[str, Term | None, Term | None]:
    """Predicate and term of the place, and what to stand next to."""
    if d.place.noun.holding is not None and not draft.complete and draft.things.kind_of(d.place.noun) is not Kind.ROOM:
        held = draft.things.resolve(Placed(d.place.noun.holding), (Kind.OBJECT,))[0]
        if not held.term.ids:  # the table where the candle is, which has not been seen yet
            draft.note(f"{d.place.noun.text!r}: next to {held.term.name}, once that is found")
            return "is_next_to", None, held.term
    beside = _beside(draft, d, d.beside, moved) if d.beside is not None else None
    if d.relation == "former_of":
        return (*former_place(draft, draft.things.resolve(d.place, (Kind.OBJECT,))[0]), None)
    if d.relation == "next_to" and d.place.noun.words == ("door",):
        raise Refusal("I know no place at 'the door'; name a room or a piece of furniture", ["door"])
    if d.relation == "next_to":
        thing = _spoken(draft, d.place, moved, "next_to") if d.place.noun.pronoun in ("it", "them") else (
            draft.things.resolve(d.place, (Kind.OBJECT, *SUPPORTS))[0])
        if thing.kind is Kind.ROOM:  # at the entrance
            draft.note(f"by {thing.term.name!r} is taken as in it")
            return "is_in_room", thing.term, None
        return ("is_next_to", thing.term, None) if thing.kind is Kind.FURNITURE else ("is_next_to", None, thing.term)
    thing = _where_it_was_brought(draft, d, moved)
    if thing.kind is not Kind.OBJECT:
        thing = elsewhere(draft, thing, d.place.noun, d.place.where, moved)
    if thing.kind is Kind.OBJECT:
        draft.require(thing)  # on a clean plate
        predicate = _at_object(draft, thing, d.relation, d.place.noun.text)
        return (predicate, None, thing.term) if predicate == "is_next_to" else (predicate, thing.term, beside)
    if thing.kind is Kind.ROOM:
        return "is_in_room", thing.term, beside
    return (*surface(draft, thing.term, "in" if _is_drawer(draft, d) else d.relation), beside)


def _is_drawer(draft: Draft, d: Destination) -> bool:
    """``on the cabinet drawer``: of what has one, things go in it."""
    words = d.place.noun.words
    drawer = len(words) > 1 and words[-1] == "drawer" and words[-2] != "of" and not d.place.noun.plural
    if drawer and d.relation == "on":
        draft.note(f"'on {d.place.noun.text}' is taken as in it")
    return drawer


def _at_object(draft: Draft, thing: Thing, relation: str, words: str) -> str:
    """How things stand to an object: in the bowl, on the plate. Errors: Refusal where it cannot take any."""
    if relation == "to" and holds_things(draft, thing, _VESSELS):
        return "is_inside"
    if relation in ("in", "on") and holds_things(draft, thing):
        return "is_inside" if relation == "in" else "is_on_top"
    if relation in ("in", "on"):
        raise Refusal(f"nothing can be put {relation} {thing.term.name!r}; things can go next to it", [words],
                      Code.NOT_INTERACTIVE)
    return "is_next_to"


def _where_it_was_brought(draft: Draft, d: Destination, moved: list[Thing]) -> Thing:
    """``to the living room, and put it on the table``: the one there; what is only elsewhere is told."""
    rooms = _brought_to(draft, moved)
    setting, draft.setting = draft.setting, rooms or draft.setting
    try:
        thing = _spoken(draft, d.place, moved, d.relation)
    finally:
        draft.setting = setting
    inside = any((room := draft.graph.room_of(id)) is not None and room.id in rooms for id in thing.term.ids)
    if rooms and thing.kind is Kind.FURNITURE and not (inside or d.place.where):
        draft.note(f"{thing.term.name!r} is not in {' or '.join(sorted(rooms))}, but elsewhere")
    return thing


def _brought_to(draft: Draft, moved: list[Thing]) -> frozenset[str]:
    """``to the living room, and put it on the table``: the room where it was brought just before."""
    last = next((e.proposition for e in reversed(draft.entries) if e.proposition.object is not None and moved
                 and e.proposition.subject.key == moved[0].term.key), None)
    return frozenset(last.place.ids) if last is not None and last.predicate == "is_in_room" else frozenset()


def _beside(draft: Draft, d: Destination, beside: Placed, moved: list[Thing]) -> Term:
    """What to stand next to: in the bathroom by the sink, the sink that is there."""
    if beside.noun.pronoun in ("it", "them"):
        return _spoken(draft, beside, moved, "next_to").term
    if draft.things.kind_of(d.place.noun) is Kind.ROOM:
        within = replace(beside, where=(*beside.where, Prep("in", d.place.noun)))
        try:
            there = draft.things.resolve(within, mention=False)[0]
        except Refusal:
            there = None
        if there is not None and there.term.ids:
            return draft.things.resolve(within)[0].term
    return draft.things.resolve(beside)[0].term


def takes_in(draft: Draft, thing: Thing) -> bool:
    """Whether things can be put inside."""
    pieces = [draft.graph[id] for id in thing.term.ids if id in draft.graph]
    return holds_things(draft, thing) if thing.kind is Kind.OBJECT else any(
        s.inside for piece in pieces for s in piece.surfaces)


_FLAT = ("plate", "tray")
_VESSELS = ("bowl", "basket", "bag")
_HOLDERS = ("container", "dish", "box", "tray", "pan", "pot", "plate", *_VESSELS)


def holds_things(draft: Draft, thing: Thing, words: tuple[str, ...] = _HOLDERS) -> bool:
    """Whether an object can take others: a bowl, a plate, a box."""
    categories = [draft.graph[id].category for id in thing.term.ids if id in draft.graph] or list(
        thing.term.description.categories if thing.term.description else ())
    return any(draft.vocabulary.is_a(c, word) for c in categories for word in words)


def surface(draft: Draft, term: Term, relation: str) -> tuple[str, Term]:
    """On or in, as the furniture has it: what has no inside takes things on it. At home means inside where that can be,
    and so does to the washing machine; on the fridge, where nothing can stand on it, means in it. Errors: Refusal."""
    entities = [draft.graph[id] for id in term.ids]
    on = tuple(e.id for e in entities if any(not s.inside for s in e.surfaces) or not e.surfaces)
    inside = tuple(e.id for e in entities if any(s.inside for s in e.surfaces) or not e.surfaces)
    if relation == "on" and not on:
        if not all(e.parts for e in entities):
            raise Refusal(f"nothing can stand on {term.name!r}; things can go in it", [term.name], Code.NOT_INTERACTIVE)
        draft.note(f"{term.name}: nothing can stand on it, so things go in it")
    into = relation == "to" and set(inside) <= set(of_category(occasions().insides, draft.graph, draft.vocabulary))
    if (relation in ("in", "home") or into) and inside or not on:
        return "is_inside", replace(term, ids=inside)
    if relation == "in":
        draft.note(f"{term.name}: it has no inside, so things go on it")
    return "is_on_top", replace(term, ids=on)

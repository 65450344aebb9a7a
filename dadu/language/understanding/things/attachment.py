"""Which prepositional phrase belongs to what: possible readings of a clause's items, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from dadu.language.reading.syntax import And, Clause, Item, Noun, Prep
from dadu.world.graph import Kind

_PLACES = (Kind.FURNITURE, Kind.ROOM)
_PLACING = ("put", "bring", "fetch", "ship", "stow")
"""frames for which ``on the table`` may be where to"""
_MOVES = ("put", "bring", "take", "fetch", "ship", "stow", "discard")
_WHERE_IT_IS = ("clean", "dry", "heat", "cool", "slice", "power_on", "power_off", "take", "fetch", "find")
"""frames for which a place is where a thing is"""
KindOf = Callable[[Noun], Kind | None]
IsThere = Callable[[Noun, Prep], bool]


@dataclass(frozen=True)
class Placed:
    """A noun with the prepositional phrases that narrow it."""

    noun: Noun
    where: tuple[Prep, ...] = ()


@dataclass(frozen=True)
class Destination:
    """Where to: ``relation place``, and perhaps next to something there."""

    relation: str
    place: Placed
    beside: Placed | None = None
    second: Placed | None = None
    """between `place` or `beside`, and this"""
    also: tuple[Noun, ...] = ()
    """more places: on the table and the desk"""
    company: tuple[Placed, ...] = ()
    """more things to stand next to, beside `place` or `beside` and `second`"""


@dataclass(frozen=True)
class Reading:
    """What is meant by one group of items."""

    objects: tuple[Placed, ...]
    destination: Destination | None = None
    together: bool = False
    """next to each other"""
    usual: bool = False
    """where each belongs"""
    former: bool = False
    """where each was"""
    carried: tuple[Prep, ...] = ()
    """in or on the first object: a bowl with a spoon in it; said of the place, those that narrow"""
    onward: Destination | None = None
    """where what holds them then goes: on a plate on the table"""


@dataclass
class Group:
    """Nouns that share prepositional phrases: ``the apple and the pear from the counter on the table``."""

    nouns: list[Noun] = field(default_factory=list)
    preps: list[Prep] = field(default_factory=list)


def groups(clause: Clause, kind_of: KindOf, is_there: IsThere) -> list[Group]:
    """The items of a clause, taken apart only where each has its own place: ``put A on B and C on D``."""
    out = [Group()]
    items = clause.items
    for i, item in enumerate(items):
        group, after_and = out[-1], i > 0 and isinstance(items[i - 1], And)
        if isinstance(item, Prep):
            group.preps.append(item)
        elif isinstance(item, Noun):
            if not (after_and and group.preps and group.nouns):
                group.nouns.append(item)
            elif (last := group.preps[-1]).relation == "with" and kind_of(item) is Kind.OBJECT and (
                    _plain(item) or item.indefinite and last.noun.indefinite):
                group.preps[-1] = replace(last, also=(*last.also, item))  # a pan with a potato and a knife in it
            elif last.relation == "from" and kind_of(item) is kind_of(last.noun) in _PLACES:
                either = replace(last.noun, alternatives=(*last.noun.alternatives, item))
                group.preps[-1] = replace(last, noun=either)  # from the counter and the table to the shelf
            elif kind_of(item) is kind_of(last.noun) and (
                    not _prep_follows(items, i) or kind_of(item) in _PLACES and clause.frame in _MOVES
                    or last.relation == "next_to" and _also_there(item, last, _behind(items, i), is_there)):
                _coordinate(group, item, clause.frame in _MOVES, kind_of(item) in _PLACES)
            elif _prep_follows(items, i) or _its_own(clause, last, kind_of) and (
                    kind_of(item) is Kind.OBJECT):
                out.append(Group([item]))
            else:
                group.nouns.append(item)
    end = items[-1] if items else None
    if len(out) > 1 and isinstance(end, Prep) and end.relation == "together" and isinstance(items[-2], And):
        for group in out[:-1]:  # A and B here, C and D there, next to each other
            group.preps += [end] if len(group.nouns) > 1 else []
    first = next((i for i, item in enumerate(items) if isinstance(item, Noun)), len(items))
    for group in out[1:]:  # in the den, put the cup on the desk and the pen on the shelf
        group.preps += [item for item in items[:first] if isinstance(item, Prep)]
    return _share(out, clause.frame in _PLACING)


def _its_own(clause: Clause, last: Prep, kind_of: KindOf) -> bool:
    """``wash the plate from the sink and the bowl``: it is said of the plate where it is."""
    here = last.relation in ("on", "in", "at", "next_to") and kind_of(last.noun) is not Kind.ROOM
    return clause.frame in _WHERE_IT_IS and (last.relation == "from" or here and clause.frame != "fetch")


def _coordinate(group: Group, item: Noun, moves: bool, place: bool) -> None:
    """``on the table and the desk``, ``next to the cup and the glass``; in the bowl go both the apple and the pear."""
    last = group.preps[-1]
    if moves and last.relation == "next_to":
        group.preps[-1] = replace(last, second=item) if last.second is None else replace(last, also=(*last.also, item))
    elif not moves or last.relation not in ("on", "in", "to", "at") or last.second is not None:
        group.preps.append(Prep(last.relation, item))  # from the counter and the table
    elif place:
        group.preps[-1] = replace(last, also=(*last.also, item))
    else:
        group.nouns.append(item)


def _also_there(item: Noun, beside: Prep, place: Prep, is_there: IsThere) -> bool:
    """``next to the plate and fork on the table``, ``next to a plate and a fork on the table``, ``next to the plate and
    the fork on the table``, where they are: it goes next to both, and none of them is moved."""
    either, placed = item.indefinite and beside.noun.indefinite, place.relation in ("on", "in", "at")
    return _plain(item) or placed and (either or is_there(item, place) and is_there(beside.noun, place))


def _behind(items: tuple[Item, ...], i: int) -> Prep:
    return next(item for item in items[i + 1:] if isinstance(item, Prep))


def _plain(noun: Noun) -> bool:
    """``the plate and fork``: without an article of its own it goes with what is before."""
    return not noun.pronoun and len(noun.text.split()) == len(noun.words)


def _share(found: list[Group], places: bool) -> list[Group]:
    """``the cup from the shelf to the table, and the glass from the cart, too``: a group that only says where from goes
    where its neighbour goes."""
    def goes(group: Group) -> list[Prep]:
        return [p for p in group.preps if p.relation not in ("from", "with") and (places or p.relation == "to")]
    for order in (found[::-1], found):
        for before, group in zip(order, order[1:]):
            if group.preps and not goes(group) and goes(before):
                group.preps += goes(before)
    for group, after in list(zip(found, found[1:]))[::-1]:  # a cup next to a spoon, a fork next to a plate on the table
        if [p.relation for p in group.preps] == ["next_to"] and group.preps[0].noun.indefinite and (
                [p.relation for p in after.preps] in (["next_to", "on"], ["next_to", "in"])):
            group.preps.append(after.preps[1])
    return found


def _prep_follows(items: tuple[Item, ...], i: int) -> bool:
    return any(isinstance(item, Prep) for item in items[i + 1:])


def readings(group: Group, kind_of: KindOf, *, moves: bool) -> Iterator[Reading]:
    """For a verb that `moves` something, one phrase is the destination; for the others only one with ``to`` can be."""
    preps, carried = _carried(group.preps, kind_of)
    together, usual, former = (any(p.relation == r for p in preps) for r in ("together", "usual", "former"))
    named = not group.nouns or any(not n.pronoun or n.pronoun == "one" for n in group.nouns)
    moves = moves or not named  # it is not narrowed: serve it on the table
    special = ("together", "usual", "former", "for", "light", "under")
    rest = _attached([p for p in preps if p.relation not in special], kind_of)
    sources = tuple(_flat([(p, where)])[0] for p, where in rest if p.relation == "from")
    rest = [r for r in rest if r[0].relation != "from"]
    to = next((i for i, (p, _) in enumerate(rest) if p.relation == "to" or p.directed), None)
    for order in _destinations(rest, to, moves and not (usual or former), named):
        first, last = min(order), max(order)
        if not named and any(kind_of(p.noun) is not Kind.ROOM for p, _ in rest[:first]):
            continue  # put it on a plate on the table: the plate is not to be forgotten
        objects = tuple(Placed(n, sources + _flat(rest[:first])) for n in group.nouns)
        destination = _destination([rest[i] for i in order], _flat(rest[last + 1:]))
        yield Reading(objects, destination, together, usual, former, carried)
    if moves and [kind_of(p.noun) for p, _ in rest[-2:]] == [Kind.ROOM, Kind.FURNITURE]:
        objects = tuple(Placed(n, sources + _flat(rest[:-2])) for n in group.nouns)  # in the den on the chair
        destination = _destination(rest[-1:], _flat(rest[-2:-1]))
        yield Reading(objects, destination, together, usual, former, carried)
    if moves and len(rest) > 1 and kind_of(rest[-2][0].noun) is Kind.ROOM and kind_of(rest[-1][0].noun) in _PLACES:
        objects = tuple(Placed(n, sources + _flat(rest[:-2])) for n in group.nouns)  # in the den on the desk
        yield Reading(objects, _destination(rest[-1:], _flat(rest[-2:-1])), together, usual, former, carried)
    if moves and (onward := _onward(rest, kind_of)) is not None:
        destination, then = onward
        objects = tuple(Placed(n, sources + _flat(rest[:-2])) for n in group.nouns)
        yield Reading(objects, destination, together, usual, former, carried, then)
    if to is None and (not moves or (together or usual or former) and (named or not rest)):  # no place said is left out
        objects = tuple(Placed(n, sources + _flat(rest)) for n in group.nouns)
        yield Reading(objects, None, together, usual, former, carried)


def _carried(preps: list[Prep], kind_of: KindOf) -> tuple[list[Prep], tuple[Prep, ...]]:
    """``with a spoon in it`` apart from the other phrases; on the shelf with the television (on it) is by that."""
    rest, carried, i = [], [], 0
    while i < len(preps):
        prep, behind = preps[i], preps[i + 1] if i + 1 < len(preps) else None
        if prep.relation != "with":
            rest.append(prep)
            i += 1
            continue
        on_it = behind.relation if behind is not None and behind.noun.pronoun == "it" else ""
        inside = on_it in ("in", "on")
        last = rest[-1] if rest and rest[-1].relation != "from" else None
        placed = last is not None and kind_of(last.noun) is Kind.FURNITURE
        if placed and kind_of(prep.noun) is Kind.FURNITURE:
            rest.append(replace(prep, relation="next_to", narrows=True))
        else:
            relation = on_it if inside else "in"
            told = placed and (not inside or relation == "on" and prep.noun.text.startswith("the "))
            carried += [replace(p, relation=relation, narrows=told) for p in prep.each()]
        i += 1 + inside
    return rest, tuple(carried)


def _destinations(rest: list[tuple[Prep, tuple[Prep, ...]]], to: int | None, moves: bool, named: bool
                  ) -> Iterator[tuple[int, ...]]:
    """Indices of the phrases that form the destination, the place before what to stand next to. What is not `named`
    (it, them) is not narrowed by phrases: put it on the plate in the cupboard."""
    if to is not None:
        beside = to + 1 < len(rest) and rest[to + 1][0].relation in ("next_to", "between")
        yield (to, to + 1) if beside else (to,)
    elif moves and rest:
        relations = [p.relation for p, _ in rest]
        for i in range(len(rest) - 1):
            if relations[i + 1] in ("next_to", "between") and relations[i] in ("on", "in", "at"):
                yield i, i + 1
        yield from ((i,) for i, relation in enumerate(relations) if relation in ("next_to", "between") and not (
            rest[i][0].noun.pronoun and relations[i + 1:i + 2] in (["on"], ["in"], ["at"])))  # next to it on the desk
        for i in range(len(rest) - 1):  # next to the pear on the table, where the pear is not there yet
            if relations[i] in ("next_to", "between") and relations[i + 1] in ("on", "in", "at"):
                yield i + 1, i
        yield from ((i,) for i in (reversed(range(len(rest))) if named else range(len(rest))))


def _onward(rest: list[tuple[Prep, tuple[Prep, ...]]], kind_of: KindOf) -> tuple[Destination, Destination] | None:
    """``on a plate on the table``, where no plate is on the table yet: it goes there with what is put on it."""
    if len(rest) < 2:
        return None
    (holder, _), (place, _) = rest[-2:]
    fits = holder.relation in ("in", "on") and place.relation in ("in", "on", "to", "at")
    if not fits or kind_of(holder.noun) is not Kind.OBJECT or kind_of(place.noun) not in _PLACES:
        return None
    return _destination(rest[-2:-1], ()), _destination(rest[-1:], ())


def _destination(parts: list[tuple[Prep, tuple[Prep, ...]]], narrowing: tuple[Prep, ...]) -> Destination:
    (prep, where), beside = parts[0], None
    between, there = parts[-1][0].second, narrowing
    if len(parts) == 2:
        beside = Placed(parts[1][0].noun, parts[1][1] + narrowing)
        narrowing = ()
    second = Placed(between, there) if between is not None else None
    last = parts[-1][0]
    company = tuple(Placed(noun, there) for noun in last.also) if last.relation == "next_to" else ()
    return Destination(prep.relation, Placed(prep.noun, where + narrowing), beside, second,
                       prep.also if prep.relation != "next_to" else (), company)


def _attached(preps: list[Prep], kind_of: KindOf) -> list[tuple[Prep, tuple[Prep, ...]]]:
    """``on the table in the kitchen``, ``on the desk by the chair``: a room or piece of furniture behind narrows it;
    ``on the plate from the cupboard``: an object came from there, furniture did not."""
    out: list[tuple[Prep, tuple[Prep, ...]]] = []
    for prep in preps:
        by = prep.relation == "next_to" and bool(out) and kind_of(out[-1][0].noun) is Kind.FURNITURE  # by the entrance
        room = prep.narrows or (by or prep.relation in ("in", "at")) and kind_of(prep.noun) is Kind.ROOM
        room = room or bool(out) and prep.relation in ("next_to", "at") and not prep.noun.pronoun and all(
            kind_of(p.noun) is Kind.FURNITURE for p in (prep, out[-1][0]))
        where = out[-1][0] if out else None
        if prep.relation == "from" and where is not None and where.relation in ("on", "in", "next_to"):
            room = kind_of(where.noun) is Kind.OBJECT
        if room and out and (prep.narrows or kind_of(out[-1][0].noun) not in (Kind.ROOM, None)):
            out[-1] = (out[-1][0], (*out[-1][1], prep))
        else:
            out.append((prep, ()))
    return out


def _flat(parts: list[tuple[Prep, tuple[Prep, ...]]]) -> tuple[Prep, ...]:
    return tuple(replace(prep, within=where) for prep, where in parts)

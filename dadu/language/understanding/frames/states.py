"""Changing states: opened, washed, filled, heated, cooled, sliced, switched."""

from __future__ import annotations

from dataclasses import replace

from dadu.core.errors import choices
from dadu.goals.candidates import located
from dadu.goals.goal import Proposition, Term, Where
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft, needs_object, nouns_of
from dadu.language.understanding.frames.moving import move
from dadu.language.understanding.frames.placing import place
from dadu.language.understanding.frames.state_subjects import each, liquid, plain
from dadu.language.understanding.frames.temperature import temper
from dadu.language.understanding.refining import gone_to
from dadu.language.understanding.things.attachment import Destination, Group, Placed
from dadu.language.understanding.things.things import Thing
from dadu.skills.outcome import Code
from dadu.world.graph import Entity, Kind, Relation

_TOOLS = ("with", "in", "on", "at", "from")


def open_(draft: Draft, clause: Clause, part: Group) -> None:
    _articulate(draft, "is_open", clause, part)


def close(draft: Draft, clause: Clause, part: Group) -> None:
    _articulate(draft, "is_closed", clause, part)


def state(draft: Draft, clause: Clause, part: Group) -> None:
    """``the fridge should be closed``: the verb is the predicate."""
    make(draft, clause, clause.verb, part)


def make(draft: Draft, clause: Clause, predicate: str, part: Group) -> None:
    """Whatever brings a state about."""
    if predicate in ("is_open", "is_closed"):
        _articulate(draft, predicate, clause, part)
    elif predicate in ("is_hot", "is_cold"):
        temper(draft, clause, part, predicate)
    elif predicate == "is_filled":
        fill(draft, clause, part)
    else:
        each(draft, predicate, plain(draft, part))


def clean(draft: Draft, clause: Clause, part: Group) -> None:
    """A thing or a piece of furniture is washed or wiped; a room is cleared."""
    if any(draft.things.kind_of(noun) is Kind.ROOM for noun in nouns_of(clause, part)):
        draft.frame("clear", clause, part)
        return
    each(draft, "is_clean", plain(draft, part))


def dry(draft: Draft, clause: Clause, part: Group) -> None:
    """What was washed dries by itself. Errors: Refusal for anything else."""
    washed = {e.proposition.subject.key for e in draft.entries if e.proposition.predicate == "is_clean"}
    if not {t.term.key for t in plain(draft, part)} <= washed:
        raise Refusal(f"I cannot dry things: {clause.text!r}", [clause.verb], Code.UNKNOWN_ACTION)
    draft.note(f"{clause.text!r}: not done, I cannot dry things; what is washed dries by itself")


def fill(draft: Draft, clause: Clause, part: Group) -> None:
    """With water; or with things, which then go into it."""
    contents = [p.noun for p in part.preps if p.relation == "with" and not liquid(draft, p.noun)]
    if contents:
        vessel = Prep("in", nouns_of(clause, part)[0])
        move(draft, draft.read(Group(contents, [vessel]), moves=True), clause)
        return
    things = plain(draft, part)
    dry = next((t for t in things if t.kind is Kind.FURNITURE and not any(
        "is_filled" in draft.graph[id].states for id in t.term.ids)), None)
    if dry is not None:
        raise Refusal(f"no water goes into {dry.term.name!r}; say with what to fill it", [dry.term.name])
    each(draft, "is_filled", things)


def pour(draft: Draft, clause: Clause, part: Group) -> None:
    """Into a vessel, which is full then."""
    vessels = [p for p in part.preps if p.relation in ("in", "to", "on")]
    if not vessels:
        raise Refusal(f"what to pour into is not said in {clause.text!r}", [clause.verb])
    poured = [t for noun in part.nouns if not liquid(draft, noun)
              for t in draft.things.resolve(Placed(noun), (Kind.OBJECT,))]
    each(draft, "is_filled", draft.things.resolve(Placed(vessels[0].noun), (Kind.OBJECT,)))
    draft.things.mentions += poured  # pour it into the glass and put it back: what was poured from


def slice_(draft: Draft, clause: Clause, part: Group) -> None:
    """``slice it on the counter``: it lies there."""
    things = [_only_able(draft, t, "slice") for t in plain(draft, part, Kind.OBJECT)]
    for thing in things:
        about = thing.term.description
        if not (draft.complete or thing.term.ids or about is None) and about.where and not draft.not_there(about):
            raise NotSeen(f"I do not know yet whether {about.words!r} is there", [about.words], about, every=False)
    said = [w.ids for t in things if t.term.description is not None for w in t.term.description.where]
    for prep in part.preps:
        if prep.relation in ("on", "at") and draft.things.kind_of(prep.noun) in (Kind.FURNITURE, Kind.OBJECT) and (
                draft.things.where(prep).ids not in said):  # not: the one that is there
            place(draft, things, Destination("on", Placed(prep.noun)))
    each(draft, "is_sliced", things)


def _only_able(draft: Draft, thing: Thing, affordance: str) -> Thing:
    """Of what it may be, that with which it can be done. Errors: Refusal where it can be done with none."""
    known = [id for id in thing.term.ids if (e := draft.vocabulary.entries.get(draft.graph[id].category)) is not None
             and e.affordances and affordance not in e.affordances]
    if known and len(known) == len(thing.term.ids):
        raise Refusal(f"I cannot {affordance} {thing.term.name!r}", [thing.term.name], Code.NOT_INTERACTIVE)
    ids = tuple(id for id in thing.term.ids if id not in known)
    return replace(thing, term=replace(thing.term, ids=ids))


def power_on(draft: Draft, clause: Clause, part: Group) -> None:
    each(draft, "is_powered_on", _switched(draft, clause, part))


def power_off(draft: Draft, clause: Clause, part: Group) -> None:
    each(draft, "is_powered_off", _switched(draft, clause, part))


def _switched(draft: Draft, clause: Clause, part: Group) -> list[Thing]:
    """Errors: Refusal for what has no switch."""
    if part.nouns and part.nouns[0].words[-1:] and part.nouns[0].words[-1] in draft.vocabulary.lexicon.plain_nouns and (
            part.nouns[0].every or part.nouns[0].words == ("everything",)):
        return _all_switches(draft, part)
    part = _where_it_went(draft, part)
    pronoun = bool(part.nouns) and part.nouns[0].pronoun == "it"
    spoken = [t for t in reversed(draft.things.mentions) if has_switch(draft, t)] if pronoun else []
    draft.things.mentions += [replace(t, clause=draft.things.clause) for t in spoken[:1]]
    shared = len(part.nouns) > 1  # the lamp on the side table and the floor lamp
    things = spoken[:1] or plain(draft, part, anywhere=shared)
    several = part.nouns and (part.nouns[0].every or part.nouns[0].plural) and not part.nouns[0].pronoun
    if several and all(t.kind is Kind.OBJECT for t in things):  # all lamps, those that are furniture, too
        things += _standing(draft, part)
    for thing in things:
        if not has_switch(draft, thing):
            raise Refusal(f"{thing.term.name!r} cannot be switched on or off", [thing.term.name], Code.NOT_INTERACTIVE)
    return things


def _where_it_went(draft: Draft, part: Group) -> Group:
    """``go to the den and switch on the lamp``: the one there, if there is one. Errors: NotSeen where that is to be
    looked at."""
    room = gone_to(draft)
    elsewhere = any(p.noun.pronoun != "there" for p in part.preps)
    if room is None or elsewhere or len(part.nouns) != 1 or not part.nouns[0].words:
        return part
    noun, there = part.nouns[0], Prep("in", room.noun or Noun())
    try:
        found = draft.things.resolve(Placed(noun, (there,)), mention=False)
    except Refusal:
        return part
    if all(t.term.ids and has_switch(draft, t) for t in found):
        return Group(part.nouns, [there])
    wanted = found[0].term.description
    if draft.complete or wanted is None or wanted.kind is not Kind.OBJECT or draft.not_there(wanted):
        return part
    raise NotSeen(f"I do not know yet whether there is {noun.text!r} there", [noun.text], wanted, every=False)


def _all_switches(draft: Draft, part: Group) -> list[Thing]:
    """``everything in the kitchen``: whatever has a switch there. Errors: Refusal where nothing has."""
    where = _places(draft, part)
    found = [e for kind in (Kind.OBJECT, Kind.FURNITURE) for e in draft.graph.of(kind)
             if draft.vocabulary.has_affordance(e.category, "power_on") and all(
                 located(draft.graph, e, w) for w in where)]
    if not found:
        raise Refusal(f"I know of nothing there that has a switch for {part.nouns[0].text!r}", [part.nouns[0].text])
    return [Thing(Term(e.id, (e.id,)), e.kind) for e in found]


def _standing(draft: Draft, part: Group) -> list[Thing]:
    """Pieces of furniture that are called so as well, each where the part says."""
    try:
        found = draft.things.resolve(Placed(part.nouns[0]), (Kind.FURNITURE,), mention=False)
    except Refusal:
        return []
    where = _places(draft, part)
    return [t for t in found if has_switch(draft, t) and all(
        located(draft.graph, draft.graph[id], w) for id in t.term.ids for w in where)]


def _places(draft: Draft, part: Group) -> tuple[Where, ...]:
    return tuple(draft.things.where(p) for p in part.preps if p.relation in ("in", "on", "at", "next_to", "from"))


def has_switch(draft: Draft, thing: Thing) -> bool:
    words = ("lamp", "light", "appliance", "electronics", "electric", "kitchenware", "candle", "device")
    categories = [draft.graph[id].category for id in thing.term.ids if id in draft.graph] or (
        thing.term.description.categories if thing.term.description else ())
    return any(draft.vocabulary.has_affordance(c, "power_on") or any(draft.vocabulary.is_a(c, w) for w in words)
               for c in categories)


def _articulate(draft: Draft, predicate: str, clause: Clause, part: Group) -> None:
    openable = [e for e in draft.graph.of(Kind.FURNITURE) if e.is_container]
    for placed in needs_object(draft.read(part, moves=False), clause):
        for thing in _openable(draft, placed, openable):
            ids = tuple(e.id for e in openable if e.id in thing.term.ids)
            if not ids and predicate == "is_closed" and draft.entries:
                draft.note(f"{thing.term.name!r} has nothing to close")
                continue
            if not ids:
                raise Refusal(f"{thing.term.name!r} cannot be opened or closed; these can: "
                              f"{choices(e.id for e in openable)}", [thing.term.name], Code.NOT_INTERACTIVE)
            whole = Proposition(predicate, Term(thing.term.key, ids, thing.term.description))
            each = [Proposition(predicate, Term(id, (id,))) for id in ids]
            several = placed.noun.plural or placed.noun.every
            for p in each if several else [draft.unsatisfied(whole)]:
                draft.put(p)


def _opened(draft: Draft, openable: set[str]) -> list[Thing]:
    """What is opened for what was asked for so far: where things are taken out and put in."""
    holding = {edge.object for e in draft.entries for id in e.proposition.subject.ids
               if (edge := draft.graph.support(id)) is not None and edge.relation is Relation.IN}
    filled = {id for e in draft.entries if e.proposition.predicate == "is_inside" for id in e.proposition.place.ids}
    opened = {id for e in draft.entries if e.proposition.predicate == "is_open" for id in e.proposition.subject.ids}
    return [Thing(Term(id, (id,)), Kind.FURNITURE) for id in sorted((holding | filled | opened) & openable)]


def _openable(draft: Draft, placed: Placed, openable: list[Entity]) -> list[Thing]:
    """``it`` and ``the door`` are the container spoken of last."""
    ids = {e.id for e in openable}
    noun = placed.noun
    if noun.words == ("opened", "door"):
        return _opened(draft, ids)
    if len(noun.words) == 1 and noun.words[0] in draft.vocabulary.lexicon.parts and (noun.plural or noun.every):
        several = [t for t in _opened(draft, ids) if _has_part(draft, t, noun)]  # close both doors
        if several:
            return several
    bare = noun.pronoun == "it" or (len(noun.words) == 1 and noun.words[0] in draft.vocabulary.lexicon.parts)
    spoken = [t for t in reversed(draft.things.mentions) if t.kind is Kind.FURNITURE and ids & set(t.term.ids)]
    spoken = [t for t in spoken if _has_part(draft, t, noun)] or spoken
    return spoken[:1] if bare and spoken else draft.things.resolve(placed, (Kind.FURNITURE,))


def _has_part(draft: Draft, thing: Thing, part: Noun) -> bool:
    """Whether it is no other door or drawer: of the dresser and the washing machine, the dresser has the drawer."""
    return any(word in p.name for word in part.words for id in thing.term.ids if id in draft.graph
               for p in draft.graph[id].parts)

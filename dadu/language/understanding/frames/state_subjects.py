"""The things whose state a clause wants changed."""

from __future__ import annotations

from dadu.goals.goal import Proposition, Term
from dadu.language.reading.syntax import Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Kind


def liquid(draft: Draft, noun: Noun) -> bool:
    return " ".join(noun.words) in draft.vocabulary.lexicon.liquids


def plain(draft: Draft, part: Group, *kinds: Kind, anywhere: bool = True) -> list[Thing]:
    """The things of a part; places narrow them, or say where to do it if it can be done `anywhere`. Tools do not count,
    but have to be there. A destination is a task of its own. Errors: Refusal."""
    for tool in (p.noun for p in part.preps if p.relation == "with" and not liquid(draft, p.noun)):
        draft.things.resolve(Placed(tool), (Kind.OBJECT, Kind.FURNITURE), mention=False)
    nouns = [n for n in part.nouns if not liquid(draft, n)] or [Noun(pronoun="it", text="it")]
    where = tuple(p for p in part.preps if p.relation in ("in", "on", "at", "from", "next_to"))
    shown = kinds or (Kind.OBJECT, Kind.FURNITURE)
    out = []
    for noun in nouns:
        last = draft.things.last(Kind.OBJECT)
        if noun.pronoun in ("it", "them") and (content := just_put_in(draft)):
            out += _taken_there(draft, content, where)
            continue
        if noun.pronoun in ("it", "them") and Kind.OBJECT in shown and last:
            spilled = last.implied and draft.things.last(Kind.FURNITURE)  # juice on the table: wipe it
            shown = (Kind.FURNITURE,) if spilled else (Kind.OBJECT,)  # put the plate in the sink and wash it: the plate
        out += (_there_or_done_there(draft, noun, where, shown) if anywhere
                else draft.things.resolve(Placed(noun, where), shown))
    return out


def just_put_in(draft: Draft) -> list[Thing]:
    """``put the bread in the pan and warm it``: the bread; nothing where nothing was put in or on a thing just now."""
    last = draft.entries[-1].proposition if draft.entries else None
    vessel = last.object.key if last is not None and last.object is not None else ""
    newest = draft.things.last(Kind.OBJECT)
    if last is None or last.predicate not in ("is_inside", "is_on_top") or newest is None or newest.term.key != vessel:
        return []
    return [t for t in draft.things.moved if t.term.key != vessel]


def _there_or_done_there(draft: Draft, noun: Noun, where: tuple[Prep, ...], kinds: tuple[Kind, ...]) -> list[Thing]:
    """``wash the cup in the sink``: the cup that is in there, or else that is where to do it."""
    if noun.pronoun:
        return _taken_there(draft, draft.things.resolve(Placed(noun), kinds), where)
    if not where:
        return draft.things.resolve(Placed(noun), kinds)
    there: list[Thing] = []
    try:
        there = draft.things.resolve(Placed(noun, where), kinds, mention=False)
        missing = any(p.relation != "from" for p in where) and not any(t.term.ids for t in there)
        if missing and not draft.complete:  # one that was not seen yet; not the floor lamp for the one on the table
            kinds = tuple({t.kind for t in there})
    except Refusal:
        missing = True
    found = draft.things.resolve(Placed(noun), kinds, mention=False) if missing else []
    looked = missing and found and all(draft.not_there(t.term.description) for t in there)
    if looked or any(t.term.ids for t in found):
        draft.note(f"{' '.join(p.noun.text for p in where)!r} was taken as where to do it")
        where = ()
    return draft.things.resolve(Placed(noun, where), kinds)


def _taken_there(draft: Draft, things: list[Thing], where: tuple[Prep, ...]) -> list[Thing]:
    """``take the cups and wash them in the kitchen``: they have to be there for that."""
    for prep in where:
        if prep.relation in ("in", "at") and draft.things.kind_of(prep.noun) is Kind.ROOM:
            room = draft.things.resolve(Placed(prep.noun), (Kind.ROOM,), mention=False)[0]
            for thing in things:
                draft.add("is_in_room", thing, room.term)
        elif prep.relation != "from" and draft.things.kind_of(prep.noun) is not None:
            draft.note(f"{prep.noun.text!r} was taken as where to do it")
    return things


def each(draft: Draft, predicate: str, things: list[Thing]) -> None:
    """Pieces of furniture one by one, objects in their number."""
    for thing in things:
        several = thing.noun is not None and (thing.noun.every or thing.noun.plural)
        if thing.kind is Kind.FURNITURE and several:
            for id in thing.term.ids:
                draft.put(Proposition(predicate, Term(id, (id,))))
        else:
            draft.require(thing)
            draft.add(predicate, thing)

"""Heated and cooled: in what is named, in the fittest that is here, or by what heats itself."""

from __future__ import annotations

from dataclasses import replace

from dadu.core.errors import choices
from dadu.goals.goal import Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import of_category
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.frames.placing import surface
from dadu.language.understanding.frames.state_subjects import each, just_put_in, liquid, plain
from dadu.language.understanding.needs import needed
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.language.understanding.things.things import Thing
from dadu.skills.outcome import Code
from dadu.world.graph import Kind

_TOOLS = ("with", "in", "on", "at", "from")


def heat(draft: Draft, clause: Clause, part: Group) -> None:
    temper(draft, clause, _in_its_vessel(draft, part), "is_hot")


def cool(draft: Draft, clause: Clause, part: Group) -> None:
    temper(draft, clause, _in_its_vessel(draft, part), "is_cold")


def _in_its_vessel(draft: Draft, part: Group) -> Group:
    """``boil water in the kettle``: the kettle, filled; where nothing says what the water is in, what is fit for it."""
    if not part.nouns or not all(liquid(draft, noun) for noun in part.nouns):
        return part
    vessels = [p for p in part.preps if p.relation in ("in", "with")]
    last = draft.things.last(Kind.OBJECT)
    if vessels:
        noun, things = vessels[0].noun, draft.things.resolve(Placed(vessels[0].noun), (Kind.OBJECT,))
    elif last is not None and _holds_water(draft, last):
        noun, things = Noun(pronoun="it", text="it"), [last]
    else:
        noun, things = Noun(pronoun="it", text="it"), [_vessel(draft, part.nouns[0])]
    each(draft, "is_filled", things)
    draft.things.mentions += things
    return Group([noun], [p for p in part.preps if p not in vessels[:1]])


def _vessel(draft: Draft, water: Noun) -> Thing:
    """What water is best boiled in. Errors: NotSeen where that was not seen yet."""
    thing = needed(draft, "boil_water")[0]
    if not thing.term.ids:
        raise NotSeen(f"I do not know yet what to heat {water.text!r} in", [water.text], thing.term.description,
                      every=False)
    return thing


def _holds_water(draft: Draft, thing: Thing) -> bool:
    categories = [draft.graph[id].category for id in thing.term.ids if id in draft.graph]
    return bool(categories) and all(draft.vocabulary.has_affordance(c, "fill") for c in categories)


def temper(draft: Draft, clause: Clause, part: Group, predicate: str) -> None:
    """Heated or cooled: in the appliance that is named, else in the fittest there is."""
    data = occasions()
    makers = of_category(data.heaters if predicate == "is_hot" else data.coolers, draft.graph, draft.vocabulary)
    out = draft.things.nouns.lacking | draft.things.nouns.broken
    makers = tuple(id for id in makers if draft.graph[id].category not in out)
    if not makers:
        word = "heat" if predicate == "is_hot" else "cool"
        raise Refusal(f"there is nothing here to {word} things with", [clause.verb], Code.NOT_INTERACTIVE)
    tools = [p for p in part.preps if p.relation in _TOOLS and _is_maker(draft, p.noun, makers)
             and not (p.relation == "from" and _taken_from(draft, part, p))]
    rest = Group(part.nouns, [p for p in part.preps if p not in tools])
    _no_vessel(draft, clause, rest, makers)
    places = [_tool(draft, p) for p in tools] or _implied(draft, clause.verb, makers)
    for thing in plain(draft, rest, Kind.OBJECT):
        draft.require(thing)  # a slice of bread
        if predicate == "is_hot" and not tools and _heats_itself(draft, thing):
            draft.add("is_powered_on", thing)
            continue
        for name, term in places:
            draft.add(name, thing, term)
            draft.entries[-1] = replace(draft.entries[-1], passing=True)
        draft.add(predicate, thing)


def _heats_itself(draft: Draft, thing: Thing) -> bool:
    """An electric kettle needs no stove."""
    categories = {draft.graph[id].category for id in thing.term.ids if id in draft.graph} or set(
        thing.term.description.categories if thing.term.description is not None else ())
    return bool(categories) and all(draft.vocabulary.has_affordance(c, "power_on") and any(
        draft.vocabulary.is_a(c, heater) for heater in occasions().heaters) for c in categories)


def _taken_from(draft: Draft, part: Group, prep: Prep) -> bool:
    """``warm the croissant that is in the microwave``: whether it is there."""
    return all(t.term.ids for n in part.nouns if n.words
               for t in draft.things.resolve(Placed(n, (prep,)), (Kind.OBJECT,), mention=False))


def _no_vessel(draft: Draft, clause: Clause, part: Group, makers: tuple[str, ...]) -> None:
    """Errors: Refusal for ``fry it in the pan``, ``put it in the pan and fry it``: furniture heats and cools what
    lies in or on it."""
    if any(n.pronoun in ("it", "them") for n in part.nouns) and just_put_in(draft):
        vessel = draft.entries[-1].proposition.place.name
        raise Refusal(f"I cannot {clause.verb} things in or on {vessel!r}; I can in or on: {choices(makers)}", [vessel],
                      Code.NOT_INTERACTIVE)
    for prep in part.preps:
        things = draft.things.resolve(Placed(prep.noun), mention=False) if prep.relation in ("with", "in", "on") else []
        here = {id for t in things for id in t.term.ids}
        if not any(t.kind is Kind.OBJECT for t in things) or any(
                e.object in here for n in part.nouns for t in draft.things.resolve(Placed(n), mention=False)
                for id in t.term.ids if (e := draft.graph.support(id)) is not None):
            continue
        raise Refusal(f"I cannot {clause.verb} things {prep.relation} {prep.noun.text!r}; I can in or on: "
                      f"{choices(makers)}", [prep.noun.text], Code.NOT_INTERACTIVE)


def _tool(draft: Draft, prep: Prep) -> tuple[str, Term]:
    return surface(draft, draft.things.resolve(Placed(prep.noun))[0].term,
                   "in" if prep.relation == "with" else prep.relation)


def _implied(draft: Draft, verb: str, makers: tuple[str, ...]) -> list[tuple[str, Term]]:
    """``to microwave`` names its appliance; and what the instruction says is not there must not be used."""
    makers = tuple(id for id in makers if draft.graph[id].kind is Kind.FURNITURE)
    named = tuple(id for id in makers if draft.graph[id].category == verb)
    lacking = (draft.things.nouns.lacking | draft.things.nouns.broken) & {e.category for e in draft.graph}
    if not makers or not lacking and (not named or len(named) == len(makers)):
        return []
    return [surface(draft, Term("|".join(named or makers), named or makers), "home")]


def _is_maker(draft: Draft, noun: Noun, makers: tuple[str, ...]) -> bool:
    try:
        things = draft.things.resolve(Placed(noun), mention=False)
    except Refusal:
        return False
    return any(set(t.term.ids) & set(makers) for t in things)

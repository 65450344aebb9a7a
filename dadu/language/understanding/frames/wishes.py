"""What people say instead of instructions: wishes, and what must not be in what is brought."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Description, Proposition, Term, Where
from dadu.knowledge.commonsense import uses
from dadu.knowledge.embedding import default_embedder
from dadu.knowledge.nouns import LEXICAL_THRESHOLD, THRESHOLD, nearest_text
from dadu.knowledge.recognise import negated
from dadu.knowledge.usual_places import by_role, of_category
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft, Vague, narrowed
from dadu.language.understanding.frames.moving import hand_over
from dadu.language.understanding.frames.placing import place, surface
from dadu.language.understanding.needs import needed, wanted
from dadu.language.understanding.things.attachment import Destination, Group, Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, Relation


def wish(draft: Draft, clause: Clause, part: Group) -> None:
    """``I am hungry``: something that is good for it is brought."""
    before = draft.vague
    try:
        fulfil(draft, clause.verb, clause.text, [p for p in part.preps if p.relation != "with"],
               tuple(p.noun for p in part.preps if p.relation == "with"))
    except Refusal as refusal:  # what follows may be plainer: I am exhausted, bring me a drink
        if before is not None and before.things:  # the one before can be met
            draft.vague = before
            draft.note(str(refusal))
            return
        draft.unfulfilled = refusal
        draft.vague = Vague(range(len(draft.entries), len(draft.entries)), (), clause.verb, clause.text)
        draft.note(str(refusal))


def avoid(draft: Draft, clause: Clause, part: Group) -> None:
    """``I must not have sugar``: nothing of that kind is chosen, for this wish or a later one."""
    draft.things.unwanted += part.nouns
    draft.note(f"{clause.text!r}: what is chosen for a purpose is none of that")
    if draft.vague is not None and draft.vague.use:
        del draft.entries[draft.vague.entries.start:]
        fulfil(draft, draft.vague.use, draft.vague.text)


def fulfil(draft: Draft, name: str, text: str, places: list[Prep] | None = None, extra: tuple[Noun, ...] = ()) -> None:
    """What a use is about is brought, or done. Errors: Refusal where nothing here is good for it."""
    before, use = draft.vague, uses()[name]
    start = before.entries.start if before is not None and before.use else len(draft.entries)
    if before is not None and _both(draft, before, name):  # it is his birthday, his aunt wants a gift for him
        draft.note(f"{text!r} is met by the same")
        return
    if before is not None and before.wish == name and not places:  # it is too dark to read here, give me some light
        draft.note(f"{text!r} is met by the same")
        return
    draft.vague = None
    if use.state and _changed(draft, name, text, places or []):
        return
    target = next((_place(draft, p) for p in places or [] if draft.things.kind_of(p.noun) in SUPPORTS), None)
    if target is None:  # in the break room: the table there may be spoken of next
        for p in places or []:
            draft.things.resolve(Placed(p.noun))
    elif draft.asker is None:  # the guests in the kitchen are thirsty: bring them some juice
        draft.asker = draft.things.resolve(Placed(target.noun), SUPPORTS, mention=False)[0]
    spoken = len(draft.things.mentions)
    things = needed(draft, name, extra) if use.place or target is not None else [wanted(draft, name, text)]
    draft.things.mentions[spoken:] = [replace(t, implied=True) for t in draft.things.mentions[spoken:]]
    stained = [p.noun for p in places or [] if draft.things.kind_of(p.noun) is Kind.OBJECT]
    for noun in stained:  # I spilled tea on my shirt; take it to the washer
        draft.things.resolve(Placed(noun))
    tables = by_role(use.place, draft.graph, draft.vocabulary) if use.place else ()
    for thing in things:
        if target is not None:
            place(draft, [thing], Destination(target.relation, Placed(target.noun)))
            last = draft.entries[-1]  # what is there already will do
            draft.entries[-1] = replace(last, proposition=narrowed(last.proposition, thing.term.ids))
        elif tables:
            draft.add(*_onto(draft, thing, tables))
        else:
            hand_over(draft, thing)
            break
    what = "; ".join(", ".join(thing.term.ids or thing.description.categories) for thing in things)
    good_for = use.phrases[0] if use.phrases else "for it"
    draft.note(f"{text!r}: something {good_for} is brought, any of {what}")
    draft.vague = Vague(range(start, len(draft.entries)), tuple(things), name, text, extra)


def _both(draft: Draft, before: Vague, name: str) -> bool:
    """Whether some of what the wish before led to is good for this one as well; then it is one of these."""
    if len(before.things) != 1 or uses()[name].state or not before.use or before.entries.stop != len(draft.entries):
        return False
    fitting = set(draft.things.nouns.good_for(name, also=True))
    thing = before.things[0]
    ids = tuple(id for id in thing.term.ids if draft.graph[id].category in fitting)
    if not ids:
        return False
    key = thing.term.key
    for i in before.entries:
        p = draft.entries[i].proposition
        if p.subject.key == key:
            draft.entries[i] = replace(draft.entries[i], proposition=narrowed(p, ids))
    draft.vague = replace(before, things=(replace(thing, term=replace(thing.term, ids=ids)),))
    return True


def _place(draft: Draft, prep: Prep) -> Prep:
    """``at the table`` is where somebody sits: what is wished for goes on it."""
    at = prep.relation in ("at", "next_to") and draft.things.kind_of(prep.noun) is Kind.FURNITURE
    return replace(prep, relation="on") if at else prep


def _onto(draft: Draft, thing: Thing, tables: tuple[str, ...]) -> tuple[str, Thing, Term]:
    predicate, term = surface(draft, Term("|".join(tables), tables), "on")
    return predicate, thing, term


def _changed(draft: Draft, name: str, text: str, places: list[Prep]) -> bool:
    """``It is dark``: one of the things that is already there is switched on, in the room that was named, else here,
    else anywhere; whether there is one."""
    state, things = uses()[name].state, uses()[name].things
    here = draft.graph.room_of("robot") if "robot" in draft.graph else None
    rooms = {id for p in places for id in draft.things.resolve(Placed(p.noun), SUPPORTS)[0].term.ids}
    able = [id for id in of_category(things, draft.graph, draft.vocabulary)
            if draft.vocabulary.has_affordance(draft.graph[id].category, "power_on")]
    inside = [id for id in able if (room := draft.graph.room_of(id)) is not None
              and room.id in (rooms or {here.id if here is not None else ""})]
    fitting = inside or ([] if rooms else able)
    chosen = tuple(id for id in fitting if draft.graph[id].category == draft.graph[fitting[0]].category)
    if not chosen and draft.complete:
        return False
    start, unseen = len(draft.entries), None if chosen else _not_seen_yet(draft, name, rooms)
    draft.put(Proposition(state, Term(f"{state} for {text}", chosen, unseen)))
    what = " or ".join(chosen if unseen is None else unseen.categories)
    draft.note(f"{text!r}: {what} is switched {'on' if state == 'is_powered_on' else 'off'}")
    draft.vague = Vague(range(start, len(draft.entries)), (), "", text, wish=name)
    return True


def _not_seen_yet(draft: Draft, name: str, rooms: set[str]) -> Description:
    """What could be switched, in these rooms where some are named."""
    able = tuple(c for c in draft.things.nouns.good_for(name) if draft.vocabulary.has_affordance(c, "power_on"))
    where = (Where(Relation.IN_ROOM, tuple(sorted(rooms))),) if rooms else ()
    return Description(name, Kind.OBJECT, able, where=where)


def remedy(draft: Draft, clause: Clause, part: Group) -> None:
    """``do something about it in the living room``, after a wish. Errors: Refusal where nothing was wished for."""
    about = draft.vague
    name = about.use or about.wish if about is not None else ""
    if about is None or not name:
        raise Refusal(f"I do not know what {clause.text!r} is about; say what to do", [clause.text])
    if part.preps:
        del draft.entries[about.entries.start:]
        draft.vague = None
        fulfil(draft, name, about.text, list(part.preps))


def understood_remark(draft: Draft, text: str) -> None:
    """The wish that a remark is nearest to, of those that deny something or not as it does: `I am not cold` is near to
    its contrary. Errors: Refusal where it is like none."""
    wishes = {wish: name for name, use in uses().items() for wish in use.wishes if negated(wish) == negated(text)}
    nearest, similarity = nearest_text(text, tuple(wishes))
    if similarity <= (LEXICAL_THRESHOLD if default_embedder().name == "lexical" else THRESHOLD):
        raise Refusal(f"I do not know what to do about {text!r}; say for instance: bring me an apple", [text],
                      Code.UNKNOWN_ACTION)
    draft.note(f"{text!r} was taken as {nearest!r}")
    fulfil(draft, wishes[nearest], text)

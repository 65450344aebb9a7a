"""A need, an occasion or a complaint: what would help is common sense (``knowledge/uses``, ``occasions.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dadu.goals.goal import Description, Proposition, Term, Where
from dadu.knowledge.commonsense import Occasion, occasions, uses, words_of_wishes
from dadu.knowledge.embedding import default_embedder
from dadu.knowledge.nouns import LEXICAL_THRESHOLD, THRESHOLD, nearest_text
from dadu.knowledge.recognise import negated, purpose
from dadu.knowledge.recognise import wish as wish_of
from dadu.knowledge.usual_places import furniture_for_role, things_of_category
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import WishFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.naming import good_for
from dadu.language.grounding.nouns.resolve import resolve, resolve_all, tried
from dadu.language.grounding.partial_goal import PartialGoal, ready
from dadu.language.grounding.places.handing import hand_to_speaker
from dadu.language.grounding.places.placing import put
from dadu.language.grounding.places.surfaces import furniture_target
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, Relation


def wish(frame: WishFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """What belongs to the occasion, else what is good for the need. Errors: Refusal where that is not known."""
    occasion = _occasion(frame.purpose)
    if occasion is not None:
        return _lay(frame, occasion, scene, said)
    if _is_making(frame.purpose):
        raise Refusal(f"I cannot {frame.purpose}; I can bring what it takes: say what", [frame.purpose],
                      Code.UNKNOWN_ACTION)
    use, note = _use(frame.purpose)
    part = _without(frame, PartialGoal(replace(said, use=use)), scene)
    part = part.note(note) if note else part
    changed = _changed(frame, use, part, scene) if uses()[use].state else None
    return changed if changed is not None else _bring(frame, use, part, scene)


def _is_making(purpose: str) -> bool:
    """``make me a sandwich``: no skill does."""
    verb, for_whom = [*purpose.split(), "", ""][:2]
    return verb in _MAKES and for_whom == "me"


def needed_for(frame: WishFrame, scene: Setting, said: Discourse) -> Discourse:
    """What is wished for, where that is known, for what is said of it next: bring me something for it."""
    text, _, with_ = frame.purpose.partition(" with ")
    for part in (text, *re.split(r" and | but |, ", text)):
        avoided = _avoided(part.split())
        if avoided:
            told = tuple(Description(part, Kind.OBJECT, good_for(use, scene, also=True)) for use in avoided)
            said = replace(said, unwanted=(*said.unwanted, *told))
            continue
        try:
            said = replace(said, use=said.use if part is not text and said.use else _use(part)[0])
        except Refusal:
            continue
    named_ = (*frame.extra, *(NounPhrase(w, text=w) for w in with_.split()[:1] if scene.named(w)))
    extra = [t for np in named_ for t in resolve(np, scene, said, (Kind.OBJECT,))]
    return replace(said.mention(extra, Role.IMPLIED), extra=tuple(extra))


_MAKES = ("make", "prepare", "create", "cook")
_UNWANTED = ("not", "no", "without", "allergic", "never")
_CONSUMES = ("have", "eat", "drink", "any", "to", "like", "take")


def _avoided(words: Sequence[str]) -> tuple[str, ...]:
    """Uses of things that must not be brought: ``I must not have sugar``, ``I am allergic to nuts``."""
    for diet, kept_from in words_of_wishes().diets.items():
        if f" {diet} " in f" {' '.join(words)} ":
            return tuple(kept_from)
    negated_ = next((i for i, word in enumerate(words) if word in _UNWANTED), None)
    found = purpose([w for w in words[negated_ + 1:] if w not in _CONSUMES]) if negated_ is not None else None
    return (found.use,) if found is not None and not found.rest else ()


def _occasion(text: str) -> Occasion | None:
    """The one of which the longest phrase is in the words."""
    words = f" {text.lower()} "
    fitting = [(len(phrase), name) for name, what in occasions().occasions.items()
               for phrase in (*what.phrases, name.replace("_", " ")) if f" {phrase} " in words]
    return occasions().occasions[max(fitting)[1]] if fitting else None


def _use(text: str) -> tuple[str, str]:
    """By the words that carry meaning; else the nearest wish, of those that deny something or not as it does: `I am not
    cold` is near to its contrary. Errors: Refusal where it is like none."""
    found = wish_of(text.replace("'s", "").split())
    if found is not None and not found.rest:
        return found.use, ""
    denies = negated(text)
    known = {said: name for name, use in uses().items() for said in use.wishes if negated(said) == denies}
    nearest, similarity = nearest_text(text, tuple(known))
    if similarity <= (LEXICAL_THRESHOLD if default_embedder().name == "lexical" else THRESHOLD):
        raise Refusal(f"I do not know what to do about {text!r}; say for instance: bring me an apple", [text],
                      Code.UNKNOWN_ACTION)
    return known[nearest], f"{text!r} was taken as {nearest!r}"


def _without(frame: WishFrame, part: PartialGoal, scene: Setting) -> PartialGoal:
    out = []
    for np in frame.without:
        found = tried(np, scene, part.said)
        out += [t.description for t in found[:1]]
        part = part if found else part.note(f"nothing here is {np.text or np.name!r}")
    return part.now(replace(part.said, unwanted=(*part.said.unwanted, *out)))


def _bring(frame: WishFrame, use: str, part: PartialGoal, scene: Setting) -> PartialGoal:
    """To the place that is said, to the one that the use has, or to the speaker."""
    tables = furniture_for_role(uses()[use].place, scene.graph, scene.vocabulary) if uses()[use].place else ()
    together = bool(tables) or frame.at is not None and bool(uses()[use].needs)
    things = _needed(use, part, scene) if together else [_wanted(use, part, scene)]
    extra, said = resolve_all(frame.extra, scene, part.said, (Kind.OBJECT,))
    things += extra
    part = part.now(said.mention(things, Role.IMPLIED))
    if frame.at is not None:
        part = put(things, _onto(frame.at, scene, part.said), part, scene)
    elif tables:
        to = furniture_target(Term("|".join(tables), tables), "on", scene)
        for thing in things:
            part = part.want(to.predicate, thing, to.term)
    else:
        part = hand_to_speaker(things, part, scene)
    what = "; ".join(", ".join(t.term.ids or t.description.categories) for t in things)
    part = part.note(f"{frame.purpose!r}: something for it is brought, any of {what}")
    return part.now(replace(part.said, moved=tuple(replace(t, turn=part.said.turn, role=Role.IMPLIED) for t in things)))


def _onto(at: PlacePhrase, scene: Setting, said: Discourse) -> PlacePhrase:
    """``at the table`` is where somebody sits: what is wished for goes on it."""
    furniture = all(resolve(np, scene, said, SUPPORTS)[0].kind is Kind.FURNITURE for np in at.nouns)
    return replace(at, preposition="on") if furniture and at.preposition in ("at", "next_to") else at


def _wanted(use: str, part: PartialGoal, scene: Setting) -> Referent:
    """One thing that is good for a use. Errors: Refusal where there is none."""
    phrase = uses()[use].phrases[0] if uses()[use].phrases else ""
    np = NounPhrase("thing", determiner="indefinite", purpose=phrase, text=f"something for {use.replace('_', ' ')}")
    return resolve(np, scene, part.said, (Kind.OBJECT,))[0]


def _needed(use: str, part: PartialGoal, scene: Setting) -> list[Referent]:
    """All that a use takes together; what the house is known to lack is left out."""
    found = [_first_of((s,) if isinstance(s, str) else s, 1, part.said, scene) for s in uses()[use].needs]
    return [t for t in found if t is not None] or [_wanted(use, part, scene)]


def _first_of(names: Sequence[str], count: int, said: Discourse, scene: Setting) -> Referent | None:
    """The first of these that is here; any of them, where none has been seen yet; None where the house lacks all."""
    things = []
    for name in names:
        np = NounPhrase(name.replace("_", " "), determiner="indefinite", plural=count > 1,
                        text=name.replace("_", " "))
        for thing in tried(np, scene, said, (Kind.OBJECT,)):
            called = [c for c in scene.categories(thing.term.ids) if scene.vocabulary.is_a(c, name)]
            if called or not thing.term.ids:
                most = min(count, len(thing.term.ids)) if scene.complete else count
                things.append(replace(thing, number=most or 1, substitution=""))
    return next((t for t in things if t.term.ids), None) or next(iter(things), None)


def _lay(frame: WishFrame, what: Occasion, scene: Setting, said: Discourse) -> PartialGoal:
    """``set the table for two``: what each person needs, on one table. Errors: Refusal where nothing of it is here."""
    table, said = _table(frame, what, scene, said)
    part = _without(frame, PartialGoal(said), scene)
    named, said = resolve_all(frame.extra, scene, part.said, (Kind.OBJECT,))
    part = part.now(said).told(named)
    things, missing = list(named), []
    slots = () if named else (*((frame.people, s) for s in what.each), *((1, s) for s in what.shared))
    for count, slot in slots:
        names = (slot,) if isinstance(slot, str) else slot
        found = _first_of(names, count, part.said, scene)
        things += [found] if found is not None else []
        missing += [" or ".join(names)] if found is None or found.number < count else []
    if not things:
        raise Refusal(f"nothing of what belongs to {frame.purpose!r} is here: {', '.join(missing)}", [frame.purpose])
    part = ready(named, part, scene)
    start = len(part.wants)
    for thing in things:
        part = part.want("is_on_top", thing, table, same_target=True)
        part = part.now(part.said.mention([thing], Role.ABOUT if thing in named else Role.IMPLIED))
    if missing:
        part = part.note(f"{frame.purpose}: not here, or not enough: {', '.join(missing)}")
    spoken = Referent(table, Kind.FURNITURE, phrase=NounPhrase("table", text="the table"))
    return part.one_place(start).now(part.said.mention([spoken], Role.PLACE))


def _table(frame: WishFrame, what: Occasion, scene: Setting, said: Discourse) -> tuple[Term, Discourse]:
    for np in frame.at.nouns if frame.at is not None else ():
        place = resolve(np, scene, said, SUPPORTS)[0]
        said = said.mention([place], Role.PLACE)
        if place.kind is Kind.FURNITURE:
            return furniture_target(place.term, "on", scene).term, said
        inside = tuple(p.id for p in scene.graph.of(Kind.FURNITURE) if scene.vocabulary.is_a(p.category, "table")
                       and scene.room(p.id) in place.term.ids)
        if inside:
            return Term("|".join(inside), inside), replace(said, rooms=frozenset(place.term.ids))
    tables = furniture_for_role(what.place, scene.graph, scene.vocabulary)
    if not tables:
        raise Refusal("there is no table here; say where to put things", ["table"])
    return Term("|".join(tables), tables), said


def _changed(frame: WishFrame, use: str, part: PartialGoal, scene: Setting) -> PartialGoal | None:
    """``It is dark``: one of the things that is already there is switched on, in the room that was named, else here,
    else anywhere; None where there is none."""
    state = uses()[use].state
    rooms = {id for np in (frame.at.nouns if frame.at is not None else ())
             for id in resolve(np, scene, part.said, SUPPORTS)[0].term.ids}
    able = [id for id in things_of_category(uses()[use].things, scene.graph, scene.vocabulary)
            if scene.vocabulary.has_affordance(scene.graph[id].category, "power_on")]
    inside = scene.within(able, rooms or {scene.here()})
    fitting = list(inside) or ([] if rooms else able)
    chosen = tuple(id for id in fitting if scene.graph[id].category == scene.graph[fitting[0]].category)
    if not chosen and scene.complete:
        return None
    unseen = None if chosen else _not_seen_yet(use, rooms, scene)
    part = part.put(Proposition(state, Term(f"{state} for {frame.purpose}", chosen, unseen)))
    what = " or ".join(chosen or (unseen.categories if unseen is not None else ()))
    return part.note(f"{frame.purpose!r}: {what} is switched {'on' if state == 'is_powered_on' else 'off'}")


def _not_seen_yet(use: str, rooms: set[str], scene: Setting) -> Description:
    """What could be switched, in these rooms where some are named."""
    able = [c for c in scene.all_categories[Kind.OBJECT] if scene.vocabulary.has_affordance(c, "power_on")]
    fitting = tuple(c for c in able if scene.is_a((c,), *uses()[use].things))
    where = (Where(Relation.IN_ROOM, tuple(sorted(rooms))),) if rooms else ()
    return Description(use, Kind.OBJECT, fitting, where=where)

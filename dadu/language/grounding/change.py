"""Things are to be in a state: washed, filled, heated, switched on, opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dadu.core.errors import choices
from dadu.goals.goal import Proposition, Term
from dadu.language.discourse import Discourse, Referent, Role
from dadu.language.frames.frame import ChangeFrame, TidyFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.attachment import taken_from_list
from dadu.language.grounding.go import approach
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import kind_of, resolve, resolve_all, tried
from dadu.language.grounding.partial_goal import PartialGoal, not_so_yet, ready
from dadu.language.grounding.scene import Setting
from dadu.language.grounding.temperature import stays, temper
from dadu.language.grounding.tidy import tidy
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Kind

_Change = Callable[[ChangeFrame, tuple[Referent, ...], PartialGoal, Setting], PartialGoal]


def change(frame: ChangeFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Whatever brings a state about, where it is said to be done."""
    vessel = _in_its_vessel(frame, scene)
    if vessel is not frame and frame.state != "filled":  # boil water in the kettle
        part = change(replace(vessel, state="filled"), scene, said)
        return part.then(change(vessel, scene, part.said), after=True)
    frame = vessel
    if frame.state == "clean" and all(kind_of(np, scene, said) is Kind.ROOM for np in frame.what):
        return tidy(TidyFrame(scope=PlacePhrase("in", frame.what)), scene, said)
    if frame.state in ("open", "closed", "powered_on", "powered_off"):
        frame = replace(frame, what=tuple(map(_one_with_it, frame.what)))
    things, said = _subjects(frame, scene, said)
    part = PartialGoal(said).told(things)
    if frame.state == "closed" and any(map(_is_all, frame.what)):  # seen from where it can be closed
        for thing in things:
            part = approach(thing, part)
    part = _CHANGES.get(frame.state, _plainly)(frame, things, part, scene)
    moved = tuple(replace(t, turn=said.turn) for t in things if t.kind is Kind.OBJECT)
    return part.now(replace(part.said, moved=moved or part.said.moved))


def _in_its_vessel(frame: ChangeFrame, scene: Setting) -> ChangeFrame:
    """``fill the cup with water``, ``boil water in the kettle``: nothing tells of the water."""
    wet = [np for np in frame.what if " ".join(scene.lexicon.normal(np.name)) in scene.lexicon.liquids]
    if wet and len(wet) == len(frame.what) and frame.using is not None and frame.state in ("hot", "cold", "filled"):
        return replace(frame, what=frame.using.nouns, using=None)
    return frame


def _one_with_it(np: NounPhrase) -> NounPhrase:
    """``a lit lamp`` that is to be switched on, ``the open door`` to be closed: any, whatever it is now."""
    return replace(np, attributes=tuple(a for a in np.attributes if a not in ("lit", "open", "closed", "running")))


def _subjects(frame: ChangeFrame, scene: Setting, said: Discourse) -> tuple[tuple[Referent, ...], Discourse]:
    kinds: tuple[Kind, ...] = (Kind.OBJECT, Kind.FURNITURE)
    if frame.state in ("hot", "cold", "sliced"):
        kinds = (Kind.OBJECT,)
    if frame.state in ("open", "closed"):
        kinds = (Kind.FURNITURE,)
    out: list[Referent] = []
    for np in (one for listed in frame.what for one in taken_from_list(listed, scene, said)):
        if frame.state in ("open", "closed") and (last := _last_that_opens(np, scene, said)):
            out += last
            continue
        if _is_all(np) and frame.state in ("open", "closed"):
            out += [scene.entity(e.id) for e in scene.graph.of(Kind.FURNITURE) if e.parts]
            continue
        it = np.pronoun in ("it", "them") and Kind.OBJECT in kinds and said.moved
        found = _switchable(np, frame, scene, said) or resolve(np, scene, said, (Kind.OBJECT,) if it else kinds)
        said = said.mention(found)
        out += found
    return tuple(out), said


def _is_all(np: NounPhrase) -> bool:
    """Everything; whatever is open."""
    return np.name == "everything" and not np.places and not np.excluded


def _last_that_opens(np: NounPhrase, scene: Setting, said: Discourse) -> tuple[Referent, ...]:
    """``take out the milk, put it on the counter and close it``: what was spoken of last that can be closed;
    ``the drawer``, that of the cabinet spoken of."""
    part = np.name in scene.lexicon.parts and not np.places and not np.attributes
    if not (np.pronoun in ("it", "them") or part and np.determiner == "definite" and not np.plural):
        return ()
    return tuple(t for t in reversed(said.mentions) if t.kind is Kind.FURNITURE and len(t.term.ids) == 1 and all(
        scene.graph[id].is_container for id in t.term.ids))[:1]


def _switchable(np: NounPhrase, frame: ChangeFrame, scene: Setting, said: Discourse) -> tuple[Referent, ...]:
    """``put the shirt in the washer and turn it on``: what has a switch; ``all lamps``, those that are furniture,
    too."""
    if frame.state not in ("powered_on", "powered_off"):
        return ()
    if np.pronoun in ("it", "them"):
        return tuple(t for t in reversed(said.mentions) if has_switch(t, scene))[:1]
    if not (np.plural or np.quantity.amount == "all"):
        return ()
    found = (t for kind in (Kind.OBJECT, Kind.FURNITURE) for t in tried(np, scene, said, (kind,)))
    return tuple(t for t in found if has_switch(t, scene))


def has_switch(thing: Referent, scene: Setting) -> bool:
    categories = scene.categories(thing.term.ids, thing.term.description)
    kinds = _narrower(categories, scene) if not thing.term.ids else categories
    return any(scene.vocabulary.has_affordance(c, "power_on") for c in kinds) or scene.is_a(
        categories, "lamp", "light", "appliance", "electronics", "candle", "device")


def _narrower(categories: Sequence[str], scene: Setting) -> tuple[str, ...]:
    """What was not seen yet may be of any narrower kind: a kettle is an electric one."""
    vocabulary = scene.vocabulary
    return tuple(c for c in vocabulary.entries if any(vocabulary.is_a(c, general) for general in categories))


def _is_means(frame: ChangeFrame, places: Sequence[Referent], scene: Setting) -> bool:
    """True if it is where that is done: washed in the sink. What is switched or opened is not moved."""
    water = all(scene.can(scene.categories(place.term.ids), "water") for place in places)
    return water if frame.state == "clean" else frame.state in ("open", "closed", "powered_on", "powered_off")


def _plainly(frame: ChangeFrame, things: tuple[Referent, ...], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Pieces of furniture one by one, objects in their number."""
    part = _done_there(frame, things, part, scene)
    for thing in things:
        part = _each(f"is_{frame.state}", thing, part, scene)
    return part


def _each(predicate: str, thing: Referent, part: PartialGoal, scene: Setting) -> PartialGoal:
    several = thing.phrase.plural or thing.phrase.quantity.amount in ("all", "each", "both")
    if thing.kind is Kind.FURNITURE and several:
        for id in thing.term.ids:
            part = part.put(Proposition(predicate, Term(id, (id,))))
        return part
    part = ready([thing], part, scene, predicate)
    part = part.want(predicate, thing)
    last = part.wants[-1]
    return replace(part, wants=(*part.wants[:-1], replace(last, proposition=not_so_yet(last.proposition, scene))))


def _done_there(frame: ChangeFrame, things: tuple[Referent, ...], part: PartialGoal, scene: Setting) -> PartialGoal:
    """``wash the cup in the sink``: that is where it is done; a room, or what it is cut on, is where it has to be.
    A tool has to be there. Errors: Refusal."""
    using = frame.using
    if using is None:
        return part
    text = using.text or f"{using.preposition} {' and '.join(text_of(n) for n in using.nouns)}"
    if using.preposition == "with":
        if all(" ".join(scene.lexicon.normal(n.name)) in scene.lexicon.liquids for n in using.nouns):
            return part.note(f"{text!r}: that is what it takes")
        tools, _ = resolve_all(using.nouns, scene, part.said)
        return part.note(f"{text!r}: not taken in the hand").told(tools)
    places, said = resolve_all(using.nouns, scene, part.said, role=Role.PLACE)
    part = part.now(said).told(places)
    if places[0].kind is Kind.ROOM or frame.state == "sliced" and using.preposition in ("on", "at"):
        predicate = "is_in_room" if places[0].kind is Kind.ROOM else "is_on_top"
        for thing in things:
            part = part.want(predicate, thing, places[0].term)
        return part
    if _is_means(frame, places, scene):
        return part.note(f"{text!r} was taken as where to do it")
    return stays(things, using, part, scene)


def _fill(frame: ChangeFrame, things: tuple[Referent, ...], part: PartialGoal, scene: Setting) -> PartialGoal:
    """With water; or with things, which then go into it. Errors: Refusal where nothing goes in."""
    contents = [n for n in (frame.using.nouns if frame.using is not None else ())
                if " ".join(scene.lexicon.normal(n.name)) not in scene.lexicon.liquids]
    if contents and frame.using is not None and frame.using.preposition == "from":  # pour the milk into the glass
        part, contents = part.note(f"with {text_of(contents[0])!r}, as far as I can tell"), []
    if contents:
        inside, said = resolve_all(contents, scene, part.said, (Kind.OBJECT,))
        part = part.now(said).told(inside)
        for thing in inside:
            part = part.want("is_inside", thing, things[0].term)
        return part
    dry = next((t for t in things if t.kind is Kind.FURNITURE and not any(
        "is_filled" in scene.graph[id].states for id in t.term.ids)), None)
    if dry is not None:
        raise Refusal(f"no water goes into {dry.term.name!r}; say with what to fill it", [dry.term.name])
    return _plainly(frame, things, part, scene)


def _slice(frame: ChangeFrame, things: tuple[Referent, ...], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Errors: Refusal for what cannot be sliced."""
    return _plainly(frame, tuple(_only_able(t, "slice", scene) for t in things), part, scene)


def _only_able(thing: Referent, affordance: str, scene: Setting) -> Referent:
    """Of what it may be, that with which it can be done."""
    unable = [id for id in thing.term.ids if (e := scene.vocabulary.entries.get(scene.graph[id].category)) is not None
              and e.affordances and affordance not in e.affordances]
    if unable and len(unable) == len(thing.term.ids):
        raise Refusal(f"I cannot {affordance} {thing.term.name!r}", [thing.term.name], Code.NOT_INTERACTIVE)
    return thing.of(id for id in thing.term.ids if id not in unable)


def _switch(frame: ChangeFrame, things: tuple[Referent, ...], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Errors: Refusal for what has no switch."""
    dead = next((t for t in things if not has_switch(t, scene)), None)
    if dead is not None:
        raise Refusal(f"{dead.term.name!r} cannot be switched on or off", [dead.term.name], Code.NOT_INTERACTIVE)
    return _plainly(frame, things, part, scene)


def _articulate(frame: ChangeFrame, things: tuple[Referent, ...], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Errors: Refusal for what has no door or drawer."""
    openable = [e.id for e in scene.graph.of(Kind.FURNITURE) if e.is_container]
    for thing in things:
        ids = tuple(id for id in openable if id in thing.term.ids)
        if not ids:
            raise Refusal(f"{thing.term.name!r} cannot be opened or closed; these can: {choices(openable)}",
                          [thing.term.name], Code.NOT_INTERACTIVE)
        part = _each(f"is_{frame.state}", thing.of(ids), part, scene)
    return part


_CHANGES: dict[str, _Change] = {
    "filled": _fill, "sliced": _slice, "powered_on": _switch, "powered_off": _switch, "open": _articulate,
    "closed": _articulate, "hot": temper, "cold": temper}

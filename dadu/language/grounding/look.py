"""Something is to be found, looked at or found out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from dadu.goals.goal import Description, Proposition, Question, Term
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import Ask, LookFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity
from dadu.language.grounding.change import has_switch
from dadu.language.grounding.conditions import KnownAnswer, answer
from dadu.language.grounding.go import approach
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import resolve
from dadu.language.grounding.partial_goal import ROBOT, PartialGoal
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind

_TELLS: Mapping[str, Literal["number", "things"]] = {"count": "number", "what": "things"}


def look(frame: LookFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """``find`` is to be where it is; everything else is a question, and the robot goes where the answer can be seen."""
    if frame.using is not None:
        return _by_light(frame, frame.using, scene, said)
    if frame.what is None:
        return _look_there(frame, scene, said)
    return (_find if frame.answer in ("find", "where") else _find_out)(frame, frame.what, scene, said)


def _find(frame: LookFrame, np: NounPhrase, scene: Setting, said: Discourse) -> PartialGoal:
    """``look for the keys in the den``."""
    if frame.at is not None and not _whole_house(frame.at, scene):
        np = replace(np, places=(*np.places, frame.at))
    if frame.answer == "where" or not np.plural:
        np = replace(np, quantity=replace(np.quantity, amount=""))
    part = PartialGoal(said)
    for thing in resolve(np, scene, said):
        if not thing.term.ids and thing.every:
            thing = replace(thing, every=False)
        part = approach(thing, part.told([thing]), Role.PLACE if thing.kind in SUPPORTS else Role.ABOUT)
        if frame.answer == "where":
            part = part.ask(Question(f"where {thing.term.name} is", _described(thing), tells="place"))
    return part


def _look_there(frame: LookFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """``look into the fridge``, ``explore the house``."""
    part = PartialGoal(said)
    if frame.at is None or _whole_house(frame.at, scene):
        for room in scene.graph.of(Kind.ROOM):
            part = part.put(Proposition("is_in_room", ROBOT, Term(room.id, (room.id,))))
        return part
    for np in frame.at.nouns:
        for thing in resolve(np, scene, part.said):
            part = approach(thing, part.told([thing]), Role.PLACE)
    return part


def _whole_house(at: PlacePhrase, scene: Setting) -> bool:
    return all(" ".join(scene.lexicon.normal(np.name)) in scene.lexicon.house for np in at.nouns)


def _find_out(frame: LookFrame, what: NounPhrase, scene: Setting, said: Discourse) -> PartialGoal:
    """``is there any milk in the fridge``, ``how many apples are on the table``."""
    text = f"{text_of(what)} {frame.at.text if frame.at is not None else ''}".strip()
    ask = Ask(what, frame.at, frame.state, text=text)
    found, said = answer(ask, scene, said)
    part = PartialGoal(said)
    at = next((place for place in (frame.at, *what.places) if place is not None), None)
    for np in at.nouns if at is not None else ():
        place = resolve(np, scene, said)[0]
        part = approach(place, part, Role.PLACE)
    if isinstance(found, KnownAnswer):
        part = part.note(found.text)
        if found.thing is None:
            return part
        part = approach(found.thing, part) if at is None else part
        found = _asked(frame, text, found.thing)
    if frame.answer in _TELLS:
        found = replace(found, number=sys.maxsize, tells=_TELLS[frame.answer])  # all that can be seen there
    part = part.ask(found)
    if at is None and found.description is not None:
        beside = Proposition("is_next_to", ROBOT, Term(f"{found.text}?", (), found.description))
        part = part.then(PartialGoal(part.said).put(beside).only_if(found, found.negated))
    return part


def _asked(frame: LookFrame, text: str, thing: Referent) -> Question:
    """The question whose answer memory may hold already, and surely once the robot is there."""
    if frame.state is not None:
        return Question(f"{text} {frame.state}", proposition=Proposition(f"is_{frame.state}", thing.term))
    return Question(text, _described(thing), thing.phrase.quantity.number or 1)


def _described(thing: Referent) -> Description:
    return thing.term.description or Description(thing.term.name, thing.kind, (), ids=thing.term.ids)


def _by_light(frame: LookFrame, lamp: NounPhrase, scene: Setting, said: Discourse) -> PartialGoal:
    """``look at the book under the lamp`` (ALFRED): with the book in the hand, beside the lamp, which is on."""
    part = PartialGoal(said)
    lamps = resolve(_any_lamp(lamp), scene, said)
    if not all(has_switch(one, scene) for one in lamps):
        raise Refusal(f"{text_of(lamp)!r} gives no light", [text_of(lamp)])
    if frame.what is not None:
        np = replace(frame.what, places=(*frame.what.places, *((frame.at,) if frame.at is not None else ())))
        for thing in resolve(np, scene, said, (Kind.OBJECT,)):
            part = part.told([thing]).now(part.said.mention([thing])).want("is_held", thing)
    for one in lamps[:1]:
        part = part.told([one]).now(part.said.mention([one], Role.PLACE))
        part = part.put(Proposition("is_next_to", ROBOT, one.term)).want("is_powered_on", one)
    return part


def _any_lamp(np: NounPhrase) -> NounPhrase:
    """``a lit lamp`` is any lamp: it is switched on."""
    return replace(np, attributes=tuple(
        a for a in np.attributes if a not in ("lit", "illuminated", "bright", "burning", "glowing")),
                   quantity=Quantity() if np.quantity.number is None else np.quantity)

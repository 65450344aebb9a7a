"""The actions of VirtualHome, as data: what each needs and what it does. From what the prompts list, and from the rules
by which the simulator refuses an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dadu.bench.eai.scene import HANDS, PromptScene
from dadu.world.graph import ROBOT

Arguments: TypeAlias = tuple[str, ...]
Step: TypeAlias = tuple[str, Arguments]
"""An action's name and the ids it is done with."""
POSTURES = ("SITTING", "LYING")


@dataclass(frozen=True)
class Need:
    """Something that must hold before an action, of its argument number `of`."""

    kind: str
    of: int = 0


@dataclass(frozen=True)
class Condition:
    """What a need means."""

    holds: Callable[[PromptScene, str], bool]
    by: Callable[[PromptScene, str], Step | None]
    """the action that makes it hold; None: nothing here does"""


FREE_HAND = "HOLDS"  # in a gain: the first hand that is free
ANY = "*"  # in a loss: whatever stands there
Pattern: TypeAlias = tuple[str | int, ...]
"""A fact that names the action's arguments by their number: ``("NEAR", ROBOT, 1)``."""


@dataclass(frozen=True)
class Facts:
    """What an action does to the facts of a scene: it takes what matches a loss, and adds the gains."""

    gains: tuple[Pattern, ...] = ()
    losses: tuple[Pattern, ...] = ()

    def __call__(self, scene: PromptScene, ids: Arguments) -> None:
        hand = next((hand for hand in HANDS if not scene.related(hand, ROBOT)), "")
        losses, gains = ([tuple(ids[of] if isinstance(of, int) else of for of in pattern) for pattern in patterns]
                         for patterns in (self.losses, self.gains))
        scene.facts = {fact for fact in scene.facts if not any(
            len(fact) == len(loss) and all(part in (ANY, of) for part, of in zip(loss, fact)) for loss in losses)}
        scene.facts |= {(hand, *gain[1:]) if gain[0] == FREE_HAND else gain for gain in gains}


@dataclass(frozen=True)
class ActionModel:
    """`change` does what the action does to the facts of a scene."""

    properties: tuple[tuple[str, ...], ...]
    """of each argument: one of which it must have; empty: none is asked for"""
    needs: tuple[Need, ...]
    change: Callable[[PromptScene, Arguments], None] = Facts()


def _walk(scene: PromptScene, ids: Arguments) -> None:
    """Near it, near what it stands on and what is in it, and near what is in the hands; near nothing else."""
    (target,) = ids
    scene.facts = {fact for fact in scene.facts if fact[0] not in ("INSIDE", "NEAR", "FACING") or ROBOT not in fact}
    if target in scene.rooms():
        scene.facts.add(("INSIDE", ROBOT, target))
        return
    there = {target, *scene.held(), *scene.related("ON", target)}
    if scene.can(target, "CAN_OPEN"):
        there |= {fact[1] for fact in scene.facts if fact[0] == "INSIDE" and fact[2] == target}
    scene.facts |= {("NEAR", ROBOT, id) for id in there}


_LET_GO: tuple[Pattern, ...] = tuple((hand, ROBOT, 0) for hand in HANDS)
_GRAB = Facts(((FREE_HAND, ROBOT, 0), ("NEAR", ROBOT, 0)),
               tuple(loss for name in ("ON", "INSIDE", "NEAR") for loss in ((name, 0, ANY), (name, ANY, 0))))


def _state(new: str, old: str) -> Facts:
    return Facts(((new, 0),), ((old, 0),))


def _put(relation: str) -> Facts:
    return Facts(((relation, 0, 1), ("NEAR", ROBOT, 1)), _LET_GO)


def _rest(posture: str) -> Facts:
    return Facts(((posture, ROBOT), ("ON", ROBOT, 0)), tuple((other, ROBOT) for other in POSTURES if other != posture))


def _shut_in(scene: PromptScene, id: str) -> str | None:
    """What has to be opened to reach it: an outermost thing that it is in and that is not said to be open."""
    for place in scene.related("INSIDE", id):
        if scene.can(place, "CAN_OPEN") and ("OPEN", place) not in scene.facts:
            return _shut_in(scene, place) or place
    return None


def _upright(scene: PromptScene, id: str) -> bool:
    return not any((posture, ROBOT) in scene.facts for posture in POSTURES)


def _near(scene: PromptScene, id: str) -> bool:
    return ("NEAR", ROBOT, id) in scene.facts or id in scene.held()


def _near_by(scene: PromptScene, id: str) -> bool:
    """Near it, or near what is near it or carries it."""
    about = {*scene.related("NEAR", ROBOT), *scene.held()}
    return id in about or any(fact[2] == id and fact[1] in about for fact in scene.facts if fact[0] == "NEAR") or any(
        other in about for other in scene.related("ON", id))


def _seat(scene: PromptScene, id: str) -> Step | None:
    """The first thing to lie or else sit on."""
    for action, able in (("LIE", "LIEABLE"), ("SIT", "SITTABLE")):
        for thing in scene.things.values():
            if able in thing.properties:
                return action, (thing.id,)
    return None


def _open_up(scene: PromptScene, id: str) -> Step | None:
    return ("OPEN", (place,)) if (place := _shut_in(scene, id)) is not None else None


CONDITIONS: Mapping[str, Condition] = {
    "near": Condition(_near, lambda scene, id: ("WALK", (id,))),
    "near by": Condition(_near_by, lambda scene, id: ("WALK", (id,))),
    "reachable": Condition(lambda scene, id: _shut_in(scene, id) is None, _open_up),
    "upright": Condition(_upright, lambda scene, id: ("STANDUP", ())),
    "hand free": Condition(lambda scene, id: len(scene.held()) < len(HANDS),
                           lambda scene, id: ("DROP", (scene.held()[0],))),
    "held": Condition(lambda scene, id: id in scene.held(), lambda scene, id: ("GRAB", (id,))),
    "facing": Condition(lambda scene, id: ("FACING", ROBOT, id) in scene.facts, lambda scene, id: ("TURNTO", (id,))),
    "open": Condition(lambda scene, id: not scene.can(id, "CAN_OPEN") or ("OPEN", id) in scene.facts,
                      lambda scene, id: ("OPEN", (id,))),
    "on": Condition(lambda scene, id: ("ON", id) in scene.facts, lambda scene, id: ("SWITCHON", (id,))),
    "off": Condition(lambda scene, id: ("ON", id) not in scene.facts, lambda scene, id: ("SWITCHOFF", (id,))),
    "plugged in": Condition(lambda scene, id: ("PLUGGED_OUT", id) not in scene.facts,
                            lambda scene, id: ("PLUGIN", (id,))),
    "worn": Condition(lambda scene, id: ("ON", id, ROBOT) in scene.facts, lambda scene, id: ("PUTON", (id,))),
    "resting": Condition(lambda scene, id: not _upright(scene, id), _seat),
}
_ANY: tuple[tuple[str, ...], ...] = ((),)
_NEAR, _HELD, _FREE = Need("near"), Need("held"), Need("hand free")
_REACH = (Need("reachable"), _NEAR)
_MOVE = ActionModel((("MOVABLE",),), (*_REACH, _FREE))
_WASH = ActionModel(_ANY, (*_REACH,), _state("CLEAN", "DIRTY"))
_GO = ActionModel(_ANY, (Need("upright"),), _walk)
_LOOK = ActionModel(_ANY, (Need("facing"),))

ACTIONS: Mapping[str, ActionModel] = {
    "CLOSE": ActionModel((("CAN_OPEN",),), (_NEAR,), _state("CLOSED", "OPEN")),
    "DRINK": ActionModel((("DRINKABLE", "RECIPIENT"),), (_HELD,)),
    "FIND": ActionModel(_ANY, (Need("near by"),), Facts((("NEAR", ROBOT, 0),))),
    "WALK": _GO, "RUN": _GO,
    "GRAB": ActionModel((("GRABBABLE",),), (Need("reachable"), _FREE, _NEAR), _GRAB),
    "LOOKAT": _LOOK, "POINTAT": _LOOK,
    "WATCH": ActionModel((("LOOKABLE",),), (Need("reachable"), _NEAR, Need("facing"))),
    "OPEN": ActionModel((("CAN_OPEN",),), (Need("reachable"), _FREE, Need("off"), _NEAR), _state("OPEN", "CLOSED")),
    "PUTBACK": ActionModel((("GRABBABLE",), ()), (_HELD, Need("near", 1)), _put("ON")),
    "PUTIN": ActionModel((("GRABBABLE",), ()), (_HELD, Need("open", 1), Need("near", 1)), _put("INSIDE")),
    "SIT": ActionModel((("SITTABLE",),), (_NEAR,), _rest("SITTING")),
    "LIE": ActionModel((("LIEABLE",),), (_NEAR,), _rest("LYING")),
    "STANDUP": ActionModel((), (), Facts((), (*((posture, ROBOT) for posture in POSTURES), ("ON", ROBOT, ANY)))),
    "SWITCHON": ActionModel((("HAS_SWITCH",),), (Need("plugged in"), Need("off"), _NEAR), _state("ON", "OFF")),
    "SWITCHOFF": ActionModel((("HAS_SWITCH",),), (Need("on"), _NEAR), _state("OFF", "ON")),
    "PLUGIN": ActionModel((("HAS_PLUG",),), (_FREE, _NEAR), _state("PLUGGED_IN", "PLUGGED_OUT")),
    "PLUGOUT": ActionModel((("HAS_PLUG",),), (_FREE, Need("off"), _NEAR), _state("PLUGGED_OUT", "PLUGGED_IN")),
    "TOUCH": ActionModel(_ANY, _REACH),
    "TURNTO": ActionModel(_ANY, (), Facts((("FACING", ROBOT, 0),), (("FACING", ROBOT, ANY),))),
    "WIPE": ActionModel(_ANY, _REACH, _state("CLEAN", "DIRTY")),
    "WASH": _WASH, "RINSE": _WASH, "SCRUB": _WASH,
    "PUTON": ActionModel((("CLOTHES",),), (_HELD,), Facts((("ON", 0, ROBOT),), _LET_GO)),
    "PUTOFF": ActionModel((("CLOTHES",),), (Need("worn"),), Facts((), (("ON", 0, ROBOT),))),
    "GREET": ActionModel((("PERSON",),), ()),
    "DROP": ActionModel(_ANY, (_HELD,), Facts((), _LET_GO)),
    "RELEASE": ActionModel(_ANY, (_HELD,), Facts((), _LET_GO)),
    "READ": ActionModel((("READABLE",),), (_HELD,)),
    "POUR": ActionModel((("POURABLE", "DRINKABLE"), ("RECIPIENT",)), (_HELD, Need("near", 1))),
    "PUSH": _MOVE, "PULL": _MOVE, "MOVE": _MOVE,
    "SQUEEZE": ActionModel((("CLOTHES",),), (*_REACH, _FREE)),
    "CUT": ActionModel((("EATABLE",),), (*_REACH, _FREE)),
    "EAT": ActionModel((("EATABLE",),), _REACH),
    "TYPE": ActionModel((("HAS_SWITCH",),), (Need("on"), *_REACH)),
    "SLEEP": ActionModel((), (Need("resting"),)),
    "WAKEUP": ActionModel((), (Need("resting"),)),
}

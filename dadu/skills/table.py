"""The table of skills: the whole instruction set, as data. Whoever plans, checks, carries out, learns from or offers
skills reads it here; `dadu.stacks` says which generator carries out which. How to add
one: docs/extending/skill.md."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dadu.skills.specification import (
    Argument,
    Effect,
    Gives,
    Hand,
    MovesBase,
    MovesPart,
    Purpose,
    Puts,
    SetsState,
    Shows,
    SkillSpec,
    StateValue,
    Takes,
)
from dadu.world.graph import Kind

_OBJECT, _PIECE, _ROOM, _AGENT = (Kind.OBJECT,), (Kind.FURNITURE,), (Kind.ROOM,), (Kind.AGENT,)
_TO_PICK: Mapping[Kind, Purpose] = {Kind.OBJECT: "pick"}
_TO_PLACE: Mapping[Kind, Purpose] = {Kind.FURNITURE: "place", Kind.OBJECT: "place"}
_SWITCH = Argument("object", (Kind.OBJECT, Kind.FURNITURE), stand={Kind.OBJECT: "pick", Kind.FURNITURE: "press"},
                   affordance="power_on")
_CLEAN, _SLICED = StateValue("is_clean", True, "clean"), StateValue("is_sliced", True, "sliced")
_FULL, _EMPTY = StateValue("is_filled", True, "full"), StateValue("is_filled", False, "empty")
_ON, _OFF = StateValue("is_powered_on", True, "on"), StateValue("is_powered_on", False, "off")


def _thing(affordance: str) -> Argument:
    """A thing in the hand or in reach."""
    return Argument("object", _OBJECT, stand=_TO_PICK, affordance=affordance)


_ROWS = (
    SkillSpec("go_to", "drive to a place, object, room or person",
              (Argument("target", _ROOM + _PIECE + _OBJECT + _AGENT),),
              effects=(MovesBase("target"), Shows("target")), base=True, drives=True, action="/drive_to_pose"),
    SkillSpec("pick", "take an object that is in reach", (Argument("object", _OBJECT, stand=_TO_PICK),),
              hand=Hand.EMPTY, effects=(Takes("object"),), base=True, action="/pick"),
    SkillSpec("place", "put the held object on|in it",
              (Argument("relation", words=("on", "in")), Argument("receptacle", _PIECE + _OBJECT, stand=_TO_PLACE),
               Argument("next_to", words=("next_to",), optional=True),
               Argument("reference", _OBJECT + _PIECE, stand=_TO_PLACE, optional=True)),
              hand=Hand.FULL, effects=(Puts("relation", "receptacle", "reference"),), base=True, action="/place"),
    SkillSpec("open", "open a door or drawer", (Argument("receptacle", _PIECE, stand={Kind.FURNITURE: "open"}),),
              hand=Hand.EMPTY, effects=(MovesPart("receptacle", open=True), Shows("receptacle")), base=True,
              action="/articulate"),
    SkillSpec("close", "close a door or drawer", (Argument("receptacle", _PIECE, stand={Kind.FURNITURE: "close"}),),
              hand=Hand.EMPTY, effects=(MovesPart("receptacle", open=False),), base=True, action="/articulate"),
    SkillSpec("handover", "give what is held to somebody who takes it",
              (Argument("agent", _AGENT, stand={Kind.AGENT: "place"}),), hand=Hand.FULL,
              effects=(Gives("agent"),), action="/place"),
    SkillSpec("explore", "look for things in a room, or in what is unknown",
              (Argument("room", _ROOM, words=("unknown",)),), effects=(Shows("room"),), base=True, drives=True,
              action="/explore"),
    SkillSpec("wait", "do nothing for a moment", base=True),
    SkillSpec("done", "the instruction is carried out", base=True),
    SkillSpec("clean", "clean an object", (_thing("clean"),), effects=(SetsState("object", _CLEAN),)),
    SkillSpec("fill", "fill a container", (_thing("fill"),), effects=(SetsState("object", _FULL),)),
    SkillSpec("pour", "pour the held container into another",
              (Argument("object", _OBJECT, held=True, affordance="pour", must_be=_FULL),
               Argument("receptacle", _OBJECT, stand=_TO_PICK, affordance="fill")),
              hand=Hand.FULL, effects=(SetsState("object", _EMPTY), SetsState("receptacle", _FULL))),
    SkillSpec("power_on", "switch on", (_SWITCH,), effects=(SetsState("object", _ON),), action="/articulate"),
    SkillSpec("power_off", "switch off", (_SWITCH,), effects=(SetsState("object", _OFF),), action="/articulate"),
    SkillSpec("slice", "slice an object", (_thing("slice"),), effects=(SetsState("object", _SLICED),)),
)

SKILLS: Mapping[str, SkillSpec] = MappingProxyType({row.name: row for row in _ROWS})
BASE_CAPABILITIES = tuple(row.name for row in _ROWS if row.base)
"""What every robot of this project can do; an agent may list more of `SKILLS`."""
WORDS = frozenset(word for row in _ROWS for argument in row.arguments for word in argument.words)
"""What may stand in a call beside skills and ids."""


def does(skill: str, effect: type[Effect]) -> bool:
    """True if a skill has an effect of that kind; a name that is no skill has none."""
    return skill in SKILLS and SKILLS[skill].does(effect)


def lets_go(skill: str) -> bool:
    """True if what the hand held is elsewhere once it has succeeded."""
    return skill in SKILLS and SKILLS[skill].lets_go


def setting(state: str, value: bool, kind: Kind | None = None) -> tuple[str, ...]:
    """Skills that give an entity of `kind` (None: of any) that value of a state."""
    return tuple(row.name for row in _ROWS if row.sets(state, value, kind))

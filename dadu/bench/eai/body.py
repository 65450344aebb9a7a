"""Carries skills out in a scene: each becomes an action of VirtualHome, and what that needs comes before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from dadu.bench.eai.actions import ACTIONS, CONDITIONS, Arguments, Need, Step
from dadu.bench.eai.scene import PromptScene
from dadu.core.errors import DaduError
from dadu.skills.call import SkillCall
from dadu.world.graph import ROBOT

SKILL_ACTIONS = {
    "go_to": "WALK", "pick": "GRAB", "open": "OPEN", "close": "CLOSE", "power_on": "SWITCHON", "power_off": "SWITCHOFF",
    "clean": "WASH", "slice": "CUT", "pour": "POUR",
}
"""skill of DaDu to the action that is it; putting down depends on where"""
_PLACED = {"on": "PUTBACK", "in": "PUTIN"}
_DEEP = 8
"""needs of needs: the deepest chain of the table (put in, open, reach, open...) is shorter"""


class Impossible(DaduError):
    """Nothing in the scene makes it so."""


@dataclass
class SymbolicBody:
    """Of one scene, which it changes; `steps` is what was done."""

    scene: PromptScene
    steps: list[Step] = field(default_factory=list)

    def carry_out(self, call: SkillCall) -> None:
        """Errors: Impossible."""
        if call.skill == "place":
            relation, target, *_ = call.arguments
            held = self.scene.held()
            if not held:
                raise Impossible(f"{call}: nothing is held")
            self.do(_PLACED[relation], held[-1], target)
        elif call.skill == "go_to" and ("NEAR", ROBOT, call.arguments[0]) in self.scene.facts:
            return  # whatever for, to be near is all that their actions ask
        elif call.skill in SKILL_ACTIONS:
            self.do(SKILL_ACTIONS[call.skill], *call.arguments)
        else:
            raise Impossible(f"{call}: no action of theirs is that")

    def do(self, name: str, *ids: str, deep: int = 0) -> None:
        """The action, and before it whatever it needs. Errors: Impossible."""
        action = ACTIONS[name]
        if not self.fits(name, ids):
            raise Impossible(f"{name} cannot be done with {', '.join(ids) or 'nothing'}")
        if deep > _DEEP:
            raise Impossible(f"{name} {ids}: what it needs needs it")
        for _ in range(len(action.needs) + 1):  # what the last need takes may have undone the first
            missing = [need for need in action.needs if not self._holds(need, ids)]
            if not missing:
                break
            for need in missing:
                self._provide(need, ids, deep)
        else:
            raise Impossible(f"{name} {ids}: {missing[0].kind} does not last")
        action.change(self.scene, ids)
        self.steps.append((name, ids))

    def fits(self, name: str, ids: Arguments) -> bool:
        """True if the things have the properties that the action asks for."""
        able = ACTIONS[name].properties
        return len(able) == len(ids) and ROBOT not in ids and all(map(lambda a, id: self.scene.can(id, *a), able, ids))

    def arguments(self, name: str) -> list[Arguments]:
        """What an action can be done with, as the things stand in the scene."""
        ids = [id for id in self.scene.things if id != ROBOT]
        return [given for given in product(ids, repeat=len(ACTIONS[name].properties))
                if len(set(given)) == len(given) and self.fits(name, given)]

    def _holds(self, need: Need, ids: Arguments) -> bool:
        return CONDITIONS[need.kind].holds(self.scene, self._of(need, ids))

    def _provide(self, need: Need, ids: Arguments, deep: int) -> None:
        if self._holds(need, ids):
            return
        step = CONDITIONS[need.kind].by(self.scene, self._of(need, ids))
        if step is None:
            raise Impossible(f"nothing makes {self._of(need, ids)} {need.kind}")
        self.do(step[0], *step[1], deep=deep + 1)

    @staticmethod
    def _of(need: Need, ids: Arguments) -> str:
        return ids[need.of] if ids else ROBOT

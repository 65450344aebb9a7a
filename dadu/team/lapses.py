"""Mistakes that people make: now and then they go, or put something, where they did not mean to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.planner.policies.policy import Policy, Turn
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.world.graph import Kind


class Lapsing:
    """`policy`, whose ways and places are others at a given rate; it finds out by what it sees then."""

    def __init__(self, policy: Policy, rate: float, rng: np.random.Generator) -> None:
        self._policy, self._rate, self._rng = policy, rate, rng

    @property
    def name(self) -> str:
        return self._policy.name

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        decision = self._policy.choose(turn)
        if decision.call.skill not in ("go_to", "place") or self._rng.random() >= self._rate:
            return decision
        call = self._instead(decision.call, turn)
        return replace(decision, call=call, reasoning=f"a lapse, in place of {decision.call}", seeks=None)

    def _instead(self, call: SkillCall, turn: Turn) -> SkillCall:
        """To another piece of furniture in the same room, on which things can stand."""
        meant = call.arguments[1 if call.skill == "place" else 0]
        room = turn.graph.room_of(meant)
        others = sorted(e.id for e in turn.graph.of(Kind.FURNITURE) if e.id != meant
                        and turn.graph.room_of(e.id) == room and any(not s.inside for s in e.surfaces))
        if not others:
            return call
        other = others[int(self._rng.integers(len(others)))]
        return SkillCall("go_to", (other,)) if call.skill == "go_to" else SkillCall("place", ("on", other))

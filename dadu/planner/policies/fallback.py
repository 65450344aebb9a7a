"""A model with another planner behind it, which takes over where the model is gone or talks nonsense."""

from __future__ import annotations

import time
from dataclasses import replace

from dadu.planner.cost import ModelCall
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import Learner, Policy, PolicyUnavailable, Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.report import TaskReport
from dadu.planner.step import Decision

_REST = 30.0
"""wall seconds before a server that could not be used is asked again; doubled each time in a row"""
_LONGEST_REST = 600.0
_PATIENCE = 2
"""useless answers in a row that are taken"""
_TAKES_OVER = "; the symbolic planner takes over: "


class WithFallback:
    """`first` as long as it is of use; `second` for the turns where it is not."""

    def __init__(self, first: Policy, second: WithOwnGoal) -> None:
        self._first, self._second = first, second
        self._rests_until = 0.0
        self._rest = _REST
        self._useless = 0
        self._problem = ""

    @property
    def name(self) -> str:
        return self._first.name

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable where neither can answer."""
        able = self._second.follow(turn).no_goal is None
        calls: tuple[ModelCall, ...] = ()
        if time.monotonic() >= self._rests_until:
            try:
                decision = self._first.choose(turn)
            except PolicyUnavailable as error:
                self._problem = str(error)
                self._rests_until = time.monotonic() + self._rest
                self._rest = min(2 * self._rest, _LONGEST_REST)
            else:
                self._rest = _REST
                self._useless = self._useless + 1 if _useless(decision, turn) else 0
                if self._useless < _PATIENCE or not able:
                    return decision
                self._problem, calls = "the model gives no useful action", decision.calls
        try:
            decision = self._second.choose(turn)
        except PolicyUnavailable as error:
            raise PolicyUnavailable(f"{self._problem}; {error}") from None
        return replace(taken_over(decision, self._problem), calls=calls)

    def learn(self, instruction: str, report: TaskReport) -> None:
        """The first may learn from it."""
        if isinstance(self._first, Learner):
            self._first.learn(instruction, report)


def taken_over(decision: Decision, problem: str) -> Decision:
    """The symbolic planner's, in the place of a model that could not be used."""
    return replace(decision, policy=SymbolicPolicy.name, reasoning=f"{problem}{_TAKES_OVER}{decision.reasoning}",
                   instead_of=problem)


def instead_of(reasoning: str) -> str:
    """`Decision.instead_of`, from a step's reasoning: all that a trace has of it."""
    problem, takes_over, _ = reasoning.partition(_TAKES_OVER)
    return problem if takes_over else ""


def _useless(decision: Decision, turn: Turn) -> bool:
    """No skill that can be carried out, or done once more where that was not believed."""
    return decision.failure is not None or (decision.call.skill == "done" and turn.doubted)

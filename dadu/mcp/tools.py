"""What another agent may ask of the robot, under the checks that a language model's replies pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from pydantic import BaseModel

from dadu.memory.describe import describe
from dadu.memory.graph import WorldGraph
from dadu.planner.feedback import possible
from dadu.planner.model.feasible import feasible, infeasible
from dadu.planner.model.purpose import purpose_of
from dadu.planner.policy import Policy, Turn
from dadu.planner.report import TaskReport
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult


class Body(Protocol):
    """The robot: `dadu.stack.Stack` and `dadu.sim.oracle.world.OracleStack` are."""

    def graph(self) -> WorldGraph: ...

    def execute(self, call: SkillCall, purpose: str = "") -> SkillResult: ...

    def do(self, instruction: str, policy: Policy | None = None) -> TaskReport: ...

    def close(self) -> None: ...


class Outcome(BaseModel):
    """How a skill ended."""

    code: int
    name: str
    message: str
    detail: str
    target: str
    then: str
    """what is possible about a failure"""


class Report(BaseModel):
    """How an instruction ended."""

    success: bool
    code: int
    summary: str
    steps: list[list[str]]
    """skills carried out, as ``[skill, argument, ...]``"""


class SkillTools:
    """One robot, one request after the other: everything runs in the thread that made the body, as a renderer wants."""

    def __init__(self, make: Callable[[], Body], capabilities: Sequence[str], policy: Callable[[], Policy]) -> None:
        """`make` brings the robot up; `policy` makes one for each instruction."""
        self.capabilities = tuple(c for c in capabilities if c != "done")
        self._policy = policy
        self._situation = Situation()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="robot")
        self._body = self._thread.submit(make).result()

    def act(self, skill: str, arguments: Mapping[str, str]) -> Future[Outcome]:
        """Carries out one skill, or says why not and what would be possible."""
        return self._thread.submit(self._act, skill, dict(arguments))

    def carry_out(self, instruction: str) -> Future[Report]:
        """A whole instruction, closed loop."""
        return self._thread.submit(self._carry_out, instruction)

    def world(self, about: str = "", max_words: int = 0) -> Future[str]:
        """The world graph in words, what `about` names first."""
        return self._thread.submit(lambda: describe(self._body.graph(), about, max_words))

    def possible(self) -> Future[dict[str, Any]]:
        """Every skill that is possible now, with the values that its arguments may have."""
        return self._thread.submit(self._possible)

    def close(self) -> None:
        """Waits for what is running, then shuts the robot down."""
        self._thread.submit(self._body.close).result()
        self._thread.shutdown()

    def _act(self, skill: str, arguments: dict[str, str]) -> Outcome:
        graph = self._body.graph()
        variants = feasible(graph, self.capabilities, self._situation)
        call = next((c for v in variants if v.skill == skill and (c := v.call(arguments)) is not None), None)
        if call is None:
            return _outcome(SkillCall(skill, tuple(arguments.values())),
                            infeasible(skill, arguments, graph, variants, self._situation), graph)
        purpose = purpose_of(call, Turn("", graph, None, self._situation, ()))
        result = self._body.execute(call, purpose)
        self._situation.take(call, purpose, result)
        return _outcome(call, result, self._body.graph())

    def _carry_out(self, instruction: str) -> Report:
        report = self._body.do(instruction, self._policy())
        self._situation = Situation.of(report.steps)
        return Report(success=report.success, code=int(report.outcome.code), summary=report.summary,
                      steps=[step.call.as_list() for step in report.steps])

    def _possible(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for variant in feasible(self._body.graph(), self.capabilities, self._situation):
            found.setdefault(variant.skill, []).append({k: list(v) for k, v in variant.arguments.items()})
        return found


def _outcome(call: SkillCall, result: SkillResult, graph: WorldGraph) -> Outcome:
    then = "" if result.ok else possible(call, result, graph)
    return Outcome(code=int(result.code), name=result.code.name, message=result.message, detail=result.detail,
                   target=result.target, then=then)

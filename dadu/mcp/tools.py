"""What another agent may ask of the robot, under the checks that a language model's replies pass."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel

from dadu.language.stopping import means_stop
from dadu.mcp.robot import CommandedRobot
from dadu.memory.describe import describe
from dadu.planner.asking.question import ASKED_BACK, Answer
from dadu.planner.feedback import line, possible
from dadu.planner.loop.world import Cancelled, never
from dadu.planner.model.feasible import feasible
from dadu.planner.model.infeasible import infeasible
from dadu.planner.model.purpose import purpose_of
from dadu.planner.policies.policy import Turn
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import WorldGraph

_Answer = TypeVar("_Answer")
_PERIOD = 0.1
"""wall seconds between two looks whether a request goes on"""


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
    substitutions: list[str]
    """``WORDS -> ID``: nouns for what the world graph holds under another name"""
    question: str = ""
    """what the robot asks back where it could not begin: answer it by saying the instruction again"""


class SkillTools:
    """One robot, one request after the other: everything runs in the thread that made the robot, as a renderer wants.
    Only looking at the world does not wait, where the robot allows it."""

    def __init__(self, make: Callable[[], CommandedRobot], capabilities: Sequence[str]) -> None:
        """`make` brings the robot up."""
        self.capabilities = tuple(c for c in capabilities if c != "done")
        self._situation = Situation()
        self._last: tuple[Step, ...] = ()
        """the newest, or none: a go_to after a skill that failed is for that skill"""
        self._closing, self._waiting = threading.Event(), threading.Event()
        self._stops = 0
        """how often all was stopped"""
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="robot")
        self._robot = self._thread.submit(make).result()
        self._looks = ThreadPoolExecutor(1, "looks") if self._robot.looks_any_time else self._thread

    def act(self, skill: str, arguments: Mapping[str, str], cancelled: Cancelled = never) -> Future[Outcome]:
        """Carries out one skill, or says why not and what would be possible."""
        return self._begin(partial(self._act, skill, dict(arguments)), cancelled)

    def execute_task(self, instruction: str, tell: Callable[[str], None] = lambda line: None,
                     cancelled: Cancelled = never, answer: Answer | None = None) -> Future[Report]:
        """A whole instruction, closed loop; `tell` gets a line when a step is chosen and when it has ended; `answer`,
        called in the robot's thread, brings a question to whoever gave the instruction. Words that mean to stop do
        that."""
        if means_stop(instruction):
            return self.stop()
        return self._begin(partial(self._execute_task, instruction, tell, answer), cancelled)

    def stop(self) -> Future[Report]:
        """Ends what runs and what waits to, whoever asked for it."""
        self._stops += 1
        return self._looks.submit(self._stop)

    def ending(self, cancelled: Cancelled = never) -> Cancelled:
        """For a request that comes now: tells whether it is to end, `cancelled` or stopped with all others."""
        stops = self._stops
        return lambda: cancelled() or self._closing.is_set() or self._stops != stops

    def answer(self, text: str) -> bool:
        """Answers what the robot asks; False where it does not wait for an answer. Waits for nothing."""
        waits = self._waiting.is_set()
        if not waits and means_stop(text):
            self.stop()
            return True
        if waits:
            self._answers.put(text)
        return waits

    def wait_for_answer(self, seconds: float, cancelled: Cancelled = never) -> str | None:
        """The next `answer`; None where none comes within `seconds` of wall time. For whoever carries a question."""
        self._waiting.set()
        deadline, ended = time.monotonic() + seconds, self.ending(cancelled)
        try:
            while not ended() and time.monotonic() < deadline:
                try:
                    return self._answers.get(timeout=_PERIOD)
                except queue.Empty:
                    continue
            return None
        finally:
            self._waiting.clear()

    def world(self, about: str = "", max_words: int = 0) -> Future[str]:
        """The world graph in words, what `about` names first."""
        return self._looks.submit(lambda: describe(self._robot.graph(), about, max_words))

    def graph(self) -> Future[str]:
        """The world graph as JSON: ``entities`` and ``edges`` with the fields of `dadu.world.graph`."""
        return self._looks.submit(lambda: _json(self._robot.graph()))

    def possible(self) -> Future[dict[str, Any]]:
        """Every skill that is possible now, with the values that its arguments may have."""
        return self._looks.submit(self._possible)

    def close(self) -> None:
        """Ends what is running, then shuts the robot down."""
        self._closing.set()
        self._thread.submit(self._robot.close).result()
        self._looks.shutdown()
        self._thread.shutdown()

    def _begin(self, work: Callable[[Cancelled], _Answer], cancelled: Cancelled) -> Future[_Answer]:
        return self._thread.submit(work, self.ending(cancelled))

    def _stop(self) -> Report:
        stopped = self._robot.stop()
        code, said = (Code.SUCCEEDED, "stopped; the robot is at rest") if stopped else (
            Code.TIMED_OUT, "somebody's task does not end; press the emergency stop")
        return Report(success=stopped, code=int(code), summary=said, steps=[], substitutions=[])

    def _act(self, skill: str, arguments: dict[str, str], cancelled: Cancelled) -> Outcome:
        graph, named = self._robot.graph(), SkillCall(skill, tuple(arguments.values()))
        interruption = self._robot.interruption()
        if interruption is not None:
            return _outcome(named, interruption, graph)
        variants = feasible(graph, self.capabilities, self._situation)
        call = next((c for v in variants if v.skill == skill and (c := v.call(arguments)) is not None), None)
        if call is None:
            return _outcome(named, infeasible(skill, arguments, graph, variants, self._situation), graph)
        purpose = purpose_of(call, Turn("", graph, None, self._situation, self._last))
        result = self._robot.execute(call, purpose, cancelled)
        self._situation.take(call, purpose, result)
        self._last = (Step(self._situation.steps, Decision(call, "", "mcp", purpose), 0.0, result=result),)
        return _outcome(call, result, self._robot.graph())

    def _execute_task(self, instruction: str, tell: Callable[[str], None], answer: Answer | None, cancelled: Cancelled
                      ) -> Report:
        interruption = self._robot.interruption()
        if interruption is not None:
            return Report(success=False, code=int(interruption.code), summary=interruption.message, steps=[],
                          substitutions=[])
        report = self._robot.do(instruction, lambda step: tell(_told(step)), cancelled, answer)
        self._situation, self._last = Situation.from_history(report.steps), report.steps[-1:]
        return Report(success=report.success, code=int(report.outcome.code), summary=report.summary,
                      steps=[step.call.as_list() for step in report.steps],
                      substitutions=list(report.steps[-1].substitutions) if report.steps else [],
                      question=report.summary if report.outcome.detail == ASKED_BACK else "")

    def _possible(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for variant in feasible(self._robot.graph(), self.capabilities, self._situation):
            found.setdefault(variant.skill, []).append({k: list(v) for k, v in variant.arguments.items()})
        return found


def _json(graph: WorldGraph) -> str:
    edges = sorted(graph.edges, key=lambda e: (e.subject, e.relation, e.object))
    return json.dumps({"entities": list(map(asdict, graph)), "edges": list(map(asdict, edges))}, default=float)


def _told(step: Step) -> str:
    return line(step) if step.result is not None else f"{line(step)}: {step.decision.told}"


def _outcome(call: SkillCall, result: SkillResult, graph: WorldGraph) -> Outcome:
    then = "" if result.ok else possible(call, result, graph)
    return Outcome(code=int(result.code), name=result.code.name, message=result.message, detail=result.detail,
                   target=result.target, then=then)

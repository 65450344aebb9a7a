"""One episode from its beginning to its record. Whatever goes wrong in it is a failed episode, never a missing one."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass

from dadu.errors import DaduError
from dadu.eval.backends import Backend, make_backend
from dadu.eval.companion import Companion
from dadu.eval.expert import Demonstration, NotFeasible, demonstrate
from dadu.eval.metrics.path import spl
from dadu.eval.metrics.progress import executed, keypath_nodes, path_length_weight, replans, task_progress
from dadu.eval.observer import Observer, OutOfTime, Trace
from dadu.eval.options import Options
from dadu.eval.prepare import Prepared
from dadu.eval.results import Ended, EpisodeResult
from dadu.eval.suite import Event
from dadu.planner.policies import make_policy
from dadu.planner.report import TaskReport
from dadu.planner.step import Step
from dadu.skills.outcome import Code

_PARTS = {"go_to": "navigate", "explore": "perceive", "pick": "grasp", "place": "place", "open": "articulate",
          "close": "articulate"}


@dataclass(frozen=True)
class Trial:
    """An episode's record, and what a report shows beside it."""

    result: EpisodeResult
    trace: Trace


def run_episode(prepared: Prepared, options: Options) -> Trial:
    """Runs it and judges it. Errors: none; an episode that raises is one that crashed."""
    start, episode = time.monotonic(), prepared.episode
    try:
        return _Run(prepared, options, start).trial()
    except Exception as error:  # noqa: BLE001  the one place: a crash must count, whatever it is
        # Only what is wrong with the question itself is the caller's to know.
        text = str(error) if isinstance(error, DaduError) else traceback.format_exc(limit=-6)
        result = EpisodeResult(id=episode.id, level=episode.level, seed=prepared.seed,
                               instruction=episode.instruction, success=False, ended="crashed", error=text,
                               explanation=f"The episode crashed: {type(error).__name__}: {error}",
                               wall_seconds=time.monotonic() - start)
        return Trial(result, Trace())


class _Run:
    def __init__(self, prepared: Prepared, options: Options, start: float) -> None:
        self.prepared, self.options, self.start = prepared, options, start
        self.demonstration = _demonstration(prepared)
        self.backend: Backend = make_backend(prepared, options)
        for verb, names in (("open", prepared.episode.open), ("close", prepared.episode.closed)):
            for name in names:
                self.backend.disturb(verb, name)
        self.observer = Observer(prepared, self.backend, options.wall_seconds, options.pictures)
        person = getattr(self.backend.stack, "person", None)
        self.companion = Companion(person, self.demonstration, prepared.episode.goal) if person is not None else None
        self._events = sorted(prepared.episode.events, key=lambda e: e.after_step)

    def trial(self) -> Trial:
        report, note = None, ""
        self.backend.watch(self.observer.tick)
        try:
            self._happen(0)
            report = self._do()
            self._companion(finish=True)
            self.backend.watch(lambda: None)
            self.backend.settle()
        except OutOfTime as error:
            note = str(error)
        finally:
            self.observer.look()
            self.observer.finish()
            self.backend.stack.close()
        return Trial(self._result(report, note), self.observer.trace)

    def _do(self) -> TaskReport:
        episode = self.prepared.episode
        settings = self.options.planner.loop.model_copy(update={
            "max_steps": episode.steps, "max_seconds": episode.sim_seconds, "feedback": self.options.feedback,
            "replan": self.options.replan})
        policy = make_policy(self.options.planner, self.backend.stack.description.capabilities)
        return self.backend.stack.do(episode.instruction, policy, settings=settings, trace=self._step)

    def _step(self, step: Step) -> None:
        self.observer.step(step)
        if step.result is not None:
            self._happen(step.index)
            self._companion()

    def _happen(self, after: int) -> None:
        """Events whose time has come."""
        while self._events and self._events[0].after_step <= after:
            event = self._events.pop(0)
            kind = event.kinds[0]
            self.backend.disturb(*_disturbance(event, kind))
            self.observer.look()

    def _companion(self, finish: bool = False) -> None:
        """The person catches up with the robot; in the end, with what is left."""
        if self.companion is None:
            return
        observer, person = self.observer, self.backend.stack.person
        idle = 0
        while idle < 2:
            until = float("inf") if finish else self.backend.stack.now()
            if finish:
                person.agent.clock = min(person.agent.clock, self.backend.stack.now())
            began = person.now()
            action = self.companion.act(until if not finish else max(began, self.backend.stack.now()),
                                        [s is not None for s in observer.monitor.verdict().since])
            observer.look()
            if action is not None:
                observer.act(action, began)
            idle = 0 if action is not None else idle + 1
            if not finish and person.now() >= until:
                return

    def _result(self, report: TaskReport | None, note: str) -> EpisodeResult:
        observer, episode, expert = self.observer, self.prepared.episode, self.demonstration
        verdict, steps = observer.monitor.verdict(), observer.steps
        ended = _ended(report)
        success = verdict.success and ended in ("done", "refused")
        said = report.summary if report is not None else note
        late = f"It had reached its goal, but did not end by itself ({said})."
        plan, outcomes = observer.plan[:len(steps)], [int(s.result.code) for s in steps]
        expert_steps = len(expert.calls) if expert is not None else None
        return EpisodeResult(
            id=episode.id, level=episode.level, seed=self.prepared.seed, instruction=episode.instruction,
            success=success, percent_complete=verdict.percent_complete,
            explanation="" if success else verdict.explanation or late, steps=len(steps), plan=plan,
            outcomes=outcomes, details=[s.result.detail for s in steps],
            sim_seconds=round(self.backend.stack.now() - observer.start, 3),
            wall_seconds=round(time.monotonic() - self.start, 3), ended=ended, verdict=said,
            tp=task_progress(self._keypaths(), executed(plan, outcomes, ended == "done")),
            replans=replans(outcomes, ended == "done"), said_done=ended == "done", goal_reached=verdict.success,
            gc=sum(verdict.at_the_end) / len(verdict.at_the_end), conditions=len(verdict.at_the_end),
            expert_steps=expert_steps, plwsr=path_length_weight(success, expert_steps or len(steps), len(steps)),
            latency=_latency(steps), stages=observer.stages(), actions=observer.actions,
            planning_cycles=len(steps) + (ended == "done"), **self._way(success), **_cost(report))

    def _way(self, success: bool) -> dict[str, float | None]:
        """Lengths [m] and what they make of success."""
        length = getattr(self.backend.stack, "travelled", self.observer.length)
        given, expert = self.prepared.episode.expert_length, self.demonstration
        shortest = given if given is not None or expert is None else expert.length
        return {"path_length": round(length, 3), "shortest_length": None if shortest is None else round(shortest, 3),
                "spl": spl(success, length if shortest is None else shortest, length)}

    def _keypaths(self) -> list[list[tuple[str, ...]]]:
        """The suite's; the expert's where it gives none."""
        if self.prepared.episode.keypaths or self.demonstration is None:
            return [keypath_nodes(path) for path in self.prepared.episode.keypaths]
        return [list(self.demonstration.keypath)]


def _cost(report: TaskReport | None) -> dict[str, float]:
    calls = report.calls if report is not None else ()
    return {"llm_calls": len(calls), "tokens_in": sum(c.tokens_in for c in calls),
            "tokens_out": sum(c.tokens_out for c in calls), "flops": sum(c.flops for c in calls)}


def _ended(report: TaskReport | None) -> Ended:
    """done: the planner ended it (whether rightly or not); limit: steps, time or patience ran out."""
    if report is None:
        return "limit"
    outcome = report.outcome
    if outcome.detail == "refused":
        return "refused"
    if outcome.code in (Code.UNREACHABLE_BACKEND, Code.CANCELLED, Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP):
        return "crashed"
    if outcome.code is Code.TIMED_OUT or outcome.detail == "no_progress":
        return "limit"
    return "done"


def _latency(steps: list[Step]) -> dict[str, float]:
    found = {"plan": 0.0, **{part: 0.0 for part in ("navigate", "perceive", "grasp", "place", "articulate", "other")}}
    for step in steps:
        found["plan"] += step.planning
        found[_PARTS.get(step.call.skill, "other")] += step.end - step.start
    return {part: round(seconds, 3) for part, seconds in found.items()}


def _disturbance(event: Event, kind: str) -> tuple:
    """Arguments of `Backend.disturb`."""
    if kind == "move":
        return "move", event.move.object, event.move.target
    if kind == "block":
        return "block", "", "", (*event.block, 0.0)
    if kind == "unblock":
        return ("unblock",)
    return kind, getattr(event, kind)


def _demonstration(prepared: Prepared) -> Demonstration | None:
    """None where the expert finds no way: the suite's own figures count then, where it has any."""
    try:
        return demonstrate(prepared)
    except NotFeasible:
        return None

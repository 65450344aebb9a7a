"""From what was observed of an episode to its record."""

from __future__ import annotations

import time

from dadu.eval.episode.observer import Observer
from dadu.eval.metrics.progress import executed, keypath_nodes, path_length_weight, replans, spl, task_progress
from dadu.eval.results import Ended, EpisodeResult
from dadu.eval.turns import STAND_IN
from dadu.planner.report import TaskReport
from dadu.planner.step import Step
from dadu.skills.outcome import Code
from dadu.tasks.expert import Demonstration, NotFeasible, demonstrate
from dadu.tasks.prepare import Prepared

_PARTS = {"go_to": "navigate", "explore": "perceive", "pick": "grasp", "place": "place", "open": "articulate",
          "close": "articulate"}


def record(observer: Observer, expert: Demonstration | None, report: TaskReport | None, note: str,
           began: float, planner: str) -> EpisodeResult:
    """`report`: the planner's, None where it got to none, which `note` explains; `began`: monotonic wall time [s];
    `planner`: the one that was asked for."""
    prepared, steps = observer.prepared, observer.steps
    episode, verdict, ended = prepared.episode, observer.monitor.verdict(), _ended(report)
    success = verdict.success and ended in ("done", "refused")
    said = report.summary if report is not None else note
    gone = report is not None and report.outcome.code is Code.UNREACHABLE_BACKEND
    late = f"It had reached its goal, but did not end by itself ({said})."
    plan, outcomes = observer.plan[:len(steps)], [int(s.outcome.code) for s in steps]
    expert_steps = len(expert.calls) if expert is not None else None
    return EpisodeResult(
        id=episode.id, level=episode.level, seed=prepared.seed, instruction=episode.instruction,
        success=success, percent_complete=verdict.percent_complete,
        explanation="" if success else said if gone else verdict.explanation or late, steps=len(steps), plan=plan,
        outcomes=outcomes, details=[s.outcome.detail for s in steps],
        by=[s.outcome.by for s in steps] if any(s.outcome.by for s in steps) else [],
        sim_seconds=round(observer.elapsed, 3), wall_seconds=round(time.monotonic() - began, 3), ended=ended,
        verdict=said, tp=_progress(prepared, expert, executed(plan, outcomes, ended == "done"), success),
        replans=replans(outcomes, ended == "done"), said_done=ended == "done", goal_reached=verdict.success,
        gc=sum(verdict.at_the_end) / len(verdict.at_the_end), conditions=len(verdict.at_the_end),
        expert_steps=expert_steps, plwsr=path_length_weight(success, expert_steps or len(steps), len(steps)),
        latency=_latency(steps), stages=observer.stages(), actions=observer.actions,
        outcome=None if report is None else int(report.outcome.code), claimed=report is not None and report.success,
        checked_by="" if report is None else report.checked_by,
        turns={planner: 0, STAND_IN: 0, **observer.turns}, fallback_turns=observer.fallback_turns,
        asked=observer.asked,
        ledger=observer.privilege_report.line, pose_error=observer.pose_errors.result(), map=observer.map_figures,
        planning_cycles=len(steps) + (ended == "done"), **_way(observer, expert, success), **_cost(report))


def demonstration(prepared: Prepared) -> Demonstration | None:
    """None where the expert finds no way: the suite's own figures count then, where it has any."""
    try:
        return demonstrate(prepared)
    except NotFeasible:
        return None


def _way(observer: Observer, expert: Demonstration | None, success: bool) -> dict[str, float | None]:
    """Lengths [m] and what they make of success."""
    given, length = observer.prepared.episode.expert_length, observer.driven
    shortest = given if given is not None or expert is None else expert.length
    return {"path_length": round(length, 3), "shortest_length": None if shortest is None else round(shortest, 3),
            "spl": spl(success, length if shortest is None else shortest, length)}


def _progress(prepared: Prepared, expert: Demonstration | None, done: list[tuple[str, ...]], success: bool) -> float:
    """TP by the suite's keypaths. Where it gives none: by the expert's, and whatever led to success is a way too."""
    if prepared.episode.keypaths:
        return task_progress([keypath_nodes(path) for path in prepared.episode.keypaths], done)
    return 1.0 if success else task_progress([expert.keypath] if expert is not None else [], done)


def _cost(report: TaskReport | None) -> dict[str, float | None]:
    calls = report.calls if report is not None else ()
    return {"llm_calls": len(calls), "tokens_in": sum(c.tokens_in for c in calls),
            "tokens_out": sum(c.tokens_out for c in calls), "flops": sum(c.flops for c in calls),
            "llm_seconds": round(sum(c.seconds for c in calls), 3),
            "certainty": calls[-1].certainty if calls else None}


def _ended(report: TaskReport | None) -> Ended:
    """done: the planner ended it (whether rightly or not); limit: steps, time or patience ran out."""
    if report is None:
        return "limit"
    outcome = report.outcome
    if outcome.detail in ("refused", "asked_back"):
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

"""Tells when a task is over, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import takewhile

from dadu.goals.belief import satisfying
from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Refused
from dadu.goals.progress import Progress
from dadu.goals.stand_in import CERTAIN, called_otherwise, is_another_piece
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner import feedback
from dadu.planner.asking.question import ASKED_BACK
from dadu.planner.goal_tracker import GoalTracker
from dadu.planner.loop.close_opened import closing_step, left_open
from dadu.planner.loop.doubts import Doubt, doubts, look_again
from dadu.planner.loop.remembered import RECENT, Remembered, make_sure, remembered
from dadu.planner.settings import LoopSettings
from dadu.planner.situation import TRIES, Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT, Kind, WorldGraph

PATIENCE = 4 * TRIES
"""steps in a row that fail, of the robot itself or because a skill's server is gone: all `TRIES` of four calls"""
_UNUSABLE_TURNS = TRIES
"""turns in a row in which a model gives no skill that can be used"""
_FORMAT = (Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET)
_GONE = (Code.UNREACHABLE_BACKEND, Code.CANCELLED)
_TRANSIENT = (*_GONE, Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP)


class TaskLimits:
    """Follows one task; `reason` once a turn."""

    def __init__(self, settings: LoopSettings) -> None:
        self._settings = settings
        self._tried: Counter[tuple[Hashable, Hashable]] = Counter()
        self._refused = 0
        self._last_success = 0

    def learn(self, step: Step, situation: Hashable) -> None:
        """`situation` in which the step was chosen."""
        if step.outcome.ok:
            self._last_success = step.index
        if step.outcome.code not in _TRANSIENT:
            self._tried[situation, step.call] += 1

    def insists(self) -> bool:
        """Called when the planner says done and is not: whether it has said so too often."""
        self._refused += 1
        return self._refused >= self._settings.same_step

    def reason(self, steps: Sequence[Step], elapsed: float) -> SkillResult | None:
        """Why the task ends; None: it goes on. `elapsed`: the task's time [s]."""
        settings, newest = self._settings, steps[-1].outcome if steps else None
        if len(steps) - _tidying(steps) >= settings.max_steps:
            return SkillResult(Code.TIMED_OUT, f"no more than {settings.max_steps} steps")
        if elapsed > settings.max_seconds:
            return SkillResult(Code.TIMED_OUT, f"no more than {settings.max_seconds:.0f} s")
        if newest is None:
            return None
        if _trailing_steps(steps, _gone) >= PATIENCE:
            return SkillResult(Code.UNREACHABLE_BACKEND, newest.message)
        if _trailing_steps(steps, _unusable) >= _UNUSABLE_TURNS:
            return SkillResult(newest.code, f"the planner gives no skill that can be used: {newest.message}")
        if len(steps) - self._last_success >= PATIENCE and newest.code not in _TRANSIENT:
            return SkillResult(newest.code, "nothing works any more", "no_progress")
        if max(self._tried.values(), default=0) >= settings.same_step:
            return SkillResult(Code.EXECUTION_FAILED, "no progress any more", "no_progress")
        return None


def _tidying(steps: Sequence[Step]) -> int:
    """Steps that shut something, and those that went there for it: whoever tidies up as he goes has not fewer for what
    was asked. Nothing can be shut oftener than it is opened, which counts."""
    shut = [i for i, step in enumerate(steps) if step.call.skill == "close" and step.outcome.ok]
    went = [i for i in shut if i and steps[i - 1].call == SkillCall("go_to", steps[i].call.arguments[:1])]
    return len(shut) + len(went)


def _gone(step: Step) -> bool:
    """The server of the skill, or the simulator, did not answer."""
    return step.outcome.code in _GONE


def _unusable(step: Step) -> bool:
    """The planner named no skill that can be carried out."""
    return step.decision.failure is not None and step.outcome.code in _FORMAT


def _trailing_steps(steps: Sequence[Step], kind: Callable[[Step], bool]) -> int:
    """The newest steps that are all of one kind."""
    return sum(1 for _ in takewhile(kind, reversed(steps)))


class TerminationChecker:
    """Judges one task by one goal: the planner's own, which ends the task once it holds; or that of a check, which only
    confirms or doubts what a planner says that tells no goal; or, where there is neither, by nothing."""

    def __init__(self, goal: GoalTracker, own: bool, settings: LoopSettings, vocabulary: Vocabulary,
                 start: float = 0.0) -> None:
        """`own`: `goal` is the one that the planner pursues; `start` of the task [s]."""
        self.limits = TaskLimits(settings)
        self.doubt = ""
        """why the planner's newest `done` was not believed, for the planner; empty where it was, or said something
        else"""
        self._goal, self._own, self._vocabulary = goal, own, vocabulary
        self._by = goal.interpreter.name if goal.interpreter is not None else ""
        self._confirmed = False
        self._since = start - RECENT

    @property
    def checked_by(self) -> str:
        """Which check has confirmed the planner's `done`; empty: none has."""
        return self._by if self._confirmed and not self._own else ""

    def check_without_asking(self, graph: WorldGraph, situation: Situation, steps: Sequence[Step], told: Sequence[Step],
                       elapsed: float) -> SkillResult | Decision | None:
        """How the task has ended, or the next step to make sure of it or to close what was opened on the way; None: the
        planner is to choose. `told`: the steps as the planner may know them, `elapsed`: the task's time [s]."""
        if self._own and self._goal.no_goal is not None:
            return _not_understood(self._goal.no_goal)
        given_up, progress = self.limits.reason(steps, elapsed), self._goal.progress
        if (self._own or self._confirmed) and progress is not None and progress.achieved(graph):
            doubted = doubts(told, graph)
            trusted = remembered(progress, graph, situation, self._vocabulary, steps, self._since)
            more = None if given_up is not None else (look_again(doubted, graph, situation, self._vocabulary)
                                                      or make_sure(trusted, steps)
                                                      or closing_step(progress, graph, situation, self._vocabulary))
            return more or self._succeeded(graph, situation, [*doubted, *trusted], steps)
        self._confirmed = False  # what held was undone since: the planner goes on
        return given_up and replace(given_up, message=f"{given_up.message}. {self.so_far(graph, steps)}")

    def on_done(self, decision: Decision, graph: WorldGraph, situation: Situation) -> SkillResult | None:
        """How the task has ended, now that the planner says so; None: it goes on, with a `doubt` or with what is still
        to be closed."""
        if decision.verdict is not None:
            return decision.verdict
        if self._goal.interpreter is None or self._goal.no_goal is not None:
            return self._unconfirmed(decision, graph, situation)
        if self._goal.achieved(graph):
            self._confirmed = True
            return None
        so_far = self._goal.so_far(graph)
        if decision.hopeless:
            return SkillResult(Code.EXECUTION_FAILED, so_far, "gave_up")
        self.doubt = feedback.not_done(so_far)
        if self.limits.insists():
            return SkillResult(Code.EXECUTION_FAILED, f"the planner insists on being done. {self.doubt}", "gave_up")
        return None

    def so_far(self, graph: WorldGraph, steps: Sequence[Step]) -> str:
        """What was achieved and what not, as far as that can be told."""
        return self._goal.so_far(graph) or f"after {len(steps)} steps"

    def _succeeded(self, graph: WorldGraph, situation: Situation, doubted: Sequence[Doubt | Remembered],
                   steps: Sequence[Step]) -> SkillResult:
        """UNCERTAIN where something is `doubted` that was looked for in vain, or could not be any more; where a thing
        was guessed, or stands in for what was said and may be something else; and where the goal holds without anything
        having been done, but only if something else is meant than what was said, it was said to be elsewhere, or a
        model has read it."""
        confirmed = "" if self._own else f"the planner said done, and the {self._by} confirms it. "
        unseen = [f". Not certain: {doubt}" for doubt in doubted]
        progress = self._goal.progress
        taken = _taken_for(progress, graph, self._vocabulary) if progress is not None else []
        unseen += [f". Not certain: {doubt}" for doubt in taken]
        elsewhere = progress is not None and (
            progress.goal.substitutions or progress.said_to_be or self._goal.by_model)
        if progress is not None and elsewhere and _nothing_done(progress.goal, steps):
            unseen.append(". Not certain: it was so already, and nothing was done")
        return SkillResult(Code.UNCERTAIN if unseen else Code.SUCCEEDED,
                           f"{confirmed}{self._goal.so_far(graph)}{''.join(unseen)}{self._open(graph, situation)}")

    def _unconfirmed(self, decision: Decision, graph: WorldGraph, situation: Situation) -> SkillResult:
        """Nothing speaks against it, either."""
        why = self._goal.no_goal
        unread = f"the {self._by} cannot confirm it: {why.message}" if why is not None else "nothing has confirmed it"
        return SkillResult(Code.UNCERTAIN, f"the planner said done ({decision.reasoning}); {unread}"
                           f"{self._open(graph, situation)}")

    def _open(self, graph: WorldGraph, situation: Situation) -> str:
        doors = left_open(self._goal.progress, graph, situation, self._vocabulary)
        return f". left open: {', '.join(doors)}" if doors else ""


def _taken_for(progress: Progress, graph: WorldGraph, vocabulary: Vocabulary) -> list[str]:
    """Of the things that were moved, and of where they were brought, which may not be what was said, and why."""
    guessed = set(progress.guessed.values())
    loosely = {id for p in progress.goal.propositions for id in satisfying(p, graph)
               if id in progress.stood_in or p.subject.description is not None and p.subject.description.loosely}
    otherwise = {id for p in progress.goal.propositions for id in satisfying(p, graph) if p.subject.description
                 and called_otherwise(graph[id], p.subject.description)} - guessed - loosely
    return ([f"{id} was taken for it by where it was, not by how it looks" for id in sorted(guessed)]
            + [f"{id} was taken for it, and may be something else" for id in sorted(loosely - guessed)
               if graph[id].confidence < CERTAIN]
            + [f"{id} looks more like {graph[id].called} by now" for id in sorted(otherwise)]
            + [f"{id} was taken for {name}, which may be there under another name"
               for id, name in _pieces_instead(progress.goal, graph, vocabulary)])


def _pieces_instead(goal: Goal, graph: WorldGraph, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """Furniture that is called otherwise than what was said and stands in for it, where nobody told which there is; and
    what was said."""
    return sorted({(id, t.name) for p in goal.propositions for t in (p.subject, p.object) if t and t.description
                   for id in t.ids if id in graph and graph[id].kind is Kind.FURNITURE
                   and graph[id].provenance == "detection" and is_another_piece(graph[id], t.description, vocabulary)})


def _nothing_done(goal: Goal, steps: Sequence[Step]) -> bool:
    """True if more was asked for than to go somewhere or to find something out, and the robot has only gone about and
    looked, if that."""
    more = any(p.subject.key != ROBOT for p in goal.propositions)
    return more and not any(SKILLS[step.call.skill].changes_world for step in steps if step.call.skill in SKILLS)


def _not_understood(why: Refused | AskBack) -> SkillResult:
    """A refusal, or a question for whoever gave the instruction."""
    if isinstance(why, Refused):
        return SkillResult(why.code, why.message, "" if why.code is Code.UNREACHABLE_BACKEND else "refused")
    return SkillResult(Code.UNKNOWN_TARGET, why.message, ASKED_BACK)

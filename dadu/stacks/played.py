"""An agent of a team that a person plays: it does what they choose, while time goes on for all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from dadu.planner.goal_tracker import GoalTracker
from dadu.planner.interpreters import make_interpreter
from dadu.planner.loop.runner import carry_out
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings, PlannerSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.stacks.oracle import AgentStack
from dadu.team.coordination import Coordination
from dadu.team.jobs import jobs
from dadu.team.messages import TeamMessage
from dadu.team.player import End, Player
from dadu.world.graph import WorldGraph

CHOSEN_BY = "a person"
"""as the policy of a step"""
TICK = 0.1
"""that passes at once while a person thinks [s]: what others do meanwhile is shown no rougher than that"""
_READ = 1.0
"""between two readings of how far the goal is, while nothing is done [s]"""


class HumanPlayers(Protocol):
    """The people who play. All in the thread of the team."""

    def player(self, agent: str) -> Player:
        """Who plays the agent."""
        ...

    def pace(self, agent: str) -> None:
        """Comes back when it is time for the agent to act."""
        ...


@dataclass(frozen=True)
class KnownJob:
    """A part of the task, as far as one agent knows."""

    name: str
    """as `dadu.team.jobs.Job.name`"""
    words: str
    """the shampoo on the desk"""
    done: bool
    by: str = ""
    """name of who has taken it"""


class PlayedAgent:
    """One for each task."""

    def __init__(self, member: AgentStack, player: Player, instruction: str, settings: PlannerSettings,
                 coordination: Coordination | None) -> None:
        """The task is read by the interpreter of `settings`, for its parts alone: nobody else tells when it is done."""
        self.member, self.player = member, player
        self.name = member.agent.name
        self.idle = True
        """nothing is under way: they think"""
        self.ended = False
        """they have said that it is done, or have given up, or may not go on"""
        self.thinking = 0.0
        """how long they have thought so far, while their agent stood [s]"""
        self.steps: list[Step] = []
        self.situation = Situation()
        self.now: Step | None = None
        """the step under way"""
        self.coordination = coordination
        self._tracker = GoalTracker(instruction, make_interpreter(settings.interpreter), member.vocabulary)
        self._words: dict[str, str] = {}
        """by name of a part that there is, or was"""
        self._open: set[str] = set()
        self._read = -_READ

    async def play(self, limits: LoopSettings, trace: Callable[[Step], None]) -> TaskReport:
        """Until they say that it is done, or give up, or `limits` are reached; `trace` as `ClosedLoop`'s."""
        start, wall, contexts = self.member.now(), time.monotonic(), SkillContexts()
        while True:
            self._speak()
            wanted, elapsed = self.player.next(), self.member.now() - start
            outcome = _ended(wanted, len(self.steps), elapsed, limits)
            if outcome is not None:
                self.ended = True
                planning = sum(step.planning for step in self.steps)
                return TaskReport(outcome.ok, outcome, tuple(self.steps), planning, elapsed)
            if isinstance(wanted, SkillCall):
                await self._act(wanted, time.monotonic() - wall, contexts, trace)
                wall = time.monotonic()
                continue
            self.member.agent.clock += TICK
            self.thinking += TICK
            self.member.view.look()  # who stands there sees what others do
            await self.member.pause()

    def jobs(self) -> tuple[KnownJob, ...]:
        """The parts of the task, as the words are read, and as far as this agent knows; empty while they mean nothing.
        """
        if self.member.now() >= self._read + _READ:
            self._read = self.member.now()
            self._follow(self.member.graph().copy())
        by = self.coordination.begun() if self.coordination else {}
        return tuple(KnownJob(name, words, name not in self._open, by.get(name, ""))
                     for name, words in self._words.items())

    def _follow(self, graph: WorldGraph) -> None:
        """Takes in how far the goal is, by what is known now."""
        self._tracker.follow(graph, self.situation)
        progress = self._tracker.progress
        if progress is not None:
            teams = [m.capabilities for m in self.coordination.mates.values()] if self.coordination else []
            left = jobs(progress, graph, teams or [self.member.capabilities])
            self._open = {job.name for job in left}
            self._words |= {job.name: " and ".join(progress.proposition(i).in_words() for i in job.indices)
                            for job in left}

    async def _act(self, call: SkillCall, thought: float, contexts: SkillContexts, trace: Callable[[Step], None]
                   ) -> None:
        """One skill. `thought`: wall time before [s]."""
        member = self.member
        step = Step(len(self.steps) + 1, Decision(call, "", CHOSEN_BY, "look"), member.now(), thought)
        self.now, self.idle = step, False
        trace(step)
        result = await carry_out(step.decision, member, contexts, self.player.interrupted)
        if not result.ok:
            self.player.fail()
        step = replace(step, result=result, end=member.now())
        self.steps.append(step)
        self.situation.take(call, step.decision.purpose, result, step.end)
        if result.ok and does(call.skill, Takes):
            self._tracker.learn(call, result)
        self.now, self.idle, self._read = None, True, -_READ
        trace(step)

    def _speak(self) -> None:
        for saying in self.player.sayings():
            if self.coordination is not None:
                self.coordination.hear(TeamMessage(self.member.now(), self.name, saying.act, saying.job, saying.to))


def _ended(wanted: SkillCall | End | None, steps: int, elapsed: float, limits: LoopSettings) -> SkillResult | None:
    """How the task ends now; None: it goes on."""
    if isinstance(wanted, End):
        return (SkillResult(Code.SUCCEEDED, "the person says that it is done") if wanted.done else
                SkillResult(Code.EXECUTION_FAILED, "the person has given up", "gave_up"))
    if steps >= limits.max_steps:
        return SkillResult(Code.TIMED_OUT, f"no more than {limits.max_steps} steps")
    if elapsed > limits.max_seconds:
        return SkillResult(Code.TIMED_OUT, f"no more than {limits.max_seconds:.0f} s")
    return None

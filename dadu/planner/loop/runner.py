"""Carries out one instruction with a body: the loop chooses, the body acts, until the loop reports.

One protocol for a robot in this process and for that of the running graph: a coroutine, since other things go on in
a graph while a skill runs.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial

from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.asking.question import is_question
from dadu.planner.asking.question import outcome as answered
from dadu.planner.loop.carried import is_load_of_drive
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.loop.world import Body, Cancelled, never
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Decision, Step
from dadu.skills.outcome import Code, Detail, SkillResult

SETTLE = 0.4
"""[s] after a skill in which memory takes in what was seen last"""
SURE = SETTLE
"""[s] for which memory has to hold what is looked for where pictures may err: two of them"""
_DIP = 0.49
"""[s] in which the fingers must feel nothing before a carried object counts as lost: effort dips while driving"""
_PATIENCE = 60.0
"""wall seconds that a silent driver, or camera, is waited for before a skill is begun all the same, and fails"""
_PAUSES = 0.2, 3.0
"""wall seconds between two looks whether it is back: the first, and the longest"""
_BLIND = 2.0
"""wall seconds of exploring in which a picture comes where there is a camera"""

AskPerson = Callable[[str], Awaitable["str | None"]]
"""brings a question to a person; the answer, or None where none came"""


class TaskRunner:
    """One instruction; `run` it once."""

    def __init__(self, instruction: str, planner: TaskPlanner, body: Body, settings: LoopSettings | None = None, *,
                 trace: Callable[[Step], None] = lambda step: None, vocabulary: Vocabulary | None = None,
                 answer: AskPerson | None = None, cancelled: Cancelled = never) -> None:
        """`trace` as in `ClosedLoop`; `answer`: whoever can be asked what the words mean, None: nobody can."""
        self.loop = ClosedLoop(instruction, planner, body, settings, trace=self._follow, vocabulary=vocabulary,
                               asks=answer is not None)
        self.step: Step | None = None
        """the newest, as it is known by now"""
        self._body, self._trace, self._answer, self._cancelled = body, trace, answer, cancelled
        self._approaches = SkillContexts()
        self._over = False

    async def run(self) -> TaskReport:
        """Until the loop reports; soon after `cancelled()` in any case."""
        turn, result = self.loop.turns(), None
        try:
            while True:
                chosen = await self._body.think(partial(turn, result), self._cancelled)
                if chosen is None:
                    return self.loop.abandon()
                if isinstance(chosen, TaskReport):
                    return chosen
                if is_question(chosen):
                    result = answered(await self._answer(chosen.arguments[0]) if self._answer is not None else None)
                else:
                    result = await self._act(blind=result is not None and result.detail == Detail.NOT_SEEN)
                    await self._body.settle(self._cancelled)
                if self._cancelled():
                    self.loop.cancel()
        finally:
            self._over = True

    def _follow(self, step: Step) -> None:
        """Called where the loop runs; not heard any more where that thinks on after the end."""
        if self._over:
            return
        self.step = step
        if step.result is not None and not is_question(step.call):
            self._approaches.learn(step)
            self._body.learn(step)
        self._trace(step)

    async def _act(self, blind: bool) -> SkillResult:
        """Carries out what was chosen last, once the body is there and autonomy has it; `blind`: no picture came for
        the last skill, and the next would fail as well. Waiting costs no steps, but it has an end where nobody restarts
        what is missing: then the skill says what it misses."""
        body = self._body
        await self._until(lambda: not body.driver_silent(), "the robot's driver is silent: waiting for it")
        if blind:
            await self._until(body.pictured, "no pictures come: waiting for one")
        while body.interruption() is not None:
            if self._cancelled():
                return SkillResult(Code.CANCELLED, "cancelled while a person had the robot")
            await body.wait(_PAUSES[0], "a person has the robot")
        assert self.step is not None, "a turn that chooses a skill has told of it"
        return await carry_out(self.step.decision, body, self._approaches, self._cancelled, self.loop.found)

    async def _until(self, ready: Callable[[], bool], why: str) -> None:
        pause, deadline = _PAUSES[0], time.monotonic() + _PATIENCE
        while not ready() and time.monotonic() < deadline and not self._cancelled():
            await self._body.wait(pause, why)
            pause = min(2 * pause, _PAUSES[1])


async def carry_out(decision: Decision, body: Body, approaches: SkillContexts, cancelled: Cancelled,
                    found: Callable[[float], SkillResult | None] = lambda lasting: None) -> SkillResult:
    """Carries out what was chosen. It ends early once `cancelled()`, when what it looks for was `found`, and where
    something falls that it carries: there is no need to arrive with an empty hand, and the loop says what it means."""
    call, graph, begun = decision.call, body.graph(), time.monotonic()
    approach = approaches.of(decision, graph, body.pose())
    approach.by = decision.by
    carries, felt = is_load_of_drive(call, graph, body.holding()), body.now()
    broken_off = SkillResult(Code.CANCELLED, f"{call.skill} was cancelled")
    end: SkillResult | None = None

    def over() -> SkillResult | None:
        nonlocal felt, end
        if cancelled():
            return broken_off
        felt = body.now() if carries and body.holding() else felt
        if end is None:
            end = broken_off if carries and body.now() > felt + _DIP else found(body.sure)
        return end
    body.pictured()  # from now on
    result = await body.carry_out(call, approach, over)
    if call.skill == "explore" and result.ok and time.monotonic() > begun + _BLIND and not body.pictured():
        return SkillResult(Code.EXECUTION_FAILED, "no picture came from the camera while looking round; try again",
                           Detail.NOT_SEEN)
    return result

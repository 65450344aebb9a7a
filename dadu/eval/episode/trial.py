"""One episode from its beginning to its record. Whatever goes wrong in it is a failed episode, never a missing one."""

from __future__ import annotations

import shutil
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dadu.bringup.run_directory import ARGUMENTS, REPORT_FILE
from dadu.core.config import save
from dadu.core.errors import DaduError
from dadu.eval.episode.backends import Physical, SystemUnderTest, make_backend
from dadu.eval.episode.companion import Companion, make_companion
from dadu.eval.episode.expert_policy import ExpertPolicy
from dadu.eval.episode.observer import Observer, OutOfTime, Trace
from dadu.eval.episode.record import demonstration, record
from dadu.eval.episode.team_trial import run_team
from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult
from dadu.operator.bags.bag import next_bag
from dadu.operator.play.seats import Seats
from dadu.planner.asking.question import scripted
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.presets import EXPERT
from dadu.planner.report import TaskReport
from dadu.planner.step import Step
from dadu.replay.recording import EpisodeRecorder, StackRecorder
from dadu.sim.oracle.moving import WAIT
from dadu.stacks.oracle import OracleStack
from dadu.tasks.prepare import Prepared
from dadu.world.state import TrueWorld

JPEG = 90
"""quality of colours: exact ones take ten times as much"""


@dataclass(frozen=True)
class Trial:
    """An episode's record, and what a report shows beside it."""

    result: EpisodeResult
    trace: Trace


def run_episode(prepared: Prepared, options: EvalOptions, seen: Callable[[TrueWorld, int], None] | None = None,
                people: Seats | None = None) -> Trial:
    """Runs it and judges it; `seen` as of `Observer`, of a robot alone; `people` as of `run_team`.

    Errors: none; an episode that raises is one that crashed.
    """
    start = time.monotonic()
    try:
        if options.team.plan:
            return Trial(*run_team(prepared, options, start, people))
        return _Run(prepared, options, start, seen).trial()
    except Exception as error:  # noqa: BLE001  the one place: a crash must count, whatever it is
        text = str(error) if isinstance(error, DaduError) else traceback.format_exc(limit=-6)
        return crashed(prepared, options, text, f"The episode crashed: {type(error).__name__}: {error}",
                       time.monotonic() - start)


def crashed(prepared: Prepared, options: EvalOptions, error: str, explanation: str, wall_seconds: float = 0.0) -> Trial:
    """Of an episode that came to no end."""
    episode = prepared.episode
    return Trial(EpisodeResult(id=episode.id, level=episode.level, seed=prepared.seed, instruction=episode.instruction,
                               success=False, ended="crashed", error=error, explanation=explanation, turns={},
                               ledger=options.privileges_for(episode.known).line, wall_seconds=wall_seconds), Trace())


class _Run:
    def __init__(self, prepared: Prepared, options: EvalOptions, start: float,
                 seen: Callable[[TrueWorld, int], None] | None = None) -> None:
        self.prepared, self.options, self.start = prepared, options, start
        self.expert = demonstration(prepared)
        self.backend: SystemUnderTest = make_backend(prepared, options)
        for verb, names in (("open", prepared.episode.open), ("close", prepared.episode.closed)):
            for name in names:
                self.backend.disturb(verb, name)
        self.observer = Observer(prepared, self.backend, options.wall_seconds, options.pictures,
                                 options.privileges_for(prepared.episode.known), seen)
        self.companion: Companion | None = None
        if prepared.episode.person is not False and self.expert is not None:
            self.companion = make_companion(self.backend.stack, self.expert, prepared.episode.goal)
        self.recorder = recording(self.backend, prepared, options)
        self._events = sorted(prepared.episode.events, key=lambda e: e.after_step)

    def trial(self) -> Trial:
        report, note = None, ""
        self.backend.watch(self._tick)
        try:
            self._happen(0)
            report = self._do()
            if self.companion is not None:
                self.companion.catch_up(self.observer, finish=True)
            self.backend.watch(lambda: None)
            self.backend.settle()
        except OutOfTime as error:
            note = str(error)
        finally:
            self.observer.look()
            self.observer.finish()
            if self.recorder is not None:
                self.recorder.close()
            self.backend.stack.close()
        return Trial(record(self.observer, self.expert, report, note, self.start,
                            self.options.planner.chooser), self.observer.trace)

    def _do(self) -> TaskReport:
        episode = self.prepared.episode
        wanted = self.options.resolved_planner
        settings = wanted.loop.model_copy(update={"max_steps": episode.steps, "max_seconds": episode.sim_seconds})
        planner = self._planner()
        return self.backend.stack.do(episode.instruction, planner, settings=settings, trace=self._step,
                                     answer=scripted(episode.answers) if self.options.ask else None)

    def _planner(self) -> TaskPlanner:
        stack, wanted = self.backend.stack, self.options.resolved_planner
        if wanted.policy != EXPERT:
            return make_planner(wanted, stack.capabilities)
        assert isinstance(stack, OracleStack)  # see `dadu.eval.episode.backends.check`
        return TaskPlanner(ExpertPolicy(stack, self.prepared.episode.goal, self.expert,
                                        partial(self._wait_for_person, stack)))

    def _wait_for_person(self, stack: OracleStack, count: int) -> None:
        """Until so many skills are behind them, or the episode's time is over."""
        late = self.prepared.episode.sim_seconds
        while self.companion is not None and self.companion.done < count and self.observer.elapsed < late:
            stack.agent.clock += WAIT
            self.companion.catch_up(self.observer)

    def _tick(self) -> None:
        """While a skill runs."""
        self.observer.tick()
        if self.recorder is not None:
            self.recorder.tick()
        if self.companion is not None:
            self.companion.catch_up(self.observer)

    def _step(self, step: Step) -> None:
        self.observer.step(step)
        if self.recorder is not None:
            self.recorder.trace(step)
        if step.result is not None:
            self._happen(step.index)
            if self.companion is not None:
                self.companion.catch_up(self.observer)

    def _happen(self, after: int) -> None:
        """Events whose time has come."""
        while self._events and self._events[0].after_step <= after:
            event = self._events.pop(0)
            kind = event.kinds[0]
            if event.move is not None:
                self.backend.disturb("move", event.move.object, event.move.target)
            elif event.block is not None:
                self.backend.disturb("block", position=(*event.block, 0.0))
            elif event.unblock:
                self.backend.disturb("unblock")
            else:
                self.backend.disturb(kind, getattr(event, kind))
            self.observer.look()


def recording(backend: SystemUnderTest, prepared: Prepared, options: EvalOptions) -> StackRecorder | None:
    """One begun in a folder of the episode's own under ``options.bags``; None where none is wanted, or there is no
    physics."""
    if not options.bags or not isinstance(backend, Physical):
        return None
    episode, stack = prepared.episode, backend.stack
    folder = Path(options.bags) / f"{episode.id}@{prepared.seed}"
    shutil.rmtree(folder, ignore_errors=True)  # of an episode that was broken off
    folder.mkdir(parents=True)
    (folder / ARGUMENTS).write_text(f"robot: {episode.robot}\nknown: {episode.known}\n")
    save(options.privileges_for(episode.known), folder / REPORT_FILE)
    return StackRecorder(EpisodeRecorder(next_bag(folder), stack.description.tool_link, JPEG), stack,
                         episode.instruction)

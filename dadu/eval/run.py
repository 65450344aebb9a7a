"""A whole run: a folder that is filled episode by episode, can be taken up again after a kill, and ends in a report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError
from dadu.core.work import Whole, WorkDone, Workers, WorkFailed
from dadu.eval.episode.observer import Trace
from dadu.eval.episode.team_trial import CutShort
from dadu.eval.episode.trial import Trial, crashed, run_episode
from dadu.eval.examples import frozen, notice
from dadu.eval.mapped.record import MapRecord
from dadu.eval.options import EvalOptions
from dadu.eval.results import FILE, EpisodeResult, read_results, to_line, write_results
from dadu.eval.summary import summarise
from dadu.operator.play.seats import Seats
from dadu.operator.run.run_info import machine, versions
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.presets import EXPERT
from dadu.planner.settings import PlannerSettings
from dadu.tasks.prepare import Prepared
from dadu.world.occupancy import OccupancyMap

CONFIG = "config.yaml"
INTERRUPTED = "interrupted.jsonl"
"""what was done of episodes in whose middle people ended the run; the run that is taken up again begins them anew"""
TRACES = "traces"
BAGS = "bags"
_GRACE = 60.0
"""wall seconds beyond an episode's own limit after which its worker is ended"""
_IN_FILES_OF_THEIR_OWN = {"picture", "map", "chart"}


class RunConfig(Settings):
    """``config.yaml``: all that the results depend on, and where they were made."""

    suite: str
    file: str
    """as given"""
    seeds: list[list[str | int]]
    """``[episode, seed]`` in order"""
    options: EvalOptions
    versions: dict[str, str] = Field(default_factory=dict)
    machine: str = ""
    command: str = ""


@dataclass(frozen=True)
class Run:
    """What is to be run, and where to."""

    suite: str
    file: str
    episodes: Sequence[Prepared]
    options: EvalOptions
    out: Path
    workers: Workers = Workers()
    ros: bool = False
    """over the ROS graph, one episode after the other"""
    bags: bool = False
    """keep a recording of every episode, where skills are physical"""
    people: Seats | None = None
    """who play agents, where the options say that some are played: one episode after the other, in this process"""
    say: Callable[[str, str], None] = field(default=lambda name, line: None)
    """gets what the graph's processes have to say"""
    command: str = ""
    done: Callable[[EpisodeResult], None] = field(default=lambda result: None)
    """called after every episode"""

    def execute(self) -> list[EpisodeResult]:
        """Runs what is not done yet and writes everything; results in the suite's order.

        Errors: those of `check`, and ConfigError where the folder holds another run.
        """
        self.check()
        kept = self._begin()
        todo = [p for p in self.episodes if (p.episode.id, p.seed) not in kept]
        for result in kept.values():
            self.done(result)
        shown = frozen(self.options, self._instructions, self.out)
        shown = shown.model_copy(update={"bags": str(self.out / BAGS) if self.bags else ""})
        try:
            with (self.out / FILE).open("a") as file:
                for trial in replace(self, options=shown)._trials(todo):
                    kept[trial.result.key] = trial.result
                    _write_trace(self.out, trial)
                    file.write(to_line(trial.result))
                    file.flush()
                    self.done(trial.result)
        except CutShort as cut:
            with (self.out / INTERRUPTED).open("a") as file:
                file.write(to_line(cut.result))
            raise
        return self._conclude(kept)

    def _conclude(self, kept: dict[tuple[str, int], EpisodeResult]) -> list[EpisodeResult]:
        """Writes what depends on all of them."""
        results = [kept[p.episode.id, p.seed] for p in self.episodes]
        write_results(self.out, results)
        asked = {"planner": self.options.planner.policy, "fallback": self.options.fallback}
        (self.out / "summary.json").write_text(json.dumps({**asked, **summarise(results)}, indent=2) + "\n")
        return results

    def check(self) -> str:
        """Checks that the run can begin. Returns what is to be known before: with fallback, that there is no model
        server; which examples a model is shown. Errors: ConfigError where an episode asks for what is not to be had,
        PolicyUnavailable where there is no model server and no fallback."""
        if bool(self.options.team.people) != (self.people is not None) or (
                self.people is not None and (self.workers != Workers() or self.ros)):
            raise ConfigError("partner human: agents are played on the page of dadu eval play, one episode after the "
                              "other")
        if self.ros:
            from dadu.eval.episode.graph_trial import check
        else:
            from dadu.eval.episode.backends import check
        planner = self.options.resolved_planner
        for prepared in self.episodes:
            check(prepared, self.options)
        if planner.policy != EXPERT:
            make_planner(planner)  # settings that cannot be used end here, not in every episode
        if not planner.asks_model or len(self._finished()) == len(self.episodes):
            return ""
        return "\n".join(filter(None, (self._check_server(planner), notice(self.options, self._instructions))))

    def _check_server(self, planner: PlannerSettings) -> str:
        """Asks for the model server, as `check` says."""
        try:
            from dadu.planner.model.make import make_model  # half a second, which most runs need not spend

            make_model(planner.model_settings).check()
        except PolicyUnavailable as error:
            if not planner.fallback:
                raise PolicyUnavailable(f"{error}; start it, or let --fallback take its turns") from None
            return f"{error}; the symbolic planner takes its turns"
        return ""

    @property
    def _instructions(self) -> list[str]:
        return [p.episode.instruction for p in self.episodes]

    def _finished(self) -> list[EpisodeResult]:
        """What an interrupted run left."""
        return read_results(self.out) if (self.out / FILE).exists() else []

    def _trials(self, todo: Iterable[Prepared]) -> Iterator[Trial]:
        if self.ros:
            from dadu.eval.episode.graph_trial import run_on_graph

            return (run_on_graph(p, self.options, self.out / "graph" / f"{p.episode.id}@{p.seed}", self.say)
                    for p in todo)
        if self.people is not None:
            return map(partial(self._played, self.people), todo)
        return evaluated(todo, self.options, self.workers)

    def _played(self, people: Seats, prepared: Prepared) -> Trial:
        """Once everybody is ready."""
        people.gather(prepared.episode.id, prepared.episode.instruction)
        return run_episode(prepared, self.options, people=people)

    def _begin(self) -> dict[tuple[str, int], EpisodeResult]:
        """What an interrupted run left, or an empty folder with its configuration."""
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / TRACES).mkdir(exist_ok=True)
        config = self.config()
        path = self.out / CONFIG
        if path.exists():
            differs = [key for key in ("suite", "seeds", "options")
                       if getattr(load(RunConfig, path), key) != getattr(config, key)]
            if differs:
                raise ConfigError(f"{self.out} holds a run with another {' and '.join(differs)}; choose another --out")
        else:
            path.write_text(yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, width=120))
        kept = self._finished()
        write_results(self.out, kept)  # without a line that was cut off
        return {result.key: result for result in kept}

    def config(self) -> RunConfig:
        """As resolved."""
        return RunConfig(suite=self.suite, file=self.file, seeds=[[p.episode.id, p.seed] for p in self.episodes],
                         options=self.options, versions=versions(), machine=machine(), command=self.command)


def evaluated(todo: Iterable[Prepared], options: EvalOptions, workers: Workers) -> Iterator[Trial]:
    """Of each episode its trial, as they end; one that has no end, or no worker survives, is one that crashed."""
    for event in workers.events(Whole(partial(run_episode, options=options)), todo, options.wall_seconds + _GRACE):
        if isinstance(event, WorkDone):
            yield event.result
        elif isinstance(event, WorkFailed):
            yield crashed(event.item, options, event.why, f"The episode crashed: {event.why}.")


def read_trace(folder: Path, result: EpisodeResult) -> Trace:
    """Of an episode; an empty one where it left none."""
    path = _trace_path(folder, result)
    if not path.exists():
        return Trace()
    data: dict[str, Any] = json.loads(path.read_text())
    picture = path.with_suffix(".jpg")
    maps, chart = path.with_suffix(".map.json"), path.with_suffix(".chart.yaml")
    return Trace(**data, picture=picture.read_bytes() if picture.exists() else b"",
                 map=MapRecord.model_validate_json(maps.read_text()) if maps.exists() else None,
                 chart=OccupancyMap.load(chart) if chart.exists() else None)


def _write_trace(folder: Path, trial: Trial) -> None:
    path, trace = _trace_path(folder, trial.result), trial.trace
    data = asdict(replace(trace, map=None, chart=None))
    path.write_text(json.dumps({name: value for name, value in data.items() if name not in _IN_FILES_OF_THEIR_OWN}))
    if trace.picture:
        path.with_suffix(".jpg").write_bytes(trace.picture)
    if trace.map is not None:
        path.with_suffix(".map.json").write_text(trace.map.model_dump_json())
    if trace.chart is not None:
        trace.chart.save(path.with_suffix(".chart.yaml"))


def _trace_path(folder: Path, result: EpisodeResult) -> Path:
    return folder / TRACES / f"{result.id}@{result.seed}.json"

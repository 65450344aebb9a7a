"""One episode over the ROS graph: the nodes run as on a robot, and what the bag holds is judged as in process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from dadu.bringup.arguments import Arguments
from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.core.privilege_report import PrivilegeReport
from dadu.eval.episode.observer import Observer, Trace
from dadu.eval.episode.record import demonstration, record
from dadu.eval.episode.trial import Trial
from dadu.eval.mapped.watch import RobotMap
from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult
from dadu.house.files import save_house
from dadu.operator.bags.bag_reader import NoBag, Recorded, recorded
from dadu.operator.bags.sizes import BrokenBag
from dadu.operator.demo import DemoOptions, DemoRun, run_demo
from dadu.operator.run.episode import NoTask, RecordedEpisode, read_episode
from dadu.operator.run.identity import Identities
from dadu.operator.run.snapshots import snapshots
from dadu.planner.policies.fallback import instead_of
from dadu.planner.presets import EXPERT, NO_STORE
from dadu.planner.report import TaskReport
from dadu.planner.settings import PlannerSettings
from dadu.planner.step import Decision, Step
from dadu.replay import messages
from dadu.skills.outcome import Code, SkillResult
from dadu.tasks.prepare import Prepared
from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph
from dadu.world.state import WorldState

GRAPH, SEEN = "/world_graph", "/perception/detections"
APART = 0.5
"""[s] between pictures that are looked at: as in process"""


class RecordedMap:
    """Read once, along with the time of the episode. A graph stays the same until memory publishes another one."""

    def __init__(self, run_dir: Path) -> None:
        self._items = _stamped(run_dir)
        self._next = next(self._items, None)
        self._graph: Any = None
        self._read: tuple[Any, WorldGraph] | None = None
        """the message read last, and what it says"""
        self._picture: DetectionFrame | None = None

    def at(self, stamp: float) -> RobotMap | None:
        """What the robot believed at `stamp` [s], not before the one that was asked for last; None where memory had
        published nothing yet."""
        while self._next is not None and self._next[0] <= stamp:
            when, item = self._next
            if item.topic == GRAPH:
                self._graph = item.message
            elif self._picture is None or when >= self._picture.stamp + APART:
                self._picture = messages.detections(item.message)
            self._next = next(self._items, None)
        if self._graph is None:
            return None
        if self._read is None or self._read[0] is not self._graph:
            self._read = self._graph, messages.graph(self._graph)
        return RobotMap(self._read[1], self._picture)


def _stamped(run_dir: Path) -> Iterator[tuple[float, Recorded]]:
    """With their times on the clock in use [s]; none where there is no bag, up to the damage where it is broken."""
    with suppress(NoBag, BrokenBag):
        for item in recorded(run_dir, (GRAPH, SEEN)):
            yield messages.seconds(item.message.header.stamp), item


_OF_THE_FILE = ("protocol", "prompt", "temperature", "max_tokens")
"""of how a model is asked, what the graph reads from a file alone"""


def run_on_graph(prepared: Prepared, options: EvalOptions, folder: Path, say: Callable[[str, str], None]) -> Trial:
    """Starts the graph, gives it the instruction, ends it, and reads ``folder``'s bag. Steps are limited as in
    config/planner.yaml."""
    began = time.monotonic()
    house = folder / "episode.house.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    save_house(prepared.house, house)
    planner = options.planner
    arguments = Arguments(house=str(house), robot=prepared.episode.robot, planner=planner.policy,
                          known=prepared.episode.known, perception=options.perception, privilege=options.privilege,
                          weights=options.weights, namer=options.namer,
                          pick=options.ways.pick, place=options.ways.place,
                          map="none" if prepared.episode.known == "nothing" else "", seed=prepared.seed,
                          console=False, rtf=0.0, run_dir=str(folder / "run"),
                          llm_url=planner.llm_url or Arguments().llm_url,
                          fallback="true" if options.fallback else "false", interpreter=planner.interpreter,
                          verify=planner.verify, model=planner.llm.model,
                          llm_timeout=planner.llm.timeout, api_key_file=planner.llm.api_key_file, examples=NO_STORE)
    run = run_demo(DemoOptions(arguments, prepared.episode.instruction, command="dadu eval --ros",
                               max_seconds=0.0, wall_limit=options.wall_seconds), say)
    try:
        episode = read_episode(run.run_dir)
    except NoTask:
        return _nothing_done(prepared, run, began, arguments.privilege_report)
    observer = replay(prepared, episode, arguments.privilege_report, options.pictures)
    report = _report(run, episode)
    return Trial(record(observer, demonstration(prepared), report, _how(run), began, planner.chooser), observer.trace)


def check(prepared: Prepared, options: EvalOptions) -> None:
    """Errors: ConfigError for what only the stack in process can do."""
    episode = prepared.episode
    for field, given in (("events", episode.events), ("open", episode.open), ("person", episode.person),
                         ("answers", episode.answers), ("past", episode.past)):
        if given:
            raise ConfigError(f"episode {episode.id}: {field}: not to be had on the graph; leave out --ros")
    if options.skills == "oracle" or not (options.memory and options.feedback and options.replan):
        raise ConfigError("on the graph skills are physical, with memory, feedback and replanning; leave out --ros")
    name = {"policy": options.planner.policy, "llm": {"model": options.planner.llm.model}}
    own = PlannerSettings.model_validate(name)
    asked = [n for n in _OF_THE_FILE if getattr(options.planner.llm, n) != getattr(own.llm, n)]
    if asked:
        raise ConfigError(f"on the graph {', '.join(asked)} are as config/planner.yaml says; leave out "
                          f"--{asked[0].replace('_', '-')} or --ros")
    if options.planner.policy == EXPERT or options.planner.llm.examples.added_to or (
            options.planner.asks_model and options.planner.llm.examples.shown):
        raise ConfigError("on the graph nobody is an expert, and no examples are shown or added to; leave out --ros; "
                          "valid with it: --planner symbolic, vllm, react, finetuned")


class _Recorded:
    """A bag behind the surface of a backend: the state under the cursor is the true one."""

    def __init__(self, prepared: Prepared, episode: RecordedEpisode) -> None:
        self.episode, self.stack = episode, self
        self._identities = Identities.from_house(prepared.house, prepared.layout)
        self.state: WorldState = episode.truth[0]
        self._pictured: float | None = None
        self._map = RecordedMap(episode.run_dir)

    def now(self) -> float:
        return self.state.stamp

    def truth(self) -> WorldState:
        return self.state

    def believed_pose(self) -> Pose2 | None:
        return self.episode.believed.at(self.state.stamp)

    def belief(self) -> RobotMap | None:
        """As memory published it."""
        return self._map.at(self.state.stamp)

    def picture(self) -> bytes:
        """Notes the moment for `last_picture`: an observer keeps the last that it asked for, and finding one means to
        read through the bag."""
        self._pictured = self.state.stamp
        return b""

    def last_picture(self) -> bytes:
        """What the camera had seen when a picture was last asked for; empty where none was."""
        found = snapshots(self.episode.run_dir, [self._pictured])[0] if self._pictured is not None else None
        return found.jpeg if found is not None else b""

    def took(self, id: str) -> None:
        self._identities.took(id, self.state)

    def true_name(self, id: str) -> str:
        return self.episode.true_name(id, self._identities)


def replay(prepared: Prepared, episode: RecordedEpisode, privilege_report: PrivilegeReport, pictures: bool = True
           ) -> Observer:
    """Shows an observer every recorded state, and every step when it ends."""
    if not episode.truth:
        raise ConfigError(f"episode {prepared.episode.id}: the bag holds no ground truth")
    backend = _Recorded(prepared, episode)
    observer = Observer(prepared, backend, float("inf"), pictures, privilege_report)
    waiting = [(s, s.end, SkillResult(s.code, s.message, s.detail, by=s.by)) for s in episode.steps
               if s.code is not None and s.end is not None]
    for state in episode.truth:
        while waiting and waiting[0][1] <= state.stamp:
            s, end, result = waiting.pop(0)
            decision = Decision(s.call, s.reasoning, s.policy, instead_of=instead_of(s.reasoning))
            step = Step(s.number, decision, s.start, s.planning)
            observer.step(step)
            observer.step(Step(s.number, step.decision, s.start, s.planning, result, end))
        backend.state = state
        observer.look()
    observer.finish()
    observer.trace.picture = backend.last_picture()
    return observer


def _report(run: DemoRun, episode: RecordedEpisode) -> TaskReport | None:
    """None where the task did not get to its end."""
    if run.task_status is None or run.ended_early is not None:
        return None
    code = Code.SUCCEEDED if run.task_status == 0 else _outcome(run.run_dir) or Code.EXECUTION_FAILED
    return TaskReport(code is Code.SUCCEEDED, SkillResult(code, _how(run)), elapsed=episode.end - episode.start)


def _outcome(run_dir: Path) -> Code | None:
    """Of the task, as the planner's node reports it with its health; None where it did not live to."""
    values = [v.value for item in recorded(run_dir, ["/diagnostics"]) for status in item.message.status
              for v in status.values if v.key == "task.outcome"]
    return Code(int(values[-1])) if values else None


def _how(run: DemoRun) -> str:
    if run.ready_seconds is None:
        return "the graph did not become ready"
    if run.task_status is None:
        return "the task did not get to its end"
    if run.task_status == 0:
        return "the planner reports success"
    code = _outcome(run.run_dir)
    return f"dadu do ended with status {run.task_status}{f' ({code.name})' if code is not None else ''}"


def _nothing_done(prepared: Prepared, run: DemoRun, began: float, privilege_report: PrivilegeReport) -> Trial:
    """The graph never came up, or the instruction was refused before a first step."""
    episode, up = prepared.episode, run.ready_seconds is not None and run.task_status is not None
    code = _outcome(run.run_dir)
    refused = up and code is not Code.UNREACHABLE_BACKEND
    result = EpisodeResult(id=episode.id, level=episode.level, seed=prepared.seed, instruction=episode.instruction,
                           success=False, ended="refused" if refused else "crashed", verdict=_how(run),
                           outcome=code, turns={}, ledger=privilege_report.line,
                           explanation=f"Nothing was done: {_how(run)}.", wall_seconds=time.monotonic() - began)
    return Trial(result, Trace())

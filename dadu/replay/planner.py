"""Replays the planner: its closed loop on recorded graphs and outcomes, decision by decision.

Where the replay decides differently, that is noted and the recorded decision is taken: every decision is compared in
the situation in which it was made. A model's replies are taken from the bag, unless a server is given to ask anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from dadu.core.errors import ConfigError
from dadu.house.layout import NOTHING
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.planner.asking.question import CHOOSER as ASKING
from dadu.planner.asking.question import is_question
from dadu.planner.cost import ModelCall
from dadu.planner.interpreters import NONE, make_interpreter
from dadu.planner.loop.close_opened import CHOOSER as CLOSING_UP
from dadu.planner.loop.doubts import CHOOSER as LOOKING_AGAIN
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.remembered import CHOOSER as MAKING_SURE
from dadu.planner.model.client import Completion, Message
from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.model.purpose import purpose_of
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import Policy, PolicyUnavailable, TaskPlanner, Turn
from dadu.planner.policies.written_goal import WrittenGoalPolicy
from dadu.planner.presets import PRESETS
from dadu.planner.report import TaskReport
from dadu.planner.settings import GOAL, ModelSettings, PlannerSettings
from dadu.planner.step import Decision
from dadu.replay import messages
from dadu.replay.bag import Bag
from dadu.replay.report import ReplayReport
from dadu.replay.world import RecordedWorld
from dadu.robots import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import BASE_CAPABILITIES
from dadu.stacks.priors import vocabulary_of


class RecordedModel(ModelPolicy):
    """Builds prompts and schemas anew, and reads the recorded replies anew: tells where any of the three changed."""

    def __init__(self, name: str = "vllm") -> None:
        """`name`: of the planner that was recorded, as in `dadu.planner.presets`."""
        self._tape = _RecordedReplies()
        settings = ModelSettings(protocol=PRESETS[name].protocol or ModelSettings().protocol)
        super().__init__(settings, model=self._tape, name=name)

    def expect(self, step: Any) -> None:
        """The recorded turn (``PlanStep``) that comes next."""
        self._tape.take(step)

    def differences(self) -> Iterator[tuple[str, str, str]]:
        """Kind, as recorded, as replayed, of what was sent in the newest turn."""
        step, tape = self._tape.step, self._tape
        if step.prompt and step.prompt != tape.prompt:
            yield "prompt", _first_change(step.prompt, tape.prompt), _first_change(tape.prompt, step.prompt)
        recorded = getattr(step, "schema", "")  # bags of old do not have it
        if recorded and json.loads(recorded) != tape.schema:
            yield "schema", _brief(recorded), _brief(json.dumps(tape.schema))


class _RecordedReplies:
    """Answers as recorded."""

    def __init__(self) -> None:
        self.step: Any = None
        self.prompt = ""
        self.schema: dict[str, Any] = {}
        self._asked = 0

    def take(self, step: Any) -> None:
        self.step, self._asked = step, 0

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: PolicyUnavailable where nothing was recorded."""
        if self.step is None or not self.step.reply:
            raise PolicyUnavailable("the bag holds no reply of the model for this turn")
        if not self._asked:
            self.prompt, self.schema = str(messages[-1]["content"]), schema
        self._asked += 1
        return Completion(self.step.reply, True, ModelCall(kind, 0, 0))


def _first_change(text: str, other: str) -> str:
    """Some words from where two texts part."""
    same = next((i for i, (a, b) in enumerate(zip(text, other)) if a != b), min(len(text), len(other)))
    return repr(text[max(0, same - 20):same + 60])


def _brief(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "..."


class RecordedGoals:
    """Answers as recorded, one reply after the other; what was sent back for repair is not in a bag."""

    def __init__(self, replies: Iterable[str]) -> None:
        """`replies` of a task's steps; empty where the model was not asked."""
        self._left = [reply for reply in replies if reply]

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: PolicyUnavailable where nothing more was recorded."""
        if not self._left:
            raise PolicyUnavailable("the bag holds no more replies of the model")
        return Completion(self._left.pop(0), True, ModelCall(kind, 0, 0))


_OF_THE_LOOP = (CLOSING_UP, LOOKING_AGAIN, MAKING_SURE, ASKING)
"""steps that no policy has chosen"""
_ENDED = (Code.CANCELLED, Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP, Code.UNREACHABLE_BACKEND)


@dataclass(frozen=True)
class RecordedStep:
    """One turn as ``/plan_trace`` has it: when it was chosen and, where it ended, how."""

    chosen: Any
    chosen_at: float
    """wall time [s]"""
    finished: Any = None
    finished_at: float = 0.0

    @property
    def call(self) -> SkillCall:
        return messages.call(self.chosen.call)

    @property
    def start(self) -> float:
        """[s] on the clock in use"""
        return messages.seconds(self.chosen.header.stamp)

    @property
    def result(self) -> SkillResult | None:
        return messages.result(self.finished.outcome) if self.finished is not None else None


def recorded_tasks(bag: Bag) -> dict[str, list[RecordedStep]]:
    """The steps of every task, by its id, in the order of recording."""
    tasks: dict[str, dict[int, RecordedStep]] = {}
    for message in bag.messages(["plan"]):
        steps = tasks.setdefault(message.data.task_id, {})
        if not message.data.finished:
            steps[message.data.step] = RecordedStep(message.data, message.received)
        elif message.data.step in steps:
            steps[message.data.step] = replace(steps[message.data.step], finished=message.data,
                                               finished_at=message.received)
    return {id: [steps[n] for n in sorted(steps)] for id, steps in tasks.items()}


def replay_planner(bag: Bag, *, robot: str = "", settings: PlannerSettings | None = None) -> ReplayReport:
    """Every decision of every task in the bag.

    `settings`: replay with this policy, asking its server; by default with the one that decided, a model's replies
    taken from the bag. Errors: UnusableBag.
    """
    bag.require(["plan", "graph"], "the planner")
    report = ReplayReport("planner", "decisions")
    tasks = recorded_tasks(bag)
    moments = [t for steps in tasks.values() for s in steps for t in (_asked_at(s), s.finished_at) if t]
    description = load_robot(robot or str(bag.arguments.get("robot", "stretch")))
    world = RecordedWorld.from_bag(bag, description, moments)
    vocabulary = _vocabulary(bag, report)
    for id, steps in tasks.items():
        _replay_task(id, steps, world, vocabulary, settings, str(bag.arguments.get("verify") or NONE), report)
    if not tasks:
        report.notes.append("no task was carried out while this was recorded")
    return report


def _vocabulary(bag: Bag, report: ReplayReport) -> Vocabulary:
    """What the planner called things by while this was recorded."""
    house = str(bag.arguments.get("house", ""))
    if str(bag.arguments.get("known", "")) == NOTHING:
        return default_vocabulary()
    try:
        return vocabulary_of(house)
    except ConfigError:
        report.notes.append(f"house {house} is not here: what it alone has is known by name only once seen")
        return default_vocabulary()


def _replay_task(id: str, steps: list[RecordedStep], world: RecordedWorld, vocabulary: Vocabulary,
                 settings: PlannerSettings | None, verify: str, report: ReplayReport) -> None:
    first = steps[0]
    world.seek(_asked_at(first), first.start)
    loop = ClosedLoop(first.chosen.instruction, _planner(steps, settings, verify, report), world,
                      (settings or PlannerSettings()).loop, vocabulary=vocabulary,
                      asks=any(is_question(step.call) for step in steps))
    turn = loop.turns()
    outcome = turn(None)
    for step in steps:
        if isinstance(outcome, TaskReport):
            _ended_early(id, step, outcome, report)
            return
        if step.result is None:
            report.notes.append(f"task {id}: the recording ends during {step.call}")
            return
        world.seek(step.finished_at, messages.seconds(step.finished.header.stamp))
        outcome = turn(step.result)
    end = steps[-1]
    if isinstance(outcome, TaskReport):
        report.notes.append(f"task {id}: {len(steps)} steps, replay ends {outcome.outcome.code.name}: "
                            f"{outcome.outcome.message}")
    elif end.result is not None and end.result.code not in _ENDED:
        report.add(end.start, "goes_on", f"step {len(steps) + 1}", "the end", outcome)


def _ended_early(id: str, step: RecordedStep, ended: TaskReport, report: ReplayReport) -> None:
    report.add(step.start, "ends", f"task {id} step {step.chosen.step}", step.call,
               f"{ended.outcome.code.name}: {ended.outcome.message}")


def _asked_at(step: RecordedStep) -> float:
    """When choosing began, wall time [s]."""
    return step.chosen_at - messages.seconds(step.chosen.planning_time)


def _planner(steps: list[RecordedStep], settings: PlannerSettings | None, verify: str, report: ReplayReport
             ) -> TaskPlanner:
    """Who decides anew, with the goal or the check that the recorded planner had."""
    if settings is None and any(step.chosen.policy == GOAL for step in steps):
        reader = ModelInterpreter(ModelSettings(protocol=GOAL), model=RecordedGoals(s.chosen.reply for s in steps))
        return TaskPlanner(_Follower(steps, {"": WrittenGoalPolicy(reader, BASE_CAPABILITIES)}, report), reader)
    model = next((step.chosen.policy for step in steps if step.chosen.policy in PRESETS), "")
    if settings is None and model:
        symbolic = WithOwnGoal(make_planner())
        check = make_interpreter(verify) if verify != NONE else None
        return TaskPlanner(_Follower(steps, {symbolic.name: symbolic, "": RecordedModel(model)}, report), check=check)
    anew = make_planner(settings and settings.model_copy(update={"verify": verify}))
    return replace(anew, policy=_Follower(steps, {"": anew.policy}, report))


@dataclass
class _Follower:
    """A policy that asks another one, notes where it differs from the record, and decides as recorded."""

    steps: list[RecordedStep]
    policies: dict[str, Policy]
    report: ReplayReport
    _index: int = field(default=0)

    @property
    def name(self) -> str:
        return self.steps[0].chosen.policy

    def choose(self, turn: Turn) -> Decision:
        """As recorded; after the last recorded step, as the policy says."""
        step = self.steps[len(turn.history)] if len(turn.history) < len(self.steps) else None
        chosen_by = step.chosen.policy if step is not None else self.steps[-1].chosen.policy
        policy = self.policies.get(chosen_by) or self.policies[""]
        for other in self.policies.values():
            if isinstance(other, WithOwnGoal):
                other.follow(turn)
        of_the_loop = step is not None and step.chosen.policy in _OF_THE_LOOP
        if of_the_loop or step is None and isinstance(policy, RecordedModel):
            return Decision(SkillCall("done"), "nothing more was recorded of it", self.name)
        if step is None:
            return policy.choose(turn)
        if isinstance(policy, RecordedModel):
            policy.expect(step.chosen)
        self.report.compared += 1
        try:
            decision = policy.choose(turn)
        except PolicyUnavailable as error:
            self.report.add(step.start, "unavailable", self._about(step), step.call, error)
            return _as_recorded(step, turn)
        if isinstance(policy, RecordedModel):
            for what, old, new in policy.differences():
                self.report.add(step.start, what, self._about(step), old, new)
        if decision.call == step.call:
            return decision
        self.report.add(step.start, "decision", self._about(step), f"{step.call} ({step.chosen.reasoning})",
                        f"{decision.call} ({decision.reasoning})")
        return _as_recorded(step, turn)

    def _about(self, step: RecordedStep) -> str:
        return f"step {step.chosen.step}"


def _as_recorded(step: RecordedStep, turn: Turn) -> Decision:
    plan = tuple(messages.call(c) for c in step.chosen.plan)
    return Decision(step.call, step.chosen.reasoning, step.chosen.policy, purpose_of(step.call, turn, plan), plan)

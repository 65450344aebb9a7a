"""The closed loop: observe, choose one skill, execute, learn the outcome, choose again.

Source: DaDu-E section 3.3, plan once and adapt on every feedback. A generator: ``result = yield call``; whoever runs it
executes the skills, over ROS actions or in process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import replace

from dadu.goals.goal import Goal
from dadu.goals.progress import Progress
from dadu.goals.refusal import Refusal
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.language.mentioned import mentioned
from dadu.planner import feedback
from dadu.planner.cost import ModelCall
from dadu.planner.loop.belief import Belief
from dadu.planner.loop.carried import felt
from dadu.planner.loop.giving_up import GivingUp
from dadu.planner.loop.watch import Watch
from dadu.planner.loop.world import Searching, Seeing, World
from dadu.planner.policies.open_loop import OpenLoop
from dadu.planner.policies.policy import Learner, Policy, PolicyUnavailable, Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.regression.lookahead import bind
from dadu.planner.regression.regression import Regression, settle
from dadu.planner.regression.search import layout_known, things_told
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.planner.survey import read
from dadu.skills.call import SkillCall
from dadu.skills.effects import ROBOT, apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Kind, Relation, WorldGraph


class ClosedLoop:
    """One instruction, from its words to a report."""

    def __init__(self, instruction: str, policy: Policy, world: World, settings: LoopSettings | None = None, *,
                 trace: Callable[[Step], None] = lambda step: None, vocabulary: Vocabulary | None = None) -> None:
        """`trace` gets every step twice: when it is chosen, and with its result."""
        self.instruction, self.world = instruction, world
        self.settings = settings or LoopSettings()
        self.policy = policy if self.settings.replan else OpenLoop(policy)
        self.progress: Progress | None = None
        self._trace = trace
        self._vocabulary = vocabulary or default_vocabulary()
        self._belief = Belief()
        self._steps: list[Step] = []
        self._situation = Situation()
        self._watch = Watch(self.settings.stagnation)
        self._before: WorldGraph | None = None
        self._giving_up = GivingUp(self.settings)
        self._closing = SymbolicPolicy()
        """what was opened on the way is closed in the end, whoever has planned"""
        self._cancelled = False
        self._feedback = ""
        self._unseen = ""
        """what has to be seen before the instruction can be read"""
        self._mentioned: tuple[str, ...] = ()
        self._held = ""
        self._planning = 0.0
        self._calls: list[ModelCall] = []
        self._takeovers: list[str] = []
        self._start = world.now()

    def cancel(self) -> None:
        """Ends the task after the skill in progress, which whoever runs it has to end. From any thread."""
        self._cancelled = True

    def turns(self) -> Callable[[SkillResult | None], SkillCall | TaskReport]:
        """The same as `run`, as a function: takes a skill's result (None at first), returns the next skill or the
        report."""
        steps = self.run()

        def turn(result: SkillResult | None) -> SkillCall | TaskReport:
            try:
                return next(steps) if result is None else steps.send(result)
            except StopIteration as end:
                return end.value
        return turn

    def run(self) -> Generator[SkillCall, SkillResult, TaskReport]:
        """Yields the skills to execute, takes their results, returns the report."""
        while True:
            graph = self._observe()
            ended = self._understand(graph) or self._ended(graph)
            if ended is not None:
                return self._report(ended)
            try:
                decision, planning = self._choose(graph)
            except PolicyUnavailable as error:
                return self._report(SkillResult(Code.UNREACHABLE_BACKEND, f"{error}. {self._so_far(graph)}"))
            if decision.call.skill == "done":
                ended = self._judge(decision, graph)
                if ended is not None:
                    return self._report(ended)
                continue
            step = Step(len(self._steps) + 1, decision, self.world.now(), planning, substitutions=self.substitutions)
            self._trace(step)
            result = decision.failure or (yield decision.call)
            self._learn(step, result, graph)

    @property
    def substitutions(self) -> tuple[str, ...]:
        """``WORDS -> ID``: nouns of the instruction for what the graph holds under another name."""
        return self.progress.goal.substitutions if self.progress is not None else self._mentioned

    def _understand(self, graph: WorldGraph) -> SkillResult | None:
        """The goal, as soon as all that it names was seen; or why there is none. A model may make something of words
        that the grammar does not know."""
        if self.progress is not None or self._cancelled:
            return None
        self._unseen = ""
        try:
            found = read(self.instruction, graph, self._situation, self._vocabulary)
        except Refusal as refusal:
            if self.policy.name == "symbolic":
                return SkillResult(refusal.code, str(refusal), "refused")
            self._feedback = self._feedback or ("" if self._steps else f"Hint: {str(refusal).partition(';')[0]}")
            if layout_known(graph):  # before that what is called otherwise may still turn up under its own name
                self._mentioned = mentioned(self.instruction, graph, self._vocabulary)
            return None
        if isinstance(found, Goal):
            self.progress = Progress(found, unseen=not things_told(graph))
            self.progress.update(graph)
        else:
            self._unseen = found.reason
        return None

    def _observe(self) -> WorldGraph:
        graph = self._belief.graph(self.world.graph().copy())  # memory may change it while a skill runs
        held = graph.held(ROBOT)
        if held is not None:
            self._held = held.id
        elif self._held in graph and self.world.holding():
            # Given up for lost too early: the fingers still press on something, and nothing else was picked.
            graph = apply(graph, SkillCall("pick", (self._held,)), self.world.now())
        self._situation.extend(len(graph.of(Kind.ROOM)) + len(graph.of(Kind.FURNITURE)))
        if self.progress is not None:
            self.progress.update(graph)
            if self.policy.name != "symbolic":  # which does so itself
                settle(self.progress, graph, self._situation, self._vocabulary)
        return graph

    def _choose(self, graph: WorldGraph) -> tuple[Decision, float]:
        start = time.perf_counter()
        turn = Turn(self.instruction, graph, self.progress, self._situation, self._told(), self._remarks(graph),
                    substitutions=self.substitutions, vocabulary=self._vocabulary)
        if isinstance(self.world, Seeing) and self.settings.feedback:
            turn = replace(turn, picture=self.world.picture)
        try:
            decision = (self._closing if self._achieved(graph) else self.policy).choose(turn)
        finally:
            planning = time.perf_counter() - start
            self._planning += planning
        self._feedback = ""
        self._calls += decision.calls
        if decision.query is not None and isinstance(self.world, Searching):
            self.world.look_for(*decision.query)
        if decision.instead_of:
            self._takeovers.append(decision.instead_of)
        return decision, planning

    def _remarks(self, graph: WorldGraph) -> str:
        """What the loop has to say beside the newest outcome."""
        remarks = self._watch.remarks(self._steps, self._before or graph, graph, self.progress,
                                      self._fingerprint(graph))
        self._before = graph
        return " ".join(filter(None, [self._feedback, *remarks])) if self.settings.feedback else ""

    def _told(self) -> tuple[Step, ...]:
        """The steps as the policy may know them: without feedback all of them seem to have worked."""
        if self.settings.feedback:
            return tuple(self._steps)
        return tuple(replace(s, result=_assumed(s.call)) for s in self._steps)

    def _judge(self, decision: Decision, graph: WorldGraph) -> SkillResult | None:
        """``done`` counts when memory supports it; a symbolic policy that sees no way ends honestly."""
        if self.progress is None and not self._unseen:
            return SkillResult(Code.UNCERTAIN, f"the planner said done ({decision.reasoning}); the instruction was not "
                               "understood well enough to check that")
        so_far = self._so_far(graph)
        if self._achieved(graph):
            return SkillResult(Code.SUCCEEDED, so_far)
        if decision.hopeless:
            return SkillResult(Code.EXECUTION_FAILED, so_far, "gave_up")
        self._feedback = feedback.not_done(so_far)
        if self._giving_up.insists():
            return SkillResult(Code.EXECUTION_FAILED, f"the planner insists on being done. {self._feedback}", "gave_up")
        return None

    def _learn(self, step: Step, result: SkillResult, before: WorldGraph) -> None:
        """Takes the outcome in; what was held and is not any more was lost, whatever the skill says."""
        held = before.held(ROBOT)
        gripped = self.world.holding()
        result = felt(step.call, result, before, gripped)
        if gripped is False or (step.call.skill == "place" and result.ok):  # fingers are felt a little late
            self._held = ""
        if step.call.skill == "pick" and not result.ok and result.code is not Code.HAND_FULL and gripped:
            self._held = step.call.arguments[0]  # its server died, or it was interrupted, after the grip
        if step.call.skill == "place" and result.ok and not result.target and held is not None:
            result = replace(result, target=held.id)
        step = replace(step, result=result, end=self.world.now())
        self._steps.append(step)
        self._trace(step)
        known = result if self.settings.feedback else _assumed(step.call, held.id if held is not None else "")
        self._belief.learn(step.call, known, step.end)
        self._situation.take(step.call, step.decision.purpose, known, step.end)
        if known.ok and step.call.skill == "pick" and self.progress is not None:
            bind(self.progress, known.target or step.call.arguments[0])
        self._giving_up.learn(step, self._fingerprint(before))

    def _ended(self, graph: WorldGraph) -> SkillResult | None:
        """Whether the task is over before another skill is chosen."""
        if self._cancelled:  # checked first: whatever came of the last skill
            return SkillResult(Code.CANCELLED, f"cancelled. {self._so_far(graph)}")
        given_up = self._giving_up.reason(self._steps, self.world.now() - self._start)
        if self._achieved(graph):
            doors = Regression(self.progress, graph, self._situation, self._vocabulary)
            if given_up is None and doors.next() is not None:
                return None
            remark = f". left open: {', '.join(doors.left_open())}" if doors.left_open() else ""
            return SkillResult(Code.SUCCEEDED, self.progress.report(graph) + remark)
        return given_up and replace(given_up, message=f"{given_up.message}. {self._so_far(graph)}")

    def _achieved(self, graph: WorldGraph) -> bool:
        return self.progress is not None and self.progress.achieved(graph)

    def _fingerprint(self, graph: WorldGraph) -> tuple:
        """What counts as the same situation: who is on what, what is open, what was looked at, what was reached."""
        supports = frozenset(e for e in graph.edges if e.relation is not Relation.NEXT_TO)
        parts = tuple((e.id, p.name, p.open) for e in graph for p in e.parts)
        situation, reached = self._situation, len(self.progress.reached) if self.progress else 0
        return supports, parts, situation.extent, len(situation.looked), situation.looks_again.total(), reached

    def _so_far(self, graph: WorldGraph) -> str:
        if self.progress is not None:
            return self.progress.report(graph)
        return self._unseen or f"after {len(self._steps)} steps"

    def abandon(self) -> TaskReport:
        """The report of a task that is cancelled while its policy is still thinking."""
        return self._report(SkillResult(Code.CANCELLED, f"cancelled. {self._so_far(self._observe())}"))

    def _report(self, outcome: SkillResult) -> TaskReport:
        if self._takeovers:
            turns = len(self._takeovers)
            outcome = replace(outcome, message=f"{outcome.message}. The symbolic planner chose {turns} "
                              f"step{'s' * (turns > 1)} in the model's place: {self._takeovers[-1]}")
        report = TaskReport(outcome.code is Code.SUCCEEDED, outcome, tuple(self._steps), self._planning,
                            self.world.now() - self._start, tuple(self._calls))
        if isinstance(self.policy, Learner):
            self.policy.learn(self.instruction, report)
        return report


def _assumed(call: SkillCall, held: str = "") -> SkillResult:
    """What a policy without feedback takes for the outcome of every skill."""
    return SkillResult(Code.SUCCEEDED, "assumed", target=held if call.skill == "place" else "")

"""The closed loop: observe, choose one skill, execute, learn the outcome, choose again.

Source: DaDu-E section 3.3, plan once and adapt on every feedback. A generator: ``result = yield call``; whoever runs it
executes the skills, over ROS actions or in process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import replace

from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.planner.asking.dialogue import MOST, Exchange
from dadu.planner.asking.question import asking, is_question
from dadu.planner.cost import ModelCall
from dadu.planner.feedback import line
from dadu.planner.goal_tracker import GoalTracker
from dadu.planner.loop.task_history import TaskHistory
from dadu.planner.loop.termination import TerminationChecker
from dadu.planner.loop.watch import Watch
from dadu.planner.loop.world import Choosing, Searching, Seeing, TaskWorld
from dadu.planner.policies.open_loop import OpenLoop
from dadu.planner.policies.policy import Learner, PolicyUnavailable, TaskPlanner, Turn
from dadu.planner.report import TaskReport
from dadu.planner.search_target import SearchKinds, SearchTarget
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.graph import WorldGraph


class ClosedLoop:
    """One instruction, from its words to a report."""

    def __init__(self, instruction: str, planner: TaskPlanner, world: TaskWorld, settings: LoopSettings | None = None,
                 *,
                 trace: Callable[[Step], None] = lambda step: None, vocabulary: Vocabulary | None = None,
                 asks: bool = False) -> None:
        """`trace` gets every step twice: when it is chosen, and with its result. `asks`: whoever runs this brings a
        step for which `is_question` holds to a person, whose answer is the message of its result."""
        self.instruction, self.world = instruction, world
        self.settings = settings or LoopSettings()
        self._vocabulary = vocabulary or default_vocabulary()
        self._policy = planner.policy if self.settings.replan else OpenLoop(planner.policy)
        self._own = planner.interpreter is not None
        interpreter = planner.interpreter or planner.check
        self._goal = GoalTracker(instruction, interpreter, self._vocabulary, asks and self._own)
        self._start = world.now()
        self._termination = TerminationChecker(self._goal, self._own, self.settings, self._vocabulary, self._start)
        self._history = TaskHistory(world, self.settings.feedback, self.settings.odds)
        self._watch = Watch()
        self._sighting = Sighting(world)
        self._before: WorldGraph | None = None
        self._questions = MOST if asks and not self._own else 0
        """that a planner which understands the words for itself may still ask"""
        self._exchanges: list[Exchange] = []
        self._trace = trace
        self._cancelled = False
        self._planning, self._waited = 0.0, 0.0
        self._calls: list[ModelCall] = []
        self._takeovers: list[Decision] = []

    def cancel(self) -> None:
        """Ends the task after the skill in progress, which whoever runs it has to end. From any thread."""
        self._cancelled = True

    def found(self, lasting: float = 0.0) -> SkillResult | None:
        """How a skill that only looks for something ends as soon as that is seen, and has been for `lasting` [s]; None
        while it has to go on. Whoever carries it out asks, and ends it. From any thread."""
        return self._sighting.found(lasting)

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
            start = time.perf_counter()
            graph = self._observe()
            chosen: Decision | SkillResult | None = (self._question() or self._check_without_asking(graph)
                                                     or self._ask(graph))
            planning = time.perf_counter() - start
            self._planning += planning
            if isinstance(chosen, Decision) and chosen.call.skill == "done":
                if self._reconsidered(chosen):
                    continue
                chosen = self._termination.on_done(chosen, graph, self._history.situation)
            if isinstance(chosen, SkillResult):
                return self._report(chosen)
            if chosen is None:  # not believed, or only doors are left to close
                continue
            chosen = self._by(chosen)
            step = Step(len(self._history.steps) + 1, chosen, self.world.now(), planning,
                        substitutions=chosen.substitutions or (self._goal.substitutions if self._own else ()))
            self._trace(step)
            if self.settings.feedback:  # a planner that is told nothing looks to the end
                self._sighting.begin(chosen, self._history.steps)
            result = chosen.failure or (yield chosen.call)
            if is_question(chosen.call):
                self._answered(step, result, graph)
            else:
                self._learn(step, result, graph)

    def abandon(self) -> TaskReport:
        """The report of a task that is cancelled while its policy is still thinking."""
        return self._report(self._when_cancelled(self._observe()))

    @property
    def progress(self) -> Progress | None:
        """Of the goal that the planner pursues, or else of the check's; None where there is neither, or where the words
        are not understood (yet)."""
        return self._goal.progress

    @property
    def _tracked_goal(self) -> Progress | None:
        """The goal as far as the planner may know of it: what a check thinks is nothing to go by."""
        return self._goal.progress if self._own else None

    def _observe(self) -> WorldGraph:
        graph = self._history.observe()
        if not self._cancelled:
            self._goal.follow(graph, self._history.situation)
        if not self._own:  # who pursues a goal does so while choosing
            self._goal.settle(graph, self._history.situation)
        return graph

    def _question(self) -> Decision | None:
        """A step that asks whoever gave the instruction what it means."""
        question = self._goal.question
        return asking(question.message) if question is not None and not self._cancelled else None

    def _reconsidered(self, decision: Decision) -> bool:
        """True if the goal that the planner cannot reach is read anew, by whoever can tell another one."""
        failed = next((line(s) for s in reversed(self._history.told()) if not s.outcome.ok), "no step failed")
        return decision.hopeless and self._own and self._goal.reconsidered(f"{decision.reasoning}. Last: {failed}")

    def _check_without_asking(self, graph: WorldGraph) -> SkillResult | Decision | None:
        """How the task has ended, or a step that needs no planner; None: the planner is to choose."""
        history = self._history
        if self._cancelled:  # checked first: whatever came of the last skill
            return self._when_cancelled(graph)
        return self._termination.check_without_asking(graph, history.situation, history.steps, history.told(),
                                           self.world.now() - self._start - self._waited)

    def _ask(self, graph: WorldGraph) -> Decision | SkillResult:
        """What the planner chooses; UNREACHABLE_BACKEND where it cannot answer."""
        turn = self._turn(graph)
        self._termination.doubt = ""
        try:
            decision = self._policy.choose(turn)
        except PolicyUnavailable as error:
            so_far = self._termination.so_far(graph, self._history.steps)
            return SkillResult(Code.UNREACHABLE_BACKEND, f"{error}. {so_far}")
        self._calls += decision.calls
        self._takeovers += [decision] if decision.instead_of else []
        if decision.query is not None and isinstance(self.world, Searching):
            self.world.look_for(*decision.query)
        return decision

    def _turn(self, graph: WorldGraph) -> Turn:
        """All that the planner may draw on."""
        history, doubt = self._history, self._termination.doubt
        remarks = self._watch.remarks(history.steps, self._before or graph, graph, self._tracked_goal,
                                      self._fingerprint(graph))
        self._before = graph
        told = " ".join(filter(None, [doubt, *remarks])) if self.settings.feedback else ""
        turn = Turn(self.instruction, graph, self._tracked_goal, history.situation, history.told(), told,
                    vocabulary=self._vocabulary, look_first=self._goal.look_first if self._own else None,
                    doubted=bool(doubt), looks=self.settings.feedback, questions=self._questions,
                    answers=tuple(str(exchange) for exchange in self._exchanges))
        if isinstance(self.world, Choosing):
            turn = replace(turn, ways=self.world.ways)
        if isinstance(self.world, Seeing) and self.settings.feedback:
            turn = replace(turn, picture=self.world.picture)
        return turn

    def _by(self, decision: Decision) -> Decision:
        """The decision; where whoever made it leaves the way open, by the one that is expected to cost least."""
        names = self.world.ways.get(decision.call.skill) if isinstance(self.world, Choosing) else None
        if not names or decision.by:
            return decision
        return replace(decision, by=self._history.situation.ways.choose(names, decision.call))

    def _learn(self, step: Step, result: SkillResult, before: WorldGraph) -> None:
        if step.decision.by and not result.by and result.code is not Code.UNREACHABLE_BACKEND:
            result = replace(result, by=step.decision.by)  # ended from outside
        step, known = self._history.learn(step, result, before)
        self._trace(step)
        self._goal.learn(step.call, known)
        self._termination.limits.learn(step, self._fingerprint(before))

    def _answered(self, step: Step, answer: SkillResult, graph: WorldGraph) -> None:
        """The time that a person takes to answer is not the robot's."""
        step = self._history.note(step, answer)
        self._waited += step.end - step.start
        self._trace(step)
        if self._own:
            self._goal.answered(answer, graph, self._history.situation)
            return
        self._exchanges.append(Exchange(step.call.arguments[0], answer.message if answer.ok else "", ""))
        self._questions = self._questions - 1 if answer.ok else 0  # nobody is there

    def _fingerprint(self, graph: WorldGraph) -> Hashable:
        """What counts as the same situation."""
        reached = len(self._tracked_goal.reached) if self._tracked_goal is not None else 0
        return self._history.fingerprint(graph), reached

    def _help(self) -> list[str]:
        """What the planner has not done by itself, in sentences."""
        said = [str(exchange) for exchange in (*self._goal.dialogue.exchanges, *self._exchanges) if exchange.answer]
        if self._takeovers:
            steps, last = sum(d.call.skill != "done" for d in self._takeovers), self._takeovers[-1]
            said.append(f"The {last.policy} planner chose {steps} step{'s' * (steps != 1)} in the model's place: "
                        f"{last.instead_of}")
        return said

    def _when_cancelled(self, graph: WorldGraph) -> SkillResult:
        return SkillResult(Code.CANCELLED, f"cancelled. {self._termination.so_far(graph, self._history.steps)}")

    def _report(self, outcome: SkillResult) -> TaskReport:
        self._calls += self._goal.calls()
        outcome = replace(outcome, message=". ".join([outcome.message, *self._help()]))
        success = outcome.code is Code.SUCCEEDED
        report = TaskReport(success, outcome, tuple(self._history.steps), self._planning,
                            self.world.now() - self._start, tuple(self._calls),
                            self._termination.checked_by if success else "")
        if isinstance(self._policy, Learner):
            self._policy.learn(self.instruction, report)
        if isinstance(self.world, Searching):
            self.world.forget_looks()
        return report


class Sighting:
    """Watches memory's graph during one skill at a time. `found` may be called from any thread."""

    def __init__(self, world: TaskWorld) -> None:
        self._world = world
        self._seeks: SearchTarget | SearchKinds | None = None
        self._call: SkillCall | None = None
        self._since: float | None = None

    def begin(self, decision: Decision, history: Sequence[Step]) -> None:
        """The next skill. One that is chosen again for the same although it was cut short runs to its end: what was
        seen did not serve."""
        last = history[-1] if history else None
        again = (last is not None and last.call == decision.call and last.outcome.detail == Detail.SEEN
                 and decision.seeks is not None and last.decision.seeks is not None
                 and last.decision.seeks.again(decision.seeks))
        self._seeks, self._call, self._since = None if again else decision.seeks, decision.call, None

    def found(self, lasting: float = 0.0) -> SkillResult | None:
        """The outcome of a look that may end here, since memory has held what it is for for `lasting` [s]; None while
        it has to go on. Whoever carries out the skill asks now and then, and ends it."""
        things = self._seeks.found(self._world.graph()) if self._seeks is not None else ()
        if not things or self._call is None:
            self._since = None
            return None
        now = self._world.now()
        self._since = now if self._since is None else self._since
        if now < self._since + lasting:
            return None
        return SkillResult(Code.SUCCEEDED, f"{', '.join(things)} seen; looked no further", Detail.SEEN,
                           self._call.arguments[0])

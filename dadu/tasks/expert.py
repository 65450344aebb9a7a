"""The scripted expert: makes a suite's goal true in the oracle, with full knowledge of the true state.

It shows that an episode can be done, gives the length of a good way and plan to compare with, and plays the person.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dadu.core.errors import DaduError
from dadu.goals.findings import finding
from dadu.goals.monitor import GoalMonitor, Verdict
from dadu.goals.predicates.predicate import Family, Predicate
from dadu.goals.predicates.truth_view import TruthView
from dadu.goals.suite_goal import Link, SuiteGoal, SuiteProposition, ancestors
from dadu.homes.working_places import WorkingPlaces
from dadu.house.layout import build_graph
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.skills.specification import Puts, Takes
from dadu.skills.table import SKILLS, does
from dadu.stacks.oracle import AgentStack, OracleStack
from dadu.tasks.prepare import Prepared
from dadu.world.graph import ROBOT, Kind
from dadu.world.state import TrueWorld

_TRIES = 3
"""rounds over the goal: a later proposition may undo an earlier one that has to hold at the end; and of each thing"""


class NotFeasible(DaduError):
    """The expert found no way; says what stood in it."""

    def __init__(self, message: str, call: SkillCall | None = None, result: SkillResult | None = None) -> None:
        super().__init__(message)
        self.call, self.result = call, result
        """the skill that failed, and how, where one did"""


@dataclass
class Demonstration:
    """How the expert did it."""

    calls: list[SkillCall] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    """who carried out each of them"""
    origins: list[int] = field(default_factory=list)
    """for which proposition"""
    closings: int = 0
    """how many of the last calls only close what was opened on the way"""
    length: float = 0.0
    """driven by the robot [m]"""
    seconds: float = 0.0
    verdict: Verdict | None = None

    @property
    def keypath(self) -> tuple[tuple[str, ...], ...]:
        """Its sub-tasks without the ways between, as a suite would give them."""
        nodes: list[tuple[str, ...]] = []
        held = ""
        for call, agent in zip(self.calls[:len(self.calls) - self.closings], self.agents):
            if agent != ROBOT or not SKILLS[call.skill].changes_world:
                continue
            held = call.arguments[0] if does(call.skill, Takes) else held
            nodes.append((call.skill, held, call.arguments[1]) if does(call.skill, Puts) else tuple(call.as_list()))
        return (*nodes, ("done",))


def demonstrate(prepared: Prepared, places: WorkingPlaces | None = None) -> Demonstration:
    """Carries the episode out in the oracle; with `places`, only as far as there are such for its robot. Errors:
    NotFeasible."""
    episode = prepared.episode
    stack = OracleStack(prepared.house, robot=episode.robot, known="all", person=episode.person is not False)
    for verb, names in (("open", episode.open), ("close", episode.closed)):
        for name in names:
            stack.disturb(verb, name)
    expert = Expert(stack, episode.goal, episode.person if isinstance(episode.person, tuple) else (), places)
    expert.run()
    expert.close_again()
    done = expert.done
    done.verdict, done.length, done.seconds = expert.monitor.verdict(), stack.travelled, stack.now()
    if not done.verdict.success:
        raise NotFeasible(f"the expert did {', '.join(map(str, done.calls)) or 'nothing'}: {done.verdict.explanation}")
    return done


class Expert:
    """Works through a goal's propositions in the order that its constraints allow."""

    def __init__(self, stack: AgentStack, goal: SuiteGoal, for_person: tuple[int, ...] = (),
                 places: WorkingPlaces | None = None) -> None:
        """`for_person`: propositions that the person sees to; beside them the person does what the robot cannot.
        `places`: where the robot can stand; None: its base is everywhere where it wants to be."""
        self.stack, self.goal, self._places = stack, goal, places
        self._for_person, self._origin = set(for_person), 0
        self._actor: AgentStack = stack
        self.monitor = GoalMonitor(goal)
        self.done = Demonstration()
        self._layout = build_graph(stack.world.house)
        self._used: dict[int, list[str]] = {}
        """targets chosen, by proposition"""
        self._opened: list[str] = []

    def run(self) -> None:
        """Until all holds, or some rounds have not helped."""
        self._observe()
        for _ in range(_TRIES):
            for i in order(self.goal):
                self._work_at(i)
            if self.monitor.verdict().success:
                return

    def _work_at(self, i: int) -> None:
        """Until proposition `i` holds: each of its things is tried a few times."""
        p = self.goal.propositions[i]
        for _ in range(_TRIES * sum(map(len, p.arguments))):
            if self._holds(i):
                return
            before = len(self.done.calls)
            self._make_true(i)
            if len(self.done.calls) == before:
                break
        if not self._holds(i):
            raise NotFeasible(f"the expert knows no way to make {p} true")

    def close_again(self) -> None:
        """What was opened on the way, as a planner does that leaves the house in order."""
        wanted = {n for p in self.goal.propositions if p.definition.family is Family.PART for n in p.arguments[0]}
        before, self._actor = len(self.done.calls), self.stack
        for name in dict.fromkeys(self._opened):
            if name not in wanted and not self.stack.agent.held:
                self._move_part(name, "close")
        self.done.closings = len(self.done.calls) - before

    def world(self) -> TrueWorld:
        return TrueWorld(self._layout, self.stack.truth())

    def view(self) -> TruthView:
        return TruthView(self.world())

    def _holds(self, i: int) -> bool:
        """In itself, with a target that its ties allow."""
        p = self.goal.propositions[i]
        targets = self._targets(i)
        if len(p.arguments) > 1 and not p.definition.lists:
            p = p.model_copy(update={"arguments": (p.arguments[0], tuple(targets))})
        return finding(self.view(), p).holds

    def _make_true(self, i: int) -> None:
        """One more thing that stands as the proposition asks."""
        p = self.goal.propositions[i]
        self._origin = i
        self._actor = self.stack.person if i in self._for_person and self.stack.person is not None else self.stack
        if p.definition.lists:
            return self._gather(p)
        target = self._targets(i)[0] if len(p.arguments) > 1 else ""
        subject = self._next_subject(p, target)
        self._used.setdefault(i, []).append(target)
        self._achieve(p.definition, subject, target)

    def _next_subject(self, p: SuiteProposition, target: str) -> str:
        """The first that does not stand so yet and that nothing else in the goal needs elsewhere."""
        view = self.view()
        waiting = [s for s in p.arguments[0] if not p.definition.answer(view, s, target)]
        claimed = {q.arguments[0][0] for q in self.goal.propositions
                   if q is not p and q.predicate != "is_next_to" and len(q.arguments[0]) == 1}
        return next((s for s in waiting if s not in claimed), waiting[0])

    def _targets(self, i: int) -> list[str]:
        """Candidates for the second argument, the one to use first."""
        p = self.goal.propositions[i]
        if len(p.arguments) < 2:
            return [""]
        if p.same_target and self._used.get(i):
            return [self._used[i][0]]
        names = list(p.arguments[1])
        for link, same in self._links_of_target(i):
            taken = [t for j in link.propositions if j != i for t in self._used.get(j, [])]
            names = [n for n in names if (n in taken) is same or (same and not taken)] or names
        return names

    def _links_of_target(self, i: int) -> Iterator[tuple[Link, bool]]:
        """Constraints that tie the second argument to those of other propositions; whether they must be the same."""
        for c in self.goal.constraints:
            for link, same in ((c.same_arg, True), (c.different_arg, False)):
                if link is not None and i in link.propositions and link.args[link.propositions.index(i)] == 1:
                    yield link, same

    def _gather(self, p: SuiteProposition) -> None:
        """Everything beside the first."""
        view = self.view()
        anchor = p.arguments[0][0]
        for names, number in zip(p.arguments, p.numbers):
            near = [n for n in names if n == anchor or p.definition.answer(view, n, anchor)]
            for name in [n for n in names if n not in near][:max(0, number - len(near))]:
                self._bring_beside(name, anchor)

    def _achieve(self, wanted: Predicate, subject: str, target: str) -> None:
        """One way to make it true; nothing where the expert knows none."""
        skills = wanted.skills(self._layout[subject].kind if subject in self._layout else Kind.OBJECT)
        if wanted.relation is not None:
            self._bring(subject, wanted.relation.value, target)
        elif wanted.family is Family.COMPANY:
            self._bring_beside(subject, target)
        elif wanted.family is Family.PART:
            self._move_part(subject, skills[0])
        elif wanted.maker is not None or wanted.treated_by is not None and not any(map(self._can, skills)):
            self._treat(subject, wanted)
        elif wanted.family is Family.STATE and skills:
            self._at(subject, next(filter(self._can, skills), skills[0]))
        elif wanted.name == "is_in_room":
            self._to_room(subject, target)
        elif wanted.name in ("is_held", "is_held_by"):
            self._fetch(subject)
            if target:
                self._at(target, "handover")

    def _can(self, skill: str) -> bool:
        """True if somebody here can."""
        return any(stack is not None and skill in stack.agent.capabilities for stack in (self.stack, self.stack.person))

    def _bring(self, subject: str, relation: str, target: str) -> None:
        if relation == "in":
            self._open(target)
        self._fetch(subject)
        self._do(SkillCall("go_to", (target,)))
        self._do(SkillCall("place", (relation, target)))

    def _bring_beside(self, subject: str, target: str) -> None:
        if subject == ROBOT:
            return self._do(SkillCall("go_to", (target,)))
        things = self.stack.world.things
        if target not in things:  # furniture: what stands on it is next to it, and so is what stands on its neighbour
            return self._bring(subject, "on", target)
        support = things[target].support
        if support.relation.value == "in":
            self._open(support.holder)
        self._fetch(subject)
        self._do(SkillCall("go_to", (target,)))
        self._do(SkillCall("place", (support.relation.value, support.holder, "next_to", target)))

    def _to_room(self, subject: str, room: str) -> None:
        """To the first piece of furniture there that takes it."""
        if subject == ROBOT:
            return self._do(SkillCall("go_to", (room,)))
        self._fetch(subject)
        problem = "no furniture to put it on"
        for piece, where in self.stack.world.room_of_piece.items():
            if where != room or not any(not s.inside for s in self._layout[piece].surfaces):
                continue
            try:
                self._do(SkillCall("go_to", (piece,)))
                return self._do(SkillCall("place", ("on", piece)))
            except NotFeasible as error:
                problem = str(error)
        raise NotFeasible(f"{subject} finds no place in {room}: {problem}")

    def _treat(self, subject: str, wanted: Predicate) -> None:
        """Fridges cool what is shut in; stoves, ovens and microwaves heat while they are on. Where the goal names one,
        that one."""
        pieces = [e for e in self._layout.of(Kind.FURNITURE) if wanted.made_by(e.category)]
        if not pieces:
            raise NotFeasible(f"nothing here makes {wanted.name} true")
        piece = next((p for p in pieces if p.id in self.goal.names), min(pieces, key=lambda p: p.is_container))
        inside = any(s.inside for s in piece.surfaces)
        if self.stack.world.things[subject].support.holder != piece.id:
            self._bring(subject, "in" if inside else "on", piece.id)
        if piece.parts:
            self._move_part(piece.id, "close")
        if wanted.skill != "close":
            self._at(piece.id, "power_on")

    def _fetch(self, subject: str) -> None:
        if self._actor.agent.held == subject:
            return
        while shut := self.stack.world.hidden_in(self.stack.world.things[subject]):
            self._open(shut)
        self._do(SkillCall("go_to", (subject,)))
        self._do(SkillCall("pick", (subject,)))

    def _open(self, container: str) -> None:
        piece = self.stack.world.pieces.get(container)
        if piece is not None and piece.parts and not all(p.open for p in piece.parts):
            self._move_part(container, "open", len([p for p in piece.parts if not p.open]))

    def _move_part(self, name: str, verb: str, times: int | None = None) -> None:
        """All of a piece's parts to close it, any to open it."""
        piece = self.stack.world.pieces[name.split("/")[0]]
        waiting = [p for p in piece.parts if not (p.open if verb == "open" else p.closed)]
        if not waiting:
            return
        if verb == "open":
            self._opened.append(piece.id)
        self._do(SkillCall("go_to", (piece.id,)))
        for _ in range(times or (len(waiting) if verb == "close" else 1)):
            self._do(SkillCall(verb, (piece.id,)))

    def _at(self, name: str, skill: str) -> None:
        """Goes there and does it; the person where the robot cannot."""
        things = self.stack.world.things
        if name in things:
            while shut := self.stack.world.hidden_in(things[name]):
                self._open(shut)
        self._do(SkillCall("go_to", (name,)), skill)
        self._do(SkillCall(skill, (name,)))

    def _do(self, call: SkillCall, sake: str = "") -> None:
        """Whoever can do it (`sake`: what it is for) does it. Errors: NotFeasible."""
        stack = self._actor
        wanted = sake or call.skill
        if wanted not in stack.agent.capabilities:
            person = self.stack.person
            if person is None or wanted not in person.agent.capabilities:
                raise NotFeasible(f"nobody here can {wanted}")
            stack = person
        stack.view.know_all()
        if self._places is not None and stack is self.stack and (
                missing := self._places.missing(stack.view.graph, call)):
            raise NotFeasible(f"{call}: {missing}")
        result = stack.execute(call)
        self.done.calls.append(call)
        self.done.agents.append(stack.agent.name)
        self.done.origins.append(self._origin)
        self._observe()
        if not result.ok:
            raise NotFeasible(f"{call}: {result.message}", call, result)

    def _observe(self) -> None:
        """As often as needed: a proposition counts after another only in the state after it."""
        self.monitor.update(self.world(), settle_states(self.goal))


def settle_states(goal: SuiteGoal) -> int:
    """How often a state is counted: as often as dependencies can hang on one another, as if time passed in it."""
    return 1 + len(goal.dependencies)


def order(goal: SuiteGoal) -> Iterator[int]:
    """Indices, each after what temporal constraints and dependencies put before it; as written otherwise."""
    edges = {pair for c in goal.constraints for pair in c.temporal or ()}
    edges |= {(a, b) for d in goal.dependencies if d.relation != "before_satisfied" for a in d.depends_on
              for b in d.propositions}
    edges |= {(b, a) for d in goal.dependencies if d.relation == "before_satisfied" for a in d.depends_on
              for b in d.propositions}
    before = ancestors(edges)
    waiting, ready = list(range(len(goal.propositions))), []
    while waiting:
        i = next((i for i in waiting if not (before.get(i, frozenset()) & set(waiting)) - {i}), waiting[0])
        waiting.remove(i)
        ready.append(i)
    return iter(ready)

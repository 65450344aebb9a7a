"""From a goal back to the one skill that is possible now and brings it nearer: goal regression over the world graph.

Run anew after every outcome, in well under a millisecond. `_move`, `_obtain`, `_open` and `_change` are the whole
method; which of the things that would do, and where to look for them, is `finder`'s; where they go, `places`'.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dadu.goals.goal import Proposition, Term
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.planner.regression.agenda import Agenda
from dadu.planner.regression.finder import Finder
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.regression.places import Places
from dadu.planner.regression.planned import NOTHING_LEFT, Left, NoPlan, PlannedSkill
from dadu.planner.regression.search import SearchSpot
from dadu.planner.situation import TRIES, Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Detail
from dadu.skills.specification import Hand
from dadu.skills.table import BASE_CAPABILITIES, SKILLS
from dadu.world.graph import ROBOT, Entity, Kind, Relation, WorldGraph


@dataclass
class Regression:
    """The next skill of one planning problem: a goal's progress, the graph as it is now, and what was tried."""

    progress: Progress
    graph: WorldGraph
    situation: Situation
    vocabulary: Vocabulary = field(default_factory=default_vocabulary)
    capabilities: Iterable[str] = BASE_CAPABILITIES
    """skills that this robot has"""
    left: Left = NOTHING_LEFT
    """what others see to"""

    def __post_init__(self) -> None:
        self.know = Knowledge(self.graph, self.situation, self.vocabulary)
        self.agenda = Agenda(self.progress, self.know, self.left.propositions)
        self.places = Places(self.progress, self.know)
        self.find = Finder(self.progress, self.know, self._open, self.left.things)

    def next(self) -> PlannedSkill | None:
        """The next step towards the first proposition that can still be reached; None when none is left. Those that
        cannot be reached are given up in `progress`, with the reason. What was opened on the way is closed when
        nothing is left but to go somewhere, or else as soon as the robot turns from it with an empty hand."""
        choice = self._onwards()
        clearing = self._clearing(choice) if choice is not None else None
        if clearing is not None:
            return clearing
        if choice is None or self._only_goes_there(choice):
            return self._closing(self.left_open()) or choice
        return self._closing(self._done_with(choice)) or choice

    def left_open(self) -> list[str]:
        """What the robot has opened on the way and is not shut, ajar or open; what the goal wants open is no part of
        it."""
        wanted = self._wanted_open()
        return [id for id, parts in self.situation.opened.items()
                if parts and id in self.graph and id not in wanted
                and not all(part.closed for part in self.graph[id].parts)]

    def _wanted_open(self) -> set[str]:
        return {id for p in self.progress.goal.propositions if p.predicate == "is_open" for id in p.subject.ids}

    def _clearing(self, choice: PlannedSkill) -> PlannedSkill | None:
        """The next step to close what stood open where the robot would have to stand for `choice`, whoever has opened
        it; not against the goal, nor what that needs open. With an empty hand also what barred the way to where
        something is to go: once that something is in the hand, the hand would have to be emptied for it."""
        barring = [self._open_before(choice.call)]
        named = self._named()
        if self.graph.held(ROBOT) is None:
            barring += [self._open_before(SkillCall("go_to", (id,))) for id in sorted(named)]
        tried = self.situation.failures
        for id in filter(None, barring):
            shut = all(part.closed for part in self.graph[id].parts)  # what is ajar stands in the way, too
            if shut or id in self._wanted_open() or any(self._within(needed, id) for needed in named):
                continue
            if not tried[SkillCall("close", (id,))] and not tried[SkillCall("go_to", (id,))]:
                return self._close(id, f"{id} stands open in the way: {choice.reason}")
        return None

    def _open_before(self, call: SkillCall) -> str | None:
        """What stood open where the robot would have to stand for that call, when it failed last."""
        failure = self.situation.last_failure.get(call)
        if failure is None or failure.detail != Detail.OPEN_IN_THE_WAY or failure.target not in self.graph:
            return None
        return failure.target

    def _only_goes_there(self, choice: PlannedSkill) -> bool:
        """True if nothing is left but to go somewhere, and that is known."""
        on_the_way = choice.call.skill == "go_to" and choice.purpose in ("", "look") and choice.looks_for is None
        return on_the_way and self._asked() is None and all(
            self.progress.proposition(i).subject.key == ROBOT for i in self.progress.unmet(self.graph))

    def _done_with(self, choice: PlannedSkill) -> list[str]:
        """What the robot has opened, stands before and is about to leave: an open door is in everybody's way. Not what
        the goal needs again, nor what would be opened anew for `choice`."""
        here = self.situation.at[0] if self.situation.at is not None else ""
        target = choice.call.arguments[0] if choice.call.arguments else ""
        if here not in self.left_open() or choice.call.skill not in ("go_to", "explore") \
                or self._within(target, here):
            return []
        if any(self._within(id, here) for id in self._named()):
            return []
        shut = apply(self.graph, SkillCall("close", (here,)))
        then = replace(self, progress=self.progress.copy(), graph=shut)._onwards()
        return [here] if then is not None and then.call == choice.call else []

    def _within(self, id: str, container: str) -> bool:
        return id in self.graph and self.know.rests_on(id, container)

    def _named(self) -> set[str]:
        """Ids of what is still to be done something with, and where it is to go."""
        return {id for i in self.progress.unmet(self.graph) for term in self._terms(i) for id in term.ids}

    def _terms(self, index: int) -> list[Term]:
        p = self.progress.proposition(index)
        return [p.subject] if p.object is None else [p.subject, p.object]

    def _closing(self, opened: list[str]) -> PlannedSkill | None:
        """The next step to close what was `opened`, unless that undoes what was reached; each is tried once."""
        if self.graph.held(ROBOT) is not None:
            return None
        unmet = set(self.progress.unmet(self.graph))
        tried = {call.arguments[0] for call in self.situation.failures if call.skill in ("go_to", "close")}
        for id in opened:
            there = apply(self.graph, SkillCall("go_to", (id,)))
            if id not in tried and unmet.issuperset(self.progress.unmet(apply(there, SkillCall("close", (id,))))):
                return self._close(id, f"{id} was opened on the way")
        return None

    def _onwards(self) -> PlannedSkill | None:
        """The next step that the goal asks for."""
        while True:
            asked = self._asked()
            if asked is not None:
                choice = self.find.find_out(asked)
                if choice is not None:
                    return choice
                self.progress.update(self.graph)
                continue
            due = self.agenda.next()
            if due is None:
                return None
            key = self.progress.proposition(due).subject.key
            if not any(self._skills(p) for p in self.progress.goal.propositions
                       if key in (p.subject.key, p.object.key if p.object is not None else "")):  # needs no finding
                self.progress.given_up[due] = self._no_skill(self.progress.proposition(due))
                continue
            try:
                choice = self._achieve(due, self.progress.proposition(due))
                if choice is not None:
                    return choice
                self.progress.update(self.graph)
                if due in self.progress.unmet(self.graph):
                    self.progress.given_up[due] = "there is nothing more to do for it"
            except NoPlan as reason:
                choice = self.find.look_around(str(reason))
                if choice is not None:
                    return choice
                self.progress.given_up[due] = str(reason)

    def _asked(self) -> int | None:
        """The index of a question whose turn it is."""
        return next((i for i, b in enumerate(self.progress.goal.branches)
                     if i not in self.progress.answers and self.progress.due(b)), None)

    def _skills(self, p: Proposition) -> list[str]:
        able = [skill for skill in making_true(p, self.graph) if skill in self.capabilities]
        return able or (["power_on"] if self._treated(p) else [])

    def _treated(self, p: Proposition) -> bool:
        """True for what furniture does to things while it is on."""
        kinds = {self.graph[id].kind for id in p.subject.ids if id in self.graph} or {Kind.OBJECT}
        return PREDICATES[p.predicate].treated_by is not None and kinds == {Kind.OBJECT} \
            and "power_on" in self.capabilities

    def _no_skill(self, p: Proposition) -> str:
        return f"this robot has no skill that makes {p} true"

    def _achieve(self, index: int, p: Proposition) -> PlannedSkill | None:
        """The next step towards one proposition; None when looking around has shown that it holds already."""
        if p.object is not None and not p.object.ids and self.find.replaced(p.object):
            if index not in self.progress.unmet(self.graph):
                return None
            p = self.progress.proposition(index)
        if p.subject.key == ROBOT:
            return self._visit(index, p)
        wanted = PREDICATES[p.predicate]
        if wanted.name == "is_open":
            return self._open(self.places.one(p.subject.ids, "open"), f"{p.subject.name} has to be open")
        if wanted.name == "is_closed":
            return self._close(self.places.one(p.subject.ids, "close"))
        subject = self.find.subject(index, p)
        return subject if subject is None or isinstance(subject, PlannedSkill) else self._achieve_of(index, p, subject)

    def _achieve_of(self, index: int, p: Proposition, subject: str) -> PlannedSkill:
        """The next step towards a proposition for one thing that it is about."""
        wanted = PREDICATES[p.predicate]
        if wanted.name == "is_held":
            return self._obtain(subject, p)
        if wanted.name == "is_held_by":
            if not self.know.in_hand(subject):
                return self._obtain(subject, p)
            return self._use("handover", self.places.one(p.place.ids, "handover"), f"{subject} is in the hand: {p}")
        if wanted.family is Family.COMPANY:
            return self._beside(index, p, subject)
        if wanted.name == "is_in_room":
            return self._move(subject, Relation.ON, self.places.table_in(p, subject), p)
        if wanted.relation is not None:
            if not p.place.ids and p.place.description is not None:
                return self.find.search(p.place.description)
            target = self.places.target(p, wanted.relation, subject)
            return self._move(subject, wanted.relation, target, p, self.places.companion(p, subject))
        return self._change(p, subject)

    # The method: what must hold before a skill, and what makes that true.

    def _move(self, object: str, relation: Relation, target: str, p: Proposition, beside: str = "") -> PlannedSkill:
        """`object` to `target`: a closed target is opened first, with the hand empty; then it is fetched and placed."""
        if relation is Relation.IN and not self.know.can_reach_inside(target):
            return self._open(target, f"{object} has to go into {target}, which is closed")
        if not self.know.in_hand(object):
            return self._obtain(object, p)
        if self.situation.at != (target, "place"):
            return self._go(target, "place", f"{object} is in the hand and belongs {relation.value} {target}")
        arguments = (relation.value, target, *(("next_to", beside) if beside else ()))
        return self._do(f"{target} is in reach: {p}", "place", *arguments)

    def _obtain(self, object: str, p: Proposition) -> PlannedSkill:
        """`object` into the hand: found, uncovered, approached, picked."""
        if not self.know.place_known(object):
            return self.find.search(p.subject.description, object)
        edge = self.graph.support(object)
        if edge is not None and edge.relation is Relation.IN and self.know.shut(edge.object, edge.part):
            return self._open(edge.object, f"{object} is in {edge.object}, which is closed")
        place = f"{edge.relation.value} {edge.object}" if edge is not None else "in sight"
        return self._use("pick", object, f"{object} is in reach and the hand is empty", f"{object} is {place}; {p}")

    def _open(self, container: str, reason: str) -> PlannedSkill:
        return self._use("open", container, reason)

    def _close(self, container: str, reason: str = "") -> PlannedSkill:
        return self._use("close", container, reason or f"{container} has to be closed")

    def _use(self, skill: str, target: str, reason: str, on_the_way: str = "") -> PlannedSkill:
        """A skill with one thing: with the hand as the table of skills asks for, and from where it can be done."""
        held = self.graph.held(ROBOT)
        if SKILLS[skill].hand is Hand.EMPTY and held is not None:
            return self._put_down(held, f"the hand must be empty to {skill} {target}")
        purpose = SKILLS[skill].purpose((target,), target, self.graph[target].kind) or "look"
        if not self.know.in_hand(target) and self.situation.at != (target, purpose):
            return self._go(target, purpose, on_the_way or reason)
        return self._do(reason, skill, target)

    def _change(self, p: Proposition, subject: str) -> PlannedSkill:
        """A state of `subject`, by the skill for it; heat and cold by the furniture that gives it."""
        skill = next(iter(self._skills(p)), None)
        if PREDICATES[p.predicate].maker is not None or skill is not None and skill not in making_true(p, self.graph):
            return self._temper(p, subject)
        if skill is None:
            raise NoPlan(self._no_skill(p))
        if self.graph[subject].kind is Kind.OBJECT and not self.know.in_hand(subject):
            if not self.know.place_known(subject):
                return self.find.search(p.subject.description, subject)
            edge = self.graph.support(subject)
            if edge is not None and edge.relation is Relation.IN and self.know.shut(edge.object, edge.part):
                return self._open(edge.object, f"{subject} is in {edge.object}, which is closed")
        return self._use(skill, subject, str(p))

    def _temper(self, p: Proposition, subject: str) -> PlannedSkill:
        """Hot, cold, clean: into furniture that makes things so, which is then switched on or shut."""
        wanted = PREDICATES[p.predicate]
        edge = self.graph.support(subject)
        there = self.graph.entities.get(edge.object) if edge is not None else None
        if edge is None or there is None or not wanted.made_by(there.category) or edge.relation is not _within(there):
            return self._move_to_maker(p, subject)
        if there.is_container and not there.closed:
            return self._close(there.id)
        if wanted.skill != "close":
            return self._switch_on(there, p, subject)
        raise NoPlan(f"{there.id} does not make {subject} cold")

    def _move_to_maker(self, p: Proposition, subject: str) -> PlannedSkill:
        """Into, or onto, furniture that makes things so, rather such as stands open."""
        usable = [e.id for e in self.graph.of(Kind.FURNITURE) if PREDICATES[p.predicate].made_by(e.category)]
        if not usable:
            raise NoPlan(f"there is nothing here that makes {p} true")
        ready = [id for id in usable if not self.graph[id].closed]
        target = self.places.one(ready or usable, "go_to")
        return self._move(subject, _within(self.graph[target]), target, p)

    def _switch_on(self, heater: Entity, p: Proposition, subject: str) -> PlannedSkill:
        if not self._skills(p):
            raise NoPlan("this robot cannot switch things on")
        if heater.states.get("is_powered_on"):
            return self._use("power_off", heater.id, f"{heater.id} has to be switched on anew")
        return self._use("power_on", heater.id, f"{subject} is in {heater.id}: {p}")

    def _put_down(self, held: Entity, reason: str) -> PlannedSkill:
        """What is held goes to the nearest free place that will do; where something stands open in the way there, and
        the hand would have to be empty to close it, into that."""
        tables = self.know.tables(held.id)
        if not tables:
            raise NoPlan(f"there is nowhere to put {held.id} down; {reason}")
        barring = self._barring(tables[0].id, held.id)
        relation, place = ("in", barring) if barring is not None else ("on", tables[0].id)
        reason = f"{reason}: {held.id} goes {relation} {place} for now"
        if self.situation.at != (place, "place"):
            return self._go(place, "place", reason)
        return self._do(reason, "place", relation, place)

    def _barring(self, target: str, held: str) -> str | None:
        """What stands open in the way to `target`, if that was met with, and what is `held` can go into it and is not
        needed."""
        id, know = self._open_before(SkillCall("go_to", (target,))), self.know
        if id is None:
            return None
        usable = know.can_reach_inside(id) and know.fits(held, "in", id) and know.possible("go_to", id)
        return id if usable and held not in self._named() else None

    def _visit(self, index: int, p: Proposition) -> PlannedSkill | None:
        target = p.place
        if not target.ids and self.find.looked_where_named(target.description):
            self.progress.relax(target.key, self.graph)
            if index not in self.progress.unmet(self.graph):
                return None
            target = self.progress.proposition(index).place
        if not target.ids:
            return self.find.search(target.description)
        id = self.places.one(target.ids, "go_to")
        if self.graph[id].kind is Kind.OBJECT and not self.know.place_known(id):
            return self.find.search(target.description, id)
        asked = (b.question.description for i, b in enumerate(self.progress.goal.branches)
                 if i not in self.progress.answers)
        wondered = next((d for d in asked if d is not None and any(id in where.ids for where in d.where)), None)
        if wondered is not None:
            return self.find.look(SearchSpot(id, self.graph[id].kind, True), str(p), wondered)
        if self.graph[id].kind is Kind.ROOM:
            return self._go(id, "", str(p))  # to be there is not to look around there
        shut = any(not part.open for part in self.graph[id].parts)  # it may be opened next, and is not looked into yet
        return self._go(id, "open" if shut and self.know.possible("open", id) else "look", str(p))

    def _beside(self, index: int, p: Proposition, subject: str) -> PlannedSkill:
        """Next to an object: on what that one stands on, unless another proposition says where it is to be by then.
        Next to furniture: on other furniture beside it, at that end."""
        other = p.object if p.object is not None else p.subject
        pieces = [id for id in other.ids if id in self.graph and self.graph[id].kind is Kind.FURNITURE]
        if pieces:
            piece = self.places.one(pieces, "go_to")
            table = self.places.table_by(piece, subject)
            return self._move(subject, Relation.ON, table, p, piece if table != piece else "")
        references = self.places.neighbours(p, subject)
        if not references:
            return self.find.search(other.description)
        edge = self.graph.support(subject)
        if edge is not None and self.places.next_to_another(p, subject):  # next to both: this one comes, too
            return self._move(references[0], edge.relation, edge.object, p, subject)
        places = self._places_meanwhile(index, p)
        for reference in references:
            edge = self.graph.support(reference)
            if edge is not None and edge.relation is not Relation.HELD_BY and (not places or edge.object in places):
                return self._move(subject, edge.relation, edge.object, p, reference)
        raise NoPlan(f"{other.name} is not anywhere that something can be put beside it")

    def _places_meanwhile(self, index: int, p: Proposition) -> set[str]:
        """Where else the same thing is to be while `p` holds: not where it is to be only before or after that."""
        goal = self.progress.goal
        return {id for i, other in enumerate(goal.propositions) if other.subject.key == p.subject.key
                and PREDICATES[other.predicate].relation and i not in goal.before(index) and index not in goal.before(i)
                for id in other.place.ids}

    def _go(self, target: str, purpose: str, reason: str) -> PlannedSkill:
        choice = self._do(reason, "go_to", target)
        return PlannedSkill(choice.call, reason, purpose)

    def _do(self, reason: str, skill: str, *arguments: str) -> PlannedSkill:
        """Errors: Stuck where this has failed too often."""
        call = SkillCall(skill, arguments)
        if not self.know.possible(skill, *arguments):
            raise NoPlan(f"{call} failed {TRIES} times: {self.situation.last_failure[call].message}")
        return PlannedSkill(call, reason)


def _within(maker: Entity) -> Relation:
    """How a thing has to be there for what `maker` does to things."""
    return Relation.IN if any(surface.inside for surface in maker.surfaces) else Relation.ON


def making_true(p: Proposition, graph: WorldGraph) -> tuple[str, ...]:
    """The skills that make `p` true; for heat, those that switch on what heats."""
    known = [graph[id].kind for id in p.subject.ids if id in graph]
    kind = known[0] if known else p.subject.description.kind if p.subject.description is not None else None
    return PREDICATES[p.predicate].skills(kind)


def settle(progress: Progress, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary) -> None:
    """Takes in what is certain once there is nowhere left to look, whoever has looked: that the answer to a question is
    no, that there is no more of a kind, and the nearest thing to one that is not there (RoboGPT)."""
    given_up = dict(progress.given_up)
    Regression(progress, graph, situation, vocabulary).next()
    progress.given_up = given_up  # what is still worth a try is for the policy to say
    progress.update(graph)

"""The whole remaining plan: regression carried on against the effects that its own steps would have."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dadu.goals.goal import Description, Goal
from dadu.goals.interpreter import LookFirst
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.regression.planned import NOTHING_LEFT, Left, PlannedSkill
from dadu.planner.regression.regression import Regression
from dadu.planner.regression.search import SearchSpot
from dadu.planner.search_target import SearchTarget
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Shows, Takes
from dadu.skills.table import BASE_CAPABILITIES, SKILLS, does
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

_WORKED = SkillResult(Code.SUCCEEDED, "as expected")


def plan(progress: Progress, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary,
         limit: int = 200, capabilities: Sequence[str] = BASE_CAPABILITIES,
         keep: bool = False, truth: WorldGraph | None = None) -> list[PlannedSkill]:
    """As `look_ahead`, the steps alone."""
    return look_ahead(progress, graph, situation, vocabulary, limit, capabilities, keep, truth)[0]


def look_ahead(progress: Progress, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary,
               limit: int = 200, capabilities: Sequence[str] = BASE_CAPABILITIES,
               keep: bool = False, truth: WorldGraph | None = None) -> tuple[list[PlannedSkill], WorldGraph]:
    """The steps expected from here on, at most `limit`, with ``done`` at the end where the goal will be reached; and
    the world as it is after them.

    A search is taken to succeed at its first place: the thing found there appears under its category's name; with
    `truth` it finds what there is. Nothing that is passed in changes, unless `progress` is to `keep` what was given up
    and why.
    """
    progress, situation = progress if keep else progress.copy(), situation.copy()
    out: list[PlannedSkill] = []
    while len(out) < limit:
        progress.update(graph)
        choice = Regression(progress, graph, situation, vocabulary, capabilities).next()
        if choice is None:
            break
        out.append(choice)
        graph = apply(graph, choice.call)
        if truth is not None:
            truth = apply(truth, choice.call)
            graph = revealed(graph, truth, choice.call)
        elif choice.looks_for is not None or choice.finds:
            targets = {id for p in progress.goal.propositions if p.object is not None for id in p.object.ids}
            graph = _found(graph, choice, targets)
        if does(choice.call.skill, Takes):
            bind(progress, choice.call.arguments[0])
        situation.take(choice.call, choice.purpose, _WORKED)
    if progress.achieved(graph):
        out.append(PlannedSkill(SkillCall("done"), "everything asked for holds"))
    return out, graph


def next_step(progress: Progress, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary, policy: str,
              capabilities: Sequence[str] = BASE_CAPABILITIES, plans: bool = True, left: Left = NOTHING_LEFT
              ) -> Decision | None:
    """What regression chooses now, in the name of `policy`, with the whole plan if it `plans`; None where it sees
    nothing to do but what is `left` to others. Changes `progress`, which takes in what was given up and why."""
    choice = Regression(progress, graph, situation, vocabulary, capabilities, left).next()
    if choice is None:
        return None
    ahead = plan(progress, graph, situation, vocabulary, capabilities=capabilities) if plans else ()
    return Decision(choice.call, choice.reason, policy, choice.purpose, tuple(c.call for c in ahead),
                    seeks=_sought(choice, graph, situation))


def _sought(choice: PlannedSkill, graph: WorldGraph, situation: Situation) -> SearchTarget | None:
    """What a look is to find; None where all there is has to be seen, and for what is no look."""
    if not SKILLS[choice.call.skill].drives or (choice.looks_for is None and not choice.finds):
        return None
    lost = situation.lost.get(choice.finds)
    since = lost.stamp if lost is not None else 0.0
    return SearchTarget.from_description(choice.looks_for, choice.finds, graph, choice.number, since)


def look_step(look: LookFirst, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary) -> PlannedSkill:
    """The next step to see what the meaning of an instruction depends on."""
    kind = graph[look.place].kind if look.place in graph else Kind.HOUSE
    blank = Regression(Progress(Goal(())), graph, situation, vocabulary)
    return blank.find.look(SearchSpot(look.place, kind), look.reason, look.wanted)


def bind(progress: Progress, id: str) -> None:
    """What has been picked is the thing that its propositions mean from now on."""
    if any(p.subject.ids == (id,) for p in progress.goal.propositions):
        return  # picked for the one that it alone can be
    for p in progress.goal.propositions:
        if id in p.subject.ids and len(p.subject.ids) > 1:
            progress.bind(p.subject.key, id)
            return


def revealed(graph: WorldGraph, truth: WorldGraph, call: SkillCall) -> WorldGraph:
    """With what can be seen after `call` where things are as in `truth`."""
    place = call.arguments[0] if does(call.skill, Shows) else ""
    if place not in truth:
        return graph
    graph, know = graph.copy(), Knowledge(truth, Situation(), default_vocabulary())
    for thing in truth.of(Kind.OBJECT):
        room, edge = truth.room_of(thing.id), truth.support(thing.id)
        shut = edge is not None and edge.relation is Relation.IN and know.shut(edge.object, edge.part)
        if not shut and (know.rests_on(thing.id, place) or room is not None and room.id == place):
            graph.put(thing)
            graph.set_support(thing.id, edge)
    return graph


def _found(graph: WorldGraph, choice: PlannedSkill, targets: set[str]) -> WorldGraph:
    """With the thing that was looked for where it was looked for: in a room, on something that is no goal's target."""
    graph, description = graph.copy(), choice.looks_for
    where, relation = _where_it_is_found(graph, choice.call.arguments[0], targets)
    id = choice.finds or (_name(description, graph) if description is not None else "")
    if id not in graph and description is not None:
        graph.put(Entity(id, description.kind, description.categories[0] if description.categories else id,
                         attributes={str(i): v for i, v in enumerate(description.attributes)}))
    if id not in graph:
        return graph
    graph.change(id, position=graph[where].position if where in graph else (0.0, 0.0, 0.0), stamp=math.inf,
                 provenance="detection")
    graph.set_support(id, None)
    if where in graph and where != id:  # not so where the map ends
        graph.edges.add(Edge(id, relation, where))
    return graph


def _where_it_is_found(graph: WorldGraph, place: str, targets: set[str]) -> tuple[str, Relation]:
    """In a room on its open furniture, if there is any; else on or in the place itself."""
    if place not in graph:
        return place, Relation.IN
    if graph[place].kind is Kind.ROOM:
        open_pieces = (e for e in graph.of(Kind.FURNITURE) if any(not s.inside for s in e.surfaces)
                       and (room := graph.room_of(e.id)) is not None and room.id == place)
        piece = min(open_pieces, key=lambda e: (e.id in targets, e.id), default=None)
        return (piece.id, Relation.ON) if piece is not None else (place, Relation.IN_ROOM)
    return place, Relation.IN if graph[place].is_container else Relation.ON


def _name(description: Description, graph: WorldGraph) -> str:
    name = description.categories[0] if description.categories else description.words
    taken = sum(id == name or id.startswith(f"{name}+") for id in graph.entities)
    return f"{name}+{taken}" if taken else name

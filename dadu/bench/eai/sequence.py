"""Action sequencing: DaDu's regression chooses skills for what its predicates say; what they do not say (posture, what
one faces, which hand) and actions that are asked for by name follow, each with what it needs before it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from dadu.bench.eai.actions import ACTIONS, Arguments, Step
from dadu.bench.eai.body import Impossible, SymbolicBody
from dadu.bench.eai.scene import HANDS, Fact, PromptScene, world_graph
from dadu.goals.goal import Goal, Proposition, Term
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.regression.regression import Regression
from dadu.planner.situation import Situation
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Puts, Takes
from dadu.skills.table import SKILLS, does
from dadu.world.graph import ROBOT, Kind

PREDICATES = {"ON": "is_powered_on", "OFF": "is_powered_off", "OPEN": "is_open", "CLOSED": "is_closed",
               "CLEAN": "is_clean"}
_RELATIONS = {"ON": "is_on_top", "INSIDE": "is_inside"}
_STATE_BY = {"ON": "SWITCHON", "OFF": "SWITCHOFF", "OPEN": "OPEN", "CLOSED": "CLOSE", "PLUGGED_IN": "PLUGIN",
             "PLUGGED_OUT": "PLUGOUT", "CLEAN": "WASH"}
_PUT_BY = {"ON": "PUTBACK", "INSIDE": "PUTIN"}
_GOES_BY = {"HOLDS_RH": ("GRAB",), "HOLDS_LH": ("GRAB",), "INSIDE": ("WALK",), "NEAR": ("FIND", "WALK"),
            "FACING": ("TURNTO",)}
_LIMIT = 100
"""steps; no task of theirs needs half of them"""
_DONE = SkillResult(Code.SUCCEEDED, "as expected")


def plan(scene: PromptScene) -> list[Step]:
    """The actions that reach the goal; as far as it can be reached. `scene` is changed to what they make of it."""
    body, covered, others = SymbolicBody(scene), [], []
    for facts, number in Counter(scene.goals).items():
        p = _proposition(scene, facts, number)
        if p is not None:
            covered.append(p)
        else:
            others.append(facts)
    _by_skills(body, covered)
    _by_actions(body, [facts for facts in others if facts[0][0] in HANDS])
    for goal in scene.actions:
        for name in goal.names:
            if any(_tried(body, name, given) for given in _ranked(body, name)):
                break
    _by_skills(body, covered)
    _by_actions(body, others)
    if not body.steps:  # their prompts forbid an empty plan: a look changes nothing
        body.do("TURNTO", next(id for id in body.scene.things if id != ROBOT))
    return body.steps


def as_answer(steps: Sequence[Step], scene: PromptScene) -> str:
    """The JSON text that their evaluator reads: names and numbers of things by action, in order; an action may come
    more than once, which no dictionary could hold."""
    named = ((name, [word for id in ids for word in (scene.things[id].name, scene.things[id].number)])
             for name, ids in steps)
    return "{" + ", ".join(f"{json.dumps(name)}: {json.dumps(words)}" for name, words in named) + "}"


def _proposition(scene: PromptScene, facts: tuple[Fact, ...], number: int) -> Proposition | None:
    """The same in DaDu's predicates, of so many of several things; None where it has none for it, or no skill for such
    things."""
    graph = world_graph(scene)
    predicate, *ids = facts[0]
    names = PREDICATES if len(ids) == 1 else _RELATIONS
    if predicate not in names or any(ROBOT in fact or any(id not in graph for id in fact[1:]) for fact in facts):
        return None
    furniture = all(graph[fact[1]].kind is Kind.FURNITURE for fact in facts)
    if predicate in ("OPEN", "CLOSED") and not furniture or len(ids) == 2 and furniture:
        return None
    subjects, objects = (tuple(dict.fromkeys(fact[i] for fact in facts)) for i in (1, len(ids)))
    return Proposition(names[predicate], Term("|".join(subjects), subjects),
                       Term("|".join(objects), objects) if len(ids) == 2 else None, min(number, len(subjects)))


def _by_skills(body: SymbolicBody, propositions: list[Proposition]) -> None:
    """DaDu's loop, one skill at a time from a world graph made anew; a skill that cannot be carried out ends it."""
    progress, situation, in_hand = Progress(Goal(tuple(propositions), _order(propositions))), Situation(), ""
    for _ in range(_LIMIT if propositions else 0):
        graph = world_graph(body.scene, in_hand)
        progress.update(graph)
        choice = Regression(progress, graph, situation, default_vocabulary(), tuple(SKILLS)).next()
        if choice is None:
            return
        try:
            body.carry_out(choice.call)
        except Impossible:
            return
        if does(choice.call.skill, Takes):
            in_hand = choice.call.arguments[0]
        elif does(choice.call.skill, Puts):
            in_hand = ""
        situation.take(choice.call, choice.purpose, _DONE)


def _order(propositions: Sequence[Proposition]) -> tuple[tuple[int, int], ...]:
    """What is switched on is so after what goes there has gone there and its door is as it is to be."""
    def first(p: Proposition, q: Proposition) -> bool:
        about = p.subject.ids if p.object is None else p.object.ids
        return q.predicate == "is_powered_on" != p.predicate and bool(set(about) & set(q.subject.ids))
    return tuple((i, j) for j, q in enumerate(propositions) for i, p in enumerate(propositions) if first(p, q))


def _ranked(body: SymbolicBody, name: str) -> list[Arguments]:
    """With what is in the hand first, then with what the goal names, then with anything that is no room."""
    scene, rooms = body.scene, body.scene.rooms()
    named = {id for facts in scene.goals for fact in facts for id in fact[1:]}

    def rank(given: Arguments) -> tuple[bool, ...]:
        first = given[:1]
        return (any(id in rooms for id in given), not set(first) & set(scene.held()), not set(first) & named,
                not any(scene.things[id].properties for id in first))
    return sorted(body.arguments(name), key=rank) if name in ACTIONS else []


def _tried(body: SymbolicBody, name: str, given: Arguments) -> bool:
    """True if it was done; if it could not be, nothing of what led to it has been."""
    trial = SymbolicBody(PromptScene(body.scene.things, set(body.scene.facts)), list(body.steps))
    try:
        trial.do(name, *given)
    except Impossible:
        return False
    body.scene.facts, body.steps = trial.scene.facts, trial.steps
    return True


def _by_actions(body: SymbolicBody, goals: list[tuple[Fact, ...]]) -> None:
    """What DaDu's predicates do not say, in the order of `_LAST`: going elsewhere ends what follows it there."""
    for facts in sorted(goals, key=lambda facts: _LAST.index(_kind(facts[0]))):
        if any(fact in body.scene.facts for fact in facts):
            continue
        for fact in facts:
            for _ in range(len(HANDS)):
                done = any(_tried(body, name, given) for name, given in _steps(body.scene, fact))
                if not done or fact in body.scene.facts:
                    break
            if fact in body.scene.facts:
                break


_LAST = ("thing", *HANDS, "room", "posture", "NEAR", "FACING")


def _kind(fact: Fact) -> str:
    if fact[0] in _LAST:
        return fact[0]
    if fact[1] != ROBOT:
        return "thing"
    return "room" if fact[0] == "INSIDE" else "posture"


def _steps(scene: PromptScene, fact: Fact) -> list[Step]:
    """Actions that make a fact true, the best first."""
    predicate, *ids = fact
    if _kind(fact) == "thing":
        if len(ids) == 1:
            return [(_STATE_BY[predicate], (ids[0],))] if predicate in _STATE_BY else []
        return [("PUTON", (ids[0],))] if ids[1] == ROBOT else [
            (_PUT_BY[predicate], (ids[0], ids[1]))] if predicate in _PUT_BY else []
    if _kind(fact) == "posture":
        return [(action, (id,)) for action in _rests(scene) for id in ids[1:] or _seats(scene)]
    if predicate == HANDS[1] and not scene.related(HANDS[0], ROBOT):  # the right hand is filled first
        return [("GRAB", (other,)) for other in scene.things if other != ids[1] and scene.can(other, "GRABBABLE")]
    return [(action, (ids[1],)) for action in _GOES_BY.get(predicate, ())]


def _rests(scene: PromptScene) -> list[str]:
    """How the goal wants it to rest."""
    lies = any(fact[0] == "LYING" for facts in scene.goals for fact in facts)
    return ["LIE", "SIT"] if lies else ["SIT", "LIE"]


def _seats(scene: PromptScene) -> list[str]:
    """Where the goal wants it to rest; else all that is there for it."""
    said = [fact[2] for facts in scene.goals for fact in facts if fact[:2] == ("ON", ROBOT) and len(fact) == 3]
    return said or [id for id in scene.things if scene.can(id, "SITTABLE", "LIEABLE")]

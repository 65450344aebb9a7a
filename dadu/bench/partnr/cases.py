"""Goals with the states that they are judged by: random ones, and those of episodes that the expert carries out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from dadu.core.geometry import Pose2
from dadu.goals.findings import finding
from dadu.goals.monitor import GoalMonitor
from dadu.goals.predicates.truth_view import TruthView
from dadu.goals.rules import Unrolled, unroll
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.goals.tracker import Finding, Tracker
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.stacks.oracle import OracleStack
from dadu.tasks.expert import Expert, NotFeasible
from dadu.tasks.prepare import Prepared
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.state import ObjectState, TrueWorld, WorldState

ARGUMENTS = ("object_handles", "receptacle_handles")
"""what they call the arguments of a predicate of two"""
_RELATIONS = ("after_satisfied", "after_unsatisfied", "while_satisfied", "before_satisfied")
_THINGS = tuple(f"thing_{i}" for i in range(5))
_PLACES = 5
"""pieces of furniture; with more of them goals would hardly ever come true by chance"""
_SIZE = (0.08, 0.08, 0.1)
"""[m]"""


@dataclass(frozen=True)
class Case:
    """One goal, and what its propositions yield in each state."""

    name: str
    goal: SuiteGoal
    unrolled: Unrolled
    states: tuple[tuple[Finding, ...], ...]
    """for each state the findings of all propositions, those with a number unrolled"""

    def ours(self) -> float:
        """What DaDu's judge makes of it, 0 to 1."""
        tracker = Tracker(self.unrolled)
        for state in self.states:
            tracker.take(state.__getitem__)
        return tracker.percent_complete()

    def to_json(self) -> dict[str, Any]:
        """As `dadu.bench.partnr.theirs` reads it."""
        return {
            # They unroll no proposition about things that lie together, nor does DaDu.
            "propositions": [{"args": list(ARGUMENTS[:len(p.arguments)]),
                              "number": 1 if p.definition.lists else p.numbers[0]} for p in self.goal.propositions],
            "dependencies": [d.model_dump() for d in self.goal.dependencies],
            "constraints": [c for constraint in self.goal.constraints for c in _constraints(constraint)],
            "states": [[[min(value) for value in f.values] if f.holds else None for f in state]
                       for state in self.states],
        }


class Recording(GoalMonitor):
    """A judge that keeps what it sees."""

    def __init__(self, goal: SuiteGoal) -> None:
        super().__init__(goal)
        self.worlds: list[TrueWorld] = []

    def update(self, world: TrueWorld, times: int = 1) -> None:
        super().update(world, times)
        self.worlds += [world] * times


def random_cases(count: int, seed: int) -> Iterator[Case]:
    """Things put on random furniture of a flat, from one state to the next, under random goals."""
    rng = np.random.default_rng(seed)
    layout = build_graph(load_house("flat"))
    pieces = [piece for piece in layout.of(Kind.FURNITURE) if any(s.carries for s in piece.surfaces)][:_PLACES]
    for number in range(count):
        goal = parse_goal(_goal(rng, [piece.id for piece in pieces]), f"random {number}")
        worlds: list[TrueWorld] = []
        where = {thing: int(rng.choice(len(pieces))) for thing in _THINGS}
        for _ in range(int(rng.integers(1, 8))):
            where |= {str(thing): int(rng.choice(len(pieces))) for thing in rng.choice(_THINGS, 2)}
            worlds.append(_world(layout, {thing: pieces[i] for thing, i in where.items()}, float(len(worlds))))
        yield case(f"random {number}", goal, worlds)


def recorded_cases(prepared: Iterable[Prepared], count: int) -> Iterator[Case]:
    """Of episodes that the expert can carry out in the oracle, as many as asked for; goals about things that lie
    together are left out: their functions take no more of them than a list."""
    return islice((found for one in prepared if (found := _recorded(one)) is not None), count)


def case(name: str, goal: SuiteGoal, worlds: Sequence[TrueWorld]) -> Case:
    """With what each proposition yields in each world."""
    unrolled, found, states = unroll(goal), dict[int, tuple[Finding, ...]](), []
    for world in worlds:
        if id(world) not in found:  # one that is counted more than once
            view = TruthView(world)
            found[id(world)] = tuple(finding(view, item.proposition) for item in unrolled.items)
        states.append(found[id(world)])
    return Case(name, goal, unrolled, tuple(states))


def _recorded(prepared: Prepared) -> Case | None:
    episode = prepared.episode
    if any(p.definition.lists for p in episode.goal.propositions) or episode.person is not False:
        return None
    stack = OracleStack(prepared.house, robot=episode.robot, known="all")
    for verb, names in (("open", episode.open), ("close", episode.closed)):
        for name in names:
            stack.disturb(verb, name)
    expert = Expert(stack, episode.goal)
    expert.monitor = monitor = Recording(episode.goal)
    try:
        expert.run()
    except NotFeasible:
        pass  # as far as it went is a sequence of states like any other
    return case(episode.id, episode.goal, monitor.worlds)


def _goal(rng: np.random.Generator, places: list[str]) -> dict[str, Any]:
    count = int(rng.integers(1, 5))
    propositions = []
    for _ in range(count):
        subjects = sorted(str(s) for s in rng.choice(_THINGS, int(rng.integers(1, 4)), replace=False))
        targets = sorted(str(t) for t in rng.choice(places, int(rng.integers(1, 4)), replace=False))
        propositions.append({"is_on_top": [subjects, targets], "number": int(rng.integers(1, len(subjects) + 1))})
    goal: dict[str, Any] = {"propositions": propositions, "constraints": [], "dependencies": []}
    if count > 1:
        pair = sorted(int(i) for i in rng.choice(count, 2, replace=False))
        kind = rng.choice(["none", "temporal", "same_arg", "different_arg", "dependency"])
        if kind == "temporal":
            goal["constraints"].append({"temporal": [pair]})
        elif kind == "dependency":
            goal["dependencies"].append({"propositions": pair[1:], "depends_on": pair[:1],
                                         "relation": str(rng.choice(_RELATIONS)),
                                         "mode": str(rng.choice(["all", "any"]))})
        elif kind != "none":
            goal["constraints"].append({str(kind): {"propositions": pair, "arg": int(rng.integers(2))}})
    if rng.random() < 0.5:
        goal["constraints"].append({"terminal": list(range(count))})
    return goal


def _world(layout: WorldGraph, where: dict[str, Entity], stamp: float) -> TrueWorld:
    bodies = {}
    for i, (thing, piece) in enumerate(where.items()):
        surface = next(s for s in piece.surfaces if s.carries)
        x, y, yaw = surface.pose
        bodies[thing] = ObjectState(thing, "thing", OrientedBox.upright(x, y + 0.001 * i, surface.height, yaw, _SIZE))
    return TrueWorld(layout, WorldState(stamp, Pose2(0, 0, 0), bodies, {}))


def _constraints(constraint: Any) -> Iterator[dict[str, Any]]:
    if constraint.temporal is not None:
        yield {"kind": "temporal", "pairs": [list(pair) for pair in constraint.temporal]}
    if constraint.terminal is not None:
        yield {"kind": "terminal", "propositions": list(constraint.terminal)}
    for kind in ("same_arg", "different_arg"):
        link = getattr(constraint, kind)
        if link is not None:
            yield {"kind": kind, "propositions": list(link.propositions), "args": list(link.args)}

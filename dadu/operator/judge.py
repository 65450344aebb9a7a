"""Whether a recorded task reached its goal, by the simulator's ground truth."""

from __future__ import annotations

from dadu.errors import DaduError
from dadu.eval.goal import Goal, parse_goal
from dadu.eval.monitor import Verdict, evaluate
from dadu.eval.state import World
from dadu.operator.episode import Episode
from dadu.sim.house import load_house
from dadu.sim.layout import build_graph


class NotJudged(DaduError):
    """A recording that ground truth cannot judge."""


def worlds(episode: Episode) -> list[World]:
    """The true states within the house's layout. Errors: NotJudged without a simulator; ConfigError."""
    if not episode.truth:
        raise NotJudged("no ground truth was recorded: it exists in simulation only")
    layout = build_graph(load_house(episode.house))
    return [World(layout, state) for state in episode.truth]


def judge(episode: Episode, goal: Goal | None = None) -> tuple[Goal, Verdict]:
    """The verdict on `goal`; without one, on the goal that the planner read into the instruction.

    Errors: NotJudged, ConfigError.
    """
    states = worlds(episode)
    if goal is None:
        if episode.goal is None:
            raise NotJudged("the planner understood no goal")
        goal = parse_goal(_grounded(episode.goal, states[0]), "the planner's goal", states[0].names)
    return goal, evaluate(goal.held_to_the_end(), states)


def _grounded(goal: dict, world: World) -> dict:
    """A category, which stands for a thing that the planner had not found yet, becomes all things of that category."""
    categories: dict[str, list[str]] = {}
    for thing in (*world.state.bodies.values(), *world.layout):
        categories.setdefault(thing.category, []).append(getattr(thing, "name", None) or thing.id)

    def argument(names):
        return [n for name in names for n in ([name] if name in world.names else sorted(categories.get(name, [name])))]

    propositions = [{key: [argument(a) for a in value] if key.startswith("is_") else value for key, value in p.items()}
                    for p in goal["propositions"]]
    return {**goal, "propositions": propositions}

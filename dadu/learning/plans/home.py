"""The world of some episodes: a generated home, less what is kept out of training."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dadu.core.errors import ConfigError
from dadu.goals.monitor import GoalMonitor
from dadu.goals.suite_goal import SuiteGoal
from dadu.homes.home import generate_home
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.grounding.scene import Setting, scene_of
from dadu.learning.pictures.store import Split
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.sentences.held_out import kept_out
from dadu.planner.model.goal.names import is_here
from dadu.stacks.oracle import OracleStack
from dadu.stacks.priors import vocabulary_of_house
from dadu.tasks.expert import settle_states
from dadu.world.graph import Kind, WorldGraph
from dadu.world.state import TrueWorld

_TRIES = 5


@dataclass(frozen=True)
class PlanHomeOrder:
    """Which home."""

    seed: int
    split: Split
    """train: for training; validation: for choosing among models; test: for the end"""

    @property
    def name(self) -> str:
        """Of its files."""
        return f"{self.split}-{self.seed}"


class PlanHome:
    """A house, and what is true in it before anybody has done anything."""

    def __init__(self, house: House) -> None:
        self.house = house

    @cached_property
    def truth(self) -> WorldGraph:
        """All that there is."""
        return build_graph(self.house, "all")

    @cached_property
    def layout(self) -> WorldGraph:
        """Rooms and furniture."""
        return build_graph(self.house)

    @cached_property
    def start(self) -> TrueWorld:
        """As the simulator has it."""
        return TrueWorld(self.layout, OracleStack(self.house).truth())

    def holds(self, goal: SuiteGoal) -> bool:
        """True if it is so already."""
        return watched(goal, self.start).verdict().success

    @cached_property
    def names(self) -> frozenset[str]:
        """All that a goal may speak of."""
        parts = {f"{e.id}/{part.name}" for e in self.layout for part in e.parts}
        return frozenset({e.id for e in self.truth} | parts)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What its people call things; a robot is told of it as `dadu.stacks.priors.told_vocabulary` says."""
        return vocabulary_of_house(self.house)

    @cached_property
    def scene(self) -> Setting:
        """In which all is said that is true."""
        return scene_of(self.truth, self.vocabulary, complete=True, looked=())

    @cached_property
    def lacking(self) -> dict[Kind, list[str]]:
        """By kind, sorted: names that its people would have for things, had they one."""
        called = {kind: {" ".join(words) for entry in self.vocabulary.entries.values() if entry.kind is kind
                         for words in (entry.name, *entry.aliases)} for kind in (Kind.OBJECT, Kind.FURNITURE)}
        return {kind: [name for name in sorted(names) if name.replace(" ", "").isalpha()
                       and not is_here(name, self.truth, self.vocabulary)] for kind, names in called.items()}


def watched(goal: SuiteGoal, world: TrueWorld, monitor: GoalMonitor | None = None) -> GoalMonitor:
    """The monitor of a goal, a new one by default, once it has taken in a state: as often as needed for all that
    depends on it to count."""
    monitor = monitor or GoalMonitor(goal)
    monitor.update(world, settle_states(goal))
    return monitor


def make_home(order: PlanHomeOrder, settings: PlanSettings) -> PlanHome:
    """The same for the same order. Homes for training, and those for choosing among models, hold no category that is
    kept out. Errors: ConfigError where no such home can be made."""
    rng = np.random.default_rng([order.seed, 2])
    low, high = settings.rooms
    for left in reversed(range(_TRIES)):
        try:
            house = generate_home(order.seed, int(rng.integers(low, high + 1)))
            break
        except ConfigError:  # a few plans leave a door that the robot does not get through
            if not left:
                raise
    if order.split == "test":
        return PlanHome(house)
    taught = tuple(thing for thing in house.objects if not kept_out(thing.category))
    return PlanHome(house.model_copy(update={"objects": taught}))

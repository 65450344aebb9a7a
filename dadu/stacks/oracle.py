"""The oracle behind the surface of `dadu.stacks.stack.Stack`: same loop, graph and policies, skills without physics.

Skills succeed at once where their preconditions hold; only ways take time, at the robot's top speed. Failures carry the
code that the physical skill gives. The agent knows what a camera would have shown it, and the same input gives the
same result bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.memory.semantic_map import SemanticMap
from dadu.planner.loop.skill_context import SkillContext
from dadu.planner.loop.world import Over
from dadu.robots.loader import load_robot
from dadu.sim.oracle import climate, handling, moving
from dadu.sim.oracle.disturbance import disturb
from dadu.sim.oracle.sight import AgentView
from dadu.sim.oracle.state import Paced
from dadu.sim.oracle.truth import OracleWorld
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.specification import Takes
from dadu.skills.table import SKILLS
from dadu.stacks.in_process import InProcess
from dadu.stacks.priors import told_vocabulary
from dadu.world.graph import ROBOT, WorldGraph
from dadu.world.names import PERSON
from dadu.world.state import WorldState

ORACLE: Mapping[str, Callable[..., SkillResult | Paced[SkillResult]]] = {
    **{name: partial(handling.carry_out, spec) for name, spec in SKILLS.items() if spec.changes_world},
    "go_to": moving.go_to, "explore": moving.explore, "wait": moving.wait,
    "handover": handling.handover,
}
"""What carries out each skill of the table, given the agent's view and the call's arguments: one function, which reads
the table, for all skills that change something."""


class AgentStack(InProcess):
    """One agent in an oracle world, ready for instructions."""

    def __init__(self, world: OracleWorld, agent: str, known: str, memory: bool = True, slips: float = 0.0,
                 seed: int = 0, remembered: WorldGraph | None = None) -> None:
        """See `OracleStack`."""
        self.world, self.agent = world, world.agents[agent]
        self.view = AgentView(world, self.agent, known, memory, remembered)
        self._vocabulary = told_vocabulary(world.house, known)
        self._semantic_map = SemanticMap(self.view.graph) if memory else None
        self.steps = 0
        """skills carried out"""
        self.person: AgentStack | None = None
        """the simulated person, driven over the same surface; their hand and memory are their own"""
        self._slips, self._rng = slips, np.random.default_rng(max(0, seed))

    @property
    def capabilities(self) -> tuple[str, ...]:
        return self.agent.capabilities

    async def carry_out(self, call: SkillCall, skill_context: SkillContext, over: Over) -> SkillResult:
        """At once, whatever the `skill_context`; then memory sees what came of it."""
        self.view.found = over
        result = await self._outcome(call)
        self.view.found = lambda: None
        self.view.look()
        if self._semantic_map is not None:
            self._semantic_map.update(self.view.graph)
        self.steps += 1
        return result

    def graph(self) -> WorldGraph:
        """The agent's memory, as the planner reads it."""
        return self.view.graph

    def now(self) -> float:
        """[s]"""
        return self.agent.clock

    def pose(self) -> Pose2:
        """Map."""
        return self.agent.pose

    def holding(self) -> bool:
        """True if something is in the hand."""
        return bool(self.agent.held)

    def truth(self) -> WorldState:
        """The true state, for evaluation only."""
        return self.world.state(self.now())

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
        """Changes the world behind the agent's back, as `Simulation.disturb` does: move, drop, open, close; and says
        what was done. Errors: DisturbanceError naming the valid choices."""
        return disturb(self.world, kind, object, target, position)

    @property
    def travelled(self) -> float:
        """Way so far [m]."""
        return self.agent.travelled

    async def pause(self) -> None:
        """Others act meanwhile, where there are any that act side by side."""

    async def _outcome(self, call: SkillCall) -> SkillResult:
        if call.skill not in self.agent.capabilities or call.skill not in ORACLE:
            return SkillResult(Code.UNKNOWN_ACTION, f"this {self.agent.name} cannot {call.skill}; it can: "
                               f"{choices(self.agent.capabilities, 20)}")
        spec = SKILLS[call.skill]
        if not spec.required <= len(call.arguments) <= len(spec.arguments):
            return SkillResult(Code.UNKNOWN_ACTION, f"{call.skill} takes "
                               f"{', '.join(a.name for a in spec.arguments) or 'nothing'}, not {len(call.arguments)} "
                               "arguments")
        slipped = spec.does(Takes) and self._slips > 0 and self._rng.random() < self._slips
        try:
            if slipped and not self.agent.held:
                raise SkillFailed(Code.EXECUTION_FAILED, f"{call.arguments[0]} slipped from the fingers; try again",
                                  Detail.GRASP_SLIPPED, call.arguments[0])
            deed = ORACLE[call.skill](self.view, *call.arguments)
            return deed if isinstance(deed, SkillResult) else await self._paced(deed)
        except SkillFailed as failure:
            return failure.result

    async def _paced(self, deed: Paced[SkillResult]) -> SkillResult:
        """Carries it out bit by bit. Errors: SkillFailed."""
        while True:
            try:
                next(deed)
            except StopIteration as end:
                await self.pause()
                return end.value
            await self.pause()


def world_at_start(house: House, robot: RobotDescription, person: bool) -> OracleWorld:
    """The house with the robot in it, and a `person`. Errors: ConfigError where objects find no place."""
    world = OracleWorld(house, robot, person)
    climate.settle_at_start(world)
    return world


class OracleStack(AgentStack):
    """The robot of a house."""

    def __init__(self, house: House, *, seed: int = 0, robot: str = "stretch", known: str = "layout",
                 memory: bool = True, person: bool = False, slips: float = 0.0,
                 remembered: WorldGraph | None = None) -> None:
        """`known` as in `dadu.house.layout.build_graph`; without `memory` things out of view are forgotten at once.
        `person` puts a second agent in the same world, see `person`. `slips` is the share of picks that fail with
        grasp_slipped, drawn from `seed`; `remembered`: what was known at the end of an earlier task in this house.
        Errors: ConfigError."""
        self.description = load_robot(robot)
        world = world_at_start(house, self.description, person)
        super().__init__(world, ROBOT, known, memory, slips, seed, remembered)
        self.person = AgentStack(world, PERSON, known) if person else None

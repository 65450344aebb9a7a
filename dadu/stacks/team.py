"""A team in the oracle: agents of one world with one task, each with a planner and a memory of its own.

They act by their clocks: who is behind all others does its next bit, a stride or a deed, and everything that it meets
is as it is at that time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Hashable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from dadu.core.errors import ConfigError
from dadu.house.format import House
from dadu.planner.policies.detected import DetectedView
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.seeing import SeeingPolicy
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings, PlannerSettings
from dadu.planner.step import Step
from dadu.robots.loader import load_robot
from dadu.sim.oracle.disturbance import disturb
from dadu.sim.oracle.moving import WAIT
from dadu.sim.oracle.state import person_agent, robot_agent
from dadu.sim.oracle.traffic import collisions, make_room
from dadu.sim.oracle.truth import OracleWorld
from dadu.stacks.oracle import AgentStack, world_at_start
from dadu.stacks.played import HumanPlayers, PlayedAgent
from dadu.team.coordination import Central, Coordination, Decentral, Mate
from dadu.team.knowledge import SharedWorld, TeamObservation
from dadu.team.lapses import Lapsing
from dadu.team.messages import Channel
from dadu.team.policy import TeamPolicy
from dadu.team.settings import TeamSettings, patient
from dadu.world.graph import ROBOT
from dadu.world.names import PERSON
from dadu.world.state import WorldState

SECOND = "robot_1"
_PATIENCE = 30.0
"""how long who waits for others does so at most before it thinks again [s]"""


@dataclass
class TeamReport:
    """How it went."""

    reports: dict[str, TaskReport]
    """by agent"""
    seconds: dict[str, float]
    """by agent: when it had nothing to do any more [s]"""

    def whole(self, elapsed: float) -> TaskReport:
        """One report for all: that of who claims success, else the first one's; with everybody's steps and costs."""
        said = list(self.reports.values())
        best = next((r for r in said if r.success), said[0])
        steps = sorted((step for r in said for step in r.steps), key=lambda step: step.end)
        return replace(best, steps=tuple(steps), planning_seconds=sum(r.planning_seconds for r in said),
                       elapsed=elapsed, calls=tuple(call for r in said for call in r.calls))


class _Pause:
    """Awaited: lets others act."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class Member(AgentStack):
    """One agent of a team."""

    policy: TeamPolicy | None = None
    """how it plans with others; None: as if it were alone"""

    async def pause(self) -> None:
        await _Pause()

    async def stand_by(self, over: Callable[[], bool]) -> None:
        """Lets others pass until it is `over()`."""
        while not over():
            self.agent.clock += WAIT
            await self.pause()
            for _ in make_room(self.view):
                await self.pause()


class TeamStack:
    """Everybody in one house. As far as an evaluation asks, a stack like `OracleStack`."""

    def __init__(self, house: House, settings: TeamSettings, *, robot: str = "stretch", known: str = "layout",
                 memory: bool = True, slips: float = 0.0, seed: int = 0) -> None:
        """As `dadu.stacks.oracle.OracleStack`. Errors: ConfigError."""
        self.description, self.settings = load_robot(robot), settings
        self.world = _world(house, self, settings)
        self.world.crowded = len(self.world.agents) > 1
        self._rng = np.random.default_rng(max(0, seed))
        told = "all" if settings.knowledge == "privileged" else known
        self.members = {name: Member(self.world, name, told, memory, slips, seed + i)
                        for i, name in enumerate(self.world.agents)}
        self.channel, self.shared = Channel(), SharedWorld()
        self.coordination = self._coordination()
        self._ends: dict[str, float] = {}
        self._kills: dict[str, float] = {}
        self._state = _state(self.world)
        self._running: dict[str, Coroutine[Any, Any, Any]] = {}
        self.played: dict[str, PlayedAgent] = {}
        """by name the agents that people play in the newest task"""

    def do(self, instruction: str, planner: PlannerSettings, *, settings: LoopSettings | None = None,
           trace: Callable[[str, Step], None] = lambda name, step: None, company: HumanPlayers | None = None
           ) -> TeamReport:
        """Carries out an instruction; `trace` gets every agent's steps, as `ClosedLoop`'s does. `company`: the people
        who play agents, where the settings say that some do. Errors: ConfigError where there are none."""
        if self.settings.people and company is None:
            raise ConfigError(f"partner {self.settings.partner}: {', '.join(self.settings.people)} is played by a "
                              "person, and there is no page for one; use dadu eval play")
        limits = settings or LoopSettings()
        if self.coordination is not None:
            limits = patient(limits)
        reports: dict[str, TaskReport] = {}
        self._running = {}
        for name, member in self.members.items():
            if company is not None and name in self.settings.people:
                self.played[name] = PlayedAgent(member, company.player(name), instruction, planner, self.coordination)
                task = self.played[name].play(limits, partial(trace, name))
            else:
                task = member.task(instruction, self._planner(name, planner), limits, partial(trace, name)).run()
            self._running[name] = self._until_all(name, task, reports)
        while len(self._ends) < len(self.members) and self._running:
            name = min(self._running, key=lambda n: (self.members[n].now(), n))
            if self.members[name].now() >= self._kills.get(name, np.inf):
                self._die(name)
                continue
            if company is not None:
                company.pace(name)
            self._tell(name)
            try:
                self._running[name].send(None)
            except StopIteration:
                del self._running[name]
            self._publish(name)
        for coroutine in self._running.values():
            coroutine.close()
        return TeamReport(reports, dict(self._ends))

    def kill(self, name: str, at: float) -> None:
        """The agent breaks down at that time [s]: it drops what it holds, and stays where it is."""
        self._kills[name] = at

    def now(self) -> float:
        """When the last of them has ended; until then what the latest clock shows [s]."""
        if len(self._ends) == len(self.members):
            return max(self._ends.values())
        return max(member.now() for name, member in self.members.items() if name not in self._ends)

    def truth(self) -> WorldState:
        """The true state, for evaluation only."""
        return self.world.state(self.now())

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
        """As `OracleStack.disturb`."""
        return disturb(self.world, kind, object, target, position)

    @property
    def travelled(self) -> float:
        """By all [m]."""
        return sum(agent.travelled for agent in self.world.agents.values())

    @property
    def idle(self) -> dict[str, float]:
        """By agent how long it has waited [s]."""
        end = self.now()
        return {name: agent.idle + max(0.0, end - self._ends.get(name, end)) for name, agent
                in self.world.agents.items()}

    @property
    def collisions(self) -> int:
        return collisions(list(self.world.agents.values()))

    def close(self) -> None:
        """Nothing is held open."""

    async def _until_all(self, name: str, task: Awaitable[TaskReport], reports: dict[str, TaskReport]) -> None:
        """One agent's task, and what it does until the others are through with theirs."""
        member = self.members[name]
        reports[name] = await task
        self._ends[name] = member.now()
        if self.coordination is not None:
            self.coordination.end(name, reports[name].success, member.now())
        await member.stand_by(lambda: len(self._ends) == len(self.members))

    def _planner(self, name: str, settings: PlannerSettings) -> TaskPlanner:
        member = self.members[name]
        planner = make_planner(settings, member.capabilities)
        if self.coordination is not None:
            member.policy = TeamPolicy(name, self.coordination, SymbolicPolicy(member.capabilities, False))
            member.view.patience, member.view.news = _PATIENCE, member.policy.news
            planner = replace(planner, policy=SeeingPolicy(member.policy, DetectedView()))
        if name == PERSON and self.settings.mistakes:
            planner = replace(planner, policy=Lapsing(planner.policy, self.settings.mistakes, self._rng))
        return planner

    def _coordination(self) -> Coordination | None:
        if self.settings.plan == "solo":
            return None
        kind = Central if self.settings.plan == "central" else Decentral
        people = self.settings.people
        mates = [Mate(name, member.capabilities, self._seconds(name), self.settings.person_price * (name == PERSON),
                      led=name not in people) for name, member in self.members.items()]
        return kind(mates, self.channel, self.settings.knowledge != "separate")

    def _seconds(self, name: str) -> Callable[[tuple[float, float], tuple[float, float]], float]:
        """By the map, which all were told; to furniture in a room one goes within that room."""
        agent, ways = self.world.agents[name], self.world.ways(self.world.agents[name])
        if agent.speed == 0.0:  # a fixed base is where it is, in all of its room
            return lambda a, b: 0.0 if self.world.room_at(a) == self.world.room_at(b) else np.inf

        @lru_cache(maxsize=256)
        def standing(point: tuple[float, float]) -> tuple[float, float]:
            return ways.stop(point, self.world.room_at(point), agent.pose[:2]) or point

        return lambda a, b: ways.length(standing(a), standing(b)) / agent.speed + np.pi / 2 / agent.turn

    def _tell(self, name: str) -> None:
        """What the agent has come to know by others since it acted last."""
        member = self.members[name]
        if self.settings.knowledge == "privileged":
            member.view.know_all()
        elif self.settings.knowledge == "shared" and self.shared.take_in(name, member.view.graph):
            self._stir(member)

    def _stir(self, member: Member) -> None:
        if member.policy is not None:
            member.policy.stir()

    def _publish(self, name: str) -> None:
        if self.settings.knowledge == "shared" and len(self.members) > 1:
            self.shared.publish(name, self.members[name].view.graph, self.members[name].now())
        elif self.settings.knowledge == "privileged" and self._state != (state := _state(self.world)):
            self._state = state
            for other in (m for n, m in self.members.items() if n != name):
                self._stir(other)

    def _die(self, name: str) -> None:
        member = self.members[name]
        self._running.pop(name).close()
        self._ends[name] = member.now()
        member.agent.gone = True
        if member.agent.held:
            self.shared.hear(TeamObservation(name, member.now(), member.agent.held, None))
            self.disturb("drop", member.agent.held)
        if self.coordination is not None:
            self.coordination.leave(name, member.now())
        for other in self.members.values():
            self._stir(other)


def _state(world: OracleWorld) -> tuple[Hashable, ...]:
    """What those who know everything hear of."""
    things = tuple((t.support, tuple(t.states.items())) for t in world.things.values())
    return things, tuple(part.value for piece in world.pieces.values() for part in piece.parts)


def _world(house: House, stack: TeamStack, settings: TeamSettings) -> OracleWorld:
    """With those who take part in it."""
    world = world_at_start(house, stack.description, person=False)
    if settings.partner != "none":
        world.join(person_agent(world.agents[ROBOT].pose, "", settings.person_speed))
        if settings.plan == "solo":
            del world.agents[ROBOT if settings.people != (ROBOT,) else PERSON]
    elif settings.plan != "solo":
        world.join(robot_agent(stack.description, world.agents[ROBOT].pose, "", SECOND))
    return world


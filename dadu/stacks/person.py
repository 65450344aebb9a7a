"""The simulated person under physics: an agent of the oracle's kind whose deeds happen in a MuJoCo simulation.

What they do is decided by the oracle's skills, with their preconditions and outcomes, over a copy of the world as it
truly is; then the figure walks there, and what the skill has changed (where things are, what is open, clean, full or
on) is changed in the simulation. What they carry moves with their hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import cycle

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.format import House
from dadu.sim.mujoco import space
from dadu.sim.mujoco.physics import wake
from dadu.sim.mujoco.scene.figure import HAND, stand, standing
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.mujoco.truth import held_objects
from dadu.sim.oracle.state import Agent, OracleObject, Support
from dadu.sim.oracle.travel import Leg, away
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.specification import Takes
from dadu.skills.table import SKILLS, does
from dadu.stacks.oracle import AgentStack, world_at_start
from dadu.world.graph import ROBOT, Entity, Kind, Relation
from dadu.world.names import PERSON
from dadu.world.support import SupportSettings, support_edge

_MOVED = 0.02
"""a thing farther than this from where the copy has it was moved by somebody else [m]"""
_HANDLING = 1.5
"""how long a person takes for what they do with their hands [s]"""
_AHEAD = 0.5
"""of their way that people look along for robots [m]"""
_MARGIN = 0.15
"""between a person and a robot, at least [m]"""
_ARM = 0.3
"""half the width of a robot's arm, and of a person's body with their arms [m]"""
_LOOKS, _PATIENCE = 2.0, 20.0
"""after which people look for a way round a robot that stands in theirs, and after which they give up [s]"""

_TAKES, _LOW = 0.8, 0.7
"""how near to them [m], and how high [m], people take what is held out"""
_STILL, _REACTION = 0.03, 1.0
"""what moves more slowly [m/s] for so long [s] is held out"""
_PULL = 8.0
"""with which they pull at it [N]"""


def rounds(house: House) -> Iterator[SkillCall]:
    """From room to room, for ever, with a rest in each."""
    return cycle([call for room in house.rooms for call in (SkillCall("go_to", (room.name,)), SkillCall("wait"))])


class SimulatedPerson:
    """Needs a simulation made with ``SimulationSettings(person=True)``. Call `advance` whenever the simulation
    advances; `do` says what is to be done next."""

    def __init__(self, simulation: Simulation, script: Iterable[SkillCall] = (), habit: Iterable[SkillCall] = ()
                 ) -> None:
        """`script`: what they do one after the other, from the start; `habit`: and whenever they have nothing to do.
        They begin where the figure stands, or where a person of this house starts."""
        self._simulation, self._script, self._habit = simulation, list(script), iter(habit)
        self.stack = AgentStack(world_at_start(simulation.house, simulation.description, person=True), PERSON, "all")
        self._path: list[tuple[float, float]] = []
        self._pause = self._barred = self._still = 0.0
        self._seen, self._pulled = np.zeros(3), ""
        self._under_way: tuple[SkillCall, SkillResult] | None = None
        self.results: list[tuple[SkillCall, SkillResult]] = []
        """what was done, and how it ended"""
        self._pose = self._move(standing(simulation.model, simulation.data) or self.agent.pose)
        stand(simulation.model, simulation.data, self._pose)

    @property
    def agent(self) -> Agent:
        """Reach, speed, capabilities and what is in the hand."""
        return self.stack.world.agents[PERSON]

    @property
    def pose(self) -> Pose2:
        """Where the figure is now, map."""
        return self._pose

    @property
    def busy(self) -> bool:
        return self._under_way is not None or bool(self._script)

    def do(self, call: SkillCall) -> None:
        """Puts a skill after those that wait already."""
        self._script.append(call)

    def advance(self, dt: float) -> None:
        """Lets the person act for `dt` [s]."""
        if self._under_way is None and not self._take(dt):
            call = self._script.pop(0) if self._script else next(self._habit, None)
            if call is not None:
                self._begin(call)
        self._walk(dt)
        if self._under_way is not None and not self._path:
            self._pause -= dt
            if self._pause <= 0:
                self._finish(*self._under_way)
        self._hold()

    def _begin(self, call: SkillCall) -> None:
        """Decides by the oracle what will come of it; the figure has yet to go there."""
        self._take_in()
        world, start = self.stack.world, self.agent.pose
        result = self.stack.execute(call)
        if self.agent.pose[:2] != start[:2]:
            agent, ways = self.agent, world.ways(self.agent)
            end = ways.stop(agent.pose[:2], agent.room, start[:2], self._robots()) or agent.pose[:2]
            self._move(Pose2(*end, agent.pose.yaw))
            self._path = self._way_round(end) or ways.path(start[:2], end)[1:]
        self._pause = 0.0 if call.skill in SKILLS and SKILLS[call.skill].drives else _HANDLING
        self._under_way = (call, result)

    def _move(self, pose: Pose2) -> Pose2:
        """The copy of the world has them there now."""
        self.agent.pose, self.agent.room = pose, self.stack.world.room_at(pose[:2])
        return pose

    def _robots(self) -> dict[Leg, float]:
        """Where their bases stand and how far their hands stick out, and how far a person's middle keeps from that
        [m]."""
        data = self._simulation.data
        apart: dict[Leg, float] = {}
        for robot in self._simulation.robots:
            base = robot.body.base_pose(data)[:2]
            x, y = robot.body.link_pose(data, robot.description.tool_link)[:2, 3].tolist()
            width = float(np.hypot(*robot.description.footprint.T).max())
            apart |= {(base, base): width + self.agent.radius + _MARGIN, (base, (x, y)): _ARM + _MARGIN}
        return apart

    def _way_round(self, end: tuple[float, float]) -> list[tuple[float, float]]:
        """Clear of robots as they stand now; empty where there is none."""
        return self.stack.world.ways(self.agent).path_around(self._pose[:2], end, self._robots())[1:]

    def _robot_ahead(self) -> bool:
        """True if the next steps lead nearer to a robot than a person goes."""
        ahead, left = [self._pose[:2]], _AHEAD
        for point in self._path:
            left -= math.dist(ahead[-1], point)
            ahead.append(point)
            if left < 0:
                break
        return len(ahead) > 1 and any((near := away(np.array(ahead), leg)).min() < min(apart - _MARGIN / 2, near[0])
                                      for leg, apart in self._robots().items())

    def _wait(self, call: SkillCall, dt: float) -> None:
        """People wait for a robot in their way, look for one round it, and in the end give up going there."""
        before, self._barred = self._barred, self._barred + dt
        if self._barred // _LOOKS > before // _LOOKS:
            self._path = self._way_round(self._path[-1]) or self._path
        if self._barred > _PATIENCE and SKILLS[call.skill].drives:
            self._path = []
            self._move(self._pose)
            self._under_way = call, SkillResult(Code.EXECUTION_FAILED, "a robot stands in the way", Detail.PATH_BLOCKED,
                                                call.arguments[0])

    def _walk(self, dt: float) -> None:
        if self._under_way is not None and self._robot_ahead():
            self._wait(self._under_way[0], dt)
            return
        self._barred = 0.0
        left = self.agent.speed * dt
        x, y, yaw = self._pose
        while self._path and left > 0:
            nx, ny = self._path[0]
            step = math.dist((x, y), (nx, ny))
            if step > 1e-9:
                yaw = math.atan2(ny - y, nx - x)
            share = min(1.0, left / step) if step > 1e-9 else 1.0
            x, y, left = x + share * (nx - x), y + share * (ny - y), left - step
            if share >= 1.0:
                self._path.pop(0)
        self._pose = Pose2(x, y, yaw) if self._path else Pose2(x, y, self.agent.pose.yaw)
        stand(self._simulation.model, self._simulation.data, self._pose)

    def _finish(self, call: SkillCall, result: SkillResult) -> None:
        """Makes happen what the skill has changed."""
        self.results.append((call, result))
        self._under_way = None
        if call.skill not in SKILLS or not SKILLS[call.skill].changes_world:
            return  # others may have changed what the copy of the world has not
        simulation, world = self._simulation, self.stack.world
        truth = simulation.ground_truth()
        for piece in world.pieces.values():
            simulation.states[piece.id] = {k: v for k, v in piece.states.items() if k != "is_open"}
            for part in piece.parts:
                name = f"{piece.id}/{part.name}"
                if abs(truth.parts[name] - part.value) > 0.1 * part.range:
                    simulation.disturb("open" if part.open else "close", name)
        for thing in world.things.values():
            simulation.states[thing.name] = dict(thing.states)
            moved = math.dist(truth.bodies[thing.name].box.centre, thing.position) > _MOVED
            if moved and thing.support.relation in (Relation.ON, Relation.IN):
                space.put(simulation.world, thing.name, *thing.position[:2], thing.bottom, thing.yaw)
        wake(self._simulation.model, self._simulation.data)

    def _take(self, dt: float) -> bool:
        """Pulls at what a robot holds out until it is let go of; true while there is such a thing, or soon will be."""
        data, offered = self._simulation.data, None if self.agent.held else self._offered()
        if self._pulled and self._pulled != offered:
            force = data.body(self._pulled).xfrc_applied
            force[:] = 0.0
            if not any(self._pulled in held_objects(self._simulation.world, robot.body)
                       for robot in self._simulation.robots):
                self._have(self._pulled)
            self._pulled = ""
        if offered is None:
            self._still = 0.0
            return False
        place = data.body(offered).xpos.copy()
        self._still = self._still + dt if math.dist(place, self._seen) < _STILL * dt else 0.0
        self._seen = place
        if self._still > _REACTION:
            away = self._pose[:2] - place[:2]
            self._pose = self._move(Pose2(*self._pose[:2], math.atan2(*-away[::-1])))
            data.body(offered).xfrc_applied[:2] = _PULL * min(1.0, self._still - _REACTION) * away / np.hypot(*away)
            self._pulled = offered
        return True

    def _offered(self) -> str | None:
        """What a robot holds near enough to take it."""
        for robot in self._simulation.robots:
            tool = robot.body.link_pose(self._simulation.data, robot.description.tool_link)[:3, 3]
            if math.dist(tool[:2], self._pose[:2]) < _TAKES and tool[2] > _LOW:
                for name in held_objects(self._simulation.world, robot.body):
                    return name
        return None

    def _have(self, name: str) -> None:
        """It is in their hand now."""
        thing = self.stack.world.things[name]
        self.agent.held = name
        self.stack.world.settle(thing, (*self._pose[:2], HAND[2]), Support(Relation.HELD_BY, PERSON))

    def _hold(self) -> None:
        """What is in the hand goes along."""
        held = self.agent.held
        self._simulation.world.holders.clear()
        self._simulation.world.holders.update({held: PERSON} if held else {})
        if not self.agent.held or (self._under_way is not None and does(self._under_way[0].skill, Takes)):
            return
        joint = self._simulation.data.joint(self.agent.held)
        x, y = self._pose.apply(np.array(HAND[:2]))
        yaw = self._pose.yaw
        joint.qpos = (x, y, HAND[2], math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
        joint.qvel = 0.0
        wake(self._simulation.model, self._simulation.data)

    def _take_in(self) -> None:
        """Brings the copy up to what has truly happened since."""
        world, truth = self.stack.world, self._simulation.ground_truth()
        robot = world.agents[ROBOT]
        robot.pose, robot.room = truth.robot, world.room_at(truth.robot[:2])
        robot.held = next((name for name, body in truth.bodies.items() if body.held and not body.holder), "")
        for piece in list(world.pieces.values()):
            for part in piece.parts:
                world.move_part(piece.id, part.name, truth.parts[f"{piece.id}/{part.name}"])
        for thing in world.things.values():
            body = truth.bodies[thing.name]
            thing.states = dict(self._simulation.states[thing.name])
            if thing.name == robot.held:
                world.settle(thing, tuple(body.box.centre.tolist()), Support(Relation.HELD_BY, robot.name))
            elif thing.name != self.agent.held:
                self._resettle(thing, tuple(body.box.centre.tolist()))
        self.stack.view.know_all()

    def _resettle(self, thing: OracleObject, centre: tuple[float, float, float]) -> None:
        """Where the copy has it, unless it was moved."""
        world = self.stack.world
        if math.dist(centre, thing.position) <= _MOVED and thing.support.relation is not Relation.HELD_BY:
            return
        graph = world.layout.copy()
        for piece in world.pieces.values():
            graph.put(piece)
        entity = Entity(thing.name, Kind.OBJECT, thing.category, centre, size=thing.size)
        edge = support_edge(graph, entity, SupportSettings())
        support = (Support(edge.relation, edge.object, edge.part) if edge is not None
                   else Support(Relation.IN_ROOM, world.room_at(centre[:2])))
        world.settle(thing, centre, support, thing.yaw)

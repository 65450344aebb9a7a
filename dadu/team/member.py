"""One agent of a team whose others are elsewhere: what it says goes out to them, what they say comes in at any time.

It plans for itself (`Decentral`). Signs of life repeat what everybody works at, so that a message that was lost, or
said before somebody came, is made up for; who gives none any more, or is held up, is not counted on.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import hypot, pi

from dadu.core.errors import NotUsable, choices
from dadu.core.robot import RobotDescription
from dadu.planner.policies.detected import DetectedView
from dadu.planner.policies.policy import TaskPlanner, Turn
from dadu.planner.policies.seeing import SeeingPolicy
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.team.coordination import Decentral, Mate
from dadu.team.jobs import Job
from dadu.team.messages import Act, Channel, TeamMessage
from dadu.team.policy import TeamPolicy
from dadu.team.world import AHEAD
from dadu.world.graph import ROBOT, Entity, Kind, Relation
from dadu.world.names import called, meant

PATIENCE = 10.0
"""how long who waits for others does so at most before it thinks again [s]"""
_BEAT = 1.0
"""between two signs of life [s]"""
_SILENCE = PATIENCE
"""without any for so long an agent counts as gone [s]"""
_SILENT = "it is silent"
_SPREADS = 5.0
"""in which what one has done and seen is known to all [s]; until then its word counts"""
_WAY = 1.4
"""times the straight line is the way between two places of a home"""


class TeamAgent(Decentral):
    """Of one task. `receive`, `beat`, `news` and `overtaken` are for the node's thread, the rest for the planner's."""

    channel: _Radio

    def __init__(self, me: str, team: Mapping[str, RobotDescription], now: Callable[[], float],
                 send: Callable[[TeamMessage], None]) -> None:
        """`team`: everybody, in one order for all; `now` [s]; `send` tells all others, in either thread."""
        mates = [Mate(name, robot.capabilities, _seconds(robot)) for name, robot in team.items()]
        super().__init__(mates, _Radio(now, send), shared=True)
        self.me, self._now, self._send = me, now, send
        self._inbox: deque[TeamMessage] = deque()
        self._seen_alive = dict.fromkeys(self.mates, now())
        self._beaten = 0.0
        self._held_up = False
        self._job = ""
        self.silent: set[str] = set()
        """who gives no sign of life: what one of them had in the hand, nobody has"""
        self._told: set[str] = set()
        """places of which it has said that it has looked there"""
        self._glance = ""

    def receive(self, message: TeamMessage) -> None:
        """What another says. Errors: NotUsable for who is no other of this team, and for what is yet to come."""
        if message.sender == self.me:
            return
        if message.sender not in self.mates:
            raise NotUsable(f"{message.sender[:40]!r} is none of this team: {choices(self.mates)}")
        if message.stamp > self._now() + AHEAD:
            raise NotUsable(f"{message.sender} says what is yet to come; do both machines have the same time?")
        self._seen_alive[message.sender] = self._now()
        here, act = self.mates[message.sender].here, message.act
        known = here and message.job in ("", *self._claims(self.channel.said))
        if not (act is Act.HERE and known) and not (act is Act.GONE and not here):
            self._inbox.append(message)

    def beat(self, held_up: str = "") -> None:
        """To be called often: says that it is here, or why not, and finds out who is not any more."""
        now = self._now()
        if now < self._beaten:  # time began anew
            self._seen_alive = dict.fromkeys(self.mates, now)
        if bool(held_up) != self._held_up or not self._beaten <= now < self._beaten + _BEAT:
            said = TeamMessage(now, self.me, Act.GONE if held_up else Act.HERE, self._job, reason=held_up)
            if bool(held_up) != self._held_up:
                self._inbox.append(said)
            self._held_up, self._beaten = bool(held_up), now
            self._send(said)
        for name, mate in self.mates.items():
            if name != self.me and mate.here and now > self._seen_alive[name] + _SILENCE:
                self._seen_alive[name] = now
                self._inbox.append(TeamMessage(now, name, Act.GONE, "", reason=_SILENT))

    def news(self) -> bool:
        """True if something was said that has not been thought about."""
        return bool(self._inbox)

    def overtaken(self) -> bool:
        """True if another has what this one works at: both took it at once, and the other was last."""
        said = sorted([*self.channel.said, *self._inbox], key=_order)
        other = self._claims(said).get(self._job, self.me)
        return other != self.me and self.mates[other].here

    def catch_up(self) -> None:
        """Takes in what was said since the last turn."""
        while self._inbox:
            self.hear(self._inbox.popleft())

    def hear(self, message: TeamMessage) -> None:
        """What anybody has said, in the order in which it came."""
        mate, act = self.mates[message.sender], message.act
        if act in (Act.GONE, Act.THROUGH):
            mate.here = False
            self.looking.pop(mate.name, None)
            if message.reason == _SILENT:
                self.silent.add(mate.name)
                self.looked.pop(mate.name, None)
        elif act is Act.HERE:
            mate.here = True
            self.silent.discard(mate.name)
            if message.job and message.job not in self.begun():
                message = replace(message, act=Act.TAKE)
        elif act is Act.LOOK:
            self.looking[mate.name] = message.job
        elif act is Act.LOOKED:
            self.looked.setdefault(mate.name, set()).add(message.job)
        elif act is Act.CANNOT:
            self._cannot.setdefault(message.job, set()).add(mate.name)
        if message.act is Act.TAKE:
            self._cannot.get(message.job, set()).discard(mate.name)
        self.channel.keep(message)

    def tell_looks(self) -> None:
        """Says where it looks, and has looked, where others do not know."""
        now, glance = self._now(), self.looking.get(self.me, "")
        for place in sorted(self.looked.get(self.me, set()) - self._told):
            self._told.add(place)
            self.channel.say(TeamMessage(now, self.me, Act.LOOKED, place))
        if glance and glance != self._glance:
            self.channel.say(TeamMessage(now, self.me, Act.LOOK, glance))
        self._glance = glance

    def done(self, me: str, job: str, now: float) -> None:
        self._job = "" if job == self._job else self._job
        super().done(me, job, now)

    def give_up(self, me: str, job: Job, reason: str, now: float) -> None:
        self._job = "" if job.name == self._job else self._job
        super().give_up(me, job, reason, now)

    def _claim(self, me: str, job: Job, now: float) -> None:
        self._job = job.name
        super()._claim(me, job, now)

    def _believes(self, done: TeamMessage) -> bool:
        """What another has done is seen here a little later, and not begun again in between."""
        return self._now() < done.stamp + _SPREADS


class TeamAgentPolicy(TeamPolicy):
    """The planner of a member."""

    def __init__(self, member: TeamAgent, symbolic: SymbolicPolicy) -> None:
        super().__init__(member.me, member, symbolic)
        self._member = member

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        member = self._member
        member.catch_up()
        if not member.mates[member.me].here:
            return Decision(SkillCall("wait"), "it is held up: others see to its part", self.name)
        graph = turn.graph.copy()
        for name in (called(mate, member.me) for mate in member.mates):
            if name not in graph and ROBOT in graph:  # where it is nobody has said yet
                graph.put(Entity(name, Kind.AGENT, ROBOT, graph[ROBOT].position))
        graph.edges = {e for e in graph.edges if not (
            e.relation is Relation.HELD_BY and meant(e.object, member.me) in member.silent)}
        decision = super().choose(replace(turn, graph=graph))
        member.tell_looks()
        return decision


def in_team(planner: TaskPlanner, member: TeamAgent, capabilities: Iterable[str]) -> TaskPlanner:
    """The same goal, pursued with others."""
    policy = TeamAgentPolicy(member, SymbolicPolicy(tuple(capabilities), False))
    return replace(planner, policy=SeeingPolicy(policy, DetectedView()))


def _order(message: TeamMessage) -> tuple[float, str]:
    """In which all take what was said, whenever they hear it."""
    return message.stamp, message.sender


class _Radio(Channel):
    """What is said goes out, and is kept in its order."""

    def __init__(self, now: Callable[[], float], send: Callable[[TeamMessage], None]) -> None:
        super().__init__()
        self._now, self._send = now, send

    def say(self, message: TeamMessage) -> None:
        message = replace(message, stamp=self._now())
        self._send(message)
        self.keep(message)

    def keep(self, message: TeamMessage) -> None:
        insort(self.said, message, key=_order)


def _seconds(robot: RobotDescription) -> Callable[[tuple[float, float], tuple[float, float]], float]:
    """How long a way takes, about."""
    speed, turn = robot.max_speed.vx, robot.max_speed.wz
    if speed <= 0.0:
        return lambda a, b: 0.0 if a == b else float("inf")
    return lambda a, b: _WAY * hypot(a[0] - b[0], a[1] - b[1]) / speed + (pi / 2 / turn if turn > 0 else 0.0)

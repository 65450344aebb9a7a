"""The topics of a team, outside of any namespace: ``/team/messages`` and ``/team/world``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dadu_interfaces import msg
from dadu_nodes.support import qos
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.wall import AGAIN, LOOK, STEADY

from dadu.core.errors import ConfigError, choices
from dadu.core.robot import RobotDescription
from dadu.memory.memory import Memory
from dadu.replay import messages
from dadu.robots import load_robot
from dadu.team.member import TeamAgent
from dadu.team.world import TeamWorld

MESSAGES, WORLD = "/team/messages", "/team/world"


def members(node: DaduNode[Any], team: Sequence[str]) -> tuple[str, Mapping[str, RobotDescription]]:
    """This robot's name, which is its namespace, and all by name, of ``NAME=ROBOT``. Errors: ConfigError where it is
    none of them."""
    me, robots = node.get_namespace().strip("/"), dict(member.partition("=")[::2] for member in team)
    if me not in robots:
        raise ConfigError(f"a robot in namespace {me!r} is none of the team: {choices(robots)}")
    return me, {name: load_robot(robot) for name, robot in robots.items()}


class TeamMessages:
    """Of one planner. `join` begins a common task, `leave` ends it."""

    def __init__(self, node: DaduNode[Any], team: Sequence[str], held_up: Callable[[], str]) -> None:
        """`held_up` says why this robot cannot do anything now; empty: it can."""
        self._node, self._held_up = node, held_up
        self._me, self._team = members(node, team)
        self._task = ""
        self.member: TeamAgent | None = None
        """in the task under way"""
        self._publisher = node.create_publisher(msg.TeamMessage, MESSAGES, qos.TEAM)
        node.create_subscription(msg.TeamMessage, MESSAGES, self._on_message, qos.TEAM)
        self._timer = node.create_timer(LOOK, self._beat, clock=STEADY)
        self._timer.cancel()

    def join(self, task: str) -> TeamAgent:
        self._task = task
        self.member = TeamAgent(self._me, self._team, self._node.now, lambda message: self._publisher.publish(
            encode.team_message(message, task)))
        self._beat()
        self._timer.reset()
        return self.member

    def leave(self, success: bool) -> None:
        """What it had taken is for others, unless all is done."""
        self._timer.cancel()
        if self.member is not None:
            self.member.end(self._me, success, self._node.now())
        self.member = None

    def _beat(self) -> None:
        if self.member is not None:
            self.member.beat(self._held_up())

    def _on_message(self, message: msg.TeamMessage) -> None:
        heard = messages.team_message(message)
        if self.member is not None and message.task == self._task:
            self.member.receive(heard)


class TeamSights:
    """Of one memory, which learns what others have seen."""

    def __init__(self, node: DaduNode[Any], team: Sequence[str], memory: Memory) -> None:
        self._node, self._memory = node, memory
        me, everybody = members(node, team)
        self._world = TeamWorld(me, list(everybody))
        self._publisher = node.create_publisher(msg.TeamWorld, WORLD, qos.LATCHED)
        node.create_subscription(msg.TeamWorld, WORLD, self._on_told, qos.TEAM_WORLD)
        node.create_timer(AGAIN, self._exchange, clock=STEADY)

    def _exchange(self) -> None:
        now = self._node.now()
        if now > 0.0:
            self._publisher.publish(self._node.frames.sent(encode.told(self._world.exchange(self._memory, now), now)))

    def _on_told(self, message: msg.TeamWorld) -> None:
        self._world.hear(messages.told(message), self._node.now())

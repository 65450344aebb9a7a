"""Who plays which agent, from the moment when people gather for an episode to its verdict.

The team's thread calls `gather`, `begin`, `player`, `pace` and `finish`; the web server's threads call what
`dadu.operator.play.app.PlayOperations` has. What both touch is behind one lock, or replaced as a whole.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field

from dadu.core.errors import choices
from dadu.operator.play.orders import SAYS, NotNow, Say, SkillOrder
from dadu.operator.play.scene import PlayScene, Tracks
from dadu.operator.play.state import EpisodeVerdict, MenuItem, PlayState, SeatView, Stage
from dadu.stacks.team import TeamStack
from dadu.team.player import Player, Saying
from dadu.team.settings import TeamSettings

_SILENT = 20.0
"""wall seconds without a request after which somebody else may take a seat: a page asks ten times a second"""
_SHOWN = 0.1
"""wall seconds between two pictures"""
_LAST = 3.0
"""wall seconds that the end of the run waits for pages to hear of it"""
_LATE = 0.5
"""wall seconds by which the machine may be behind; beyond, time is not made up for, but goes on from there"""


@dataclass
class _Seat:
    key: str = ""
    heard: float = 0.0
    """wall, monotonic [s]"""
    ready: bool = False
    told: bool = False
    """that the run is over"""
    player: Player = field(default_factory=Player)
    scene: PlayScene | None = None

    @property
    def taken(self) -> bool:
        return bool(self.key) and time.monotonic() < self.heard + _SILENT


class Seats:
    """Of a run."""

    def __init__(self, settings: TeamSettings, episodes: int, ledger: str = "") -> None:
        """`ledger`: what agents are told, as shown."""
        self._speed = settings.speed
        self._seats = {name: _Seat() for name in settings.people}
        self._changed = threading.Condition()
        self._base = PlayState(stage="gathering", episode="", number=0, episodes=episodes, instruction="", seats=[],
                               speed=settings.speed, knowledge=settings.knowledge, ledger=ledger)
        self._stack: TeamStack | None = None
        self._tracks = Tracks()
        self._start, self._wall, self._showed = 0.0, 0.0, 0.0

    # the team's thread

    def gather(self, episode: str, instruction: str) -> None:
        """Waits until every seat is taken and ready."""
        with self._changed:
            number = self._base.number + 1
            self._stand("ended" if self._base.verdict is not None else "gathering", episode=episode, number=number,
                        instruction=instruction)
            while not all(seat.taken and seat.ready for seat in self._seats.values()):
                self._changed.wait(0.2)
            for seat in self._seats.values():  # who has pressed Start did so for this one, however early
                seat.ready, seat.player = False, Player()

    def begin(self, stack: TeamStack, limit: float) -> None:
        """An episode; `limit` [s, simulated]."""
        self._stack, self._tracks = stack, Tracks()
        self._start, self._wall, self._showed = stack.now(), time.monotonic(), 0.0
        with self._changed:
            for seat in self._seats.values():
                seat.scene = None
            self._stand("running", limit=limit, verdict=None)

    def player(self, agent: str) -> Player:
        """Who plays an agent of this episode."""
        return self._seats[agent].player

    def pace(self, agent: str) -> None:
        """Waits until it is the agent's time; without a speed, until whoever plays it wants something."""
        stack = self._team
        for name, other in stack.world.agents.items():
            self._tracks.add(name, other.clock, other.pose)
        now, played = stack.members[agent].now(), stack.played.get(agent)
        if not self._speed:
            self._show(now)
            while played is not None and played.idle and not played.player.wants(_SHOWN):
                self._show(now)
            return
        due = self._wall + (now - self._start) / self._speed
        while (left := due - time.monotonic()) > 0:
            self._show(now - left * self._speed)
            time.sleep(min(left, _SHOWN))
        self._wall += max(0.0, -left - _LATE)
        self._show(now)

    def finish(self, verdict: EpisodeVerdict) -> None:
        """How the episode went."""
        with self._changed:
            self._stand("ended", verdict=verdict)

    def close(self) -> None:
        """The run is over: comes back once all pages know, or soon."""
        with self._changed:
            self._stand("over")
            self._changed.wait_for(lambda: all(seat.told or not seat.taken for seat in self._seats.values()), _LAST)

    @property
    def _team(self) -> TeamStack:
        assert self._stack is not None, "`begin` comes first"
        return self._stack

    def _stand(self, stage: Stage, **update: object) -> None:
        self._base = self._base.model_copy(update={"stage": stage, **update})

    def _show(self, now: float) -> None:
        """Ten times a second at most, `now` [s, simulated]."""
        if time.monotonic() < self._showed + _SHOWN:
            return
        self._showed = time.monotonic()
        stack = self._team
        poses = {name: self._tracks.at(name, now) for name in stack.world.agents}
        base = self._base.model_copy(update={"time": round(now - self._start, 2)})
        for name, seat in self._seats.items():
            if name in stack.played:
                scene = seat.scene or PlayScene(stack.played[name], stack, stack.world.house.doors)
                scene.show(base, poses, self._start)
                seat.scene = scene

    # dadu.operator.play.app.PlayOperations: the web server's threads

    def state(self, key: str, known: int) -> PlayState:
        with self._changed:
            name, base = self._named(key), self._base
            if name:
                self._seats[name].heard, self._seats[name].told = time.monotonic(), base.stage == "over"
                self._changed.notify_all()
            seats = [SeatView(agent=n, taken=s.taken, ready=s.ready, yours=n == name) for n, s in self._seats.items()]
        scene = self._seats[name].scene if name else None
        shown = scene.state if scene is not None else None
        state = base.model_copy(update={"you": name})
        if shown is not None:
            same = {"things": None} if shown.known == known else {}
            state = shown.model_copy(update={"stage": base.stage, "verdict": base.verdict, "number": base.number,
                                             "episode": base.episode, "instruction": base.instruction, **same})
        return state.model_copy(update={"seats": seats})

    def plan(self, key: str) -> str:
        scene = self._seat(key).scene
        return scene.svg if scene is not None else ""

    def menu(self, key: str, id: str) -> list[MenuItem]:
        scene = self._seat(key).scene
        return scene.offers(id) if scene is not None else []

    def join(self, agent: str, key: str) -> str:
        with self._changed:
            if agent not in self._seats:
                raise NotNow(f"nobody plays {agent!r} here; valid: {choices(self._seats)}")
            seat = self._seats[agent]
            if seat.key == key and key:
                return key
            if seat.taken:
                free = choices(name for name, s in self._seats.items() if not s.taken)
                raise NotNow(f"{agent} is played by somebody else; free: {free}")
            if old := self._named(key):
                self._seats[old].key, self._seats[old].ready = "", False
            seat.key, seat.heard, seat.ready = secrets.token_urlsafe(16), time.monotonic(), False
            return seat.key

    def start(self, key: str) -> None:
        seat = self._seat(key)
        with self._changed:
            seat.ready, seat.heard = True, time.monotonic()
            self._changed.notify_all()

    def order(self, key: str, order: SkillOrder) -> None:
        seat, scene = self._playing(key)
        seat.player.order(*scene.calls(order.skill_call))

    def stop(self, key: str) -> None:
        self._playing(key)[0].player.stop()

    def say(self, key: str, say: Say) -> None:
        seat, scene = self._playing(key)
        state = scene.state
        jobs = [job.name for job in state.jobs] if state is not None else []
        agents = [mark.name for mark in state.agents if not mark.you] if state is not None else []
        if say.job not in jobs:
            raise NotNow(f"{say.job!r} is no part of the task; valid: {choices(jobs)}")
        if say.to and say.to not in agents:
            raise NotNow(f"nobody is called {say.to!r}; valid: {choices(agents)}")
        seat.player.say(Saying(SAYS[say.act], say.job, say.to))

    def end(self, key: str, done: bool) -> None:
        self._playing(key)[0].player.end(done)

    def _named(self, key: str) -> str:
        """Name of the agent whose seat has that key."""
        return next((name for name, seat in self._seats.items() if key and secrets.compare_digest(
            seat.key.encode(), key.encode())), "")

    def _seat(self, key: str) -> _Seat:
        name = self._named(key)
        if not name:
            raise NotNow(f"you play nobody (any more): join as one of {choices(self._seats)}")
        return self._seats[name]

    def _playing(self, key: str) -> tuple[_Seat, PlayScene]:
        seat = self._seat(key)
        if self._base.stage != "running" or seat.scene is None:
            raise NotNow("no episode is under way")
        return seat, seat.scene

"""Who of a team does what: decided by one mind for all, or by everybody for himself from what others say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from dadu.goals.progress import Progress
from dadu.planner.policies.policy import Turn
from dadu.skills.effects import position_of
from dadu.team.assignment import Problem, Queues, assign
from dadu.team.jobs import Job, jobs, waits
from dadu.team.messages import Act, Channel, TeamMessage
from dadu.world.graph import Kind, Relation, WorldGraph
from dadu.world.names import called

_LOOK = 8.0
"""to look round in a room [s]"""
_SEEN_BY_THEN = 0.25
"""of a search what is left of it for who has searched for something else before"""
Point = tuple[float, float]


@dataclass
class Mate:
    """One agent of a team, as the others know it."""

    name: str
    capabilities: tuple[str, ...]
    seconds: Callable[[Point, Point], float]
    """how long it takes from one point of the map [m] to another [s]"""
    price: float = 0.0
    """of its time, as `dadu.team.assignment.Problem`: what it is worth to the team to spare it"""
    here: bool = True
    """false once it takes no part any more"""
    led: bool = True
    """false: it does as it likes, as people do. It is counted on only for what it has taken or was asked for by another
    of its kind, and it is asked for what nobody else can do"""


@dataclass(frozen=True)
class Share:
    """What one agent is to do now."""

    open: tuple[Job, ...]
    """all that is left, whoever does it"""
    mine: tuple[Job, ...]
    """in order; beside it what nobody can do"""
    after: dict[str, list[str]] = field(default_factory=dict)
    """as `dadu.team.jobs.waits`"""
    done: tuple[Job, ...] = ()
    """what others have said to be done, though this agent has not seen it; and what only another is asked for"""

    @property
    def others(self) -> tuple[Job, ...]:
        """What others do."""
        return tuple(job for job in self.open if job not in self.mine)


class Coordination(ABC):
    """Of one task. Every agent asks for its `share` at every turn, and tells what came of it."""

    def __init__(self, mates: Iterable[Mate], channel: Channel, shared: bool) -> None:
        """`shared`: what one sees all know."""
        self.mates = {mate.name: mate for mate in mates}
        self.channel, self.shared = channel, shared
        self.looked: dict[str, set[str]] = {}
        """by agent the places that it has searched"""
        self.looking: dict[str, str] = {}
        """by agent the place that it searches now"""
        self._sought: set[str] = set()
        """names of jobs that were begun before their thing was found"""
        self._cannot: dict[str, set[str]] = {}
        """by name of a job who has given it up"""
        self._asked: set[str] = set()
        """names of jobs that people were asked for"""

    def share(self, me: str, turn: Turn, progress: Progress) -> Share:
        """What `me` is to do, by what it knows now."""
        left = jobs(progress, turn.graph, [m.capabilities for m in self.mates.values() if m.here])
        said = {m.job for m in self.channel.heard(me) if m.act is Act.DONE and self._believes(m)}
        first = next((mate.name for mate in self.mates.values() if mate.here), me)
        done = tuple(job for job in left if job.name in said or (job.alone and me != first))
        open_ = [job for job in left if job not in done]
        after = waits(progress, open_)
        queues = self._queues(me, turn, open_, after)
        self._ask_people(me, [job for job in open_ if not any(job.name in queue for queue in queues.values())], turn)
        wanted = queues.get(me, [])
        mine = sorted((j for j in open_ if j.name in wanted), key=lambda j: wanted.index(j.name))
        orphans = [j for j in open_ if not self.hope(j) and j not in mine]
        return Share(tuple(open_), (*mine, *orphans), after, done)

    def _believes(self, done: TeamMessage) -> bool:
        """True if it counts as done though this agent does not see it: it sees all that others do where that is
        shared."""
        return not self.shared

    def _ask_people(self, me: str, jobs: Iterable[Job], turn: Turn) -> None:
        """For what nobody is going to do, unless somebody does it who does as he likes. Once."""
        now = turn.history[-1].end if turn.history else 0.0
        for job in jobs:
            able = next((m.name for m in self.mates.values() if not m.led and m.name != me and self.able(m, job)), "")
            if able and job.name not in self._asked:
                self._asked.add(job.name)
                self.channel.say(TeamMessage(now, me, Act.ASK, job.name, to=able))

    def hope(self, job: Job) -> bool:
        """True if somebody can still do it."""
        return any(self.able(mate, job) for mate in self.mates.values())

    def able(self, mate: Mate, job: Job) -> bool:
        return mate.here and job.within(mate.capabilities) and mate.name not in self._cannot.get(job.name, ())

    def give_up(self, me: str, job: Job, reason: str, now: float) -> None:
        """`me` sees no way to do it."""
        if me not in self._cannot.setdefault(job.name, set()):
            self._cannot[job.name].add(me)
            self.channel.say(TeamMessage(now, me, Act.CANNOT, job.name, reason=reason))

    def done(self, me: str, job: str, now: float) -> None:
        """`me` has seen to it."""
        self.channel.say(TeamMessage(now, me, Act.DONE, job))

    def hear(self, message: TeamMessage) -> None:
        """What somebody says who does as he likes."""
        if message.act is Act.CANNOT:
            self._cannot.setdefault(message.job, set()).add(message.sender)
        elif message.act is Act.TAKE:
            self._cannot.get(message.job, set()).discard(message.sender)
        self.channel.say(message)

    def end(self, me: str, success: bool, now: float) -> None:
        """`me` does nothing more: all that it knows of holds, or it sees no way."""
        if not success:
            return self.leave(me, now)
        for job in [job for job, agent in self.begun().items() if agent == me]:
            self.done(me, job, now)
        self.channel.say(TeamMessage(now, me, Act.THROUGH, "it"))
        self.mates[me].here = self.mates[me].led  # nobody calls them back

    def leave(self, me: str, now: float) -> None:
        """`me` takes no part any more: it is dead, or a person has taken it over."""
        self.mates[me].here = False
        self.looking.pop(me, None)
        self.looked.pop(me, None)  # what it has not told any more, and what it has dropped, may be there
        self.channel.say(TeamMessage(now, me, Act.GONE, "it"))

    def take(self, me: str, job: Job, now: float) -> None:
        """`me` begins with it."""
        (self._sought.discard if job.thing else self._sought.add)(job.name)
        self._claim(me, job, now)

    def sooner(self, other: str, me: str, place: str, graph: WorldGraph) -> bool:
        """True if `other` is at a place, by `me`'s `graph`, no later than `me` could be."""
        ways = [self.mates[name].seconds(*(_position(graph, id) for id in (called(name, me), place)))
                for name in (other, me)]
        return ways[0] <= ways[1]

    @abstractmethod
    def _claim(self, me: str, job: Job, now: float) -> None:
        """Tells others that `me` works at it, where they do not know."""

    @abstractmethod
    def begun(self) -> dict[str, str]:
        """By job who works at it."""

    def _claims(self, said: Iterable[TeamMessage]) -> dict[str, str]:
        """By job whose it is by what was said last: one job at a time for who is led, any number for people, who may
        also give one to another."""
        claims: dict[str, str] = {}
        for message in said:
            led = message.sender not in self.mates or self.mates[message.sender].led
            if message.act is Act.TAKE:
                for job in [j for j, agent in claims.items() if led and agent == message.sender]:
                    del claims[job]
                claims[message.job] = message.sender
            elif message.act is Act.ASK and message.to and not led:
                claims[message.job] = message.to
            elif message.act in (Act.DONE, Act.CANNOT) and claims.get(message.job) == message.sender:
                del claims[message.job]
        return claims

    def _queues(self, me: str, turn: Turn, open_: list[Job], after: dict[str, list[str]]) -> Queues:
        """By agent names of jobs, in order: the best that can be done by what `me` knows. What one has begun stays his:
        to change costs what was done for it, and agents that know different things would change for ever. Only when
        what was looked for is found it is asked anew who is to have it."""
        begun = {job: agent for job, agent in self.begun().items() if self.mates[agent].here}
        held = {job.name: mate.name for job in open_ for mate in self.mates.values() if job.thing
                and (thing := turn.graph.held(called(mate.name, me))) is not None and thing.id == job.thing}
        kept = {job.name: begun[job.name] for job in open_ if job.name in begun
                and not (job.thing and job.name in self._sought)}
        by_name = {job.name: job for job in open_}
        fixed = {name: agent for name, agent in {**kept, **held}.items() if self.able(self.mates[agent], by_name[name])}
        costs = _Costs(self, me, turn, by_name, fixed)
        here = {mate.name: mate.price for mate in self.mates.values() if mate.here}
        return assign(Problem(list(here), list(by_name), costs.seconds, after, fixed, here))


class Central(Coordination):
    """One mind, which assigns jobs to all whenever one of them has nothing to do or something has changed. It knows
    what the agent knows that asks, and where all are."""

    def __init__(self, mates: Iterable[Mate], channel: Channel, shared: bool) -> None:
        super().__init__(mates, channel, shared)
        self._told: dict[str, str] = {}

    def _claim(self, me: str, job: Job, now: float) -> None:
        if self._told.get(me) != job.name:
            self._told[me] = job.name
            self.channel.say(TeamMessage(now, "team", Act.ASK, job.name, to=me))

    def begun(self) -> dict[str, str]:
        """What people have taken is theirs."""
        return {job: agent for agent, job in self._told.items()} | self._claims(self.channel.said)


class Decentral(Coordination):
    """Everybody assigns for himself, by what he knows, and says what he takes."""

    def _claim(self, me: str, job: Job, now: float) -> None:
        if self.begun().get(job.name) != me:
            self.channel.say(TeamMessage(now, me, Act.TAKE, job.name))

    def give_up(self, me: str, job: Job, reason: str, now: float) -> None:
        """Who cannot asks the next who can."""
        super().give_up(me, job, reason, now)
        able = next((mate.name for mate in self.mates.values() if mate.name != me and self.able(mate, job)), "")
        if able:
            self.channel.say(TeamMessage(now, me, Act.ASK, job.name, to=able))

    def begun(self) -> dict[str, str]:
        return self._claims(self.channel.said)


class _Costs:
    """Times of jobs, by what one agent knows."""

    def __init__(self, team: Coordination, me: str, turn: Turn, open_: dict[str, Job], fixed: Mapping[str, str]
                 ) -> None:
        """`fixed`: jobs whose agent is settled."""
        self._team, self._me, self._turn, self._open, self._fixed = team, me, turn, open_, fixed
        self._graph: WorldGraph = turn.graph
        self._known: dict[tuple[str, str | None, str], float] = {}

    def seconds(self, agent: str, last: str | None, name: str) -> float:
        """As `dadu.team.assignment.Cost`."""
        key = agent, last, name
        if key not in self._known:
            self._known[key] = self._work_out(self._team.mates[agent], last, self._open[name])
        return self._known[key]

    def _work_out(self, mate: Mate, last: str | None, job: Job) -> float:
        if not self._team.able(mate, job) or not (mate.led or self._fixed.get(job.name) == mate.name):
            return float("inf")
        start = self._end(self._open[last], None) if last is not None else self._position(called(mate.name, self._me))
        held = self._graph.held(called(mate.name, self._me))
        spent = 0.0
        there: Point | None = start
        if held is None or held.id != job.thing:
            support = self._graph.support(job.thing) if job.thing else None
            if support is not None and support.relation is Relation.HELD_BY:
                return float("inf")  # nobody takes it out of another's hand
            there = self._thing(job)
            if there is None:
                spent = self._search(mate, start) * (1.0 if last is None else _SEEN_BY_THEN)
            else:
                spent = mate.seconds(start, there)
        end = self._end(job, there or start)
        return spent + mate.seconds(there or start, end)

    def _thing(self, job: Job) -> Point | None:
        """Where it is; None where that is not known."""
        return self._position(job.thing) if job.thing and job.thing in self._graph else None

    def _end(self, job: Job, start: Point | None) -> Point:
        """Where an agent is once it has done it; `start`: where the thing is."""
        progress = self._turn.progress
        start = start or self._thing(job) or self._position(called(self._me, self._me))
        for i in reversed(job.indices):
            p = progress.proposition(i) if progress is not None else None
            places = [self._position(id) for id in (p.object.ids if p is not None and p.object is not None else ())
                      if id in self._graph]
            if places:
                return min(places, key=lambda xy: (xy[0] - start[0]) ** 2 + (xy[1] - start[1]) ** 2)
        return start

    def _search(self, mate: Mate, start: Point) -> float:
        """Expected time; where all know what one sees, they find it sooner together: so many looks a second add up."""
        if not self._team.shared:
            return self._alone(mate, start, self._team.looked.get(mate.name, ()))
        looked = set().union(*self._team.looked.values())
        others = [self._alone(m, self._position(called(m.name, self._me)), looked) for m in self._team.mates.values()
                  if m.here and m is not mate]
        return 1 / sum(1 / seconds for seconds in (self._alone(mate, start, looked), *others))

    def _alone(self, mate: Mate, start: Point, looked: Collection[str]) -> float:
        """Half of the rooms that were not looked at, one after the other from the nearest."""
        rooms = [r.position[:2] for r in self._graph.of(Kind.ROOM) if r.id not in looked]
        return sum(mate.seconds(start, room) + _LOOK for room in rooms) / 2 or _LOOK

    def _position(self, id: str) -> Point:
        return _position(self._graph, id)


def _position(graph: WorldGraph, id: str) -> Point:
    x, y = position_of(graph, id)[:2]
    return float(x), float(y)

"""All that the page of a person who plays an agent shows, as it is sent to it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from dadu.operator.console.state import PlanPoint, StepView

Stage = Literal["gathering", "running", "ended", "over"]


class SeatView(BaseModel):
    """An agent that somebody plays, or may."""

    agent: str
    taken: bool
    ready: bool
    """has pressed Start"""
    yours: bool


class AgentMark(BaseModel):
    """Where an agent is on the plan, which all agents of a team know of one another."""

    name: str
    you: bool
    person: bool
    pose: tuple[float, float, float]
    """x, y [px], heading [deg, clockwise]"""


class JobView(BaseModel):
    """A part of the task, as far as your agent knows."""

    name: str
    """by which it is called in requests"""
    words: str
    done: bool
    by: str
    """who has taken it; empty: nobody"""


class MessageView(BaseModel):
    """What an agent has said."""

    number: int
    stamp: float
    """[s]"""
    sender: str
    text: str


class KnownThing(BaseModel):
    """An object, a piece of furniture or a room as your agent knows it."""

    id: str
    kind: str
    where: str
    at: PlanPoint | None
    """None: in your hand"""
    states: list[str]


class EpisodeVerdict(BaseModel):
    """How the episode went, by the judge."""

    success: bool
    percent_complete: float
    explanation: str
    seconds: float
    """simulated"""


class PlayState(BaseModel):
    """All that changes on the page."""

    stage: Stage
    episode: str
    number: int
    """of the episode in the run, from 1"""
    episodes: int
    instruction: str
    seats: list[SeatView]
    you: str = ""
    """name of the agent that you play; empty: none"""
    time: float = 0.0
    """simulated, since the start [s]"""
    limit: float = 0.0
    """[s]"""
    speed: float = 1.0
    knowledge: Literal["shared", "separate", "privileged"] = "shared"
    """as `dadu.team.settings.TeamSettings.knowledge`"""
    agents: list[AgentMark] = []
    room: str = ""
    """that your agent is in: it sees no farther"""
    held: str = ""
    doing: str = ""
    """the call under way; empty: your agent stands and waits for you"""
    ended: bool = False
    """your part: you have said that it is done, or given up"""
    jobs: list[JobView] = []
    steps: list[StepView] = []
    """your newest, oldest first"""
    said: list[MessageView] = []
    things: list[KnownThing] | None = None
    """None: as you have them already"""
    known: int = 0
    """number of what `things` were when they changed last"""
    plan: int = 0
    """of the plan: fetch it again when this changes"""
    ledger: str = ""
    verdict: EpisodeVerdict | None = None


class MenuItem(BaseModel):
    """One thing that your agent can do with what you have pointed at."""

    call: list[str]
    """``[skill, argument, ...]``"""
    about: str
    """what the skill is"""


class Joined(BaseModel):
    """The answer to who takes a seat."""

    key: str
    """to be sent with every request from now on"""

"""All that the operator's page shows, as it is sent to it."""

from __future__ import annotations

from pydantic import BaseModel

PlanPoint = tuple[float, float]
"""[px of the floor plan]"""


class StepView(BaseModel):
    """One turn of the planner."""

    number: int
    call: str
    reasoning: str
    started: float
    """[s], on the clock in use"""
    outcome: str = ""
    """name of the code; empty while it runs"""
    ok: bool | None = None
    detail: str = ""
    """the machine-readable reason beside the code, if any"""
    message: str = ""
    elapsed: float = 0.0
    """[s] that it took; 0 while it runs"""


class TaskView(BaseModel):
    """The newest task, whoever gave it."""

    instruction: str = ""
    status: str = ""
    """empty, or waiting, running, cancelling, done, uncertain, cancelled, failed, refused or lost (the planner died)"""
    outcome: str = ""
    """name of the code that it ended with"""
    detail: str = ""
    message: str = ""
    """what was achieved, what not, and why"""
    question: str = ""
    """what the robot asks: while the task runs it waits for the answer, else it has ended with the question; empty:
    nothing"""
    steps: list[StepView] = []
    coming: list[str] = []
    """calls that are expected after the newest step"""
    taken: list[str] = []
    """words that stand for something else than they say"""
    activity: str = ""
    """what the skill in progress is at, in its own words"""


class ThingView(BaseModel):
    """An object, a piece of furniture or a room as memory has it."""

    id: str
    kind: str
    names: list[str]
    """what else it is called"""
    may_be: list[str]
    """what else it may be"""
    where: str
    at: PlanPoint | None
    """None: in the hand"""
    states: list[str]
    confidence: float
    seen: float
    """[s], on the clock in use: when it was last confirmed"""
    source: str
    """prior, detection, skill or operator"""


class BoxView(BaseModel):
    """Something detected, in shares of the picture's width and height from its upper left corner."""

    label: str
    score: float
    x: float
    y: float
    width: float
    height: float
    id: str = ""
    """what memory calls it, where that is plain"""


class SightView(BaseModel):
    """A camera picture and what was detected in that very picture."""

    stamp: float
    """[s], on the clock in use"""
    picture: str
    """upright, JPEG as a data URL"""
    boxes: list[BoxView]
    detector: str
    """whose boxes they are; empty: nothing was heard of a detector lately"""


class Notice(BaseModel):
    """What became of something that was asked for."""

    number: int = 0
    """grows with every notice"""
    text: str = ""
    ok: bool = True


class ConsoleState(BaseModel):
    """All that changes on the page, but for the pictures."""

    stamp: float
    """[s], on the clock in use"""
    operator: str
    """autonomy, teleop, stopped or no answer"""
    reason: str
    pose: tuple[float, float, float] | None
    """x, y [px of the plan], heading [deg, clockwise]"""
    trail: list[PlanPoint]
    """where it has driven lately"""
    route: list[PlanPoint]
    """where it is about to drive; the last one is the goal; empty: it does not drive"""
    task: TaskView
    things: list[ThingView]
    held: str
    """what is in the hand, as memory has it; empty: nothing"""
    ledger: str
    """eyes, privileges and what the robot was told"""
    troubles: list[str]
    """nodes that say that something is wrong, and what"""
    notice: Notice
    outside: bool
    """True where a simulator shows the robot from outside, to whoever asks for that"""
    revision: int
    """of the plan: fetch it again when this changes"""

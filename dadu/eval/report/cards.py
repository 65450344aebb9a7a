"""What the page shows of one episode."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Pose2
from dadu.eval.episode.observer import Trace
from dadu.eval.mapped.record import MapErrors, MapFigures, MapRecord, Mark
from dadu.eval.results import EpisodeResult
from dadu.eval.run import RunConfig
from dadu.operator.floor_plan import FloorPlan, Marker
from dadu.planner.asking.question import ASK
from dadu.skills.outcome import Code
from dadu.tasks.prepare import Prepared
from dadu.world.graph import Kind, WorldGraph

_TONES: Mapping[Mark, str] = {Mark.FOUND: "ok", Mark.MISNAMED: "unsure", Mark.NOT_SHOWN: "none", Mark.DUPLICATE: "bad",
                              Mark.FALSE: "bad", Mark.MISSED: "bad"}
"""CSS class"""


@dataclass(frozen=True)
class StepLine:
    """One executed skill."""

    number: int
    text: str
    tone: str
    outcome: str
    message: str
    answer: str = ""
    """of a person, where the robot asked"""


@dataclass(frozen=True)
class Card:
    """One episode."""

    result: EpisodeResult
    steps: list[StepLine]
    plan: str
    """SVG, empty where there is none"""
    picture: str
    """data URI of the camera's picture at the failing moment, or empty"""
    picture_of: str
    command: str
    goal: list[str]
    maps: Maps | None
    """the robot's map and the true one, where the robot's is known"""


def card(result: EpisodeResult, prepared: Prepared | None, trace: Trace, config: RunConfig, plan: bool) -> Card:
    """`plan`: with a floor plan."""
    messages = [*trace.messages, *[""] * len(result.plan)]
    rows = zip(result.plan, result.outcomes, result.details, messages)
    by = result.team.by if result.team is not None and len(result.team.driven) > 1 else []
    steps = [StepLine(n, _told(call, by[n - 1] if n <= len(by) else ""), tone(code), _outcome(code, detail), message,
                      message if call[0] == ASK else "")
             for n, (call, code, detail, message) in enumerate(rows, 1)]
    picture = "data:image/jpeg;base64," + base64.b64encode(trace.picture).decode() if trace.picture else ""
    goal = [str(p) for p in prepared.episode.goal.propositions] if prepared is not None else []
    drawn = _plan(prepared, trace, steps) if plan and prepared is not None and trace.path else ""
    maps = draw_maps(prepared, trace, result.map) if plan and prepared is not None else None
    words = shlex.split(config.command) or ["dadu", "eval", config.file]
    kept = [word for before, word in zip(["", *words], words)
            if not {before, word.partition("=")[0]} & {"--only", "--out"}]
    return Card(result, steps, drawn, picture, trace.picture_of, shlex.join([*kept, "--only", result.id]), goal, maps)


def _told(call: list[str], by: str) -> str:
    """A question in words, a skill as a call; after who did it, where several agents do things."""
    told = f"asks: {call[1]}" if call[0] == ASK and len(call) > 1 else f"{call[0]}({', '.join(call[1:])})"
    return f"{by}: {told}" if by else told


def _outcome(code: int, detail: str) -> str:
    name = f"{Code(code).name.lower()} ({code})"
    return (f"{name} · {detail}" if detail else name).replace("_", " ")


def tone(code: int) -> str:
    """CSS class"""
    if Code(code) is Code.SUCCEEDED:
        return "ok"
    return "unsure" if Code(code) in (Code.UNCERTAIN, Code.CANCELLED) else "bad"


def _plan(prepared: Prepared, trace: Trace, steps: list[StepLine]) -> str:
    drawing = FloorPlan(prepared.layout, prepared.house.doors)
    drawing.path(np.array(trace.path))
    for name, (start, end) in trace.moves.items():
        drawing.move(start, end, f"{name}: from here to the tip")
    drawing.markers(Marker(str(s.number), x, y, s.tone, f"{s.number}: {s.text}")
                    for s, (x, y) in zip(steps, trace.marks))
    drawing.robot(Pose2(*prepared.house.robot.pose))
    return drawing.svg()


@dataclass(frozen=True)
class Maps:
    """Two drawings, SVG, and what they tell in figures, by kind of entry."""

    robot: str
    true: str
    figures: list[tuple[str, MapErrors]]


def draw_maps(prepared: Prepared, trace: Trace, figures: MapFigures | None) -> Maps | None:
    """None where the robot's map is not known."""
    if trace.map is None or figures is None:
        return None
    robot = FloorPlan(WorldGraph(trace.map.belief), chart=trace.chart)
    robot.things(_believed(trace.map))
    true = FloorPlan(prepared.layout, prepared.house.doors)
    true.things(_true(prepared, trace.map))
    true.robot(Pose2(*prepared.house.robot.pose))
    told = [(kind, getattr(figures, kind)) for kind in MapFigures.model_fields]
    return Maps(robot.svg(), true.svg(), [(kind, errors) for kind, errors in told if errors is not None])


def _believed(record: MapRecord) -> Iterator[Marker]:
    for entry in record.belief:
        mark = record.believed_marks.get(entry.id)
        if mark is None or (entry.kind is Kind.FURNITURE and mark is Mark.FOUND):
            continue
        meant = record.means.get(entry.id, "")
        yield Marker(entry.id, *entry.position[:2], _TONES[mark],
                     f"{entry.id}: {mark.value}{f', it is {meant}' if meant else ''}")


def _true(prepared: Prepared, record: MapRecord) -> Iterator[Marker]:
    places = {thing.name: thing.position for thing in record.truth}
    places |= {piece.id: piece.position for piece in prepared.layout.of(Kind.FURNITURE)
               if record.true_marks.get(piece.id) is not Mark.FOUND}
    for name, (x, y, _) in places.items():
        mark = record.true_marks.get(name, Mark.NOT_SHOWN)
        yield Marker(name, x, y, _TONES[mark], f"{name}: {mark.value}")

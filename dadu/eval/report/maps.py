"""The robot's map beside the true one, as it was at an episode's end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dadu.core.geometry import Pose2
from dadu.eval.episode.observer import Trace
from dadu.eval.mapped.record import MapErrors, MapFigures, MapRecord, Mark
from dadu.operator.floor_plan import FloorPlan, Marker
from dadu.tasks.prepare import Prepared
from dadu.world.graph import Kind, WorldGraph

_TONES: Mapping[Mark, str] = {Mark.FOUND: "ok", Mark.MISNAMED: "unsure", Mark.NOT_SHOWN: "none", Mark.DUPLICATE: "bad",
                              Mark.FALSE: "bad", Mark.MISSED: "bad"}
"""CSS class"""


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

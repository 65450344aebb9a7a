"""From memory's world graph and messages to what the operator's page shows."""

from __future__ import annotations

from typing import Any

from dadu.operator.console.live_plan import LivePlan
from dadu.operator.console.state import StepView, TaskView, ThingView
from dadu.planner.asking.question import ASKED_BACK, is_question
from dadu.skills.outcome import Code, known_code
from dadu.world.graph import UNIDENTIFIED, Entity, Kind, WorldGraph

_SHOWN = (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM)
REFUSED = "refused"
"""detail of a task's outcome: it was not begun"""


def seconds(message: Any) -> float:
    """Of a Time or a Duration."""
    return float(message.sec + message.nanosec * 1e-9)


def call_text(call: Any) -> str:
    """Of a SkillCall: ``place(on, table_0)``."""
    return f"{call.skill}({', '.join(call.arguments)})"


def step_view(message: Any) -> StepView:
    """From a PlanStep."""
    view = StepView(number=message.step, call=call_text(message.call), reasoning=message.reasoning,
                    started=seconds(message.header.stamp))
    if message.finished:
        code = known_code(message.outcome.code)
        view.outcome, view.ok, view.detail = code.name, code.ok, message.outcome.detail
        view.message, view.elapsed = message.outcome.message, seconds(message.elapsed)
    return view


def question(message: Any) -> str:
    """What a PlanStep asks and waits for; empty: nothing."""
    asks = is_question(message.call) and message.call.arguments and not message.finished
    return str(message.call.arguments[0]) if asks else ""


def coming(message: Any) -> list[str]:
    """What a PlanStep expects after itself."""
    return [call_text(call) for call in message.plan[1:]]


def ended(task: TaskView, code: Code, detail: str, message: str) -> TaskView:
    """The same task with its outcome."""
    known = {Code.SUCCEEDED: "done", Code.UNCERTAIN: "uncertain", Code.CANCELLED: "cancelled"}
    status = known.get(code, "refused" if detail == REFUSED else "failed")
    question = message if detail == ASKED_BACK else ""
    return task.model_copy(update={"status": status, "outcome": code.name, "detail": detail, "message": message,
                                   "question": question, "coming": [], "activity": ""})


def thing_views(graph: WorldGraph, plan: LivePlan) -> list[ThingView]:
    """Objects, furniture and rooms and where memory has them."""
    held = graph.held()
    return [ThingView(id=e.id, kind=e.kind.value, names=_names(e), where=_where(graph, e),
                      may_be=[category.replace("_", " ") for category in e.may_be],
                      at=None if held is not None and e.id == held.id else plan.point(*_spot(e)),
                      states=[_state(name, value) for name, value in sorted(e.states.items())],
                      confidence=round(e.confidence, 2), seen=round(e.stamp, 1), source=e.provenance)
            for e in sorted(graph, key=lambda e: (_SHOWN.index(e.kind) if e.kind in _SHOWN else 0, e.id))
            if e.kind in _SHOWN]


def _names(entity: Entity) -> list[str]:
    """Those besides its id; what it looks like, where nobody knows what it is."""
    return [entity.called] if entity.category == UNIDENTIFIED else list(entity.aliases)


def _spot(entity: Entity) -> tuple[float, float]:
    """[m]"""
    x, y, *_ = entity.position
    return float(x), float(y)


def _where(graph: WorldGraph, entity: Entity) -> str:
    support, room = graph.support(entity.id), graph.room_of(entity.id)
    parts = [f"{support.relation.value.replace('_', ' ')} {support.object}"] if support is not None else []
    if room is not None and room.id != entity.id:
        parts.append(room.id if parts else f"in {room.id}")
    return ", ".join(parts) or ("somewhere" if entity.kind is Kind.OBJECT else "")


def _state(name: str, value: bool) -> str:
    word = name.removeprefix("is_").replace("_", " ")
    return word if value else f"not {word}"

"""What the loop itself notices between two turns, in sentences for the policy: getting nowhere, what holds already, and
what others have done."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dadu.core.errors import NAMED
from dadu.goals.belief import holds
from dadu.goals.progress import Progress
from dadu.planner.feedback import possible
from dadu.planner.loop.changes import changes
from dadu.planner.step import Step
from dadu.skills.effects import apply
from dadu.world.graph import ROBOT, WorldGraph

_STAGNATION = 8
"""steps without a new situation after which it is said"""


class Watch:
    """Follows one task; `remarks` once a turn."""

    def __init__(self) -> None:
        self._situations: set[Hashable] = set()
        self._newest = 0
        self._held: set[str] = set()

    def remarks(self, history: Sequence[Step], before: WorldGraph, graph: WorldGraph, progress: Progress | None,
                situation: Hashable) -> list[str]:
        """`before`: the graph at the last turn; `situation`: what counts as the same."""
        if situation not in self._situations:
            self._situations.add(situation)
            self._newest = len(history)
        found = []
        if history:
            since = len(history) - self._newest
            found = [repeated_failure(history, graph), back_and_forth(history),
                     (f"No progress in {since} steps." if since
                      and since % _STAGNATION == 0 else ""), moved_by_others(history[-1], before, graph)]
        if progress is not None:
            now = held_now(progress, graph)
            found += [_listed("Holds already", now - self._held), _listed("No longer holds", self._held - now)]
            self._held = now
        return [remark for remark in found if remark]


def repeated_failure(history: Sequence[Step], graph: WorldGraph) -> str:
    """The newest action failed as it did the last time, with nothing but driving in between."""
    acts = [s for s in history if s.call.skill != "go_to" or s.call == history[-1].call]
    if len(acts) < 2 or acts[-1].call != acts[-2].call or any(s.result is None or s.result.ok for s in acts[-2:]):
        return ""
    way = possible(acts[-1].call, acts[-1].outcome, graph)
    return f"{acts[-1].call} failed twice{f': {way}' if way else ''}."


def back_and_forth(history: Sequence[Step]) -> str:
    """The newest four actions are the same two, turn about: driving to and fro, picking up and putting down."""
    if len(history) < 4:
        return ""
    a, b, c, d = (step.call for step in history[-4:])
    return f"Back and forth between {a} and {b}; go another way." if a == c and b == d and a != b else ""


def moved_by_others(step: Step, before: WorldGraph, after: WorldGraph) -> str:
    """Objects that are elsewhere than they were, and than the step could have put them."""
    own = {*step.call.arguments, step.result.target if step.result is not None else ""}
    held = before.held(ROBOT)
    expected = apply(before, step.call) if step.result is not None and step.result.ok else before
    moved = [c for c in changes(expected, after)
             if c.kind == "moved" and c.id not in own and (held is None or c.id != held.id)]
    more = f" and {len(moved) - NAMED} more" if len(moved) > NAMED else ""
    return f"Moved by somebody: {'; '.join(c.text for c in moved[:NAMED])}{more}." if moved else ""


def held_now(progress: Progress, graph: WorldGraph) -> set[str]:
    """The lasting parts of the goal that hold."""
    transient = progress.goal.transient()
    return {str(p) for i, p in enumerate(progress.goal.propositions) if i not in transient and holds(p, graph)}


def _listed(words: str, items: set[str]) -> str:
    return f"{words}: {', '.join(sorted(items))}." if items else ""

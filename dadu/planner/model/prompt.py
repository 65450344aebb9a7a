"""The prompt of one turn, from ``config/prompts/planner.yaml``: short, and of bounded length however long the task."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dadu.config import Settings, load
from dadu.memory.describe import describe
from dadu.paths import shared
from dadu.planner.feedback import line
from dadu.planner.policy import Turn
from dadu.skills.call import SKILLS

Message = dict[str, str]


class Prompts(Settings):
    """The file's fields."""

    system: str
    turn: str
    repair: str


@cache
def default_prompts() -> Prompts:
    return load(Prompts, shared("config", "prompts", "planner.yaml"))


def messages(turn: Turn, prompts: Prompts, capabilities: Sequence[str], *, history: int, max_words: int
             ) -> list[Message]:
    """System and user message; the newest `history` steps, the world in at most `max_words` words."""
    user = prompts.turn.format(
        instruction=turn.instruction, world=describe(turn.graph, turn.instruction, max_words),
        history=_history(turn, history), feedback=turn.feedback)
    system = prompts.system.format(skills="\n".join(_about(name) for name in capabilities))
    return [{"role": "system", "content": system.strip()}, {"role": "user", "content": _compact(user)}]


def _about(name: str) -> str:
    signature = SKILLS[name]
    arguments = [a for a in signature.arguments if a != "next_to"]
    return f"{name}({', '.join(arguments)}): {signature.about}"


def _history(turn: Turn, limit: int) -> str:
    if not turn.history:
        return "none"
    left_out = len(turn.history) - limit
    head = [f"({left_out} earlier steps)"] if left_out > 0 else []
    return "\n".join([*head, *(line(step) for step in turn.history[-limit:])])


def _compact(text: str) -> str:
    return "\n".join(row for row in text.splitlines() if row.strip())

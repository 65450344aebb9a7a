"""The words of a conversation, from ``config/prompts/``: the first prompt, and what is told after each step.

Both are of bounded length, however large the house and however long the task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache, partial
from pathlib import Path
from string import Formatter

from pydantic import ValidationInfo, field_validator

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError, choices
from dadu.core.paths import shared
from dadu.knowledge.embedding import remembering_embedder
from dadu.memory.describe import WorldText
from dadu.memory.recall.units import Recollection
from dadu.planner.asking.question import ASK
from dadu.planner.feedback import came_of, line
from dadu.planner.model.brief import unseen, whereabouts
from dadu.planner.model.names_given import names_in
from dadu.planner.model.schema import QUESTION, Ways
from dadu.planner.model.tokens import clip, estimate
from dadu.planner.policies.policy import Turn
from dadu.planner.settings import ModelSettings
from dadu.planner.step import Step
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT, WorldGraph

_LINE = 30
"""tokens of one past step in the first prompt"""
_HINTS = 60
"""tokens of the loop's remarks in the first prompt"""
_SHARE = 0.65
"""of what room is left in a turn, as long as more is to be said"""
_ANSWER = 60
"""tokens of a question and its answer under the instruction"""
_ASK = f"{ASK}({QUESTION}): ask the person what the instruction means, where only they can tell"


_PLACEHOLDERS = {
    "system": {"skills"},
    "first": {"instruction", "examples", "world", "steps", "hints", "inventory", "at", "unseen"},
    "turn": {"outcome", "hints", "changes", "inventory", "at", "unseen"},
    "repair": {"problem"},
    "picture": {"target", "place"},
    "picture_done": {"instruction"},
}
"""what is filled in, by field of `Prompts`; `at` and `unseen`: `dadu.planner.model.brief`"""


class Prompts(Settings):
    """A protocol in words; the fields of a file in ``config/prompts/``. Each may hold its `_PLACEHOLDERS`."""

    version: int
    """1: the placeholders above are those that are filled in"""
    plan_first: bool
    """two phases: the first reply also holds the plan"""
    reasons: bool = True
    """a reply begins with a sentence of reasoning"""
    named_only: bool = False
    """of the world, and of what changes in it, only that is told which the instruction names; of all else its name
    alone, since what was never told cannot be the answer"""
    system: str
    """the same for every task, so that a server's prefix cache holds it"""
    first: str
    """the first words of a task; the hints are the loop's remarks"""
    turn: str
    """what follows a step"""
    repair: str
    """what follows a reply that cannot be used"""
    picture: str
    """asked with the camera's picture where the model sees"""
    picture_done: str = ("Does this picture contradict that the instruction is carried out: {instruction!r}? Reply "
                         "with one JSON object: done (false only if you see that it is not), reason (a few words).")
    """asked with the picture before done"""

    @field_validator(*_PLACEHOLDERS)
    @classmethod
    def _can_be_filled_in(cls, text: str, info: ValidationInfo) -> str:
        return checked_placeholders(text, _PLACEHOLDERS[str(info.field_name)])


def checked_placeholders(text: str, known: Collection[str]) -> str:
    """`text` as it is. Errors: ValueError where it holds a placeholder that is not `known`."""
    for _, name, _, _ in Formatter().parse(text):
        if name is not None and name not in known:
            raise ValueError(f"{{{name}}} is nothing that is filled in; valid: {choices(sorted(known))}; braces "
                             "that are meant are doubled")
    return text


@cache
def load_prompts(protocol: str) -> Prompts:
    """`protocol`: a file's name in ``config/prompts/``, or a path to a YAML file.

    Errors: ConfigError naming the protocols there are, or file and field.
    """
    if Path(protocol).suffix in (".yaml", ".yml"):
        return load(Prompts, protocol)
    known = {path.stem: path for path in sorted(shared("config", "prompts").glob("*.yaml"))}
    if protocol not in known:
        raise ConfigError(f"unknown protocol {protocol!r}; valid: {choices([*known, 'goal'])}, or a YAML file")
    return load(Prompts, known[protocol])


def system_prompt(prompts: Prompts, capabilities: Sequence[str], asks: bool = False,
                  ways: Ways | None = None) -> str:
    """`asks`: questions may be put to whoever gave the instruction; `ways`: of skills that have several."""
    named = [f"{skill} names by which way: {', '.join(names)}. Where one failed, take another"
               for skill, names in (ways or {}).items() if skill in capabilities]
    skills = [*map(_about, capabilities), *([_ASK] if asks else []), *named]
    return prompts.system.format(skills="\n".join(skills)).strip()


def first_prompt(turn: Turn, prompts: Prompts, settings: ModelSettings, examples: str = "") -> str:
    """Instruction, world as far as it matters, and what was done so far: older steps in one line."""
    return _compact(prompts.first.format(
        instruction="\n".join((turn.instruction, *(clip(answer, _ANSWER) for answer in turn.answers))),
        examples=examples,
        world=_world(turn, prompts, settings.world_tokens),
        steps=_steps(turn.history, settings.history),
        hints=clip(turn.feedback, _HINTS),
        **_state(turn, prompts.first)))


def turn_prompt(steps: Sequence[Step], turn: Turn, news: Sequence[str], prompts: Prompts, budget: int) -> str:
    """What came of `steps` and what is new in the world, the most important first, in at most `budget` tokens."""
    fields = {"outcome": "", "hints": "", "changes": "", **_state(turn, prompts.turn)}
    parts = {"outcome": _compact(_came_of(steps)), "hints": turn.feedback, "changes": "; ".join(news)}
    for name, text in parts.items():
        left = budget - 1 - estimate(_compact(prompts.turn.format(**fields)))  # 1: a line more
        more = any(parts[other] for other in parts if other != name and not fields[other])
        fields[name] = clip(text, int(_SHARE * left) if more else left)
    return _compact(prompts.turn.format(**fields))


def _world(turn: Turn, prompts: Prompts, budget: int) -> str:
    if prompts.named_only:
        world = WorldText(turn.graph, turn.about)
        named = clip(world.named(), budget)
        return f"{named}\n{clip(world.others(names_in(named)), budget - estimate(named))}"
    return world_in_words(turn.graph, turn.about, budget)


def _state(turn: Turn, words: str) -> dict[str, str]:
    """How things are with the robot, as far as `words` have room for it."""
    tells = {"inventory": lambda: _inventory(turn.graph), "at": lambda: whereabouts(turn),
             "unseen": lambda: unseen(turn)}
    return {name: told() for name, told in tells.items() if f"{{{name}}}" in words}


def _came_of(steps: Sequence[Step]) -> str:
    """The outcome of the model's own step, which it has just named; others with their call."""
    if not steps:
        return "The task is not over."
    newest = steps[-1]
    if len(steps) == 1 and not newest.decision.instead_of and newest.result is not None:
        return came_of(newest)
    before = f"{len(steps) - 1} more steps were taken. " if len(steps) > 1 else ""
    return f"{before}{line(newest)}"


def _about(name: str) -> str:
    spec = SKILLS[name]
    return f"{name}({', '.join(a.name for a in spec.arguments if not a.fixed)}): {spec.about}"


def world_in_words(graph: WorldGraph, about: str, budget: int) -> str:
    """The world within `budget` tokens; what is spoken `about` stays longest, then what is nearest to it in
    meaning."""
    text = WorldText(graph, about).within()
    low, high = 1, len(text.split())
    if estimate(text) <= budget:
        return text
    world = WorldText(graph, about, partial(Recollection(remembering_embedder).recall, graph))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(world.within(middle)) <= budget else (low, middle - 1)
    return world.within(low)


def _steps(history: Sequence[Step], limit: int) -> str:
    if not history:
        return ""
    older, newest = history[:-limit] if limit else history, history[-limit:] if limit else ()
    lines = [clip(line(step), _LINE) for step in newest]
    return "\n".join(["Steps so far:", *([_summary(older)] if older else []), *lines])


def _summary(steps: Sequence[Step]) -> str:
    """``(12 earlier steps, 9 worked; failed: pick(milk_0) 2x)``."""
    failed = Counter(str(s.call) for s in steps if s.result is not None and not s.result.ok)
    worked = len(steps) - failed.total()
    worst = ", ".join(f"{call} {count}x" for call, count in failed.most_common(3))
    return f"({len(steps)} earlier steps, {worked} worked{f'; failed: {worst}' if worst else ''})"


def _inventory(graph: WorldGraph) -> str:
    held = graph.held(ROBOT)
    return held.id if held is not None else "nothing"


def _compact(text: str) -> str:
    """Without blank lines."""
    rows = (row.strip() for row in text.splitlines())
    return "\n".join(row for row in rows if row)

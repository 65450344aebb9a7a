"""The examples of a run: those that a store holds when it begins, none of them of the run's own tasks, and no others
until it ends."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult
from dadu.planner.model.examples import Example, counted, read_examples
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT

FILE = "examples.jsonl"


def frozen(options: EvalOptions, instructions: Iterable[str], folder: Path) -> EvalOptions:
    """`options` with the examples that are in `folder`, put there when the run begins: those of the store whose words
    are not among the `instructions`. Errors: ConfigError for a store that cannot be read."""
    source, copy = options.planner.llm.examples.shown, folder / FILE
    if not options.planner.asks_model or source is None:
        return options
    if not copy.exists():
        copy.write_text("".join(e.model_dump_json() + "\n" for e in exclude_instructions(source, instructions)))
    llm = options.planner.llm
    added_to = llm.examples.added_to
    examples = llm.examples.model_copy(update={"path": str(copy), "keep": str(added_to) if added_to else "none"})
    planner = options.planner.model_copy(update={"llm": llm.model_copy(update={"examples": examples})})
    return options.model_copy(update={"planner": planner})


def exclude_instructions(store: Path, instructions: Iterable[str]) -> list[Example]:
    """Those in `store` whose words are none of the `instructions`. Errors: ConfigError."""
    own = set(map(_words, instructions))
    return [example for example in read_examples(store).values() if _words(example.instruction) not in own]


def notice(options: EvalOptions, instructions: Iterable[str]) -> str:
    """Where the examples are and how many of them are shown, before a run; empty where none are asked for."""
    source = options.planner.llm.examples.shown
    if not options.planner.asks_model or source is None:
        return ""
    every, others = len(read_examples(source)), len(exclude_instructions(source, instructions))
    left_out = f"; {every - others} of this run's own instructions are left out" if every > others else ""
    return f"{counted(others)} of {source}, the same for the whole run{left_out}"


def _words(text: str) -> tuple[str, ...]:
    """Without case and punctuation."""
    return tuple(re.findall(r"\w+", text.casefold()))


def done_alone(result: EpisodeResult) -> list[SkillCall]:
    """The steps that worked of an episode in which one agent reached the goal alone; empty for any other."""
    agents = set(result.team.by) if result.team is not None else {ROBOT}
    if not result.success or len(agents) != 1:
        return []
    return [SkillCall.from_list(call) for call, code in zip(result.plan, result.outcomes)
            if Code(code).ok and call[0] in SKILLS]

"""``dadu plan``: plans an instruction without a simulator."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Known(str, Enum):
    """What the robot knows at the start."""

    all = "all"
    layout = "layout"


@app.command()
def plan(
    instruction: Annotated[str, typer.Argument(help="What to do, in plain language.", metavar="INSTRUCTION")],
    house: Annotated[str, typer.Option(help="A name in maps/ or a path to NAME.house.yaml.", metavar="FILE")] = "flat",
    known: Annotated[Known, typer.Option(help="Objects too, or only rooms and furniture.")] = Known.layout,
    interpreter: Annotated[str, typer.Option(help="What reads the words: grammar, or FILE.py:CLASS.")] = "grammar",
) -> None:
    """Print goal, plan, refusal and substitutions as JSON. What is refused is printed too, with exit status 0."""
    from dadu.house.files import load_house
    from dadu.planner.interpreters import make_interpreter
    from dadu.stacks.offline import plan_offline

    reader = make_interpreter(interpreter)
    typer.echo(json.dumps(plan_offline(instruction, load_house(house), known.value, reader), indent=2))

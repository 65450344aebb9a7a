"""``dadu plan``: plans an instruction without a simulator."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dadu.core.errors import ExitStatus

if TYPE_CHECKING:
    from dadu.planner.model.goal.interpreter import ModelInterpreter


Known = Literal["all", "layout"]
"""What the robot knows at the start."""
Reader = Literal["symbolic", "small"]
"""Planners that need no server."""


def plan(
    instruction: Annotated[str, typer.Argument(help="What to do, in plain language.", metavar="INSTRUCTION")],
    house: Annotated[str, typer.Option(help="A name in maps/ or a path to NAME.house.yaml.", metavar="FILE")] = "flat",
    known: Annotated[Known, typer.Option(help="Objects too, or only rooms and furniture.")] = "layout",
    interpreter: Annotated[str, typer.Option(help="Reads the words: a name or FILE.py:CLASS.")] = "grammar",
    planner: Annotated[Reader, typer.Option(help="small: a small model reads them, here.")] = "symbolic",
    llm_url: Annotated[str, typer.Option(help="A model reads them: an OpenAI-compatible server.", metavar="URL")] = "",
    model: Annotated[str, typer.Option(help="Its model; by default the only one it serves.", metavar="NAME")] = "",
    llm_timeout: Annotated[float, typer.Option(help="Wall seconds for its reply.", min=0.1, metavar="S")] = 20.0,
    api_key_file: Annotated[str, typer.Option(help="Server's key (or OPENAI_API_KEY).", metavar="FILE")] = "",
    frames: Annotated[bool, typer.Option("--frames", help="Only what the words ask for; --house gives names.")] = False,
) -> None:
    """Print goal, plan, refusal and substitutions as JSON. Exit status 0 where the plan reaches the goal, 5 where
    something is refused, which the JSON then says."""
    reader = _model(planner, llm_url, model, llm_timeout, api_key_file) if llm_url or planner == "small" else None
    if frames and reader is not None:
        _print(json.loads(_model_frames(instruction, house, reader)), "refusal")
        return
    if frames:
        _print(json.loads(_frames(instruction, house)), "refusal")
        return
    from dadu.house.files import load_house
    from dadu.planner.interpreters import make_interpreter
    from dadu.stacks.offline import plan_offline

    chosen = reader or make_interpreter(interpreter)
    _print(plan_offline(instruction, load_house(house), known, chosen), "refused")


def _print(found: dict[str, Any], refusal: str) -> None:
    """As JSON, and ends with the status that says whether anything is refused."""
    typer.echo(json.dumps(found, indent=2))
    if found.get(refusal):
        raise typer.Exit(ExitStatus.REFUSED)


def _model(planner: str, url: str, name: str, timeout: float, key: str) -> ModelInterpreter:
    """As in protocol `goal`; with a `url` a server's. Errors: ConfigError."""
    from dadu.core.config import parse
    from dadu.planner.model.goal.interpreter import ModelInterpreter
    from dadu.planner.settings import PlannerSettings

    llm = {"model": name, "protocol": "goal", "timeout": timeout, "api_key_file": key}
    policy = "vllm" if url else planner
    settings = parse(PlannerSettings, {"policy": policy, "llm_url": url, "llm": llm}, "dadu plan")
    return ModelInterpreter(settings.model_settings)


def _model_frames(instruction: str, house: str, reader: ModelInterpreter) -> str:
    """What the model writes, as JSON; or the refusal."""
    from dadu.goals.interpreter import Context, Refused
    from dadu.house.files import load_house
    from dadu.house.layout import build_graph
    from dadu.language.frames.schema import to_json
    from dadu.stacks.priors import vocabulary_of_house

    loaded = load_house(house)
    found = reader.frames(instruction, Context(build_graph(loaded, "layout"), vocabulary_of_house(loaded)))
    return json.dumps({"refusal": found.message}, indent=2) if isinstance(found, Refused) else to_json(found, indent=2)


def _frames(instruction: str, house: str) -> str:
    """What the grammar reads, as JSON; or the refusal."""
    from dadu.language.frames.schema import to_json
    from dadu.language.parsing.names import names_of
    from dadu.language.parsing.parse import parse
    from dadu.language.refusal import Refusal
    from dadu.stacks.priors import vocabulary_of

    try:
        return to_json(parse(instruction, names_of(vocabulary_of(house))), indent=2)
    except Refusal as refusal:
        return json.dumps({"refusal": str(refusal), "words": refusal.words}, indent=2)

"""``dadu data plans``: instructions carried out, for training a planner model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.data.making import RAY, WORKERS, making, workers


def plans(
    out: Annotated[Path, typer.Option(help="The folder. One that is there is continued: homes that are whole are kept, "
                                           "and a larger --episodes adds to it.", metavar="DIR")],
    episodes: Annotated[int, typer.Option(help="How many episodes DIR shall hold, at least: homes are made whole.",
                                          min=1, metavar="N")] = 67_000,
    per_home: Annotated[int, typer.Option(help="Episodes of each home, where it has room for so many.", min=1,
                                          metavar="N")] = 64,
    seed: Annotated[int, typer.Option(help="Of what is asked for and of what goes wrong.", min=0, metavar="N")] = 0,
    count: Annotated[int, WORKERS] = 0,
    ray: Annotated[str, RAY] = "",
    protocol: Annotated[list[str], typer.Option(help="Write only this one: two_phase, react or goal. May be said "
                                                     "again.  [default: all]", metavar="P",
                                                show_default=False)] = [],  # noqa: B006
    prompt: Annotated[list[str], typer.Option(help="The words of a protocol, YAML, as `dadu eval --prompt` takes them; "
                                                   "without P= of goal. May be said again.", metavar="[P=]FILE",
                                              show_default=False)] = [],  # noqa: B006
    settings: Annotated[Path | None, typer.Option(help="A YAML file with further settings, as under settings: in a "
                                                       "folder's data.yaml.", metavar="FILE")] = None,
) -> None:
    """Draw instructions in generated homes, have the symbolic planner carry them out, and write down what a model
    should have said.

    For `dadu train planner`: conversations of each protocol (two_phase, react, goal) in DIR/sft, right and wrong
    replies to the same question in DIR/dpo. Homes, sentence forms and categories are kept out for testing; the same
    seed makes the same files, whatever the number of workers. Stopped by Ctrl-C or killed, the same command goes on.
    README.md in DIR counts what there is; docs/howto/train.md says what each file holds.
    """
    from dadu.core.config import load, parse
    from dadu.learning.plans.card import write_card
    from dadu.learning.plans.run import make_plans
    from dadu.learning.plans.settings import PlanSettings
    from dadu.learning.plans.store import PlanFolder

    given = load(PlanSettings, settings) if settings else PlanSettings()
    words = dict(_of_protocol(text) for text in prompt)
    told = {"prompt": words.pop("goal", ""), "step_prompts": words, "protocols": protocol}
    further = {name: value for name, value in told.items() if value}
    chosen = parse(PlanSettings, given.model_dump() | {"seed": seed, "episodes": per_home, **further}, "settings")
    folder = PlanFolder(out)
    folder.begin(chosen)
    with making(out, episodes, "episodes", completed=sum(c.kept for _, c in folder.counts())) as bar:
        for event in make_plans(folder, episodes, workers(count, ray)):
            bar.take(event)
    typer.echo(write_card(folder))


def _of_protocol(text: str) -> tuple[str, str]:
    """``react=brief.yaml``: the protocol, and the file; goal where none is named."""
    before, equals, after = text.partition("=")
    return (before, after) if equals else ("goal", text)

"""``dadu replay``: reruns perception, memory or the planner on a recorded bag and compares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from dadu.core.errors import ExitStatus

Node = Literal["planner", "memory", "perception", "all"]
"""What is replayed."""


def replay(
    bag: Annotated[Path, typer.Argument(help="A bag, or a run's directory.", metavar="BAG")],
    node: Annotated[Node, typer.Option(help="The part to replay; all: those that the bag has the inputs of.")
                    ] = "all",
    detector: Annotated[str, typer.Option(help="Replay perception with this detector (memory: perception first).")
                        ] = "",
    robot: Annotated[str, typer.Option(help="The robot that recorded; default: as the run says.")] = "",
    llm_url: Annotated[str, typer.Option(help="Ask this server anew instead of taking recorded replies.")] = "",
    topic: Annotated[list[str] | None, typer.Option(help="ROLE=NAME, such as depth=/my/depth; repeatable.")] = None,
    seconds: Annotated[float, typer.Option(min=0, help="Only so much of the recording; 0: all of it.")] = 0.0,
    out: Annotated[Path | None, typer.Option(help="Write the reports here as JSON.")] = None,
) -> None:
    """Rerun a part on recorded inputs and report where it differs. Exit status 0: nowhere, 1: somewhere; 2 of a bag
    that is damaged, whatever could be read of it."""
    from dadu.core.errors import ConfigError
    from dadu.replay.bag import Bag, UnusableBag
    from dadu.replay.run import replay_nodes

    pairs = [item.partition("=") for item in topic or ()]
    if wrong := [role for role, equals, name in pairs if not (equals and name)]:
        raise ConfigError(f"--topic takes ROLE=NAME, got {wrong[0]!r}")
    with Bag(bag, {role: name for role, _, name in pairs}) as opened:
        reports = replay_nodes(opened, node, detector=detector, robot=robot, llm_url=llm_url,
                               seconds=seconds or float("inf"))
    for report in reports:
        typer.echo(report.text())
    if out is not None:
        out.write_text(json.dumps([report.as_dict() for report in reports], indent=2))
    if opened.damage:
        raise UnusableBag(opened.damage)
    raise typer.Exit(ExitStatus.NO if any(report.differences for report in reports) else 0)

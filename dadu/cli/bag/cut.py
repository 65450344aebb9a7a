"""``dadu bag cut``: some seconds and topics of a bag."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.bag.arguments import BagArgument, files_of, new, tell
from dadu.core.errors import ConfigError


def cut(
    bag: BagArgument,
    out: Annotated[Path, typer.Option(help="The new bag's directory.", metavar="DIR")],
    start: Annotated[float, typer.Option("--from", help="Seconds after the first message.", min=0, metavar="S")] = 0.0,
    end: Annotated[float, typer.Option("--to", help="Likewise; by default all.", min=0, metavar="S",
                                       show_default=False)] = math.inf,
    topics: Annotated[str, typer.Option(help="Regular expression of those to keep.", metavar="PATTERN",
                                        show_default=False)] = "",
) -> None:
    """Write a new bag of a part of another, with what latched topics (/tf_static, /map) held when it begins."""
    from dadu.operator.bags.bag_repair import salvage

    if start > end:
        raise ConfigError(f"--from {start:g} is after --to {end:g}")
    try:
        pattern = re.compile(topics)
    except re.error as error:
        raise ConfigError(f"--topics {topics!r}: {error}") from None
    read = salvage(files_of(bag), new(out), lambda topic, _: bool(pattern.search(topic)), (start, end))
    typer.echo(f"{out}: {read.count} messages")
    raise typer.Exit(tell(read))

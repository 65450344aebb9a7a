"""``dadu bag repair``: a whole bag of what can be read of a broken one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dadu.cli.bag.arguments import BagArgument, files_of, new, tell


def repair(
    bag: BagArgument,
    out: Annotated[Path | None, typer.Option(help="The new bag's directory.  [default: BAG_repaired]",
                                             show_default=False, metavar="DIR")] = None,
) -> None:
    """Write a new bag with index and metadata.yaml; the old one stays as it is. Files of one bag become one. Exit
    status 1 where a part was damaged."""
    from dadu.operator.bags.bag_repair import salvage

    written = new(out or (whole := bag.resolve()).with_name(f"{whole.stem}_repaired"))
    read = salvage(files_of(bag), written)
    typer.echo(f"{written}: {read.count} messages")
    raise typer.Exit(tell(read))

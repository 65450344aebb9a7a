"""What several verbs of ``dadu bag`` take, and what they tell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dadu.core.errors import ConfigError, ExitStatus

if TYPE_CHECKING:
    from dadu.operator.bags.bag_repair import Salvaged

BagArgument = Annotated[Path, typer.Argument(help="A bag's directory or file (MCAP, SQLite), or a run's directory.",
                                             metavar="BAG")]


def files_of(bag: Path) -> list[Path]:
    """Errors: ConfigError where there are none."""
    from dadu.operator.bags.bag_repair import recordings

    within = sorted(bag.glob("bag*")) if bag.is_dir() else []
    found = recordings(bag) if bag.exists() else []
    found = found or [file for inner in within if inner.is_dir() for file in recordings(inner)]
    kinds = {Path(file.name.removesuffix(".zstd")).suffix for file in found}
    if not found or not kinds <= {".mcap", ".db3"}:
        raise ConfigError(f"{bag} is no bag: no file *.mcap or *.db3, packed by zstd or not; a ROS 1 bag is converted "
                          "by rosbags-convert")
    return found


def new(out: Path) -> Path:
    """Errors: ConfigError where it is there already."""
    if out.exists():
        raise ConfigError(f"{out} is there already; name another directory by --out")
    return out


def tell(read: Salvaged) -> int:
    """Prints what was not whole; the exit status."""
    if read.left_out:
        typer.echo(f"left out, as nothing here can read it: {read.told}")
    if read.unfinished:
        typer.echo("its recorder did not finish it; nothing is missing of what is in it")
    for damage in read.damage:
        typer.echo(f"damaged: {damage}")
    return ExitStatus.NO if read.damage else 0

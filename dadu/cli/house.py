"""``dadu house``: checks, draws and lists house files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer(help="Work on house files.", no_args_is_help=True, add_completion=False)

HouseArgument = Annotated[str, typer.Argument(help="A name in maps/ or a path to NAME.house.yaml.", metavar="FILE")]


HouseView = Literal["plan", "above"]
"""What `draw` draws."""


@app.command()
def check(file: HouseArgument,
          robot: Annotated[str, typer.Option(help="That is to open what opens, and reach what there is.")] = "stretch",
          ) -> None:
    """Check a house: names, categories, geometry, that every object finds its place, and that the robot finds places
    from which to use the furniture. Exit status 1 where it cannot; what it only cannot take from where it is, is noted.
    """
    from dadu.homes.working_places import WorkingPlaces, in_the_way
    from dadu.house.files import load_house
    from dadu.house.overlaps import overlaps
    from dadu.robots.loader import load_robot
    from dadu.sim.mujoco.scene.house_mjcf import build_spec

    house = load_house(file)
    body = load_robot(robot)
    places = WorkingPlaces(house, body)
    for sentence in (*overlaps(house), *places.unreachable()):
        typer.echo(f"note: {sentence}")
    model = build_spec(house).compile()
    typer.echo(f"{house.house}: {len(house.rooms)} rooms, {len(house.doors)} doors, {len(house.furniture)} pieces of "
               f"furniture, {len(house.objects)} objects; compiles to {model.nbody} bodies, {model.ngeom} shapes")
    useless = list(places.unusable())
    for sentence in useless:
        typer.echo(f"FAIL: {sentence}")
    for name in dict.fromkeys(sentence.partition(":")[0] for sentence in useless):
        if culprit := in_the_way(house, body, name):
            typer.echo(f"{name} could be used if {culprit} were not in the way")
    if useless:
        raise typer.Exit(1)


@app.command()
def draw(
    file: HouseArgument,
    out: Annotated[Path | None, typer.Option(help="The PNG to write, or a folder for it.  [default: HOUSE.png here, "
                                             "HOUSE_above.png for --view above]", show_default=False)] = None,
    view: Annotated[HouseView,
                    typer.Option(help="A labelled floor plan, or a rendered view from above.")] = "plan",
) -> None:
    """Draw a house."""
    from dadu.house.files import load_house

    house = load_house(file)
    out = out or Path()
    if out.is_dir():
        out /= f"{house.house}{'' if view == 'plan' else '_above'}.png"
    check_picture(out)
    if view == "plan":
        from dadu.house.draw import save_floor_plan

        save_floor_plan(house, out)
    else:
        from PIL import Image

        from dadu.sim.mujoco.scene.view import view_from_above

        Image.fromarray(view_from_above(house)).save(out)
    typer.echo(f"wrote {out}")


def check_picture(path: Path) -> None:
    """Makes the folder of a PNG that is to be written. Errors: typer.BadParameter for another kind of file."""
    if path.suffix.lower() != ".png":
        raise typer.BadParameter(f"{path} is neither a folder nor named *.png", param_hint="--out")
    path.parent.mkdir(parents=True, exist_ok=True)


@app.command()
def generate(
    seed: Annotated[int, typer.Option(help="The same seed makes the same home.", min=0)],
    out: Annotated[Path, typer.Option(help="The house file to write, NAME.house.yaml.")],
    rooms: Annotated[int, typer.Option(help="2 to 12.")] = 4,
    objects: Annotated[int | None, typer.Option(help="At most so many; by default 4 to 8 a room.", min=0)] = None,
    robot: Annotated[str, typer.Option(help="For whom everything must be in reach.")] = "stretch",
) -> None:
    """Generate a home: rooms, furniture that suits them, things where people keep them."""
    from dadu.homes.home import generate_home
    from dadu.house.files import save_house

    house = generate_home(seed, rooms, objects=objects, robot=robot)
    save_house(house, out)
    typer.echo(f"wrote {out}: {len(house.rooms)} rooms, {len(house.furniture)} pieces of furniture, "
               f"{len(house.objects)} objects")


@app.command("list")
def list_houses() -> None:
    """List the houses in maps/."""
    from dadu.house.files import house_names, load_house

    table = Table("house", "rooms", "furniture", "objects", box=None)
    for name in house_names():
        house = load_house(name)
        table.add_row(name, str(len(house.rooms)), str(len(house.furniture)), str(len(house.objects)))
    Console().print(table)

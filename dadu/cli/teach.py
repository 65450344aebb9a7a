"""``dadu teach``: says to the running graph what a thing is, or how one looks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def teach(
    thing: Annotated[str, typer.Argument(help="Its id, or with --picture what it is; without one, what the robot knows "
                                              "is listed.", metavar="THING")] = "",
    name: Annotated[str, typer.Argument(help="What it is, such as harmonica.", metavar="NAME")] = "",
    picture: Annotated[list[Path] | None, typer.Option(
        help="A photograph of it, in colours, which then is a look of it. May be given several times.", metavar="FILE",
    )] = None,
    box: Annotated[list[str] | None, typer.Option(
        help="Where it is in that picture [px], one for each --picture; without any, it is the largest thing in the "
             "middle.", metavar="X,Y,W,H")] = None,
    listed: Annotated[bool, typer.Option("--list", help="What was shown so far.")] = False,
    forget: Annotated[str, typer.Option(help="All that was shown of it is no longer an example.", metavar="NAME")] = "",
    weights: Annotated[str, typer.Option(help="of the detector, as given to dadu up")] = "",
    namespace: Annotated[str, typer.Option(help="of the robot, as given to dadu up")] = "",
) -> None:
    """Say what a thing is that the robot took for something else or has no name for. It is called so from now on, and
    so is what looks like it: `dadu teach radio_0 harmonica`. A photograph does, too: `dadu teach harmonica --picture
    harmonica.jpg`. The page's "Undo last correction" takes it back."""
    if sum((bool(thing), listed, bool(forget))) > 1:
        raise typer.BadParameter("a thing, --list and --forget are three orders")
    if picture:
        if not thing or name:
            raise typer.BadParameter("dadu teach NAME --picture FILE")
        if box and len(box) != len(picture):
            raise typer.BadParameter(f"{len(box)} boxes for {len(picture)} pictures; give one for each, or none")
    elif box or (thing and not name):
        raise typer.BadParameter(f"what is {thing}? dadu teach {thing} NAME, or dadu teach {thing} --picture FILE"
                                 if thing else "a box is of a --picture")
    from dadu_nodes.commands import teach as asked

    if picture:
        from dadu.perception.learned.photograph import looks_of

        boxes = [_box(text) for text in box] if box else [None] * len(picture)
        asked.edit({"teach": {"is": thing, "looks": looks_of(list(zip(picture, boxes)), weights)}}, namespace)
    elif forget:
        asked.edit({"forget": forget}, namespace)
    elif thing:
        asked.edit({"teach": {"thing": thing, "is": name}}, namespace)
    else:
        asked.tell("examples" if listed else "things", namespace)


def _box(text: str) -> tuple[int, int, int, int]:
    """Errors: typer.BadParameter."""
    try:
        x, y, width, height = map(int, text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no box; x,y,width,height in pixels is one, as 120,80,200,260") from None
    return x, y, width, height

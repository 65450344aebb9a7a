"""``dadu teach``: says to the running graph what a thing is."""

from __future__ import annotations

from typing import Annotated

import typer


def teach(
    thing: Annotated[str, typer.Argument(help="Its id; without one, what the robot knows is listed.",
                                         metavar="THING")] = "",
    name: Annotated[str, typer.Argument(help="What it is, such as harmonica.", metavar="NAME")] = "",
    namespace: Annotated[str, typer.Option(help="of the robot, as given to dadu up")] = "",
) -> None:
    """Say what a thing is that the robot took for something else or has no name for. It is called so from now on, and
    so is what looks like it: `dadu teach radio_0 harmonica`. The page's "Undo last correction" takes it back."""
    from dadu_nodes.commands.teach import teach as say

    if thing and not name:
        raise typer.BadParameter(f"what is {thing}? dadu teach {thing} NAME")
    say(thing, name, namespace=namespace)

"""``dadu cancel``: ends what the robot was sent to do."""

from __future__ import annotations

from typing import Annotated

import typer


def cancel(
    wait: Annotated[float, typer.Option(min=0, help="wall seconds that the graph is looked for")] = 30.0,
    namespace: Annotated[str, typer.Option(help="of the robot, as given to dadu up")] = "",
) -> None:
    """Ends the task in progress and any skill that another program has begun; the robot comes to rest. Saying "stop"
    to dadu do, the console or an MCP client does the same. Exit status 1 where something goes on all the same."""
    from dadu_nodes.commands.cancel import cancel as order

    raise typer.Exit(order(wait=wait, namespace=namespace))

"""What agents call each other: everybody is `ROBOT` in a graph of one's own, whatever others call him."""

from __future__ import annotations

from dadu.world.graph import ROBOT

PERSON = "person"
OTHER = "partner"
"""what others call the agent whose name in the world is `ROBOT`"""


def called(name: str, by: str) -> str:
    """What the agent `by` calls the agent `name`, or anything else."""
    if name == by:
        return ROBOT
    return OTHER if name == ROBOT else name


def meant(id: str, by: str) -> str:
    """The name in the world of what the agent `by` calls `id`."""
    if id == ROBOT:
        return by
    return ROBOT if id == OTHER else id

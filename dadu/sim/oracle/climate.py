"""What furniture does to its contents: fridges cool, ovens and stoves heat, running water cleans."""

from __future__ import annotations

from dadu.sim.oracle.properties import affordances_of
from dadu.sim.oracle.truth import OracleWorld


def settle_in(world: OracleWorld, piece: str) -> None:
    """After something was put in `piece`, or it was shut or switched: its contents warm up or cool down."""
    entity = world.pieces.get(piece)
    if entity is None:
        return
    affordances, powered = affordances_of(entity.category), entity.states.get("is_powered_on", False)
    shut = not entity.parts or entity.closed
    for thing in world.on(piece):
        if "cool" in affordances and shut:
            thing.states |= {"is_cold": True, "is_hot": False}
        elif "heat" in affordances and powered:
            thing.states |= {"is_hot": True, "is_cold": False}
        elif "wash" in affordances and powered:
            thing.states |= {"is_clean": True}

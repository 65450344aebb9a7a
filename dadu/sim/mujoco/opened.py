"""Furniture that a house file says is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dadu.house.format import Furniture
from dadu.house.furniture.pieces import furniture_model
from dadu.house.states import State

if TYPE_CHECKING:
    from dadu.sim.mujoco.simulation import Simulation


def open_parts(simulation: Simulation) -> None:
    """Opens the doors and drawers of such pieces all the way; what lies in a drawer comes along."""
    for piece in simulation.house.furniture:
        if piece.states.get(State.OPEN):
            for part in furniture_model(piece).parts:
                simulation.data.joint(f"{piece.name}/{part.name}").qpos[0] = part.range
                if part.kind == "slide":
                    _take_along(simulation, piece, part.name, (part.axis[0] * part.range, part.axis[1] * part.range))


def _take_along(simulation: Simulation, piece: Furniture, part: str, shift: tuple[float, float]) -> None:
    """Moves the objects in a drawer by `shift` [m], in the furniture's frame."""
    decks = {deck.name for deck in furniture_model(piece).decks if deck.part == part}
    offset = piece.pose2.apply(shift) - piece.pose2.apply((0.0, 0.0))
    for name, placement in simulation.placements.items():
        if placement.thing.receptacle == piece.name and placement.deck in decks:
            simulation.data.joint(name).qpos[:2] += offset

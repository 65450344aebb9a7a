"""How a piece is made here, of what is known of it elsewhere: its box, and at which heights things stand on it."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.house.catalogue import Size, furniture_categories
from dadu.house.furniture.articulated import REACHABLE_TOP
from dadu.house.furniture.pieces import has_boards
from dadu.imports.drafts import DraftPiece
from dadu.imports.report import ImportReport

_TOP = 0.03
"""things that stand this near to the top of a box [m] stand on it, or float where it has a back"""
_GAP = 0.7
"""a shelf has boards at least so near to each other [m]"""
_ONE_BOARD = ("seat", "chair", "office_chair", "bed")
_SHELVED = ("shelf", "fridge")
_ONE_TOP = ("table", "round_table", "counter", "block", "cart")


@dataclass(frozen=True)
class Make:
    size: Size
    boards: tuple[float, ...] = ()


def make_of(draft: DraftPiece, report: ImportReport) -> Make:
    """Size and boards for the house file."""
    category = furniture_categories().get(draft.category)
    if category is None:
        return Make(draft.size)
    d, w, h = draft.size
    below = [z for z in draft.boards if z < h - _TOP]
    if category.build in _ONE_BOARD:
        usual = min(category.options.get("seat_height", 0.45), 0.6 * h)
        return Make(draft.size, (round((below or list(draft.boards) or [usual])[0], 3),))
    if category.build in _SHELVED or category.boarded is not None:
        inner = tuple(sorted(round(z, 3) for z in below if 0.02 < z < h - 0.1))
        if category.build in _SHELVED and inner:
            inner = _filled(draft, inner, report)
        return Make(draft.size, inner)
    if category.build in _ONE_TOP and h > REACHABLE_TOP:
        top = next((z for z in draft.boards if 0.3 < z <= REACHABLE_TOP), category.size[2])
        report.change(draft.source, "pieces of furniture cut down to the board in use", h - top)
        return Make((d, w, round(top, 3)))
    if has_boards(draft.category) and len(below) < len(draft.boards):
        return Make(draft.size, (h,))
    return Make(draft.size)


def _filled(draft: DraftPiece, boards: tuple[float, ...], report: ImportReport) -> tuple[float, ...]:
    """Boards where nothing is known to stand, in gaps that no shelf has."""
    found: list[float] = []
    for low, high in zip((0.0, *boards), (*boards, draft.size[2]), strict=True):
        count = int((high - low) / _GAP)
        found += (round(low + (high - low) * i / (count + 1), 3) for i in range(1, count + 1))
        found += [high] if high in boards else []
    if len(found) > len(boards):
        report.change(draft.source, "shelves with boards where nothing is known to stand", len(found) - len(boards),
                      "boards")
    return tuple(found)

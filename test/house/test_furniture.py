"""Every category of furniture: its boxes fill its size, its decks are free, its parts open outwards."""

import numpy as np
import pytest

from dadu.house.catalogue import furniture_categories
from dadu.house.format import Furniture
from dadu.house.furniture.pieces import furniture_model, size_of

CATEGORIES = sorted(furniture_categories())


def _piece(category: str) -> Furniture:
    return Furniture(name="it", category=category, room="den", pose=(0, 0, 0))


def _corners(box) -> tuple[np.ndarray, np.ndarray]:
    centre, half = np.array(box.centre), np.array(box.size) / 2
    return centre - half, centre + half


@pytest.mark.parametrize("category", CATEGORIES)
def test_boxes_stay_within_the_footprint(category):
    depth, width, height = size_of(_piece(category))
    for box in furniture_model(_piece(category)).boxes:
        low, high = _corners(box)
        assert (low >= np.array([-depth / 2, -width / 2, 0]) - 1e-6).all(), box.name
        assert (high[:2] <= np.array([depth, width]) / 2 + 1e-6).all(), box.name
        assert (np.array(box.size) > 0).all(), box.name


@pytest.mark.parametrize("category", CATEGORIES)
def test_names_of_boxes_decks_and_parts_are_unique(category):
    model = furniture_model(_piece(category))
    boxes = [*model.boxes, *(box for part in model.parts for box in part.boxes)]
    for items in (boxes, model.decks, model.parts):
        assert len({item.name for item in items}) == len(items)
    assert all(deck.part == "" or deck.part in {part.name for part in model.parts} for deck in model.decks)


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_space_above_a_deck_is_free_and_its_floor_is_there(category):
    model = furniture_model(_piece(category))
    boxes = [*model.boxes, *(box for part in model.parts for box in part.boxes)]
    assert bool(model.decks) == ("receptacle" in furniture_categories()[category].hypernyms)
    for deck in model.decks:
        half = np.array(deck.size) / 2 - 0.005
        low = np.array([*(deck.centre - half), deck.height + 1e-3])
        high = np.array([*(deck.centre + half), deck.height + min(deck.clearance, 1.0) - 1e-3])
        for box in boxes:
            a, b = _corners(box)
            assert not ((low < b) & (a < high)).all(), f"{box.name} stands on {deck.name}"
        probe = np.array([*deck.centre, deck.height - 1e-3]) + (0.0, 0.002, 0.0)
        assert any(((a < probe) & (probe < b)).all() for a, b in map(_corners, boxes)), f"{deck.name} has no floor"


@pytest.mark.parametrize("category", [c for c in CATEGORIES if furniture_model(_piece(c)).parts])
def test_parts_have_graspable_handles_and_open_outwards(category):
    front = size_of(_piece(category))[0] / 2
    for part in furniture_model(_piece(category)).parts:
        bar = next(box for box in part.boxes if box.name.endswith("_handle"))
        assert 0.035 <= bar.centre[0] - bar.size[0] / 2 - front <= 0.05
        assert part.handle == bar.centre and 0.15 < part.handle[2] < 1.05
        step = 0.05
        if part.kind == "slide":
            moved = np.array(part.handle) + step * np.array(part.axis)
        else:
            arm = np.array(part.handle) - part.origin
            moved = part.handle + step * np.cross(part.axis, arm)
            assert 0.4 <= np.hypot(*arm[:2]) <= 0.62
        assert moved[0] > part.handle[0]

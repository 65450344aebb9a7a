"""Shapes: every category's solids fill its size, whatever the size; hulls and mirror images are what they say."""

import numpy as np
import pytest
from pydantic import ValidationError

from dadu.core.errors import ConfigError
from dadu.house.catalogue import Shape, object_categories
from dadu.house.format import Object
from dadu.house.objects import object_model
from dadu.house.shapes import hulls
from dadu.house.shapes.build import build
from dadu.house.shapes.pieces import Piece, shape_pieces
from dadu.house.shapes.shapes import primitives

CATEGORIES = sorted(object_categories())


def _model(category: str, number: int = 0, **fields):
    return object_model(Object(name=f"it_{number}", category=category, on="table", **fields))


def _extent(solids) -> np.ndarray:
    bounds = [solid.bounds() for solid in solids if solid.solid]
    return np.max([high for _, high in bounds], axis=0) - np.min([low for low, _ in bounds], axis=0)


def test_every_variant_fills_its_size_and_shows_nothing_far_outside():
    for category in CATEGORIES:
        for number in range(max(1, len(object_categories()[category].variants))):
            model = _model(category, number)
            solids = primitives(model)
            assert _extent(solids) == pytest.approx(model.size, abs=0.003), category
            reach = np.max([np.abs(np.array(solid.bounds())) for solid in solids], axis=(0, 1))
            assert (reach <= np.array(model.size) / 2 + 0.01).all(), category
            low = min(solid.bounds()[0][2] for solid in solids)
            assert low == pytest.approx(-model.size[2] / 2, abs=0.002), category


def test_every_shape_of_the_catalogue_exists_and_every_shape_is_used():
    used = {category.shape for category in object_categories().values()}
    assert used - {shape.value for shape in Shape} <= set(shape_pieces())
    assert set(shape_pieces()) <= used


def test_an_unknown_shape_is_an_error_that_lists_the_shapes():
    model = _model("apple")
    with pytest.raises(ConfigError, match="unknown shape 'cloud'; valid: airplane, .*wrench"):
        primitives(type(model)(**{**vars(model), "shape": "cloud"}))


@pytest.mark.parametrize("mirror", ["x", "y", "xy"])
def test_a_mirrored_piece_is_symmetrical(mirror):
    piece = Piece.model_validate({"wedge": (4, 1, 2), "at": (3, 2, 0), "turn": 25, "lean": 10, "mirror": mirror})
    corners = np.concatenate([solid.centre + np.array(solid.points) @ solid.axes.T
                              for solid in build((piece,), (0.3, 0.2, 0.1), "red", None)])
    for axis, name in enumerate("xy"):
        if name in mirror:
            flipped = corners * np.where(np.arange(3) == axis, -1, 1)
            distance = np.linalg.norm(corners[:, None] - flipped[None], axis=2).min(axis=1)
            assert distance.max() < 1e-9


def test_a_rounded_box_keeps_flat_faces():
    points = hulls.rounded((2, 1, 4), 0.4)
    for axis, half in enumerate((1, 0.5, 2)):
        assert np.abs(points[:, axis]).max() == pytest.approx(half)
        assert np.count_nonzero(np.isclose(points[:, axis], half)) == 4


def test_a_piece_has_exactly_one_form():
    for fields in ({}, {"box": (1, 1, 1), "sphere": 2}):
        with pytest.raises(ValidationError, match="exactly one of box, crate"):
            Piece.model_validate(fields)

"""The settings files that the docs name."""

from __future__ import annotations

from pathlib import Path

import pytest

from dadu.core.config import load
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.namer.settings import NamerSettings

TRAIN = Path(__file__).parents[2] / "config" / "train"


@pytest.mark.parametrize(("name", "kind"), [("detector-large", TrainSettings), ("namer-large", NamerSettings)])
def test_larger_eyes_are_larger(name, kind):
    recipe, plain = load(kind, TRAIN / f"{name}.yaml"), kind()
    assert recipe.batch > plain.batch
    assert all(large > small for large, small in zip(recipe.network.widths, plain.network.widths, strict=True))

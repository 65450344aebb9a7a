"""Compression keeps depth exact to the millimetre and colour recognisable."""

from types import SimpleNamespace

import numpy as np
import pytest

from dadu.core.errors import NotUsable
from dadu.incoming.pictures import color, decoded, shades
from dadu.operator.run.pictures import compress

rng = np.random.default_rng(0)


def of_message(compressed):
    """The colours of a CompressedImage."""
    return color(SimpleNamespace(format=compressed[0], data=compressed[1]))


def test_depth_is_exact_to_half_a_millimetre():
    depth = rng.uniform(0.2, 10, (48, 64)).astype(np.float32)
    depth[0, :3] = (0, np.nan, np.inf)
    format, data = compress(depth, "32FC1")
    back = decoded(data)
    assert format.startswith("16UC1; png") and back.dtype == np.uint16
    assert (back[0, :3] == 0).all()
    np.testing.assert_allclose(back[1:] * 1e-3, depth[1:], atol=0.00051)


@pytest.mark.parametrize("encoding, dtype", [("16UC1", np.uint16), ("mono8", np.uint8)])
def test_integers_are_exact(encoding, dtype):
    pixels = rng.integers(0, np.iinfo(dtype).max, (48, 64)).astype(dtype)
    assert (decoded(compress(pixels, encoding)[1]) == pixels).all()


def test_of_colours_all_is_kept_that_perception_sees():
    pixels = np.arange(256 * 3, dtype=np.uint8).reshape(16, 16, 3)
    kept = of_message(compress(pixels, "rgb8"))
    np.testing.assert_array_equal(shades(kept), shades(pixels))
    np.testing.assert_array_equal(kept, shades(kept), "what was kept is kept again")
    assert np.abs(kept.astype(int) - pixels).max() <= 2


def test_colour_keeps_its_channels():
    red = np.zeros((48, 64, 3), np.uint8)
    red[..., 0] = 200
    for encoding, pixels in (("rgb8", red), ("bgr8", red[..., ::-1])):
        back = of_message(compress(pixels, encoding, quality=90))
        assert abs(int(back[..., 0].mean()) - 200) < 4 and back[..., 2].mean() < 4


def test_others_stay_raw_and_garbage_is_refused():
    assert compress(np.zeros((2, 2), np.int32), "32SC1") is None
    for data in (b"", b"garbage"):
        with pytest.raises(NotUsable):
            decoded(data)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image
from tiers import examples

from dadu.core.errors import ConfigError
from dadu.world.occupancy import OccupancyMap

grids = arrays(np.int8, st.tuples(st.integers(1, 12), st.integers(1, 12)), elements=st.sampled_from([-1, 0, 100]))


@given(grids, st.floats(0.01, 0.5), st.floats(-9, 9), st.floats(-9, 9))
@examples(25)
def test_file_round_trip(tmp_path_factory, grid, resolution, x, y):
    path = tmp_path_factory.mktemp("map") / "m.yaml"
    OccupancyMap(grid, resolution, (x, y)).save(path)
    again = OccupancyMap.load(path)
    assert np.array_equal(again.grid, grid)
    assert (again.resolution, again.origin) == (resolution, (x, y))


@given(grids, st.floats(0.01, 0.5), st.floats(-9, 9))
def test_cell_of_its_centre_is_itself(grid, resolution, x):
    m = OccupancyMap(grid, resolution, (x, -x))
    cells = np.argwhere(np.ones(grid.shape, bool))
    assert np.array_equal(m.cells(m.centres(cells)), cells)
    assert np.array_equal(m.at(m.centres(cells)).reshape(grid.shape), grid)


def test_orientation_row_zero_at_the_origin_and_bottom_of_the_picture(tmp_path):
    grid = np.zeros((3, 5), np.int8)
    grid[0, 4] = 100
    m = OccupancyMap(grid, 0.1, (1.0, 2.0))
    assert m.at((1.45, 2.05)) == 100
    assert m.at((9, 9)) == -1
    m.save(tmp_path / "m.yaml")
    data = (tmp_path / "m.pgm").read_bytes()
    assert data.startswith(b"P5") and data[-1] == 0 and data[-2] == 254


@pytest.mark.parametrize("ending", ["pgm", "png"])
def test_picture_of_16_bits_is_the_same_map(tmp_path, ending):
    grid = np.array([[-1, 0, 100], [100, -1, 0]], np.int8)
    OccupancyMap(grid, 0.1, (0.0, 0.0)).save(tmp_path / "m.yaml")
    with Image.open(tmp_path / "m.pgm") as image:
        deep = Image.fromarray(np.asarray(image, np.uint16) * 257)
    deep.save(tmp_path / f"deep.{ending}")
    (tmp_path / "m.yaml").write_text((tmp_path / "m.yaml").read_text().replace("m.pgm", f"deep.{ending}"))
    assert np.array_equal(OccupancyMap.load(tmp_path / "m.yaml").grid, grid)


@pytest.mark.parametrize(("text", "word"), [
    ("image: none.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n", "does not exist"),
    ("image: m.pgm\nresolution: -1\norigin: [0, 0, 0]\n", "resolution"),
    ("image: m.pgm\nresolution: 0.1\norigin: [0, 0, 1]\n", "turned"),
    ("image: m.pgm\nresolution: 0.1\norigin: [0, 0, 0]\nfoo: 1\n", "valid:"),
    ("image: m.yaml\nresolution: 0.1\norigin: [0, 0, 0]\n", "no picture"),
])
def test_bad_files_are_refused_with_their_field(tmp_path, text, word):
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(ConfigError, match=word):
        OccupancyMap.load(tmp_path / "m.yaml")

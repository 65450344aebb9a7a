"""What several tests of learning learn from."""

import pytest
from drawn_pictures import draw


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Labelled pictures, see `draw`."""
    path = tmp_path_factory.mktemp("pictures")
    draw(path)
    return path

"""One tiny home, made once for all tests here."""

import pytest

from dadu.core.work import Workers, WorkFailed
from dadu.learning.pictures.home import HomeOrder
from dadu.learning.pictures.run import begin, make_pictures
from dadu.learning.pictures.settings import PictureSettings


@pytest.fixture(scope="session")
def settings():
    return PictureSettings(width=64, height=48, pictures=6, scene=3, rooms=(2, 2), crowd=(8, 8))


@pytest.fixture(scope="session")
def order():
    return HomeOrder(100_003, "train")


@pytest.fixture(scope="session")
def folder(settings, order, tmp_path_factory):
    """A folder with that one home, made by a worker as the command makes it; its events are kept in `events`."""
    folder = begin(tmp_path_factory.mktemp("pictures"), settings)
    events = list(make_pictures(folder, [order], Workers(1)))
    assert [event for event in events if isinstance(event, WorkFailed)] == []
    return folder


@pytest.fixture(scope="session")
def home(folder):
    return next(folder.homes())

"""A folder of a few plans, made once."""

import pytest

from dadu.core.work import Workers
from dadu.learning.plans.home import PlanHomeOrder
from dadu.learning.plans.run import make_homes
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.store import PlanFolder

SETTINGS = PlanSettings(episodes=6, rooms=(3, 3), steps=30, declined=0.5)
HOMES = (PlanHomeOrder(100_000, "train"), PlanHomeOrder(900_000, "test"))


@pytest.fixture(scope="session")
def plans(tmp_path_factory):
    folder = PlanFolder(tmp_path_factory.mktemp("plans"))
    folder.begin(SETTINGS)
    list(make_homes(folder, HOMES, Workers()))
    return folder

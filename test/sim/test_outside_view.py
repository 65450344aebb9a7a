"""Pictures of a running simulation from outside: while somebody looks, and of what is simulated now."""

import threading
import time

import numpy as np
import pytest
from small_worlds import simulation

from dadu.core.geometry import Pose2
from dadu.sim.engine import Engine, Listener
from dadu.sim.mujoco.scene.house_mjcf import WALL_NAME
from dadu.sim.outside_view import HEIGHT, WIDTH, OutsideView
from dadu.sim.settings import EngineSettings


@pytest.fixture
def engine(tmp_path):
    made = Engine(simulation(), EngineSettings(), [Listener(*(lambda *told: None,) * 5)], tmp_path)
    yield made
    made.close()


def until(condition):
    end = time.monotonic() + 100.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def drawing():
    return [thread for thread in threading.enumerate() if thread.name == "outside"]


def test_it_draws_what_is_simulated_now_while_somebody_looks(engine):
    drawn = []
    view = OutsideView(engine, lambda now, rgb: drawn.append((now, rgb)))
    assert not drawing()
    view.look(True)
    until(lambda: drawn)
    assert drawn[0][1].shape == (HEIGHT, WIDTH, 3) and drawn[0][1].std() > 15
    with engine.exclusive() as sim:
        walls = [i for i in range(sim.model.ngeom) if sim.model.geom(i).name.startswith(WALL_NAME)]
        heights = sim.model.geom_size[walls, 2].copy()
        sim.body.place(sim.data, Pose2(1.0, 3.0, 0.5), {})
    assert heights.max() > 1.0
    until(lambda: np.abs(drawn[-1][1].astype(int) - drawn[0][1]).mean() > 5)
    engine.replace(lambda old: simulation())
    until(lambda: np.abs(drawn[-1][1].astype(int) - drawn[0][1]).mean() < 5)
    with engine.exclusive() as sim:
        assert (sim.model.geom_size[walls, 2] == heights).all(), "the walls are cut down in the picture alone"
    view.look(False)
    until(lambda: not drawing())
    view.look(True)
    view.look(True)
    assert len(drawing()) == 1
    view.close()

"""MuJoCo's window, a stand-in in its place: it shows what is simulated now. Where no display is, it says so."""

import os
import threading
import time
from contextlib import contextmanager

import pytest
from small_worlds import simulation

from dadu.core.geometry import Pose2
from dadu.sim.engine import Engine, Listener
from dadu.sim.settings import EngineSettings
from dadu.sim.viewer import NoDisplay, Viewer, open_window


class StandIn:
    """A window as `launch_passive` gives it, which refuses to be used as that one must not be."""

    def __init__(self, model, data):
        self.model, self.data, self.seen, self.running = model, data, [], True
        self._held = threading.Lock()

    @contextmanager
    def lock(self):
        with self._held:
            yield

    def sync(self):
        assert self.running, "a closed window is not drawn in"
        with self._held:
            self.seen.append(self.data.qpos.copy())

    def is_running(self):
        return self.running

    def close(self):
        self.running = False


@pytest.fixture
def engine(tmp_path):
    made = Engine(simulation(), EngineSettings(), [Listener(*(lambda *told: None,) * 5)], tmp_path)
    yield made
    made.close()


def until(condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_it_shows_what_is_simulated_now_and_ends_with_its_window(engine):
    windows = []
    viewer = Viewer(engine, lambda model, data: windows.append(StandIn(model, data)) or windows[-1])
    until(lambda: windows[0].seen)
    with engine.exclusive() as sim:
        sim.body.place(sim.data, Pose2(1.0, 3.0, 0.5), {})
        moved = sim.data.qpos.copy()
    until(lambda: (windows[0].seen[-1] == moved).all())
    engine.replace(lambda old: simulation(objects=()))
    until(lambda: len(windows) == 2 and windows[1].seen)
    assert not windows[0].running and windows[1].model.nq < windows[0].model.nq
    windows[1].running = False  # its user closes it: nobody opens another
    viewer.close()
    assert len(windows) == 2


def test_without_a_display_it_says_so(monkeypatch):
    if "WAYLAND_DISPLAY" in os.environ:
        pytest.skip("there is one")
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.warns(match="DISPLAY"), pytest.raises(NoDisplay):
        open_window(None, None)

"""Doors and drawers by contact in the simulated flat, in lock step."""

import numpy as np
import pytest

from dadu.manipulation.articulate import articulate
from dadu.skills.outcome import Code

from .bench import Bench


@pytest.fixture(scope="module")
def bench():
    bench = Bench()
    yield bench
    bench.sim.close()


def before(bench: Bench, furniture: str, distance: float, aside: float = 0.0) -> None:
    part = bench.graph[furniture].parts[0]
    bench.stand(part.handle[:2], float(np.arctan2(part.normal[1], part.normal[0])), distance, aside)


def test_fridge_opens_and_closes(bench):
    before(bench, "fridge_0", 0.68)
    opened = bench.run(articulate(bench.robot, bench.scene, "fridge_0"))
    assert opened.code is Code.SUCCEEDED and opened.target == "fridge_0/door", opened
    assert bench.part("fridge_0", "door") > 1.3
    assert opened.value == pytest.approx(bench.part("fridge_0", "door"), abs=0.1)

    bench.set_part("fridge_0", "door", bench.part("fridge_0", "door"))
    closed = bench.run(articulate(bench.robot, bench.scene, "fridge_0", open=False))
    assert closed.code is Code.SUCCEEDED, closed
    assert bench.part("fridge_0", "door") < 0.03


def test_drawer_opens(bench):
    before(bench, "cabinet_0", 0.86)
    opened = bench.run(articulate(bench.robot, bench.scene, "cabinet_0"))
    assert opened.code is Code.SUCCEEDED, opened
    assert bench.part("cabinet_0", "drawer") > 0.3

"""Switching on and off by contact: a button of furniture, a lamp by a touch from above."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.house.furniture.entity import switch_of
from dadu.manipulation.press import press
from dadu.skills.outcome import Code

from .bench import Bench


@pytest.fixture
def bench():
    bench = Bench(house="apartment")
    yield bench
    bench.sim.close()


def test_a_microwave_is_switched_on_by_its_button(bench):
    piece = bench.graph["microwave_0"]
    switch = switch_of(piece)
    bench.stand(switch.handle[:2], piece.yaw, 0.6)
    result = bench.run(press(bench.robot, bench.scene, "microwave_0", True))
    assert result.ok and bench.sim.states["microwave_0"]["is_powered_on"], result
    assert result.code is Code.UNCERTAIN, "nobody has seen it yet"

    # It is taken to stand a hand's breadth from where it does: nothing is felt there, and nobody says that it is off.
    away = np.array(piece.position) + 0.1 * np.array([np.cos(piece.yaw), np.sin(piece.yaw), 0.0])
    bench.graph.put(replace(bench.graph["microwave_0"], position=tuple(away), states={"is_powered_on": True}))
    result = bench.run(press(bench.robot, bench.scene, "microwave_0", False))
    assert result.code is Code.EXECUTION_FAILED and bench.sim.states["microwave_0"]["is_powered_on"], result


def test_a_lamp_is_touched_from_above(bench):
    lamp = bench.graph["lamp_0"]
    bench.stand(lamp.position[:2], bench.graph["side_table_0"].yaw, 0.6)
    result = bench.run(press(bench.robot, bench.scene, "lamp_0", True))
    assert result.ok and bench.sim.states["lamp_0"]["is_powered_on"], result
    assert np.linalg.norm(bench.position("lamp_0") - np.array(lamp.position)) < 0.03


def test_who_has_no_switch_is_not_pressed(bench):
    assert bench.run(press(bench.robot, bench.scene, "fridge_0", True)).code is Code.NOT_INTERACTIVE
    assert bench.run(press(bench.robot, bench.scene, "nobody_0", True)).code is Code.UNKNOWN_TARGET

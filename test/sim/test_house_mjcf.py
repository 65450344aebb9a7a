"""Compiled houses: names, masses, rest, and parts that hold shut and open."""

import mujoco
import numpy as np
import pytest

from dadu.house.catalogue import object_categories
from dadu.house.files import load_house
from dadu.house.placement import place_objects
from dadu.sim.mujoco.scene.house_mjcf import build_spec


@pytest.fixture(scope="module")
def flat():
    return build_spec(load_house("flat")).compile()


def _settled(model: mujoco.MjModel, seconds: float = 1.0) -> np.ndarray:
    """How far each body moves in the first `seconds` [m]; nothing may start inside something else."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert all(contact.dist > -1e-4 for contact in data.contact)
    start = data.xpos.copy()
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    return np.linalg.norm(data.xpos - start, axis=1)


def test_the_flat_stands_still(flat):
    assert _settled(flat).max() < 0.002


@pytest.mark.parametrize("part", range(4))
def test_every_object_of_the_catalogue_stands_still_and_has_its_mass(one_room, part):
    categories = sorted(object_categories())[part::4]
    tables = [{"name": f"t_{i}", "category": "table", "pose": [2 + 3 * i, 6, 0.3 * i], "size": [1.2, 2, 0.7]}
              for i in range(1 + len(categories) // 12)]
    things = [{"name": f"o_{i}", "category": c, "on": f"t_{i // 12}"} for i, c in enumerate(categories)]
    house = one_room(tables, things, size=12 + len(categories) / 4)
    model = build_spec(house).compile()
    assert _settled(model).max() < 0.002
    for name, placement in place_objects(house).items():
        assert model.body(name).mass[0] == pytest.approx(placement.model.mass)


def test_bodies_and_joints_carry_the_names_of_the_house(flat):
    house = load_house("flat")
    for item in (*house.furniture, *house.objects):
        assert flat.body(item.name).id > 0
    assert flat.joint("fridge_0/door").range == pytest.approx((0, 1.7))
    assert flat.joint("cabinet_0/drawer").range == pytest.approx((0, 0.4))
    assert flat.body("fridge_0/door").parentid[0] == flat.body("fridge_0").id
    assert 6 <= flat.body("fridge_0/door").mass[0] <= 12


def _breakaway(model: mujoco.MjModel, joint: str) -> float:
    """The slowly rising torque [Nm] or force [N] at which a closed part gives way."""
    data, address = mujoco.MjData(model), model.joint(joint)
    for effort in np.arange(0.0, 30.0, 0.1):
        data.qfrc_applied[address.dofadr[0]] = effort
        mujoco.mj_step(model, data, 10)
        if data.qpos[address.qposadr[0]] > 0.03:
            return float(effort)
    raise AssertionError(f"{joint} does not open")


def test_the_fridge_is_sealed_and_the_drawer_is_not(flat):
    assert 4 <= _breakaway(flat, "fridge_0/door") <= 10
    assert _breakaway(flat, "cabinet_0/drawer") <= 4


@pytest.mark.parametrize("part", ["fridge_0/door", "cabinet_0/drawer", "wardrobe_0/left_door", "wardrobe_0/right_door"])
def test_parts_open_all_the_way_and_stay_there(flat, part):
    data, joint = mujoco.MjData(flat), flat.joint(part)
    dof, position = joint.dofadr[0], joint.qposadr[0]
    for _ in range(2000):
        data.qfrc_applied[dof] = np.clip(20 * (1.0 - data.qvel[dof]), 0, 12)
        mujoco.mj_step(flat, data)
    data.qfrc_applied[dof] = 0
    mujoco.mj_step(flat, data, 500)
    assert data.qpos[position] == pytest.approx(joint.range[1], abs=0.02)


def test_what_lies_in_a_drawer_comes_along(flat):
    data, joint = mujoco.MjData(flat), flat.joint("cabinet_0/drawer")
    before = None
    for _ in range(1500):
        data.qfrc_applied[joint.dofadr[0]] = np.clip(20 * (0.3 - data.qvel[joint.dofadr[0]]), 0, 12)
        mujoco.mj_step(flat, data)
        before = data.body("sponge_0").xpos.copy() if before is None else before
    assert np.linalg.norm(data.body("sponge_0").xpos - before) == pytest.approx(0.4, abs=0.06)

"""Reset, seeds, checkpoints and disturbances."""

import numpy as np
import pytest
from small_worlds import CAN, FRIDGE, TABLE, drive, grasp, move, simulation

from dadu.core.robot import Twist
from dadu.sim.backend import DisturbanceError
from dadu.sim.mujoco.checkpoint import CheckpointError

CABINET = {"name": "cabinet_0", "category": "drawer_cabinet", "room": "room", "pose": [4.0, 0.4, 1.5708]}
SHELF = {"name": "shelf_0", "category": "shelf", "room": "room", "pose": [0.5, 2.0, 0.0]}


def state_of(sim):
    return np.concatenate([sim.data.qpos, sim.data.qvel])


def test_the_same_seed_and_commands_give_the_same_world():
    def play():
        sim = simulation(seed=5)
        drive(sim, Twist(0.2, 0.4), 1.0)
        move(sim, {"joint_lift": 0.6}, 2.0)
        return state_of(sim)
    np.testing.assert_array_equal(play(), play())


def test_seeds_move_things_a_little_and_minus_one_does_not():
    exact, moved = simulation(seed=-1), simulation(seed=3)
    assert not np.allclose(exact.data.qpos, moved.data.qpos)
    a, b = (sim.ground_truth().bodies["can_0"].box for sim in (exact, moved))
    assert 0 < np.linalg.norm(a.centre - b.centre) < 0.06 and b.bottom == pytest.approx(a.bottom, abs=0.01)
    moved.reset(-1)
    np.testing.assert_array_equal(exact.data.qpos, moved.data.qpos)


def test_time_goes_on_over_a_reset():
    sim = simulation()
    sim.advance(3.0)
    sim.reset(2)
    assert sim.time == pytest.approx(3.0)


@pytest.mark.parametrize("seed", range(6))
def test_every_seed_starts_at_rest(seed):
    sim = simulation(objects=[CAN, CAN | {"name": "can_1", "at": [0.1, 0.12]}], seed=seed)
    before = {name: body.box.centre for name, body in sim.ground_truth().bodies.items()}
    sim.advance(2.0)
    for name, body in sim.ground_truth().bodies.items():
        assert np.linalg.norm(body.box.centre - before[name]) < 0.005 and body.box.R[2, 2] > 0.999


def test_a_restored_world_goes_on_exactly_as_the_saved_one(tmp_path):
    sim = simulation()
    grasp(sim, "can_0")
    move(sim, {"joint_lift": 0.9}, 3.0)
    sim.save(tmp_path / "state.npz", note=np.array([7.0]))
    other = simulation()
    assert other.restore(tmp_path / "state.npz")["note"] == 7.0
    assert other.time == sim.time and other.ground_truth().bodies["can_0"].held
    other.advance(5.0)
    assert other.ground_truth().bodies["can_0"].held  # the grip is restored, too
    again = simulation()
    again.restore(tmp_path / "state.npz")
    again.advance(5.0)
    np.testing.assert_array_equal(state_of(other), state_of(again))


def test_foreign_and_broken_checkpoints_are_refused(tmp_path):
    simulation().save(tmp_path / "state.npz")
    with pytest.raises(CheckpointError, match="another house"):
        simulation(objects=[CAN, CAN | {"name": "can_1", "at": [0.1, 0.2]}]).restore(tmp_path / "state.npz")
    (tmp_path / "broken.npz").write_bytes((tmp_path / "state.npz").read_bytes()[:300])
    for name in ("broken.npz", "missing.npz"):
        with pytest.raises(CheckpointError, match=name):
            simulation().restore(tmp_path / name)


def test_an_object_can_be_moved_to_furniture_a_room_or_a_position():
    sim = simulation(furniture=[TABLE, SHELF])
    sim.disturb("move", "can_0", "shelf_0")
    sim.advance(1.0)
    box = sim.ground_truth().bodies["can_0"].box
    assert np.hypot(*(box.centre[:2] - (0.5, 2.0))) < 0.6 and box.R[2, 2] > 0.99
    sim.disturb("move", "can_0", "room")
    sim.advance(1.0)
    assert sim.ground_truth().bodies["can_0"].box.bottom == pytest.approx(0.0, abs=0.01)
    sim.disturb("move", "can_0", position=(2.3, 1.1, 0.75))
    sim.advance(1.0)
    np.testing.assert_allclose(sim.ground_truth().bodies["can_0"].box.centre[:2], (2.3, 1.1), atol=0.005)


def test_what_is_held_can_be_knocked_from_the_hand():
    sim = simulation()
    with pytest.raises(DisturbanceError, match="not held"):
        sim.disturb("drop")
    grasp(sim, "can_0")
    move(sim, {"joint_lift": 0.9}, 3.0)
    move(sim, {"wrist_extension": 0.0}, 3.0)
    sim.disturb("drop")
    sim.advance(2.0)
    assert not sim.ground_truth().bodies["can_0"].held
    assert sim.robot.observe().aperture < 0.002  # the fingers close on nothing


def test_doors_and_drawers_open_with_their_content():
    sponge = {"name": "sponge_0", "category": "sponge", "in": "cabinet_0"}
    sim = simulation(furniture=[FRIDGE, CABINET], objects=[sponge])
    before = sim.ground_truth().bodies["sponge_0"].box.centre
    sim.disturb("open", target="cabinet_0")
    sim.disturb("open", target="fridge_0/door")
    sim.advance(1.0)
    truth = sim.ground_truth()
    assert truth.parts["cabinet_0/drawer"] > 0.25 and truth.parts["fridge_0/door"] > 1.2
    shift = truth.bodies["sponge_0"].box.centre - before
    assert shift[1] == pytest.approx(truth.parts["cabinet_0/drawer"], abs=0.02)  # its front faces +y
    sim.disturb("close", target="fridge_0")
    sim.disturb("close", target="cabinet_0")
    sim.advance(1.0)
    assert max(sim.ground_truth().parts.values()) < 0.01


@pytest.mark.parametrize("arguments, complaint", [
    (("explode",), "unknown disturbance 'explode'.*move"),
    (("move", "cat_0", "table_0"), "no object called 'cat_0'.*can_0"),
    (("move", "can_0", "sofa_0"), "no furniture or room called 'sofa_0'.*table_0"),
    (("move", "can_0", "table_0/attic"), "no surface 'attic'"),
    (("open", "", "table_0"), "no part that opens"),
])
def test_impossible_disturbances_name_the_choices(arguments, complaint):
    with pytest.raises(DisturbanceError, match=complaint):
        simulation().disturb(*arguments)


def test_a_seal_holds_the_door_against_a_little_force_only():
    sim = simulation(furniture=[FRIDGE], objects=[], robot=(2.5, 2.5, 0.0))
    dof = sim.model.joint("fridge_0/door").dofadr[0]
    for torque, opens in ((2.0, False), (25.0, True)):
        sim.data.qfrc_applied[dof] = torque
        sim.advance(1.0)
        assert (sim.ground_truth().parts["fridge_0/door"] > 0.2) == opens

"""What is moved while it sleeps is there for everything: eyes, fingers and whatever else touches."""

import numpy as np
from small_worlds import BLIND, CAN, simulation


def of_can(sim):
    """Does it sleep, and how far is its collision geometry from the body it belongs to [m]?"""
    model, data = sim.model, sim.data
    body = model.body("can_0").id
    geoms = np.flatnonzero((model.geom_bodyid == body) & (model.geom_contype > 0))
    return data.tree_asleep[model.body_treeid[body]] >= 0, np.abs(data.geom_xpos[geoms] - data.xpos[body]).max()


def test_a_sleeping_thing_is_moved_with_all_that_it_is_made_of():
    sim = simulation(objects=[CAN], settings=BLIND)
    sim.advance(3.0)
    assert of_can(sim)[0], "it has come to rest"
    before = sim.ground_truth().bodies["can_0"].box.centre
    sim.disturb("move", "can_0", position=(before[0], before[1], before[2] + 0.3))
    assert not of_can(sim)[0] and of_can(sim)[1] < 0.1
    lifted = sim.ground_truth().bodies["can_0"].box.centre
    sim.advance(0.1)
    assert sim.ground_truth().bodies["can_0"].box.centre[2] < lifted[2] - 0.02, "it falls"
    sim.advance(3.0)
    assert of_can(sim)[0] and of_can(sim)[1] < 0.1
    sim.close()


def test_the_free_place_is_free_though_everything_sleeps():
    sim = simulation(objects=[CAN, CAN | {"name": "can_1", "at": [0.0, 0.0]}], settings=BLIND)
    sim.advance(3.0)
    assert of_can(sim)[0]
    sim.disturb("move", "can_0", "table_0")
    bodies = sim.ground_truth().bodies
    assert np.linalg.norm((bodies["can_0"].box.centre - bodies["can_1"].box.centre)[:2]) > 0.04
    sim.close()

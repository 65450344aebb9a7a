"""Every kind of shape that houses are built from becomes a mesh of its own size."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from dadu.sim.habitat.frames import to_map
from dadu.sim.habitat.meshes import body_scene

_G = mujoco.mjtGeom


@pytest.mark.parametrize(("kind", "size"), [
    (_G.mjGEOM_BOX, [0.1, 0.2, 0.3]), (_G.mjGEOM_CYLINDER, [0.1, 0.2, 0]), (_G.mjGEOM_CAPSULE, [0.1, 0.2, 0]),
    (_G.mjGEOM_SPHERE, [0.1, 0, 0]), (_G.mjGEOM_ELLIPSOID, [0.1, 0.2, 0.3])])
def test_a_shape_keeps_its_size(kind, size):
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="thing").add_geom(name="shape", type=kind, size=size, pos=[0.5, 0.0, 0.1])
    model = spec.compile()
    low, high = np.sort(to_map(body_scene(model, model.body("thing").id).bounds), axis=0)
    assert np.allclose((low + high) / 2, [0.5, 0.0, 0.1], atol=1e-3)
    assert np.allclose((high - low) / 2, model.geom_aabb[0, 3:], atol=2e-3)


def test_what_does_not_show_is_left_out():
    """An empty mug's content, the slices of a whole apple."""
    spec = mujoco.MjSpec()
    mug = spec.worldbody.add_body(name="mug")
    mug.add_geom(name="wall", type=_G.mjGEOM_CYLINDER, size=[0.04, 0.05, 0])
    mug.add_geom(name="content", type=_G.mjGEOM_CYLINDER, size=[0.03, 0.02, 0], rgba=[0.5, 0.5, 0.5, 0.0])
    model = spec.compile()
    assert set(body_scene(model, model.body("mug").id).geometry) == {"wall"}


def test_a_box_has_edges_and_a_ball_has_none():
    """Faces that share their corners are shaded as one round surface."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="box").add_geom(type=_G.mjGEOM_BOX, size=[0.1, 0.2, 0.3])
    spec.worldbody.add_body(name="ball").add_geom(type=_G.mjGEOM_SPHERE, size=[0.1, 0, 0])
    model = spec.compile()
    box, ball = (next(iter(body_scene(model, model.body(name).id).geometry.values())) for name in ("box", "ball"))
    assert len(box.vertices) == 6 * 4
    assert len(ball.vertices) < len(ball.faces)

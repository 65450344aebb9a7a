"""Things shown by meshes of others: their size and place, nothing else of them changed."""

import mujoco
import numpy as np
import pytest
from card_mesh import write_card

from dadu.core.errors import ConfigError
from dadu.house.placement import place_objects
from dadu.sim.mujoco.scene.appearance import NOT_DRAWN
from dadu.sim.mujoco.scene.house_mjcf import build_spec
from dadu.sim.mujoco.scene.meshes import Meshes, read_mesh


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """A folder with a mesh of a soup can, says its table: see `write_card`."""
    folder = tmp_path_factory.mktemp("cards")
    write_card(folder, ["soup_can"])
    return folder


@pytest.fixture
def house(one_room):
    return one_room([{"name": "t", "category": "table", "pose": [2, 2, 0], "size": [1, 1, 0.7]}],
                    [{"name": "can", "category": "soup_can", "on": "t"}, {"name": "cup", "category": "mug", "on": "t"}])


def _dressed(house, folder):
    placements = place_objects(house)
    spec = build_spec(house, placements=placements)
    assert Meshes(folder).dress(spec, placements.values()) == {"can": "card"}
    return spec.compile(), placements["can"]


def test_a_mesh_stands_where_the_thing_does_and_has_its_height(house, cards):
    model, placement = _dressed(house, cards)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    (geom,) = [i for i in range(model.ngeom) if model.geom(i).name.startswith("can/mesh")]
    k = model.geom_dataid[geom]
    corners = model.mesh_vert[model.mesh_vertadr[k]:][:model.mesh_vertnum[k]]
    corners = corners @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
    low, high = corners.min(axis=0), corners.max(axis=0)
    x, y, z = placement.model.size
    assert high[2] - low[2] == pytest.approx(z, abs=1e-3)
    assert low[2] == pytest.approx(placement.position[2] - z / 2, abs=1e-3)
    assert (high - low)[:2].max() < max(x, y)
    assert (low + high)[:2] / 2 == pytest.approx(placement.position[:2], abs=0.01)


def test_what_it_is_made_of_is_not_drawn_and_touches_as_before(house, cards):
    plain, (model, _) = build_spec(house).compile(), _dressed(house, cards)
    for i in range(plain.ngeom):
        name = plain.geom(i).name
        assert model.geom(name).contype == plain.geom(i).contype
        assert (model.geom(name).group[0] == NOT_DRAWN) == name.startswith("can/")
    mesh = model.geom("can/mesh_0")
    assert mesh.contype[0] == mesh.conaffinity[0] == 0 and mesh.group[0] != NOT_DRAWN
    assert model.body("can").mass == pytest.approx(plain.body("can").mass)
    assert model.body("can").inertia == pytest.approx(plain.body("can").inertia)


def test_a_mesh_keeps_its_texture_made_small(cards):
    (part,) = read_mesh(cards / "card.xml", "y").parts
    assert max(part.texture.shape) <= 256 and len(part.faces) == 12
    rows = part.texture.reshape(len(part.texture), -1, 3).mean(axis=1)
    assert (rows == (255, 255, 255)).all(axis=1).mean() == pytest.approx(0.5, abs=0.02)
    assert (rows == (255, 0, 0)).all(axis=1).mean() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
def test_whichever_axis_points_up_nothing_is_mirrored(cards, up):
    """The volume that a mesh's faces enclose, seen from outside, is positive."""
    (part,) = read_mesh(cards / "card.xml", up).parts
    a, b, c = (part.vertices[part.faces[:, i]] for i in range(3))
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(1.0, abs=1e-3)


def test_many_corners_become_few(tmp_path, cards):
    n = 200
    rows, columns = np.mgrid[:n, :n] / (n - 1)
    heights = 0.2 * np.sin(6 * rows) * np.cos(6 * columns)
    ids = np.arange(n * n).reshape(n, n) + 1
    faces = np.concatenate([np.stack([ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:]], axis=-1).reshape(-1, 3),
                            np.stack([ids[:-1, :-1], ids[1:, 1:], ids[:-1, 1:]], axis=-1).reshape(-1, 3)])
    vertices = np.stack([rows, columns, heights], axis=-1).reshape(-1, 3)
    (tmp_path / "card.obj").write_text("\n".join([*("v {:.4f} {:.4f} {:.4f}".format(*v) for v in vertices),
                                                  *("f {} {} {}".format(*face) for face in faces)]))
    (tmp_path / "wave.xml").write_text('<mujoco><asset><mesh name="m" file="card.obj" inertia="shell"/></asset>'
                                       '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>')
    (part,) = read_mesh(tmp_path / "wave.xml", "z").parts
    assert len(part.faces) < len(faces) / 10 and part.texture is None
    assert np.abs(part.vertices).max() == pytest.approx(0.5, abs=0.03)


def test_what_cannot_be_used_is_told(tmp_path, cards):
    with pytest.raises(ConfigError, match="no mesh that"):
        Meshes(tmp_path)
    (tmp_path / "meshes.yaml").write_text("meshes: {gizmo: {card: y}}")
    with pytest.raises(ConfigError, match="gizmo"):
        Meshes(tmp_path)
    (tmp_path / "broken.xml").write_text("<mujoco><asset><mesh file='nowhere.obj'/></asset></mujoco>")
    with pytest.raises(ConfigError, match="broken"):
        read_mesh(tmp_path / "broken.xml", "z")

"""The exported scene dataset: valid files, the right geometry, unique semantic ids."""

from __future__ import annotations

import json
import struct

import mujoco
import numpy as np
import pytest
import trimesh

from dadu.core.geometry import rotation, transform
from dadu.sim.habitat.dataset import part_pose
from dadu.sim.habitat.frames import pose_to_map, to_habitat, to_map
from dadu.sim.mujoco.scene.house_mjcf import build_spec


def test_every_file_is_there_and_parses(dataset):
    root = dataset.config.parent
    config = json.loads(dataset.config.read_text())
    suffixes = {"stages": "stage_config", "objects": "object_config", "scene_instances": "scene_instance"}
    for kind, suffix in suffixes.items():
        folder = root / config[kind]["paths"][".json"][0]
        files = sorted(folder.glob(f"*.{suffix}.json"))
        assert files
        for file in files:
            content = json.loads(file.read_text())
            if kind != "scene_instances":
                assert content["margin"] == 0.0 and content["up"] == [0, 1, 0] and content["front"] == [0, 0, -1]
                _check_glb(folder / content["render_asset"])
                assert (folder / content["collision_asset"]).exists()
            else:
                shading = [entry["template_handle"] for entry in config["pbr_ibl_configs"]["configs"]]
                assert content["default_pbr_shader_config"] in shading  # found by its exact name only


def _check_glb(path):
    """The container of glTF 2.0: header, a JSON chunk, a binary chunk; every accessor within its buffer view."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    gltf = json.loads(data[20:20 + size])
    binary, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0" and gltf["asset"]["version"] == "2.0"
    width = {5121: 1, 5123: 2, 5125: 4, 5126: 4}
    count = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
    for accessor in gltf["accessors"]:
        view = gltf["bufferViews"][accessor["bufferView"]]
        need = accessor["count"] * width[accessor["componentType"]] * count[accessor["type"]]
        assert accessor.get("byteOffset", 0) + need <= view["byteLength"]
        assert view.get("byteOffset", 0) + view["byteLength"] <= gltf["buffers"][0]["byteLength"] <= binary
    assert all("material" in primitive for mesh in gltf["meshes"] for primitive in mesh["primitives"])


def test_the_scene_puts_everything_where_mujoco_has_it(hut, dataset):
    model = build_spec(hut).compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    root = dataset.config.parent
    scene = json.loads((root / "scenes" / "hut.scene_instance.json").read_text())
    assert scene["translation_origin"] == "asset_local"
    for item, entry in zip(dataset.items, scene["object_instances"], strict=True):
        w, x, y, z = entry["rotation"]
        T = pose_to_map(transform(rotation((x, y, z, w)), entry["translation"]))
        body = model.body(item.name).id
        assert np.allclose(T[:3, 3], data.xpos[body], atol=1e-5)
        assert np.allclose(T[:3, :3], data.xmat[body].reshape(3, 3), atol=1e-6)
        mesh = trimesh.load(root / "objects" / f"{item.stem}.glb", force="scene").to_geometry()
        vertices = to_map(mesh.vertices) @ T[:3, :3].T + T[:3, 3]
        low, high = _bounds(model, data, body)
        assert np.allclose(vertices.min(axis=0), low, atol=2e-3) and np.allclose(vertices.max(axis=0), high, atol=2e-3)


def _bounds(model, data, body):
    """Of a body's boxes and cylinders in map."""
    points = []
    for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
        centre, half = model.geom_aabb[g, :3], model.geom_aabb[g, 3:]
        corners = centre + half * np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
        points.append(corners @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g])
    points = np.vstack(points)
    return points.min(axis=0), points.max(axis=0)


def test_semantic_ids_are_unique_and_those_of_instances(hut, dataset):
    ids = [item.semantic_id for item in dataset.items]
    assert ids == list(range(1, len(ids) + 1))
    names = [piece.name for piece in hut.furniture] + [thing.name for thing in hut.objects]
    assert [item.name for item in dataset.items][:len(names)] == names
    root = dataset.config.parent
    for item in dataset.items:
        config = json.loads((root / "objects" / f"{item.stem}.object_config.json").read_text())
        assert config["semantic_id"] == item.semantic_id and config["COM"] == [0, 0, 0]
    assert {i["name"] for i in json.loads((root / "instances.json").read_text())} == {i.name for i in dataset.items}


def test_the_stage_has_floor_and_walls(hut, dataset):
    stage = trimesh.load(dataset.config.parent / "stages" / "hut.glb", force="scene")
    low, high = stage.bounds
    assert np.allclose(to_map(low)[0], -0.05, atol=0.02) and high[1] == pytest.approx(2.5, abs=0.01)
    assert -0.05 <= low[1] <= 0.0


@pytest.mark.parametrize("value", [0.0, 0.4, 1.2])
def test_parts_move_as_in_mujoco(hut, value):
    model = build_spec(hut).compile()
    data = mujoco.MjData(model)
    data.joint("fridge_0/door").qpos = value
    mujoco.mj_kinematics(model, data)
    body = data.body("fridge_0/door")
    T = part_pose(hut, "fridge_0/door", value)
    assert np.allclose(T[:3, 3], body.xpos, atol=1e-6) and np.allclose(T[:3, :3].ravel(), body.xmat, atol=1e-6)


def test_frames_are_inverse_to_each_other():
    points = np.random.default_rng(0).normal(size=(20, 3))
    assert np.allclose(to_map(to_habitat(points)), points)
    assert np.allclose(to_habitat((0, 0, 1)), (0, 1, 0))

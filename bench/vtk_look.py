"""What a MuJoCo model shows, drawn by VTK: physically based materials, light from a sky and a sun, ambient occlusion,
smoothed edges. Shapes, places and the things' own colours are the model's; patterns, walls' and floors' colours and all
light are not. ``pip install vtk`` (BSD-3-Clause) where this is wanted."""

from __future__ import annotations

import os

import mujoco
import numpy as np

os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")  # without a screen

import vtkmodules.all as vtk
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy

from bench import paint

_ROUND = 24
"""corners of a circle"""
_OCCLUSION = 0.35
"""how far a thing darkens what is beside it [m]"""


_look: VtkLook | None = None
"""of this process, which draws for another"""


def begin(model: str, owner: np.ndarray, size: tuple[int, int], field_of_view: float) -> None:
    """`model`: file of a compiled model; else as of `VtkLook`."""
    global _look
    _look = VtkLook(mujoco.MjModel.from_binary_path(model), owner, size, field_of_view)


def change(seed: int, rgba: np.ndarray, materials: np.ndarray) -> None:
    """As of `VtkLook`."""
    _begun().change(np.random.default_rng(seed), rgba, materials)


def picture(positions: np.ndarray, rotations: np.ndarray, T_map_camera: np.ndarray) -> np.ndarray:
    """uint8 (H, W, 3), as of `VtkLook`."""
    return _begun().picture(positions, rotations, T_map_camera)


def _begun() -> VtkLook:
    if _look is None:
        raise RuntimeError("nothing is drawn before `begin`")
    return _look


class VtkLook:
    """Of one model, at one size of picture."""

    def __init__(self, model: mujoco.MjModel, owner: np.ndarray, size: tuple[int, int], field_of_view: float) -> None:
        """`owner` int32 (ngeom,): whose a shape is, 0: walls and floors. `size`: width and height [px].
        `field_of_view`: along the picture's height [deg]."""
        self._model, self._owner = model, owner
        self._window, self._renderer = vtk.vtkRenderWindow(), vtk.vtkRenderer()
        self._window.SetOffScreenRendering(1)
        self._window.SetSize(*size)
        self._window.SetMultiSamples(0)
        self._window.AddRenderer(self._renderer)
        self._renderer.GetActiveCamera().SetViewAngle(field_of_view)
        self._actors = {i: self._actor(i) for i in paint.drawn(model)}
        self._sun = vtk.vtkLight()
        self._sun.SetLightTypeToSceneLight()
        self._renderer.AddLight(self._sun)
        self._renderer.UseImageBasedLightingOn()
        self._renderer.SetPass(_passes())

    def change(self, rng: np.random.Generator, rgba: np.ndarray, materials: np.ndarray) -> None:
        """Other materials, walls, floors and light; `rgba` (ngeom, 4) and `materials` int (ngeom,) are the shapes' own
        as the simulator shows them now."""
        model = self._model
        shine, glossy = rng.uniform(0.25, 0.95, model.nbody), rng.random(model.nbody) < 0.1
        shown = paint.colors(model, rgba, materials)
        paint.repaint(rng, model, self._owner, shown)
        for i, actor in self._actors.items():
            material, look = materials[i], actor.GetProperty()
            look.SetColor(*(float(c) for c in shown[i, :3] ** paint.GAMMA))
            look.SetRoughness(shine[model.geom_bodyid[i]])
            look.SetMetallic(0.7 * float(glossy[model.geom_bodyid[i]] and self._owner[i] > 0))
            glow = float(model.mat_emission[material]) if material >= 0 else 0.0
            look.SetEmissiveFactor(glow, glow, glow)
            actor.SetVisibility(bool(rgba[i, 3] > 0))
        self._renderer.SetEnvironmentTexture(_sky(rng), True)
        high, around = rng.uniform(0.5, 1.2), rng.uniform(-np.pi, np.pi)
        self._sun.SetPosition(np.cos(high) * np.cos(around), np.cos(high) * np.sin(around), np.sin(high))
        self._sun.SetFocalPoint(0, 0, 0)
        warm = rng.uniform(0.75, 1.0)
        self._sun.SetColor(1.0, 0.5 + 0.5 * warm, warm)
        self._sun.SetIntensity(rng.uniform(0.6, 1.8))

    def picture(self, positions: np.ndarray, rotations: np.ndarray, T_map_camera: np.ndarray) -> np.ndarray:
        """uint8 (H, W, 3), of shapes at (ngeom, 3) [m] and (ngeom, 3, 3) in map, from a pose (4, 4) of the optical
        frame."""
        for i, actor in self._actors.items():
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = rotations[i], positions[i]
            matrix = vtk.vtkMatrix4x4()
            matrix.DeepCopy(T.ravel())
            actor.SetUserMatrix(matrix)
        camera, eye = self._renderer.GetActiveCamera(), T_map_camera[:3, 3]
        camera.SetPosition(*eye)
        camera.SetFocalPoint(*(eye + T_map_camera[:3, 2]))
        camera.SetViewUp(*-T_map_camera[:3, 1])
        camera.SetClippingRange(0.02, 30.0)
        self._window.Render()
        taken = vtk.vtkWindowToImageFilter()
        taken.SetInput(self._window)
        taken.ReadFrontBufferOff()
        taken.Update()
        picture = taken.GetOutput()
        width, height, _ = picture.GetDimensions()
        return vtk_to_numpy(picture.GetPointData().GetScalars()).reshape(height, width, -1)[::-1, :, :3].copy()

    def _actor(self, i: int) -> vtk.vtkActor:
        mapper, actor = vtk.vtkPolyDataMapper(), vtk.vtkActor()
        mapper.SetInputData(_shape(self._model, i))
        actor.SetMapper(mapper)
        actor.GetProperty().SetInterpolationToPBR()
        self._renderer.AddActor(actor)
        return actor


def _shape(model: mujoco.MjModel, i: int) -> vtk.vtkPolyData:
    """In its own frame [m]."""
    kind, size = mujoco.mjtGeom(model.geom_type[i]), model.geom_size[i]
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        return _mesh(model, model.geom_dataid[i])
    if kind == mujoco.mjtGeom.mjGEOM_PLANE:
        plane, (x, y) = vtk.vtkPlaneSource(), (size[:2] if size[0] > 0 else (50.0, 50.0))
        plane.SetOrigin(-x, -y, 0.0)
        plane.SetPoint1(x, -y, 0.0)
        plane.SetPoint2(-x, y, 0.0)
        plane.Update()
        return plane.GetOutput()
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        box = vtk.vtkCubeSource()
        box.SetXLength(2 * size[0])
        box.SetYLength(2 * size[1])
        box.SetZLength(2 * size[2])
        box.Update()
        return box.GetOutput()
    if kind in (mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_CAPSULE):
        tube = vtk.vtkCylinderSource()
        tube.SetResolution(_ROUND)
        tube.SetRadius(size[0])
        tube.SetHeight(2 * size[1])
        tube.SetCapsuleCap(kind == mujoco.mjtGeom.mjGEOM_CAPSULE)
        tube.Update()
        return _turned(tube.GetOutput(), np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
    ball = vtk.vtkSphereSource()
    ball.SetThetaResolution(_ROUND)
    ball.SetPhiResolution(_ROUND // 2)
    ball.SetRadius(1.0)
    ball.Update()
    radii = size if kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID else np.full(3, size[0])
    return _turned(ball.GetOutput(), np.diag(radii))


def _turned(shape: vtk.vtkPolyData, by: np.ndarray) -> vtk.vtkPolyData:
    """`by` (3, 3)."""
    points = vtk_to_numpy(shape.GetPoints().GetData()).astype(float) @ by.T
    out = vtk.vtkPolyData()
    out.SetPolys(shape.GetPolys())
    out.SetPoints(_points(points))
    return _with_normals(out)


def _mesh(model: mujoco.MjModel, mesh: int) -> vtk.vtkPolyData:
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    face, faces = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    triangles = np.hstack([np.full((faces, 1), 3), model.mesh_face[face: face + faces]]).astype(np.int64)
    cells, ids = vtk.vtkCellArray(), vtk.vtkIdTypeArray()
    ids.DeepCopy(numpy_to_vtk(triangles.ravel(), deep=True, array_type=12))
    cells.SetCells(faces, ids)
    out = vtk.vtkPolyData()
    out.SetPoints(_points(model.mesh_vert[first: first + count].astype(float)))
    out.SetPolys(cells)
    return _with_normals(out)


def _points(rows: np.ndarray) -> vtk.vtkPoints:
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(rows), deep=True))
    return points


def _with_normals(shape: vtk.vtkPolyData) -> vtk.vtkPolyData:
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(shape)
    normals.SetFeatureAngle(35.0)
    normals.Update()
    return normals.GetOutput()


def _sky(rng: np.random.Generator) -> vtk.vtkTexture:
    """Light from everywhere: bright above or from one side, dimmer from below."""
    height, width = 32, 64
    up, around = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-np.pi, np.pi, width), indexing="ij")
    side = np.exp(-3.0 * (1 - np.cos(around - rng.uniform(-np.pi, np.pi)))) * rng.uniform(0.0, 2.5)
    level = rng.uniform(0.5, 1.1) * (0.55 + 0.45 * np.clip(up, 0, 1) + side * (np.abs(up) < 0.6))
    warm = rng.normal(0.0, 0.08)
    light = level[..., None] * np.array([1 + warm, 1.0, 1 - warm])
    image = vtk.vtkImageData()
    image.SetDimensions(width, height, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(light.reshape(-1, 3).astype(np.float32), deep=True))
    texture = vtk.vtkTexture()
    texture.SetColorModeToDirectScalars()
    texture.MipmapOn()
    texture.InterpolateOn()
    texture.SetInputData(image)
    return texture


def _passes() -> vtk.vtkRenderPass:
    shading = vtk.vtkRenderPassCollection()
    shading.AddItem(vtk.vtkLightsPass())
    shading.AddItem(vtk.vtkOpaquePass())
    sequence = vtk.vtkSequencePass()
    sequence.SetPasses(shading)
    seen = vtk.vtkCameraPass()
    seen.SetDelegatePass(sequence)
    occlusion = vtk.vtkSSAOPass()
    occlusion.SetRadius(_OCCLUSION)
    occlusion.SetBias(0.01)
    occlusion.SetKernelSize(32)
    occlusion.BlurOn()
    occlusion.SetDelegatePass(seen)
    tones = vtk.vtkToneMappingPass()
    tones.SetToneMappingType(vtk.vtkToneMappingPass.GenericFilmic)
    tones.SetDelegatePass(occlusion)
    smooth = vtk.vtkOpenGLFXAAPass()
    smooth.SetDelegatePass(tones)
    return smooth

"""The head camera: colour and depth from one rendering pass, instances from a second."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace

import mujoco
import numpy as np

from dadu.core.geometry import transform
from dadu.core.robot import CameraFrame
from dadu.sim.mujoco.offscreen import Offscreen
from dadu.sim.mujoco.scene.appearance import NOT_DRAWN, looks
from dadu.sim.rest import STILL
from dadu.sim.settings import CameraSettings

_NEARLY = 0.01
"""so near to the picture's edge counts as in it [m]"""


class Camera:
    """Renders without a screen. Use from one thread only."""

    def __init__(self, model: mujoco.MjModel, settings: CameraSettings, instance_of_geom: np.ndarray,
                 name: str) -> None:
        """`instance_of_geom` int32 (ngeom,): pixel value of each geom in the instance picture. `name`: the camera's in
        the model."""
        self.K = intrinsics(settings)
        self._settings, self._model = settings, model
        self._offscreen = Offscreen(model, settings.width, settings.height)
        self._offscreen.renderer.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
        self._scene = self._offscreen.scene
        self._pose = mujoco.MjvCamera()
        self._pose.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._pose.fixedcamid = model.camera(name).id
        self._drawn_model = copy(model)
        """the model as it is drawn; how things look is taken over from the simulation's for each picture"""
        self._groups = model.geom_group.copy()
        self._instance_of_geom = instance_of_geom
        self._drawn = np.zeros(0, bool)
        self._instance_of_color = np.zeros(0, np.int32)
        self._newest: tuple[np.ndarray, CameraFrame] | None = None
        """the newest picture, and what it was drawn from"""

    def render(self, data: mujoco.MjData, stamp: float) -> CameraFrame:
        """The picture at `data`, whose kinematics must be up to date. Where nothing has changed since it was drawn last
        it holds the same arrays as that one, which nobody writes to."""
        shown = self._shown(data)
        if self._newest is None or np.abs(shown - self._newest[0]).max() > STILL:
            self._newest = shown, self._render(data, stamp)
        return replace(self._newest[1], stamp=stamp)

    def close(self) -> None:
        self._offscreen.close()

    def _shown(self, data: mujoco.MjData) -> np.ndarray:
        """All that a picture of one model depends on: where things are, how they look, and the light."""
        return np.concatenate([each.ravel() for each in (
            data.qpos, data.mocap_pos, data.mocap_quat, *looks(self._model))])

    def _render(self, data: mujoco.MjData, stamp: float) -> CameraFrame:
        self._take_looks()
        if not self._settings.instances:  # whose table is of all
            self._drawn_model.geom_group[self._out_of_sight(data)] = NOT_DRAWN
        self._offscreen.update(self._drawn_model, data, self._pose)
        nearness = np.empty((self._settings.height, self._settings.width), np.float32)
        rgb = self._draw(segments=False, depth=nearness)
        instances = self._instances(self._draw(segments=True)) if self._settings.instances else None
        frame = CameraFrame(stamp=stamp, rgb=rgb, depth=self._metres(np.ascontiguousarray(nearness[::-1])), K=self.K,
                            T_map_camera=self._optical_pose(data), instances=instances)
        for pixels in (frame.rgb, frame.depth, frame.instances):
            if pixels is not None:
                pixels.flags.writeable = False
        return frame

    def _take_looks(self) -> None:
        """Of the simulation's model, which others change meanwhile."""
        for now, drawn in zip(looks(self._model), looks(self._drawn_model), strict=True):
            drawn[:] = now
        self._drawn_model.geom_group[:] = self._groups

    def _out_of_sight(self, data: mujoco.MjData) -> np.ndarray:
        """bool (ngeom,): shapes that are wholly beside or behind the picture, most of a home. A renderer without a GPU
        would work on all of their corners first."""
        i, radius = self._pose.fixedcamid, self._model.geom_rbound + _NEARLY
        x, y, z = ((data.geom_xpos - data.cam_xpos[i]) @ data.cam_xmat[i].reshape(3, 3)).T  # it looks along -z
        beside = z > radius
        for across, half in ((x, self._settings.width / 2), (y, self._settings.height / 2)):
            beside |= np.abs(across) * self.K[0, 0] + z * half > radius * np.hypot(self.K[0, 0], half)
        return beside & (self._model.geom_rbound > 0)  # planes have no end

    def _draw(self, segments: bool, depth: np.ndarray | None = None) -> np.ndarray:
        """As of `Offscreen`: uint8 (H, W, 3), row 0 at the top; `depth` float32 (H, W)."""
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            self._scene.flags[flag] = segments
        return self._offscreen.draw(depth)

    def _metres(self, nearness: np.ndarray) -> np.ndarray:
        """float32 (H, W) [m] from a reversed depth buffer (1 at the near plane, 0 at the far one); 0: no reading."""
        extent = self._model.stat.extent
        near, far = self._model.vis.map.znear * extent, self._model.vis.map.zfar * extent
        depth = np.multiply(nearness, np.float32(far - near))
        depth += np.float32(near)
        np.divide(np.float32(near * far), depth, out=depth)
        depth[depth > self._settings.max_depth] = 0.0
        return depth

    def _instances(self, segments: np.ndarray) -> np.ndarray:
        """int32 (H, W) from the colour-coded indices of the scene's geoms."""
        drawn = self._model.geom_rgba[:, 3] > 0
        if len(self._instance_of_color) != self._scene.ngeom + 1 or not np.array_equal(drawn, self._drawn):
            self._drawn, self._instance_of_color = drawn, self._color_table()
        index = segments[..., 0].astype(np.uint16)
        index |= segments[..., 1].astype(np.uint16) << 8
        return self._instance_of_color[index]

    def _color_table(self) -> np.ndarray:
        """int32 (geoms in the scene + 1,): instance by colour code; the scene lists what is drawn always in one order,
        so that the table, slow to make, stays valid until something else is drawn. Errors: ValueError."""
        table = np.zeros(self._scene.ngeom + 1, np.int32)
        if len(table) > 1 << 16:
            raise ValueError(f"{self._scene.ngeom} shapes are more than two bytes of a picture can tell apart")
        for geom in self._scene.geoms[: self._scene.ngeom]:
            if geom.segid >= 0 and geom.objtype == mujoco.mjtObj.mjOBJ_GEOM:
                table[geom.segid + 1] = self._instance_of_geom[geom.objid]
        return table

    def _optical_pose(self, data: mujoco.MjData) -> np.ndarray:
        """T_map_camera (4, 4) in the optical frame of REP 103."""
        i = self._pose.fixedcamid
        return transform(data.cam_xmat[i].reshape(3, 3) @ np.diag([1.0, -1.0, -1.0]), data.cam_xpos[i])


def intrinsics(settings: CameraSettings) -> np.ndarray:
    """K (3, 3) [px] of square pixels with the principal point in the middle of the picture."""
    focal = settings.height / 2 / math.tan(math.radians(settings.field_of_view) / 2)
    return np.array([[focal, 0, (settings.width - 1) / 2], [0, focal, (settings.height - 1) / 2], [0, 0, 1]])

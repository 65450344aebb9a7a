"""Drawing without a screen (EGL); `mujoco.Renderer` would want one where MUJOCO_GL is not set."""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco.egl import GLContext


class Offscreen:
    """Pictures of one size. Use from one thread only: OpenGL contexts belong to threads."""

    def __init__(self, model: mujoco.MjModel, width: int, height: int) -> None:
        """`width`, `height` [px]."""
        self._context = GLContext(width, height)
        self._context.make_current()
        self.renderer = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_resizeOffscreen(width, height, self.renderer)  # all of it is cleared each time
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self.renderer)
        self.scene = mujoco.MjvScene(model, maxgeom=2 * model.ngeom + 100)
        self._view, self._options = mujoco.MjrRect(0, 0, width, height), mujoco.MjvOption()

    def update(self, model: mujoco.MjModel, data: mujoco.MjData, camera: mujoco.MjvCamera) -> None:
        """Makes the scene anew, of `data`, whose kinematics must be up to date."""
        self._context.make_current()
        mujoco.mjv_updateScene(model, data, self._options, None, camera, mujoco.mjtCatBit.mjCAT_ALL, self.scene)

    def draw(self, depth: np.ndarray | None = None) -> np.ndarray:
        """The scene: uint8 (H, W, 3), row 0 at the top; `depth` float32 (H, W) is filled with the depth buffer, row 0
        at the bottom."""
        rgb = np.empty((self._view.height, self._view.width, 3), np.uint8)
        mujoco.mjr_render(self._view, self.scene, self.renderer)
        mujoco.mjr_readPixels(rgb, depth, self._view, self.renderer)
        return np.ascontiguousarray(rgb[::-1])

    def close(self) -> None:
        self.renderer.free()
        self._context.free()

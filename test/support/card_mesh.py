"""A mesh as others have them, in a folder with a table of what it shows."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

_SIZE = (0.02, 0.3, 0.01)
_SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
_MODEL = """
<mujoco><asset><mesh name="m" file="card.obj"/><texture name="t" type="2d" file="card.png"/>
<material name="m" texture="t"/></asset>
<worldbody><body pos="1 2 3" euler="0 90 0"><geom type="mesh" mesh="m" material="m" euler="0 -90 0"/>
<geom type="box" size="1 1 1"/></body></worldbody></mujoco>"""


def write_card(folder: Path, categories: Iterable[str]) -> None:
    """``card``: a box that is long along y, which points up, half of it red and half of it white."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * _SIZE
    lines = [*("v {} {} {}".format(*corner) for corner in corners), "vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1",
             *("f " + " ".join(f"{side[k] + 1}/{k + 1}" for k in face) for side in _SIDES
               for face in ((0, 1, 2), (0, 2, 3)))]
    (folder / "card.obj").write_text("\n".join(lines))
    picture = np.full((600, 600, 3), 255, np.uint8)
    picture[:300] = (0, 0, 255)
    cv2.imwrite(str(folder / "card.png"), picture)
    (folder / "card.xml").write_text(_MODEL)
    (folder / "meshes.yaml").write_text("meshes:\n" + "".join(f"  {name}: {{card: y}}\n" for name in categories))

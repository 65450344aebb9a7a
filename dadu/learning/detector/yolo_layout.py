"""Labelled pictures in the layout in which ultralytics' YOLO reads what it is trained on.

::

    DIR/data.yaml                    where the rest is, the classes' names, the homes that are in it; written last
    DIR/images/SPLIT/NAME.png        upright, as the robot's detector turns them
    DIR/labels/SPLIT/NAME.txt        a line a thing: number of its class, then its outline, x y x y..., in shares of
                                     the picture's width and height

SPLIT is train or val.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import yaml

from dadu.core.errors import ConfigError
from dadu.learning.detector.targets import UNNAMED, HomeTable
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.facts import DataFolders
from dadu.perception.upright import quarter_turns, turned

SHEET = "data.yaml"
LEAST_PIXELS = 24
"""smaller things are left out: as many as in 6 pixels of half size, below which our own network learns none"""


def export(folders: DataFolders, out: Path) -> Path:
    """Writes the homes of splits train and validation; what is there already, whole and of the same homes, is kept.
    Returns the file data.yaml.

    Classes are the categories of objects and furniture in homes of split train, a house's own kinds among them, in the
    words by which `UltralyticsDetector` knows them; parts of furniture go by the furniture, people and robots are
    background. Errors: ConfigError without homes of one of the splits, or where other homes lie there.
    """
    homes = {"train": [home for home, _ in folders.some_homes("train")],
             "val": [home for home, _ in folders.some_homes("validation")]}
    numbers = _classes(homes["train"])
    sheet = {"path": str(out.resolve()), "train": "images/train", "val": "images/val",
             "names": {i: category.replace("_", " ") for category, i in numbers.items()},
             "homes": {split: [str(home.path.resolve()) for home in some] for split, some in homes.items()}}
    path = out / SHEET
    if path.exists():
        if yaml.safe_load(path.read_text()) != sheet:
            raise ConfigError(f"{out}: holds the pictures of other homes; give the same folders, or another --out")
        return path
    shutil.rmtree(out, ignore_errors=True)
    for split, some in homes.items():
        for number, home in enumerate(some):
            _write(home, numbers, out, split, f"{number}-{home.sheet.home}")
    path.write_text(yaml.safe_dump(sheet, sort_keys=False))
    return path


def outline(mask: np.ndarray) -> np.ndarray:
    """The outline of a mask, bool (H, W): float (N, 2), x and y in shares of its width and height. Pieces that lie
    apart are joined by lines without width; holes are filled. Fewer than 3 points where it is thinner than that."""
    pieces = sorted((piece[:, 0] for piece in cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL,
                                                               cv2.CHAIN_APPROX_NONE)[0]), key=len, reverse=True)
    whole = pieces[0]
    for piece in pieces[1:]:
        apart = ((whole[:, None] - piece[None]) ** 2).sum(axis=2)
        i, j = np.unravel_index(int(apart.argmin()), apart.shape)
        whole = np.concatenate([whole[:i + 1], piece[j:], piece[:j + 1], whole[i:]])
    return (whole + 0.5) / np.array(mask.shape[::-1])  # the middles of pixels


def _classes(homes: Sequence[HomePictures]) -> dict[str, int]:
    """Numbers of the categories of objects and furniture."""
    things = (thing for home in homes for labels in home.labels for thing in labels.instances)
    categories = sorted({thing.category for thing in things if thing.kind in ("object", "furniture")})
    return {category: i for i, category in enumerate(categories)}


def _write(home: HomePictures, numbers: Mapping[str, int], out: Path, split: str, name: str) -> None:
    table = HomeTable.from_home(home, numbers)
    images, labels = out / "images" / split, out / "labels" / split
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    for i in range(home.sheet.pictures):
        turns = quarter_turns(np.array(home.labels[i].T_map_camera)[:3, :3])
        instances = np.rot90(table.known(home.whole(i)), turns)
        lines = []
        for thing in np.unique(instances):
            mask = instances == thing
            if table.name[thing] == UNNAMED or mask.sum() < LEAST_PIXELS:
                continue
            points = outline(mask)
            if len(points) >= 3:
                lines.append(f"{table.name[thing]} " + " ".join(f"{value:.5f}" for value in points.ravel()))
        cv2.imwrite(str(images / f"{name}-{i}.png"), turned(home.rgb[i], turns)[..., ::-1])
        (labels / f"{name}-{i}.txt").write_text("".join(f"{line}\n" for line in lines))

"""``dadu train detector --architecture``: a published definition of ultralytics (AGPL-3.0, extra ``vision``), from
random weights, by ultralytics' own trainer."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dadu.learning.detector.yolo_layout import export
from dadu.learning.recipe.facts import DataFolders
from dadu.learning.recipe.order import TrainOrder, ready

_STRIDE = 32
"""sides of pictures are multiples of it"""


def train(architecture: str, order: TrainOrder[Any], tell: Callable[[str], None]) -> Path:
    """Trains it on the folders' pictures, or goes on after the last whole epoch; returns the file of the best weights,
    for `UltralyticsDetector`. The order's steps are epochs; of its settings only the seed matters.

    Errors: ConfigError for folders that do not fit; MissingExtra without ultralytics.
    """
    order.budget("epochs")
    ready(order.settings, order.threads, ("ultralytics",), "vision")
    os.environ.setdefault("YOLO_OFFLINE", "true")  # read on import: neither statistics of use nor a look for updates
    import ultralytics.data.utils
    from ultralytics import YOLO

    ultralytics.data.utils.check_font = lambda font: None  # of plots, which there are none: it would be downloaded
    data = export(DataFolders(order.data), order.out / "pictures")
    last, best = (order.out / "weights" / name for name in ("last.pt", "best.pt"))
    where: dict[str, Any] = {"data": str(data), "save_dir": str(order.out.resolve()),
                             "device": "0" if order.device == "cuda" else order.device, "plots": False}
    budget = {"time": order.hours} if order.hours else {"epochs": order.steps}
    if not last.exists():
        tell(f"{architecture} from random weights")
        YOLO(f"{architecture}.yaml").train(**where, **budget, imgsz=_side(DataFolders(order.data)), pretrained=False,
                                           amp=False, seed=order.settings.seed)
    else:
        model = YOLO(last)
        epoch, epochs = model.ckpt["epoch"], model.ckpt["train_args"]["epochs"]
        if 0 <= epoch < epochs - 1:
            tell(f"goes on after epoch {epoch + 1}")
            model.train(resume=True, **where, **budget)
        else:
            tell("this run has ended; a larger budget is for another folder")
    tell(f"weights: {best}")
    return best


def _side(folders: DataFolders) -> int:
    """The pictures' longer side [px], rounded up."""
    longest = max(max(f.sheet.settings.width, f.sheet.settings.height) for f in folders.folders)
    return -(-longest // _STRIDE) * _STRIDE

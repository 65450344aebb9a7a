"""``dadu train quantise``: both networks of ``perception:=learned`` in 8 bits, by what labelled pictures show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import default_embedder
from dadu.learning.detector.matching import frame_of
from dadu.learning.detector.recipe import WEIGHTS
from dadu.learning.namer.batches import crops_of
from dadu.learning.namer.settings import CropSettings
from dadu.learning.recipe.crops import Homes, crop_of
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.learning.recipe.order import need
from dadu.perception.learned.crops import network_input
from dadu.perception.learned.cutter import Cutter, network_picture
from dadu.perception.learned.namer import FILE, NamerWeights

_PICTURES, _CROPS, _HOMES_OF_CROPS = 32, 512, 4
"""examples by which ranges are found"""


def quantise_networks(weights: Path, data: Sequence[Path], out: Path, tell: Callable[[str], None]) -> None:
    """Writes to the folder `out` the detector of the file `weights` and the namer beside it.

    Errors: ConfigError for weights that cannot be used or are in 8 bits already, or folders without a home of split
    train; MissingExtra without ONNX.
    """
    need(("onnx",))
    from dadu.learning.recipe.quantise import quantise

    homes, namer = DataFolders(data).some_homes("train"), weights.with_name(FILE)
    facts = [TrainingFacts.model_validate_json(network.training)
             for network in (Cutter(weights, default_embedder()).network, NamerWeights(namer))]
    if any(each.quantised for each in facts):
        raise ConfigError(f"{weights}, or the namer beside it, is in 8 bits already")
    for path, examples, name in ((weights, _pictures(homes), WEIGHTS),
                                 (namer, _crops(homes, facts[1].categories), FILE)):
        quantise(path, examples, out / name)
        tell(f"wrote {out / name}, {(out / name).stat().st_size / 1e6:.1f} MB")


def _pictures(homes: Homes) -> Iterator[dict[str, np.ndarray]]:
    """Of as many homes as there are."""
    for k in range(_PICTURES):
        home, K = homes[k * len(homes) // _PICTURES if len(homes) >= _PICTURES else k % len(homes)]
        yield {"picture": network_picture(frame_of(home, k % home.sheet.pictures, K))}


def _crops(homes: Homes, categories: Sequence[str]) -> Iterator[dict[str, np.ndarray]]:
    index = {category: i for i, category in enumerate(categories)}
    records = np.concatenate([crops_of(home, K, index, CropSettings()) for home, K in homes[:_HOMES_OF_CROPS]])
    for record in records[::max(len(records) // _CROPS, 1)]:
        yield dict(zip(("pictures", "sizes"), network_input([crop_of(record)])))

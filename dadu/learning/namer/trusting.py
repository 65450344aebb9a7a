"""Fits `Trust`: which names are right of what the detector cuts out, and what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import yaml

from dadu.core.errors import ConfigError
from dadu.house.catalogue import object_categories
from dadu.learning.detector.calibrate import calibrated
from dadu.learning.detector.matching import MATCH, frame_of, overlaps, thinned
from dadu.learning.detector.targets import UNNAMED, HomeTable
from dadu.learning.namer.augment import varied
from dadu.learning.namer.settings import CropAugmentationSettings
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.facts import DataFolders
from dadu.perception.learned.build import extents
from dadu.perception.learned.crops import Crop, View, crop
from dadu.perception.learned.detector import LearnedDetector, name_signs
from dadu.perception.learned.namer import FILE as NAMER
from dadu.perception.learned.space import unit
from dadu.perception.learned.trust import Trust, digest, trust_file
from dadu.perception.upright import quarter_turns

HARDER = CropAugmentationSettings(photographed=1.0, printed=0.7, elsewhere=0.5)
AS_IT_IS, MADE_HARDER = 1, 2
"""so often is each crop shown"""
_SAID = 0.5
_BINS = 10

Examples = tuple[np.ndarray, np.ndarray, np.ndarray]
"""signs (N, len(SIGNS)), whether the name is right (N,), the chance that the namer gives it (N,)"""
_Cut = tuple[str, Crop, np.ndarray]
"""what it is, its crop, its extents"""
_Cuts = Sequence[Sequence[_Cut]]
"""of each picture"""


def fit_trust(weights: Path, data: Sequence[Path], tell: Callable[[str], None]) -> Trust:
    """Writes it beside the detector's file `weights`, by homes of split validation of these folders.

    Errors: ConfigError for weights that cannot be used, or with fewer than two homes."""
    detector, homes = LearnedDetector(weights, doubts=False), DataFolders(data).some_homes("validation")
    if len(homes) < 2:
        raise ConfigError("two homes of split validation at least: one to fit by, one to tell how well")
    half = [_examples(detector, [cuts for home, K in part for cuts in _cut_things(detector, home, K)])
            for part in (homes[::2], homes[1::2])]
    namer = weights.with_name(NAMER)
    check = _fitted([half[0]], digest(namer))
    for what, (told, right, chance) in zip(("as they are", "made harder"), half[1]):
        new = np.minimum(check.right(told), chance)
        tell(f"{what}, {len(right)} things: {right.mean():.2f} named right; calibration error "
             f"{_error(chance, right):.2f}, now {_error(new, right):.2f}; wrong with more than {_SAID} "
             f"{_wrong(chance, right):.2f}, now {_wrong(new, right):.2f}")
    trust = _fitted(half, digest(namer))
    path = trust_file(weights.parent)
    path.write_text(yaml.safe_dump(trust.model_dump(mode="json"), sort_keys=False), encoding="utf-8")
    tell(f"wrote {path}")
    return trust


def _fitted(parts: Sequence[Sequence[Examples]], namer: str) -> Trust:
    """By examples as they are, and made harder."""
    rows = [(told, right) for clean, hard in parts for told, right, _ in (*[clean] * AS_IT_IS, hard)]
    told, right = np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows])
    middle, spread = told.mean(axis=0), told.std(axis=0) + 1e-6
    curve = calibrated((told - middle) / spread, right)
    weights = np.array(curve.weights) / spread
    bias = curve.bias - float(weights @ middle)
    return Trust(namer=namer, weights=tuple(weights.round(5).tolist()), bias=round(bias, 5))


def _examples(detector: LearnedDetector, pictures: _Cuts) -> list[Examples]:
    """As they are, and made harder `MADE_HARDER` times."""
    rng = np.random.default_rng(0)
    harder = [[(name, varied(varied(one, HARDER, rng), HARDER, rng), seen) for name, one, seen in cuts]
              for _ in range(MADE_HARDER) for cuts in pictures]
    return [_told(detector, some) for some in (pictures, harder)]


def _told(detector: LearnedDetector, pictures: _Cuts) -> Examples:
    parts = []
    for cuts in pictures:
        crops = [one for _, one, _ in cuts]
        raw = detector.namer.vectors(crops)
        chances = detector.objects.chances(unit(raw), seen=np.array([seen for *_, seen in cuts]))
        named = detector.objects.told(chances)
        right = np.array([name.category == what for name, (what, *_) in zip(named, cuts)])
        told = name_signs(detector.objects, crops, raw, chances)
        parts.append((told, right, chances.max(axis=1)))
    told, right, chance = (np.concatenate(column) for column in zip(*parts))
    return told, right, chance


def _cut_things(detector: LearnedDetector, home: HomePictures, K: np.ndarray) -> list[list[_Cut]]:
    """Objects with a name that the detector cuts out; whether there is a thing at all is `Calibration`'s question."""
    names = list(object_categories())
    table, out = HomeTable.from_home(home, {name: i for i, name in enumerate(names)}), []
    for i in range(len(home.labels)):
        frame = frame_of(home, i, K)
        found = detector.cutter.sure(detector.cutter.things(detector.cutter.look(frame)))
        if not found.objects:
            continue
        true = np.rot90(thinned(home.whole(i), found.labels.shape[::-1] if quarter_turns(frame.T_map_camera[:3, :3]) % 2
                                else found.labels.shape), quarter_turns(frame.T_map_camera[:3, :3]))
        view, shared = View.from_frame(frame), overlaps(found.labels, true)[1:, 1:]
        seen, cuts = extents(view, found.labels), []
        for k in range(found.objects):
            number = int(shared[k].argmax()) + 1 if shared.shape[1] else 0
            if number and shared[k, number - 1] >= MATCH and table.name[number] != UNNAMED:
                cuts.append((names[table.name[number]], crop(view, found.labels == k + 1), seen[k]))
        out += [cuts] if cuts else []
    return out


def _error(chance: np.ndarray, right: np.ndarray) -> float:
    """Expected calibration error over bins of equal width."""
    place = np.minimum((chance * _BINS).astype(int), _BINS - 1)
    return float(sum(abs(chance[place == b].mean() - right[place == b].mean()) * (place == b).mean()
                     for b in np.unique(place)))


def _wrong(chance: np.ndarray, right: np.ndarray) -> float:
    return float(((chance > _SAID) & ~right).mean())

"""How well states are told on homes that were not trained on, and the card that says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dadu.learning.detector.matching import frame_of
from dadu.learning.pictures.store import HomePictures
from dadu.learning.recipe.card import held_out, row, share, shown, trained, write_card
from dadu.learning.recipe.facts import TrainingFacts
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned.channels import FOCAL
from dadu.perception.states import STATES, StateReader, StateSettings

SPANS = ((0.0, 1.0), (1.0, 2.0), (2.0, 3.5), (3.5, np.inf))
"""[m]"""
SURE = StateSettings().sure
_TOLD = ("precision", "recall", "precision_not", "recall_not")
_LIMITS = (
    "Trained on rendered pictures of generated homes alone: no photograph was used, and none was measured.",
    "Told only of categories that it was shown: what stands in an opaque jug, whether a radio plays, is not told.",
    "Dirt is stains; dust, smell and grease do not show. Clean means that no stain is seen from here.",
    "Far and small things are mostly not told; of what is filled the answer is the least sure, and wrong the most "
    "often.",
    "By the learned detector's names what is sliced is not told: its namer was never shown slices and calls them "
    "otherwise.",
)


@dataclass(frozen=True)
class Told:
    """A thing in a picture, of which one state shows."""

    state: str
    true: bool
    said: bool | None
    distance: float
    """[m]"""


def figures_of(reader: StateReader, homes: Sequence[tuple[HomePictures, np.ndarray]]) -> dict[str, Any]:
    """As JSON may hold them. `homes`: each with its intrinsics (3, 3) [px]."""
    pictures = [(home, K, i) for home, K in homes for i in range(len(home.labels))]
    told = [told for home, K, i in pictures for told in _told(reader, home, K, i)]
    return {"homes": len(homes), "pictures": len(pictures), "true_masks": _table(told)}


def write(folder: Path, facts: TrainingFacts, figures: Mapping[str, Any], split: str) -> None:
    """The card, to `folder`."""
    write_card(
        folder, "What state things are in", f"""\
A network of dense convolutions, {facts.parameters / 1e6:.2f} million parameters, from random initialisation: a thing
cut out of an RGB-D picture in, the chances that it is on, filled, clean, sliced out. Used beside every detector.""",
        (f"Data: {shown(facts, 'crops')}; {len(facts.categories)} categories whose states it tells.",
         held_out(facts), f"Training: {trained(facts, 'states', 'crops')}."), f"""\
On {figures["pictures"]} pictures of {figures["homes"]} homes of split {split}, never trained on. A state is told where
its chance is below {1 - SURE:.1f} or above {SURE:.1f}; recall: told and right, of all that show it;
precision: right, of what is told. By true masks:

{_rows(figures["true_masks"])}""", _LIMITS, figures)


def _rows(table: Mapping[str, Any]) -> str:
    lines = ["| state | distance | so: precision | recall | not so: precision | recall | things |",
             "|---|---|---|---|---|---|---|"]
    for state, spans in table.items():
        lines += [row(state, span, *(share(found[key]) for key in _TOLD), found["things"])
                  for span, found in spans.items()]
    return "\n".join(lines)


def _table(told: Sequence[Told]) -> dict[str, dict[str, dict[str, float | None]]]:
    table = {}
    for state in STATES:
        mine = [t for t in told if t.state == state]
        spans = {f"{low:g} to {high:g} m": [t for t in mine if low <= t.distance < high] for low, high in SPANS}
        table[state] = {span: _figures(some) for span, some in {**spans, "all": mine}.items()}
    return table


def _figures(told: Sequence[Told]) -> dict[str, float | None]:
    out: dict[str, float | None] = {"things": len(told)}
    for suffix, way in (("", True), ("_not", False)):
        right = sum(t.said is way and t.true is way for t in told)
        out |= {f"precision{suffix}": _share(right, sum(t.said is way for t in told)),
                f"recall{suffix}": _share(right, sum(t.true is way for t in told))}
    return out


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _told(reader: StateReader, home: HomePictures, K: np.ndarray, i: int) -> Iterator[Told]:
    """Of picture `i`, by the true masks and categories."""
    instances = home.whole(i).astype(np.int16)
    labels = [label for label in home.labels[i].instances if label.states]
    index = np.zeros(int(instances.max()) + 1, np.int16)
    index[[label.id for label in labels]] = range(1, len(labels) + 1)
    things = Segmentation(index[instances], tuple(Segment(label.category) for label in labels))
    least = reader.settings.least_pixels * (K[0, 0] / FOCAL) ** 2
    for label, segment in zip(labels, reader.read(frame_of(home, i, K), things).segments, strict=True):
        if label.pixels < least:
            continue
        for state, true in label.states.items():
            chance = segment.states.get(state)
            yield Told(state, true, None if chance is None else chance > 0.5, label.distance)

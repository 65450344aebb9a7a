"""The model card: what was trained, on what, how well it does, what it cannot do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import fill
from typing import Any

from dadu.learning.facts import TrainingFacts

_LIMITS = """\
- Trained on rendered pictures of generated homes alone: no photograph was used, and none was measured.
- Small or far things are missed, see the table. Furniture is named as a whole, without its doors and drawers.
- People and robots are background.
- A score is the chance that there is such a thing and that it is called so; embeddings say how near other names are.
- Not for use where a wrong detection can hurt somebody."""

_BITS = "\nTheir convolutions are kept and computed in 8 bits (`dadu train quantise`)."


def card(facts: TrainingFacts, namer: TrainingFacts, figures: Mapping[str, Any], split: str, homes: int) -> str:
    """Markdown; `facts` are the detector's."""
    rows = "\n".join(f"| {span} | {_row(values)} |" for span, values in figures["by_distance"].items())
    return f"""\
# DaDu's detector

Two networks of dense convolutions, from random initialisation. The detector, a U-Net of
{facts.parameters / 1e6:.2f} million parameters: RGB-D in; objects, furniture and middles of objects out, at half the
picture's size. The namer, {namer.parameters / 1e6:.2f} million: a thing cut out in, an embedding out. A category is a
phrase: embeddings lie in a space of the sentence encoder MiniLM. Used by
`perception:=learned`.{_BITS if facts.quantised else ""}

- Licence: Apache-2.0, as the project's.
- Data of the detector: {facts.different} pictures of {facts.homes} generated homes (`dadu data pictures`), seeds
  {facts.seeds[0]} to {facts.seeds[1]}; {len(facts.categories)} categories taught.
- Never shown: {fill(", ".join(facts.held_out) or "none", 100, subsequent_indent="  ")}.
- Training: `dadu train detector`, seed {facts.seed}, {facts.steps} steps, {facts.pictures} pictures with repetitions,
  {facts.hours} hours on {facts.machine};
  `dadu train namer`, seed {namer.seed}, {namer.steps} steps, {namer.pictures} crops with repetitions, of
  {namer.different} from {namer.homes} homes, seeds {namer.seeds[0]} to {namer.seeds[1]}, {namer.hours} hours on
  {namer.machine}{_begun(namer)}.

## Figures

On {figures["pictures"]} pictures of {homes} homes of split {split}, never trained on, {figures["objects"]} objects:

| distance | recall | AP50, any name | AP50, right name |
|---|---|---|---|
{rows}
| all | {_row({"recall": figures["recall"], "ap50_agnostic": figures["ap50_agnostic"],
                "ap50_pooled": figures["ap50_pooled"]})} |

- Categories taught, within 2.5 m: AP50 with the right name {_number(figures["ap50_pooled_near_known"])}, with it
  or that of something that looks the same {_number(figures["ap50_pooled_near_known_or_alike"])}.
- Mean of the categories' AP50: {_number(figures["ap50"])}.
- Recall of categories never shown: {_number(figures["recall_held_out"])}, of the others
  {_number(figures["recall_known"])}.
{_own(figures["own"])}- Furniture: recall {_number(figures["furniture"]["recall"])}, AP50 with the right name
  {_number(figures["furniture"]["ap50_pooled"])}.

| named right by true masks | things | of all | or a look-alike | of five phrases | by the nearest known | by chance |
|---|---|---|---|---|---|---|
| categories taught | {_naming(figures["naming_known"])} |
| never shown | {_naming(figures["naming_held_out"])} |
| houses' own | {_naming(figures["naming_own"])} |

## Limits

{_LIMITS}

## All figures

```json
{json.dumps(figures, indent=1)}
```
"""


def _begun(facts: TrainingFacts) -> str:
    """With what it began."""
    if facts.base is None:
        return ""
    return (f"; begun with weights of {facts.base.steps} steps, {facts.base.pictures} crops with repetitions, "
            f"{facts.base.hours} hours{_begun(facts.base)}")


def _own(figures: Mapping[str, Any]) -> str:
    """A line of the kinds of things that were the houses' own, of which the detector was told; none without."""
    if not figures["categories"]:
        return ""
    return (f"- Houses' own kinds of things, known by their names alone: recall {_number(figures['recall'])}, AP50 "
            f"with the right name {_number(figures['ap50_pooled'])}, within 2.5 m "
            f"{_number(figures['ap50_pooled_near'])}:\n  "
            f"{fill(', '.join(figures['categories']), 100, subsequent_indent='  ')}.\n")


def _row(values: Mapping[str, float]) -> str:
    return " | ".join(_number(values[key]) for key in ("recall", "ap50_agnostic", "ap50_pooled"))


def _naming(values: Mapping[str, float]) -> str:
    shares = " | ".join(_number(values[key]) for key in ("first", "alike", "among_five", "nearest_known"))
    return f"{values['things']} | {shares} | 0.20"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"

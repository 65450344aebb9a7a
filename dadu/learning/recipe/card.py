"""The card beside weights: what was trained, on what, how well it does, what it cannot do."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from dadu.learning.recipe.facts import TrainingFacts

CARD = "README.md"


def write_card(folder: Path, title: str, about: str, training: Sequence[str], figures_told: str, limits: Sequence[str],
               figures: Mapping[str, Any]) -> None:
    """Markdown. `training`: what it learned from, and how, a bullet each; `figures_told`: tables; `limits`: what it
    cannot do, a bullet each; `figures`: all of them."""
    bullets = "\n".join(f"- {text}" for text in ("Licence: Apache-2.0, as the project's.", *training))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).write_text(f"""\
# {title}

{about}

{bullets}

## Figures

{figures_told}

## Limits

{chr(10).join(f"- {limit}" for limit in limits)}

## All figures

```json
{json.dumps(figures, indent=1)}
```
""")


def held_out(facts: TrainingFacts) -> str:
    """What was kept from it."""
    return f"Never shown: {listed(facts.held_out)}."


def listed(names: Sequence[str]) -> str:
    """Names, over several lines."""
    return fill(", ".join(names) or "none", 100, subsequent_indent="  ")


def shown(facts: TrainingFacts, of: str) -> str:
    """What it saw: ``3 pictures of 2 generated homes...``; `of`: what its examples are."""
    return (f"{facts.different} {of} of {facts.homes} generated homes (`dadu data pictures`), seeds\n"
            f"  {facts.seeds[0]} to {facts.seeds[1]}")


def trained(facts: TrainingFacts, command: str, of: str) -> str:
    """How it was trained; `of`: what its examples are."""
    begun = "" if facts.base is None else f"; begun with weights of {trained(facts.base, command, of)}"
    return (f"`dadu train {command}`, seed {facts.seed}, {facts.steps} steps, {facts.pictures} {of} with repetitions,\n"
            f"  {facts.hours} hours on {facts.machine}{begun}")


def share(value: float | None) -> str:
    """Of a table."""
    return "-" if value is None else f"{value:.2f}"


def row(*cells: object) -> str:
    """Of a table."""
    return f"| {' | '.join(map(str, cells))} |"

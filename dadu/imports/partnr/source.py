"""PARTNR's instructions as its repository has them: sentences, and for each which things stand where at the beginning.

They have no evaluation: no propositions, no target.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from dadu.core.config import parse
from dadu.core.errors import ConfigError

KINDS = ("rearrange", "spatial", "temporal")
"""of guiding instructions: without constraints, with things beside each other, in an order"""
STATES = "object_states"
"""the heterogeneous ones: things are cleaned, filled, switched on, which their robot cannot do"""
SPLITS = ("train", "val")
FOLDER = "dataset_generation/benchmark_generation/prompts_benchmark/instruction_prompts"


class StateEntry(BaseModel):
    """Things of the initial state; without classes it stands for clutter that is not named."""

    model_config = ConfigDict(frozen=True)

    number: int = Field(1, ge=0, le=100)
    object_classes: tuple[str, ...] = ()
    """several are taken in turn, as are the places"""
    furniture_names: tuple[str, ...] = ()
    allowed_regions: tuple[str, ...] = ()


class _Entry(BaseModel):
    instruction: str = Field(min_length=1)
    scene_id: str = Field(pattern=r"^\w{1,60}$")
    initial_state: tuple[StateEntry, ...]
    initial_furniture_state: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class GuidingInstruction:
    """One entry of a file."""

    id: str
    kind: str
    scene: str
    text: str
    state: tuple[StateEntry, ...]
    pieces_with_states: int = 0
    """how many entries say what furniture is like at the beginning"""

    @property
    def group(self) -> str:
        """The same for all that is said of one initial state."""
        return f"{self.scene} {[entry.model_dump() for entry in self.state]}"


def read_instructions(copy: Path, split: str) -> list[GuidingInstruction]:
    """All of a split, ``train`` or ``val``, of a checkout of partnr-planner. Errors: ConfigError."""
    folder = copy / FOLDER
    if not folder.is_dir():
        raise ConfigError(f"{copy}: no checkout of partnr-planner: it has no {FOLDER}")
    return [found for kind in (*KINDS, STATES) for found in _of_kind(folder, kind, split)]


def _of_kind(folder: Path, kind: str, split: str) -> Iterator[GuidingInstruction]:
    pattern = f"*_{split}_{STATES}.json" if kind == STATES else f"*_{kind}_{split}_template.json"
    entries = [entry for file in sorted(folder.glob(pattern)) for entry in _entries(file)]
    for i, entry in enumerate(entries):
        yield GuidingInstruction(f"partnr-{kind}-{split}-{i}", kind, entry.scene_id, entry.instruction.strip(),
                                 entry.initial_state, len(entry.initial_furniture_state))


def _entries(file: Path) -> list[_Entry]:
    try:
        content = json.loads(file.read_text())
    except ValueError as error:
        raise ConfigError(f"{file}: no JSON: {error}") from None
    if not isinstance(content, list):
        raise ConfigError(f"{file}: no list of instructions")
    return [parse(_Entry, entry, f"{file}: entry {i}") for i, entry in enumerate(content)]

"""What a planner learns from: conversations, as JSON lines in a folder of `dadu data plans`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from dadu.core.config import load_lines
from dadu.learning.planner.settings import Protocol

Split = Literal["train", "validation", "test"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)


class ChatMessage(BaseModel):
    """One message."""

    model_config = ConfigDict(frozen=True)

    role: Literal["system", "user", "assistant"]
    content: str


class Chat(BaseModel):
    """A conversation whose answers are all right."""

    model_config = ConfigDict(frozen=True)  # further keys say where it comes from
    messages: tuple[ChatMessage, ...] = Field(min_length=2)


def present(folders: Sequence[Path], split: Split) -> tuple[Protocol, ...]:
    """Protocols that these folders have conversations of."""
    return tuple(p for p in PROTOCOLS if any(files(folder, p, split) for folder in folders))


def chats(folders: Sequence[Path], protocol: Protocol, split: Split) -> Iterator[Chat]:
    """Errors: ConfigError naming file and line."""
    for folder in folders:
        for path in files(folder, protocol, split):
            yield from load_lines(Chat, path)


def plain(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    """As chat templates take them."""
    return [{"role": m.role, "content": m.content} for m in messages]


def files(folder: Path, protocol: Protocol, split: Split) -> list[Path]:
    """One, or one a home (`goal.train-100000.jsonl`); of a home that is being made, none."""
    found = sorted((folder / "sft").glob(f"{protocol}.{split}*.jsonl"))
    homes = folder / "homes"
    return [path for path in found if not homes.exists() or (homes / f"{path.stem.partition('.')[2]}.json").exists()]

"""What a planner learns from: conversations, and pairs of answers, as JSON lines in a folder of `dadu data plans`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from dadu.core.config import load_lines
from dadu.learning.planner.settings import Method, Protocol

Split = Literal["train", "validation", "test"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)


class ChatMessage(BaseModel):
    """One message."""

    model_config = ConfigDict(frozen=True)

    role: Literal["system", "user", "assistant"]
    content: str


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True)  # further keys say where it comes from


class Chat(_Line):
    """A conversation whose answers are all right."""

    messages: tuple[ChatMessage, ...] = Field(min_length=2)


class AnswerPair(_Line):
    """Two answers to the same conversation."""

    prompt: tuple[ChatMessage, ...] = Field(min_length=1)
    chosen: tuple[ChatMessage, ...] = Field(min_length=1, max_length=1)
    rejected: tuple[ChatMessage, ...] = Field(min_length=1, max_length=1)
    kind: str = ""
    """what is wrong with the second"""


def present(folders: Sequence[Path], method: Method, split: Split) -> tuple[Protocol, ...]:
    """Protocols that these folders have such lines for."""
    return tuple(p for p in PROTOCOLS if any(files(folder, method, p, split) for folder in folders))


def chats(folders: Sequence[Path], protocol: Protocol, split: Split) -> Iterator[Chat]:
    """Errors: ConfigError naming file and line."""
    for folder in folders:
        for path in files(folder, "sft", protocol, split):
            yield from load_lines(Chat, path)


def pairs(folders: Sequence[Path], protocol: Protocol, split: Split) -> Iterator[AnswerPair]:
    """Errors: ConfigError naming file and line."""
    for folder in folders:
        for path in files(folder, "dpo", protocol, split):
            yield from load_lines(AnswerPair, path)


def plain(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    """As chat templates take them."""
    return [{"role": m.role, "content": m.content} for m in messages]


def files(folder: Path, method: Method, protocol: Protocol, split: Split) -> list[Path]:
    """One, or one a home (`goal.train-100000.jsonl`); of a home that is being made, none."""
    found = sorted((folder / method).glob(f"{protocol}.{split}*.jsonl"))
    homes = folder / "homes"
    return [path for path in found if not homes.exists() or (homes / f"{path.stem.partition('.')[2]}.json").exists()]

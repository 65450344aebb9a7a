"""All that a run learns, as tokens: the data's files one by one, where there are many by several processes."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from dadu.core.config import load_lines
from dadu.learning.planner.chats import AnswerPair, Chat
from dadu.learning.planner.encode import ChatEncoder, EncodedChat, EncodedPair
from dadu.learning.planner.settings import Method

Example = dict[str, np.ndarray]
"""int32 (T,) [token] by the name of each field of `EncodedChat` or `EncodedPair`"""
_FEW = 8
"""files that are not worth the start of further processes"""


@dataclass(frozen=True)
class FileEncoder:
    """What is done to a file."""

    encoder: ChatEncoder
    method: Method
    questions: float
    """share of conversations whose questions are learned, too"""
    seed: int
    """of which these are"""

    def __call__(self, path: Path) -> tuple[list[Example], int]:
        """Examples, and how many lines gave none since they exceed the context. Errors: ConfigError naming the line."""
        found = [[{name: np.array(tokens, np.int32) for name, tokens in asdict(one).items()} for one in examples]
                 for examples in self._examples(path)]
        return [one for examples in found for one in examples], sum(not examples for examples in found)

    def _examples(self, path: Path) -> Iterator[Sequence[EncodedChat | EncodedPair]]:
        if self.method == "sft":
            chance = random.Random(f"{self.seed} {path.name}")
            for chat in load_lines(Chat, path):
                yield list(self.encoder.chat(chat.messages, chance.random() < self.questions))
        else:
            for line in load_lines(AnswerPair, path):
                pair = self.encoder.pair(line)
                yield [pair] if pair else []


def examples_of(paths: Sequence[Path], encode: FileEncoder, threads: int) -> tuple[list[Example], int]:
    """Examples in the order of files and lines, and how many lines gave none. `threads`: processes; 0: one a core.
    Errors: ConfigError for a line that is none."""
    if len(paths) <= _FEW or threads == 1:
        return _joined(map(encode, paths))
    with ProcessPoolExecutor(min(threads or os.cpu_count() or 1, len(paths)), get_context("spawn"), _begin,
                             (encode,)) as pool:
        return _joined(pool.map(_encode, paths))


def _joined(parts: Iterable[tuple[list[Example], int]]) -> tuple[list[Example], int]:
    found, lost = [], 0
    for examples, missing in parts:
        found += examples
        lost += missing
    return found, lost


_own: FileEncoder
"""of a process of the pool"""


def _begin(encode: FileEncoder) -> None:
    global _own
    _own = encode
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the process that began them, and with it these


def _encode(path: Path) -> tuple[list[Example], int]:
    return _own(path)

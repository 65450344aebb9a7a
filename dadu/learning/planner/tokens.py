"""All that a run learns, as tokens: the data's files one by one, where there are many by several processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from dadu.core.config import load_lines
from dadu.core.errors import ConfigError
from dadu.core.work import Whole, Workers, WorkFailed, WorkPart
from dadu.learning.planner.chats import Chat
from dadu.learning.planner.encode import ChatEncoder

Example = dict[str, np.ndarray]
"""int32 (T,) [token] by the name of each field of `EncodedChat`"""
_FEW = 8
"""files that are not worth the start of further processes"""


@dataclass(frozen=True)
class FileEncoder:
    """What is done to a file."""

    encoder: ChatEncoder

    def __call__(self, path: Path) -> tuple[list[Example], int]:
        """Examples, and how many lines gave none since they exceed the context. Errors: ConfigError naming the line."""
        found = [[{name: np.array(tokens, np.int32) for name, tokens in asdict(one).items()}
                  for one in self.encoder.chat(chat.messages)] for chat in load_lines(Chat, path)]
        return [one for examples in found for one in examples], sum(not examples for examples in found)


def examples_of(paths: Sequence[Path], encode: FileEncoder, threads: int) -> tuple[list[Example], int]:
    """Examples in the order of files and lines, and how many lines gave none. `threads`: processes; 0: one a core.
    Errors: ConfigError for a line that is none."""
    count = 0 if len(paths) <= _FEW or threads == 1 else threads or os.cpu_count() or 1
    events = Workers(count).events(Whole(encode), paths)
    ends = {event.item: event for event in events if not isinstance(event, WorkPart)}
    examples, lost = list[Example](), 0
    for end in map(ends.__getitem__, paths):
        if isinstance(end, WorkFailed):
            raise ConfigError(end.why)
        examples += end.result[0]
        lost += end.result[1]
    return examples, lost

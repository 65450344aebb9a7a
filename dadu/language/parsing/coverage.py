"""Whether frames that somebody else made of an instruction, a network say, have all of its words."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.language.frames.frame import Frame
from dadu.language.parsing.account import lost
from dadu.language.parsing.names import Names
from dadu.language.parsing.tokens import sentences


def left_out(instruction: str, frames: Sequence[Frame], names: Names) -> list[str]:
    """The words that carry meaning and are in no frame, in order; see `lost`."""
    words = [word for spoken in sentences(instruction, names) for word in spoken.words]
    return lost(words, tuple(frames), names)

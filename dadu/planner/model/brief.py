"""Where the robot is, and where it might look: what a model that is told little of the world cannot work out itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dadu.knowledge.lexicon import default_lexicon
from dadu.knowledge.vocabulary import Vocabulary, VocabularyEntry
from dadu.planner.policies.policy import Turn
from dadu.planner.regression.search import next_spot
from dadu.world.graph import ROBOT, Kind

_LONGEST = 3
"""words of a name"""


def whereabouts(turn: Turn) -> str:
    """What the robot has driven to and still stands at; else its room."""
    if turn.situation.at is not None:
        return turn.situation.at[0]
    room = turn.graph.room_of(ROBOT) if ROBOT in turn.graph else None
    return room.id if room is not None else "unknown"


def unseen(turn: Turn) -> str:
    """``Look: kitchen``: where a thing of a kind that the instruction names, and of which none is known, is looked for
    first, by the symbolic planner's odds; empty where all are known or everything was searched."""
    known = {e.category for e in turn.graph.of(Kind.OBJECT)}
    for entries in names_said(turn.instruction, turn.vocabulary):
        categories = frozenset(entry.category for entry in entries)
        if all(entry.kind is Kind.OBJECT for entry in entries) and not known & categories:
            spot = next_spot(None, tuple(sorted(categories)), turn.graph, turn.situation.looked, turn.vocabulary,
                             odds=turn.situation.odds)
            return f"Look: {spot.id}" if spot is not None else ""
    return ""


def names_said(instruction: str, vocabulary: Vocabulary) -> Iterator[list[VocabularyEntry]]:
    """Of each name in the instruction, the longest that fit, what is called so; what names furniture or rooms, too, is
    none of a thing that is to be found."""
    words = re.findall(r"[a-z]+", instruction.lower())
    normal, start = default_lexicon().normal, 0
    while start < len(words):
        for length in range(min(_LONGEST, len(words) - start), 0, -1):
            found = vocabulary.named(normal(" ".join(words[start:start + length])))
            if found:
                yield [entry for entry, _ in found]
                start += length - 1
                break
        start += 1

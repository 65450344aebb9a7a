"""The data card: what is in a folder of plans, for people."""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from dadu.learning.plans.lines import EpisodeRecord
from dadu.learning.plans.store import CARD, RULE, PlanFolder

_SPLITS = ("train", "validation", "test")


def write_card(folder: PlanFolder) -> str:
    """Counts what is there; returns the card's text."""
    episodes, homes = list(folder.episodes()), dict(folder.counts())
    dropped = sum((Counter(counts.dropped) for counts in homes.values()), Counter[str]())
    by_split = {split: [e for e in episodes if e.split == split] for split in _SPLITS}
    rows = "\n".join(_row(split, found) for split, found in by_split.items() if found)
    text = f"""# Plans: instructions in homes, carried out

Made by `dadu data plans` of DaDu, seed {folder.sheet().settings.seed}, in generated homes, in words from a synchronous
grammar of our own; no sentence of a corpus is in it. The symbolic planner carries them out without physics, and only
episodes that the true state of the world confirms are kept. Formats: docs/howto/train.md.

| split | instructions | different | goals | by kind | homes | forms | steps: median, most | failed | disturbed |
|---|---|---|---|---|---|---|---|---|---|
{rows}

"Goals": different propositions about things of one home; "by kind": with categories in place of things, whatever the
home; "failed", "disturbed": episodes in which a skill failed, and in which somebody meddled.

Families: {_listed(Counter(e.family for e in episodes))}.

Right endings: {_listed(Counter(e.ends for e in episodes))}.

Predicates: {_listed(Counter(p.predicate for e in episodes if e.goal is not None for p in e.goal.propositions))}.

What the robot is told: {_listed(Counter(e.known for e in episodes))}.

Protocols: {_listed(Counter(p for e in episodes for p in e.protocols))}.

What of the tests training never sees: {_listed(Counter(" + ".join(e.new) for e in by_split["test"]))}.

Not in the data, {sum(dropped.values())} tasks: {_listed(dropped)}.

Kept apart: {RULE}.

Kept-out categories: {", ".join(folder.sheet().held_out)}.
"""
    (folder.path / CARD).write_text(text)
    return text


def _row(split: str, episodes: Sequence[EpisodeRecord]) -> str:
    steps = [len(e.plan) for e in episodes]
    share = 100 / len(episodes)
    goals, kinds = {(e.home, goal_key(e)) for e in episodes if e.goal}, {goal_kind(e) for e in episodes if e.goal}
    cells = (len(episodes), len({e.instruction.lower() for e in episodes}), len(goals), len(kinds),
             len({e.home for e in episodes}), len({e.form for e in episodes}),
             f"{statistics.median(steps):.0f}, {max(steps)}",
             f"{share * sum(e.failures > 0 for e in episodes):.0f} %",
             f"{share * sum(bool(e.events) for e in episodes):.0f} %")
    return f"| {split} | {' | '.join(map(str, cells))} |"


def goal_key(episode: EpisodeRecord) -> str:
    """The same for the same goal, in one home."""
    goal = episode.goal.model_dump(mode="json", exclude_defaults=True) if episode.goal is not None else None
    return json.dumps(goal, sort_keys=True)


def goal_kind(episode: EpisodeRecord) -> str:
    """The same with kinds of things in place of things: ``mug`` for ``mug_0``."""
    return re.sub(r"_\d+\b", "", goal_key(episode))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(counts).most_common()) or "none"

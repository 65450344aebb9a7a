"""Measures of a trajectory, EMMOE's but for SPL: task progress, success end and replan rates, path-length weighting.

Source: EMMOE, sections 3.3 and 5.3, equations 1 to 3, and appendix C.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dadu.skills.outcome import Code

Node = Sequence[str]
"""``[skill, argument, ...]``, a sub-task of a keypath or an executed step"""


def task_progress(keypaths: Iterable[Sequence[Node]], done: Sequence[Node]) -> float:
    """TP: the best share of any keypath that the successfully executed sub-tasks cover, 0 to 1.

    A keypath's nodes are matched in its order, up to the first that no step matches; each step is used once. As in the
    paper's worked example (TP 0.5, where the drawer is opened before the ``go to`` that comes first in the keypath),
    the order is that of the keypath, not that of the clock.
    """
    return max((_covered(path, done) / len(path) for path in keypaths if path), default=0.0)


def _covered(path: Sequence[Node], done: Sequence[Node]) -> int:
    left = [tuple(step) for step in done]
    for count, node in enumerate(path):
        if tuple(node) not in left:
            return count
        left.remove(tuple(node))
    return len(path)


def executed(plan: Sequence[Node], outcomes: Sequence[int], ended: bool) -> list[tuple[str, ...]]:
    """The sub-tasks that succeeded, as keypaths have them: ``place`` names what was held, ``done`` is one of them.

    `plan` and `outcomes` as in the results; `ended`: the planner said that it was done.
    """
    steps: list[tuple[str, ...]] = []
    held = ""
    for (skill, *arguments), code in zip(plan, outcomes):
        if not Code(code).ok:
            continue
        if skill == "pick" and arguments:
            held = arguments[0]
        if skill == "place" and len(arguments) >= 2:
            steps.append(("place", held, arguments[1]))
        else:
            steps.append((skill, *arguments))
    return [*steps, ("done",)] if ended else steps


def keypath_nodes(path: Sequence[Node]) -> list[tuple[str, ...]]:
    """A keypath as written, in the form of `executed`: ``[place, on, table_0]`` is ``place`` of what was picked last;
    ``[place, milk_0, table_0]`` stays."""
    nodes: list[tuple[str, ...]] = []
    held = ""
    for skill, *arguments in path:
        if skill == "pick" and arguments:
            held = arguments[0]
        if skill == "place" and len(arguments) >= 2 and arguments[0] in ("on", "in"):
            arguments = [held, arguments[1]]
        nodes.append((skill, *arguments))
    return nodes


def replans(outcomes: Sequence[int], ended: bool = False) -> int:
    """Actions taken after one that failed; saying ``done`` is one too."""
    failed = sum(not Code(code).ok for code in outcomes[:-1])
    return failed + (bool(outcomes) and ended and not Code(outcomes[-1]).ok)


def success_end_rate(successes: Sequence[bool], ends: Sequence[bool]) -> float | None:
    """SER: successful trajectories over those whose last action was the end; None where none was."""
    return sum(successes) / sum(ends) if any(ends) else None


def success_replan_rate(successes: Sequence[bool], counts: Sequence[int]) -> float | None:
    """SRR: replans of successful trajectories over all replans; None where nothing had to be replanned."""
    return sum(n for ok, n in zip(successes, counts) if ok) / sum(counts) if sum(counts) else None


def path_length_weight(success: bool, expert: float, length: float) -> float:
    """An episode's part of PLWSR: success x expert / max(expert, length), both in steps. Source: ALFRED, to which EMMOE
    refers; EMMOE prints the agent's length in the numerator, which would reward detours."""
    return float(success) * expert / max(expert, length) if max(expert, length) > 0 else float(success)


def spl(success: float, shortest: float, length: float) -> float:
    """One episode's term: success x shortest / max(length, shortest), lengths in metres; the mean over episodes is SPL.
    Where there is nowhere to go the path is as short as can be. Source: DaDu-E, equation 5 (Anderson et al., 2018)."""
    longest = max(length, shortest)
    return float(success) * (shortest / longest if longest > 0 else 1.0)

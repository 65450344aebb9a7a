"""Who does which jobs, in which order, so that all are done soonest, and dear time is spared.

For one job each the Hungarian method would do; but who is fast may do two while another does one, or none. So every job
goes where it costs least (best insertion), and is then moved as long as that helps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

MOST = 8
"""jobs looked at together; more wait until some are done"""
_ROUNDS = 4

Cost: TypeAlias = Callable[[str, "str | None", str], float]
"""`agent`, the job that it did before (None: it starts where it is) and the next: time for that [s]; inf: it cannot"""
Queues: TypeAlias = dict[str, list[str]]


@dataclass(frozen=True)
class Problem:
    """Agents, jobs, times."""

    agents: Sequence[str]
    jobs: Sequence[str]
    cost: Cost
    after: Mapping[str, Sequence[str]]
    """jobs that can end only after others have"""
    fixed: Mapping[str, str]
    """jobs whose agent is settled, which it does first"""
    price: Mapping[str, float] = field(default_factory=dict)
    """of a second until an agent is through, waits included, in seconds by which all is done later; nothing where it is
    not named"""


def assign(problem: Problem) -> Queues:
    """By agent its jobs in order; what nobody can do is in nobody's queue."""
    queues: Queues = {agent: [] for agent in problem.agents}
    for job, agent in problem.fixed.items():
        if job in problem.jobs and agent in queues:
            queues[agent].append(job)
    settled = {job for queue in queues.values() for job in queue}
    free = [job for job in problem.jobs if job not in settled][:MOST]
    for job in free:
        _insert(problem, queues, job)
    for _ in range(_ROUNDS):
        before = {agent: list(queue) for agent, queue in queues.items()}
        for job in free:
            for queue in queues.values():
                if job in queue:
                    queue.remove(job)
            _insert(problem, queues, job)
        if queues == before:
            break
    return queues


def _insert(problem: Problem, queues: Queues, job: str) -> None:
    """Where it costs least; nowhere if nobody can."""
    best: tuple[tuple[float, float], str, int] | None = None
    for agent in problem.agents:
        if problem.cost(agent, None, job) == float("inf"):
            continue
        first = sum(j in problem.fixed for j in queues[agent])
        for place in range(first, len(queues[agent]) + 1):
            tried = {**queues, agent: [*queues[agent][:place], job, *queues[agent][place:]]}
            value = _value(problem, tried)
            if best is None or value < best[0]:
                best = value, agent, place
    if best is not None:
        queues[best[1]].insert(best[2], job)


def _value(problem: Problem, queues: Queues) -> tuple[float, float]:
    """When all is done, later by the price of everybody's time, and what all have worked [s]."""
    ends: dict[str, float] = {}
    work = dear = 0.0
    for _ in range(1 + len(problem.after)):  # until what waits for another's job has its time
        work = dear = 0.0
        for agent, queue in queues.items():
            now, last = 0.0, None
            for job in queue:
                spent = problem.cost(agent, last, job)
                work += spent
                now = max(now + spent, *(ends.get(j, 0.0) for j in problem.after.get(job, ())), 0.0)
                ends[job], last = now, job
            dear += problem.price.get(agent, 0.0) * now
    return round(max(ends.values(), default=0.0) + dear, 3), round(work, 3)

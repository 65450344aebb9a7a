"""What of a goal one agent does on its own: where one thing is to be, or what is to be done to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from dadu.goals.belief import satisfying
from dadu.goals.goal import Proposition
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.progress import Progress
from dadu.planner.regression.regression import making_true
from dadu.world.graph import ROBOT, WorldGraph

_WHERE = (Family.WHEREABOUTS, Family.COMPANY)


@dataclass(frozen=True)
class Job:
    """Propositions about one thing that still have to come true."""

    name: str
    """the same for all agents of a team, in the instruction's words"""
    indices: tuple[int, ...]
    """of the propositions, in order"""
    skills: tuple[frozenset[str], ...]
    """for each of them those of which an agent needs one"""
    thing: str = ""
    """its id, where that is known"""
    alone: bool = False
    """asked of the first agent itself: to be somewhere"""

    def within(self, capabilities: Collection[str]) -> bool:
        """True if an agent with these skills can do it."""
        return all(not any_of or any_of & set(capabilities) for any_of in self.skills)


def jobs(progress: Progress, graph: WorldGraph, teams: Collection[Collection[str]]) -> list[Job]:
    """What is left to do, in the goal's order. Where a thing is to be is one job, what is to be done to it another, as
    far as one of `teams`, the agents' skills, can do it as a whole; several things that are asked for at once are a job
    each."""
    found: list[Job] = []
    unmet = [*progress.unmet(graph), *progress.given_up]
    groups: dict[tuple[str, bool], list[int]] = {}
    for i, p in enumerate(progress.goal.propositions):
        groups.setdefault((p.subject.key, PREDICATES[p.predicate].family in _WHERE), []).append(i)
    for indices in groups.values():
        left = tuple(i for i in indices if i in unmet)
        if not left:
            continue
        first = progress.proposition(left[0])
        skills = {i: frozenset(making_true(progress.proposition(i), graph)) for i in left}
        whole = Job(" and ".join(str(progress.proposition(i)) for i in indices), left,
                    tuple(skills[i] for i in left), _thing(first, graph), first.subject.key == ROBOT)
        if len(indices) == 1 and (first.every or first.number > 1):
            found += _each(whole, first, graph)
        elif any(whole.within(capabilities) for capabilities in teams):
            found.append(whole)
        else:
            found += [Job(str(progress.proposition(i)), (i,), (skills[i],), whole.thing) for i in left]
    return found


def _thing(p: Proposition, graph: WorldGraph) -> str:
    return next((id for id in p.subject.ids if id in graph), "")


def _each(whole: Job, p: Proposition, graph: WorldGraph) -> list[Job]:
    """One job for each thing that is still wanted, as far as they are known; and one for those that are not."""
    done = set(satisfying(p, graph))
    wanted = max(1, p.needed - len(done))
    there = sorted(id for id in p.subject.ids if id in graph and id not in done)[:wanted]
    known = [Job(f"{whole.name} [{id}]", whole.indices, whole.skills, id) for id in there]
    return known if len(there) == wanted else [*known, Job(f"{whole.name} [more]", whole.indices, whole.skills)]


def waits(progress: Progress, open_: Collection[Job]) -> dict[str, list[str]]:
    """By a job's name those of others that have to be done before it ends: the goal's order, what is asked earlier of
    the same thing, and that something is put next to a thing only once that is where it is to be."""
    by: dict[str, list[str]] = {}
    for job in open_:
        before = {b for i in job.indices for b in progress.goal.before(i)}
        keys = {p.object.key for i in job.indices if (p := progress.proposition(i)).object is not None
                and PREDICATES[p.predicate].family is Family.COMPANY}
        by[job.name] = [other.name for other in open_ if other is not job and (
            before & set(other.indices) - set(job.indices) or _same_thing_first(progress, job.indices, other)
            or any(_brings(progress.proposition(i)) and progress.proposition(i).subject.key in keys
                   for i in other.indices))]
    return by


def _brings(p: Proposition) -> bool:
    return p.object is not None and PREDICATES[p.predicate].family is Family.WHEREABOUTS


def blocked(progress: Progress, job: Job, after: Mapping[str, Collection[str]], others: Collection[Job]) -> set[int]:
    """Indices of a job that have to wait until a job of `others` is done."""
    return {i for i in job.indices if _waits_for(progress, i, [o for o in others if o.name in after[job.name]])}


def _same_thing_first(progress: Progress, indices: Collection[int], other: Job) -> bool:
    """True if another job, which comes earlier, is about the same thing."""
    keys = {progress.proposition(i).subject.key for i in indices}
    return max(other.indices) < min(indices) and any(progress.proposition(i).subject.key in keys for i in other.indices)


def _waits_for(progress: Progress, index: int, others: Collection[Job]) -> bool:
    p, there = progress.proposition(index), {i for job in others for i in job.indices}
    company = PREDICATES[p.predicate].family is Family.COMPANY and p.object is not None and any(
        progress.proposition(i).subject.key == p.object.key for i in there)
    same = any(_same_thing_first(progress, (index,), job) for job in others)
    return company or same or bool(progress.goal.before(index) & there)

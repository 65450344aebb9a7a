"""The planner of one agent in a team: its share of the goal, by regression; and what to do while that has to wait."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Proposition
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.progress import Progress
from dadu.planner.policies.policy import Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.regression.lookahead import next_step
from dadu.planner.regression.planned import Left
from dadu.planner.regression.regression import settle
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.team.coordination import Coordination, Share
from dadu.team.jobs import Job, blocked

_PREPARES = ("go_to", "explore", "pick", "open")
"""what may be done for something before its turn has come"""


class TeamPolicy:
    """A `dadu.planner.policies.policy.Policy`."""

    name = "team"

    def __init__(self, me: str, coordination: Coordination, symbolic: SymbolicPolicy) -> None:
        """`symbolic`: what this agent does by itself."""
        self._me, self._team, self._symbolic = me, coordination, symbolic
        self._heard = 0
        self._stirred = False
        self._working: str = ""
        """the job that it has said to take"""

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        self._heard, self._stirred = len(self._team.channel.said), False
        self._team.looked[self._me] = set(turn.situation.looked)
        self._team.looking.pop(self._me, None)
        if turn.progress is None:
            return self._looks_at(self._symbolic.choose(replace(turn, situation=self._situation(turn, busy=True))))
        share = self._share(turn, turn.progress)
        decision = (self._own(turn, turn.progress, share) or self._prepare(turn, turn.progress, share)
                    or self._help(turn, turn.progress, share) or self._tidy(turn, turn.progress))
        if decision is not None:
            return self._looks_at(decision)
        if self._team.shared:
            settle(turn.progress, turn.graph, self._situation(turn, busy=False), turn.vocabulary)
        unmet = set(turn.progress.unmet(turn.graph))
        if not unmet:
            return self._symbolic.choose(turn)  # nothing is left to do for anybody
        if unmet <= {i for job in share.done for i in job.indices}:
            verdict = SkillResult(Code.SUCCEEDED, "its own part holds, and the others say that theirs is done")
            return Decision(SkillCall("done"), verdict.message, self.name, verdict=verdict)
        return Decision(SkillCall("wait"), "others see to what is left", self.name)

    def stir(self) -> None:
        """What this agent knows has changed by others."""
        self._stirred = True

    def news(self) -> bool:
        """True if there is something to think about since it chose last."""
        return self._stirred or any(self._team.channel.heard(self._me, self._heard))

    def _share(self, turn: Turn, progress: Progress) -> Share:
        """Tells what has become of the last one."""
        for i in [i for i in progress.given_up]:
            progress.given_up.pop(i)  # somebody else may have hope
        share = self._team.share(self._me, turn, progress)
        now = self._now(turn)
        if self._working and self._working not in {job.name for job in share.open}:
            self._team.done(self._me, self._working, now)
            self._working = ""
        return share

    def _own(self, turn: Turn, progress: Progress, share: Share) -> Decision | None:
        """The next step of what it has to do; None where that has to wait, or is nothing."""
        for _ in range(len(share.open) + 1):
            elsewhere = self._step(turn, progress.copy(), share, self._situation(turn, busy=True))
            before = set(progress.given_up)
            found = self._step(turn, progress, share, self._situation(turn, busy=elsewhere is not None))
            new = set(progress.given_up) - before
            if not new:
                return self._begun(turn, *found) if found is not None else None
            self._give_up(turn, progress, share, new)
            share = self._team.share(self._me, turn, progress)
        return None

    def _step(self, turn: Turn, progress: Progress, share: Share, situation: Situation) -> tuple[Job, Decision] | None:
        """By regression, one job after the other."""
        waiting = {i for job in share.mine for i in blocked(progress, job, share.after, share.others)}
        for job in share.mine:
            left = _left(progress, job, share.open, waiting)
            decision = next_step(progress, turn.graph, situation, turn.vocabulary, self.name,
                                 self._symbolic.capabilities, False, left)
            if decision is not None:
                return job, decision
        return None

    def _give_up(self, turn: Turn, progress: Progress, share: Share, new: set[int]) -> None:
        """Tells of what it sees no way to; it is not given up where another may have one."""
        for job in share.mine:
            lost = new & set(job.indices)
            if lost:
                self._team.give_up(self._me, job, progress.given_up[min(lost)], self._now(turn))
            for i in lost if self._team.hope(job) else ():
                progress.given_up.pop(i, None)

    def _begun(self, turn: Turn, job: Job, decision: Decision) -> Decision:
        """Says what it works at."""
        self._working = job.name
        self._team.take(self._me, job, self._now(turn))
        return decision

    def _prepare(self, turn: Turn, progress: Progress, share: Share) -> Decision | None:
        """What can be done for a job before others have done what it waits for: to have the thing in the hand, where it
        will be wanted."""
        for job in share.mine:
            waiting = blocked(progress, job, share.after, share.others)
            if not waiting or self._in_use(progress, job, share):
                continue
            trial = progress.copy()
            trial.goal = replace(trial.goal, order=(), propositions=tuple(
                self._where_it_will_be(trial, p, share) for p in trial.goal.propositions))
            decision = next_step(trial, turn.graph, self._situation(turn, busy=True), turn.vocabulary, self.name,
                                 self._symbolic.capabilities, False, _left(trial, job, share.open, set()))
            if decision is not None and decision.call.skill in _PREPARES:
                return self._begun(turn, job, replace(
                    decision, reasoning=f"{decision.reasoning} (others have to be done first)"))
        return None

    def _where_it_will_be(self, progress: Progress, p: Proposition, share: Share) -> Proposition:
        """Next to a thing that others bring somewhere is, for now, there."""
        if PREDICATES[p.predicate].family is not Family.COMPANY or p.object is None:
            return p
        for job in share.others:
            for q in map(progress.proposition, job.indices):
                if q.subject.key == p.object.key and q.predicate == "is_on_top" and p.number == 1:
                    return Proposition(q.predicate, p.subject, q.object)
        return p

    def _in_use(self, progress: Progress, job: Job, share: Share) -> bool:
        """True if what it waits for is done to the same thing."""
        keys = {progress.proposition(i).subject.key for i in job.indices}
        return any(progress.proposition(i).subject.key in keys for other in share.others
                   if other.name in share.after[job.name] for i in other.indices)

    def _help(self, turn: Turn, progress: Progress, share: Share) -> Decision | None:
        """Looks for what others look for, where nobody looks, while it has nothing else to do."""
        if not self._team.shared or any(map(self._team.hope, share.mine)) or turn.graph.held() is not None:
            return None
        for job in share.others:
            if job.thing:
                continue
            decision = next_step(progress.copy(), turn.graph, self._situation(turn, busy=True), turn.vocabulary,
                                 self.name, self._symbolic.capabilities, False, _left(progress, job, share.open,
                                                                                      set()))
            if decision is not None and _looks(decision):
                return replace(decision, reasoning=f"{decision.reasoning} (for others)")
        return None

    def _tidy(self, turn: Turn, progress: Progress) -> Decision | None:
        """The next step to close what it has opened, where it has nothing else to do: nobody else may know of it."""
        everything = Left(frozenset(range(len(progress.goal.propositions))))
        return next_step(progress.copy(), turn.graph, turn.situation, turn.vocabulary, self.name,
                         self._symbolic.capabilities, False, everything)

    def _situation(self, turn: Turn, busy: bool) -> Situation:
        """With where others have looked, and with `busy` where they look just now, if they are there sooner."""
        situation = turn.situation.copy()
        if self._team.shared:
            others = [places for name, places in self._team.looked.items() if name != self._me]
            now = {place for name, place in self._team.looking.items() if busy and name != self._me
                   and (place not in turn.graph or self._team.sooner(name, self._me, place, turn.graph))}
            for place in set().union(*others, now):
                situation.looked.setdefault(place, 1)
        return situation

    def _looks_at(self, decision: Decision) -> Decision:
        """Tells others where it looks."""
        if _looks(decision):
            self._team.looking[self._me] = decision.call.arguments[0]
        return decision

    def _now(self, turn: Turn) -> float:
        return turn.history[-1].end if turn.history else 0.0


def _looks(decision: Decision) -> bool:
    """True if it is there to see something, not to do something."""
    return decision.call.skill == "explore" or (decision.call.skill == "go_to" and decision.seeks is not None)


def _left(progress: Progress, mine: Job, open_: tuple[Job, ...], waiting: set[int]) -> Left:
    """All that is not `mine` and need not wait now."""
    own = set(mine.indices) - waiting
    things = {job.thing for job in open_ if job != mine and job.thing and own & set(job.indices)}
    return Left(frozenset(range(len(progress.goal.propositions))) - own, frozenset(things))

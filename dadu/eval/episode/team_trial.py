"""One episode of a team in the oracle, from its beginning to its record."""

from __future__ import annotations

from dataclasses import replace

from dadu.eval.episode.backends import team_oracle
from dadu.eval.episode.observer import Observer, OutOfTime, Trace
from dadu.eval.episode.record import demonstration, record
from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult, TeamFigures
from dadu.operator.play.seats import Seats
from dadu.operator.play.state import EpisodeVerdict
from dadu.planner.report import TaskReport
from dadu.planner.step import Step
from dadu.stacks.team import TeamStack
from dadu.tasks.prepare import Prepared


class CutShort(KeyboardInterrupt):
    """Ctrl-C in the middle of an episode that people play; carries what was done until then."""

    def __init__(self, result: EpisodeResult) -> None:
        super().__init__("interrupted")
        self.result = result


def run_team(prepared: Prepared, options: EvalOptions, start: float, people: Seats | None = None
             ) -> tuple[EpisodeResult, Trace]:
    """`start`: monotonic wall time [s]; `people` who play agents, where the options say that some do. Errors: those of
    a stack that cannot be made; CutShort."""
    episode, expert = prepared.episode, demonstration(prepared)
    backend = team_oracle(prepared, options)
    for verb, names in (("open", episode.open), ("close", episode.closed)):
        for name in names:
            backend.disturb(verb, name)
    observer = Observer(prepared, backend, options.wall_seconds, False, options.privileges_for(episode.known))
    by: list[str] = []

    def done(name: str, step: Step) -> None:
        """Steps of several overlap: each counts once it has ended; a wait is none."""
        if step.result is not None and step.call.skill != "wait":
            by.append(name)
            observer.step(replace(step, result=None), name)
            observer.step(step, name)

    planner = options.resolved_planner
    limits = planner.loop.model_copy(update={"max_steps": episode.steps, "max_seconds": episode.sim_seconds})
    report: TaskReport | None = None
    note, cut = "", False
    if people is not None:
        people.begin(backend.stack, limits.max_seconds)
    try:
        team = backend.stack.do(episode.instruction, planner, settings=limits, trace=done, company=people)
        report = team.whole(observer.elapsed)
    except OutOfTime as error:
        note = str(error)
    except KeyboardInterrupt:
        note, cut = "interrupted", people is not None
        if not cut:
            raise
    observer.look()
    observer.finish()
    result = record(observer, expert, report, note, start, planner.chooser)
    result = result.model_copy(update={"team": _figures(backend.stack, by)})
    if cut:
        raise CutShort(result)
    if people is not None:
        people.finish(EpisodeVerdict(success=result.success, percent_complete=result.percent_complete,
                              explanation=result.explanation, seconds=result.sim_seconds))
    return result, observer.trace


def _figures(stack: TeamStack, by: list[str]) -> TeamFigures:
    said = stack.channel.said
    return TeamFigures(plan=stack.settings.plan, partner=stack.settings.partner, messages=len(said),
                       idle_seconds={name: round(seconds, 3) for name, seconds in stack.idle.items()},
                       driven={name: round(agent.travelled, 3) for name, agent in stack.world.agents.items()},
                       by=by, thinking={name: round(played.thinking, 3) for name, played in stack.played.items()},
                       collisions=stack.collisions, said=[f"{m.stamp:.1f} s {m}" for m in said])

"""``report.html``: one self-contained page on what the robot was asked, did, and achieved."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from dadu.core.errors import ConfigError, MissingExtra
from dadu.goals.monitor import Verdict
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.operator.film import FILE as FILM
from dadu.operator.film import NoFilm, write_film
from dadu.operator.floor_plan import FloorPlan, Marker
from dadu.operator.run.episode import RecordedEpisode, StepRecord, read_episode
from dadu.operator.run.judge import NotJudged, house_of, judge
from dadu.operator.run.run_info import RunInfo, machine, read_arguments, read_run_info, versions
from dadu.operator.run.snapshots import Snapshot, snapshots
from dadu.operator.run.usage import read_usage
from dadu.operator.tables import labelled
from dadu.skills.outcome import Code

_WIDTH, _HEIGHT = 160.0, 26.0


def sparkline(values: Sequence[float], top: float = 1.0) -> str:
    """`values` from left to right, `top` at full height (more where they exceed it); empty for fewer than two."""
    if len(values) < 2:
        return ""
    v = np.asarray(values, float)
    if len(v) > _WIDTH:
        # Worst of each pixel column: peaks must not vanish.
        v = np.array([part.max() for part in np.array_split(v, int(_WIDTH))])
    x = np.linspace(0, _WIDTH, len(v))
    y = _HEIGHT - 1 - v / max(top, float(v.max())) * (_HEIGHT - 2)
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return (f'<svg class="spark" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" preserveAspectRatio="none">'
            f'<polygon points="0,{_HEIGHT:.0f} {line} {_WIDTH:.0f},{_HEIGHT:.0f}"/><polyline points="{line}"/></svg>')


FILE = "report.html"
_FIRST_LOOK = 1.5
"""[s] after the start of the task"""


@dataclass(frozen=True)
class Judgement:
    """Goal and verdict, or why there is none."""

    goal: SuiteGoal | None
    verdict: Verdict | None
    note: str = ""

    @property
    def words(self) -> str:
        """In a few."""
        if self.verdict is None:
            return "not judged"
        return f"ground truth {'confirms' if self.confirmed else 'does not confirm'} the goal"

    @property
    def confirmed(self) -> bool:
        return self.verdict is not None and self.verdict.success


def write_report(run_dir: Path, film: bool = False) -> tuple[Path, RecordedEpisode, Judgement]:
    """Reads the run's bag and files and writes ``run_dir/report.html``, and the `film` that it shows. Errors: NoBag,
    NoTask, ConfigError."""
    episode = read_episode(run_dir)
    info = read_run_info(run_dir)
    judgement = _judgement(episode, info)
    ends = [s.end if s.end is not None else episode.end for s in episode.steps]
    pictures = snapshots(run_dir, [episode.start + _FIRST_LOOK, *ends])
    no_film = _filmed(episode, judgement) if film else ""
    path = run_dir / FILE
    path.write_text(render(episode, info, judgement, pictures, no_film))
    return path, episode, judgement


def render(episode: RecordedEpisode, info: RunInfo | None, judgement: Judgement,
           pictures: Sequence[Snapshot | None], no_film: str = "") -> str:
    """The page. `pictures`: one from the start, then one for each step; `no_film`: why there is none."""
    first, *after = pictures
    environment = Environment(loader=PackageLoader("dadu.operator"), autoescape=True, undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(labelled=labelled, seconds=_seconds, brief=_brief,
                               words=lambda text: text.replace("_", " "))
    usage = {u.name: u for u in read_usage(episode.run_dir / "resources.jsonl")}
    names = [*usage, *(n for n in sorted(episode.timings) if n not in usage)]
    return environment.get_template("report.html").render(
        episode=episode, info=info, arguments=read_arguments(episode.run_dir), judgement=judgement,
        film=(episode.run_dir / FILM).exists() and FILM, no_film=no_film, goal=_goal_rows(judgement),
        facts=_facts(episode, info), plan=_plan(episode, judgement),
        steps=[_step_view(episode, s, p) for s, p in zip(episode.steps, after)], start=_data_uri(first),
        nodes=[{"name": n, "usage": usage.get(n), "spark": sparkline(usage[n].load) if n in usage else "",
                "parts": _parts(episode.timings.get(n, {}))} for n in names], versions=versions(), machine=machine(),
    )


def _filmed(episode: RecordedEpisode, judgement: Judgement) -> str:
    """Writes the film; why there is none, where there is none."""
    try:
        write_film(episode, judgement.words)
    except (NoFilm, MissingExtra) as error:
        return str(error)
    return ""


def _judgement(episode: RecordedEpisode, info: RunInfo | None) -> Judgement:
    wanted = parse_goal(info.goal, "the goal of the run") if info is not None and info.goal is not None else None
    try:
        return Judgement(*judge(episode, wanted))
    except NotJudged as error:
        return Judgement(wanted, None, str(error))


def _facts(episode: RecordedEpisode, info: RunInfo | None) -> list[tuple[str, str, str]]:
    """Figures for the top of the page: value, unit, name."""
    done = [s for s in episode.steps if s.finished]
    failed = sum(s.code is not None and not s.code.ok for s in done)
    planning = sum(s.planning for s in episode.steps)
    facts = [
        (_seconds(episode.end - episode.start), "", "simulated"),
        (_seconds(episode.wall_seconds), "", "of wall time"),
        (f"{episode.path_length:.1f}", "m", "driven"),
        (str(len(done)), "", "step" if len(done) == 1 else "steps"),
        (str(failed), "", "of them failed"),
        (f"{1e3 * planning / max(1, len(done)):.0f}", "ms", "to choose a step"),
    ]
    error = episode.pose_error
    if error is not None:
        facts.append((f"{1e3 * error.mean:.0f} / {1e3 * error.max:.0f}", "mm", "pose error, mean / most"))
    if info is not None and info.ready_seconds is not None:
        facts.insert(0, (_seconds(info.ready_seconds), "", "from start to ready"))
    return facts


def _goal_rows(judgement: Judgement) -> list[dict[str, Any]]:
    if judgement.goal is None:
        return []
    v = judgement.verdict
    return [{"text": str(p), "holds": v.satisfied[i] if v else None, "since": v.since[i] if v else None}
            for i, p in enumerate(judgement.goal.propositions)]


def _plan(episode: RecordedEpisode, judgement: Judgement) -> str:
    """The floor plan with the way driven, steps and moved objects; empty where the house is not known."""
    house = _house(episode)
    if house is None:
        return ""
    plan = FloorPlan(build_graph(house), house.doors)
    plan.path(episode.path[:, 1:3])
    for name in sorted(judgement.goal.names if judgement.goal else ()):
        _draw_move(plan, episode, name)
    poses = [(s, episode.pose_at(s.end if s.end is not None else episode.end)) for s in episode.steps]
    plan.markers(Marker(str(s.number), pose.x, pose.y, tone(s.code), f"{s.number}: {s.call}")
                 for s, pose in poses if pose is not None)
    if (first := episode.pose_at(episode.start)) is not None:
        plan.robot(first)
    return plan.svg()


def _house(episode: RecordedEpisode) -> House | None:
    try:
        return house_of(episode) if episode.house else None
    except ConfigError:
        return None  # recorded elsewhere, in a house that is not at hand


def _draw_move(plan: FloorPlan, episode: RecordedEpisode, name: str) -> None:
    if not episode.truth or name not in episode.truth[0].bodies or name not in episode.truth[-1].bodies:
        return
    start, end = (state.bodies[name].box.centre for state in (episode.truth[0], episode.truth[-1]))
    if sum((end[:2] - start[:2]) ** 2) > 0.2**2:
        plan.move((start[0], start[1]), (end[0], end[1]), f"{name}: from here to the tip")


def _step_view(episode: RecordedEpisode, step: StepRecord, picture: Snapshot | None) -> dict[str, Any]:
    end = step.end if step.end is not None else episode.end
    span = max(episode.end - episode.start, 1e-6)
    return {
        "record": step, "tone": tone(step.code), "picture": _data_uri(picture), "duration": end - step.start,
        "wall": episode.clock.wall(end) - episode.clock.wall(step.start), "at": step.start - episode.start,
        "left": 100 * (step.start - episode.start) / span, "share": 100 * (end - step.start) / span,
        "pose": episode.pose_at(end),
    }


def _parts(timings: dict[str, tuple[float, float, float]]) -> Sequence[tuple[str, int, float, float]]:
    """Part, count, mean and worst [s], the costliest first."""
    rows = sorted(timings.items(), key=lambda item: -item[1][1])
    return [(part, int(count), total / max(count, 1), worst) for part, (count, total, worst) in rows]


def tone(code: Code | None) -> str:
    """Colour class of an outcome."""
    if code is None or code in (Code.UNCERTAIN, Code.CANCELLED, Code.OPERATOR_OVERRIDE):
        return "unsure"
    return "ok" if code.ok else "bad"


def _data_uri(picture: Snapshot | None) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(picture.jpeg).decode() if picture is not None else ""


def _seconds(t: float) -> str:
    """``4.2 s``, ``1:23 min``"""
    return f"{t:.1f} s" if t < 60 else f"{int(t) // 60}:{int(t) % 60:02d} min"


def _brief(t: float) -> str:
    """``4.2 ms``, ``130 ms``, ``2.4 s``"""
    return f"{t:.1f} s" if t >= 1 else f"{1e3 * t:.0f} ms" if t >= 0.01 else f"{1e3 * t:.1f} ms"

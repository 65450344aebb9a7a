"""Which parts of a bag can be replayed, and the replays themselves."""

from __future__ import annotations

from dadu.core.config import parse
from dadu.planner.settings import PlannerSettings
from dadu.replay.bag import Bag, UnusableBag
from dadu.replay.memory import replay_memory
from dadu.replay.perception import replay_perception
from dadu.replay.planner import replay_planner
from dadu.replay.report import ReplayReport

NODES = ("perception", "memory", "planner")


def replay_nodes(bag: Bag, node: str = "all", *, detector: str = "", robot: str = "", llm_url: str = "",
                 seconds: float = float("inf")) -> list[ReplayReport]:
    """Replays one of `NODES`, or all that the bag has the inputs of.

    Errors: UnusableBag where it has them for none; UnknownDetector, MissingExtra.
    """
    wanted = NODES if node == "all" else (node,)
    reports, reasons = [], []
    for name in wanted:
        try:
            reports.append(_replay(bag, name, detector, robot, llm_url, seconds))
        except UnusableBag as error:
            reasons.append(f"{name}: {error}")
    if not reports:
        raise UnusableBag("; ".join(reasons + bag.notes + [bag.damage] * bool(bag.damage)))
    for report in reports:
        report.notes += bag.notes + [f"damaged: {bag.damage}"] * bool(bag.damage)
    return reports


def _replay(bag: Bag, node: str, detector: str, robot: str, llm_url: str, seconds: float) -> ReplayReport:
    if node == "perception":
        return replay_perception(bag, detector, seconds)
    if node == "memory":
        return replay_memory(bag, detector=detector, robot=robot, limit=seconds)[0]
    settings = parse(PlannerSettings, {"policy": "vllm", "llm_url": llm_url}, "dadu replay") if llm_url else None
    return replay_planner(bag, robot=robot, settings=settings)

"""Does a simulator keep what it claims of simulation_interfaces 2.1.0? For any simulator.

    python3 scripts/sim_conformance [--namespace /gzserver] [--read-only] [--json FILE]

Needs rclpy and simulation_interfaces, and a simulator that runs in the same ROS domain. Every feature that it claims is
checked, and no other. Prints a table. Exit status: 0 it keeps all, 1 it does not, 2 there is no simulator. Without
--read-only the simulation is paused, stepped, reset, changed and loaded anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import changes
import checks
from client import Simulator, Skipped, Violation


@dataclass(frozen=True)
class Check:
    feature: str
    """checked where this is claimed, and where `needs` are"""
    what: str
    run: Callable[[Simulator, set[str]], str]
    needs: tuple[str, ...] = ()
    changes: bool = False


@dataclass(frozen=True)
class Finding:
    feature: str
    what: str
    result: str
    """kept, violated or skipped"""
    detail: str


def _told(feature: str, what: str, run: Callable[[Simulator], str], *needs: str) -> Check:
    return Check(feature, what, lambda sim, claimed: run(sim), needs)


def _changed(feature: str, what: str, run: Callable[[Simulator], str], *needs: str) -> Check:
    return Check(feature, what, lambda sim, claimed: run(sim), needs, changes=True)


_PAUSE = ("SIMULATION_STATE_SETTING", "SIMULATION_STATE_PAUSE")
_STATES = ("ENTITY_STATE_GETTING", "ENTITY_STATE_SETTING")
CHECKS = (
    _told("ENTITY_INFO_GETTING", "entities are listed, and filtered by name", checks.entities),
    _told("ENTITY_INFO_GETTING", "info of each entity", checks.info),
    _told("ENTITY_INFO_SETTING", "info is set, and read back", checks.info_is_set, "ENTITY_INFO_GETTING"),
    _told("ENTITY_CATEGORIES", "filter by category", checks.categories),
    _told("ENTITY_TAGS", "filter by tag", checks.tags),
    _told("ENTITY_BOUNDS", "bounds of each entity", checks.bounds),
    Check("ENTITY_BOUNDS", "filter by sphere, box, convex hull", checks.overlap, ("ENTITY_STATE_GETTING",)),
    _told("ENTITY_STATE_GETTING", "states, alone and together", checks.states),
    _told("NAMED_POSES", "poses are listed, and filtered by tag", checks.named_poses),
    _told("POSE_BOUNDS", "bounds of each pose", checks.pose_bounds),
    _told("SPAWNABLES", "what can be spawned", checks.spawnables),
    _told("WORLD_INFO_GETTING", "the current world", checks.current_world),
    _told("AVAILABLE_WORLDS", "worlds are listed", checks.available_worlds),
    _told("WORLD_TAGS", "worlds are filtered by tag", checks.world_tags, "AVAILABLE_WORLDS"),
    _told("SIMULATION_STATE_GETTING", "the state is told", changes.state_is_told),
    _changed("SIMULATION_STATE_SETTING", "playing, stopped, what cannot be set", changes.states),
    _changed("SIMULATION_STATE_PAUSE", "time stands while paused", changes.pause),
    _changed("STEP_SIMULATION_SINGLE", "one step", changes.single_step, *_PAUSE),
    _changed("STEP_SIMULATION_MULTIPLE", "several steps", changes.many_steps, *_PAUSE, "STEP_SIMULATION_SINGLE"),
    _changed("STEP_SIMULATION_ACTION", "steps with feedback", changes.step_action, *_PAUSE),
    _changed("ENTITY_STATE_SETTING", "a thing is put elsewhere", changes.state_is_set, "ENTITY_STATE_GETTING"),
    _changed("SPAWNING", "spawn, names, refusals", changes.spawning),
    _changed("SPAWNING_RESOURCE_STRING", "a text that is none is refused", changes.spawning_text),
    _changed("SPAWNING_ENTITIES", "several, one of them bad", changes.spawning_many),
    _changed("DELETING", "delete", changes.deleting, "SPAWNING"),
    _changed("SIMULATION_RESET", "everything", changes.reset),
    _changed("SIMULATION_RESET_TIME", "time alone", changes.reset_time),
    _changed("SIMULATION_RESET_STATE", "poses alone", changes.reset_state, *_STATES),
    _changed("SIMULATION_RESET_SPAWNED", "what was spawned alone", changes.reset_spawned, "SPAWNING"),
    _changed("WORLD_LOADING", "the current world anew", changes.world_loading),
    _changed("WORLD_RESOURCE_STRING", "a text that is none is refused", changes.world_text),
    _changed("WORLD_UNLOADING", "no world", changes.world_unloading, "WORLD_LOADING"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--namespace", default="", help="where the services are; default: wherever they are found")
    parser.add_argument("--read-only", action="store_true", help="leave out whatever changes the simulation")
    parser.add_argument("--wait", type=float, default=30.0, help="seconds until there is a simulator (default: 30)")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each answer (default: 60)")
    parser.add_argument("--json", type=Path, help="write what was found to this file as well")
    args = parser.parse_args()
    sim = Simulator(args.namespace, args.timeout)
    try:
        if not sim.found(args.wait):
            print("no simulator found: nobody serves GetSimulatorFeatures in this ROS domain", file=sys.stderr)
            return 2
        try:
            claimed = checks.features(sim)
        except Violation as error:
            print(f"GetSimulatorFeatures: {error}", file=sys.stderr)
            return 1
        found = [_finding(Check("", "what is claimed is served", checks.claims_fit), sim, claimed)]
        found += [_finding(check, sim, claimed) for check in CHECKS if check.feature in claimed
                  and not (args.read_only and check.changes)]
    finally:
        sim.close()
    _show(found, claimed)
    if args.json:
        args.json.write_text(json.dumps({"claimed": sorted(claimed), "found": [asdict(f) for f in found]}, indent=1))
    return int(any(f.result == "violated" for f in found))


def _finding(check: Check, sim: Simulator, claimed: set[str]) -> Finding:
    if missing := [name for name in check.needs if name not in claimed]:
        return Finding(check.feature, check.what, "skipped", f"it takes {', '.join(missing)}, not claimed")
    try:
        return Finding(check.feature, check.what, "kept", check.run(sim, claimed))
    except Skipped as why:
        return Finding(check.feature, check.what, "skipped", str(why))
    except Violation as violation:
        changes.recover(sim)
        return Finding(check.feature, check.what, "violated", str(violation))


def _show(found: list[Finding], claimed: set[str]) -> None:
    widths = [max(len(getattr(f, column)) for f in found) for column in ("feature", "what", "result")]
    for f in found:
        print(f"{f.feature:<{widths[0]}}  {f.what:<{widths[1]}}  {f.result:<{widths[2]}}  {f.detail}".rstrip())
    counts = {result: sum(f.result == result for f in found) for result in ("kept", "violated", "skipped")}
    unchecked = sorted(claimed - {check.feature for check in CHECKS} - {"ENTITY_BOUNDS_BOX", "ENTITY_BOUNDS_CONVEX"})
    print(f"{len(claimed)} features claimed; checks: " + ", ".join(f"{n} {result}" for result, n in counts.items())
          + (f"; no check for {', '.join(unchecked)}" if unchecked else ""))


if __name__ == "__main__":
    sys.exit(main())

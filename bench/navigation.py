# ruff: noqa: T201 - a bench prints
"""Speed of navigation on this machine, against plain ways to do the same. Run: python bench/navigation.py [HOUSE]

Baselines: Dijkstra of scipy.sparse.csgraph on the same costs for the path; a distance transform of the whole map at
every scan for the costmap. The simulated robot gives the scans.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import cross_section, rasterize
from dadu.navigation.controller import Controller
from dadu.navigation.costmap import Costmap
from dadu.navigation.localisation.localiser import Localiser
from dadu.navigation.path_planner import plan_path
from dadu.navigation.route import Leg
from dadu.navigation.standing.base_placement import place_base
from dadu.robots import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import CameraSettings, SimulationSettings
from dadu.skills.scene import Scene


def milliseconds(run: Callable[[], object], repeat: int = 20) -> float:
    """Median of `repeat` calls [ms]."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times))


def csgraph_path(costmap: Costmap, start, goal) -> float:
    """Cost of the cheapest way over 8 neighbours [cells], its graph built each time as the costs change."""
    costs = costmap.costs().ravel()
    rows, cols = costmap.map.shape
    index = np.arange(rows * cols).reshape(rows, cols)
    edges = []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = index[:rows - dr, max(0, -dc):cols - max(0, dc)].ravel()
        b = index[dr:, max(0, dc):cols + min(0, dc)].ravel()
        weight = np.hypot(dr, dc) * (costs[a] + costs[b]) / 2
        free = np.isfinite(weight)
        edges.append((a[free], b[free], weight[free]))
    a, b, weight = (np.concatenate(column) for column in zip(*edges))
    graph = coo_array((weight, (a, b)), shape=(rows * cols, rows * cols)).tocsr()
    source, target = (np.ravel_multi_index(costmap.map.cells(p), costmap.map.shape) for p in (start, goal))
    return float(dijkstra(graph, directed=False, indices=source)[target])


def path_cost(costmap: Costmap, path: np.ndarray) -> float:
    """Cost of a path (N, 2) [cells]."""
    cells = costmap.map.cells((path[1:] + path[:-1]) / 2)
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=1) / costmap.map.resolution
    return float(costmap.costs()[cells[:, 0], cells[:, 1]] @ lengths)


def main(name: str = "flat") -> None:
    """Prints a line for each measurement."""
    house, robot = load_house(name), load_robot("stretch")
    sim = Simulation(house, robot, settings=SimulationSettings(camera=CameraSettings(rate=0)))
    seen = sim.robot.observe()
    scene = Scene(graph=build_graph(house, known="all"), map=rasterize(house))
    costmap = Costmap(scene.map, robot)
    start = seen.base_pose
    goal = place_base(scene, robot, scene.graph.entities["fridge_0"].id, "open", start=start)
    assert isinstance(goal, Pose2)

    path = plan_path(costmap, start[:2], goal[:2])
    print(f"map {costmap.map.shape}, path of {np.linalg.norm(np.diff(path, axis=0), axis=1).sum():.1f} m")
    print(f"plan: {milliseconds(lambda: plan_path(costmap, start[:2], goal[:2])):.1f} ms, "
          f"cost {path_cost(costmap, path):.0f}")
    print(f"  csgraph's Dijkstra: {milliseconds(lambda: csgraph_path(costmap, start[:2], goal[:2]), 5):.1f} ms, "
          f"cost {csgraph_path(costmap, start[:2], goal[:2]):.0f} on the grid's 8 directions")

    stamps = iter(range(10**6))

    def update() -> None:
        t = float(next(stamps))
        scan = seen.scan.__class__(**{**vars(seen.scan), "stamp": t})
        costmap.update(Observation(t, start, scan=scan))

    print(f"costmap with one scan: {milliseconds(update):.1f} ms")
    print(f"  transform of the whole map: {milliseconds(lambda: costmap._transform(costmap.blocked)):.1f} ms "
          "without taking in the scan")

    controller = Controller(robot, costmap)
    controller.begin(Leg(path, goal.yaw))
    print(f"control: {milliseconds(lambda: controller.step(start, 0.05)):.2f} ms")

    localiser = Localiser(cross_section(house, 0.166), start, filled=True)
    localiser.update(Pose2(0.0, 0.0, 0.0), seen.scan)
    odometry = (Pose2(0.01 * i, 0.0, 0.0) for i in range(1, 10**6))
    print(f"localisation with one scan: {milliseconds(lambda: localiser.update(next(odometry), seen.scan)):.1f} ms")
    placing = milliseconds(lambda: place_base(scene, robot, 'apple_0', 'pick', start=start), 5)
    print(f"choosing where to stand: {placing:.0f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])

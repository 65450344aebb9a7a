# ruff: noqa: T201 - a bench prints
"""Generates homes, compiles them, lets things settle, tells every fault. Run: python bench/homes.py [FIRST [LAST]]"""

from __future__ import annotations

import sys
import time
from collections import Counter

import numpy as np

from dadu.core.errors import DaduError
from dadu.homes.check import faults
from dadu.homes.home import ROOMS, generate_home
from dadu.robots import load_robot


def main(first: str = "0", last: str = "999", robot: str = "stretch") -> None:
    """Seeds `first` to `last`, each with another number of rooms; CPU seconds, not wall seconds."""
    body, failed = load_robot(robot), Counter()
    seconds: dict[int, list[float]] = {}
    for seed in range(int(first), int(last) + 1):
        rooms = ROOMS[0] + seed % (ROOMS[1] - ROOMS[0] + 1)
        start = time.process_time()
        try:
            house = generate_home(seed, rooms, robot=robot)
            seconds.setdefault(rooms, []).append(time.process_time() - start)
            found = faults(house, body)
        except DaduError as error:
            found = [str(error)]
        failed[bool(found)] += 1
        print(f"seed {seed}, {rooms} rooms: {'; '.join(found) or 'sound'}", flush=True)
    print(f"{failed[False]} sound, {failed[True]} not")
    for rooms, times in sorted(seconds.items()):
        print(f"{rooms:3} rooms: median {np.median(times):.2f} s, worst {max(times):.2f} s of CPU")


if __name__ == "__main__":
    main(*sys.argv[1:])

# ruff: noqa: T201 - a bench prints
"""``python bench/flat_things.py [--eyes learned]``: flat things taken from a table and a worktop, in contact physics.

One thing in the studio at a time, driven to and picked, at most twice; held or not is the simulator's word. The pose is
estimated, the layout and the thing are told, and the eyes are the simulator's instances (privileged) or learned.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import yaml

from dadu.house.files import load_house
from dadu.house.format import House
from dadu.skills.call import SkillCall
from dadu.stacks.stack import SensorConfig, Stack

STUDIO = Path(__file__).parents[1] / "test" / "integration" / "studio.house.yaml"
KINDS = ("credit_card", "pen", "pencil", "marker", "calculator", "envelope", "cellphone", "video_game_cartridge",
         "scissors", "wrench", "keychain", "toothbrush", "fork", "knife", "butter_knife", "spoon")
EYES = {"instances": SensorConfig(perception="ground_truth", privilege="instances"),
        "learned": SensorConfig(perception="learned")}


def main() -> None:
    """Prints a line for each thing, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--eyes", choices=sorted(EYES), default="instances")
    eyes = EYES[parser.parse_args().eyes]
    for piece in ("dining_table_0", "counter_0"):
        taken = [_taken(_house(kind, piece, i), f"{kind}_0", piece, eyes) for i, kind in enumerate(KINDS)]
        print(f"{piece}: {sum(taken)} of {len(taken)} taken ({eyes.privilege_report('all', mapped=True).line})")


def _house(kind: str, piece: str, seed: int) -> House:
    """With one thing, anywhere about the middle of a piece of furniture."""
    rng, told = np.random.default_rng(seed), yaml.safe_load(STUDIO.read_text())
    at = [round(float(rng.uniform(*span)), 3) for span in ((-0.05, 0.1), (-0.2, 0.2))]
    told["objects"] = [{"name": f"{kind}_0", "category": kind, "on": piece, "at": at,
                        "yaw": round(float(rng.uniform(-3, 3)), 2)}]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "flat.house.yaml"
        file.write_text(yaml.safe_dump(told))
        return load_house(file)


def _taken(house: House, thing: str, piece: str, eyes: SensorConfig) -> bool:
    stack = Stack(house, known="all", eyes=eyes)
    for skill in 2 * ("go_to", "pick"):
        ended = stack.execute(SkillCall(skill, (thing,)), "pick")
        if skill == "go_to" and not ended.ok or skill == "pick" and ended.ok:
            break
    held = stack.simulation.ground_truth().bodies[thing].held
    print(f"{piece:15} {thing:24} {'taken' if held else '-':6} {stack.now():5.0f} s  {ended.detail}", flush=True)
    stack.close()
    return held


if __name__ == "__main__":
    main()

"""A memory whose process is killed at any moment loses nothing older than a second."""

import multiprocessing
import os
import signal
import time

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.memory import Memory
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Relation

PRIOR = build_graph(load_house("flat"), known="all")
MUG = PRIOR["mug_0"]
DONE = SkillResult(Code.SUCCEEDED, "")


def frame(stamp):
    """The mug where it always was, and nothing else to be told."""
    seen = Detection("mug", 1.0, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array(MUG.position),
                     np.array(MUG.size))
    return DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (seen,))


def remember(path, told):
    """Sees the mug all the time, carries the bowl now and then, says what it has taken in."""
    memory = Memory(PRIOR, path)
    for i in range(10**6):
        now = time.monotonic()
        memory.see(frame(now), Pose2(6.4, 3.9, 0.0))
        if i % 7 == 3:
            memory.learn(SkillCall("pick", ("bowl_0",)), DONE, now)
        if i % 7 == 5:
            memory.learn(SkillCall("place", ("on", ("sofa_0", "bed_0")[i % 2])), DONE, now)
        held = memory.graph.held()
        told.send((now, held.id if held else memory.graph.support("bowl_0").object))
        time.sleep(0.02)


@pytest.mark.parametrize("seed", range(10))
def test_nothing_older_than_a_second_is_lost(tmp_path, seed):
    rng = np.random.default_rng(seed)
    hear, tell = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=remember, args=(tmp_path / "memory.sqlite", tell))
    child.start()
    tell.close()
    heard = [hear.recv()]
    time.sleep(float(rng.uniform(0.0, 1.5)))
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    while hear.poll():
        try:
            heard.append(hear.recv())
        except EOFError:
            break
    memory = Memory(PRIOR, tmp_path / "memory.sqlite")
    assert memory.restored and not memory.notice
    last, bowl = heard[-1]
    assert memory.graph["mug_0"].stamp > last - 0.8 or last - heard[0][0] < 0.6, "reconfirmations too"
    support = memory.graph.support("bowl_0")
    now = "bowl_0" if support.relation is Relation.HELD_BY else support.object
    # An outcome is written before it is told; one more may have been written and not told.
    following = {"bowl_0": {"sofa_0", "bed_0"}}.get(bowl, {"bowl_0"})
    assert now == bowl or now in following
    memory.close()

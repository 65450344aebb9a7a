"""A recording of an episode under physics, as a run over the ROS graph leaves one."""

from __future__ import annotations

import shutil
from pathlib import Path

from dadu.bringup.run_directory import ARGUMENTS, REPORT_FILE
from dadu.core.config import save
from dadu.eval.episode.backends import Physical, SystemUnderTest
from dadu.eval.options import EvalOptions
from dadu.operator.bags.bag import next_bag
from dadu.replay.recording import EpisodeRecorder, StackRecorder
from dadu.tasks.prepare import Prepared

JPEG = 90
"""quality of colours: exact ones take ten times as much"""


def recording(backend: SystemUnderTest, prepared: Prepared, options: EvalOptions) -> StackRecorder | None:
    """One begun in a folder of the episode's own under ``options.bags``; None where none is wanted, or there is no
    physics."""
    if not options.bags or not isinstance(backend, Physical):
        return None
    episode, stack = prepared.episode, backend.stack
    folder = Path(options.bags) / f"{episode.id}@{prepared.seed}"
    shutil.rmtree(folder, ignore_errors=True)  # of an episode that was broken off
    folder.mkdir(parents=True)
    (folder / ARGUMENTS).write_text(f"robot: {episode.robot}\nknown: {episode.known}\n")
    save(options.privileges_for(episode.known), folder / REPORT_FILE)
    return StackRecorder(EpisodeRecorder(next_bag(folder), stack.description.tool_link, JPEG), stack,
                         episode.instruction)

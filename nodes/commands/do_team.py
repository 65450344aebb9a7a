"""``dadu do --team``: gives one instruction to all robots of a team: one ``dadu do`` each, whose lines are shown."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import uuid
from threading import Thread

import rclpy
from dadu_nodes.commands.joining import interruptible, join
from dadu_nodes.support.wall import LATE

from dadu.core.errors import DaduError
from dadu.core.python_process import run_main


def do_team(instruction: str, *, max_steps: int = 0, max_seconds: float = 0.0, wait: float = 30.0) -> int:
    """Exit status: that of the robot that came nearest to the goal; as `dadu_nodes.commands.do.do`, whose `wait` [s,
    wall] it has. Errors: DaduError where there are no two robots."""
    robots, task = _robots(wait), uuid.uuid4().hex[:8]
    words = [f"--max-steps={max_steps}", f"--max-seconds={max_seconds}", f"--wait={wait}", f"--team-task={task}"]
    started = {robot: subprocess.Popen(run_main("dadu.cli", "do", *words, f"--namespace={robot}", "--", instruction),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True, start_new_session=True) for robot in robots}
    shown = [Thread(target=_show, args=item) for item in started.items()]
    for thread in shown:
        thread.start()
    try:
        with interruptible():
            ended = [process.wait() for process in started.values()]
    except KeyboardInterrupt:
        for process in started.values():
            process.send_signal(signal.SIGINT)
        ended = [process.wait() for process in started.values()]
    for thread in shown:
        thread.join()
    return min(ended)


def _show(robot: str, process: subprocess.Popen[str]) -> None:
    for line in process.stdout or ():
        sys.stdout.write(f"{robot}  {line}")
        sys.stdout.flush()


def _robots(wait: float) -> list[str]:
    """Their namespaces. Errors: DaduError."""
    join()
    node = rclpy.create_node("dadu_do_team")
    try:
        found: list[str] = []
        begun = changed = time.monotonic()
        while time.monotonic() < (changed + LATE if len(found) > 1 else begun + wait):
            now = sorted({space.strip("/") for name, space in node.get_node_names_and_namespaces()
                          if name == "planner" and space != "/"})
            changed, found = (time.monotonic(), now) if now != found else (changed, found)
            time.sleep(0.1)
    finally:
        node.destroy_node()
        rclpy.try_shutdown()
    if len(found) < 2:
        raise DaduError("there is no team; start one first: dadu up robots:=stretch,stretch team:=decentral")
    return found

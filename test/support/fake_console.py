"""What stands behind the console's page in tests: a flat, a task, a picture, and a memory of what was asked."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import uvicorn

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.operator.console.app import make_app
from dadu.operator.console.live_plan import LivePlan
from dadu.operator.console.sight import outside_view, sight_view
from dadu.operator.console.state import ConsoleState, Notice, StepView, TaskView
from dadu.operator.console.views import thing_views
from dadu.operator.run.pictures import encode_jpeg
from dadu.world.detection import Detection, DetectionFrame

PRIVILEGE_REPORT = "eyes: simulator's instances (privileged); pose: estimated; told: map, layout"
STEPS = [StepView(number=1, call="go_to(fridge_0)", reasoning="to see", started=2.0, outcome="EXECUTION_FAILED",
                  ok=False, detail="path_blocked", message="a <b>chair</b> is in the way", elapsed=4.0),
         StepView(number=2, call="pick(milk_0)", reasoning="milk_0 is in reach", started=8.0)]


class FakeConsole:
    """Operations that remember what was asked. Set what is to be shown."""

    def __init__(self) -> None:
        house = load_house("flat")
        self.asked: list[object] = []
        self.live, self.graph = LivePlan(house.doors), build_graph(house, "all")
        self.live.update(self.graph)
        self.operator, self.held, self.now = "autonomy", "", 10.0
        self.task, self.notice, self.troubles = TaskView(), Notice(), []
        self.silent, self.simulated = False, True
        self.looks: list[str] = []
        """whose picture was asked for, each time"""

    def view(self) -> ConsoleState:
        while self.silent:
            time.sleep(0.05)
        route = [self.live.point(*at) for at in ((5.0, 1.8), (2.0, 1.5))] if self.task.status == "running" else []
        return ConsoleState(
            stamp=self.now, operator=self.operator, reason="", pose=self.live.pose(Pose2(6.0, 4.0, 0.0)), trail=[],
            route=route, task=self.task, things=thing_views(self.graph, self.live), held=self.held,
            ledger=PRIVILEGE_REPORT, troubles=self.troubles, notice=self.notice, outside=self.simulated,
            revision=self.live.revision)

    def plan(self) -> str:
        return self.live.svg()

    def outside(self, after):
        self.looks.append("outside")
        rgb = np.full((360, 480, 3), (200, 30, 30), np.uint8)
        return None if after == self.now else outside_view(self.now, encode_jpeg(rgb))

    def sight(self, after):
        self.looks.append("robot")
        if after == self.now:
            return None
        milk = self.graph["milk_0"]
        seen = Detection(milk.category, 0.9, (300, 100, 100, 200), 500, np.zeros((1, 3), np.float32),
                         np.array(milk.position), np.array(milk.size))
        frame = DetectionFrame(self.now, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (seen,),
                               "learned")
        return sight_view(self.now, np.full((480, 640, 3), 90, np.uint8), 3, frame, self.graph)

    def picture(self, id):
        return b"JPEG" if id == "milk_0" else b""

    def instruct(self, text):
        self.asked.append(text)

    def answer(self, text):
        self.asked.append(f"ANSWER {text}")

    def cancel(self):
        self.asked.append("CANCEL")

    def e_stop(self, pressed):
        self.asked.append(pressed)
        self.operator = "stopped" if pressed else "autonomy"

    def drive(self, wanted):
        self.asked.append((time.monotonic(), wanted.forward, wanted.turn))

    def release(self):
        self.asked.append("RELEASE")

    def correct(self, correction):
        self.asked.append(correction)


@contextmanager
def served(fake: FakeConsole) -> Iterator[str]:
    """Base address of the page."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(fake), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    fake.silent = False
    server.should_exit = True
    thread.join(100)

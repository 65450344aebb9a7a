"""The whole graph, as ``dadu up`` starts it, and a client that gives it tasks. Unless told otherwise it sees by the
simulator's instances: what is tried is the graph."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

import psutil
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import GroundTruth
from dadu_interfaces.srv import SimDisturb
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient

from dadu.bringup.naming import ros_words
from dadu.goals.monitor import evaluate
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.robots.loader import load_settings
from dadu.robots.starts import robot_names
from dadu.world.from_message import world_state
from dadu.world.state import TrueWorld

UP = (sys.executable, "-m", "dadu.cli", "up")


class RunningGraph:
    """``dadu up`` as a process, or `command`; `stop` interrupts it as Ctrl-C does."""

    def __init__(self, house, run_dir, domain, command=UP, **arguments):
        words = [f"{k}:={v}" for k, v in {
            "house": house, "run_dir": run_dir, "rtf": 0, "seed": -1, "console": "false",
            "perception": "ground_truth", **arguments}.items()]
        robots = arguments.get("robots", "")
        self._namespaces = robot_names(1 + robots.count(",")) if robots else [arguments.get("namespace", "")]
        self.environment = {**os.environ, "ROS_DOMAIN_ID": domain}
        self.log = (run_dir / "up.log").open("w")
        self.process = subprocess.Popen([*command, *words], env=self.environment,
                                        stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        navigation = "nav2_adapter" if arguments.get("navigation") == "nav2" else "navigation"
        body = "sim_bridge" if arguments.get("sim") != "false" else load_settings(arguments["robot"])[0].adapter
        self.nodes = [*([] if robots else [body]), "perception", "memory", navigation, "grasp", "place", "planner",
                      "override"]

    def until_ready(self):
        """Waits until all nodes have said so. Errors: CalledProcessError, TimeoutExpired."""
        ready = [sys.executable, "-m", "dadu_nodes.commands.ready", *self.nodes]
        for namespace in self._namespaces:
            words = ["--ros-args", *ros_words(namespace, {})]
            subprocess.run([*ready, *words], env=self.environment, check=True, timeout=300)

    def children(self):
        """The node processes by name."""
        found = {}
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # one that has just died
                words = child.cmdline()
                found.update({name: child for name in self.nodes if any(f"dadu_nodes.{name} " in w for w in words)})
        return found

    def kill(self, *names):
        """SIGKILL, as the kernel would when memory runs out."""
        children = self.children()
        for name in names:
            children[name].kill()

    def stop(self):
        """Returns the exit status, and those of its processes that are still there."""
        children = list(self.children().values())
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(timeout=100)
        finally:
            self.log.close()
        return status, psutil.wait_procs(children, timeout=100.0)[1]


class Client:
    """Gives the graph in `namespace` tasks, watches them, and knows the truth, which is told in namespace `judge`; the
    `world` is disturbed there, too, unless it is in one of its own."""

    def __init__(self, graph, house, namespace="", judge=None, world=None):
        judge = namespace if judge is None else judge
        world = judge if world is None else world
        self.graph, self.steps, self._task = graph, [], None
        self._layout = build_graph(load_house(house))
        self._truth = graph.collect(GroundTruth, f"{judge}/sim/ground_truth", qos.STATE)
        self._tasks = ActionClient(graph.node, ExecuteTask, f"{namespace}/execute_task")
        self._disturb = graph.node.create_client(SimDisturb, f"{world}/sim/disturb")
        graph.until(lambda: self._truth and self._tasks.server_is_ready() and self._disturb.service_is_ready())

    def begin(self, instruction):
        """Sends an instruction; its steps fill `steps`."""
        self.steps = steps = []
        sent = self._tasks.send_goal_async(ExecuteTask.Goal(instruction=instruction),
                                           feedback_callback=lambda m: steps.append(m.feedback.step))
        self.graph.until(sent.done)
        assert sent.result().accepted
        self._task = sent.result()
        return self._task

    def end(self, handle, timeout=500.0):
        """Waits for the task's result."""
        ended = handle.get_result_async()
        self.graph.until(ended.done, timeout)
        self._task = None
        self.graph.spin(0.3)
        return ended.result()

    def close(self):
        """Cancels what a failed test left under way, so that the next one finds a planner that is free."""
        if self._task is not None:
            self._task.cancel_goal_async()
            self.end(self._task)

    def do(self, instruction):
        return self.end(self.begin(instruction)).result

    def until_step(self, skill, timeout=500.0):
        """Waits until a step of that skill has been under way for a moment."""
        self.graph.until(lambda: any(s.call.skill == skill and not s.finished for s in self.steps), timeout)
        start = self.now
        self.graph.until(lambda: self.now > start + 1.5)

    def outcomes(self, skill):
        """Codes of the finished steps of a skill."""
        return [s.outcome.code for s in self.steps if s.finished and s.call.skill == skill]

    def disturb(self, kind, object="", target="", position=(0.0, 0.0, 0.0)):
        request = SimDisturb.Request(kind=kind, object=object, target=target)
        request.position.x, request.position.y, request.position.z = position
        done = self._disturb.call_async(request)
        self.graph.until(done.done)
        assert done.result().success, done.result().message

    @property
    def truth(self):
        return world_state(self._truth[-1])

    @property
    def now(self):
        """[s], simulated"""
        return self.truth.stamp

    def holds(self, **proposition):
        """True if ground truth of this moment confirms ``predicate=[[...], [...]]``."""
        self.until_told()
        world = TrueWorld(self._layout, self.truth)
        return evaluate(parse_goal({"propositions": [proposition]}, "test", world.names), [world]).success

    def until_told(self):
        """Waits for a truth that is younger than what was heard so far, however busy the machine is."""
        start = self.now
        self.graph.until(lambda: self.now > start + 0.3)

    def until_at_rest(self):
        """Waits until the base does not move any more."""
        self.graph.until(lambda: self.stands_still(0.0))

    def stands_still(self, wait=1.0):
        """True if the base, `wait` [s] from now, does not move any more."""
        start = self.now
        self.graph.until(lambda: self.now > start + wait)
        first = self.truth.robot
        self.graph.until(lambda: self.now > start + wait + 1.0)
        second = self.truth.robot
        return abs(first.x - second.x) + abs(first.y - second.y) < 0.01 and abs(first.yaw - second.yaw) < 0.02

    def elsewhere(self):
        """The room where the robot is not."""
        return "hall" if self.truth.robot.x < 4.0 else "kitchen"

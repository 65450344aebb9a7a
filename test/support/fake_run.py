"""A made-up run with everything a real one leaves behind: bag, resources, run.yaml. Needs the built interfaces."""

import json
import math

import cv2
import numpy as np
from ament_index_python.packages import get_package_share_directory
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from dadu.core.geometry import Pose2, quaternion, rotation_z
from dadu.house.files import load_house
from dadu.house.placement import place_objects
from dadu.operator.bags.bag import BagWriter
from dadu.operator.bags.definitions import load_definition
from dadu.operator.run.run_info import RunInfo, write_run_info

TYPES = {"/clock": "rosgraph_msgs/msg/Clock", "/plan_trace": "dadu_interfaces/msg/PlanStep",
         "/skill_results": "dadu_interfaces/msg/SkillRecord", "/sim/ground_truth": "dadu_interfaces/msg/GroundTruth",
         "/joint_states": "sensor_msgs/msg/JointState",
         "/camera/color/image_raw/compressed": "sensor_msgs/msg/CompressedImage",
         "/perception/detections": "dadu_interfaces/msg/DetectionArray", "/operator/state":
         "dadu_interfaces/msg/OperatorState", "/diagnostics": "diagnostic_msgs/msg/DiagnosticArray"}
GOAL = {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}, {"is_closed": [["fridge_0"]]}],
        "dependencies": [{"propositions": [1], "depends_on": [0], "relation": "after_satisfied"}],
        "constraints": [{"temporal": [[0, 1]]}]}
STEPS = [
    (["go_to", "fridge_0"], 0, 24.0, "The milk is most likely in the fridge.", (1.25, 2.0, 1.57)),
    (["open", "fridge_0"], 0, 21.5, "fridge_0 is closed; it must be open to reach what is inside.", (1.22, 1.75, 1.57)),
    (["pick", "milk_0"], 40, 14.0, "I see milk_0 on a board of the fridge.", (1.22, 1.9, 1.57)),
    (["pick", "milk_0"], 0, 16.2, "The carton slipped; it is still in the fridge, so I try again.", (1.22, 1.9, 1.57)),
    (["go_to", "dining_table_0"], 0, 31.0, "I hold milk_0; it belongs on the dining table.", (7.2, 1.9, 0.0)),
    (["place", "on", "dining_table_0"], 0, 12.4, "I stand at the table with the milk in my hand.", (7.2, 1.9, 0.0)),
    (["go_to", "fridge_0"], 0, 30.1, "The fridge is still open.", (1.25, 2.0, 1.57)),
    (["close", "fridge_0"], 0, 13.0, "Nothing more is needed from it.", (1.25, 2.0, 1.57)),
    (["done"], 0, 0.1, "Everything that was asked holds.", (1.25, 2.0, 1.57)),
]
START = (6.4, 3.9, 0.0)
RATE = 2
"""[Hz] of clock, truth and joints"""
VIA = [(5.0, 4.3), (4.4, 2.4), (3.4, 1.8)]


class Types:
    """Message classes by name, from the installed descriptions."""

    def __init__(self):
        self.definitions = {name: load_definition(name, get_package_share_directory) for name in TYPES.values()}
        self.store = get_typestore(Stores.EMPTY)
        for name, definition in self.definitions.items():
            self.store.register(get_types_from_msg(definition.text, name))

    def __call__(self, name, /, **fields):
        """A message; fields left out are zero or empty."""
        package, leaf = name.split("/")
        cls = self.store.types[f"{package}/msg/{leaf}"]
        left_out = {n: self._default(desc) for n, desc in self.store.fielddefs[cls.__msgtype__][1] if n not in fields}
        return cls(**left_out, **fields)

    def _default(self, desc):
        kind, detail = int(desc[0]), desc[1]
        if kind == 1:
            return {"string": "", "bool": False}.get(detail[0], 0)
        if kind == 2:
            return self(detail.replace("/msg/", "/"))
        if kind == 3:
            return np.zeros(detail[1], detail[0][1][0])
        numeric = int(detail[0][0]) == 1 and detail[0][1][0] != "string"
        return np.zeros(0, detail[0][1][0]) if numeric else []


def make_run(run_dir, success=True):
    """Writes the run and returns how long it took [simulated s]."""
    types, house = Types(), load_house("flat")
    bag = BagWriter(run_dir / "bag")
    connections = {topic: bag.add(topic, types.definitions[name]) for topic, name in TYPES.items()}

    def put(topic, t, message):
        bag.write(connections[topic], int((1.7e9 + 20 + t / 2.5) * 1e9),
                  bytes(types.store.serialize_cdr(message, message.__msgtype__)))

    def stamp(t):
        return types("builtin_interfaces/Time", sec=int(t), nanosec=int(t % 1 * 1e9))

    def header(t):
        return types("std_msgs/Header", stamp=stamp(t), frame_id="map")

    world = _World(types, house, success)
    put("/operator/state", 0.0, types("dadu_interfaces/OperatorState", header=header(0.0), reason="start"))
    t, here = 3.0, START
    for number, (call, code, duration, reasoning, there) in enumerate(STEPS, 1):
        message = types("dadu_interfaces/SkillCall", skill=call[0], arguments=call[1:])
        plan = [types("dadu_interfaces/SkillCall", skill=c[0], arguments=c[1:]) for c, *_ in STEPS[number - 1:]]
        outcome = types("dadu_interfaces/Outcome", code=code, detail="grasp_slipped" if code else "",
                        message="milk_0 slipped from the fingers; it stands where it was." if code else "Verified.")
        step = dict(header=header(t), task_id="t1", step=number, policy="symbolic", reasoning=reasoning, call=message,
                    instruction="take the milk out of the fridge, put it on the dining table and close the fridge",
                    plan=plan, goal=json.dumps(GOAL),
                    planning_time=types("builtin_interfaces/Duration", nanosec=4_200_000))
        put("/plan_trace", t, types("dadu_interfaces/PlanStep", **step))
        for i in range(int(duration * RATE)):
            _tick(types, put, header, world, t + i / RATE, _along(here, there, i / (duration * RATE)), number)
        put("/skill_results", t + duration, types("dadu_interfaces/SkillRecord", start=stamp(t),
                                                  end=stamp(t + duration), task_id="t1", step=number, call=message,
                                                  outcome=outcome))
        step["header"] = header(t + duration)
        put("/plan_trace", t + duration, types("dadu_interfaces/PlanStep", **step, finished=True, outcome=outcome))
        t, here = t + duration + 0.1, there
    _tick(types, put, header, world, t, here, len(STEPS) + 1)
    put("/diagnostics", t, _diagnostics(types, header(t)))
    bag.close()
    _write_files(run_dir, t)
    return t


def _tick(types, put, header, world, t, pose, step):
    """What is published all the time."""
    put("/clock", t, types("rosgraph_msgs/Clock", clock=header(t).stamp))
    put("/sim/ground_truth", t, world.message(header(t), pose, step))
    put("/joint_states", t, types("sensor_msgs/JointState", header=header(t), position=np.array([0.4, 0.05]),
                                  name=["joint_lift", "joint_gripper_finger_left"]))
    if round(t * RATE) % (2 * RATE) == 0:
        put("/camera/color/image_raw/compressed", t, types(
            "sensor_msgs/CompressedImage", header=header(t), format="rgb8; jpeg compressed bgr8",
            data=np.frombuffer(_picture(step), np.uint8)))
        # Mounted on its side: the picture's right side is the way to the floor.
        R = rotation_z(pose[2]) @ np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], float)
        q = types("geometry_msgs/Quaternion", **dict(zip("xyzw", quaternion(R))))
        put("/perception/detections", t, types("dadu_interfaces/DetectionArray", header=header(t),
                                               camera=types("geometry_msgs/Pose", orientation=q)))


class _World:
    """Milk moves with the story; everything else stays."""

    def __init__(self, types, house, success):
        self.types, self.success = types, success
        self.placements = place_objects(house)
        self.still = {name: self._body(name, p, START, 0) for name, p in self.placements.items() if name != "milk_0"}

    def message(self, header, pose, step):
        t, still = self.types, self.still
        return t("dadu_interfaces/GroundTruth", header=header, house="flat",
                 robot=t("geometry_msgs/Pose2D", x=pose[0], y=pose[1], theta=pose[2]),
                 objects=[still.get(name) or self._body(name, p, pose, step) for name, p in self.placements.items()],
                 part_names=["fridge_0/door"],
                 part_values=np.array([1.4 if 2 < step <= (8 if self.success else 99) else 0.0]))

    def _body(self, name, placement, pose, step):
        t = self.types
        x, y, z = placement.position
        size = placement.model.size
        held = name == "milk_0" and step == 5
        if held:
            x, y, z = *Pose2(*pose).apply([[0.0, -0.5]])[0], 1.0
        elif name == "milk_0" and step > 5:
            x, y, z = 7.6, 1.2, 0.75 + size[2] / 2
        p = t("geometry_msgs/Pose", position=t("geometry_msgs/Point", x=float(x), y=float(y), z=float(z)),
              orientation=t("geometry_msgs/Quaternion", w=1.0))
        return t("dadu_interfaces/BodyState", name=name, category=placement.thing.category, pose=p, held=held,
                 size=t("geometry_msgs/Vector3", x=size[0], y=size[1], z=size[2]))


def _picture(step):
    """480 x 640 upright, stored turned by 90 degrees."""
    up = np.full((640, 480, 3), (214, 205, 190), np.uint8)
    up[400:] = (150, 120, 90)
    cv2.rectangle(up, (120, 150), (330, 480), (230, 230, 235), -1)
    cv2.putText(up, f"step {step}", (150, 300), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (40, 60, 90), 3)
    return cv2.imencode(".jpg", np.rot90(up, 1)[..., ::-1])[1].tobytes()


def _along(a, b, share):
    """From pose to pose, through the doors where it is far."""
    if math.dist(a[:2], b[:2]) < 1.0:
        return tuple(p + (q - p) * share for p, q in zip(a, b))
    via = VIA if b[0] < 3 else VIA[::-1]
    via = via if a == START or b[0] > 3 else [(5.2, 1.8), (4.4, 1.8), (3.4, 1.8)]
    via = via if b[0] < 3 else [(3.4, 1.8), (4.4, 1.8), (5.2, 1.8)]
    points = np.array([a[:2], *via, b[:2]])
    s = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    at = min(1.0, share * 1.1) * s[-1]
    i = min(int(np.searchsorted(s, at, side="right")), len(points) - 1)
    d = points[i] - points[i - 1]
    return (float(np.interp(at, s, points[:, 0])), float(np.interp(at, s, points[:, 1])), math.atan2(d[1], d[0]))


def _diagnostics(types, header):
    def status(name, /, **values):
        pairs = [types("diagnostic_msgs/KeyValue", key=k.replace("__", "."), value=str(v)) for k, v in values.items()]
        return types("diagnostic_msgs/DiagnosticStatus", name=name, values=pairs)
    return types("diagnostic_msgs/DiagnosticArray", header=header, status=[
        status("sim_bridge", physics__count=81000, physics__seconds=21.2, physics__worst=0.004,
               render__count=810, render__seconds=17.4, render__worst=0.061),
        status("perception", detect__count=810, detect__seconds=6.1, detect__worst=0.031),
        status("navigation", plan__count=12, plan__seconds=0.4, plan__worst=0.06)])


def _write_files(run_dir, t):
    rng = np.random.default_rng(0)
    loads = {"sim_bridge": 0.75, "perception": 0.2, "navigation": 0.22, "memory": 0.05, "grasp": 0.08, "place": 0.07,
             "planner": 0.03, "override": 0.02, "recorder": 0.12, "console": 0.01}
    cpu = dict.fromkeys(loads, 0.5)
    lines = []
    for i in range(int(t / 2.5)):
        for name, load in loads.items():
            cpu[name] += max(0.0, load * rng.normal(1, 0.25))
        lines.append(json.dumps({"time": 1.7e9 + 20 + i, "nodes": {
            name: {"cpu": round(c, 2), "rss": int(7e7 + 2e6 * len(name)), "pid": 10, "starts": 1}
            for name, c in cpu.items()}}))
    (run_dir / "resources.jsonl").write_text("\n".join(lines) + "\n")
    (run_dir / "arguments.yaml").write_text("house: flat\nrobot: stretch\nplanner: symbolic\nrtf: 0.0\nseed: 3\n")
    write_run_info(run_dir, RunInfo(command="dadu demo --seed 3", started="2026-01-01T12:00:00", ready_seconds=8.3,
                                    goal=GOAL))

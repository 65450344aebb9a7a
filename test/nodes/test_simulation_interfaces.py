"""The bridge before a client that knows nothing of it, and the numbers of the standard."""

import json
import os
import subprocess
import sys
from pathlib import Path

from simulation_interfaces import msg, srv

from dadu.sim.control import codes

ROOT = Path(__file__).parents[2]


def numbers(kind):
    """Of a message's constants, by name."""
    return {name: getattr(kind, name) for name in dir(type(kind)) if name[0].isalpha() and name.isupper()}


def test_numbers_are_those_of_the_standard():
    assert {f"RESULT_{c.name}": c for c in codes.ResultCode} == numbers(msg.Result)
    assert {f"STATE_{s.name}": s for s in codes.RunState} == numbers(msg.SimulationState)
    assert {f"CATEGORY_{c.name}": c for c in codes.Category} == numbers(msg.EntityCategory)
    assert {f.name: f for f in codes.Feature}.items() <= numbers(msg.SimulatorFeatures).items()
    for ours, theirs in ((codes.SpawnCode, srv.SpawnEntity.Response), (codes.LoadCode, srv.LoadWorld.Response),
                         (codes.StateCode, srv.SetSimulationState.Response)):
        assert {code.name: code for code in ours}.items() <= numbers(theirs).items()
    assert {f"SCOPE_{s.name}": s for s in codes.Scope}.items() <= numbers(srv.ResetSimulation.Request).items()
    assert codes.INVALID_STATE_POSE == srv.SetEntityState.Response.INVALID_POSE


def test_the_bridge_keeps_what_it_claims(start_node, domain, tmp_path):
    start_node("sim_bridge", house="small_flat", seed=-1, rtf=4.0)
    found = tmp_path / "found.json"
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "sim_conformance"), "--json", str(found),
                           "--wait", "400", "--timeout", "300"],
                          env={**os.environ, "ROS_DOMAIN_ID": domain}, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(found.read_text())
    assert len(told["claimed"]) == len(codes.Feature)
    assert {f["result"] for f in told["found"]} == {"kept"}, done.stdout

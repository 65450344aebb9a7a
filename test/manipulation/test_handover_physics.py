"""handover by contact: held out in vain, then pulled out of the hand."""

import numpy as np

from dadu.core.geometry import Pose2
from dadu.manipulation.handover import handover
from dadu.manipulation.pick import pick
from dadu.sim.mujoco.scene.figure import stand
from dadu.skills.outcome import Code, Detail
from dadu.stacks.person import SimulatedPerson
from dadu.world.graph import ROBOT, Entity, Kind
from dadu.world.names import PERSON

from .bench import Bench

FREE = Pose2(4.4, 2.6, 0.0)
"""in the hall, the arm towards its southern end"""


def test_what_is_held_out_is_let_go_of_when_somebody_pulls_at_it():
    bench = Bench(person=True)
    bench.graph.put(Entity(PERSON, Kind.AGENT, PERSON))

    def hand_over(to=PERSON):
        return bench.run(handover(bench.robot, bench.scene, to))

    assert hand_over().code is Code.HAND_EMPTY
    lemon = bench.graph["lemon_0"].position
    bench.stand(lemon[:2], bench.graph["fruit_table"].yaw, 0.6)
    assert bench.run(pick(bench.robot, bench.scene, "lemon_0")).ok
    bench.carry_to(FREE, "lemon_0")
    assert hand_over(ROBOT).code is hand_over("sofa_0").code is Code.UNKNOWN_TARGET
    assert hand_over().code is Code.TOO_FAR

    beside = FREE * Pose2(0.05, -1.0, np.pi / 2)
    bench.graph.change(PERSON, position=(*beside[:2], 0.0))
    stand(bench.sim.model, bench.sim.data, beside)
    begun = bench.sim.time
    result = hand_over()
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.NOT_TAKEN), result
    assert bench.sim.time > begun + 10.0 and bench.sim.ground_truth().bodies["lemon_0"].held

    person = SimulatedPerson(bench.sim)
    bench.sim.inhabitant = person.advance
    result = hand_over()
    assert result.ok, result
    bench.advance(1.0)
    body = bench.sim.ground_truth().bodies["lemon_0"]
    assert body.holder == PERSON == person.agent.name and body.held
    assert np.linalg.norm(body.box.centre[:2] - np.array(person.pose[:2])) < 0.5 and body.box.centre[2] > 0.9
    bench.sim.close()

from dataclasses import dataclass

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation, Twist
from dadu.skills.generator import SkillRunner, run
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import WorldGraph


def drive_to(x):
    obs = yield Command()
    while obs.base_pose.x < x:
        obs = yield Command(base=Twist(vx=1.0))
    return SkillResult(Code.SUCCEEDED, "there")


@dataclass
class Cart:
    """A point that moves as told."""

    x: float = 0.0
    t: float = 0.0
    command: Command = Command()

    def observe(self):
        return Observation(self.t, Pose2(self.x, 0, 0))

    def act(self, command):
        self.command = command

    def advance(self, dt):
        self.t += dt
        self.x += dt * (self.command.base.vx if self.command.base else 0)


def test_runs_to_its_end_and_stops():
    cart = Cart()
    result = run(drive_to(1.0), cart, cart.advance)
    assert result.code is Code.SUCCEEDED and 1.0 <= cart.x < 1.1
    assert cart.command == Command.stop()


def test_deadline():
    cart = Cart()
    assert run(drive_to(100.0), cart, cart.advance, timeout=2.0).code is Code.TIMED_OUT
    assert cart.command == Command.stop()


def test_interrupt_closes_the_skill_and_stops():
    closed = []

    def forever():
        try:
            while True:
                yield Command(base=Twist(vx=1.0))
        finally:
            closed.append(True)

    runner = SkillRunner(forever())
    runner.tick(Cart().observe())
    runner.interrupt(Code.CANCELLED, "enough")
    assert runner.tick(Cart().observe()) == Command.stop()
    assert runner.result.code is Code.CANCELLED and closed
    assert runner.tick(Cart().observe()) is None


def test_a_thing_that_memory_drops_meanwhile_ends_the_skill_with_its_code():
    def skill():
        yield Command()
        WorldGraph()["apple_0"]

    runner = SkillRunner(skill())
    runner.tick(None)
    assert runner.tick(None) == Command.stop() and runner.result.code is Code.UNKNOWN_TARGET

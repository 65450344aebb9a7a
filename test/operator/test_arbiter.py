"""The arbiter's rules hold on every sequence of commands, presses and silences."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dadu.core.robot import Twist
from dadu.operator.arbiter import Arbiter, ArbiterSettings, Authority

SETTINGS = ArbiterSettings()
LIMITS = Twist(vx=0.3, wz=1.0)
any_float = st.floats(allow_nan=True, allow_infinity=True)
twists = st.builds(Twist, vx=any_float, wz=any_float, vy=any_float)
moderate = st.builds(Twist, vx=st.floats(-5, 5), wz=st.floats(-9, 9))


class Rules(RuleBasedStateMachine):
    """Model: pressed or not, and when a person last drove without having released."""

    def __init__(self) -> None:
        super().__init__()
        self.arbiter = Arbiter(LIMITS, SETTINGS)
        self.now = 0.0
        self.pressed = False
        self.driven: float | None = None
        self.output: Twist | None = None

    @rule(twist=twists)
    def autonomy(self, twist):
        self.output = self.arbiter.autonomy(twist)
        assert (self.output is None) == (self.pressed or self.driven is not None)

    @rule(twist=twists)
    def teleop(self, twist):
        self.output = self.arbiter.teleop(twist, self.now)
        if self.pressed:
            assert self.output == Twist()
        else:
            self.driven = self.now
            assert self.output == self.arbiter.limit(twist)

    @rule()
    def release(self):
        self.arbiter.release()
        self.driven = None

    @rule(pressed=st.booleans())
    def stop(self, pressed):
        self.arbiter.stop(pressed)
        self.pressed = pressed
        self.driven = None if pressed else self.driven

    @rule(seconds=st.sampled_from([0.1, 0.4, 0.5, 1.0, 2.0]))
    def wait(self, seconds):
        self.now += seconds
        self.output = self.arbiter.tick(self.now)
        if self.driven is not None and self.now - self.driven >= SETTINGS.hold:
            self.driven = None
            assert self.output == Twist(), "the base stops before it is handed back"
        elif self.driven is not None and self.now - self.driven >= SETTINGS.command_timeout:
            assert self.output == Twist(), "a stale command does not move the base"

    @invariant()
    def state_follows(self):
        expected = (Authority.STOPPED if self.pressed
                    else Authority.TELEOP if self.driven is not None else Authority.AUTONOMY)
        assert self.arbiter.state is expected

    @invariant()
    def within_limits(self):
        if self.output is not None:
            assert abs(self.output.vx) <= 0.3 + 1e-9 and abs(self.output.wz) <= 1.0 + 1e-9 and self.output.vy == 0


TestRules = Rules.TestCase
TestRules.settings = settings(stateful_step_count=30)


@given(moderate)
def test_limits_keep_the_radius_of_a_curve(twist):
    limited = Arbiter(LIMITS, SETTINGS).limit(twist)
    assert math.isclose(limited.vx * twist.wz, limited.wz * twist.vx, abs_tol=1e-9)


def test_the_stop_survives_a_restart():
    arbiter = Arbiter(LIMITS, stopped=True)
    assert arbiter.teleop(Twist(vx=0.1), 0.0) == Twist() and arbiter.autonomy(Twist(vx=0.1)) is None
    arbiter.stop(False)
    assert arbiter.state is Authority.AUTONOMY

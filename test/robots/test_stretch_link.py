"""Bringing Stretch's driver into a mode: whatever it does or leaves undone, every wait ends and is tried again."""

from dadu.robots.drivers.stretch_commands import Mode
from dadu.robots.drivers.stretch_link import DriverLink, LinkSettings, LinkStep

TICK = 0.05


class Life:
    """A driver that reports its joints and `mode`, as long as it is alive; `seen`: the steps asked for, with when."""

    def __init__(self, mode="position"):
        self.link, self.now, self.mode, self.alive, self.seen = DriverLink(), 0.0, mode, True, []

    def run(self, wanted, seconds):
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            if self.alive:
                self.link.joints_heard(self.now)
                self.link.mode_heard(self.mode, self.now)
            step = self.link.next(wanted, self.now)
            if step not in (LinkStep.GO, LinkStep.WAIT):
                self.seen.append((round(self.now, 2), step))
        return step


def test_a_goal_is_cancelled_and_its_end_awaited_before_the_mode_changes():
    life = Life()
    life.run(Mode.POSITION, 0.5)
    life.link.goal_began()
    assert life.run(Mode.NAVIGATION, 0.5) is LinkStep.WAIT
    assert [step for _, step in life.seen] == [LinkStep.CANCEL], "asked once"
    life.link.goal_ended()
    life.run(Mode.NAVIGATION, 0.1)
    assert life.seen[-1][1] is LinkStep.SWITCH
    life.mode = "navigation"
    life.link.answered(Mode.NAVIGATION, True, "", life.now)
    assert life.run(Mode.NAVIGATION, 0.1) is LinkStep.GO and not life.link.problem(life.now)


def test_a_goal_that_never_ends_does_not_hold_up_for_ever():
    life = Life()
    life.run(None, 0.5)
    life.link.goal_began()
    life.run(Mode.NAVIGATION, 3.0)
    assert [step for _, step in life.seen] == [LinkStep.CANCEL, LinkStep.SWITCH]


def test_no_answer_is_said_and_tried_again_after_ever_longer_pauses():
    life, settings = Life(), LinkSettings()
    life.run(Mode.NAVIGATION, 2.2)
    assert "does not answer" in life.link.problem(life.now)
    life.run(Mode.NAVIGATION, 60.0)
    times = [now for now, step in life.seen]
    gaps = [b - a for a, b in zip(times, times[1:])]
    assert gaps == sorted(gaps) and gaps[0] < gaps[1] and gaps[-1] <= settings.longest_pause + settings.switch + 0.2


def test_what_is_refused_is_passed_on_and_a_driver_that_returns_starts_anew():
    life = Life()
    life.run(Mode.NAVIGATION, 0.2)
    life.link.answered(Mode.NAVIGATION, False, "no base", life.now)
    assert "no base" in life.link.problem(life.now)
    life.alive = False
    life.run(Mode.NAVIGATION, 1.5)
    assert "silent" in life.link.problem(life.now) and life.link.mode == ""
    life.alive, life.seen = True, []
    life.run(Mode.NAVIGATION, 0.2)
    assert life.seen[0][1] is LinkStep.SWITCH and not life.link.problem(life.now)


def test_a_robot_in_its_own_hands_is_left_alone():
    for mode in ("runstopped", "homing", "stowing"):
        life = Life(mode)
        assert life.run(Mode.NAVIGATION, 5.0) is LinkStep.WAIT and life.seen == [] and life.link.problem(life.now)
    life = Life()
    life.link.homed_heard(False)
    assert life.run(Mode.NAVIGATION, 1.0) is LinkStep.WAIT and "home" in life.link.problem(life.now)

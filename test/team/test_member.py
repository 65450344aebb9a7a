"""Members of a team that hear each other late: no two go for one thing, who dies or is held up is replaced."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.core.errors import NotUsable
from dadu.house.files import load_house
from dadu.planner.settings import LoopSettings, PlannerSettings
from dadu.robots.loader import load_robot
from dadu.stacks.team import SECOND, TeamStack
from dadu.team.member import TeamAgent, TeamAgentPolicy
from dadu.team.messages import Act, TeamMessage
from dadu.team.settings import TeamSettings
from dadu.world.graph import ROBOT

WORDS = "put the milk on the dining table, the lemon on the desk and the soup can on the coffee table"
TEAM = {name: load_robot("stretch") for name in (ROBOT, SECOND)}


FLAT = load_house("flat")


class Apart(TeamStack):
    """The oracle's team, whose agents share nothing but messages, which take a while, and what they see."""

    def __init__(self, house, late=0.0, held_up=(0.0, 0.0)):
        self._posted: list[tuple[str, TeamMessage]] = []
        self.late, self._held_up, self.all_said = late, held_up, []
        super().__init__(house, TeamSettings(plan="decentral"))
        self.alone = {name: TeamAgent(name, TEAM, lambda name=name: self.members[name].now(), self._post)
                      for name in self.members}
        self.coordination = self

    def _coordination(self):
        return None

    def _post(self, message):
        self.all_said.append(message)
        self._posted += [(name, message) for name in TEAM if name != message.sender]

    def _planner(self, name, settings):
        planner = super()._planner(name, settings)
        policy = planner.policy._policy = TeamAgentPolicy(self.alone[name], planner.policy._policy._symbolic)
        self.members[name].policy = policy
        self.members[name].view.news = self.alone[name].news
        return planner

    def _tell(self, name):
        super()._tell(name)
        now = self.members[name].now()
        due = [(to, m) for to, m in self._posted if to == name and m.stamp + self.late <= now]
        self._posted = [posted for posted in self._posted if posted not in due]
        for _, message in due:
            self.alone[name].receive(message)
        begun, ended = self._held_up
        self.alone[name].beat("stopped" if name == SECOND and begun <= now < ended else "")

    def end(self, name, success, now):
        self.alone[name].end(name, success, now)

    def leave(self, name, now):
        """Nobody says it: the others find out."""


def do(stack):
    picks = []
    reports = stack.do(WORDS, PlannerSettings(), settings=LoopSettings(max_seconds=900), trace=lambda name, step: (
        picks.append((step.call.arguments[0], name))
        if step.result is not None and step.result.ok and step.call.skill == "pick" else None))
    held = {name: thing.support.holder for name, thing in stack.world.things.items()
            if name in ("milk_0", "lemon_0", "soup_can_0")}
    assert held == {"milk_0": "dining_table_0", "lemon_0": "desk_0", "soup_can_0": "coffee_table_0"}, reports.reports
    return picks


@settings(max_examples=6, deadline=None)
@given(st.floats(0.0, 3.0))
def test_no_two_go_for_one_thing_however_late_they_hear(late):
    stack = Apart(FLAT, late)
    picks = do(stack)
    assert sorted(thing for thing, _ in picks) == ["lemon_0", "milk_0", "soup_can_0"]
    assert {name for _, name in picks} == set(TEAM)


@pytest.mark.parametrize("at", [1.0, 15.0, 50.0])
def test_what_one_had_taken_who_dies_the_other_does(at):
    stack = Apart(FLAT, 0.5)
    stack.kill(SECOND, at)
    do(stack)


def test_who_is_stopped_for_a_while_is_replaced_and_comes_back():
    stack = Apart(FLAT, 0.5, held_up=(3.0, 60.0))
    do(stack)
    acts = [m.act for m in stack.all_said if m.sender == SECOND]
    assert Act.GONE in acts and Act.HERE in acts[acts.index(Act.GONE):]


def test_strangers_and_the_future_are_refused():
    member = TeamAgent(ROBOT, TEAM, lambda: 10.0, lambda message: None)
    for wrong in (TeamMessage(9.0, "stranger", Act.TAKE, "it"), TeamMessage(1e6, SECOND, Act.TAKE, "it")):
        with pytest.raises(NotUsable):
            member.receive(wrong)
    assert not member.news()


MESSAGES = st.builds(TeamMessage, st.floats(0.0, 12.0), st.just(SECOND), st.sampled_from(list(Act)),
                     st.sampled_from(["a", "b", ""]), st.sampled_from(["", ROBOT, "x"]))


@settings(max_examples=60, deadline=None)
@given(st.lists(MESSAGES, max_size=12, unique_by=lambda message: message.stamp), st.randoms())
def test_all_hear_the_same_in_whatever_order_it_comes(said, random):
    """Whose a job is does not depend on the way that messages took."""
    claims = []
    for _ in range(2):
        member = TeamAgent(ROBOT, TEAM, lambda: 10.0, lambda message: None)
        for message in random.sample(said, len(said)):
            if message.act is not Act.HERE:
                member.receive(message)
        member.catch_up()
        claims.append(member.begun())
    assert claims[0] == claims[1]

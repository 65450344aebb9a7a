"""Agents that people play, here by a script in place of a page: what they do counts as what any agent does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dadu.core.errors import ConfigError
from dadu.house.files import load_house
from dadu.planner.settings import LoopSettings, PlannerSettings
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.stacks.oracle import OracleStack
from dadu.stacks.played import PlayedAgent
from dadu.stacks.team import TeamStack
from dadu.team.menu import approached, menu
from dadu.team.messages import Act
from dadu.team.player import Player, Saying
from dadu.team.settings import TeamSettings
from dadu.world.graph import ROBOT
from dadu.world.names import PERSON

BOTH = "put the milk on the dining table and the lemon on the desk"


class Scripted:
    """A `HumanPlayers` whose every person is asked by a function what they want whenever they have nothing to do."""

    def __init__(self, stack: TeamStack, choose: Callable[[PlayedAgent], None]) -> None:
        self._stack, self._choose = stack, choose
        self._players = {name: Player() for name in stack.settings.people}

    def player(self, agent: str) -> Player:
        return self._players[agent]

    def pace(self, agent: str) -> None:
        played = self._stack.played.get(agent)
        if played is not None and played.idle and not played.player.wants():
            self._choose(played)


def click(played: PlayedAgent, call: SkillCall) -> None:
    """As on the page: out of the menu of what is pointed at, with the way there."""
    graph, able = played.member.graph(), played.member.capabilities
    assert any(call in menu(id, graph, able) for id in call.arguments), f"{call} is not offered"
    played.player.order(*approached(call, graph, able, played.situation))


def play(choose, plan="solo", words=BOTH, seconds=900.0, **settings):
    stack = TeamStack(load_house("flat"), TeamSettings(plan=plan, partner="human", **settings))
    report = stack.do(words, PlannerSettings(), settings=LoopSettings(max_seconds=seconds),
                      company=Scripted(stack, choose))
    return stack, report


def fetch(thing: str, place: str, room: str, shut: str = "") -> Callable[[PlayedAgent], None]:
    """Somebody who knows where to look."""
    opening = [SkillCall("open", (shut,))] if shut else []
    calls = [SkillCall("explore", (room,)), *opening, SkillCall("pick", (thing,)), SkillCall("place", ("on", place))]

    def choose(played: PlayedAgent) -> None:
        if calls:
            click(played, calls.pop(0))
        else:
            played.player.end(True)
    return choose


def where(stack: TeamStack, *names: str) -> list[str]:
    return [stack.world.things[name].support.holder for name in names]


def test_a_person_alone_does_what_they_choose():
    stack, report = play(fetch("milk_0", "dining_table_0", "kitchen", "fridge_0"))
    mine = report.reports[PERSON]
    assert where(stack, "milk_0") == ["dining_table_0"] and mine.success
    assert [step.call.skill for step in mine.steps] == ["explore", "go_to", "open", "pick", "go_to", "place"]
    assert all(step.outcome.code is Code.SUCCEEDED and step.decision.policy == "a person" for step in mine.steps)


@pytest.mark.parametrize("plan", ["central", "decentral"])
def test_a_robot_does_what_the_person_has_not_taken(plan):
    stack, report = play(fetch("lemon_0", "desk_0", "hall"), plan)
    assert where(stack, "milk_0", "lemon_0") == ["dining_table_0", "desk_0"] and stack.collisions == 0
    did = {name: {step.call.arguments[0] for step in r.steps if step.call.skill == "pick"}
           for name, r in report.reports.items()}
    assert did == {PERSON: {"lemon_0"}, ROBOT: {"milk_0"}} and report.reports[ROBOT].success


@pytest.mark.parametrize("plan", ["central", "decentral"])
def test_nobody_counts_on_a_person_who_does_nothing(plan):
    stack, report = play(lambda played: played.player.end(True) if played.member.now() > 60 else None, plan)
    assert where(stack, "milk_0", "lemon_0") == ["dining_table_0", "desk_0"]
    assert stack.played[PERSON].thinking > 59 and report.reports[PERSON].steps == ()


def test_what_only_the_person_can_do_they_are_asked_for_and_what_they_have_taken_is_left_to_them():
    said = []

    def choose(played: PlayedAgent) -> None:
        asked = [m for m in played.coordination.channel.said if m.act is Act.ASK and m.to == PERSON]
        if asked and not said:
            said.append(asked[0].job)
            played.player.say(Saying(Act.TAKE, asked[0].job))
        elif played.member.now() > 30:
            played.player.end(False)
    stack, report = play(choose, "decentral", "wash the mug and put the lemon on the desk")
    assert said and "mug" in said[0] and where(stack, "lemon_0") == ["desk_0"]
    assert stack.coordination.begun().get(said[0]) == PERSON
    assert report.reports[PERSON].outcome.detail == "gave_up" and not report.reports[ROBOT].success


def test_what_a_person_asks_of_a_robot_it_does_first():
    def choose(played: PlayedAgent) -> None:
        lemon = [job.name for job in played.jobs() if "lemon" in job.name]
        if lemon and not asked:
            asked.append(lemon[0])
            played.player.say(Saying(Act.ASK, lemon[0], ROBOT))
        elif all(job.done for job in played.jobs()) or played.member.now() > 400:
            played.player.end(True)
    asked = []
    stack, report = play(choose, "decentral")
    picked = [step.call.arguments[0] for step in report.reports[ROBOT].steps if step.call.skill == "pick"]
    assert picked == ["lemon_0", "milk_0"]


def test_a_new_wish_breaks_off_the_way_and_time_goes_on_while_one_thinks():
    walks = [SkillCall("go_to", ("bedroom",)), SkillCall("go_to", ("hall",))]

    def choose(played: PlayedAgent) -> None:
        if len(played.steps) < 2 and walks:
            played.player.order(walks.pop(0))
        elif played.member.now() > 50:
            played.player.end(True)

    class Impatient(Scripted):
        def pace(self, agent: str) -> None:
            super().pace(agent)
            played = self._stack.played[agent]
            if played.now is not None and played.member.agent.travelled > 1.0 and walks:
                played.player.order(walks.pop(0))
    stack = TeamStack(load_house("flat"), TeamSettings(plan="solo", partner="human"))
    report = stack.do(BOTH, PlannerSettings(), company=Impatient(stack, choose)).reports[PERSON]
    assert [step.outcome.code for step in report.steps] == [Code.CANCELLED, Code.SUCCEEDED]
    assert 50 <= stack.now() < 50.5 and stack.played[PERSON].thinking > 30


def test_somebody_may_play_the_robot_of_a_simulated_person_or_be_it_alone():
    stack, report = play(lambda played: played.player.end(True), "central", played=("robot",))
    assert where(stack, "milk_0", "lemon_0") == ["dining_table_0", "desk_0"]
    assert report.reports[PERSON].success and set(stack.played) == {ROBOT}
    alone = TeamStack(load_house("flat"), TeamSettings(plan="solo", partner="human", played=("robot",)))
    assert set(alone.members) == {ROBOT}


def test_limits_end_it():
    _, report = play(lambda played: None, seconds=20.0)
    assert report.reports[PERSON].outcome.code is Code.TIMED_OUT


def test_who_is_played_must_be_there_and_somebody_must_play_them():
    with pytest.raises(ConfigError, match="played by a person"):
        TeamStack(load_house("flat"), TeamSettings(plan="solo", partner="human")).do(BOTH, PlannerSettings())
    for wrong in ({"played": ("person",)}, {"partner": "human", "plan": "solo", "played": ("person", "robot")}):
        with pytest.raises(ValueError):
            TeamSettings(**wrong)


def test_the_menu_is_that_of_the_table_and_of_what_the_agent_can_do():
    robot = OracleStack(load_house("flat"), known="all", person=True)
    person = robot.person
    assert person is not None

    def offered(member, id):
        return [str(call) for call in menu(id, member.graph(), member.capabilities)]
    assert offered(person, "fridge_0") == ["go_to(fridge_0)", "open(fridge_0)"]
    assert offered(person, "mug_0") == ["go_to(mug_0)", "pick(mug_0)", "clean(mug_0)", "fill(mug_0)"]
    assert offered(robot, "mug_0") == ["go_to(mug_0)", "pick(mug_0)"]
    assert offered(person, "kitchen") == ["go_to(kitchen)", "explore(kitchen)"]
    assert offered(person, "") == ["wait()"] and offered(person, "nothing_0") == []
    person.execute(SkillCall("go_to", ("lemon_0",)))
    assert person.execute(SkillCall("pick", ("lemon_0",))).ok
    assert "place(on, counter_0, next_to, mug_0)" in offered(person, "mug_0")
    assert offered(person, "counter_0") == ["go_to(counter_0)", "place(on, counter_0)"]

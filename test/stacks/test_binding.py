"""Every skill of the table is carried out by somebody, and nothing is that is not in it."""

import pytest

from dadu.core.geometry import Pose2
from dadu.planner.loop.skill_context import SkillContext
from dadu.robots.loader import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.skills.table import SKILLS
from dadu.stacks.binding import ENDS, GENERATORS, Equipment, begin
from dadu.stacks.oracle import ORACLE
from dadu.stacks.standing import choose_base_pose

THE_ORACLES_ALONE = {name for name, spec in SKILLS.items() if spec.only_sets_states} - set(GENERATORS)


def test_every_skill_is_carried_out_by_somebody_and_nothing_else_is():
    assert {*GENERATORS, *THE_ORACLES_ALONE, ENDS} == set(SKILLS)
    assert {*ORACLE, ENDS} == set(SKILLS)


def test_every_robot_can_carry_out_what_every_robot_can():
    assert {name for name, spec in SKILLS.items() if spec.base} <= {*GENERATORS, ENDS}


def test_what_goes_over_an_action_has_a_generator_for_the_node_that_serves_it():
    assert {name for name, spec in SKILLS.items() if spec.action} <= set(GENERATORS)
    assert not any(SKILLS[name].action for name in (*THE_ORACLES_ALONE, ENDS))


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_is_made_of_any_call_that_fits(name):
    use = Equipment(load_robot("stretch"), Scene())
    arguments = tuple((a.words or ("table_0",))[0] for a in SKILLS[name].arguments)
    for given in (arguments, arguments[:SKILLS[name].required]):
        skill = begin(use, SkillCall(name, given), SkillContext(stance=Pose2(0.0, 0.0, 0.0)))
        assert hasattr(skill, "send")
        skill.close()


def test_what_the_body_cannot_is_said():
    result = begin(Equipment(load_robot("stretch"), Scene()), SkillCall("clean", ("mug_0",)), SkillContext())
    assert isinstance(result, SkillResult) and result.code is Code.UNKNOWN_ACTION and "clean" in result.message


def test_only_a_drive_has_a_stance_chosen():
    stretch, skill_context = load_robot("stretch"), SkillContext()
    assert choose_base_pose(stretch, Scene(), SkillCall("pick", ("mug_0",)), skill_context) is skill_context
    without_map = choose_base_pose(stretch, Scene(), SkillCall("go_to", ("mug_0",)), skill_context)
    assert without_map.code is Code.UNREACHABLE_BACKEND and skill_context.stance is None
    with pytest.raises(ValueError, match="stance"):
        begin(Equipment(stretch, Scene()), SkillCall("go_to", ("mug_0",)), skill_context)

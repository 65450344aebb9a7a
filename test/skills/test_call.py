import pytest

from dadu.skills.call import SkillCall, UnknownSkill
from dadu.skills.table import BASE_CAPABILITIES, SKILLS


def test_round_trip():
    call = SkillCall("place", ("on", "table_0"))
    assert SkillCall.from_list(call.as_list()) == call
    assert str(call) == "place(on, table_0)"


@pytest.mark.parametrize("items, expected", [
    ([], "unknown skill ''"), (["fly", "x"], "unknown skill 'fly'; valid: clean"), (["pick"], "pick takes 1 to 1"),
    (["done", "x"], "done takes 0 to 0"),
])
def test_refuses(items, expected):
    with pytest.raises(UnknownSkill, match=expected):
        SkillCall.from_list(items)


def test_base_capabilities_are_skills():
    assert set(BASE_CAPABILITIES) <= set(SKILLS)

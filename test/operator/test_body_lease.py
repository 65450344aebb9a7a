"""Who may move which part of the body."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError
from dadu.operator.body_lease import GRACE, HOLD, BodyLease, BodyPart, body_parts

ALL = frozenset(BodyPart)
BASE, GRIPPER = {BodyPart.BASE}, {BodyPart.GRIPPER}


def lease():
    return BodyLease(-GRACE)


def test_the_first_has_it_until_it_gives_it_back():
    table = lease()
    assert not table.claim("grasp", ALL, "close", 0.0)
    assert "grasp (close)" in table.claim("navigation", BASE, "navigate_to_pose", 0.1)
    assert not table.claim("grasp", ALL, "pick", 0.2), "an owner's newer claim takes the place of its older one"
    assert not table.claim("grasp", (), "", 0.3)
    assert not table.claim("navigation", BASE, "navigate_to_pose", 0.4)


def test_parts_are_had_apart():
    table = lease()
    assert not table.claim("navigation", BASE, "", 0.0)
    assert not table.claim("joystick", GRIPPER, "", 0.0)
    assert table.claim("joystick", BASE, "", 0.1)


def test_a_claim_lapses_when_its_owner_is_silent():
    table = lease()
    table.claim("grasp", ALL, "pick", 0.0)
    assert table.claim("navigation", BASE, "", HOLD - 0.1)
    assert not table.claim("navigation", BASE, "", HOLD + 0.1)


def test_a_restart_loses_no_claim():
    table = BodyLease(10.0)
    assert table.claim("navigation", BASE, "", 10.1), "somebody may have the body"
    assert not table.claim("grasp", ALL, "pick", 10.9, renew=True)
    assert table.settles_in(10.0) == GRACE and table.settles_in(10.0 + GRACE) == 0.0
    assert table.claim("navigation", BASE, "", 10.0 + GRACE), "now it is known who"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sets(st.sampled_from(list(BodyPart))), st.floats(0, 1),
                          st.booleans()), max_size=30))
def test_no_part_ever_has_two_owners(claims):
    table, owners, now = lease(), {}, 0.0
    for owner, parts, dt, renew in claims:
        now += dt
        if not table.claim(owner, parts, "", now, renew):
            owners[owner] = (frozenset(parts), now)
        elif owner in owners:
            del owners[owner]
        held = [part for parts, since in owners.values() if now < since + HOLD for part in parts]
        assert len(held) == len(set(held))


def test_unknown_parts_are_refused():
    assert body_parts(["arm", "base"]) == {BodyPart.ARM, BodyPart.BASE}
    with pytest.raises(ConfigError, match="gripper"):
        body_parts(["tail"])

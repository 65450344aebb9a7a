"""What the steps so far say, where too little had been seen to say where to stand."""

from dadu.planner.situation import TRIES, UNKNOWN, Situation
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult

GO = SkillCall("go_to", ("desk_0",))
UNSEEN = SkillResult(Code.TOO_FAR, "not enough of the floor", Detail.UNSEEN, "desk_0")
DONE = SkillResult(Code.SUCCEEDED, "")


def test_coming_nearer_is_no_arrival():
    situation = Situation()
    situation.take(GO, "pick", SkillResult(Code.SUCCEEDED, "came nearer", Detail.NEARER))
    assert situation.at is None and "desk_0" not in situation.looked
    situation.take(GO, "pick", DONE)
    assert situation.at == ("desk_0", "pick")


def test_what_was_not_seen_well_enough_is_not_tried_again_before_more_was_seen():
    situation = Situation()
    situation.take(GO, "pick", UNSEEN)
    assert situation.failures[GO] >= TRIES
    situation.take(SkillCall("explore", (UNKNOWN,)), "", DONE)
    assert situation.failures[GO] == 0


def test_exploring_makes_no_room_where_there_is_none():
    situation = Situation()
    for _ in range(TRIES):
        situation.take(GO, "pick", SkillResult(Code.TOO_FAR, "there is no free place", target="desk_0"))
    situation.take(SkillCall("explore", (UNKNOWN,)), "", DONE)
    assert situation.failures[GO] == TRIES


def test_what_is_too_wide_is_looked_at_from_another_side_once():
    situation, pick = Situation(), SkillCall("pick", ("cushion_0",))
    for _ in range(2):
        assert situation.failures[pick] < TRIES
        situation.take(pick, "", SkillResult(Code.EXECUTION_FAILED, "too wide", Detail.TOO_WIDE, "cushion_0"))
    assert situation.failures[pick] >= TRIES

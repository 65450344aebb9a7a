"""What base placement is told: the purpose, the part of the container, and the stances tried in vain."""

from dataclasses import replace

from dadu.core.geometry import Pose2
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Edge, Relation

HERE, THERE = Pose2(1.0, 2.0, 0.0), Pose2(1.5, 2.0, 0.0)


def decision(*calls, purpose=""):
    plan = tuple(SkillCall.from_list(c) for c in calls)
    return Decision(plan[0], "because", "symbolic", purpose, plan)


def ended(decision, code):
    return Step(1, decision, 0.0, result=SkillResult(code, ""))


def test_relation_and_neighbour_come_from_the_place_that_follows(known):
    placing = ["place", "on", "dining_table_0", "next_to", "vase_0"]
    going = decision(["go_to", "dining_table_0"], placing, purpose="place")
    skill_context = SkillContexts().of(going, known, HERE)
    assert (skill_context.purpose, skill_context.relation, skill_context.next_to) == ("place", "on", "vase_0")


def test_a_stance_that_failed_is_avoided_until_one_works(known):
    skill_contexts = SkillContexts()
    go, pick = decision(["go_to", "mug_0"], purpose="pick"), decision(["pick", "mug_0"])
    for stance, tried, code in ((HERE, (), Code.TOO_FAR), (THERE, (HERE,), Code.SUCCEEDED)):
        skill_context = skill_contexts.of(go, known, None)
        assert skill_context.avoid == tried
        skill_context.chosen(stance)
        skill_contexts.learn(ended(go, Code.SUCCEEDED))
        skill_contexts.learn(ended(pick, code))
    assert skill_contexts.of(go, known, None).avoid == ()


def test_the_drawer_that_hides_what_is_picked_next(known):
    graph = known.copy()
    piece = graph["wardrobe_0"]
    surface = next(s for s in piece.surfaces if s.inside and s.part)
    graph.set_support("ball_0", Edge("ball_0", Relation.IN, "wardrobe_0", surface.name))
    going = decision(["open", "wardrobe_0"], ["go_to", "ball_0"], ["pick", "ball_0"])
    assert SkillContexts().of(going, graph, None).part == surface.part


def test_which_part_any_that_will_do_is_left_to_where_there_is_room(known):
    graph = known.copy()
    going = decision(["go_to", "wardrobe_0"], ["open", "wardrobe_0"], purpose="open")
    assert len(graph["wardrobe_0"].parts) > 1 and SkillContexts().of(going, graph, None).part == ""
    first, *others = graph["wardrobe_0"].parts
    graph.change("wardrobe_0", parts=(replace(first, value=first.range), *others))
    assert SkillContexts().of(going, graph, None).part == ("" if len(others) > 1 else others[0].name)
    closing = decision(["go_to", "wardrobe_0"], ["close", "wardrobe_0"], purpose="close")
    assert SkillContexts().of(closing, graph, None).part == first.name

"""What a thing is called: views vote, not pictures; what else it may be counts; what was taken keeps its name."""

from dataclasses import replace

import numpy as np

from dadu.memory.association.labels import Labels, view_of
from dadu.world.detection import Detection
from dadu.world.graph import UNIDENTIFIED, Entity, Kind

VIEWS = [(i, 0, 0) for i in range(9)]


def seen(label, score, *others):
    return Detection(label, score, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array([0, 0, 0.8]),
                     np.full(3, 0.1), others=others)


def thing(category, provenance="detection", confidence=0.6):
    return Entity(f"{category}_0", Kind.OBJECT, category, provenance=provenance, confidence=confidence)


def names(labels, entity, sightings):
    """What it is called after each of the sightings, from a view each."""
    return [labels.vote(entity, sighting, view) for sighting, view in sightings]


def test_the_most_voted_name_counts_and_what_was_told_weighs_more():
    glass = [(seen("glass", 0.5), view) for view in VIEWS]
    assert names(Labels(), thing("mug"), glass[:3]) == ["mug", "glass", "glass"]
    told = [(seen("glass", 0.9), view) for view in VIEWS]
    assert names(Labels(), thing("cup", provenance="layout"), told[:4]) == ["cup", "cup", "cup", "glass"]


def test_many_pictures_from_one_place_have_one_vote():
    assert names(Labels(), thing("mug"), [(seen("glass", 0.5), VIEWS[0])] * 50) == ["mug"] * 50


def test_second_guesses_of_several_views_outvote_a_first_one():
    labels, entity = Labels(), thing("mug")
    labels.begin(entity)
    wavering = [seen("mug", 0.5, ("glass", 0.4)), seen("bowl", 0.4, ("glass", 0.35))]
    assert names(labels, entity, zip(wavering, VIEWS)) == ["mug", "glass"]


def test_what_was_taken_keeps_its_name_for_a_few_views():
    labels, entity = Labels(), thing("mug")
    labels.trust(entity)
    said = names(labels, entity, [(seen("glass", 0.9), view) for view in VIEWS])
    assert said[:4] == ["mug"] * 4 and said[-1] == "glass"


def test_what_nobody_knows_takes_the_first_name():
    unknown = thing(UNIDENTIFIED, provenance="skill")
    labels = Labels()
    labels.trust(unknown)
    assert names(labels, unknown, [(seen("glass", 0.2), VIEWS[0])]) == ["glass"]


def test_views_differ_by_direction_and_distance_not_by_a_step():
    there = np.array([2.0, 1.0, 0.8])
    front, beside, behind, close = (view_of(there + away, there) for away in
                                    np.array([(1.0, 0.02, 0.5), (1.0, 0.0, 0.5), (-1.0, 0.0, 0.5), (0.4, 0.0, 0.2)]))
    assert front == beside and len({front, behind, close}) == 3


def test_the_look_is_the_mean_of_views_weighed_by_what_they_show_and_has_unit_length():
    labels, entity = Labels(), thing("mug")
    for view, pixels, look in ((VIEWS[0], 300, (1.0, 0.0)), (VIEWS[1], 400, (0.0, 1.0))):
        labels.vote(entity, replace(seen("mug", 0.6), pixels=pixels, embedding=np.array(look, np.float32)), view)
    np.testing.assert_allclose(labels.look("mug_0"), (0.6, 0.8), atol=1e-6)
    assert Labels().look("mug_0") is None


def test_what_else_it_may_be_is_told_until_views_settle_it():
    labels, entity = Labels(), thing("mug")
    labels.begin(entity)
    labels.vote(entity, seen("mug", 0.5, ("glass", 0.4), ("vase", 0.02)), VIEWS[0])
    entity = replace(entity, may_be=labels.may_be(entity))
    assert entity.may_be == {"glass": 0.43}
    labels.vote(entity, seen("mug", 0.5, ("glass", 0.39)), VIEWS[1])
    assert labels.may_be(entity) is entity.may_be, "about the same is no news"
    for view in VIEWS[2:]:
        labels.vote(entity, seen("mug", 0.95), view)
    assert labels.may_be(entity) == {}


def test_what_most_views_know_no_name_for_has_none_until_they_do():
    labels, entity = Labels(), thing(UNIDENTIFIED)
    labels.begin(entity)
    strange = seen("mug", 0.2, (UNIDENTIFIED, 0.6), ("cup", 0.1))
    for view in VIEWS[:2]:
        assert labels.vote(entity, strange, view) == "mug"
    assert labels.unknown(entity.id) and UNIDENTIFIED not in labels.shares(entity)
    assert labels.may_be(entity) == {"mug": 0.2, "cup": 0.1}
    for view in VIEWS[2:6]:
        labels.vote(entity, seen("mug", 0.8), view)
    assert not labels.unknown(entity.id)


def test_what_was_told_or_said_stays_whatever_views_do_not_know():
    labels, told, said = Labels(), thing("mug", provenance="layout"), thing("cup")
    labels.begin(said)
    labels.say(said, "cup")
    for entity in (told, said):
        for view in VIEWS:
            labels.vote(entity, seen("glass", 0.1, (UNIDENTIFIED, 0.9)), view)
        assert not labels.unknown(entity.id)

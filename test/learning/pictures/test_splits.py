"""Homes and categories that are kept apart."""

from dadu.house.catalogue import object_categories
from dadu.learning.pictures.splits import held_out_clusters, seeds


def test_no_home_is_in_two_splits():
    train, validation, test = (set(seeds(split, 3000)) for split in ("train", "validation", "test"))
    assert len(train) == len(validation) == len(test) == 3000
    assert not train & validation and not train & test and not validation & test
    assert all(seed % 10 == 9 for seed in validation) and not any(seed % 10 == 9 for seed in train)


def test_more_homes_are_the_same_homes_and_more():
    assert seeds("train", 50)[:20] == seeds("train", 20)


def test_seeds_that_people_type_are_never_used():
    assert min(min(seeds(split, 5)) for split in ("train", "validation", "test")) >= 100_000


def test_held_out_clusters_are_kin_disjoint_and_by_seed():
    clusters = held_out_clusters(0.1, 3)
    names = [name for cluster in clusters for name in cluster]
    assert len(names) == len(set(names)) >= 0.1 * len(object_categories())
    for cluster in clusters:
        words = [{*object_categories()[name].hypernyms, name} for name in cluster]
        assert len(cluster) > 1 and set.intersection(*words)
    assert clusters == held_out_clusters(0.1, 3) != held_out_clusters(0.1, 4)


def test_a_new_category_leaves_most_clusters_as_they_were(monkeypatch):
    before = held_out_clusters(0.1, 3)
    grown = {**object_categories(), "gizmo": object_categories()["radio"].model_copy(update={"hypernyms": ("gadget",)})}
    monkeypatch.setattr("dadu.learning.pictures.splits.object_categories", lambda: grown)
    assert len(set(before) & set(held_out_clusters(0.1, 3))) >= len(before) - 1

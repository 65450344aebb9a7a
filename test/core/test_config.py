import pytest

from dadu.core.config import Settings, load, load_lines, parse, save
from dadu.core.errors import ConfigError, choices
from dadu.core.yaml_text import load_yaml


class Inner(Settings):
    speed: float = 0.3


class Outer(Settings):
    name: str = "a"
    inner: Inner = Inner()
    many: list[Inner] = []


def test_round_trip(tmp_path):
    settings = Outer(name="b", inner=Inner(speed=0.1))
    save(settings, tmp_path / "a.yaml")
    assert load(Outer, tmp_path / "a.yaml") == settings


@pytest.mark.parametrize("data, expected", [
    ({"nmae": 1}, "nmae: unknown key; valid: inner, many, name"),
    ({"inner": {"sped": 1}}, "inner.sped: unknown key; valid: speed"),
    ({"many": [{"sped": 1}]}, "many.0.sped: unknown key; valid: speed"),
    ({"inner": {"speed": "fast"}}, "inner.speed: .*got 'fast'"),
])
def test_errors_name_field_and_choices(data, expected):
    with pytest.raises(ConfigError, match=expected):
        parse(Outer, data, "here")


def test_unreadable_files(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load(Outer, tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("a: [")
    with pytest.raises(ConfigError, match="not valid YAML"):
        load(Outer, tmp_path / "bad.yaml")


def test_of_lines_the_one_at_fault_is_named(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"name": "b"}\n{"nmae": 1}\n')
    with pytest.raises(ConfigError, match="a.jsonl, line 2: nmae: "):
        list(load_lines(Outer, tmp_path / "a.jsonl"))
    assert next(load_lines(Outer, tmp_path / "a.jsonl")).name == "b"


def test_what_is_merged_gives_way_to_what_is_given(tmp_path):
    (tmp_path / "a.yaml").write_text("""
name: x
many:
  - &slow {speed: 0.1}
  - {<<: *slow}
  - {<<: *slow, speed: 0.2}
  - &both {<<: [*slow, {speed: 0.9}]}
  - {<<: *both, speed: 0.5}
""")
    assert [one.speed for one in load(Outer, tmp_path / "a.yaml").many] == [0.1, 0.1, 0.2, 0.1, 0.5]


@pytest.mark.parametrize("text", [
    "a: {<<: {b: 1}, c: 2, c: 3}", "x: {y: &base {<<: {k: 0}, k: 1, k: 2}}\nz: {<<: *base}", "a: {<<: 1}",
    "a: {<<: [1, 2]}", "? [1]\n: 2", "a: {<<: *nobody}"])
def test_merges_that_mean_nothing_and_keys_given_twice_are_refused(text):
    with pytest.raises(ConfigError, match="here: not valid YAML"):
        load_yaml(text, "here")


def test_an_anchor_that_is_used_before_its_own_merge_is_read():
    text = "x: {y: &base {<<: {k: 0, l: 0}, k: 1}}\nz: {<<: *base, m: 2}"
    assert load_yaml(text, "here") == {"x": {"y": {"k": 1, "l": 0}}, "z": {"k": 1, "l": 0, "m": 2}}


def test_merges_of_merges_stay_small():
    lines = ["a0: &a0 {k: 1}"] + [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 20)}]}}" for i in range(1, 30)]
    assert load_yaml("\n".join(lines), "here")["a29"] == {"k": 1}


def test_of_many_choices_those_spelt_alike_are_named():
    names = [f"thing_{i}" for i in range(100)] + ["zebra"]
    assert choices(names, meant="zebras").startswith("zebra, ") and choices(names).startswith("thing_0, ")

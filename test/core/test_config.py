import pytest

from dadu.core.config import Settings, load, parse, save
from dadu.core.errors import ConfigError


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

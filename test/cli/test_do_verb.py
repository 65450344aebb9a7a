"""`dadu do`: what is refused before it travels."""

import pytest


@pytest.mark.parametrize("words", ["", "  ", "\n"])
@pytest.mark.parametrize("team", [(), ("--team",)])
def test_nothing_to_do_is_refused_though_no_graph_is_there(dadu, words, team):
    done = dadu("do", words, "--wait", "0", *team)
    assert done.returncode == 2 and "there is nothing to do in these words" in done.stderr

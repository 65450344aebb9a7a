"""What the nodes took, from what bring-up noted."""

import json

from dadu.operator.run.usage import memory_in_all, read_usage


def sample(time, **nodes):
    taken = {name: {"pid": 1, "starts": 1, **of} for name, of in nodes.items()}
    return json.dumps({"time": time, "nodes": taken})


def test_shares_of_memory_add_up_and_processor_time_goes_on_over_a_restart(tmp_path):
    file = tmp_path / "resources.jsonl"
    assert memory_in_all(file) == 0.0 and read_usage(file) == []
    file.write_text("\n".join([
        sample(0.0, a={"cpu": 1.0, "rss": 90, "pss": 60}, b={"cpu": 0.1, "rss": 50, "pss": 20}),
        sample(1.0, a={"cpu": 2.0, "rss": 95}, b={"cpu": 0.2, "rss": 55}),
        sample(2.0, a={"cpu": 0.5, "rss": 80, "pss": 50, "pid": 2}, b={"cpu": 0.3, "rss": 60, "pss": 21}),
        '{"time": 3.0, "nod']))
    assert memory_in_all(file) == 80
    usage = {usage.name: usage for usage in read_usage(file)}
    assert usage["a"].cpu_seconds == 2.5 and usage["a"].rss_peak == 95

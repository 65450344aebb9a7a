#!/bin/sh
# small-mcap 0.16.0, mcap 1.6.0, Python 3.11.
#
# Both readers of MCAP files give messages by the time at which they were logged, whatever the order in the file. small-mcap does so between chunks and between topics; within a chunk it takes the messages of each topic as they were written. A message
# that was written late, as by a recorder with a cache of its own or by a converter that logs at the header's stamp, comes out late, and draws those of other topics along. How much depends on the size of the chunks. Backwards
# the same messages of the same file are in order.
#
# Guess before: the order of mcap's own reader, in all cases. Seen (log times; topics in brackets where there are two):
#   written                          mcap             small-mcap, one chunk    a chunk for each message
#   10 20 30 5 40                    5 10 20 30 40    10 20 30 5 40            5 10 20 30 40
#   10(a) 20(b) 30(a) 5(b) 40(a)     5 10 20 30 40    10 20 5 30 40            5 10 20 30 40
#   the first, reverse=True          40 30 20 10 5    40 30 20 10 5            40 30 20 10 5
#   200 messages every 1 ms that are late by up to 3 ms: 0 steps back, 20 in small-mcap
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q mcap==1.6.0 small-mcap==0.16.0
v/bin/python - <<'PY'
import io
import random

import small_mcap
from mcap.reader import make_reader
from mcap.writer import Writer


def written(messages, chunk=1 << 20):
    """A file of messages (log time, topic)."""
    file = io.BytesIO()
    writer = Writer(file, chunk_size=chunk)
    writer.start()
    schema = writer.register_schema("s", "jsonschema", b"{}")
    channels = [writer.register_channel(topic, "json", schema) for topic in ("/a", "/b")]
    for time, topic in messages:
        writer.add_message(channels[topic], time, b"{}", time)
    writer.finish()
    return file.getvalue()


def by_mcap(data):
    return [message.log_time for _, _, message in make_reader(io.BytesIO(data)).iter_messages()]


def by_small(data, **options):
    return [message.log_time for _, _, message in small_mcap.read_message(io.BytesIO(data), **options)]


ordered = [5, 10, 20, 30, 40]
for topics, seen in (((0, 0, 0, 0, 0), [10, 20, 30, 5, 40]), ((0, 1, 0, 1, 0), [10, 20, 5, 30, 40])):
    messages = list(zip((10, 20, 30, 5, 40), topics))
    one, many = written(messages), written(messages, chunk=1)
    print(by_mcap(one), by_small(one), by_small(many), by_small(one, reverse=True))
    assert by_mcap(one) == by_mcap(many) == by_small(many) == ordered
    assert by_small(one) == seen
    assert by_small(one, reverse=True) == ordered[::-1]

draw = random.Random(0)
data = written([(1000 * number + draw.randint(0, 3000), draw.randint(0, 1)) for number in range(200)])
back = {read.__name__: sum(a > b for a, b in zip(read(data), read(data)[1:])) for read in (by_mcap, by_small)}
print("steps back in time", back)
assert back["by_mcap"] == 0 and back["by_small"] > 10
assert sorted(by_small(data)) == by_mcap(data)
print("as stated")
PY

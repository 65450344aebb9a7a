#!/bin/sh
# pybag-sdk 0.13.0, mcap 1.6.0, small-mcap 0.16.0, rosbags 0.11.9, numpy 2.4.6, Python 3.11.
#
# A part of a recording is asked for by two times. For three readers of MCAP files the first belongs to it and the last does not, so windows that follow one another give each message once. pybag's messages(topic, start_time, end_time) takes in
# what was logged at the end too (its docstring says "end time to filter by"): where a recording is worked off second by second, and its topics are logged at round times as in simulation, each message on a border comes twice, is counted, trained on or
# integrated twice. Order and contents are as with the others.
#
# Guess before: the end is excluded by all. Seen (messages every 100 ms from 0 to 3 s, the last at 2.9 s):
#   window                      mcap, small-mcap, rosbags       pybag
#   1.0 to 2.0                  10, last at 1.9                 11, last at 2.0
#   2.0 to 2.0                  none                            1
#   0 to 1, 1 to 2, 2 to 3      30 in all, each once            32, those at 1.0 and 2.0 twice
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 mcap==1.6.0 small-mcap==0.16.0 rosbags==0.11.9 pybag-sdk==0.13.0
v/bin/python -W ignore - <<'PY'
import pathlib

import small_mcap
from mcap.reader import make_reader
from pybag.mcap_reader import McapFileReader
from rosbags.rosbag2 import Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

STEP = 100_000_000  # ns
store = get_typestore(Stores.ROS2_JAZZY)
Number = store.types["std_msgs/msg/Int32"]
folder = pathlib.Path("recording")
with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
    connection = writer.add_connection("/number", Number.__msgtype__, typestore=store)
    for number in range(30):
        writer.write(connection, number * STEP, store.serialize_cdr(Number(data=number), Number.__msgtype__))
file = next(folder.glob("*.mcap"))


def mcap(start, end):
    with open(file, "rb") as stream:
        return [message.log_time // STEP for _, _, message in make_reader(stream).iter_messages(start_time=start, end_time=end)]


def small(start, end):
    with open(file, "rb") as stream:
        return [message.log_time // STEP for _, _, message in small_mcap.read_message(stream, start_time_ns=start, end_time_ns=end)]


def rosbags(start, end):
    with Reader(folder) as reader:
        return [time // STEP for _, time, _ in reader.messages(start=start, stop=end)]


def pybag(start, end):
    with McapFileReader.from_file(file) as reader:
        return [message.log_time // STEP for message in reader.messages("/number", start, end)]


windows = [(0, 10), (10, 20), (20, 30)]
for read in (mcap, small, rosbags, pybag):
    parts = [read(start * STEP, end * STEP) for start, end in windows]
    point = read(20 * STEP, 20 * STEP)
    print(read.__name__, "1 to 2 s:", len(parts[1]), "last", parts[1][-1] / 10, "; 2 to 2 s:", point, "; three windows:", sum(map(len, parts)))
    closed = read is pybag
    assert parts == [list(range(start, min(end + closed, 30))) for start, end in windows]
    assert point == [20] * closed
print("as stated")
PY

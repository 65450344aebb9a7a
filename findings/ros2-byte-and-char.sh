#!/bin/sh
# rosbags 0.11.9, mcap 1.6.0, mcap-ros2-support 0.6.0, mcap-ros2-support-fast 0.8.0, ros-rclpy 7.1.6 and ros-std-msgs 5.3.6 (Jazzy), numpy 2.4.6, Python 3.11.
#
# ROS 2 has the types byte (an octet) and char (a number of eight bits), both unsigned as rclpy gives them. Three readers of bags read one message three ways: rosbags takes byte for signed,
# mcap-ros2-support takes char for signed, mcap-ros2-support-fast neither, as ROS 2 itself. Values from 128 on come out negative in one of them, alone and in arrays; which one depends on the field's type.
#
# Guess before: all read both as unsigned. Seen for a std_msgs/Byte and a std_msgs/Char holding 200, written by rclpy into an MCAP file:
#                            byte      char
#   rclpy                    b'\xc8'   200
#   rosbags                  -56       200
#   mcap-ros2-support        200       -56
#   mcap-ros2-support-fast   200       200
# In arrays: byte[] [1, 200] is [1, -56] in rosbags, b'\x01\xc8' in mcap-ros2-support.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 rosbags==0.11.9 mcap==1.6.0 mcap-ros2-support==0.6.0 mcap-ros2-support-fast==0.8.0 'ros-rclpy[fastrtps]==7.1.6' ros-std-msgs==5.3.6
v/bin/python - <<'PY'
import io

from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer
from mcap_ros2.decoder import DecoderFactory
from mcap_ros2_support_fast.decoder import DecoderFactory as FastDecoderFactory
from rclpy.serialization import deserialize_message, serialize_message
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from std_msgs.msg import Byte, Char

SENT = {"byte": Byte(data=b"\xc8"), "char": Char(data=200)}
BYTES = {name: serialize_message(message) for name, message in SENT.items()}
file = io.BytesIO()
writer = Writer(file, compression=CompressionType.NONE)
writer.start(profile="ros2")
for name, data in BYTES.items():
    schema = writer.register_schema(f"std_msgs/msg/{name.title()}", "ros2msg", f"{name} data\n".encode())
    writer.add_message(writer.register_channel(f"/{name}", "cdr", schema), 1, data, 1)
writer.finish()


def from_mcap(factory):
    reader = make_reader(io.BytesIO(file.getvalue()), decoder_factories=[factory()])
    return {channel.topic[1:]: message.data for _, channel, _, message in reader.iter_decoded_messages()}


store = get_typestore(Stores.ROS2_JAZZY)
store.register(get_types_from_msg("byte[] data", "test_msgs/msg/Bytes"))
found = {
    "rclpy": {name: deserialize_message(data, type(SENT[name])).data for name, data in BYTES.items()},
    "rosbags": {name: store.deserialize_cdr(data, f"std_msgs/msg/{name.title()}").data for name, data in BYTES.items()},
    "mcap-ros2-support": from_mcap(DecoderFactory),
    "mcap-ros2-support-fast": from_mcap(FastDecoderFactory),
}
for reader, values in found.items():
    print(f"{reader:24} {values['byte']!r:9} {values['char']!r}")
assert found["rclpy"] == {"byte": b"\xc8", "char": 200}
assert found["rosbags"] == {"byte": -56, "char": 200}
assert found["mcap-ros2-support"] == {"byte": 200, "char": -56}
assert found["mcap-ros2-support-fast"] == {"byte": 200, "char": 200}
array = store.deserialize_cdr(b"\0\1\0\0\2\0\0\0\1\xc8", "test_msgs/msg/Bytes").data
print("byte[] in rosbags:", array.tolist())
assert array.tolist() == [1, -56]
PY

#!/bin/sh
# pyubx2 1.4.0, Python 3.11. No receiver is needed.
#
# Two messages of u-blox receivers that robots use for heading and dead reckoning, as the parser gives them, with its defaults, which apply the scales:
#  - ESF-MEAS, the raw gyroscopes, accelerometers and wheel ticks of a dead reckoning receiver, carries signed 24-bit numbers. They come as unsigned ones: whoever applies the scale of the interface description (2^-12 degrees a second, 2^-10 m/s2)
#    turns at 4095 degrees a second where the robot turns at -1, and drives at most forwards. (NAV-ATT and ESF-INS have their signs.)
#  - NAV-RELPOSNED, the vector from base to rover, has its high precision part added, which makes its positions centimetres; the accuracies beside them are millimetres. So a position of 1.5005 m +- 10 mm reads 150.05 +- 10.
#    NAV-HPPOSLLH, treated alike, has millimetres in both.
#
# Guess before: signed numbers; one unit for all lengths of a message. Seen:
#   ESF-MEAS, gyroscope z -4096, accelerometer x -1024     16773120, 16776192
#   NAV-RELPOSNED, north 1.5005 m, accuracy 10.0 mm        relPosN 150.05, accN 10.0
#   NAV-HPPOSLLH, height 123.4563 m, accuracy 20.0 mm      height 123456.3, vAcc 20.0
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q pyubx2==1.4.0
v/bin/python - <<'PY'
import struct

from pyubx2 import UBXReader


def parse(group, number, payload):
    body = bytes((group, number)) + struct.pack("<H", len(payload)) + payload
    first = second = 0
    for byte in body:
        first = (first + byte) & 255
        second = (second + first) & 255
    return UBXReader.parse(b"\xb5\x62" + body + bytes((first, second)))


def measured(kind, value):
    return struct.pack("<I", kind << 24 | value & 0xFFFFFF)


sensors = parse(0x10, 0x02, struct.pack("<IHH", 1000, 2 << 11, 0) + measured(5, -4096) + measured(16, -1024))
print(sensors)
assert (sensors.dataType_01, sensors.dataType_02) == (5, 16)
assert (sensors.dataField_01, sensors.dataField_02) == (2**24 - 4096, 2**24 - 1024), "the numbers of ESF-MEAS have a sign now"
attitude = parse(0x01, 0x05, struct.pack("<IB3siiiIII", 1000, 0, bytes(3), -1500000, 2500000, 9000000, 10000, 20000, 30000))
assert (attitude.roll, attitude.pitch) == (-15, 25)

# relPosN 150 cm + 5 tenths of a millimetre, accN 100 tenths of a millimetre
relative = parse(0x01, 0x3C, struct.pack("<BBHIiiiii4sbbbbIIIII4sI", 1, 0, 0, 1000, 150, -250, 35, 300, 12345678, bytes(4), 5, -6, 7, 8, 100, 200, 300, 400, 50000, bytes(4), 0x37))
print(relative)
assert abs(relative.relPosN - 150.05) < 1e-9 and abs(relative.relPosE + 250.06) < 1e-9 and abs(relative.accN - 10) < 1e-9 and abs(relative.accLength - 40) < 1e-9
# height 123456 mm + 3 tenths, vAcc 200 tenths
position = parse(0x01, 0x14, struct.pack("<B2sBIiiiibbbbII", 0, bytes(2), 0, 1000, 84000000, 490000000, 123456, 100000, 55, -44, 3, -2, 141, 200))
print(position)
assert abs(position.height - 123456.3) < 1e-6 and abs(position.vAcc - 20) < 1e-9
PY

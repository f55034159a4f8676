"""Programs that break the protocol, one way for each argument."""
import json
import random
import struct
import sys
import time

way = sys.argv[1]
out = sys.stdout


def line(message):
    out.write(json.dumps(message) + "\n")
    out.flush()


if way == "deaf":
    time.sleep(60)
side = json.loads(sys.stdin.readline())["side"]
if way == "other-protocol":
    line({"protocol": "dp-assay/external/9", "length": 1, "encoding": "json"})
    sys.exit()
if way == "no-greeting":
    print("no data here", file=sys.stderr)
    sys.exit(3)
if way == "length-zero":
    line({"protocol": "dp-assay/external/1", "length": 0, "encoding": "json"})
    sys.exit()
encoding = "binary" if way.startswith("binary") else "json"
line({"protocol": "dp-assay/external/1", "length": 2, "encoding": encoding})
fixed = side == 1 if way == "own-second" else way.startswith("own-")
noise = random.Random(0 if fixed else None)
for text in sys.stdin:
    request = json.loads(text)
    n, ident = request["count"], request["id"]
    if way == "crash":
        print("out of noise", file=sys.stderr)
        sys.exit(7)
    elif way == "quits":
        line({"id": ident, "outputs": [[0, 0]] * n})
        sys.exit(0)
    elif way == "falls-silent":
        line({"id": ident, "outputs": [[0, 0]] * n})
        time.sleep(60)
    elif way == "twice":
        line({"id": ident, "outputs": [[0, 0]] * n})
        line({"id": ident, "outputs": [[0, 0]] * n})
    elif way == "silent":
        time.sleep(60)
    elif way == "slow":
        while True:
            out.write(" ")
            out.flush()
            time.sleep(0.1)
    elif way == "not-json":
        out.write("hello\n")
        out.flush()
    elif way == "wrong-id":
        line({"id": ident + 1, "outputs": [[0, 0]] * n})
    elif way == "wrong-count":
        line({"id": ident, "outputs": [[0, 0]] * (n - 1)})
    elif way == "wrong-length":
        line({"id": ident, "outputs": [[0, 0, 0]] * n})
    elif way == "wrong-word":
        line({"id": ident, "outputs": [["many", 0]] * n})
    elif way == "no-number":
        line({"id": ident, "outputs": [[0, 0]] * (n - 1) + [None]})
    elif way == "no-list":
        line({"id": ident, "outputs": 0})
    elif way == "error":
        line({"id": ident, "error": "the budget is spent"})
    elif way == "own-arrays":
        signs = [noise.choice([-1, 1]) for _ in range(n)]
        line({"id": ident, "outputs": [[sign * noise.expovariate(1), 0] for sign in signs]})
    elif way in ("own-seed", "own-second", "system-noise"):
        line({"id": ident, "outputs": [[noise.expovariate(1), 0] for _ in range(n)]})
    elif way == "own-coin":
        line({"id": ident, "outputs": [[int(noise.random() < 0.3), 0] for _ in range(n)]})
    elif way == "special":
        line({"id": ident, "outputs": [["nan", "-inf"]] * n})
    elif way == "binary-short":
        out.buffer.write(json.dumps({"id": ident, "bytes": 8}).encode() + b"\n" + struct.pack("<d", 0))
        out.buffer.flush()
    elif way == "binary-cut":
        out.buffer.write(json.dumps({"id": ident, "bytes": 16 * n}).encode() + b"\n" + b"abc")
        out.buffer.flush()
        sys.exit(0)
    elif way == "binary-huge":
        line({"id": ident, "bytes": 1 << 60})

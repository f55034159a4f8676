"""Let dp-assay audit a Python mechanism. One file, no dependencies, Python 3.8 or later.

    import json, random, dp_assay

    def mechanism(data, rng):                 # one run on one dataset
        return sum(data) + rng.expovariate(1) - rng.expovariate(1)

    dp_assay.serve(mechanism, load=json.loads)

Run it with

    dp-assay audit external --command "python3 mech.py" --claim eps=1,delta=0 \\
        --neighbours replace-one --input0 a.json --input1 b.json

The protocol is `dp-assay/external/1`; see spec/formats/external.md.
"""
import array
import json
import random
import sys

PROTOCOL = "dp-assay/external/1"


def serve(mechanism, load=json.loads, length=1):
    """Answer requests until the auditor hangs up.

    mechanism(data, rng) runs once on `data` and returns a number or a sequence of `length` numbers.
    All its randomness must come from `rng`, a random.Random seeded from (seed, side, output number).
    load(text) turns the text of an input file into `data`.
    """

    def batch(data, seed, side, first, count):
        for t in range(first, first + count):
            yield mechanism(data, random.Random(f"{seed}/{side}/{t}"))

    serve_batches(batch, load, length)


def serve_batches(batch, load=json.loads, length=1):
    """Like `serve`, for mechanisms that draw many outputs at once (numpy and the like).

    batch(data, seed, side, first, count) returns `count` outputs, those numbered from `first` on.
    """
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    greeting = json.loads(reader.readline())
    if greeting.get("protocol") != PROTOCOL:
        raise SystemExit(f"this client speaks {PROTOCOL}, not {greeting.get('protocol')}")
    side, data = greeting["side"], load(greeting["input"])
    _line(writer, {"protocol": PROTOCOL, "length": length, "encoding": "binary"})
    for text in iter(reader.readline, b""):
        request = json.loads(text)
        try:
            seed, first = int(request["seed"]), int(request["first"])
            outputs = batch(data, seed, side, first, request["count"])
            payload = _doubles(outputs, length)
        except Exception as error:  # the auditor quotes it; no verdict comes of it
            _line(writer, {"id": request["id"], "error": f"{type(error).__name__}: {error}"})
            return
        _line(writer, {"id": request["id"], "bytes": len(payload)}, payload)


def _doubles(outputs, length):
    if hasattr(outputs, "astype"):
        return outputs.astype("<f8").tobytes()
    flat = array.array("d")
    for output in outputs:
        if length == 1 and not hasattr(output, "__len__"):
            flat.append(output)
        else:
            if len(output) != length:
                raise ValueError(f"an output has {len(output)} numbers instead of {length}")
            flat.extend(output)
    if sys.byteorder == "big":
        flat.byteswap()
    return flat.tobytes()


def _line(writer, message, payload=b""):
    writer.write(json.dumps(message).encode() + b"\n" + payload)
    writer.flush()

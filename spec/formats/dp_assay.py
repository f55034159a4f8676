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
import os
import random
import sys
from collections.abc import Mapping, Set

PROTOCOL = "dp-assay/external/1"


def serve(mechanism, load=json.loads, length=1):
    """Answer requests until the auditor hangs up.

    mechanism(data, rng) runs once on `data` and returns a number or a sequence of `length` numbers: a list, a tuple,
    an array; never a dict, a set or a string. What it prints goes to standard error.
    All its randomness must come from `rng`, a random.Random seeded from (seed, side, output number).
    load(text) turns the text of an input file into `data`.
    """

    def batch(data, seed, side, first, count):
        for t in range(first, first + count):
            yield mechanism(data, random.Random(f"{seed}/{side}/{t}"))

    serve_batches(batch, load, length)


def serve_batches(batch, load=json.loads, length=1):
    """Like `serve`, for mechanisms that draw many outputs at once (numpy and the like).

    batch(data, seed, side, first, count) returns `count` outputs, those numbered from `first` on. The noise of output
    t follows from (seed, side, t); a generator that is seeded once for each batch repeats its noise, and the auditor
    says so instead of a verdict.
    """
    reader, writer = sys.stdin.buffer, _own_stdout()
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


def _own_stdout():
    """Standard output for the protocol alone: whatever else is printed, even by C code, goes to standard error."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout.flush()
    own.write(b"\n")  # ends a line that was begun before
    return own


def _doubles(outputs, length):
    if hasattr(outputs, "astype"):
        return _array(outputs, length)
    flat = array.array("d")
    for output in _sequence(outputs, "a batch"):
        if length == 1 and not hasattr(output, "__len__"):
            flat.append(_number(output))
        else:
            if len(_sequence(output, "an output")) != length:
                raise ValueError(f"an output has {len(output)} numbers instead of {length}")
            flat.extend(_number(number) for number in output)
    if sys.byteorder == "big":
        flat.byteswap()
    return flat.tobytes()


def _array(outputs, length):
    """The bytes of an array of numpy or its like, one row for each output."""
    if getattr(outputs.dtype, "kind", "f") not in "biuf":
        raise TypeError(f"outputs are real numbers, not of type {outputs.dtype}")
    if outputs.ndim > 2 or (outputs.shape[1] if outputs.ndim == 2 else 1) != length:
        raise ValueError(f"outputs have shape {outputs.shape} instead of (count, {length})")
    return outputs.astype("<f8").tobytes()


def _sequence(value, what):
    """The value, unless going through it would give its keys, give it in no order, or give its letters."""
    if isinstance(value, (Mapping, Set, str, bytes, bytearray)):
        raise TypeError(f"{what} is a {type(value).__name__}, {_short(value)}, where numbers are expected")
    return value


def _number(value):
    if isinstance(value, (str, bytes, bytearray)) or value is None:
        raise TypeError(f"{_short(value)} is not a number")
    return float(value)


def _short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


def _line(writer, message, payload=b""):
    writer.write(json.dumps(message).encode() + b"\n" + payload)
    writer.flush()

"""What an audit costs beyond the callable: `python benches/overhead.py` prints seconds of CPU time, the auditor's included.

Time of the callable itself is measured in the same run and taken off. CPU time, not that of the clock, so that other
work on the machine counts little.
"""
import os
import random
import time

import dp_assay

TRIALS = 100_000


def cpu() -> float:
    """Seconds of this process and of children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(f, pair, **settings):
    """(CPU seconds beyond the callable, calls of it, outputs) of one audit."""
    spent, calls, outputs = 0.0, 0, 0

    def timed(data, rng, count=1):
        nonlocal spent, calls, outputs
        began = time.process_time()
        output = f(data, rng, count) if settings.get("batched") else f(data, rng)
        spent += time.process_time() - began
        calls, outputs = calls + 1, outputs + count
        return output

    began = cpu()
    found = dp_assay.audit(timed if settings.get("batched") else lambda data, rng: timed(data, rng), eps=1.0,
                           neighbours="add-remove", inputs=pair, trials=TRIALS, **settings)
    total = cpu() - began
    return found, total, spent, outputs


def main() -> None:
    import numpy

    def laplace(data, rng, count):
        return data + rng.laplace(size=count)

    def vector(data, rng, count):
        return data + rng.laplace(scale=64, size=(count, 64))

    def number(data, rng):
        return data + rng.random()

    def text(data, rng):
        return WORDS[int(8 * rng.random())]

    def mapping(data, rng):
        return {"a": rng.random(), "b": WORDS[int(8 * rng.random())]}

    for name, f, settings in (("numpy batch", laplace, {"batched": True, "rng": "numpy"}),
                              ("numpy batch of 64", vector, {"batched": True, "rng": "numpy"}),
                              ("float", number, {}), ("text", text, {}), ("dict", mapping, {})):
        found, total, spent, outputs = measure(f, (0.0, 1e-3), **settings)
        beyond = total - spent
        print(f"{name:18} {found.verdict:16} {total:7.2f} s of CPU, {spent:6.2f} s the callable's, {outputs} outputs, "
              f"{1e6 * beyond / outputs:7.2f} µs each beyond it, {outputs / beyond:10.0f} a second")


WORDS = ["yes", "no", "perhaps", "never", "always", "soon", "late", "early"]

if __name__ == "__main__":
    main()

"""What an audit costs beyond the callable: `python benches/overhead.py` prints CPU time, the auditor's included.

The same number of runs of the callable alone is timed, too, and taken off. CPU time, not that of the clock: other work
on the machine then counts less, though it still slows what shares a core or a cache.
"""
import os
import time

import dp_assay

TRIALS = 100_000
WORDS = ["yes", "no", "perhaps", "never", "always", "soon", "late", "early"]


def cpu() -> float:
    """Seconds of this process and of children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(f, batch):
    """What an audit of 10⁵ pairs finds; its CPU seconds, those of the callable alone, and the number of outputs."""
    import numpy

    rng, outputs = numpy.random.default_rng(0), 0

    def batches(data, rng, count):
        nonlocal outputs
        outputs += count
        return f(data, rng, count)

    def once(data, rng):
        nonlocal outputs
        outputs += 1
        return f(data, rng)

    began = cpu()
    found = dp_assay.audit(batches if batch else once, eps=1.0, neighbours="add-remove", inputs=(0.0, 1e-3),
                           trials=TRIALS, rng="numpy", batched=batch)
    total = cpu() - began
    began = time.process_time()
    if batch:
        f(0.0, rng, outputs)
    else:
        for _ in range(outputs):
            f(0.0, rng)
    return found, total, time.process_time() - began, outputs


def main() -> None:
    callables = {
        "numpy, a number": (lambda data, rng, count: data + rng.laplace(size=count), True, 1),
        "numpy, 64 numbers": (lambda data, rng, count: data + rng.laplace(scale=64, size=(count, 64)), True, 64),
        "a float": (lambda data, rng: data + rng.random(), False, 1),
        "a text": (lambda data, rng: WORDS[int(8 * rng.random())], False, 1),
        "a dict of two": (lambda data, rng: {"a": rng.random(), "b": WORDS[int(8 * rng.random())]}, False, 1),
    }
    for name, (f, batch, numbers) in callables.items():
        found, total, own, outputs = measure(f, batch)
        beyond = total - own
        print(f"{name:18} {found.verdict:16} {total:6.2f} s of CPU, {own:5.2f} s the callable's, {outputs} outputs: beyond it "
              f"{1e6 * beyond / outputs / numbers:6.2f} µs a number or value, {outputs / beyond:9.0f} outputs a second")


if __name__ == "__main__":
    main()

"""Runs the plan: `python run.py` writes tests/data/world.csv; `python run.py NAME…` prints what those audits say.

Every audit errs with probability at most 10⁻⁶, the whole plan with at most the number of its specimens times that.
A row is appended as soon as its audit is done; rows that are there already are kept. `--seed N` draws other noise,
`--store FILE` writes elsewhere, `--jobs N` runs so many audits at a time.
"""
import argparse
import concurrent.futures
import csv
import datetime
import importlib.metadata
import os
import pathlib
import subprocess
import time

import dp_assay

from plan import BY_NAME, PLAN, Specimen

HERE = pathlib.Path(__file__).resolve().parent
STORE = HERE.parents[1] / "data" / "world.csv"
ALPHA = 1e-6
FIELDS = ["name", "library", "version", "mechanism", "neighbours", "stated", "claim", "verdict", "epsilon_lower",
          "must_see", "power", "pairs", "bits", "seconds", "seed", "date", "commit", "event", "reproduce"]


def look(specimen: Specimen, seed: int) -> dp_assay.Audit:
    """One audit against the specimen's own claim."""
    run, epsilon, delta = specimen.make()
    run.__qualname__ = specimen.name
    return dp_assay.audit(
        run, eps=epsilon, delta=delta, neighbours=specimen.neighbours, inputs=specimen.inputs, trials=specimen.pairs,
        alpha=ALPHA, seed=seed, bits=specimen.bits, rng="numpy", batched=True,
    )


def row(name: str, seed: int) -> dict:
    """What is stored of an audit."""
    specimen = BY_NAME[name]
    began = time.monotonic()
    report = look(specimen, seed).report
    claim = report["claim"]
    return {
        "name": specimen.name, "library": specimen.library, "version": importlib.metadata.version(specimen.library),
        "mechanism": specimen.mechanism, "neighbours": specimen.neighbours, "stated": specimen.stated,
        "claim": f"({claim['epsilon']:.6g}, {claim['delta']:.6g})", "verdict": report["verdict"],
        "epsilon_lower": f"{report['epsilon_lower']:.4f}", "must_see": report["must_see"],
        "power": _power(report), "pairs": report["samples"], "bits": specimen.bits,
        "seconds": f"{time.monotonic() - began:.1f}", "seed": seed, "date": datetime.date.today().isoformat(),
        "commit": commit(), "event": report["event"],
        "reproduce": f"python tests/python/world/run.py {specimen.name} --seed {seed}",
    }


def _power(report: dict) -> str:
    power = report["power"]
    return f"{power['epsilon']:.4f} with probability {power['probability']:g}" if power else ""


def commit() -> str:
    """The commit of this repository."""
    return subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=HERE, check=True, capture_output=True,
                          text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="specimens of the plan; all if none is named")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", type=pathlib.Path, default=STORE)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in BY_NAME]
    if unknown:
        parser.error(f"no specimen is called {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    if given.names:
        for name in given.names:
            print(look(BY_NAME[name], given.seed), flush=True)
        return
    fill(given.store, given.seed, given.jobs)


def fill(store: pathlib.Path, seed: int, jobs: int) -> None:
    """Runs what the store has no row of yet."""
    done = set()
    if store.exists():
        with store.open(newline="") as file:
            done = {stored["name"] for stored in csv.DictReader(file)}
    with store.open("a", newline="") as file, concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not done:
            writer.writeheader()
        found = [pool.submit(row, specimen.name, seed) for specimen in PLAN if specimen.name not in done]
        for future in concurrent.futures.as_completed(found):
            writer.writerow(future.result())
            file.flush()
            os.fsync(file.fileno())


if __name__ == "__main__":
    main()

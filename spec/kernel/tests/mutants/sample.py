"""Runs a random sample of the kernel's mutants, made by cargo-mutants (27.1), against the kernel's own tests.

    python3 spec/kernel/tests/mutants/sample.py SEED SIZE [CHUNK]   in the repository's root; writes result.tsv beside this file

The sample is drawn without replacement from what `mutants.toml` lets cargo-mutants list: all of what is trusted but the
rendering. Mutants that are in result.tsv already are not run again, so that a run that was stopped goes on; a survivor
that a new test may kill is run again once its row is deleted. The reason of a survivor is written into the table by hand.
"""

import csv
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TABLE = HERE / "result.tsv"
TOOL = ["cargo", "mutants", "--config", str(HERE / "mutants.toml"), "--package", "dp-assay-kernel"]
PLAIN = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
OUTCOMES = {"CaughtMutant": "caught", "MissedMutant": "missed", "Timeout": "timeout", "Unviable": "unviable"}


def listed():
    """The names of all mutants, without their columns."""
    told = subprocess.run(TOOL + ["--list", "--json"], capture_output=True, check=True, text=True)
    return sorted(mutant["name"] for mutant in json.loads(told.stdout))


def run(names):
    """What became of each."""
    with tempfile.TemporaryDirectory() as folder:
        only = "^(" + "|".join(re.escape(name).replace("\\ ", " ") for name in names) + ")$"
        subprocess.run(TOOL + ["--output", folder, "--no-shuffle", "--re", only], check=False)
        outcomes = json.loads((pathlib.Path(folder) / "mutants.out" / "outcomes.json").read_text())["outcomes"]
    told = {o["scenario"]["Mutant"]["name"]: o["summary"] for o in outcomes if o["scenario"] != "Baseline"}
    return {name: OUTCOMES[told[name]] for name in names}


def main(argv):
    seed, size, chunk = int(argv[1]), int(argv[2]), int(argv[3]) if len(argv) > 3 else 25
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, **PLAIN))
    known = {row["mutant"] for row in rows}
    drawn = listed()
    random.Random(seed).shuffle(drawn)
    left = [name for name in drawn[:size] if name not in known]
    for k in range(0, len(left), chunk):
        rows += [{"mutant": m, "outcome": o, "why": ""} for m, o in run(left[k : k + chunk]).items()]
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, ["mutant", "outcome", "why"], lineterminator="\n", **PLAIN)
            table.writeheader()
            table.writerows(sorted(rows, key=lambda row: row["mutant"]))


if __name__ == "__main__":
    main(sys.argv)

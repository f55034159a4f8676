"""What audits of public libraries found is stored; here it is held against the plan, the derivations and the report.

No audit runs here unless DP_ASSAY_WORLD is set: then the whole campaign does, with the versions of `requirements.txt`
and, installed without what they depend on, of `requirements-no-deps.txt`. What it finds stays in `target/world`.
"""
import csv
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import unittest

from world.derived import DERIVED
from world.plan import PLAN

# Derived, and too rare for the pairs at hand: their audits say that they would not have seen it.
TOO_RARE = {"diffprivlib-bingham", "opendp-eigenvector"}
# Of what the libraries offer: why it is not audited.
LEFT_OUT = {
    "make_private_expr": "needs Polars; its noise is that of make_noise",
    "make_private_lazyframe": "needs Polars; its noise is that of make_noise",
    "make_user_measurement": "what the caller writes",
    "make_proof_link": "no mechanism",
    "DPMachine": "no mechanism",
    "DPMechanism": "no mechanism",
    "TruncationAndFoldingMixin": "no mechanism",
    "nanstd": "the root of nanvar",
    "percentile": "calls quantile",
}
TESTS = pathlib.Path(__file__).resolve().parents[1]
WORLD = TESTS / "python" / "world"
FOUND = TESTS.parent / "src" / "audit" / "external" / "found.md"


def stored(name):
    """The rows of a file, named by its path or by its name among the data of tests."""
    with (TESTS / "data" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def pins():
    """The versions that the campaign is made with."""
    files = ("requirements.txt", "requirements-no-deps.txt")
    return dict(pin.split("==") for file in files for pin in (WORLD / file).read_text().split())


def epsilon(claim):
    return float(claim.strip("()").split(",")[0])


class Campaign(unittest.TestCase):
    def setUp(self):
        self.rows = stored("world.csv")
        self.by_name = {row["name"]: row for row in self.rows}
        self.versions = pins()

    def test_every_specimen_of_the_plan_has_its_row(self):
        self.assertEqual(sorted(s.name for s in PLAN), sorted(row["name"] for row in self.rows))
        for specimen in PLAN:
            row = self.by_name[specimen.name]
            with self.subTest(specimen.name):
                said = (specimen.library, specimen.mechanism, specimen.neighbours, specimen.stated, str(specimen.bits))
                self.assertEqual(said, tuple(row[k] for k in ("library", "mechanism", "neighbours", "stated", "bits")))
                self.assertEqual(self.versions[specimen.library], row["version"])
                # An audit that finds nothing takes all its pairs. One that finds something stops, and counts that again on at
                # most half as many.
                pairs = int(row["pairs"])
                if row["verdict"] == "VIOLATION":
                    self.assertLessEqual(2 * pairs, 3 * specimen.pairs)
                    self.assertGreater(pairs, 1000)
                else:
                    self.assertEqual(pairs, specimen.pairs)
                self.assertEqual(row["reproduce"], f"python tests/python/world/run.py {row['name']} --seed {row['seed']}")
                self.assertRegex(row["date"], r"^\d{4}-\d\d-\d\d$")
                self.assertRegex(row["commit"], "^[0-9a-f]{12}$")

    def test_what_the_libraries_offer_is_in_the_plan_or_left_out_by_name(self):
        try:
            import diffprivlib.mechanisms
            import diffprivlib.tools
            import opendp.measurements
        except ImportError:
            self.skipTest("SKIPPED: opendp or diffprivlib is not installed")
        for module, prefix in ((opendp.measurements, "make_"), (diffprivlib.mechanisms, ""), (diffprivlib.tools, "")):
            offered = [
                name for name, value in vars(module).items()
                if name.startswith(prefix) and not name.startswith("_") and callable(value)
                and value.__module__.startswith(module.__name__)
            ]
            self.assertGreater(len(offered), 10)
            said = " ".join(s.mechanism for s in PLAN if module.__name__.startswith(s.library))
            for name in offered:
                with self.subTest(name):
                    self.assertTrue(re.search(rf"\b{name}\b", said) or name in LEFT_OUT)

    def test_a_pass_had_the_power_that_it_states(self):
        for row in self.rows:
            with self.subTest(row["name"]):
                self.assertIn(row["verdict"], ("PASS-WITH-POWER", "VIOLATION", "INCONCLUSIVE"))
                self.assertGreater(float(row["must_see"]), epsilon(row["claim"]))
                if row["verdict"] == "PASS-WITH-POWER":
                    seen, probability = map(float, row["power"].split(" with probability "))
                    self.assertLessEqual(seen, float(row["must_see"]))
                    self.assertGreaterEqual(probability, 0.9)
                    self.assertLessEqual(float(row["epsilon_lower"]), epsilon(row["claim"]))
                elif row["verdict"] == "INCONCLUSIVE" and row["power"]:
                    self.assertGreater(float(row["power"].split()[0]), float(row["must_see"]))

    def test_every_violation_is_derived_by_hand_too(self):
        violations = {row["name"] for row in self.rows if row["verdict"] == "VIOLATION"}
        self.assertEqual(violations, set(DERIVED) - TOO_RARE)
        for name, derive in DERIVED.items():
            row, derived = self.by_name[name], derive()
            with self.subTest(name):
                self.assertEqual(row["verdict"], "INCONCLUSIVE" if name in TOO_RARE else "VIOLATION")
                self.assertGreater(derived, epsilon(row["claim"]))
                # What was measured is a lower end: it cannot exceed the loss of the worst output.
                self.assertLessEqual(float(row["epsilon_lower"]), derived)

    def test_the_report_cites_what_is_stored(self):
        text = FOUND.read_text(encoding="utf-8")
        cited = re.findall(r"^\| `((?:opendp|diffprivlib)-[a-z-]+)` \| (\(.+?\)) \| ([A-Z-]+) \| ε ≥ ([\d.]+) \|", text, re.M)
        named = {name for name, *_ in cited}
        self.assertEqual(named, {row["name"] for row in self.rows if row["verdict"] != "PASS-WITH-POWER"})
        for name, claim, verdict, lower in cited:
            row = self.by_name[name]
            self.assertEqual((row["claim"], row["verdict"], f"{float(row['epsilon_lower']):.2f}"), (claim, verdict, lower))
        passes = len(self.rows) - len(named)
        self.assertIn(f"{len(self.rows)} audits", text)
        self.assertIn(f"{passes} passed", text)


@unittest.skipUnless(os.environ.get("DP_ASSAY_WORLD"), "SKIPPED: DP_ASSAY_WORLD=1 runs all audits again, half an hour")
class Again(unittest.TestCase):
    """The campaign in one go, against what is stored. 72 audits err with probability at most 72 × 10⁻⁶ in all."""

    def run_again(self, script, name):
        """The rows that a script finds."""
        folder = TESTS.parent / "target" / "world"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        subprocess.run([sys.executable, str(WORLD / script), "--store", str(folder / name)], check=True)
        return stored(folder / name)

    def setUp(self):
        for name, version in pins().items():
            self.assertEqual(version, importlib.metadata.version(name))

    def test_no_audit_contradicts_what_is_stored(self):
        rows = {row["name"]: row for row in self.run_again("run.py", "world.csv")}
        self.assertEqual({specimen.name for specimen in PLAN}, rows.keys())
        for before in stored("world.csv"):
            row = rows[before["name"]]
            with self.subTest(row["name"]):
                self.assertEqual(before["claim"], row["claim"])
                # An audit that was undecided may come to see; one that saw may not take it back.
                self.assertNotEqual({"VIOLATION", "PASS-WITH-POWER"}, {before["verdict"], row["verdict"]})

    def test_accountants_claim_what_they_claimed(self):
        rows = self.run_again("accountants.py", "world_accountants.csv")
        before = stored("world_accountants.csv")
        self.assertEqual(len(before), len(rows))
        for first, second in zip(before, rows):
            with self.subTest(first["event"], accountant=first["accountant"]):
                for key in ("library", "accountant", "event", "delta", "below"):
                    self.assertEqual(first[key], second[key])


class Accountants(unittest.TestCase):
    def test_no_accountant_claims_less_than_is_certain(self):
        rows = stored("world_accountants.csv")
        self.assertEqual({str(tree) for tree in range(50)}, {row["tree"] for row in rows})
        counted = {}
        for row in rows:
            with self.subTest(row["event"], accountant=(row["library"], row["accountant"])):
                self.assertLess(0, float(row["lower"]))
                self.assertLessEqual(float(row["lower"]), float(row["upper"]))
                if row["claim"] == "unsupported":
                    # dp-accounting's Rényi accountant has no sampled Laplace noise.
                    self.assertEqual(("dp-accounting", "rdp"), (row["library"], row["accountant"]))
                    self.assertRegex(row["event"], "Laplace.*sampled")
                    continue
                counted[row["library"], row["accountant"]] = counted.get((row["library"], row["accountant"]), 0) + 1
                below = float(row["claim"]) < float(row["lower"])
                self.assertEqual(str(below), row["below"])
                self.assertFalse(below)
                if row["accountant"] == "pld":
                    self.assertLessEqual(float(row["upper"]), float(row["claim"]) * (1 + 1e-8))
        text = FOUND.read_text(encoding="utf-8")
        for (library, accountant), trees in counted.items():
            self.assertIn(f"| {library} | {accountant.upper()} | {trees} | 0 |", text)
        self.assertEqual(50, counted["dp-accounting", "pld"])
        apart = max(float(row["upper"]) - float(row["lower"]) for row in rows)
        self.assertIn(f"at most {apart:.1e} of ε apart", text)


if __name__ == "__main__":
    unittest.main()

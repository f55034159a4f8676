"""The package as a user of Python meets it. Needs nothing but the program; where other libraries are, they are met too."""
import collections
import csv
import dataclasses
import importlib
import importlib.metadata
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import types
import unittest
import warnings

import dp_assay
from dp_assay.client import doubles, encode, line, outcome
from zoo import ZOO, look


class Accounting(unittest.TestCase):
    def test_every_event_is_understood(self):
        g = dp_assay.Gaussian(2.0)
        events = [
            g, dp_assay.Laplace(2.0), dp_assay.DiscreteGaussian(3.0), dp_assay.DiscreteLaplace(0.5),
            dp_assay.RandomizedResponse(0.5, 4), dp_assay.Exponential(0.5), dp_assay.ReportNoisyMax([1, 1], [2, 2]),
            dp_assay.CorrelatedGaussian([[4, 1], [1, 4]], [[1, 0], [0, 1]]), dp_assay.Pure(1.0),
            dp_assay.Approximate(0.5, 1e-7), dp_assay.Zcdp(0.1), dp_assay.Gdp(0.5), dp_assay.PoissonSampled(0.1, g),
            dp_assay.FixedSizeSampled(100, 10, g), dp_assay.Repeated(3, g), dp_assay.Composed([g, dp_assay.Pure(1.0)]),
            dp_assay.Parallel("by-index", [g, g]), dp_assay.MatrixGaussian(2.0, [1.0, 0.5]),
            dp_assay.TruncatedPoissonSampled("1/10", 20, 100, g), dp_assay.RandomAllocation(4, 2, g),
            dp_assay.BallsInBins(4, g), dp_assay.BMinSeparation(8, 2, 0.1, g),
            dp_assay.GaussianMixture(2.0, [0, 1], [0.5, 0.5]), dp_assay.PrivateSelection(2.0, [g, dp_assay.Gaussian(2.0)]),
        ]
        self.assertEqual(len({e.kind() for e in events}), len(dp_assay.Event.__subclasses__()))
        for event in events:
            relation = "replace-one" if event.kind() in ("fixed-size-sampled", "randomized-response") else "add-remove"
            found = dp_assay.account(event, delta=1e-5, neighbours=relation)
            self.assertLess(0, found.upper, event)
            self.assertLessEqual(found.lower, found.upper, event)

    def test_events_mirror_the_tree_field_by_field(self):
        printed = subprocess.run(
            [sys.executable, "-m", "dp_assay", "schema", "event"], check=True, capture_output=True, text=True
        ).stdout
        ours = {kind.kind(): kind for kind in dp_assay.Event.__subclasses__()}
        for node in json.loads(printed)["oneOf"]:
            properties = dict(node["properties"])
            kind = ours.pop(properties.pop("kind")["const"])
            with self.subTest(kind):
                fields = {field.name: field for field in dataclasses.fields(kind)}
                self.assertEqual(properties.keys(), fields.keys())
                needed = {name for name, field in fields.items() if field.default is dataclasses.MISSING}
                self.assertEqual(set(node["required"]) - {"kind"}, needed)
                for name in fields.keys() - needed:
                    self.assertEqual(properties[name].get("default", False), fields[name].default)
        self.assertEqual({}, ours)

    def test_a_result_says_all_that_it_rests_on(self):
        found = dp_assay.account(dp_assay.Gaussian(1.0), 1e-5)
        # Balle and Wang's equation, solved with 50 digits.
        self.assertAlmostEqual(found.upper, 4.377178095681225, places=12)
        for word in ("lower=", "upper=", "method='exact'", "theorem='Balle and Wang", "neighbours='add-remove'"):
            self.assertIn(word, repr(found))

    def test_the_free_number_of_an_event_is_found(self):
        steps = lambda sigma: dp_assay.Repeated(1000, dp_assay.PoissonSampled(0.01, dp_assay.Gaussian(sigma)))
        found = dp_assay.calibrate(steps(dp_assay.FREE), epsilon=1, delta=1e-5)
        self.assertLessEqual(found.account.upper, 1)
        # A thousandth less noise is too little.
        self.assertGreater(dp_assay.account(steps(0.999 * found.value), 1e-5).lower, 1)
        with self.assertRaisesRegex(ValueError, "free"):
            dp_assay.calibrate(steps(1.0), epsilon=1, delta=1e-5)

    def test_refusals_say_why(self):
        with self.assertRaisesRegex(ValueError, "standard deviation"):
            dp_assay.account(dp_assay.Gaussian(-1.0), 1e-5)
        with self.assertRaisesRegex(ValueError, "no finite epsilon"):
            dp_assay.account(dp_assay.Gaussian(1.0), 0.0)
        with self.assertRaisesRegex(ValueError, "unknown variant"):
            dp_assay.account({"kind": "gauss", "sigma": 1.0}, 1e-5)
        with self.assertRaisesRegex(ValueError, "must lie in"):
            dp_assay.account(dp_assay.Gaussian(1.0), float("nan"))
        self.assertGreater(dp_assay.account(dp_assay.Gaussian(1.0), 1e-5).upper, 4)  # the program lives on

    def test_curves_lie_on_the_safe_side_of_the_known_ones(self):
        from statistics import NormalDist

        normal = NormalDist()
        for wrong in (-1, 2, float("nan")):
            with self.assertRaisesRegex(ValueError, "a type I error lies in"):
                dp_assay.trade_off_curve(dp_assay.Gaussian(1.0), [0.5, wrong])
        alphas, betas = dp_assay.trade_off_curve(dp_assay.Gaussian(1.0))
        for alpha, beta in zip(alphas, betas):
            exact = normal.cdf(normal.inv_cdf(1 - alpha) - 1) if 0 < alpha < 1 else 1 - alpha
            self.assertLessEqual(beta, exact + 1e-9)
            self.assertGreater(beta, exact - 0.02)
        epsilons, deltas = dp_assay.profile(dp_assay.Gaussian(1.0))
        for epsilon, delta in zip(epsilons, deltas):
            exact = normal.cdf(0.5 - epsilon) - 2.718281828459045**epsilon * normal.cdf(-0.5 - epsilon)
            self.assertGreaterEqual(delta, exact * (1 - 1e-6) - 1e-13)

    def test_curves_are_arrays_that_are_drawn(self):
        class Axes:
            def __init__(self):
                self.calls = []

            def __getattr__(self, name):
                return lambda *arguments: self.calls.append((name, arguments))

        for curve in (dp_assay.profile(dp_assay.Gaussian(1.0)), dp_assay.trade_off_curve(dp_assay.Gaussian(1.0))):
            self.assertTrue(all(memoryview(part).format == "d" for part in curve))
            self.assertIn(("plot", tuple(curve)), curve.plot(Axes()).calls)
            try:
                import matplotlib
            except ImportError:
                continue
            matplotlib.use("agg")
            [line] = curve.plot().get_lines()
            self.assertEqual(list(curve[1]), list(line.get_ydata()))

    def test_histories_of_opacus_are_read(self):
        class Accountant:
            history = [(1.0, 0.01, 500), (1.0, 0.01, 500)]

        ours = dp_assay.account(dp_assay.from_opacus(Accountant()), 1e-5)
        at_once = dp_assay.Repeated(1000, dp_assay.PoissonSampled(0.01, dp_assay.Gaussian(1.0)))
        self.assertAlmostEqual(ours.upper, dp_assay.account(at_once, 1e-5).upper, places=6)


class Interop(unittest.TestCase):
    def test_thirty_trees_of_dp_accounting(self):
        """Our upper end is no larger than theirs, which is an upper bound; theirs is not below our lower end."""
        try:
            import dp_accounting
            from dp_accounting.pld import PLDAccountant
        except ImportError:
            self.skipTest("SKIPPED: dp-accounting is not installed")
        draw = random.Random(2026)

        def leaf():
            if draw.random() < 0.5:
                return dp_accounting.GaussianDpEvent(draw.uniform(0.8, 4))
            return dp_accounting.LaplaceDpEvent(draw.uniform(1, 6))

        def part():
            event = leaf()
            if draw.random() < 0.6:
                event = dp_accounting.PoissonSampledDpEvent(draw.uniform(0.01, 0.5), event)
            return dp_accounting.SelfComposedDpEvent(event, draw.randint(1, 30))

        for _ in range(30):
            event = dp_accounting.ComposedDpEvent([part() for _ in range(draw.randint(1, 3))])
            delta = 10 ** draw.uniform(-9, -3)
            theirs = PLDAccountant().compose(event).get_epsilon(delta)
            ours = dp_assay.account(event, delta)
            with self.subTest(event=event, delta=delta):
                # Their sums are rounded to nearest, so that the last of nine digits may err either way.
                self.assertLessEqual(ours.upper, theirs * (1 + 1e-8))
                self.assertLessEqual(ours.lower, theirs * (1 + 1e-8))
                self.assertGreater(ours.lower, 0)


    def test_every_other_event_of_dp_accounting(self):
        """Each kind that theirs and ours both account for: the same event, hence theirs is not below our lower end."""
        try:
            import dp_accounting
            from dp_accounting import dp_event as theirs
            from dp_accounting.pld import PLDAccountant
            from dp_accounting.rdp import RdpAccountant
        except ImportError:
            self.skipTest("SKIPPED: dp-accounting is not installed")
        gaussian, replaced = theirs.GaussianDpEvent(1.5), dp_accounting.NeighboringRelation.REPLACE_ONE
        events = [
            (theirs.DiscreteLaplaceDpEvent(0.7, 2), PLDAccountant(), "add-remove"),
            (theirs.RandomizedResponseDpEvent(0.4, 5), PLDAccountant(replaced), "replace-one"),
            (theirs.ZCDpEvent(0.05), RdpAccountant(), "add-remove"),
            (theirs.TruncatedSubsampledGaussianDpEvent(100, 0.1, 15, 2.0), PLDAccountant(), "add-remove"),
        ]
        for event, accountant, neighbours in events:
            with self.subTest(event):
                ours = dp_assay.account(event, 1e-6, neighbours)
                claimed = accountant.compose(event).get_epsilon(1e-6)
                self.assertLessEqual(ours.lower, claimed * (1 + 1e-8))
                self.assertLessEqual(ours.upper, claimed * (1 + 1e-8))
        # Its noise is over one record's presence, which a replacement moves by up to twice that.
        for event in (gaussian, theirs.SelfComposedDpEvent(theirs.ComposedDpEvent([gaussian]), 3)):
            ours = dp_assay.account(event, 1e-6, "replace-one")
            claimed = PLDAccountant(replaced).compose(event).get_epsilon(1e-6)
            self.assertLessEqual(ours.lower, claimed * (1 + 1e-8))
            self.assertAlmostEqual(ours.upper / claimed, 1.0, 3)
        batch = theirs.SampledWithoutReplacementDpEvent(1000, 50, gaussian)
        claimed = RdpAccountant(None, replaced).compose(batch).get_epsilon(1e-6)
        moved = lambda by: dp_assay.FixedSizeSampled(1000, 50, dp_assay.Gaussian(1.5, by))
        # What a replacement moves by 1, a record's presence moves by 1/2.
        self.assertLessEqual(dp_assay.account(moved(0.5), 1e-6, "replace-one").upper, claimed)
        self.assertEqual(moved(1.0), dp_assay.from_dp_accounting(batch))
        again = dp_assay.from_dp_accounting(theirs.SampledWithReplacementDpEvent(1000, 50, gaussian))
        self.assertEqual(dp_assay.FixedSizeSampled(1000, 50, dp_assay.Gaussian(1.5), replacement=True), again)
        for refused in (theirs.ZCDpEvent(0.05, 0.1), theirs.NonPrivateDpEvent(), theirs.SelfComposedDpEvent(gaussian, 2.5),
                        theirs.GaussianDpEvent(0.0)):
            with self.assertRaises(ValueError):
                dp_assay.account(refused, 1e-6)

    def test_golden_trees_of_dp_accounting(self):
        """Trees and ε of its own tests (pld_privacy_accountant_test.py), with the tolerances that those have."""
        try:
            from dp_accounting import dp_event as theirs
        except ImportError:
            self.skipTest("SKIPPED: dp-accounting is not installed")
        times, laplace = theirs.SelfComposedDpEvent, theirs.LaplaceDpEvent
        cut = lambda size: theirs.TruncatedSubsampledGaussianDpEvent(size, 0.5, 2, 1.0)
        golden = [
            (times(theirs.PoissonSampledDpEvent(0.2, theirs.GaussianDpEvent(0.5)), 3), 0.15594, 1.0, 1e-3),
            (times(theirs.PoissonSampledDpEvent(0.2, laplace(0.5)), 3), 1e-14, 2.46964, 1e-3),
            (theirs.ComposedDpEvent([times(laplace(1.0), 3), times(laplace(2.0), 2)]), 1e-14, 4.0, 1e-6),
            (theirs.ComposedDpEvent([times(cut(4), 3), times(cut(3), 2)]), 1e-6, 17.90433, 1e-6),
        ]
        for event, delta, epsilon, tolerance in golden:
            with self.subTest(event):
                ours = dp_assay.account(event, delta)
                self.assertLessEqual(ours.lower, epsilon + tolerance)
                self.assertLessEqual(ours.upper, epsilon + tolerance)

    def test_plans_of_jax_privacy_are_read(self):
        """Such a plan carries its event as `dp_event`."""
        class Plan:
            dp_event = type("GaussianDpEvent", (), {"noise_multiplier": 2.0})()

        self.assertEqual(dp_assay.account(dp_assay.Gaussian(2.0), 1e-6), dp_assay.account(Plan(), 1e-6))


class Audits(unittest.TestCase):
    def test_the_zoo_is_told_apart(self):
        """Error 10⁻⁶ an audit; that every broken one is caught is what was seen over 20 seeds."""
        for specimen in ZOO:
            with self.subTest(specimen.run.__name__):
                verdict = look(specimen, seed=7).verdict
                if specimen.sound:
                    self.assertNotEqual(verdict, "VIOLATION")
                else:
                    self.assertEqual(verdict, "VIOLATION")

    def test_twenty_master_seeds_told_every_specimen_apart(self):
        """The stored campaign (`python zoo.py 20`): false alarms at most 10⁻⁶ an audit; every broken one caught."""
        path = pathlib.Path(__file__).parent.parent / "data" / "python-zoo.csv"
        with path.open() as file:
            rows = list(csv.DictReader(file))
        for specimen in ZOO:
            verdicts = [row["verdict"] for row in rows if row["name"] == specimen.run.__name__]
            self.assertEqual(len(verdicts), 20)
            if specimen.sound:
                self.assertNotIn("VIOLATION", verdicts)
            else:
                self.assertEqual({"VIOLATION"}, set(verdicts))

    def test_the_same_seed_gives_the_same_audit(self):
        wrong = next(s for s in ZOO if s.run.__name__ == "histogram_of_found_keys")
        first, again, other = (look(wrong, seed) for seed in (1, 1, 2))
        self.assertEqual(first.counterexample, again.counterexample)
        self.assertEqual([1, 2], [found.report["seed"] for found in (first, other)])

    def test_what_cannot_be_audited_is_refused(self):
        def count(data, rng):
            return len(data) + rng.expovariate(1) - rng.expovariate(1)

        def of(f=count, **settings):
            given = {"eps": 1, "neighbours": "add-remove", "inputs": ([1], [1, 2]), **settings}
            return dp_assay.audit(f, **given)

        with self.assertRaisesRegex(ValueError, "equal"):
            of(inputs=([1], [1]))
        with self.assertRaisesRegex(ValueError, "two neighbouring"):
            of(inputs=[1, 2, 3])
        with self.assertRaisesRegex(ValueError, "rng"):
            of(rng="torch")
        with self.assertRaisesRegex(ValueError, "unknown variant `cousins`"):
            of(neighbours="cousins")
        with self.assertRaisesRegex(ValueError, "epsilon is nan: it must be finite"):
            of(eps=float("nan"))
        with self.assertRaisesRegex(RuntimeError, "every run"):
            of(lambda data: 1 / 0)
        with self.assertRaisesRegex(ValueError, "no content"):
            of(lambda data: object())
        self.assertEqual(of(lambda data: "same").verdict, "INCONCLUSIVE")
        with self.assertRaises(TypeError):
            bool(of(trials=2000))

    def test_an_audit_that_begins_again_has_spent_half_of_its_error(self):
        def noisy(data, rng):
            return len(data) + rng.expovariate(1) - rng.expovariate(1)

        def turns(data, rng):
            answer = noisy(data, rng)
            # Of the 32 runs that find out the form one reaches 9 with probability 1/100 (the seeds are fixed), of all runs
            # some do, and the audit begins again.
            return answer if answer < 9 else str(answer)

        def of(f, **settings):
            return dp_assay.audit(f, eps=1, neighbours="add-remove", inputs=([1], [1, 2]), trials=8000, **settings).report

        for asked in (1e-6, 0.25):
            # Either of two audits accuses with half of the error; a form that is known from the start needs no second.
            self.assertEqual(of(turns, alpha=asked)["alpha"], asked / 2)
            self.assertEqual(of(noisy, alpha=asked)["alpha"], asked / 2)
            self.assertEqual(of(lambda data, rng: str(noisy(data, rng)), alpha=asked)["alpha"], asked)
        with self.assertRaisesRegex(ValueError, "alpha = 1.5 must lie strictly between 0 and 1"):
            of(noisy, alpha=1.5)

    def test_inputs_that_a_run_uses_up_or_changes_are_refused(self):
        def emptied(data, rng):
            total = 0
            while data:
                total += data.pop()
            return total + rng.gauss(0, 9)

        def grown(data, rng):
            data.append(1)
            return rng.gauss(0, 9)

        def summed(data, rng):
            return sum(data) + rng.gauss(0, 9)

        cases = [
            (summed, lambda: (iter([1]), iter([1, 1])), "which the first run uses up"),
            (summed, lambda: (map(int, "1"), map(int, "11")), "which the first run uses up"),
            (emptied, lambda: ([1], [1, 1]), "a run changes its input"),
            (grown, lambda: ([1], [1, 1]), "a run changes its input"),
        ]
        for mechanism, inputs, why in cases:
            with self.subTest(mechanism.__name__), self.assertRaisesRegex(dp_assay.DpAssayError, why):
                dp_assay.audit(mechanism, eps=1, neighbours="add-remove", inputs=inputs(), trials=1000)

    def test_a_served_input_that_a_run_changes_or_uses_up_is_refused(self):
        empties = "lambda d, rng: sum(d.pop() for _ in range(len(d))) + rng.gauss(0, 9)"
        sums = "lambda d, rng: sum(d) + rng.gauss(0, 9)"
        cases = [
            (f"{empties}", "a run changes its input"),
            (f"{empties}, length=dp_assay.ANY", "a run changes its input"),
            (f"{sums}, load=iter", "which the first run uses up"),
        ]
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            place.joinpath("a.json").write_text("[1]")
            place.joinpath("b.json").write_text("[1, 1]")
            for how, why in cases:
                place.joinpath("served.py").write_text(f"import dp_assay\ndp_assay.serve({how})\n")
                with self.subTest(how):
                    found = subprocess.run(
                        [sys.executable, "-m", "dp_assay", "audit", "external", "--command", f"{sys.executable} served.py",
                         "--claim", "eps=1,delta=0", "--neighbours", "add-remove", "--input0", "a.json", "--input1", "b.json"],
                        capture_output=True, text=True, cwd=folder,
                    )
                    self.assertEqual(found.returncode, 2, found.stdout)
                    self.assertIn(why, found.stderr)

    def test_numbers_of_every_kind_are_numbers(self):
        """An answer with Laplace noise is as private as a fraction, a decimal or an array: error 10⁻⁶ an audit."""
        from decimal import Decimal
        from fractions import Fraction

        kinds = [Decimal, Fraction]
        try:
            import numpy
            kinds += [numpy.array, numpy.float16, numpy.longdouble, lambda x: [numpy.longdouble(x)]]
        except ImportError:
            pass
        for kind in kinds:
            def noisy(data, rng):
                return kind(data[0] + rng.expovariate(1) - rng.expovariate(1))

            with self.subTest(kind):
                found = dp_assay.audit(noisy, eps=1, neighbours="replace-one", inputs=([0], [1]), trials=40_000)
                self.assertEqual("PASS-WITH-POWER", found.verdict)
        self.assertEqual(encode(Decimal("1e-400")), "1E-400")
        with self.assertRaisesRegex(ValueError, "nearer to 0 than to any other double"):
            doubles([Decimal("1e-400")], 1)

    def test_texts_that_are_no_characters_are_sent(self):
        """Names of files may hold bytes that are no UTF-8: Python has halves of surrogate pairs for them."""
        sent = json.loads(line({"outputs": ["\udcff", "\\udcff", "\N{GRINNING FACE}", "\\\ud800"]}))["outputs"]
        self.assertEqual(sent, ["\\udcff", "\\udcff", "\N{GRINNING FACE}", "\\\\ud800"])

    def test_outputs_without_content_are_refused(self):
        def refused(f, words):
            with self.assertRaisesRegex(ValueError, words):
                dp_assay.audit(f, eps=1, neighbours="replace-one", inputs=([0], [1]))

        def circle(data):
            around = []
            around.append(around)
            return around

        refused(lambda data: (x for x in data), "of type generator has no content")
        refused(lambda data: lambda: 1, "of type function has no content")
        refused(circle, "RecursionError")

    def test_inputs_that_look_alike_in_words_are_not_taken_for_equal(self):
        class Long(list):
            def __repr__(self):
                return f"[{self[0]}, ..., {self[-1]}]"

        found = dp_assay.audit(
            lambda data, rng: sum(data) + rng.expovariate(1) - rng.expovariate(1),
            eps=1, neighbours="replace-one", inputs=(Long([0, 0, 0]), Long([0, 1, 0])), trials=20_000,
        )
        # A violation by accident has probability 1e-6; 20,000 pairs are enough for a pass by default.
        self.assertEqual(found.verdict, "PASS-WITH-POWER")

    def test_an_event_with_a_number_that_is_none_is_refused_by_its_place(self):
        with self.assertRaisesRegex(ValueError, r"event\['sigma'\] is inf: it must be finite"):
            dp_assay.account({"kind": "gaussian", "sigma": float("inf")}, delta=1e-5)

    def test_a_run_that_takes_too_long_is_an_output(self):
        import time
        from dp_assay.auditing import _Host

        host = _Host(lambda data: time.sleep(5) if data else "done", [([], [1])], "python", False, 0.05)
        [quick], [slow] = (host._outputs(0, side, 0, 0, 1) for side in (0, 1))
        self.assertEqual(quick, "done")
        self.assertEqual(encode(slow), {"raised": ["TimeoutError", ""]})
        self.assertEqual(encode(outcome(time.sleep, 5, timeout=0.05)), encode(slow))
        with self.assertRaisesRegex(ValueError, "length=ANY"):
            dp_assay.serve(time.sleep, timeout=0.05)

    def test_what_became_of_every_generator_is_said(self):
        def said(f, **settings):
            given = {"eps": 9, "neighbours": "add-remove", "inputs": ([1], [1, 2]), "trials": 100, **settings}
            return dp_assay.audit(f, **given).randomness

        given = said(lambda data, rng: rng.random())
        own = said(lambda data: random.random())
        self.assertIn("the random.Random that the function is given, seeded by the audit", given)
        self.assertIn("the mechanism's own", own)
        for text in (given, own):
            self.assertRegex(text, "random and numpy.random are seeded .* and restored, a library's or the system's is left alone")

    def test_generators_of_the_caller_are_left_as_they_were(self):
        random.seed(3)
        before = random.getstate()
        dp_assay.audit(
            lambda data: len(data) + random.expovariate(1) - random.expovariate(1),
            eps=1, neighbours="add-remove", inputs=([1], [1, 2]), trials=1000,
        )
        self.assertEqual(before, random.getstate())

    def test_numpy_in_batches(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("SKIPPED: numpy is not installed")

        def noisy(data, rng, count):
            return data.sum() + rng.laplace(size=count)

        inputs = (numpy.zeros(3), numpy.ones(1))
        right = dp_assay.audit(noisy, eps=1, neighbours="add-remove", inputs=inputs, batched=True, rng="numpy")
        self.assertEqual(right.verdict, "PASS-WITH-POWER")
        wrong = dp_assay.audit(noisy, eps=0.5, neighbours="add-remove", inputs=inputs, batched=True, rng="numpy")
        self.assertEqual(wrong.verdict, "VIOLATION")

    def test_pairs_from_a_strategy(self):
        try:
            from hypothesis import strategies as st
        except ImportError:
            self.skipTest("SKIPPED: hypothesis is not installed")
        data = st.lists(st.integers(0, 9), min_size=1, max_size=4)
        # The largest value alone moves the sum by more than 1.
        pairs = data.map(lambda d: (d[:-1], d))
        found = dp_assay.audit(
            lambda data, rng: sum(data) + rng.expovariate(1) - rng.expovariate(1),
            eps=1, neighbours="add-remove", inputs=pairs,
        )
        self.assertEqual(found.verdict, "VIOLATION")


    def test_pairs_are_made_of_records(self):
        try:
            from hypothesis import strategies as st
        except ImportError:
            self.skipTest("SKIPPED: hypothesis is not installed")

        def of(pairs, eps=1):
            return dp_assay.audit(
                lambda data, rng: sum(data) + rng.expovariate(1) - rng.expovariate(1),
                eps=eps, neighbours="add-remove", inputs=pairs,
            ).verdict

        bits, amounts = st.integers(0, 1), st.integers(0, 5)
        self.assertEqual(of(dp_assay.neighbouring(bits, "add-remove")), "PASS-WITH-POWER")
        self.assertEqual(of(dp_assay.neighbouring(amounts, "add-remove")), "VIOLATION")
        self.assertEqual(of(dp_assay.neighbouring(amounts, "replace-one")), "VIOLATION")
        with self.assertRaisesRegex(ValueError, "strategies are made for"):
            dp_assay.neighbouring(bits, "user")


    def test_equal_inputs_are_refused_however_they_are_nested(self):
        numpy = needs("numpy")
        rows = numpy.ones((3, 2))
        for one, other in (
            ((rows, [0.0]), (rows.copy(), [0.0])), ([rows], [rows.copy()]), ({"x": rows}, {"x": rows.copy()}),
            ([float("nan")], [float("nan")]), (rows[0], rows[0].copy()),
        ):
            with self.subTest(one), self.assertRaisesRegex(ValueError, "the two inputs are equal"):
                dp_assay.audit(lambda data, rng: rng.random(), eps=1, neighbours="add-remove", inputs=(one, other))

    def test_an_input_that_no_run_may_use_up_is_seen_or_said_not_to_be(self):
        class Loader:
            def __init__(self, records):
                self.records = records

        def noisy(data, rng):
            return sum(data.records) + rng.expovariate(1) - rng.expovariate(1)

        settings = {"eps": 1, "neighbours": "replace-one", "trials": 100}
        with self.assertRaisesRegex(ValueError, "a run changes its input"):
            dp_assay.audit(noisy, inputs=(Loader(iter([0, 1])), Loader(iter([1, 1]))), **settings)
        with self.assertWarnsRegex(UserWarning, "Loader cannot be written down"):
            dp_assay.audit(noisy, inputs=(Loader(x for x in [0, 1]), Loader(x for x in [1, 1])), **settings)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            dp_assay.audit(noisy, inputs=(Loader([0, 1]), Loader([1, 1])), **settings)

    def test_a_timeout_is_a_time_of_single_runs(self):
        settings = {"eps": 1, "neighbours": "replace-one", "inputs": ([0], [1])}
        for wrong in (0, -1, float("nan"), float("inf"), "1", True):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "timeout is .*: it must be a number of seconds"):
                dp_assay.audit(lambda data, rng: rng.random(), timeout=wrong, **settings)
        with self.assertRaisesRegex(ValueError, "it is of single runs"):
            dp_assay.audit(lambda data, rng, count: [0.0] * count, timeout=1, batched=True, **settings)


class Values(unittest.TestCase):
    def test_values_are_written_as_the_format_says(self):
        self.assertEqual(encode(float("nan")), {"real": "nan"})
        self.assertEqual(encode(float("-inf")), {"real": "-inf"})
        self.assertEqual(encode({"a": (1, 2.0)}), {"map": [["a", [1, 2.0]]]})
        self.assertEqual(encode(ValueError("x")), {"raised": ["ValueError", "x"]})
        self.assertEqual(sorted(encode({3, 1})["set"]), [1, 3])
        self.assertEqual(json.dumps(encode([True, 1, 1.0])), "[true, 1, 1.0]")

    def test_whole_numbers_are_never_rounded(self):
        least, most = -(1 << 63), (1 << 63) - 1
        self.assertEqual(encode([least, most, least - 1, most + 1]), [least, most, str(least - 1), str(most + 1)])
        self.assertEqual(encode({10**400: 1 << 70}), {"map": [[str(10**400), str(1 << 70)]]})
        for exact in (-(1 << 53), 10**18, 1 << 1023):
            self.assertEqual(len(doubles([exact], 1)), 8)
        for rounded in ((1 << 53) + 1, -(1 << 60) - 1, 1 << 1024):
            with self.assertRaisesRegex(ValueError, "is no double"):
                doubles([rounded], 1)


    def test_nothing_of_an_output_is_left_out(self):
        class Model:
            def __init__(self, weights):
                self.weights = weights

            def __repr__(self):
                return "Model()"

        Step = collections.namedtuple("Step", "weights loss")
        fields = {"map": [["weights", [0.5]]]}
        self.assertEqual(encode(Model([0.5])), {"map": [["type", Model.__qualname__], ["fields", fields]]})
        self.assertEqual(encode(Step([0.5], 1)), [[0.5], 1])
        self.assertEqual(encode(collections.deque([1, 2])), [1, 2])
        self.assertNotEqual(encode(types.SimpleNamespace(a=1)), encode(types.SimpleNamespace(a=2)))
        self.assertNotEqual(encode(iter([1, 2])), encode(iter([1, 3])))
        for nothing in (object(), lambda: 0, (x for x in [1]), open(__file__)):
            with self.subTest(nothing), self.assertRaisesRegex(TypeError, "no content that could be looked at"):
                encode(nothing)

    def test_nothing_of_an_array_is_left_out(self):
        numpy = needs("numpy")
        long = numpy.zeros(1500)
        long[750] = 1
        self.assertNotEqual(encode(types.SimpleNamespace(a=long)), encode(types.SimpleNamespace(a=numpy.zeros(1500))))
        self.assertNotEqual(encode(numpy.zeros((0, 3))), encode(numpy.zeros((0, 4))))
        masked = [numpy.ma.array([x, 2.0], mask=[True, False]) for x in (1.0, 3.0)]
        self.assertNotEqual(*map(encode, masked))

    def test_nothing_of_a_frame_is_left_out(self):
        pandas = needs("pandas")
        for one, other in (
            (pandas.Series([1.0], index=[3]), pandas.Series([1.0], index=[4])),
            (pandas.Series([1.0], name="a"), pandas.Series([1.0], name="b")),
            (pandas.DataFrame([[1, 2]], columns=["a", "a"]), pandas.DataFrame([[1, 3]], columns=["a", "a"])),
            (pandas.DataFrame({"a": [1]}, index=["x"]), pandas.DataFrame({"a": [1]}, index=["y"])),
            (pandas.Categorical(["a"], categories=["a", "b"]), pandas.Categorical(["a"], categories=["a", "c"])),
        ):
            with self.subTest(one):
                self.assertNotEqual(encode(one), encode(other))
        # The label is the record: found though the number beside it has its noise.
        leaky = dp_assay.audit(
            lambda data, rng: pandas.Series([rng.expovariate(1) - rng.expovariate(1)], index=[max(data)]),
            eps=1, neighbours="replace-one", inputs=([1, 1], [1, 2]), trials=2000)
        self.assertEqual(leaky.verdict, "VIOLATION")


def needs(module):
    """The module, or a test that is skipped."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise unittest.SkipTest(f"{module} is not installed") from None


class Gates(unittest.TestCase):
    def test_a_gate_passes_fails_and_says_how_to_see_it_again(self):
        @dp_assay.gate(eps=1, neighbours="add-remove", inputs=([1], [1, 2]))
        def right():
            return lambda data, rng: len(data) + rng.expovariate(1) - rng.expovariate(1)

        @dp_assay.gate(eps=0.5, neighbours="add-remove", inputs=([1], [1, 2]))
        def wrong():
            return lambda data, rng: len(data) + rng.expovariate(1) - rng.expovariate(1)

        right()
        with self.assertRaisesRegex(dp_assay.GateFailed, "(?s)VIOLATION.*times of.*seed=0"):
            wrong()

    def test_a_pass_without_power_fails_unless_allowed_by_name(self):
        few = {"eps": 1, "neighbours": "add-remove", "inputs": ([1], [1, 2]), "trials": 50}

        def count():
            return lambda data, rng: len(data) + rng.expovariate(1) - rng.expovariate(1)

        with self.assertRaisesRegex(dp_assay.GateFailed, "INCONCLUSIVE"):
            dp_assay.gate(**few)(count)()
        dp_assay.gate(**few, allow_inconclusive="too slow for more runs")(count)()
        for reason in ("", " ", True):
            with self.assertRaisesRegex(ValueError, "must be the reason in words"):
                dp_assay.gate(**few, allow_inconclusive=reason)


class Program(unittest.TestCase):
    def test_the_module_is_the_program(self):
        done = subprocess.run(
            [sys.executable, "-m", "dp_assay", "account", "laplace", "--sigma", "1", "--delta", "0"],
            check=True, capture_output=True, text=True,
        )
        self.assertIn("epsilon in", done.stdout)


    def test_what_is_installed_carries_program_types_and_licences(self):
        try:
            files = importlib.metadata.files("dp-assay")
        except importlib.metadata.PackageNotFoundError:
            self.skipTest("SKIPPED: the package is on the path, but not installed")
        names = {pathlib.PurePath(str(file)).name for file in files}
        for name in ("dp-assay", "py.typed", "LICENSE-MIT", "LICENSE-LGPL-3.0", "LICENSE-GPL-3.0", "NOTICE"):
            self.assertTrue({name, f"{name}.exe"} & names, name)
        self.assertEqual(None, importlib.metadata.requires("dp-assay"))
        [notice] = [file for file in files if file.name == "NOTICE"]
        self.assertRegex(notice.read_text(), "(?s)GMP.*LGPL.*MPFR.*LGPL")
        [plugin] = [e for e in importlib.metadata.distribution("dp-assay").entry_points if e.group == "pytest11"]
        self.assertEqual("dp_assay.pytest_plugin", plugin.value)


if __name__ == "__main__":
    unittest.main()


def test_lists_that_are_no_neighbours_are_warned_of():
    from dp_assay.pairs import doubt

    assert doubt([0, 1], [1, 1], "replace-one") is None and doubt([1], [1, 1], "add-remove") is None
    assert doubt([0, 0], [1, 1], "user") is None and doubt(0, 1, "replace-one") is None
    assert "says nothing of neighbours" in (doubt([1], [1, 1], "replace-one") or "")
    assert "2 of the first" in (doubt([0, 0], [1, 1], "replace-one") or "")
    assert "1 of the second" in (doubt([0, 1], [1, 1], "add-remove") or "")

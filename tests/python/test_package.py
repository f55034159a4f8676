"""The package as a user of Python meets it. Needs nothing but the program; where other libraries are, they are met too."""
import csv
import json
import pathlib
import random
import subprocess
import sys
import unittest

import dp_assay
from dp_assay.client import encode
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
            dp_assay.Parallel("by-index", [g, g]), dp_assay.TruncatedPoissonSampled(0.1, 20, 100, g),
            dp_assay.RandomAllocation(10, 1, g), dp_assay.BallsInBins(10, g), dp_assay.MatrixGaussian(2.0, [1, 0.5]),
            dp_assay.GaussianMixture(2.0, [0, 1], [0.5, 0.5]),
        ]
        self.assertEqual(len({e.kind() for e in events}), len(dp_assay.Event.__subclasses__()))
        for event in events:
            relation = "replace-one" if event.kind() in ("fixed-size-sampled", "randomized-response") else "add-remove"
            found = dp_assay.account(event, delta=1e-5, neighbours=relation)
            self.assertLess(0, found.upper, event)
            self.assertLessEqual(found.lower, found.upper, event)

    def test_a_result_says_all_that_it_rests_on(self):
        found = dp_assay.account(dp_assay.Gaussian(1.0), 1e-5)
        # Balle and Wang's equation, solved with 50 digits.
        self.assertAlmostEqual(found.upper, 4.377178095681225, places=12)
        for word in ("lower=", "upper=", "exact", "Balle and Wang", "add-remove"):
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
        alphas, betas = dp_assay.trade_off_curve(dp_assay.Gaussian(1.0))
        for alpha, beta in zip(alphas, betas):
            exact = normal.cdf(normal.inv_cdf(1 - alpha) - 1) if 0 < alpha < 1 else 1 - alpha
            self.assertLessEqual(beta, exact + 1e-9)
            self.assertGreater(beta, exact - 0.02)
        epsilons, deltas = dp_assay.profile(dp_assay.Gaussian(1.0))
        for epsilon, delta in zip(epsilons, deltas):
            exact = normal.cdf(0.5 - epsilon) - 2.718281828459045**epsilon * normal.cdf(-0.5 - epsilon)
            self.assertGreaterEqual(delta, exact * (1 - 1e-6) - 1e-13)

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
        with self.assertRaisesRegex(RuntimeError, "every run"):
            of(lambda data: 1 / 0)
        with self.assertRaisesRegex(ValueError, "no content"):
            of(lambda data: object())
        self.assertEqual(of(lambda data: "same").verdict, "INCONCLUSIVE")
        with self.assertRaises(TypeError):
            bool(of(trials=2000))

    def test_a_run_that_takes_too_long_is_an_output(self):
        import time
        from dp_assay.auditing import _Host

        host = _Host(lambda data: time.sleep(5) if data else "done", [([], [1])], "python", False, 0.05)
        [quick], [slow] = (host._outputs(0, side, 0, 0, 1) for side in (0, 1))
        self.assertEqual(quick, "done")
        self.assertEqual(encode(slow), {"raised": ["TimeoutError", ""]})

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


class Values(unittest.TestCase):
    def test_values_are_written_as_the_format_says(self):
        self.assertEqual(encode(float("nan")), {"real": "nan"})
        self.assertEqual(encode(float("-inf")), {"real": "-inf"})
        self.assertEqual(encode({"a": (1, 2.0)}), {"map": [["a", [1, 2.0]]]})
        self.assertEqual(encode(ValueError("x")), {"raised": ["ValueError", "x"]})
        self.assertEqual(sorted(encode({3, 1})["set"]), [1, 3])
        self.assertEqual(json.dumps(encode([True, 1, 1.0])), "[true, 1, 1.0]")


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


class Program(unittest.TestCase):
    def test_the_module_is_the_program(self):
        done = subprocess.run(
            [sys.executable, "-m", "dp_assay", "account", "laplace", "--sigma", "1", "--delta", "0"],
            check=True, capture_output=True, text=True,
        )
        self.assertIn("epsilon in", done.stdout)


if __name__ == "__main__":
    unittest.main()

"""What is audited: mechanisms of public libraries, each against the guarantee that it states itself.

A specimen's `make` returns the mechanism, as `dp_assay.audit` takes it in batches, and the ε and δ that are claimed:
computed by OpenDP's privacy map, or given to diffprivlib as its arguments. Versions are those of `requirements.txt`.
"""
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Tuple

ADD_REMOVE, REPLACE_ONE = "add-remove", "replace-one"
MAP = "privacy map of the measurement"
CLASS = "docstring of diffprivlib.mechanisms"
TOOLS = "docstring of diffprivlib.tools"


@dataclass(frozen=True)
class Specimen:
    """A mechanism, its claim, where the claim is stated, and a pair of neighbours."""

    name: str
    library: str
    mechanism: str
    stated: str
    neighbours: str
    inputs: Tuple[Any, Any]
    make: Callable[[], Tuple[Callable[..., Any], float, float]]
    pairs: int = 20_000
    bits: bool = False


def opendp(name, mechanism, neighbours, inputs, distance, build, **settings) -> Specimen:
    """A measurement of OpenDP; the claim is its map at `distance`, which the inputs are apart."""

    def make():
        import opendp.prelude as dp

        dp.enable_features("contrib", "idealized-numerics")
        measurement, *post = build(dp)
        claim = measurement.map(distance)
        epsilon, delta = claim if isinstance(claim, tuple) else (claim, 0.0)
        read = post[0] if post else lambda output: output
        return lambda data, rng, count: [read(measurement(data)) for _ in range(count)], epsilon, delta

    return Specimen(name, "opendp", mechanism, f"{MAP} at {distance}", neighbours, inputs, make, **settings)


def diffprivlib(name, mechanism, neighbours, inputs, claim, build, **settings) -> Specimen:
    """A mechanism of diffprivlib: `build(mechanisms, ε, δ, seeded generator)` is run on the value."""

    def make():
        import diffprivlib.mechanisms
        import numpy

        def run(data, rng, count):
            once = build(diffprivlib.mechanisms, *claim, numpy.random.RandomState(rng.integers(2**32)))
            return [once(data) for _ in range(count)]

        return run, *claim

    return Specimen(name, "diffprivlib", mechanism, CLASS, neighbours, inputs, make, **settings)


def tool(name, function, neighbours, inputs, epsilon, call, **settings) -> Specimen:
    """A function of diffprivlib.tools on an array; a run that raises RuntimeError has that as its output."""

    def make():
        import warnings

        import diffprivlib
        import diffprivlib.tools
        import numpy

        def run(data, rng, count):
            # Its warnings of underflow or empty slices are no part of the output.
            warnings.simplefilter("ignore", RuntimeWarning)
            state, array = numpy.random.RandomState(rng.integers(2**32)), numpy.array(data)

            def once():
                shared = {"epsilon": epsilon, "random_state": state, "accountant": diffprivlib.BudgetAccountant()}
                try:
                    return call(diffprivlib.tools, array, shared)
                except RuntimeError as error:
                    return RuntimeError(type(error).__name__)

            return [once() for _ in range(count)]

        return run, epsilon, 0.0

    return Specimen(name, "diffprivlib", f"tools.{function}", TOOLS, neighbours, inputs, make, **settings)


def number(dp, kind):
    domain = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
    return domain, dp.absolute_distance(T=kind)


def rows(dp, kind, **settings):
    domain = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
    return dp.vector_domain(domain, **settings), dp.symmetric_distance()


def scores(dp):
    return dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)


def counts(dp, distance):
    return dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)), distance(dp.absolute_distance(T=int))


def approximate(dp, measurement, delta):
    """The (ε, δ) that OpenDP derives from its zCDP map."""
    return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(measurement), delta)


WORDS = ["a"] * 6 + ["b"] * 3
ONE = (0.0, 1.0)
UNIT = (0, 1)

OPENDP = [
    opendp("opendp-laplace-float", "make_laplace, floats", ADD_REMOVE, ONE, 1.0,
           lambda dp: [number(dp, float) >> dp.m.then_laplace(1.0)]),
    opendp("opendp-laplace-float-bits", "make_laplace, floats", ADD_REMOVE, ONE, 1.0,
           lambda dp: [number(dp, float) >> dp.m.then_laplace(1.0)], bits=True),
    opendp("opendp-laplace-coarse", "make_laplace, floats, k=-1", ADD_REMOVE, (0.24, 0.76), 0.52,
           lambda dp: [number(dp, float) >> dp.m.then_laplace(1.0, k=-1)]),
    opendp("opendp-laplace-int", "make_laplace, integers", ADD_REMOVE, UNIT, 1,
           lambda dp: [number(dp, int) >> dp.m.then_laplace(1.0)]),
    opendp("opendp-laplace-vector", "make_laplace, vectors", ADD_REMOVE, ([1.0, 2.0], [1.5, 2.5]), 1.0,
           lambda dp: [(dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float))
                       >> dp.m.then_laplace(1.0)]),
    opendp("opendp-geometric", "make_geometric", ADD_REMOVE, UNIT, 1,
           lambda dp: [number(dp, int) >> dp.m.then_geometric(1.0)]),
    opendp("opendp-geometric-bounds", "make_geometric, bounds=(0, 4)", ADD_REMOVE, UNIT, 1,
           lambda dp: [number(dp, int) >> dp.m.then_geometric(1.0, bounds=(0, 4))]),
    opendp("opendp-gaussian-float", "make_gaussian, floats, through make_zCDP_to_approxDP", ADD_REMOVE, ONE, 1.0,
           lambda dp: [approximate(dp, number(dp, float) >> dp.m.then_gaussian(1.0), 1e-2)]),
    opendp("opendp-gaussian-int", "make_gaussian, integers, through make_zCDP_to_approxDP", ADD_REMOVE, UNIT, 1,
           lambda dp: [approximate(dp, number(dp, int) >> dp.m.then_gaussian(1.0), 1e-2)]),
    opendp("opendp-canonical-noise", "make_canonical_noise", ADD_REMOVE, ONE, 1.0,
           lambda dp: [dp.m.make_canonical_noise(*number(dp, float), d_in=1.0, d_out=(1.0, 1e-2))]),
    opendp("opendp-noisy-max", "make_noisy_max, max divergence", REPLACE_ONE, ([1, 2, 2], [2, 1, 1]), 1,
           lambda dp: [dp.m.make_noisy_max(*scores(dp), dp.max_divergence(), scale=2.0)]),
    opendp("opendp-noisy-max-zcdp", "make_noisy_max, zCDP, through make_zCDP_to_approxDP", REPLACE_ONE,
           ([1, 2, 2], [2, 1, 1]), 1,
           lambda dp: [approximate(
               dp, dp.m.make_noisy_max(*scores(dp), dp.zero_concentrated_divergence(), scale=1.0), 1e-2)]),
    opendp("opendp-noisy-top-k", "make_noisy_top_k, k=2", REPLACE_ONE, ([2, 2, 1, 1], [1, 1, 2, 2]), 1,
           lambda dp: [dp.m.make_noisy_top_k(*scores(dp), dp.max_divergence(), k=2, scale=4.0)]),
    opendp("opendp-noisy-max-gumbel", "make_report_noisy_max_gumbel", REPLACE_ONE, ([1, 2, 2], [2, 1, 1]), 1,
           lambda dp: [dp.m.make_report_noisy_max_gumbel(*scores(dp), scale=2.0)]),
    opendp("opendp-private-quantile", "make_private_quantile", ADD_REMOVE, ([1, 3, 5, 7], [1, 3, 5, 7, 7]), 1,
           lambda dp: [dp.m.make_private_quantile(*rows(dp, int), dp.max_divergence(), [0, 2, 4, 6, 8], 0.5, 1.0)]),
    opendp("opendp-randomized-response", "make_randomized_response", REPLACE_ONE, ("a", "b"), 1,
           lambda dp: [dp.m.make_randomized_response(["a", "b", "c"], 0.6)]),
    opendp("opendp-randomized-response-bool", "make_randomized_response_bool", REPLACE_ONE, (False, True), 1,
           lambda dp: [dp.m.make_randomized_response_bool(0.75)]),
    opendp("opendp-randomized-response-bits", "make_randomized_response_bitvec", REPLACE_ONE, (b"\x01", b"\x80"), 1,
           lambda dp: [dp.m.make_randomized_response_bitvec(
               dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.6), list]),
    opendp("opendp-laplace-threshold-key", "make_laplace_threshold, a key of one record", ADD_REMOVE,
           ({"a": 6}, {"a": 6, "b": 1}), (1, 1, 1),
           lambda dp: [dp.m.make_laplace_threshold(*counts(dp, dp.l01inf_distance), scale=1.0, threshold=3)]),
    opendp("opendp-laplace-threshold-count", "make_laplace_threshold, a count", ADD_REMOVE,
           ({"a": 9}, {"a": 10}), (1, 1, 1),
           lambda dp: [dp.m.make_laplace_threshold(*counts(dp, dp.l01inf_distance), scale=1.0, threshold=9)]),
    opendp("opendp-gaussian-threshold-key", "make_gaussian_threshold, a key of one record", ADD_REMOVE,
           ({"a": 6}, {"a": 6, "b": 1}), (1, 1, 1),
           lambda dp: [approximate(
               dp, dp.m.make_gaussian_threshold(*counts(dp, dp.l02inf_distance), scale=1.0, threshold=3), 0.03)]),
    opendp("opendp-gaussian-threshold-count", "make_gaussian_threshold, a count", ADD_REMOVE,
           ({"a": 9}, {"a": 10}), (1, 1, 1),
           lambda dp: [approximate(
               dp, dp.m.make_gaussian_threshold(*counts(dp, dp.l02inf_distance), scale=1.0, threshold=9), 1e-2)]),
    opendp("opendp-noise", "make_noise, integers", ADD_REMOVE, UNIT, 1,
           lambda dp: [dp.m.make_noise(*number(dp, int), dp.max_divergence(), scale=1.0)]),
    opendp("opendp-noise-zcdp", "make_noise, integers, zCDP, through make_zCDP_to_approxDP", ADD_REMOVE, UNIT, 1,
           lambda dp: [approximate(
               dp, dp.m.make_noise(*number(dp, int), dp.zero_concentrated_divergence(), scale=1.0), 1e-2)]),
    opendp("opendp-noise-threshold", "make_noise_threshold, a count", ADD_REMOVE, ({"a": 9}, {"a": 10}), (1, 1, 1),
           lambda dp: [dp.m.make_noise_threshold(
               *counts(dp, dp.l01inf_distance), dp.approximate(dp.max_divergence()), scale=1.0, threshold=9)]),
    opendp("opendp-alp", "make_alp_queryable, asked for one key", ADD_REMOVE, ({"a": 9}, {"a": 10}), (1, 1, 1),
           lambda dp: [dp.m.make_alp_queryable(
               *counts(dp, dp.l01inf_distance), scale=1.0, total_limit=10, value_limit=10), lambda ask: ask("a")]),
    opendp("opendp-histogram", "make_count_by_categories and make_laplace", ADD_REMOVE, (WORDS, [*WORDS, "c"]), 1,
           lambda dp: [rows(dp, str) >> dp.t.then_count_by_categories(["a", "b"], null_category=True)
                       >> dp.m.then_laplace(1.0)]),
    opendp("opendp-tree-of-counts", "make_b_ary_tree and make_laplace", ADD_REMOVE, (WORDS, [*WORDS, "c"]), 1,
           lambda dp: [rows(dp, str) >> dp.t.then_count_by_categories(["a", "b", "c", "d"], null_category=False)
                       >> dp.t.then_b_ary_tree(4, 2) >> dp.m.then_laplace(3.0)]),
    opendp("opendp-count", "make_count and make_laplace", ADD_REMOVE, ([1] * 9, [1] * 10), 1,
           lambda dp: [rows(dp, int) >> dp.t.then_count() >> dp.m.then_laplace(1.0)]),
    opendp("opendp-sum", "make_clamp, make_sum and make_laplace", ADD_REMOVE, ([1, 2], [1, 2, 9]), 1,
           lambda dp: [rows(dp, int) >> dp.t.then_clamp((0, 5)) >> dp.t.then_sum() >> dp.m.then_laplace(5.0)]),
    opendp("opendp-mean", "make_clamp, make_mean and make_laplace", REPLACE_ONE,
           ([0.0, 0.5, 0.5, 0.5], [9.0, 0.5, 0.5, 0.5]), 2,
           lambda dp: [rows(dp, float, size=4) >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_mean()
                       >> dp.m.then_laplace(0.25)]),
    opendp("opendp-variance", "make_clamp, make_variance and make_laplace", REPLACE_ONE,
           ([0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]), 2,
           lambda dp: [rows(dp, float, size=4) >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_variance()
                       >> dp.m.then_laplace(0.25)]),
]


def noise(kind, inputs=ONE, neighbours=ADD_REMOVE, claim=(1.0, 0.0), name=None, pairs=20_000, bits=False, **arguments):
    """A mechanism of diffprivlib that randomises a value; δ is left out where it takes none."""

    def build(mechanisms, epsilon, delta, state):
        given = {"epsilon": epsilon, "random_state": state, **arguments}
        if delta:
            given["delta"] = delta
        if kind == "Uniform":
            del given["epsilon"]
        return getattr(mechanisms, kind)(**given).randomise

    settings = {"pairs": pairs, "bits": bits}
    return diffprivlib(name or f"diffprivlib-{kind.lower()}", kind, neighbours, inputs, claim, build, **settings)


def choice(kind, **arguments):
    """A mechanism that selects; its input are the utilities."""

    def build(mechanisms, epsilon, _, state):
        return lambda utility: getattr(mechanisms, kind)(
            epsilon=epsilon, sensitivity=1, utility=list(utility), random_state=state, **arguments).randomise()

    name = f"diffprivlib-{kind.lower()}" + ("-monotonic" if arguments else "")
    inputs = ([1, 1, 1], [2, 1, 1]) if arguments else ([1, 2, 2], [2, 1, 1])
    neighbours = ADD_REMOVE if arguments else REPLACE_ONE
    return diffprivlib(name, kind + (", monotonic" if arguments else ""), neighbours, inputs, (1.0, 0.0), build)


def covariance(first, second):
    """Of `first` records e₁ and `second` records e₂ in six dimensions."""
    return [[float((first, second)[i] if i == j and i < 2 else 0) for j in range(6)] for i in range(6)]


def bingham(mechanisms, epsilon, _, state):
    import numpy

    mechanism = mechanisms.Bingham(epsilon=epsilon, sensitivity=1.0, random_state=state)
    return lambda matrix: mechanism.randomise(numpy.array(matrix))


def objective(mechanisms, epsilon, _, state):
    """Logistic regression on one record x = 1 by perturbing its objective: the minimiser, by bisection."""
    import numpy

    mechanism = mechanisms.Vector(epsilon=epsilon, function_sensitivity=0.25, alpha=1.0, dimension=1, random_state=state)

    def minimiser(label):
        def loss(w):
            return 0.0, -label / (1 + numpy.exp(label * w)) + w

        slope = mechanism.randomise(loss)
        low, high = -500.0, 500.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if slope(numpy.array([middle]))[1][0] > 0 else (middle, high)
        return high

    return minimiser


DIFFPRIVLIB = [
    noise("Laplace", sensitivity=1),
    noise("Laplace", sensitivity=1, bits=True, name="diffprivlib-laplace-bits"),
    noise("Laplace", sensitivity=1, claim=(1.0, 0.05), name="diffprivlib-laplace-delta"),
    noise("LaplaceTruncated", sensitivity=1, lower=0, upper=2),
    noise("LaplaceFolded", sensitivity=1, lower=0, upper=2),
    noise("LaplaceBoundedDomain", sensitivity=1, lower=0, upper=2),
    noise("LaplaceBoundedNoise", sensitivity=1, claim=(1.0, 0.05)),
    noise("Gaussian", sensitivity=1, claim=(1.0, 0.01)),
    noise("GaussianAnalytic", sensitivity=1, claim=(1.0, 0.01)),
    noise("GaussianDiscrete", UNIT, sensitivity=1, claim=(1.0, 0.01)),
    noise("Geometric", UNIT, sensitivity=1),
    noise("GeometricTruncated", UNIT, sensitivity=1, lower=0, upper=3),
    noise("GeometricFolded", UNIT, sensitivity=1, lower=0, upper=3),
    noise("Snapping", sensitivity=1, lower=-4, upper=4),
    noise("Snapping", sensitivity=1, lower=-4, upper=4, bits=True, name="diffprivlib-snapping-bits"),
    noise("Staircase", sensitivity=1),
    noise("Uniform", sensitivity=1, claim=(0.0, 0.1)),
    noise("Binary", ("no", "yes"), REPLACE_ONE, value0="no", value1="yes"),
    noise("ExponentialCategorical", ("a", "c"), REPLACE_ONE,
          utility_list=[["a", "b", 1], ["a", "c", 2], ["b", "c", 1]]),
    noise("ExponentialHierarchical", ("a", "d"), REPLACE_ONE, hierarchy=[["a", "b"], ["c", "d"]]),
    choice("Exponential"),
    choice("Exponential", monotonic=True),
    choice("PermuteAndFlip"),
    diffprivlib("diffprivlib-bingham", "Bingham, sensitivity 1", REPLACE_ONE, (covariance(21, 20), covariance(20, 21)),
                (2.0, 0.0), bingham, pairs=5_000),
    diffprivlib("diffprivlib-vector", "Vector, minimiser of a perturbed logistic loss", REPLACE_ONE, (1.0, -1.0), (1.0, 0.0),
                objective),
    tool("diffprivlib-count-nonzero", "count_nonzero", REPLACE_ONE, ([0.0] * 9, [0.0] * 8 + [1.0]), 1.0,
         lambda t, x, s: float(t.count_nonzero(x, **s))),
    tool("diffprivlib-mean", "mean", REPLACE_ONE, ([0.0, 0.5, 0.5], [1.0, 0.5, 0.5]), 1.0,
         lambda t, x, s: float(t.mean(x, bounds=(0, 1), **s))),
    tool("diffprivlib-var", "var", REPLACE_ONE, ([0.0] * 9, [0.0] * 8 + [1.0]), 1.0,
         lambda t, x, s: float(t.var(x, bounds=(0, 1), **s))),
    tool("diffprivlib-std", "std", REPLACE_ONE, ([0.0] * 9, [0.0] * 8 + [1.0]), 1.0,
         lambda t, x, s: float(t.std(x, bounds=(0, 1), **s))),
    tool("diffprivlib-quantile", "quantile, 0.25", REPLACE_ONE, ([0.0, 0.4, 0.6, 1.0], [0.0, 0.0, 0.6, 1.0]), 1.0,
         lambda t, x, s: float(t.quantile(x, 0.25, bounds=(0, 1), **s))),
    tool("diffprivlib-sum", "sum", REPLACE_ONE, ([0.0] * 9, [0.0] * 8 + [1.0]), 1.0,
         lambda t, x, s: float(t.sum(x, bounds=(0, 1), **s))),
    tool("diffprivlib-median", "median", REPLACE_ONE, ([0.0, 0.0, 0.4, 1.0, 1.0], [0.0, 1.0, 0.4, 1.0, 1.0]), 1.0,
         lambda t, x, s: float(t.median(x, bounds=(0, 1), **s))),
    tool("diffprivlib-histogram", "histogram", ADD_REMOVE, ([0.2, 0.7], [0.2, 0.7, 0.7]), 1.0,
         lambda t, x, s: t.histogram(x, bins=2, range=(0, 1), **s)[0].astype(float)),
    tool("diffprivlib-histogram-weights", "histogram, weights of 5", ADD_REMOVE, ([0.2], [0.2, 0.7]), 1.0,
         lambda t, x, s: t.histogram(x, bins=2, range=(0, 1), weights=[5] * len(x), **s)[0].astype(float)),
    tool("diffprivlib-histogram2d", "histogram2d", ADD_REMOVE, ([0.2, 0.7], [0.2, 0.7, 0.7]), 1.0,
         lambda t, x, s: t.histogram2d(x, x, bins=2, range=[(0, 1), (0, 1)], **s)[0].ravel().astype(float)),
    tool("diffprivlib-histogramdd", "histogramdd", ADD_REMOVE, ([0.2, 0.7], [0.2, 0.7, 0.7]), 1.0,
         lambda t, x, s: t.histogramdd(x[:, None], bins=2, range=[(0, 1)], **s)[0].ravel().astype(float)),
    tool("diffprivlib-nanmean", "nanmean", REPLACE_ONE, ([float("nan")] * 9 + [0.0], [float("nan")] * 9 + [1.0]), 1.0,
         lambda t, x, s: float(t.nanmean(x, bounds=(0, 1), **s))),
    tool("diffprivlib-nanvar", "nanvar", REPLACE_ONE,
         ([float("nan")] * 8 + [0.0, 0.0], [float("nan")] * 8 + [0.0, 1.0]), 1.0,
         lambda t, x, s: float(t.nanvar(x, bounds=(0, 1), **s))),
    tool("diffprivlib-nansum", "nansum, bounds (9, 10)", REPLACE_ONE, ([10.0] * 19 + [float("nan")], [10.0] * 20), 1.0,
         lambda t, x, s: float(t.nansum(x, bounds=(9, 10), **s))),
]


def _opendp_eigenvector() -> Specimen:
    """An extra of OpenDP in Python: the top eigenvector of a matrix of sums of squares and cross products."""

    def make():
        import numpy
        import opendp.prelude as dp
        from opendp.extras.numpy import _sscp_domain
        from opendp.extras.sklearn._make_eigenvector import make_private_eigenvector

        dp.enable_features("contrib", "idealized-numerics")
        domain = _sscp_domain(num_features=6, norm=1.0, p=2, T="f64")
        measurement = make_private_eigenvector(domain, dp.symmetric_distance(), 2.0)

        def run(data, rng, count):
            matrix = numpy.array(data)
            return [numpy.array(measurement(matrix), dtype=float) for _ in range(count)]

        return run, measurement.map(2), 0.0

    return Specimen("opendp-eigenvector", "opendp", "extras.sklearn make_private_eigenvector", f"{MAP} at 2", REPLACE_ONE,
                    (covariance(21, 20), covariance(20, 21)), make, pairs=5_000)


PLAN: List[Specimen] = [*OPENDP, _opendp_eigenvector(), *DIFFPRIVLIB]
BY_NAME: Dict[str, Specimen] = {specimen.name: specimen for specimen in PLAN}

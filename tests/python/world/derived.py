"""The ε of every mechanism of the plan that does not keep its claim, derived by hand from its source, without its library.

What is returned is the privacy loss at one output (or the ratio of one event) on the specimen's two inputs: a lower
bound of the true ε that no sample enters. Sums and roots in double precision; the margins over the claims are wide.
"""
import math
from typing import Callable, Dict


def laplace_with_the_wrong_sensitivity() -> float:
    """nanmean of ten entries, nine NaN, and nansum on (9, 10) where NaN turns into 10.

    The scale is sensitivity/ε for a sensitivity of 1/10 (of the mean) or 1 (of the sum); the value moves by 1 or by 10.
    Of the value at the end of the range, truncated Laplace noise returns that end with probability 1/2; of the other
    value, ten scales away, with probability e⁻¹⁰/2.
    """
    return math.log(0.5) - math.log(0.5 * math.exp(-10))


def geometric_with_a_weight_of_five() -> float:
    """A bin counts 0 or 5; noise has ratio e⁻¹ per unit. Truncated at 0: Pr[0] is Σ_{k≤0} or Σ_{k≤−5} of the weights."""
    return math.log(math.exp(0) / math.exp(-5))


def variance_of_the_two_that_are_there() -> float:
    """nanvar of ten entries, eight NaN: 0 or 1/4 on the domain [0, 1/4], while the sensitivity used is 9/100.

    The scale b solves b = Δ/(ε − ln ΔC(b)); by symmetry both normalisers are equal, so that the loss at 0 is 1/(4b).
    """
    delta, diameter = 0.09, 0.25
    scale = delta
    for _ in range(200):
        ratio = 2 - math.exp(-delta / scale) - math.exp(-(diameter - delta) / scale)
        scale = delta / (1 - math.log(ratio / (1 - math.exp(-diameter / scale))))
    return diameter / scale


def bingham_with_its_acceptance_inverted() -> float:
    """21 and 20 records e₁, e₂ in six dimensions, or 20 and 21; ε = 2.

    With B = ε(λ_max I − A)/4 the target is e^(−x'Bx) and proposals have density ∝ (x'Ωx)^(−d/2), Ω = I + 2B/b. A
    proposal is to be kept with probability ∝ e^(−x'Bx)·(x'Ωx)^(d/2); kept with e^(−x'Bx)/(x'Ωx)^(d/2), outputs have
    density ∝ e^(−x'Bx)·(x'Ωx)^(−d). Both inputs have the same normaliser, by symmetry. At x = e₁, x'Bx is 0 on one and
    ε/4 on the other: the loss is ε/4 + d·ln(1 + ε/(2b)).
    """
    epsilon, dimensions = 2.0, 6
    eigenvalues = [0.0, epsilon / 4] + [21 * epsilon / 4] * (dimensions - 2)
    low, high = 1.0, float(dimensions)
    for _ in range(200):
        b = (low + high) / 2
        low, high = (b, high) if sum(1 / (b + 2 * e) for e in eigenvalues) > 1 else (low, b)
    return epsilon / 4 + dimensions * math.log1p(epsilon / (2 * b))


def grids_of_doubles() -> float:
    """Every answer below 1/2 in size on the count 1 is a multiple of 2⁻⁵³; on the count 0 not every one is.

    There the answer is 1 + n with n between −3/2 and −1/2, where doubles are multiples of 2⁻⁵³, and the sum is exact.
    On the count 0 it is n itself, and noise below 1/4 in size falls on a finer grid with positive probability: the loss
    of such an answer is infinite. A floating-point effect: in real arithmetic the claim holds.
    """
    return math.inf


def key_at_the_threshold() -> float:
    """A key of one record, threshold 3, noise on whole numbers of scale 1 (Laplace, q = e⁻¹; Gaussian).

    A key is released when 1 + noise ≥ 3, as the outputs 3 show. The map's δ is Pr[noise ≥ 3] for Laplace noise, q³/(1 + q),
    and 0.03 was asked of the Gaussian's map; Pr[noise ≥ 2] is larger than both, and the neighbour never has the key.
    """
    q = math.exp(-1)
    weights = {k: math.exp(-k * k / 2) for k in range(-40, 41)}
    gaussian = sum(w for k, w in weights.items() if k >= 2) / sum(weights.values())
    assert q**2 / (1 + q) > q**3 / (1 + q) and gaussian > 0.03
    return math.inf


DERIVED: Dict[str, Callable[[], float]] = {
    "diffprivlib-nanmean": laplace_with_the_wrong_sensitivity,
    "diffprivlib-nansum": laplace_with_the_wrong_sensitivity,
    "diffprivlib-histogram-weights": geometric_with_a_weight_of_five,
    "diffprivlib-nanvar": variance_of_the_two_that_are_there,
    "diffprivlib-bingham": bingham_with_its_acceptance_inverted,
    "opendp-laplace-threshold-key": key_at_the_threshold,
    "opendp-gaussian-threshold-key": key_at_the_threshold,
    "opendp-eigenvector": bingham_with_its_acceptance_inverted,
    "diffprivlib-laplace-bits": grids_of_doubles,
}

"""Mechanisms as people write them, right and wrong, with outputs of every shape.

`python zoo.py SEEDS` audits each with that many master seeds and prints lines `name,seed,verdict,epsilon_lower`.
"""
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, Tuple

import dp_assay


@dataclass(frozen=True)
class Specimen:
    """A mechanism with a claim on neighbours under add-remove, and whether the claim is true."""

    run: Callable[..., Any]
    eps: float
    delta: float
    inputs: Tuple[Any, Any]
    sound: bool


def laplace(rng, scale):
    return scale * (rng.expovariate(1) - rng.expovariate(1))


def partitions_with_threshold(data, rng):
    """Keys whose noisy count exceeds 1 + ln(1/(2δ)): a key of one record shows with probability δ = 10⁻³."""
    return {key for key, count in Counter(data).items() if count + laplace(rng, 1) > 1 + 6.2147}


def partitions_with_a_low_threshold(data, rng):
    return {key for key, count in Counter(data).items() if count + laplace(rng, 1) > 2}


def histogram_of_known_keys(data, rng):
    counts = Counter(data)
    return {key: counts[key] + laplace(rng, 1) for key in ("a", "b", "c")}


def histogram_of_found_keys(data, rng):
    return {key: count + laplace(rng, 1) for key, count in sorted(Counter(data).items())}


def histogram_by_size(data, rng):
    """Noisy counts of known keys, in the order of the true counts."""
    counts = Counter({key: 0 for key in ("a", "b", "c")})
    counts.update(data)
    return {key: count + laplace(rng, 1) for key, count in counts.most_common()}


def nonzeros_of_noisy_counts(data, rng):
    """Places of counts that exceed 3 after noise: a list of varying length, from noisy counts alone."""
    counts = Counter(data)
    return [key for key in ("a", "b", "c", "d") if counts[key] + laplace(rng, 1) > 3]


def nonzeros_of_true_counts(data, rng):
    counts = Counter(data)
    return [counts[key] + laplace(rng, 1) for key in ("a", "b", "c", "d") if counts[key] > 0]


def sum_that_refuses(data, rng):
    """A bound on the input is checked by an exception: the neighbour beyond it raises."""
    if len(data) > 4:
        raise ValueError("too many records")
    return len(data) + laplace(rng, 1)


def sum_that_fails_at_random(data, rng):
    if rng.random() < 0.1:
        raise RuntimeError("try again")
    return len(data) + laplace(rng, 1)


def message_with_the_count(data, rng):
    noisy = len(data) + laplace(rng, 1)
    return f"{noisy:.3f} of {len(data)} records"


def message_without_the_count(data, rng):
    return f"about {round(len(data) + laplace(rng, 1))} records"


def mean_over_the_true_count(data, rng):
    """Noise for the sum alone: that the count moves too is forgotten."""
    return (sum(len(key) for key in data) + laplace(rng, 1)) / len(data)


def sum_of_unbounded_users(data, rng):
    """Each user counts once for every row; the claim counts a user once."""
    return len([row for user in data for row in user]) + laplace(rng, 1)


def same_seed_twice(data, rng):
    import random

    seed = rng.getrandbits(32)
    first, second = (random.Random(seed) for _ in range(2))
    return [len(data) + laplace(first, 2), 2.0 * len(data) + laplace(second, 2)]


def clipped_after_the_sum(data, rng):
    """The sum is clipped, not its terms: one user moves it by as much as the bound allows."""
    return min(sum(len(user) for user in data), 10) + laplace(rng, 1)


def local_sensitivity(data, rng):
    """Noise in proportion to the largest value that happens to be there."""
    return sum(len(user) for user in data) + laplace(rng, max((len(user) for user in data), default=0) or 1e-3)


WORDS = ["a"] * 6 + ["b"] * 3
USERS = [["x"], ["y"]]
FEW = ["a"] * 4

ZOO = [
    Specimen(partitions_with_threshold, 1, 1e-3, (WORDS, [*WORDS, "c"]), True),
    Specimen(partitions_with_a_low_threshold, 1, 1e-3, (WORDS, [*WORDS, "c"]), False),
    Specimen(histogram_of_known_keys, 1, 0, (WORDS, [*WORDS, "c"]), True),
    Specimen(histogram_of_found_keys, 1, 1e-3, (WORDS, [*WORDS, "c"]), False),
    Specimen(histogram_by_size, 1, 0, (["a", "b"], ["a", "b", "b"]), False),
    Specimen(nonzeros_of_noisy_counts, 1, 0, (WORDS, [*WORDS, "b"]), True),
    Specimen(nonzeros_of_true_counts, 1, 0, (WORDS, [*WORDS, "c"]), False),
    Specimen(sum_that_refuses, 1, 0, (FEW, [*FEW, "a"]), False),
    Specimen(sum_that_fails_at_random, 1, 0, (FEW, [*FEW, "a"]), True),
    Specimen(message_with_the_count, 1, 0, (FEW, [*FEW, "a"]), False),
    Specimen(message_without_the_count, 1, 0, (FEW, [*FEW, "a"]), True),
    Specimen(mean_over_the_true_count, 1, 0, (["a" * 9], ["a" * 9, "b"]), False),
    Specimen(sum_of_unbounded_users, 1, 0, (USERS, [*USERS, ["z"] * 5]), False),
    Specimen(same_seed_twice, 1, 0, (FEW, [*FEW, "a"]), False),
    Specimen(clipped_after_the_sum, 1, 0, (USERS, [*USERS, ["z"] * 5]), False),
    Specimen(local_sensitivity, 1, 0, (USERS, [*USERS, ["z"] * 50]), False),
]


def look(specimen: Specimen, seed: int) -> dp_assay.Audit:
    """One audit, wrong with probability at most 10⁻⁶."""
    return dp_assay.audit(
        specimen.run, eps=specimen.eps, delta=specimen.delta, neighbours="add-remove", inputs=specimen.inputs, seed=seed
    )


def main() -> None:
    print("name,seed,verdict,epsilon_lower")
    for seed in range(int(sys.argv[1])):
        for specimen in ZOO:
            found = look(specimen, seed)
            print(specimen.run.__name__, seed, found.verdict, found.epsilon_lower, sep=",", flush=True)


if __name__ == "__main__":
    main()

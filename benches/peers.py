"""What other accountants say of batches as programs draw them, and the CPU time they take:
`python benches/peers.py target/release/dp-assay > tests/data/peers.csv`.

Needs dp-accounting 0.6.0, PLD_accounting 2.0, random-allocation 1.0.5, prv-accountant 0.2.0 and jax-privacy 2.0.0 (with pandas). Their
ε is an upper bound, and `lower` a lower bound where they have one, in their arithmetic; a scheme that a peer refuses has no row.
Monte Carlo estimates are no bounds: their two ends are where five standard errors of δ more, or less, make the δ asked for.
The seconds are of this machine; `ratio` is how many times our program's on the same machine, for both ends and with its start. It is
empty in a row that is older than this column. Rows that had not ended when the script was stopped are not in the table: simulated balls in
bins with correlated noise, and the last two of PLD_accounting.

Not here: Opacus 1.6.0 (its accountants are copies of prv-accountant and of an older dp-accounting; needs PyTorch), autodp 0.2.3.1 (no
scheme but Poisson's and Rényi bounds for a fixed size), gdpnum 0.1.2 (μ and not ε of a batch), tables and programs of arXiv 2412.16802 and
2601.21636 (no package).
"""
import csv
import datetime
import json
import resource
import subprocess
import sys
import time
from importlib.metadata import version

import dp_accounting
import numpy as np
import random_allocation as ra
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant
from jax_privacy import batch_selection
from jax_privacy.experimental import accounting as jax_accounting
from jax_privacy.experimental.monte_carlo import sample_generation
from jax_privacy.matrix_factorization import toeplitz
from PLD_accounting import gaussian_allocation_epsilon_range
from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant

SAMPLES = 400_000

RELATIONS = {
    "add-remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
    "replace-one": dp_accounting.NeighboringRelation.REPLACE_ONE,
}
GAUSSIAN = dp_accounting.GaussianDpEvent(1.0)


def gaussian(sigma):
    return {"kind": "gaussian", "sigma": sigma}


def repeated(times, event):
    return {"kind": "repeated", "times": times, "event": event}


def google(accountant, relation, times, theirs, delta):
    """dp-accounting's ε of so many of its events."""
    accountant = accountant(neighboring_relation=RELATIONS[relation])
    accountant.compose(dp_accounting.SelfComposedDpEvent(theirs, times))
    return accountant.get_epsilon(delta), None


def shenfeld(sigma, steps, participations, epochs, delta):
    """PLD_accounting's ends."""
    upper, lower = gaussian_allocation_epsilon_range(
        delta=delta, sigma=sigma, num_steps=steps, num_selected=participations, num_epochs=epochs)
    return upper, lower


def microsoft(sigma, rate, times, delta):
    """prv-accountant's ends."""
    step = PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
    run = PRVAccountant(prvs=[step], max_self_compositions=[times], eps_error=0.01, delta_error=1e-8)
    lower, _, upper = run.compute_epsilon(delta=delta, num_self_compositions=[times])
    return upper, lower


def older(method, sigma, steps, participations, epochs, delta):
    """An upper end of random-allocation, for the worse direction."""
    run = ra.comparisons.structs.PrivacyParams(
        sigma=sigma, num_steps=steps, num_selected=participations, num_epochs=epochs, delta=delta)
    orders = {"allocation_direct_alpha_orders": list(range(2, 61)), "allocation_RDP_DCO_alpha_orders": list(range(2, 61))}
    return method(run, ra.SchemeConfig(**orders)), None


def correlated(sigma, coefficients, participations, separation, delta):
    """jax-privacy's sensitivity and dp-accounting's Gaussian mechanism."""
    squared = toeplitz.minsep_sensitivity_squared(
        np.array(coefficients), separation, participations, len(coefficients))
    return dp_accounting.get_epsilon_gaussian(sigma / float(squared) ** 0.5, delta), None


def simulated(strategy, sigma, coefficients, delta):
    """jax-privacy's estimate of ε."""
    def ends(positive):
        parts = [sample_generation.get_privacy_loss_sample(
            strategy, sigma, np.array(coefficients), seed=[seed, positive], positive_sample=positive, num_samples=10_000)[0]
            for seed in range(SAMPLES // 10_000)]
        losses = np.concatenate(parts)
        def at(epsilon, errors):
            values = -np.expm1(np.minimum(epsilon - losses, 0.0))
            return values.mean() + errors * values.std() / SAMPLES ** 0.5
        def inverse(errors):
            low, high = 0.0, 50.0
            for _ in range(40):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if at(middle, errors) > delta else (low, middle)
            return high
        return inverse(5.0), inverse(-5.0)
    return tuple(max(both) for both in zip(ends(True), ends(False)))


def batches():
    """Scheme, tree, relation, δ, peer and its question: 10 000 steps of batches of about 500 of 50 000 records."""
    truncated = dp_event.TruncatedSubsampledGaussianDpEvent(50_000, 0.01, 600, 1.0)
    cases = {
        "poisson": (PLDAccountant, dp_accounting.PoissonSampledDpEvent(0.01, GAUSSIAN),
                    {"kind": "poisson-sampled", "rate": 0.01, "event": gaussian(1.0)}),
        # Here the peer's sigma is in units of what replacing a record of the batch moves, twice what its presence makes.
        "fixed size": (RdpAccountant, dp_accounting.SampledWithoutReplacementDpEvent(50_000, 500, GAUSSIAN),
                       {"kind": "fixed-size-sampled", "size": 50_000, "batch": 500, "event": gaussian(2.0)}),
        "truncated poisson": (PLDAccountant, truncated,
                              {"kind": "truncated-poisson-sampled", "rate": 0.01, "cap": 600, "records": 50_000,
                               "event": gaussian(1.0)}),
    }
    for name, (accountant, theirs, event) in cases.items():
        for relation in RELATIONS:
            yield (name, repeated(10_000, event), relation, 1e-5, "dp-accounting",
                   lambda a=accountant, r=relation, e=theirs: google(a, r, 10_000, e, 1e-5))


def allocations():
    """The same of random allocation, at 10 000 steps and fewer."""
    for sigma, steps, participations, epochs, delta in [
        (1.0, 10, 1, 1, 1e-6), (2.0, 10, 1, 1, 1e-6), (1.0, 100, 1, 1, 1e-6), (0.6, 100, 1, 1, 1e-5), (1.0, 60, 4, 1, 1e-6),
        (1.0, 1000, 1, 1, 1e-6), (2.0, 100, 1, 10, 1e-6), (1.0, 100, 1, 100, 1e-5), (1.0, 10_000, 100, 1, 1e-5),
        (1.0, 10_000, 1, 1, 1e-5),
    ]:
        event = {"kind": "random-allocation", "steps": steps, "participations": participations, "event": gaussian(sigma)}
        name = f"{participations} of {steps} steps, {epochs} times, sigma = {sigma}"
        yield (name, repeated(epochs, event) if epochs > 1 else event, "add-remove", delta,
               "PLD_accounting",
               lambda s=sigma, t=steps, k=participations, n=epochs, d=delta: shenfeld(s, t, k, n, d))


def others():
    """What only some peers know."""
    yield ("poisson", repeated(10_000, {"kind": "poisson-sampled", "rate": 0.01, "event": gaussian(1.0)}), "add-remove", 1e-5,
           "prv-accountant", lambda: microsoft(1.0, 0.01, 10_000, 1e-5))
    for name, method in [("direct", ra.allocation_epsilon_direct), ("combined", ra.allocation_epsilon_RDP_DCO)]:
        for sigma, steps, participations, epochs, delta in [(1.0, 100, 1, 100, 1e-5), (1.0, 60, 4, 1, 1e-6)]:
            event = {"kind": "random-allocation", "steps": steps, "participations": participations, "event": gaussian(sigma)}
            yield (f"{participations} of {steps} steps, {epochs} times, sigma = {sigma}, {name}",
                   repeated(epochs, event) if epochs > 1 else event, "add-remove", delta, "random-allocation",
                   lambda m=method, s=sigma, t=steps, k=participations, n=epochs, d=delta: older(m, s, t, k, n, d))


def runs():
    """Correlated noise, and records in steps that keep a distance."""
    def matrix(sigma, coefficients, steps, participations, separation):
        return {"kind": "matrix-gaussian", "sigma": sigma, "strategy": coefficients + [0.0] * (steps - len(coefficients)),
                "participations": participations, "separation": separation}
    root = [1.0]
    for k in range(1, 64):
        root.append(root[-1] * (1 - 0.5 / k))
    yield ("matrix mechanism", matrix(4.0, root, 64, 4, 16), "add-remove", 1e-5, "jax-privacy",
           lambda: correlated(4.0, root, 4, 16, 1e-5))
    # Columns of norm 1, of which those that a record may be in do not meet.
    event = {"kind": "poisson-sampled", "rate": 0.1, "event": matrix(1.0, [0.8, 0.6], 64, 16, 4)}
    yield ("matrix mechanism, cyclic poisson", event, "add-remove", 1e-5, "jax-privacy",
           lambda: google_event(jax_accounting.amplified_bandmf_event(1.0, 64, num_bands=4, sampling_prob=0.1), 1e-5))
    for name, band in [("independent noise", [1.0]), ("correlated noise", [0.8, 0.6])]:
        bins = batch_selection.BallsInBinsSampling(iterations=100, cycle_length=20)
        event = {"kind": "balls-in-bins", "bins": 20, "event": matrix(1.0, band, 100, 5, 20)}
        yield (f"balls in bins, {name}", event, "add-remove", 1e-3, "jax-privacy",
               lambda b=band, s=bins: simulated(s, 1.0, b, 1e-3))
        apart = batch_selection.BMinSepSampling(sampling_prob=0.1, iterations=100, min_sep=4)
        inner = gaussian(1.0) if len(band) == 1 else matrix(1.0, band, 100, 25, 4)
        event = {"kind": "b-min-separation", "steps": 100, "separation": 4, "rate": 0.1, "event": inner}
        yield (f"b-min-separation, {name}", event, "add-remove", 1e-3, "jax-privacy",
               lambda b=band, s=apart: simulated(s, 1.0, b, 1e-3))


def google_event(theirs, delta):
    """dp-accounting's ε of one of its events."""
    accountant = PLDAccountant(neighboring_relation=RELATIONS["add-remove"])
    accountant.compose(theirs)
    return accountant.get_epsilon(delta), None


def ours(program, event, relation, delta):
    """The CPU seconds that our program takes for both ends."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    began = spent()
    ask = [program, "account", "event", "-", "--delta", str(delta), "--neighbours", relation, "--certified"]
    subprocess.run(ask, input=json.dumps(event), text=True, check=True, stdout=subprocess.DEVNULL)
    return spent() - began


def main():
    program = sys.argv[1]
    today = datetime.date.today()
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["scheme", "neighbours", "delta", "peer", "upper", "lower", "seconds", "event", "ratio", "date"])
    for name, event, relation, delta, peer, ask in [*batches(), *others(), *runs(), *allocations()]:
        began = time.process_time()
        try:
            upper, lower = ask()
        except dp_accounting.UnsupportedEventError:
            continue
        seconds = time.process_time() - began
        ratio = seconds / ours(program, event, relation, delta)
        rows.writerow([name, relation, delta, f"{peer} {version(peer)}", upper, "" if lower is None else lower,
                       f"{seconds:.2f}", json.dumps(event), f"{ratio:.3g}", today])
        sys.stdout.flush()


if __name__ == "__main__":
    main()

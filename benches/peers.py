"""What other accountants say of batches as programs draw them, and the CPU time they take: `python benches/peers.py > tests/data/peers.csv`.

Needs dp-accounting 0.6.0 and PLD_accounting 2.0. Their ε is an upper bound, and the `lower` one of PLD_accounting a lower
bound, in their arithmetic; a scheme that a peer refuses has no row. The seconds are of this machine.
"""
import csv
import json
import sys
import time
from importlib.metadata import version

import dp_accounting
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant
from PLD_accounting import gaussian_allocation_epsilon_range

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


def main():
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["scheme", "neighbours", "delta", "peer", "upper", "lower", "seconds", "event"])
    for name, event, relation, delta, peer, ask in [*batches(), *allocations()]:
        began = time.process_time()
        try:
            upper, lower = ask()
        except dp_accounting.UnsupportedEventError:
            continue
        seconds = time.process_time() - began
        rows.writerow([name, relation, delta, f"{peer} {version(peer)}", upper, "" if lower is None else lower,
                       f"{seconds:.2f}", json.dumps(event)])
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Accountants of others against our certified lower end: `python accountants.py` writes tests/data/world_accountants.csv.

`--store FILE` writes elsewhere.

A claim below our lower end would be a violation: the lower end is proved (interval arithmetic), so there is no
false alarm to bound. δ and trees are drawn with seed 26. Opacus is met without torch: only its accountants are loaded.
"""
import argparse
import csv
import importlib.metadata
import importlib.util
import pathlib
import random
import sys
import types

import dp_accounting
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

import dp_assay

STORE = pathlib.Path(__file__).resolve().parents[2] / "data" / "world_accountants.csv"
TREES, SEED = 50, 26
FIELDS = ["tree", "library", "version", "accountant", "event", "delta", "claim", "lower", "upper", "below"]


def trees(seed: int, count: int):
    """Compositions of Gaussian and Laplace noise, sampled or not, each with a δ; every other one as Opacus runs them."""
    draw = random.Random(seed)
    for index in range(count):
        parts = []
        for _ in range(draw.randint(1, 3)):
            gaussian = index % 2 == 0 or draw.random() < 0.5
            noise = draw.uniform(0.8, 4) if gaussian else draw.uniform(1, 6)
            rate = draw.uniform(0.01, 0.5) if index % 2 == 0 or draw.random() < 0.6 else None
            parts.append((gaussian, noise, rate, draw.randint(1, 30)))
        yield parts, 10 ** draw.uniform(-9, -3)


def event(parts):
    """A tree as dp-accounting writes it."""
    def one(gaussian, noise, rate, times):
        leaf = (dp_accounting.GaussianDpEvent if gaussian else dp_accounting.LaplaceDpEvent)(noise)
        sampled = leaf if rate is None else dp_accounting.PoissonSampledDpEvent(rate, leaf)
        return dp_accounting.SelfComposedDpEvent(sampled, times)

    return dp_accounting.ComposedDpEvent([one(*part) for part in parts])


def opacus_accountants():
    """Those of Opacus; the package around them, which needs torch, is not imported."""
    package = types.ModuleType("opacus")
    package.__path__ = list(importlib.util.find_spec("opacus").submodule_search_locations)
    optimizers = types.ModuleType("opacus.optimizers")
    optimizers.DPOptimizer = object  # named by a signature, used by no accountant
    sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
    from opacus.accountants import PRVAccountant, RDPAccountant

    return {"rdp": RDPAccountant, "prv": PRVAccountant}


def claims(parts, delta):
    """(library, accountant, ε) of every accountant; ε is None where it refuses the tree."""
    for name, accountant in (("pld", PLDAccountant), ("rdp", RdpAccountant)):
        try:
            yield "dp-accounting", name, float(accountant().compose(event(parts)).get_epsilon(delta))
        except dp_accounting.UnsupportedEventError:
            yield "dp-accounting", name, None
    if all(gaussian and rate is not None for gaussian, _, rate, _ in parts):
        for name, accountant in OPACUS.items():
            theirs = accountant()
            theirs.history = [(noise, rate, times) for _, noise, rate, times in parts]
            yield "opacus", name, float(theirs.get_epsilon(delta))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=pathlib.Path, default=STORE)
    with parser.parse_args().store.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for index, (parts, delta) in enumerate(trees(SEED, TREES)):
            ours = dp_assay.account(event(parts), delta)
            said = " + ".join(
                f"{times} x {'Gaussian' if gaussian else 'Laplace'}({noise!r})" + (f" sampled {rate!r}" if rate else "")
                for gaussian, noise, rate, times in parts)
            for library, name, epsilon in claims(parts, delta):
                writer.writerow({
                    "tree": index, "library": library, "version": importlib.metadata.version(library),
                    "accountant": name, "event": said, "delta": repr(delta), "lower": repr(ours.lower), "upper": repr(ours.upper),
                    "claim": "unsupported" if epsilon is None else repr(epsilon),
                    "below": epsilon is not None and epsilon < ours.lower,
                })
            file.flush()


if __name__ == "__main__":
    OPACUS = opacus_accountants()
    main()

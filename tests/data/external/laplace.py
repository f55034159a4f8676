"""A Laplace mechanism on a sum, as a user would write it; `half` in the arguments halves the noise."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../src/python/dp_assay"))
import client as dp_assay

SCALE = 0.5 if "half" in sys.argv else 1.0


def mechanism(data, rng):
    return sum(data) + SCALE * (rng.expovariate(1) - rng.expovariate(1))


dp_assay.serve(mechanism, load=json.loads)

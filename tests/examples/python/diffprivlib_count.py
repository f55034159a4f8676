"""Mechanisms of diffprivlib, audited by dp-assay: the name of the mechanism is the first argument.

    dp-assay audit external --command "python3 diffprivlib_count.py Laplace" --claim eps=1,delta=0 \\
        --neighbours add-remove --input0 none.json --input1 one.json

Every mechanism is built for epsilon = 1 and sensitivity 1, and answers a count. A second argument
`half` builds it for twice the epsilon that is claimed: the audit must catch it.
"""
import json
import sys

import dp_assay
from diffprivlib import mechanisms

NAME = sys.argv[1]
EPSILON = 2.0 if "half" in sys.argv else 1.0
BOUNDED = {"lower": 0, "upper": 20} if NAME == "Snapping" else {}


def noisy_count(records, rng):
    # The library draws from the operating system unless it is given a generator.
    mechanism = getattr(mechanisms, NAME)(epsilon=EPSILON, sensitivity=1, random_state=rng.getrandbits(32), **BOUNDED)
    return mechanism.randomise(sum(records))


dp_assay.serve(noisy_count, load=json.loads)

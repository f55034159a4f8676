"""A histogram as a dict: of the keys that are there, or of all keys that there may be.

    dp-assay audit client > dp_assay.py         # the client: one file, no dependencies
    dp-assay audit external --command "python3 histogram.py found-keys" --claim eps=1 \\
        --neighbours add-remove --input0 none.json --input1 one.json
"""
import collections
import json
import sys

import dp_assay


def histogram(data, rng):
    counts = collections.Counter(data)
    keys = sorted(counts) if sys.argv[1] == "found-keys" else range(3)
    return {key: counts[key] + rng.expovariate(1) - rng.expovariate(1) for key in keys}


dp_assay.serve(histogram, load=json.loads, length=dp_assay.ANY)

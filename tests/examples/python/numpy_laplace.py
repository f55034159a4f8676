"""A count with Laplace noise from numpy, audited by dp-assay.

    dp-assay audit client > dp_assay.py         # the client: one file, no dependencies
    dp-assay audit external --command "python3 numpy_laplace.py" --claim eps=1,delta=0 \\
        --neighbours add-remove --input0 none.json --input1 one.json

As a real number the answer is 1-private. With `--bits` the audit also looks at the bits of the
double that is released, and finds that they tell the two inputs apart.
"""
import json

import dp_assay
import numpy


def noisy_count(records, rng):
    generator = numpy.random.default_rng(rng.getrandbits(64))
    return sum(records) + generator.laplace(0.0, 1.0)


dp_assay.serve(noisy_count, load=json.loads)

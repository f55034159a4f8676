"""Pairs of neighbouring inputs: given, or made by Hypothesis strategies."""
from __future__ import annotations

import json
import warnings
from collections import Counter
from typing import Any, List, Optional, Sequence, Tuple

from .client import written_down

#: Pairs of inputs that are tried at most where a strategy makes them.
PAIRS = 32


def pairs_of(inputs: Any, neighbours: str) -> List[Tuple[Any, Any]]:
    """The pairs of inputs that `inputs` stands for; refuses equal ones, and warns of those that look like no neighbours."""
    if hasattr(inputs, "example") and hasattr(inputs, "map"):
        return _examples(inputs)
    several = isinstance(inputs, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in inputs)
    pairs: Sequence[Any] = inputs if several and inputs else [inputs]
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ValueError(f"inputs are two neighbouring data sets (d0, d1), or a list of such pairs, not {pair!r}")
        first, second = pair
        if _equal(first, second):
            raise ValueError(f"the two inputs are equal, {pair[0]!r}: an audit tells two neighbouring inputs apart")
        doubts = doubt(first, second, neighbours)
        if doubts:
            warnings.warn(doubts, stacklevel=3)
    return [(first, second) for first, second in pairs]


def doubt(first: Any, second: Any, neighbours: str) -> Optional[str]:
    """Why two lists are not neighbours if their entries are records; None where they may be, or that cannot be seen."""
    rules = {"add-remove": "one has a record more", "replace-one": "one record is another"}
    if neighbours not in rules or not all(isinstance(data, (list, tuple)) for data in (first, second)):
        return None
    try:
        counts = [Counter(json.dumps(record, sort_keys=True) for record in data) for data in (first, second)]
    except (TypeError, ValueError):  # records of a kind that is not compared
        return None
    alone = [sum((counts[0] - counts[1]).values()), sum((counts[1] - counts[0]).values())]
    if sorted(alone) == ([0, 1] if neighbours == "add-remove" else [1, 1]):
        return None
    return (
        f"{neighbours} neighbours are lists of which {rules[neighbours]}; as lists of records {alone[0]} of the first input are "
        f"not in the second, and {alone[1]} of the second not in the first: if they are records, a violation on these inputs "
        "says nothing of neighbours"
    )


def neighbouring(records: Any, neighbours: str, *, min_size: int = 1, max_size: int = 8) -> Any:
    """A Hypothesis strategy of pairs of neighbouring lists, for `inputs`.

    records: a strategy of one record. neighbours: `add-remove`, where one record of the larger list, of min_size to
    max_size records, is left out; or `replace-one`, where one of them is another.
    """
    from hypothesis import assume
    from hypothesis import strategies as st

    if neighbours not in ("add-remove", "replace-one"):
        raise ValueError(f"neighbours is {neighbours!r}: strategies are made for 'add-remove' and 'replace-one'")
    if min_size < 1:
        raise ValueError(f"min_size is {min_size}: a pair differs in a record, so that one list has at least 1")

    @st.composite
    def pair(draw: Any) -> Tuple[Any, Any]:
        data = draw(st.lists(records, min_size=min_size, max_size=max_size))
        at = draw(st.integers(0, len(data) - 1))
        if neighbours == "add-remove":
            return data[:at] + data[at + 1:], data
        other = draw(records)
        assume(not _equal(data[at], other))
        return data, [*data[:at], other, *data[at + 1:]]

    return pair()


def _examples(strategy: Any) -> List[Tuple[Any, Any]]:
    """Different pairs that a Hypothesis strategy makes."""
    import hypothesis

    found: List[Tuple[Any, Any]] = []

    @hypothesis.settings(
        max_examples=4 * PAIRS, database=None, deadline=None, derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def collect(pair: Any) -> None:
        first, second = pair
        new = not any(_equal(first, a) and _equal(second, b) for a, b in found)
        if len(found) < PAIRS and not _equal(first, second) and new:
            found.append((first, second))

    collect()
    if not found:
        raise ValueError("the strategy made no pair of different inputs")
    return found


def _equal(first: Any, second: Any) -> bool:
    if first is second:
        return True
    # Arrays within tuples, data frames and NaN have no equality of their own.
    written = written_down(first)
    if written is not None and written == written_down(second):
        return True
    try:
        same = first == second
        return bool(same.all() if hasattr(same, "all") else same) and _shape(first) == _shape(second)
    except Exception:  # what cannot be compared is not known to be equal
        return False


def _shape(data: Any) -> Any:
    return getattr(data, "shape", None)

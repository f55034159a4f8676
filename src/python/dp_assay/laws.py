"""What it costs that something moves under noise of a known law: exact rational arithmetic, then rounded upwards."""
from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Dict, Iterator, List, Tuple

from .events import Composed, Event, Gaussian, Laplace, Pure, Repeated
from .noise import Draw, Term


class UnknownLaw(Exception):
    """Something moves under noise for which no account is known."""


@dataclass(frozen=True)
class Cost:
    """What one release costs, in units of its noise."""

    #: The line that drew the noise, and the one that read it.
    drawn: str
    read: str
    #: `laplace`, `gaussian` or `discrete-laplace`.
    law: str
    #: How far the base moved: ℓ₁ over scale, (ℓ₂ over standard deviation)², ℓ₁ times the parameter; exact.
    distance: Fraction
    #: How far it moved in its own units, and the noise there: ℓ₁ or ℓ₂, for people.
    moved: float
    scale: float


def cost(terms: List[Term], first: Any, second: Any, read: str) -> List[Cost]:
    """The costs of `first` plus noise against `second` plus the same noise; none where nothing moves.

    Marks what the noise would have to be on the second for the sum to be the same. Noise that was released before is
    public: it moves the base by what it was marked with, and what is left must be hidden by noise that is fresh.
    """
    total: Dict[Tuple[str, str], List[Fraction]] = {}
    ends: Dict[Tuple[str, str], List[float]] = {}
    for elements, moved in _coordinates(terms, first, second):
        elements, moved = _fresh(elements, moved)
        for draw, place, factor in elements:
            if factor:  # otherwise it is not in the sum
                alone = len(elements) == 1 or moved == 0
                draw.moved[place] = moved / Fraction(factor) if alone else None
        if moved == 0:
            continue
        law, noise = _law(elements)
        if law == "discrete-laplace" and moved.denominator != 1:
            raise UnknownLaw(f"whole noise (drawn at {elements[0][0].where}) on something that moves by {_double(moved)}: "
                             "what follows the point tells")
        key = (elements[0][0].where, law)
        distance = {"laplace": lambda: abs(moved) / noise, "gaussian": lambda: moved**2 / noise,
                    "discrete-laplace": lambda: abs(moved) * noise}[law]()
        total.setdefault(key, []).append(distance)
        ends.setdefault(key, []).append(_double(moved))
    costs = []
    for (drawn, law), distances in total.items():
        distance = sum(distances, Fraction(0))
        length = math.hypot(*ends[drawn, law]) if law == "gaussian" else math.fsum(map(abs, ends[drawn, law]))
        if distance > _MOST or math.isinf(length):
            raise UnknownLaw(f"no finite epsilon is known of noise (drawn at {drawn}) on what moves by {length:g}: it is too small")
        distance = max(distance, _LEAST)
        size = math.sqrt(distance) if law == "gaussian" else float(distance)
        costs.append(Cost(drawn, read, law, distance, length, length / size))
    return costs


#: Distances that doubles hold, and their sums: smaller ones are rounded up, larger ones have no account.
_LEAST, _MOST = Fraction(1, 2**400), Fraction(2**1000)


def _coordinates(terms: List[Term], first: Any, second: Any) -> Iterator[Tuple[List[Any], Fraction]]:
    """The elements of noise in each coordinate, with how far its base moves."""
    parts = [first, second, *(x for _, places, factor in terms for x in (places, factor))]
    if not any(getattr(part, "ndim", 0) for part in parts):
        lists: List[List[Any]] = [[part.item() if hasattr(part, "item") else part] for part in parts]
    else:
        import numpy

        if numpy.shape(first) != numpy.shape(second):
            raise UnknownLaw(f"the shape of what noise is added to depends on the data: {numpy.shape(first)} and "
                             f"{numpy.shape(second)}")
        shape = numpy.broadcast_shapes(*map(numpy.shape, parts))
        lists = [numpy.broadcast_to(part, shape).ravel().tolist() for part in parts]
    for one, two, *rest in zip(*lists):
        if not (math.isfinite(one) and math.isfinite(two)):
            raise UnknownLaw(f"noise is added to {one} and {two}")
        if not all(map(math.isfinite, rest[1::2])):
            raise UnknownLaw(f"noise is multiplied by {', '.join(map(str, rest[1::2]))}")
        moved = Fraction(0) if one == two else Fraction(two) - Fraction(one)
        yield [(term[0], rest[2 * i], rest[2 * i + 1]) for i, term in enumerate(terms)], moved


def _fresh(elements: List[Any], moved: Fraction) -> Tuple[List[Any], Fraction]:
    """Noise that was not released before, and how far it must hide that the rest moves."""
    fresh = []
    for draw, place, factor in elements:
        if place not in draw.moved:
            fresh.append((draw, place, factor))
        elif draw.moved[place] is None and factor:
            raise UnknownLaw(_again(draw))
        else:
            moved -= (draw.moved[place] or 0) * Fraction(factor)
    if not fresh and moved != 0:
        raise UnknownLaw(_again(elements[0][0]))
    return fresh, moved


def _again(draw: Draw) -> str:
    return f"the noise of {draw.where} is used again for something else: the difference tells"


def _law(elements: List[Any]) -> Tuple[str, Fraction]:
    """The law of a sum of independent noise, with its scale, variance or parameter.

    Where the sum has no law of its own, the rest of it is made public and its largest part hides the base.
    """
    if len({(draw.number, place) for draw, place, _ in elements}) < len(elements):
        raise UnknownLaw(f"the noise of {elements[0][0].where} is added to itself")
    each = [(draw.law, Fraction(_at(draw.scale, place)), Fraction(factor)) for draw, place, factor in elements]
    normal = [(scale * factor) ** 2 for law, scale, factor in each if law == "normal"]
    if sum(normal) > 0:
        return "gaussian", sum(normal, Fraction(0))
    laplace = [abs(scale * factor) for law, scale, factor in each if law == "laplace"]
    laplace += _differences("exponential", [(scale * factor, scale * factor) for law, scale, factor in each
                                            if law == "exponential"])
    if laplace and max(laplace) > 0:
        return "laplace", max(laplace)
    geometric = _differences("geometric", [(factor, scale) for law, scale, factor in each
                                           if law == "geometric" and scale < 1])
    if geometric and all(abs(factor) == 1 for law, _, factor in each if law == "geometric"):
        # −ln(1 − p), rounded up.
        return "discrete-laplace", Fraction(math.nextafter(-math.log1p(-float(geometric[0])), math.inf))
    names = " + ".join(sorted({law for law, *_ in each}))
    raise UnknownLaw(f"no account is known of {names} noise (drawn at {elements[0][0].where}) on something that moves")


def _differences(law: str, signed: List[Tuple[Fraction, Fraction]]) -> List[Fraction]:
    """The scales of those that occur with both signs."""
    plus = {abs(scale) for sign, scale in signed if sign > 0}
    return [abs(scale) for sign, scale in signed if sign < 0 and abs(scale) in plus]


def _at(scale: Any, place: int) -> Any:
    return scale.reshape(-1)[place].item() if getattr(scale, "ndim", 0) else float(scale)


def event(costs: List[Cost]) -> Event:
    """All costs as one event: Gaussian ones are one of their joint distance, equal ones are counted."""
    gaussian = sum((c.distance for c in costs if c.law == "gaussian"), Fraction(0))
    events: List[Event] = [Gaussian(1.0, _root_up(gaussian))] if gaussian else []
    counts: Dict[Tuple[str, Fraction], int] = {}
    for one in costs:
        if one.law != "gaussian":
            counts[one.law, one.distance] = counts.get((one.law, one.distance), 0) + 1
    for (law, distance), times in counts.items():
        once: Event = Laplace(1.0, _up(distance)) if law == "laplace" else Pure(_up(distance))
        events.append(once if times == 1 else Repeated(times, once))
    return events[0] if len(events) == 1 else Composed(events)


def _double(x: Fraction) -> float:
    """Rounded, for people."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _up(x: Fraction) -> float:
    """The least double that is not below."""
    near = float(x)
    return near if Fraction(near) >= x else math.nextafter(near, math.inf)


def _root_up(x: Fraction) -> float:
    near = math.sqrt(_up(x))
    while Fraction(near) ** 2 < x:
        near = math.nextafter(near, math.inf)
    while near > 0 and Fraction(math.nextafter(near, 0.0)) ** 2 >= x:
        near = math.nextafter(near, 0.0)
    return near

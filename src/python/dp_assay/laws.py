"""What it costs that something moves under noise of a known law: exact rational arithmetic, then rounded upwards."""
from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Dict, Iterator, List, Tuple

from .events import Composed, Event, Gaussian, Laplace, Pure, Repeated
from .noise import Term


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

    Marks what the noise would have to be on the second for the sum to be the same. Noise that was released before
    says nothing new where that stays so, and everything where it does not.
    """
    total: Dict[Tuple[str, str], List[Fraction]] = {}
    ends: Dict[Tuple[str, str], List[float]] = {}
    for elements, moved in _coordinates(terms, first, second):
        used = [draw.moved.get(place, _FRESH) for draw, place, _ in elements]
        if any(before is not _FRESH for before in used):
            _again(elements, used, moved, read)
            continue
        for draw, place, factor in elements:
            alone = len(elements) == 1 or moved == 0
            draw.moved[place] = (moved and moved / Fraction(factor)) if alone and factor else None
        if moved == 0:
            continue
        law, noise = _law(elements)
        if law == "discrete-laplace" and moved.denominator != 1:
            raise UnknownLaw(f"whole noise (drawn at {elements[0][0].where}) on something that moves by {float(moved)}: "
                             "what follows the point tells")
        key = (elements[0][0].where, law)
        distance = {"laplace": lambda: abs(moved) / noise, "gaussian": lambda: moved**2 / noise,
                    "discrete-laplace": lambda: abs(moved) * noise}[law]()
        total.setdefault(key, []).append(distance)
        ends.setdefault(key, []).append(float(moved))
    costs = []
    for (drawn, law), distances in total.items():
        distance = sum(distances, Fraction(0))
        length = math.hypot(*ends[drawn, law]) if law == "gaussian" else math.fsum(map(abs, ends[drawn, law]))
        size = math.sqrt(distance) if law == "gaussian" else float(distance)
        costs.append(Cost(drawn, read, law, distance, length, length / size))
    return costs


_FRESH = object()


def _coordinates(terms: List[Term], first: Any, second: Any) -> Iterator[Tuple[List[Any], Fraction]]:
    """The elements of noise in each coordinate, with how far its base moves."""
    parts = [first, second, *(x for _, places, factor in terms for x in (places, factor))]
    if not any(getattr(part, "ndim", 0) for part in parts):
        lists: List[List[Any]] = [[part] for part in parts]
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
        moved = Fraction(0) if one == two else Fraction(two) - Fraction(one)
        yield [(term[0], rest[2 * i], rest[2 * i + 1]) for i, term in enumerate(terms)], moved


def _again(elements: List[Any], used: List[Any], moved: Fraction, read: str) -> None:
    """Noise that was released before: it must show the same as then."""
    if moved == 0 and all(before is _FRESH or before == 0 for before in used):
        return
    if len(elements) == 1 and used[0] is not None and moved == used[0] * Fraction(elements[0][2]):
        return
    raise UnknownLaw(f"the noise of {elements[0][0].where} is used again for something else: the difference tells")


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
    geometric = _differences("geometric", [(factor, scale) for law, scale, factor in each if law == "geometric"])
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

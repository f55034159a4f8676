"""ε from what was run, certified in the direction that each number's name says."""
from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _link
from .events import Event, from_dp_accounting

AnyEvent = Union[Event, Mapping[str, Any], Any]


@dataclass(frozen=True)
class Account:
    """What is known of an event's ε at a δ."""

    #: No smaller ε holds for every mechanism that the event describes (0 where nothing is proved).
    lower: float
    #: Every mechanism that the event describes is (upper, delta)-DP.
    upper: float
    delta: float
    #: The accountant that gave the upper end.
    method: str
    #: The theorems that it rests on.
    theorem: str
    neighbours: str
    event: Dict[str, Any] = field(repr=False)

    @classmethod
    def _of(cls, report: Mapping[str, Any], event: Dict[str, Any]) -> "Account":
        names = {"lower": "epsilon_lower", "upper": "epsilon_upper"}
        same = {name: report[name] for name in ("delta", "method", "theorem", "neighbours")}
        return cls(**{name: report[key] for name, key in names.items()}, **same, event=event)


def tree(event: AnyEvent, neighbours: str = "add-remove") -> Dict[str, Any]:
    """The event as JSON values: from this package, a dict, or dp-accounting's and JAX-Privacy's.

    Noise of theirs is noise over what one record's presence makes; one that is replaced moves it by up to twice that, as
    dp-accounting's own accountant of losses has it.
    """
    if isinstance(event, Event):
        return event.to_dict()
    if isinstance(event, Mapping):
        return dict(event)
    plain = from_dp_accounting(event).to_dict()
    return _replaced(plain) if neighbours == "replace-one" else plain


def _replaced(event: Dict[str, Any]) -> Dict[str, Any]:
    """With twice the sensitivity of noise; below a sampling node the accountant sees to that."""
    kind = event["kind"]
    if kind in ("gaussian", "laplace", "discrete-gaussian", "discrete-laplace"):
        return {**event, "sensitivity": 2 * event.get("sensitivity", 1)}
    if kind == "repeated":
        return {**event, "event": _replaced(event["event"])}
    if kind == "composed":
        return {**event, "events": [_replaced(inner) for inner in event["events"]]}
    return event


def account(
    event: AnyEvent,
    delta: float,
    neighbours: str = "add-remove",
    method: str = "auto",
    certified: bool = True,
) -> Account:
    """Bounds the ε of an event at δ, from both sides; without `certified` faster, and from above alone where that
    is all that one run can prove.

    Raises ValueError with the reason where nothing is known, or no ε is finite.
    """
    plain = tree(event, neighbours)
    [report] = _ask(plain, [delta], neighbours, method, certified)
    return Account._of(report, plain)


#: Stands for the number of an event that `calibrate` is to find.
FREE: Any = "?"


@dataclass(frozen=True)
class Calibration:
    """The number that was found, and what vouches for it."""

    #: At the end of its safe range: the least noise, the most of anything else.
    value: float
    #: The account of the event with this value: its upper end is at most the ε asked for.
    account: Account


def calibrate(
    event: AnyEvent,
    epsilon: float,
    delta: float,
    neighbours: str = "add-remove",
    method: str = "auto",
) -> Calibration:
    """Finds the one number of an event that is `FREE`, for (epsilon, delta).

        calibrate(Repeated(1000, PoissonSampled(0.01, Gaussian(FREE))), epsilon=1, delta=1e-5).value

    Raises ValueError with the reason where no value meets the target.
    """
    found = _link.ask(
        "calibrate", event=tree(event, neighbours), epsilon=epsilon, delta=delta, neighbours=neighbours, accountant=method
    )
    return Calibration(found["value"], Account._of(found["report"], found["event"]))


def _ask(event: Dict[str, Any], deltas: Sequence[float], neighbours: str, method: str, certified: bool) -> List[Any]:
    deltas = [float(delta) for delta in deltas]
    for delta in deltas:
        if not math.isfinite(delta):
            raise ValueError(f"delta is {delta}: it must lie in [0, 1]")
    reports: List[Any] = _link.ask(
        "account", event=event, deltas=deltas, neighbours=neighbours, accountant=method, certified=certified
    )
    return reports


class Profile(NamedTuple):
    """Points (ε, δ), each a guarantee, as arrays of doubles that numpy reads where they are."""

    epsilon: array[float]
    delta: array[float]

    def plot(self, axes: Any = None) -> Any:
        """Draws the points with matplotlib, if it is installed; the axes."""
        return _plot(axes, self.epsilon, self.delta, "ε", "δ", log=True)


class TradeOff(NamedTuple):
    """Points (α, β): no attack of type I error α has a smaller type II error than β."""

    alpha: array[float]
    beta: array[float]

    def plot(self, axes: Any = None) -> Any:
        """Draws the curve with matplotlib, if it is installed; the axes."""
        return _plot(axes, self.alpha, self.beta, "type I error α", "type II error β", log=False)


def _plot(axes: Any, x: array[float], y: array[float], x_name: str, y_name: str, log: bool) -> Any:
    if axes is None:
        from matplotlib import pyplot  # type: ignore[import-not-found,unused-ignore]

        axes = pyplot.subplots()[1]
    axes.plot(x, y)
    axes.set_xlabel(x_name)
    axes.set_ylabel(y_name)
    if log:
        axes.set_yscale("log")
    return axes


#: δ at which a profile is taken unless others are given.
DELTAS: Tuple[float, ...] = (
    *(10.0 ** (-k / 2) for k in range(24, 2, -1)),
    *(k / 50 for k in range(3, 50)),
)


def profile(
    event: AnyEvent,
    deltas: Optional[Sequence[float]] = None,
    neighbours: str = "add-remove",
    method: str = "auto",
) -> Profile:
    """The privacy profile as points (ε, δ), each a guarantee; δ without a finite ε are left out."""
    reports = _ask(tree(event, neighbours), DELTAS if deltas is None else deltas, neighbours, method, False)
    known = [report for report in reports if report is not None]
    return Profile(array("d", [report["epsilon_upper"] for report in known]), array("d", [report["delta"] for report in known]))


def trade_off_curve(
    event: AnyEvent,
    alphas: Optional[Sequence[float]] = None,
    neighbours: str = "add-remove",
    method: str = "auto",
) -> TradeOff:
    """Least type II error β of any attack of type I error α, from below.

    β is the largest that the profile's points imply (Dong, Roth and Su 2022, Proposition 2.12); no attack on one
    record has a true positive rate above 1 − β at the false positive rate α.
    """
    if alphas is None:
        alphas = [k / 100 for k in range(101)]
    wrong = [alpha for alpha in alphas if not 0 <= alpha <= 1]
    if wrong:
        raise ValueError(f"alpha = {wrong[0]!r}: a type I error lies in [0, 1]")
    points = list(zip(*profile(event, None, neighbours, method)))

    def implied(alpha: float) -> float:
        # Where it counts no term exceeds 1, so that rounding is far below what is taken off.
        each = (
            max(1 - delta - math.exp(epsilon) * alpha, math.exp(-epsilon) * (1 - delta - alpha))
            for epsilon, delta in points
            if epsilon < 700
        )
        return max(0.0, max(each, default=0.0) - 1e-12)

    return TradeOff(array("d", alphas), array("d", map(implied, alphas)))

"""What was run, as data: the event tree of `dp-assay account event` (spec/formats/event.md).

Noise is in the query's units; a sensitivity is what neighbours of the relation asked for differ by, below a
sampling node what one record's presence makes.
"""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Sequence, Tuple, Union

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:
    def dataclass_transform(**_: Any) -> Callable[[type], type]:
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Event:
    """A node of the tree, a frozen dataclass like all of its kinds. `kind` is its name in JSON."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def to_dict(self) -> Dict[str, Any]:
        """The tree as JSON values."""
        fields = {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}
        return {"kind": self.kind(), **fields}

    @classmethod
    def kind(cls) -> str:
        """The name of this kind of event: `PoissonSampled` is `poisson-sampled`."""
        return "".join("-" + c.lower() if c.isupper() else c for c in cls.__name__).lstrip("-")


def _plain(value: Any) -> Any:
    if isinstance(value, Event):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


class Gaussian(Event):
    """Gaussian noise of standard deviation `sigma`; ℓ₂ sensitivity."""

    sigma: float
    sensitivity: float = 1.0


class Laplace(Event):
    """Laplace noise of scale b; ℓ₁ sensitivity."""

    scale: float
    sensitivity: float = 1.0


class DiscreteGaussian(Event):
    """Weights e^(−k²/2σ²) on the integers."""

    sigma: float
    sensitivity: int = 1


class DiscreteLaplace(Event):
    """Weights e^(−a|k|) on the integers, a the `parameter`."""

    parameter: float
    sensitivity: int = 1


class RandomizedResponse(Event):
    """One of `buckets` answers, uniform with probability `noise`."""

    noise: float
    buckets: int


class Exponential(Event):
    """The exponential mechanism with Pr ∝ e^(εu/2Δ)."""

    epsilon: float


class ReportNoisyMax(Event):
    """The index of the largest score after Laplace noise."""

    sensitivities: Sequence[float]
    scales: Sequence[float]


class CorrelatedGaussian(Event):
    """Gaussian noise of a covariance matrix; the mean moves by one of the shifts."""

    covariance: Sequence[Sequence[float]]
    shifts: Sequence[Sequence[float]]


class GaussianMixture(Event):
    """Gaussian noise on what a group or a user moves by one of the shifts, drawn with these weights."""

    sigma: float
    shifts: Sequence[float]
    weights: Sequence[float]


class MatrixGaussian(Event):
    """All of Cx + z, z of deviation `sigma`; C is lower triangular: rows, or Toeplitz coefficients.

    A record takes part in at most `participations` steps, at least `separation` steps apart.
    """

    sigma: float
    strategy: Union[Sequence[float], Sequence[Sequence[float]]]
    participations: int = 1
    separation: int = 1


class Pure(Event):
    """Any ε-DP mechanism."""

    epsilon: float


class Approximate(Event):
    """Any (ε, δ)-DP mechanism."""

    epsilon: float
    delta: float


class Zcdp(Event):
    """Any ρ-zCDP mechanism."""

    rho: float


class Gdp(Event):
    """Any μ-GDP mechanism."""

    mu: float


class PoissonSampled(Event):
    """Every record takes part independently with probability `rate`; a text such as "256/60000" is rounded up."""

    rate: Union[float, str]
    event: Event


class FixedSizeSampled(Event):
    """A uniformly random batch of `batch` of `size` records takes part; with `replacement` so many draws."""

    size: int
    batch: int
    event: Event
    replacement: bool = False


class TruncatedPoissonSampled(Event):
    """As `PoissonSampled`, but a random `cap` of larger samples of the `records`.

    Under add-remove ε covers neighbours with one record less and with one more, of which either may be the worse; dp-accounting's
    event of that kind covers the one with less.
    """

    rate: Union[float, str]
    cap: int
    records: int
    event: Event


class RandomAllocation(Event):
    """`steps` times the event; each record in `participations` of them, drawn at random."""

    steps: int
    participations: int
    event: Event


class BallsInBins(Event):
    """`bins` times the event; each record in one of them, drawn at random and on its own."""

    bins: int
    event: Event


class BMinSeparation(Event):
    """`steps` times the event; each record in a step with probability `rate`, unless in one of the `separation` - 1 before.

    The first steps are as if the run had gone on for ever: in each, a record takes part with the same probability. A run
    whose records are all free at its first step has more of them there, and is another.
    """

    steps: int
    separation: int
    rate: Union[float, str]
    event: Event


class PrivateSelection(Event):
    """The best of a hidden, random number of runs, `mean` on average, each of an event drawn from these."""

    mean: float
    events: Sequence[Event]


class Repeated(Event):
    """The same event `times` times, adaptively."""

    times: int
    event: Event


class Composed(Event):
    """One event after the other, adaptively."""

    events: Sequence[Event]


class Parallel(Event):
    """Events on disjoint parts of the data; `partition` is `by-index` or `by-value`."""

    partition: str
    events: Sequence[Event]


def from_opacus(accountant: Any) -> Event:
    """The event of an Opacus accountant: its history of (noise multiplier, sampling rate, steps)."""
    def part(noise: float, rate: float, steps: int) -> Event:
        return Repeated(_whole(steps), PoissonSampled(float(rate), Gaussian(float(noise))))

    history: Sequence[Tuple[float, float, int]] = getattr(accountant, "history", accountant)
    return Composed([part(*entry) for entry in history])


def from_dp_accounting(event: Any) -> Event:
    """The event of a `dp_accounting.DpEvent`, or of what carries one as `dp_event` (JAX-Privacy's plans).

    Below a sampling node noise is taken in units of what one record's presence makes, as where training clips. For
    batches of fixed size dp-accounting's own accountant takes it in units of a replacement, which makes twice that:
    its ε is smaller. `FixedSizeSampled(n, m, Gaussian(σ, sensitivity=0.5))` is what that accounts for.
    """
    event = getattr(event, "dp_event", event)
    name = type(event).__name__
    convert = _FROM_DP_EVENT.get(name)
    if convert is None:
        known = ", ".join(sorted(_FROM_DP_EVENT))
        raise ValueError(f"{name} has no counterpart here; these have one: {known}")
    return convert(event)


def _noise(event: Any, what: str) -> float:
    value = float(getattr(event, what))
    if value <= 0:
        raise ValueError(f"{type(event).__name__} without noise ({what} = {value}) keeps nothing private")
    return value


def _whole(value: Any) -> int:
    """A count, which is never rounded: fewer steps or records would mean a smaller ε."""
    if value != int(value):
        raise ValueError(f"{value!r} is no whole number")
    return int(value)


def _zcdp(event: Any) -> Event:
    if getattr(event, "xi", 0):
        raise ValueError(f"ZCDpEvent with xi = {event.xi} has no counterpart here; with xi = 0 it has one")
    return Zcdp(float(event.rho))


_FROM_DP_EVENT: Dict[str, Callable[[Any], Event]] = {
    "NoOpDpEvent": lambda e: Composed([]),
    "GaussianDpEvent": lambda e: Gaussian(_noise(e, "noise_multiplier")),
    "LaplaceDpEvent": lambda e: Laplace(_noise(e, "noise_multiplier")),
    "DiscreteGaussianDpEvent": lambda e: DiscreteGaussian(_noise(e, "sigma"), _whole(e.sensitivity)),
    "DiscreteLaplaceDpEvent": lambda e: DiscreteLaplace(_noise(e, "noise_parameter"), _whole(e.sensitivity)),
    "RandomizedResponseDpEvent": lambda e: RandomizedResponse(_noise(e, "noise_parameter"), _whole(e.num_buckets)),
    "ExponentialMechanismDpEvent": lambda e: Exponential(float(e.epsilon)),
    "EpsilonDeltaDpEvent": lambda e: Approximate(float(e.epsilon), float(e.delta)) if e.delta else Pure(float(e.epsilon)),
    "ZCDpEvent": _zcdp,
    "PoissonSampledDpEvent": lambda e: PoissonSampled(float(e.sampling_probability), from_dp_accounting(e.event)),
    "SampledWithoutReplacementDpEvent": lambda e: FixedSizeSampled(
        _whole(e.source_dataset_size), _whole(e.sample_size), from_dp_accounting(e.event)
    ),
    "SampledWithReplacementDpEvent": lambda e: FixedSizeSampled(
        _whole(e.source_dataset_size), _whole(e.sample_size), from_dp_accounting(e.event), replacement=True
    ),
    "TruncatedSubsampledGaussianDpEvent": lambda e: TruncatedPoissonSampled(
        float(e.sampling_probability), _whole(e.truncated_batch_size), _whole(e.dataset_size),
        Gaussian(_noise(e, "noise_multiplier")),
    ),
    "SelfComposedDpEvent": lambda e: Repeated(_whole(e.count), from_dp_accounting(e.event)),
    "ComposedDpEvent": lambda e: Composed([from_dp_accounting(inner) for inner in e.events]),
}

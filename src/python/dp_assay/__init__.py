"""dp-assay for Python: certified accounting, audits of any callable, and privacy claims as tests.

    import dp_assay

    dp_assay.account(dp_assay.Repeated(1000, dp_assay.PoissonSampled(0.01, dp_assay.Gaussian(1.0))), delta=1e-5)

    @dp_assay.gate(eps=1, neighbours="add-remove", inputs=([1] * 9, [1] * 10))
    def test_the_count_is_private():
        return lambda data, rng: len(data) + rng.expovariate(1) - rng.expovariate(1)
"""
from ._link import DpAssayError, binary
from .accounting import FREE, Account, Calibration, Profile, TradeOff, account, calibrate, profile, trade_off_curve
from .auditing import Audit, audit
from .client import ANY, PROTOCOL, serve, serve_batches
from .events import (
    Approximate,
    BallsInBins,
    BMinSeparation,
    Composed,
    CorrelatedGaussian,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSizeSampled,
    Gaussian,
    GaussianMixture,
    Gdp,
    Laplace,
    MatrixGaussian,
    Parallel,
    PoissonSampled,
    PrivateSelection,
    Pure,
    RandomAllocation,
    RandomizedResponse,
    Repeated,
    ReportNoisyMax,
    TruncatedPoissonSampled,
    Zcdp,
    from_dp_accounting,
    from_opacus,
)
from .gating import GateFailed, gate
from .pairs import neighbouring
from .recording import record
from .replaying import Replay, replay

_MODULES = (
    "accounting", "auditing", "client", "events", "gating", "generators", "laws", "noise", "pairs", "recording", "replaying",
)
__all__ = [name for name in dir() if not name.startswith("_") and name not in _MODULES]

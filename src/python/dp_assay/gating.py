"""Privacy claims as tests."""
from __future__ import annotations

import functools
from typing import Any, Callable, List, Optional, Union

from .auditing import INCONCLUSIVE, PASS, Audit, audit
from .replaying import ACCOUNTED, CONDITIONAL, Replay
from .replaying import replay as replayed

#: Probability that any gate of a session fails although all claims are true.
SESSION_ALPHA = 1e-6


class GateFailed(AssertionError):
    """A claim was refuted, or the audit could not have seen enough."""


class Session:
    """What all gates of a run share; the pytest plugin fills it in."""

    def __init__(self) -> None:
        self.gates = 1
        self.seed = 0
        self.results: List[Union[Audit, Replay]] = []
        #: How to run the gate that is running now again.
        self.replay: Optional[Callable[[int], str]] = None


session = Session()


def gate(
    *,
    eps: float,
    delta: float = 0.0,
    neighbours: str,
    inputs: Any,
    allow_inconclusive: Optional[str] = None,
    alpha: Optional[float] = None,
    seed: Optional[int] = None,
    replay: bool = False,
    **settings: Any,
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Makes a test of a function that returns a mechanism: see `audit` for the settings, with `replay` see `replay`.

    The test fails when the claim is refuted, and when the audit could not have seen a violation, unless
    `allow_inconclusive` gives the reason why that is all right. All gates of a pytest session together refute true
    claims with probability at most 1e-6, unless one names an `alpha`; a gate that is called by itself has that for its
    own. With `replay` it fails unless all is ACCOUNTED for, which is not a matter of chance; CONDITIONAL needs the
    reason, too.
    """

    if allow_inconclusive is not None and not (isinstance(allow_inconclusive, str) and allow_inconclusive.strip()):
        raise ValueError(f"allow_inconclusive is {allow_inconclusive!r}: it must be the reason in words")

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            mechanism = test(*args, **kwargs)
            if not callable(mechanism):
                raise TypeError(f"{test.__name__} returns {mechanism!r} instead of the mechanism under audit")
            used = session.seed if seed is None else seed
            claim = {"eps": eps, "delta": delta, "neighbours": neighbours, "inputs": inputs, "seed": used, **settings}
            result: Union[Audit, Replay]
            if replay:
                result = replayed(mechanism, **claim)
            else:
                result = audit(mechanism, alpha=SESSION_ALPHA / session.gates if alpha is None else alpha, **claim)
            session.results.append(result)
            allowed = result.verdict in (INCONCLUSIVE, CONDITIONAL) and allow_inconclusive is not None
            passed = allowed or result.verdict in (PASS, ACCOUNTED)
            if not passed:
                again = session.replay(used) if session.replay else f"seed={used}"
                raise GateFailed(f"{result}\n  again: {again}")

        run.dp_assay_gate = True  # type: ignore[attr-defined]
        return run

    return decorate

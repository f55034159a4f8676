"""What a program's noise hides of the difference of two inputs, from the noise itself."""
from __future__ import annotations

import copy
import json
import math
import numbers
from dataclasses import asdict, dataclass, field
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from ._link import DpAssayError
from .accounting import Account, account
from .auditing import _takes_two
from .client import encode
from .laws import Cost, event
from .pairs import pairs_of
from .recording import FOLLOWED, Break, Tape

ACCOUNTED = "ACCOUNTED"
CONDITIONAL = "CONDITIONAL"
EXCEEDED = "EXCEEDED"
UNACCOUNTED = "UNACCOUNTED"

#: A claim is a rounded number, and so are scales that follow from it: this share above it still keeps it.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Call:
    """Noise that one line draws, and the most that it had to hide in one run."""

    where: str
    law: str
    #: Releases in one run in which something moved.
    times: int
    #: The furthest that a base moved, in its own units: ℓ₁, of Gaussian noise ℓ₂.
    moved: float
    #: The noise there: scale, standard deviation, or 1/parameter.
    scale: float

    def __str__(self) -> str:
        often = "" if self.times == 1 else f"at most, {self.times} times"
        moved = f"{self.moved:.6g} {often}".rstrip()
        return f"{self.where}: {self.law} noise of scale {self.scale:.6g} on what moves by {moved}"


@dataclass(frozen=True)
class Replay:
    """What replays say: of these inputs, the noise of these seeds, and arithmetic on real numbers."""

    #: `ACCOUNTED`: all that reached the output came through noise that keeps the claim. `CONDITIONAL`: so it is given
    #: other numbers that were drawn, which may cost more when they are others. `EXCEEDED`: all came through noise, which does
    #: not keep the claim. `UNACCOUNTED`: data reached the output, or the noise, in some other way.
    verdict: str
    #: What was released is (epsilon, delta)-DP for these inputs and seeds, certified from above; infinite where not.
    epsilon: float
    delta: float
    #: Of UNACCOUNTED: the line that breaks the claim, and why.
    broken: Optional[Break]
    #: What drew noise, the dearest first.
    calls: List[Call]
    #: The account that gives epsilon, of the run that cost most.
    account: Optional[Account]
    randomness: str
    text: str = field(repr=False)
    report: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        raise TypeError("a replay has four verdicts: compare .verdict")


def replay(
    f: Callable[..., Any],
    *,
    eps: float,
    delta: float = 0.0,
    neighbours: str,
    inputs: Any,
    seeds: int = 8,
    seed: int = 0,
    rng: str = "python",
) -> Replay:
    """Runs `f` on one input, then on its neighbour with the same noise and the same releases, and accounts for what
    moved under the noise.

    Every sum of data and noise that is read gets the value that it had on the first input, so that whatever follows
    must be the same; how far what was added to the noise has moved is measured exactly and composed by `account`.
    f, neighbours, inputs and rng as for `audit`. Each pair is replayed in both directions with each of `seeds` seeds
    from `seed` on. Followed are Laplace and Gaussian noise, differences of exponential and of geometric noise, and
    multiples, sums and parts of these; all else that is drawn counts as public, and what is found is CONDITIONAL on it:
    other samples, or another side of a coin, may cost more. UNACCOUNTED says that the data went
    another way, which need not be a violation; `audit` looks at mechanisms as a whole.
    Raises DpAssayError, a ValueError, where runs on one input with one seed differ: their noise is not recorded.
    """
    _refuse(eps, delta, seeds)
    pairs = pairs_of(inputs, neighbours)
    runner = _Runner(f, rng)
    most: Optional[Tuple[float, Optional[Account], List[Cost], Any]] = None
    for used in range(seed, seed + seeds):
        for pair in pairs:
            for first, second in (pair, pair[::-1]):
                broken, costs = runner.compare(first, second, used)
                if broken is not None:
                    return _result(runner, eps, delta, broken, (math.inf, None, costs, (first, second, used)))
                epsilon, found = _account(costs, delta, neighbours)
                if most is None or epsilon > most[0]:
                    most = epsilon, found, costs, (first, second, used)
    if runner.answered == 0 and runner.last_error is not None:
        raise RuntimeError(f"every run of {runner.name} raised an exception") from runner.last_error
    assert most is not None
    return _result(runner, eps, delta, None, most)


def _refuse(eps: Any, delta: Any, seeds: Any) -> None:
    for name, value, kind, least, most, rule in (
        ("eps", eps, numbers.Real, 0, math.inf, "a number that is at least 0"),
        ("delta", delta, numbers.Real, 0, 1, "a number in [0, 1]"),
        ("seeds", seeds, numbers.Integral, 1, math.inf, "a whole number that is at least 1"),
    ):
        number = isinstance(value, kind) and not isinstance(value, bool)
        if not number or not least <= value <= most:
            raise ValueError(f"{name} is {value!r}: it must be {rule}")


class _Runner:
    """Runs a callable on tapes."""

    def __init__(self, f: Callable[..., Any], kind: str) -> None:
        if kind not in ("python", "numpy"):
            raise ValueError(f"rng is {kind!r}: it must be 'python' or 'numpy'")
        self.f, self.kind, self.takes_rng = f, kind, _takes_two(f)
        self.name = getattr(f, "__qualname__", None) or repr(f)
        #: Lines that draw numbers that count as public; that read noise on nothing that may be data that is 0; whose noise
        #: had something under it in some run.
        self._drawn: Set[str] = set()
        self._bare: Set[str] = set()
        self._hiding: Set[str] = set()
        self.answered = 0
        self.last_error: Optional[Exception] = None

    def compare(self, first: Any, second: Any, seed: int) -> Tuple[Optional[Break], List[Cost]]:
        """What breaks a replay, and what it costs."""
        recorded, output = self.run(Tape(seed), first)
        if recorded.broken is not None:
            return recorded.broken, []
        again, repeated = self.run(Tape(replaying=recorded), first)
        if again.broken is not None or repeated != output:
            raise DpAssayError(
                f"{self.name} gives different outputs on one input although all noise that is recorded is the same: "
                "it draws from what is not, such as a generator made before, or keeps something between runs"
            )
        self._drawn.update(draw.where for draw in recorded.draws if draw.law not in FOLLOWED and not draw.spent)
        replayed, other = self.run(Tape(replaying=recorded), second)
        for release in (*recorded.releases, *replayed.releases):
            lines = self._drawn if release.coin else self._hiding if release.hides else self._bare
            lines.add(release.terms[0][0].where)
        if replayed.broken is None and other != output:
            replayed.broken = Break("the output", _difference(self.public, output, other))
        return replayed.broken, replayed.costs

    @property
    def public(self) -> List[str]:
        """Lines that draw numbers that count as public."""
        return sorted(self._drawn | self._bare - self._hiding)

    def run(self, tape: Tape, data: Any) -> Tuple[Tape, Optional[str]]:
        """One run and its output as text."""
        output = None
        with tape:
            try:
                arguments = (_copy(data), tape.rng(self.kind)) if self.takes_rng else (_copy(data),)
                result = self.f(*arguments)
                self.answered += 1
            except Exception as error:  # an output like any other
                result = self.last_error = error
            tape.place = "the output"
            output = json.dumps(_ordered(encode(result)))
        return tape, output


def _account(costs: List[Cost], delta: float, neighbours: str) -> Tuple[float, Optional[Account]]:
    """The certified cost of a replay; infinite where there is none."""
    if delta == 0 and any(cost.law == "gaussian" for cost in costs):
        return math.inf, None
    found = account(event(costs), delta, neighbours)
    return found.upper, found


def _difference(public: List[str], first: Optional[str], second: Optional[str]) -> str:
    same = " and ".join(["every noisy number is the same", *(f"so are those drawn at {where}" for where in public)])
    return f"it differs although {same}: {_short(first)} and {_short(second)}"


def _ordered(value: Any) -> Any:
    """Members of sets have no order."""
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if isinstance(value, dict):
        if "set" in value:
            return {"set": sorted((_ordered(item) for item in value["set"]), key=json.dumps)}
        return {key: _ordered(item) for key, item in value.items()}
    return value


def _copy(data: Any) -> Any:
    """The input, which a run may change."""
    try:
        return copy.deepcopy(data)
    except Exception:
        return data


def _short(text: Optional[str]) -> str:
    text = str(text)
    return text if len(text) <= 80 else text[:77] + "..."


def _calls(costs: List[Cost]) -> List[Call]:
    lines: Dict[Tuple[str, str], List[Cost]] = {}
    for cost in costs:
        lines.setdefault((cost.drawn, cost.law), []).append(cost)
    ordered = sorted(lines.items(), key=lambda line: -sum(cost.distance for cost in line[1]))
    calls = []
    for (where, law), group in ordered:
        furthest = max(group, key=lambda cost: cost.distance)
        calls.append(Call(where, law, len(group), furthest.moved, furthest.scale))
    return calls


def _result(
    runner: _Runner, eps: float, delta: float, broken: Optional[Break],
    most: Tuple[float, Optional[Account], List[Cost], Any],
) -> Replay:
    epsilon, found, costs, (first, second, seed) = most
    kept = epsilon <= eps * (1 + ROUNDING)
    accounted = CONDITIONAL if runner.public else ACCOUNTED
    verdict = UNACCOUNTED if broken else accounted if kept else EXCEEDED
    calls = _calls(costs)
    pair = f"from {_short(repr(first))} to {_short(repr(second))}, seed {seed}"
    if broken:
        lines = [f"{verdict}: {broken}", f"  {pair}"]
    else:
        said = f"epsilon <= {epsilon:.6g}" if kept else f"epsilon {epsilon:.6g} instead of {eps:g}"
        lines = [f"{verdict}: {said} at delta = {delta:g}, for these inputs and seeds, in real arithmetic",
                 f"  costs most {pair}", *(f"  {call}" for call in calls)]
        lines += [f"  given the numbers drawn at {where}, which count as public" for where in runner.public]
    report = {
        "schema": "dp-assay/replay/1", "mechanism": runner.name, "verdict": verdict,
        "claim": {"epsilon": eps, "delta": delta}, "epsilon": epsilon if found else None,
        "broken": asdict(broken) if broken else None, "pair": [repr(first), repr(second)], "seed": seed,
        "calls": [asdict(call) for call in calls],
    }
    randomness = "generators of random and numpy.random, recorded and seeded by the replay"
    return Replay(verdict, epsilon, delta, broken, calls, found, randomness, "\n".join(lines), report)

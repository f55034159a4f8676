"""Audits of Python callables, in process: the auditor runs as a child and asks for outputs."""
from __future__ import annotations

import functools
import inspect
import random
import sys
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._link import DpAssayError, Link
from .client import Kept, check_timeout, doubles, encode, line, within
from .pairs import pairs_of

#: Runs on each side that show what outputs look like before the audit begins.
PROBES = 16
#: Probability that an audit is wrong, unless another is given.
ALPHA = 1e-6

VIOLATION = "VIOLATION"
PASS = "PASS-WITH-POWER"
INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True)
class Audit:
    """What an audit says."""

    #: `VIOLATION`, `PASS-WITH-POWER` or `INCONCLUSIVE`.
    verdict: str
    #: The ε of the mechanism at the claimed δ is at least this, except with probability alpha.
    epsilon_lower: float
    #: Of a violation: the inputs, the event, how often it happened on each side, and the seed.
    counterexample: Optional[Dict[str, Any]]
    #: What noise came from, and whether the same seed gives the same audit again.
    randomness: str
    #: All of it in words.
    text: str = field(repr=False)
    #: All of it as data (spec/formats/result.md).
    report: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.text.rstrip()}\n  randomness: {self.randomness}"

    def __bool__(self) -> bool:
        raise TypeError("an audit has three verdicts: compare .verdict")


def audit(
    f: Callable[..., Any],
    *,
    eps: float,
    delta: float = 0.0,
    neighbours: str,
    inputs: Any,
    trials: Optional[int] = None,
    alpha: Optional[float] = None,
    must_see: Optional[float] = None,
    seed: int = 0,
    bits: bool = False,
    rng: str = "python",
    batched: bool = False,
    timeout: Optional[float] = None,
) -> Audit:
    """Audits the claim that `f` is (eps, delta)-differentially private.

    f(data) or f(data, rng) runs once and returns anything: numbers, texts, lists, sets, dicts, arrays, data frames; an
    exception that it raises is an output too. With batched=True it is f(data, rng, count) and returns an array of
    `count` outputs, or a sequence of them.
    inputs: two neighbouring inputs (d0, d1), a list of such pairs, or a Hypothesis strategy of pairs; that they are
    neighbours is the caller's statement. Every run is given the same object: one that it changes, as far as `pickle` can
    tell, or an iterator, which it uses up, is refused.
    An output that is not like the first ones makes the audit begin again, ready for anything; so alpha is halved where the
    first outputs are numbers alone.
    rng: what f is given to draw from: `python` (random.Random) or `numpy` (numpy.random.Generator).
    timeout: seconds after which a run ends with TimeoutError, which is then its output, unless it catches that itself;
    main thread only, and of single runs.
    Raises DpAssayError, a ValueError, where the audit cannot be run or its draws are not independent.
    """
    alpha = ALPHA if alpha is None else alpha
    if not 0 < alpha < 1:
        raise DpAssayError(f"alpha = {alpha} must lie strictly between 0 and 1")
    pairs = pairs_of(inputs, neighbours)
    host = _Host(f, pairs, rng, batched, timeout)
    question: Dict[str, Any] = {
        "name": getattr(f, "__qualname__", None) or repr(f),
        "epsilon": float(eps),
        "delta": float(delta),
        "neighbours": neighbours,
        "pairs": [_shown(pair) for pair in pairs],
        "trials": trials,
        "must_see": must_see,
        "seed": seed,
        "bits": bits,
    }
    host.probe()
    try:
        # The audit may begin again: either time has its part of the error.
        answer = host.ask({**question, "alpha": alpha if host.length is None else alpha / 2})
    except _AnotherForm:
        answer = host.ask({**question, "alpha": alpha / 2})
    if host.answered == 0 and host.last_error is not None:
        raise RuntimeError(f"every run of {question['name']} raised an exception") from host.last_error
    report = answer["report"]
    return Audit(
        verdict=report["verdict"],
        epsilon_lower=report["epsilon_lower"],
        counterexample=report.get("counterexample"),
        randomness=host.randomness(),
        text=answer["text"],
        report=report,
    )


def _shown(pair: Tuple[Any, Any]) -> List[str]:
    """Two inputs in words, which differ as they do: long arrays are shown by their ends alone."""
    first, second = map(repr, pair)
    return [first, second] if first != second else [f"{first} (the first)", f"{second} (the second, which looks alike)"]


class _AnotherForm(Exception):
    """An output that is not like the first ones: the audit begins again, ready for anything."""


class _Host:
    """Runs the callable when the auditor asks."""

    def __init__(
        self, f: Callable[..., Any], pairs: List[Tuple[Any, Any]], rng: str, batched: bool, timeout: Optional[float]
    ) -> None:
        if rng not in ("python", "numpy"):
            raise ValueError(f"rng is {rng!r}: it must be 'python' or 'numpy'")
        check_timeout(timeout)
        if timeout is not None and batched:
            raise ValueError(f"timeout is {timeout!r}: it is of single runs, and batched=True draws many at once")
        if timeout is not None and threading.current_thread() is not threading.main_thread():
            raise ValueError("timeout works on the main thread only")
        self.f, self.pairs, self.kind, self.batched, self.timeout = f, pairs, rng, batched, timeout
        try:
            self.kept = [[Kept(data) for data in pair] for pair in pairs]
        except TypeError as error:
            raise DpAssayError(str(error)) from None
        self.takes_rng = batched or _takes_two(f)
        self.length: Optional[int] = None  # None: outputs of any shape
        self.answered = 0
        self.last_error: Optional[BaseException] = None

    def probe(self) -> None:
        """Looks at a few outputs for their form: so many numbers, or anything."""
        seen = [
            output
            for pair in range(len(self.pairs))
            for side in (0, 1)
            for output in self._outputs(pair, side, "probe", 0, PROBES)
        ]
        lengths = {_numbers(output) for output in seen}
        [self.length] = lengths if len(lengths) == 1 else [None]

    def ask(self, question: Dict[str, Any]) -> Any:
        form = {"encoding": "any"} if self.length is None else {"encoding": "binary", "length": self.length}
        link = Link()
        try:
            return link.ask("audit", self._draw, **question, form=form)
        except BaseException:
            link.process.kill()  # it is in the middle of a question
            raise
        finally:
            link.close()

    def _draw(self, draw: Mapping[str, Any]) -> bytes:
        outputs = self._outputs(draw["pair"], draw["side"], draw["seed"], int(draw["first"]), draw["count"])
        head: Dict[str, Any] = {"id": draw["id"]}
        if self.length is None:
            try:
                head["outputs"] = [encode(output) for output in outputs]
            except (TypeError, RecursionError) as error:
                head["error"] = f"{type(error).__name__}: {error}"
            return line(head)
        if not hasattr(outputs, "astype") and not _all_numbers(outputs, self.length):
            self.length = None
            raise _AnotherForm
        payload = doubles(outputs, self.length)
        head["bytes"] = len(payload)
        return line(head) + payload

    def _outputs(self, pair: int, side: int, seed: Any, first: int, count: int) -> Any:
        data, name = self.pairs[pair][side], f"{seed}/{pair}/{side}/{first}"
        state = random.getstate()
        numpy = sys.modules.get("numpy")
        numpy_state = numpy.random.get_state() if numpy else None
        rng = self._rng(name)
        # What draws from a generator of the module's own can be drawn again, too.
        random.seed("global/" + name)
        if numpy:
            numpy.random.seed(random.getrandbits(32))
        try:
            if self.batched:
                outputs = self.f(data, rng, count)
                self.answered += count
                if len(outputs) != count:
                    raise ValueError(f"a batch of {len(outputs)} outputs where {count} were asked for")
            else:
                outputs = self._runs((data, rng) if self.takes_rng else (data,), count)
            self._unchanged(pair, side)
            return outputs
        finally:
            random.setstate(state)
            if numpy:
                numpy.random.set_state(numpy_state)

    def _unchanged(self, pair: int, side: int) -> None:
        try:
            self.kept[pair][side].check()
        except ValueError as error:
            raise DpAssayError(str(error)) from None

    def _runs(self, arguments: Tuple[Any, ...], count: int) -> List[Any]:
        """Outputs of so many runs; an exception is an output like any other."""
        f, outputs = self.f, []
        if self.timeout is not None:
            f = functools.partial(within, self.timeout, f)
        for _ in range(count):
            try:
                outputs.append(f(*arguments))
            except Exception as error:
                self.last_error = error
                self.answered -= 1
                outputs.append(error)
        self.answered += count
        return outputs

    def _rng(self, name: str) -> Any:
        if not self.takes_rng:
            return None
        if self.kind == "python":
            return random.Random(name)
        import numpy

        return numpy.random.Generator(numpy.random.PCG64(random.Random(name).getrandbits(128)))

    def randomness(self) -> str:
        """Where noise came from."""
        others = (
            "the generators of random and numpy.random are seeded by the audit and restored, a library's or the system's is "
            "left alone: what draws from that is not reproducible"
        )
        if not self.takes_rng:
            return f"the mechanism's own; {others}"
        which = {"python": "random.Random", "numpy": "numpy.random.Generator"}[self.kind]
        return f"the {which} that the function is given, seeded by the audit; {others}"


def _takes_two(f: Callable[..., Any]) -> bool:
    """Whether a callable wants a generator: whether a second argument must be given, or is called `rng`."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return False
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(places) > 1 and (places[1].default is places[1].empty or places[1].name == "rng")


def _all_numbers(outputs: Sequence[Any], length: int) -> bool:
    """Whether every output is so many reals."""
    if length == 1 and set(map(type, outputs)) == {float}:
        return True
    return all(_numbers(output) == length for output in outputs)


def _numbers(output: Any) -> Optional[int]:
    """Reals in an output of reals alone; None of any other."""
    if type(output) is float:
        return 1
    dtype = getattr(output, "dtype", None)
    if any(hasattr(output, label) for label in ("index", "mask", "name", "coords")) and dtype is not None:
        return None  # its labels are released, too
    if dtype is not None:
        flat = getattr(dtype, "kind", "") == "f" and dtype.itemsize <= 8 and getattr(output, "ndim", 2) < 2
        return int(getattr(output, "size", 1)) or None if flat else None
    if type(output) in (list, tuple) and output and all(type(x) is float for x in output):
        return len(output)
    return None

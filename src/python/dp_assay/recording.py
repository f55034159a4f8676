"""Where a program draws noise and what it adds it to: recorded on one input, replayed on another.

Generators are replaced for as long as a `record()` lasts (`generators.py`); one that was made before is not seen.
"""
from __future__ import annotations

import math
import os
import random
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from .laws import Cost, UnknownLaw, cost
from .noise import Draw, Noisy, Term


@dataclass(frozen=True)
class Break:
    """What data reaches otherwise than through noise that was added to something."""

    #: The line at which it shows.
    where: str
    #: What was seen.
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass
class Release:
    """Something plus noise, read: a number or an array."""

    terms: List[Term]
    base: Any
    value: Any
    where: str
    #: Whether it is noise that was added to nothing: other noise may have another effect.
    coin: bool = False
    #: Whether something other than 0 was under it.
    hides: bool = False


class Diverged(BaseException):
    """Ends a replay; no `except Exception` of the program's holds it up."""

    def __init__(self, broken: Break) -> None:
        super().__init__(str(broken))
        self.broken = broken


class Tape:
    """What one run drew and released; with `replaying`, held against another run and given its releases."""

    def __init__(self, seed: int = 0, replaying: Optional["Tape"] = None) -> None:
        self.seed: int = replaying.seed if replaying else seed
        self.replaying = replaying
        self.draws: List[Draw] = []
        self.releases: List[Release] = []
        #: Of a replay: what the differences of the two runs cost, in the order of the releases.
        self.costs: List[Cost] = []
        #: Of a replay: why the two runs could not be compared to their end.
        self.broken: Optional[Break] = None
        #: Whether a generator is drawing public numbers.
        self.drawing = False
        #: The frame that opened it.
        self.opened: Any = None
        #: Where noise is read that no line of the program reads.
        self.place = ""
        self._generators = 0
        self._states: Dict[Any, Tuple[str, bool]] = {}
        self._restore: List[Tuple[Any, str, Any]] = []

    def generator_seed(self) -> int:
        """The seed of the next generator that is given none."""
        self._generators += 1
        return _RANDOM(f"{self.seed}/{self._generators}").getrandbits(128)

    def draw(self, law: str, scale: Any, values: Any, state: Any, seeded: bool = False) -> Draw:
        """Notes a call; refuses one that the run that is replayed did not make, and noise that a seed gives away."""
        where = here()
        draw = Draw(len(self.draws), where, law, scale, values, seeded=seeded)
        noise = law in FOLLOWED
        self.draws.append(draw)
        if noise and not _finite(scale):
            self.refuse(where, f"draws noise of scale {_short(scale)}: it must be finite")
        if noise and seeded:
            self.refuse(where, "the program seeds the generator of this noise: who learns the seed knows the noise")
        # Of generators that nobody seeded public numbers would tell, too: what comes behind them may be noise of the other's.
        secret = noise or not seeded
        if state in self._states and (secret or self._states[state][1]):
            self.refuse(where, f"draws the same numbers again as {self._states[state][0]}: two generators have one seed")
        self._states[state] = (where, secret)
        if self.replaying is not None:
            self._compare_draw(draw)
        return draw

    def _compare_draw(self, draw: Draw) -> None:
        others = self.replaying.draws if self.replaying else []
        if draw.number >= len(others):
            self.refuse(draw.where, f"draws {_call(draw)}, where the other input's run draws no more")
        other = others[draw.number]
        if (draw.law, draw.size) != (other.law, other.size):
            self.refuse(
                draw.where, f"draws {_call(draw)}, where the other input's run draws {_call(other)} at {other.where}"
            )
        if not same(draw.scale, other.scale):
            what = "the scale of its noise" if draw.law in FOLLOWED else "what it draws from"
            self.refuse(draw.where, f"{what} depends on the data: {_short(other.scale)} and {_short(draw.scale)}")
        if draw.law in FOLLOWED and not same(draw.values, other.values):
            self.refuse(draw.where, "draws other noise than the other input's run, which made other generators before")

    def release(self, terms: List[Term], base: Any, coin: bool = False) -> Any:
        """Makes a noisy value public: what it is, or was in the run that is replayed."""
        noisy = Noisy(self, terms, base)
        release = Release(terms, 0 if base is None else base, noisy.unread(), self.place or here(), coin, base is not None)
        number = len(self.releases)
        self.releases.append(release)
        if self.replaying is None:
            self._compare_release(release, release)  # is refused at once where it is no number
            return release.value
        if number >= len(self.replaying.releases):
            self.refuse(release.where, "noise is read that the other input's run does not read")
        other = self.replaying.releases[number]
        self._compare_release(release, other)
        release.value = other.value
        return other.value

    def _compare_release(self, release: Release, other: Release) -> None:
        names = [[draw.number for draw, *_ in r.terms] for r in (release, other)]
        if names[0] != names[1]:
            self.refuse(release.where, f"other noise is read here than the other input's run reads at {other.where}")
        for (draw, places, factor), (_, other_places, other_factor) in zip(release.terms, other.terms):
            if not same(factor, other_factor):
                self.refuse(draw.where, f"the scale of its noise depends on the data: it is multiplied by "
                                        f"{_short(other_factor)} and {_short(factor)}")
            if not same(places, other_places):
                self.refuse(release.where, f"which of the noise of {draw.where} is used depends on the data")
        try:
            self.costs += cost(release.terms, other.base, release.base, release.where)
        except UnknownLaw as error:
            self.refuse(release.where, str(error))

    def finish(self) -> None:
        """Refuses a replay that ended early."""
        if self.replaying is None or self.broken is not None:
            return
        left: List[Any] = [*self.replaying.draws[len(self.draws):], *self.replaying.releases[len(self.releases):]]
        if left:
            self.broken = Break(left[0].where, "the other input's run draws or reads noise here, this one does not")

    def refuse(self, where: str, why: str) -> None:
        """Ends the run: nothing can be said of it."""
        self.broken = Break(where, why)
        raise Diverged(self.broken)

    def rng(self, kind: str) -> Any:
        """A recorded generator: `python` (random.Random) or `numpy` (numpy.random.Generator)."""
        from . import generators

        return generators.made(kind, self)

    def __enter__(self) -> "Tape":
        from .generators import replacements

        global current
        if current is not None:
            raise RuntimeError("one record() cannot be inside of another")
        current, self.opened = self, sys._getframe(1)
        try:
            for owner, name, value in replacements():
                self._restore.append((owner, name, vars(owner)[name]))
                setattr(owner, name, value)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        global current
        current = self.opened = None
        while self._restore:
            setattr(*self._restore.pop())
        if error is None:
            self.finish()
        return isinstance(error, Diverged)


def record(seed: int = 0, replaying: Optional[Tape] = None) -> Tape:
    """Records what is drawn and released inside of `with`; with `replaying`, gives a run on another input the same
    noise and the same releases, and measures what moved.

        with dp_assay.record(seed=1) as first:
            count(data)
        with dp_assay.record(replaying=first) as second:
            count(neighbour)
        print(second.broken, second.costs)
    """
    return Tape(seed, replaying)


#: The record that is open.
current: Optional[Tape] = None
_RANDOM = random.Random

#: Laws of noise that is followed; whatever else is drawn is public.
FOLLOWED = ("laplace", "normal", "exponential", "geometric")


def here() -> str:
    """The lines of the program that are running, the innermost first; this package's and what is outside are none."""
    frame: Any = sys._getframe(1)
    lines: List[str] = []
    while frame is not None:
        inside = os.path.dirname(frame.f_code.co_filename) == _PACKAGE
        if not inside:
            lines.append(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno} in {frame.f_code.co_name}")
        if current is None or frame is current.opened or (inside and lines):
            break
        frame = frame.f_back
    return ", from ".join(lines if len(lines) < 4 else [lines[0], "...", lines[-1]])


_PACKAGE = os.path.dirname(__file__)


def same(first: Any, second: Any) -> bool:
    """Whether two numbers, arrays, or tuples of them are equal in every bit that counts."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(same, first, second))
    if getattr(first, "ndim", 0) or getattr(second, "ndim", 0):
        import numpy

        return bool(numpy.array_equal(first, second, equal_nan=numpy.asarray(first).dtype.kind == "f"))
    try:
        return bool(first == second) or bool(first != first and second != second)
    except (TypeError, ValueError):  # no answer of one truth value
        return repr(first) == repr(second)


def _finite(scale: Any) -> bool:
    if not getattr(scale, "ndim", 0):
        return math.isfinite(scale)
    import numpy

    return bool(numpy.isfinite(scale).all())


def _call(draw: Draw) -> str:
    return f"{draw.law} of size {draw.size}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


__all__ = ["Break", "Release", "Tape", "record"]

"""Where a program draws noise and what it adds it to: recorded on one input, replayed on another.

The generators of `random` and `numpy.random`, those that a program makes from them, and the system's as `random` and
`secrets` give it, are replaced for as long as a `record()` lasts. A generator made before is not seen.
"""
from __future__ import annotations

import os
import random
import secrets
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

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


class Diverged(BaseException):
    """Ends a replay; no `except Exception` of the program's holds it up."""

    def __init__(self, broken: Break) -> None:
        super().__init__(str(broken))
        self.broken = broken


class Tape:
    """What one run drew and released; with `replaying`, held against another run and given its releases."""

    def __init__(self, seed: int = 0, replaying: Optional["Tape"] = None) -> None:
        self.seed = replaying.seed if replaying else seed
        self.replaying = replaying
        self.draws: List[Draw] = []
        self.releases: List[Release] = []
        #: Of a replay: what the differences of the two runs cost, in the order of the releases.
        self.costs: List[Cost] = []
        #: Of a replay: why the two runs could not be compared to their end.
        self.broken: Optional[Break] = None
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
        return _REAL_RANDOM(f"{self.seed}/{self._generators}").getrandbits(128)

    def draw(self, law: str, scale: Any, values: Any, state: Any) -> Draw:
        """Notes a call; refuses one that the run that is replayed did not make."""
        where = here()
        draw = Draw(len(self.draws), where, law, scale, values)
        noise = law in FOLLOWED
        self.draws.append(draw)
        if state in self._states and (noise or self._states[state][1]):
            self._break(where, f"draws the same numbers again as {self._states[state][0]}: two generators have one seed")
        self._states[state] = (where, noise)
        if self.replaying is not None:
            self._compare_draw(draw)
        return draw

    def _compare_draw(self, draw: Draw) -> None:
        others = self.replaying.draws  # type: ignore[union-attr]
        if draw.number >= len(others):
            self._break(draw.where, f"draws {_call(draw)}, where the other input's run draws no more")
        other = others[draw.number]
        if (draw.law, draw.size) != (other.law, other.size):
            self._break(
                draw.where, f"draws {_call(draw)}, where the other input's run draws {_call(other)} at {other.where}"
            )
        if not same(draw.scale, other.scale):
            what = "the scale of its noise" if draw.law in FOLLOWED else "what it draws from"
            self._break(draw.where, f"{what} depends on the data: {_short(other.scale)} and {_short(draw.scale)}")
        if draw.law in FOLLOWED and not same(draw.values, other.values):
            self._break(draw.where, "draws other noise, although nothing else is random: its seed depends on the data")

    def release(self, terms: List[Term], base: Any) -> Any:
        """Makes a noisy value public: what it is, or was in the run that is replayed."""
        noisy = Noisy(self, terms, base)
        release = Release(terms, 0 if base is None else base, noisy.unread(), self.place or here())
        number = len(self.releases)
        self.releases.append(release)
        if self.replaying is None:
            return release.value
        if number >= len(self.replaying.releases):
            self._break(release.where, "noise is read that the other input's run does not read")
        other = self.replaying.releases[number]
        self._compare_release(release, other)
        release.value = other.value
        return other.value

    def _compare_release(self, release: Release, other: Release) -> None:
        names = [[draw.number for draw, *_ in r.terms] for r in (release, other)]
        if names[0] != names[1]:
            self._break(release.where, f"other noise is read here than the other input's run reads at {other.where}")
        for (draw, places, factor), (_, other_places, other_factor) in zip(release.terms, other.terms):
            if not same(factor, other_factor):
                self._break(draw.where, f"the scale of its noise depends on the data: it is multiplied by "
                                        f"{_short(other_factor)} and {_short(factor)}")
            if not same(places, other_places):
                self._break(release.where, f"which of the noise of {draw.where} is used depends on the data")
        try:
            self.costs += cost(release.terms, other.base, release.base, release.where)
        except UnknownLaw as error:
            self._break(release.where, str(error))

    def finish(self) -> None:
        """Refuses a replay that ended early."""
        if self.replaying is not None and self.broken is None:
            for mine, theirs, what in ((self.draws, self.replaying.draws, "draws"),
                                       (self.releases, self.replaying.releases, "reads")):
                if len(mine) < len(theirs):  # type: ignore[arg-type]
                    left = theirs[len(mine)]  # type: ignore[index]
                    self.broken = Break(left.where, f"the other input's run {what} noise here, this one does not")
                    return

    def _break(self, where: str, why: str) -> None:
        self.broken = Break(where, why)
        raise Diverged(self.broken)

    def rng(self, kind: str) -> Any:
        """A recorded generator: `python` (random.Random) or `numpy` (numpy.random.Generator)."""
        if kind == "python":
            return _PythonRandom()
        import numpy

        return _numpy_classes()["Generator"](numpy.random.PCG64(self.generator_seed()))

    def __enter__(self) -> "Tape":
        global _current
        if _current is not None:
            raise RuntimeError("one record() cannot be inside of another")
        _current, self.opened = self, sys._getframe(1)
        try:
            for owner, name, value in _replacements():
                self._restore.append((owner, name, vars(owner)[name]))
                setattr(owner, name, value)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        global _current
        _current = self.opened = None
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


#: Where libraries make standard noise out of uniform numbers: module, class, static method, law. May be extended.
SAMPLERS: List[Tuple[str, str, str, str]] = [
    ("diffprivlib.mechanisms.laplace", "Laplace", "_laplace_sampler", "laplace"),
]

#: The record that is open.
_current: Optional[Tape] = None

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
        if _current is None or frame is _current.opened or (inside and lines):
            break
        frame = frame.f_back
    return ", from ".join(lines if len(lines) < 4 else [lines[0], "...", lines[-1]])


_PACKAGE = os.path.dirname(__file__)


def _noise(law: str, location: Any, scale: Any, values: Any, state: Any) -> Any:
    if _current is None:
        return location + values
    location = _settled(location)
    places: Any = 0
    if getattr(values, "ndim", 0):
        import numpy

        places = numpy.arange(values.size).reshape(values.shape)
        scale = numpy.broadcast_to(scale, values.shape) if getattr(scale, "ndim", 0) else scale
    draw = _current.draw(law, scale, values, state if getattr(values, "size", 1) else object())
    alone = not getattr(location, "ndim", 0) and location == 0
    return Noisy(_current, [(draw, places, 1)], None if alone else location)


_REAL_RANDOM = random.Random


class _PythonRandom(random.Random):
    """random.Random, recorded."""

    def __new__(cls, *_: Any) -> Any:
        return super().__new__(cls)

    def __init__(self, x: Any = None) -> None:
        self._own = _REAL_RANDOM()
        self.seed(x)

    def seed(self, a: Any = None, version: int = 2) -> None:
        if a is None and _current is not None:
            a = _current.generator_seed()
        self._own.seed(a, version)

    def getstate(self) -> Any:
        return self._own.getstate()

    def setstate(self, state: Any) -> None:
        self._own.setstate(state)

    def normalvariate(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        state = self._own.getstate()
        sigma = _settled(sigma)
        return _noise("normal", mu, sigma, sigma * self._own.normalvariate(0.0, 1.0), state)

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        state = self._own.getstate()
        sigma = _settled(sigma)
        return _noise("normal", mu, sigma, sigma * self._own.gauss(0.0, 1.0), state)

    def expovariate(self, lambd: Any = 1.0) -> Any:
        state, lambd = self._own.getstate(), _settled(lambd)
        return _noise("exponential", 0, 1.0 / lambd, self._own.expovariate(lambd), state)


def _public(name: str, of: Callable[[Any], Any], state: Callable[[Any], Any]) -> Callable[..., Any]:
    """A method whose values are public, for what they are drawn from is."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if _current is None:
            return of(self)(*args, **kwargs)
        before = state(self)
        given = tuple(_settled(value) for value in (*args, *kwargs.values()))
        source = given
        if name in _PLACES and hasattr(given[0], "__len__"):
            # Which places are drawn does not depend on what stands there.
            source = (len(given[0]), *given[1:])
        values = of(self)(*given[: len(args)], **dict(zip(kwargs, given[len(args):])))
        # A call that draws nothing, such as shuffling one card, may be followed by one from the same state.
        _current.draw(name, source, 0, before if before != state(self) else object())
        return values

    method.__name__ = name
    return method


def _array(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        import numpy

        return numpy.asarray(value)
    return value


def _settled(value: Any) -> Any:
    return value.read() if isinstance(value, Noisy) else value


_PLACES = ("shuffle", "permutation", "permuted", "choice", "choices", "sample")

for _name in ("random", "uniform", "triangular", "randint", "randrange", "choice", "choices", "shuffle", "sample",
              "getrandbits", "randbytes", "betavariate", "gammavariate", "lognormvariate", "vonmisesvariate",
              "paretovariate", "weibullvariate", "binomialvariate"):
    if hasattr(random.Random, _name):
        setattr(_PythonRandom, _name, _public(
            _name, lambda self, name=_name: getattr(self._own, name), lambda self: self._own.getstate()
        ))
del _name


class _SystemRandom(_PythonRandom):
    """random.SystemRandom, recorded: it cannot be seeded."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        super().seed(None)


#: Of numpy's methods that are followed: their parameters, the first of which are location and scale.
_NUMPY_NOISE = {
    "laplace": ("laplace", ("loc", "scale", "size"), (0.0, 1.0)),
    "normal": ("normal", ("loc", "scale", "size"), (0.0, 1.0)),
    "standard_normal": ("normal", ("size", "dtype"), ()),
    "exponential": ("exponential", ("scale", "size"), (1.0,)),
    "standard_exponential": ("exponential", ("size", "dtype", "method"), ()),
    "geometric": ("geometric", ("p", "size"), ()),
    "randn": ("normal", (), ()),
}
_NOT_DRAWING = ("bit_generator", "spawn", "seed", "get_state", "set_state", "get_bit_generator", "set_bit_generator")
_classes: Dict[str, Any] = {}


def _numpy_classes() -> Dict[str, Any]:
    """Recorded subclasses of numpy's two generators."""
    if not _classes:
        import numpy

        for base in (numpy.random.Generator, numpy.random.RandomState):
            drawing = [name for name in dir(base) if not name.startswith("_") and name not in _NOT_DRAWING]
            methods = {name: _numpy_method(base, name) for name in drawing}
            _classes[base.__name__] = type(base.__name__, (base,), methods)
        _classes["RandomState"].__init__ = _seeded(numpy.random.RandomState)
    return _classes


def _seeded(base: Any) -> Callable[..., None]:
    def init(self: Any, seed: Any = None) -> None:
        unseeded = seed is None and _current is not None
        base.__init__(self, _current.generator_seed() % 2**32 if unseeded else seed)  # type: ignore[union-attr]

    return init


def _state(generator: Any) -> Any:
    if hasattr(generator, "bit_generator"):
        return repr(sorted(generator.bit_generator.state.items()))
    name, key, *rest = generator.get_state()
    return (name, key.tobytes(), *rest)


def _numpy_method(base: Any, name: str) -> Callable[..., Any]:
    own = getattr(base, name)
    if name not in _NUMPY_NOISE:
        return _public(name, lambda self: lambda *args, **kwargs: own(self, *args, **kwargs), _state)
    law, names, defaults = _NUMPY_NOISE[name]

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if _current is None or kwargs.get("out") is not None:
            return own(self, *args, **kwargs)
        before = _state(self)
        given = {**dict(zip(names, defaults)), **dict(zip(names, args)), **kwargs}
        given = {key: _settled(value) for key, value in given.items()}
        location, scale = _array(given.get("loc", 0)), _array(given.get("p", given.get("scale", 1.0)))
        shape = given.get("size")
        if "loc" in given:
            given["loc"] = 0.0
            if shape is None:  # as numpy does where the location is an array
                import numpy

                given["size"] = numpy.broadcast(location, scale).shape or None
        values = own(self, *args) if name == "randn" else own(self, **given)
        return _noise(law, location, scale, values, before)

    method.__name__ = name
    return method


def _sampler(own: Callable[..., Any], law: str) -> Callable[..., Any]:
    def sampler(*uniform: Any) -> Any:
        assert _current is not None
        for draw in _current.draws[-len(uniform):]:
            draw.spent = True
        return _noise(law, 0, 1.0, own(*uniform), object())

    return sampler


def _replacements() -> Iterator[Tuple[Any, str, Any]]:
    """What is put in place of what, while a record lasts."""
    shared = _PythonRandom()
    for name in dir(random):
        function = getattr(random, name)
        if getattr(function, "__self__", None) is not None and hasattr(_PythonRandom, name) and not name.startswith("_"):
            yield random, name, getattr(shared, name)
    for module, owner, name, law in SAMPLERS:
        if module in sys.modules:
            held = getattr(sys.modules[module], owner)
            yield held, name, staticmethod(_sampler(getattr(held, name), law))
    yield random, "Random", _PythonRandom
    yield random, "SystemRandom", _SystemRandom
    yield secrets, "SystemRandom", _SystemRandom
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return
    classes = _numpy_classes()
    legacy = classes["RandomState"]()
    for name in dir(numpy.random):
        function = getattr(numpy.random, name)
        if type(getattr(function, "__self__", None)).__name__ == "RandomState" and hasattr(legacy, name):
            yield numpy.random, name, getattr(legacy, name)
    generator = classes["Generator"]

    seeded = numpy.random.default_rng

    def default_rng(seed: Any = None) -> Any:
        if isinstance(seed, generator):
            return seed
        return generator(seeded(_current.generator_seed() if seed is None and _current else seed).bit_generator)

    yield numpy.random, "default_rng", default_rng
    yield numpy.random, "Generator", generator
    yield numpy.random, "RandomState", classes["RandomState"]


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


def _call(draw: Draw) -> str:
    return f"{draw.law} of size {draw.size}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


__all__ = ["Break", "Release", "Tape", "record"]

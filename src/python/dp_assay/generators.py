"""Generators of Python's and numpy's whose noise is recorded, and what they stand in for while it is.

These are those of `random` and `numpy.random`, whatever a program makes from them, and the system's as `random` and
`secrets` give it.
"""
from __future__ import annotations

import copy
import random
import secrets
import sys
from typing import Any, Callable, Dict, Iterator, List, Tuple

from . import recording
from .noise import Noisy, kept

#: Where libraries make standard noise out of uniform numbers: module, class, static method, law. May be extended.
SAMPLERS: List[Tuple[str, str, str, str]] = [
    ("diffprivlib.mechanisms.laplace", "Laplace", "_laplace_sampler", "laplace"),
]

_RANDOM = random.Random


def made(kind: str, tape: "recording.Tape") -> Any:
    """A recorded generator: `python` (random.Random) or `numpy` (numpy.random.Generator)."""
    seed = tape.generator_seed()
    if kind == "python":
        return _ours(_PythonRandom(seed))
    import numpy

    return _ours(_numpy_classes()["Generator"](numpy.random.PCG64(seed)))


def _ours(generator: Any) -> Any:
    """The generator, whose seed nobody but the recording knows."""
    generator.seeded = False
    return generator


def _noise(
    law: str, location: Any, scale: Any, values: Any, state: Any, seeded: bool, located: bool = False
) -> Any:
    if recording.current is None:
        return location + values
    location, scale = kept(_settled(location)), kept(scale)
    places: Any = 0
    if type(values).__name__ == "ndarray" and not values.ndim:
        recording.current.refuse(recording.here(), "draws an array of no dimension (size=()), whose changes are not followed")
    if getattr(values, "ndim", 0):
        import numpy

        places = numpy.arange(values.size).reshape(values.shape)
        scale = numpy.broadcast_to(scale, values.shape) if getattr(scale, "ndim", 0) else scale
    state = state if getattr(values, "size", 1) else object()
    draw = recording.current.draw(law, scale, values, state, seeded)
    alone = not getattr(location, "ndim", 0) and location == 0
    return Noisy(recording.current, [(draw, places, 1)], None if alone else location, located)


def _secret(what: str, own: Callable[..., Any]) -> Callable[..., Any]:
    """A method that shows what the noise is made of: of a generator that the program seeded only."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if recording.current is not None and not self.seeded:
            _shown(what)
        return own(self, *args, **kwargs)

    return method


def _shown(what: str) -> None:
    if recording.current is not None:
        recording.current.refuse(recording.here(), f"uses {what} of a generator: who sees its state knows the noise")


class _Standing(type):
    """Of a class that stands in for its base: what is of the base was made before, and is of this one for `isinstance`."""

    def __instancecheck__(cls, value: Any) -> bool:
        return type.__instancecheck__(cls, value) or isinstance(value, vars(cls).get("stands_for", ()))


class _PythonRandom(random.Random, metaclass=_Standing):
    """random.Random, recorded."""

    stands_for = _RANDOM

    def __new__(cls, *_: Any) -> Any:
        return super().__new__(cls)

    def __init__(self, x: Any = None) -> None:
        self._own = _RANDOM()
        self.seed(x)

    def seed(self, a: Any = None, version: int = 2) -> None:
        #: Whether the program gave the seed.
        self.seeded = a is not None
        if a is None and recording.current is not None:
            a = recording.current.generator_seed()
        self._own.seed(a, version)

    getstate = _secret("getstate", lambda self: self._own.getstate())

    def setstate(self, state: Any) -> None:
        self.seeded = True
        self._own.setstate(state)

    def __deepcopy__(self, _: Any) -> Any:
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__, _own=copy.deepcopy(self._own))
        return made

    def __copy__(self) -> Any:
        return self.__deepcopy__(None)

    def normalvariate(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        state = self._own.getstate()
        sigma = _settled(sigma)
        return _noise("normal", mu, sigma, sigma * self._own.normalvariate(0.0, 1.0), state, self.seeded, True)

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        state = self._own.getstate()
        sigma = _settled(sigma)
        return _noise("normal", mu, sigma, sigma * self._own.gauss(0.0, 1.0), state, self.seeded, True)

    def expovariate(self, lambd: Any = 1.0) -> Any:
        state, lambd = self._own.getstate(), _settled(lambd)
        return _noise("exponential", 0, 1.0 / lambd, self._own.expovariate(lambd), state, self.seeded)


def _public(name: str, of: Callable[[Any], Any], state: Callable[[Any], Any]) -> Callable[..., Any]:
    """A method whose values are public, for what they are drawn from is."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if recording.current is None or recording.current.drawing:
            return of(self)(*args, **kwargs)
        before = state(self)
        given = tuple(_settled(value) for value in (*args, *kwargs.values()))
        source = tuple(map(kept, given))
        if name in _PLACES and hasattr(given[0], "__len__"):
            # Which places are drawn does not depend on what stands there.
            source = (len(given[0]), *given[1:])
        recording.current.drawing = True  # some methods of numpy's call others
        try:
            values = of(self)(*given[: len(args)], **dict(zip(kwargs, given[len(args):])))
        finally:
            recording.current.drawing = False
        # A call that draws nothing, such as shuffling one card, may be followed by one from the same state.
        recording.current.draw(name, source, 0, before if before != state(self) else object(), self.seeded)
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


def _python_method(name: str) -> Callable[..., Any]:
    return _public(name, lambda self: getattr(self._own, name), lambda self: self._own.getstate())


#: Methods that draw places in a sequence, which is their first argument.
_PLACES = ("shuffle", "permutation", "permuted", "choice", "choices", "sample")

for _name in ("random", "uniform", "triangular", "randint", "randrange", "choice", "choices", "shuffle", "sample",
              "getrandbits", "randbytes", "betavariate", "gammavariate", "lognormvariate", "vonmisesvariate",
              "paretovariate", "weibullvariate", "binomialvariate"):
    if hasattr(random.Random, _name):
        setattr(_PythonRandom, _name, _python_method(_name))
del _name


class _SystemRandom(_PythonRandom):
    """random.SystemRandom, recorded: it cannot be seeded."""

    stands_for = random.SystemRandom

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
            hidden = {name: _secret(f"{name} (copies, pickles)", getattr(base, name))
                      for name in ("__getstate__", "__reduce__", "__reduce_ex__") if hasattr(base, name)}
            bits = {name: property(_bits(getattr(base, name))) for name in ("bit_generator", "_bit_generator")
                    if hasattr(base, name)}
            # Unless it is ours (below), the program gave the seed.
            members = {"seeded": True, "stands_for": base, **methods, **hidden, **bits}
            _classes[base.__name__] = _Standing(base.__name__, (base,), members)
        _classes["RandomState"].__init__ = _state_init(numpy.random.RandomState)
        _classes["RandomState"].__copy__ = _copied_state(numpy.random.RandomState)
        _classes["RandomState"].__deepcopy__ = lambda self, _: copy.copy(self)
        _classes["RandomState"].get_state = _secret("get_state", numpy.random.RandomState.get_state)
        own = numpy.random.Generator.bit_generator
        _classes["Generator"].__copy__ = lambda self: _like(self, type(self)(own.__get__(self)))
        _classes["Generator"].__deepcopy__ = lambda self, _: _like(self, type(self)(copy.deepcopy(own.__get__(self))))
        _classes["Generator"].spawn = lambda self, n_children: [
            _like(self, type(self)(child)) for child in own.__get__(self).spawn(n_children)]
        for kind, names in (("RandomState", ("seed", "set_state", "__setstate__")), ("Generator", ("__setstate__",))):
            for name in names:
                setattr(_classes[kind], name, _seeding(getattr(getattr(numpy.random, kind), name)))
    return _classes


class _Bits:
    """Stands for the bit generator of a generator that nobody seeded: that it has one is no secret."""

    def __getattr__(self, name: str) -> Any:
        _shown(f"bit_generator.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        _shown(f"bit_generator.{name}")


def _bits(own: Any) -> Callable[[Any], Any]:
    return lambda self: own.__get__(self) if self.seeded or recording.current is None else _Bits()


def _like(generator: Any, made: Any) -> Any:
    """What was made from a generator is as secret as that."""
    made.seeded = generator.seeded
    return made


def _copied_state(base: Any) -> Callable[[Any], Any]:
    def copied(self: Any) -> Any:
        made = type(self)(0)
        base.set_state(made, base.get_state(self))
        return _like(self, made)

    return copied


def _state_init(base: Any) -> Callable[..., None]:
    def init(self: Any, seed: Any = None) -> None:
        tape = recording.current
        self.seeded = seed is not None or tape is None
        base.__init__(self, tape.generator_seed() % 2**32 if seed is None and tape is not None else seed)

    return init


def _seeding(own: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.seeded = True
        return own(self, *args, **kwargs)

    return method


def _state(base: Any) -> Callable[[Any], Any]:
    """What the next draw of a generator of this class depends on."""
    if hasattr(base, "bit_generator"):
        return lambda generator: repr(sorted(base.bit_generator.__get__(generator).state.items()))

    def state(generator: Any) -> Any:
        name, key, *rest = base.get_state(generator)
        return (name, key.tobytes(), *rest)

    return state


def _numpy_method(base: Any, name: str) -> Callable[..., Any]:
    own, state = getattr(base, name), _state(base)
    if name not in _NUMPY_NOISE:
        return _public(name, lambda self: lambda *args, **kwargs: own(self, *args, **kwargs), state)
    law, names, defaults = _NUMPY_NOISE[name]

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        tape = recording.current
        if tape is None or tape.drawing:
            return own(self, *args, **kwargs)
        if kwargs.get("out") is not None:
            tape.refuse(recording.here(), "draws into an array that the program has (out=...), which is not followed")
        before = state(self)
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
        located = "loc" in names and (len(args) > 0 or "loc" in kwargs)
        return _noise(law, location, scale, values, before, self.seeded, located)

    method.__name__ = name
    return method


def _sampler(own: Callable[..., Any], law: str) -> Callable[..., Any]:
    def sampler(*uniform: Any) -> Any:
        assert recording.current is not None
        drawn = recording.current.draws[-len(uniform):]
        for draw in drawn:
            draw.spent = True
        return _noise(law, 0, 1.0, own(*uniform), object(), any(draw.seeded for draw in drawn))

    return sampler


def replacements() -> Iterator[Tuple[Any, str, Any]]:
    """What is put in place of what, while a record lasts."""
    shared = _PythonRandom()
    for name in dir(random):
        function = getattr(random, name)
        if getattr(function, "__self__", None) is not None and hasattr(_PythonRandom, name):
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
    yield numpy.random.mtrand, "_rand", legacy  # what scikit-learn takes where it is given none
    # These are functions around the shared generator instead of its methods.
    for name, method in (("seed", "seed"), ("sample", "random_sample"), ("ranf", "random_sample")):
        yield numpy.random, name, getattr(legacy, method)
    for name in ("get_bit_generator", "set_bit_generator"):
        if hasattr(numpy.random, name):
            yield numpy.random, name, lambda *_, name=name: _shown(name)
    generator, seeded = classes["Generator"], numpy.random.default_rng

    def default_rng(seed: Any = None) -> Any:
        if issubclass(type(seed), generator):
            return seed
        if seed is None and recording.current is not None:
            return made("numpy", recording.current)
        return generator(seeded(seed).bit_generator)

    yield numpy.random, "default_rng", default_rng
    yield numpy.random, "Generator", generator
    yield numpy.random, "RandomState", classes["RandomState"]

"""Noise that remembers what it is added to.

While a program is recorded, generators return `Noisy` values: multiples of draws, and their sums. Noise hides what it
is added to; a sum of both takes more noise, and whatever else is done with it, or with noise alone, first releases it:
from then on it is a number or an array like any other. Arrays are written into as numpy does: what shares memory sees it.
"""
from __future__ import annotations

import math
import operator
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Tuple

if TYPE_CHECKING:
    from .recording import Tape


@dataclass
class Draw:
    """One call of a generator."""

    #: Its place among the calls of the run.
    number: int
    #: The line that drew: `file.py:12 in f`.
    where: str
    #: `laplace`, `normal`, `exponential`, `geometric`; any other name is that of a call whose values are public.
    law: str
    #: Scale, standard deviation, mean or success probability: a number or an array. Of public values the arguments.
    scale: Any
    #: What was drawn, without scale's neighbour, the location.
    values: Any
    #: Elements that were released, with how far the neighbour's base moved them (Fractions); None: not known.
    moved: Dict[int, Any] = field(default_factory=dict, repr=False)
    #: Whether noise was made of it by a sampler that is followed.
    spent: bool = False
    #: Whether the program gave its generator the seed.
    seeded: bool = False

    @property
    def size(self) -> int:
        """How many numbers were drawn."""
        return int(getattr(self.values, "size", 1))


#: A multiple of some elements of a draw: the draw, places in it, factor.
Term = Tuple[Draw, Any, Any]


class Noisy:
    """Noise, alone or added to a base, that nobody has read."""

    def __init__(self, tape: "Tape", terms: List[Term], base: Any = None, located: bool = False) -> None:
        self._tape, self._terms, self._base = tape, terms, base
        #: Whether the generator was given a location, though that was 0: noise may have been added to data there.
        self._located = located
        self._value: Any = None  # once it is released
        self._memory: Any = None  # of an array of noise alone, once a part of it was taken
        self._cells: Any = None  # those of the memory that are its own

    def read(self, compared: bool = False) -> Any:
        """The number or array; from now on it is public. Noise that hides nothing is a coin, on which a run may turn."""
        if self._value is None:
            coin = self._base is None and (compared or not self._located)
            if self._is_shared():
                # What is written into a number array cannot be seen: all views turn into one at once.
                self._memory.cells[...] = self._tape.release(self._memory.terms, None, coin)
                for view in self._memory.alive():
                    view._value = view._cells
            else:
                # A program may write into its array: what was released stays as it was.
                self._value = kept(self._tape.release(self._terms, self._base, coin))
        return self._value

    def unread(self) -> Any:
        """The number or array that a release would make public."""
        value = 0 if self._base is None else self._base
        for draw, places, factor in self._terms:
            drawn = draw.values if not getattr(draw.values, "ndim", 0) else draw.values.reshape(-1)[places]
            value = value + factor * drawn
        return value

    # What is followed: multiples, sums and parts of noise, and what it is added to.

    def _alone(self) -> bool:
        return self._base is None and self._value is None

    def _is_shared(self) -> bool:
        return self._memory is not None and len(self._memory.alive()) > 1

    def _becomes(self, other: "Noisy") -> bool:
        """Turns into the other where an array of its shape and kind of numbers would hold it."""
        import numpy

        fits = other._value is None and other.shape == self.shape
        if not fits or not numpy.can_cast(other.unread().dtype, self.unread().dtype, "same_kind"):
            return False
        self._terms, self._base, self._located = other._terms, other._base, other._located
        self._memory = self._cells = None
        return True

    def _copy(self) -> Any:
        return kept(self._value) if self._value is not None else Noisy(self._tape, self._terms, self._base, self._located)

    def _plus(self, other: Any, sign: int = 1) -> Any:
        """self + sign · other."""
        unread = isinstance(other, Noisy) and other._value is None and self._value is None
        if unread and (self._alone() or other._alone()):
            theirs = [(draw, places, sign * factor) for draw, places, factor in other._terms]
            base = self._base if other._base is None else sign * other._base
            return Noisy(self._tape, self._terms + theirs, base, self._located or other._located)
        other = _number(_plain(other))
        if other is None:
            return NotImplemented
        return Noisy(self._tape, self._terms, sign * other) if self._alone() else self.read() + sign * other

    def _times(self, other: Any, operation: Callable[[Any, Any], Any] = operator.mul) -> Any:
        other = _number(_plain(other))
        if other is None:
            return NotImplemented
        if not self._alone():
            return operation(self.read(), other)
        terms = [(draw, places, operation(factor, other)) for draw, places, factor in self._terms]
        return Noisy(self._tape, terms, None, self._located)

    def __add__(self, other: Any) -> Any:
        return self._plus(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return -self + other if self._alone() else other - self.read()

    def __neg__(self) -> Any:
        return self._times(-1)

    def __pos__(self) -> Any:
        return self._copy()

    def __mul__(self, other: Any) -> Any:
        return self._times(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._times(other, operator.truediv)

    def __copy__(self) -> Any:
        return self._copy()

    def __deepcopy__(self, _: Any) -> Any:
        return self._copy()

    def _part(self, take: Callable[[Any], Any]) -> Any:
        """The same part of places and factors."""
        if not self._alone():
            return take(self.read())
        import numpy

        shape = self.shape

        def part(x: Any) -> Any:
            taken = take(numpy.broadcast_to(x, shape))
            return taken if getattr(taken, "ndim", 0) else taken.item()

        if self._memory is None:
            self._memory = _Memory(self._terms, numpy.array(self.unread()))
            self._cells = self._memory.shown_by(self, self._memory.cells)
        cells = take(self._cells)
        if isinstance(cells, numpy.ndarray) and not cells.ndim:
            return take(self.read())  # an array of no dimension, into which a program may write
        taken = Noisy(self._tape, [(draw, part(places), part(factor)) for draw, places, factor in self._terms], None,
                      self._located)
        if getattr(cells, "ndim", 0) and numpy.may_share_memory(cells, self._cells):
            taken._memory, taken._cells = self._memory, self._memory.shown_by(taken, cells)
        return taken

    def __getitem__(self, key: Any) -> Any:
        return self._part(lambda x: x[_plain(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.read()[_plain(key)] = _plain(value)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("object of type 'float' has no len()")
        return int(self.shape[0])

    def reshape(self, *shape: Any, **how: Any) -> Any:
        return self._part(lambda x: x.reshape(*shape, **how))

    def ravel(self) -> Any:
        return self._part(lambda x: x.reshape(-1))

    def flatten(self) -> Any:
        return self._part(lambda x: x.flatten())

    @property
    def T(self) -> Any:
        return self._part(lambda x: x.T)

    @property
    def shape(self) -> Tuple[int, ...]:
        if self._value is not None:
            return tuple(getattr(self._value, "shape", ()))
        parts = [self._base, *(x for _, places, factor in self._terms for x in (places, factor))]
        if not any(getattr(part, "ndim", 0) for part in parts):
            return ()
        import numpy

        return tuple(numpy.broadcast_shapes(*(getattr(part, "shape", ()) for part in parts)))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        out = how.get("out")
        result = NotImplemented
        if method == "__call__" and how.keys() <= {"out"} and ufunc.__name__ in _FOLLOWED:
            # A number of numpy's own would come back here instead of leaving the sum to us.
            first, *rest = (x.item() if type(x).__module__ == "numpy" and not x.ndim else x for x in inputs)
            left, right = _FOLLOWED[ufunc.__name__]
            result = getattr(first, left)(*rest) if isinstance(first, Noisy) else getattr(rest[0], right)(first)
        if result is NotImplemented:
            for value in inputs:
                if isinstance(value, Noisy):
                    value.read(compared=True)
            return getattr(ufunc, method)(*map(_plain, inputs), **{key: _plain(value) for key, value in how.items()})
        if out is None:
            return result
        out[0][...] = _plain(result)  # x += noise
        return out[0]

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """For `isinstance`: a program that asks is told what it would have without a recording."""
        if not self.shape:
            return float
        import numpy

        return numpy.ndarray

    # What releases.

    def __reduce_ex__(self, _: Any) -> Any:
        return _itself, (self.read(),)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        value = numpy.asarray(self.read(), dtype=dtype)
        return value.copy() if copy else value

    def tolist(self) -> Any:
        value = self.read()
        return value.tolist() if hasattr(value, "tolist") else value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.read(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            setattr(self.read(), name, _plain(value))  # x.flat = y writes into x


class _Memory:
    """What an array of noise and the views of it share, until the first of them is released."""

    def __init__(self, terms: List[Term], cells: Any) -> None:
        self.terms, self.cells = terms, cells
        self._views: List["weakref.ref[Noisy]"] = []

    def shown_by(self, view: Noisy, cells: Any) -> Any:
        """These cells, which are those of the view."""
        self._views = [ref for ref in self._views if ref() is not None] + [weakref.ref(view)]
        return cells

    def alive(self) -> List[Noisy]:
        return [view for view in (ref() for ref in self._views) if view is not None]


def _itself(value: Any) -> Any:
    return value


#: Functions of numpy's that are followed: the method of Python's, and the one for noise on the right.
_FOLLOWED: Dict[str, Tuple[str, str]] = {
    "add": ("__add__", "__radd__"), "subtract": ("__sub__", "__rsub__"), "multiply": ("__mul__", "__rmul__"),
    "divide": ("__truediv__", "__rtruediv__"), "negative": ("__neg__", ""), "positive": ("__pos__", ""),
}


def kept(value: Any) -> Any:
    """The value as it is now: an array or a list may be written into."""
    return value.copy() if getattr(value, "ndim", 0) or isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """The value, released if it is noisy."""
    if isinstance(value, Noisy):
        return value.read()
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return value


def _number(value: Any) -> Any:
    """A number or an array of numbers; None of anything else."""
    if isinstance(value, (list, tuple)):
        import numpy

        value = numpy.asarray(value)
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return value if isinstance(value, (int, float)) or (kind and kind in "biuf") else None


def _reading(name: str) -> Callable[..., Any]:
    """A method that releases the noise, and then does with the number what it does with any."""
    operation = vars(operator).get(f"__{name}__")

    def method(self: Noisy, *others: Any) -> Any:
        value, others = self.read(name in _COMPARING), tuple(map(_plain, others))
        return operation(value, *others) if operation else getattr(value, f"__{name}__")(*others)

    return method


def _mirrored(name: str) -> Callable[..., Any]:
    operation = getattr(operator, f"__{name}__")
    return lambda self, other: operation(_plain(other), self.read())


def _in_place(name: str) -> Callable[..., Any]:
    """A method that changes an array under all of its names, as numpy's does; a number is another one then."""
    operation = getattr(operator, f"__i{name}__")

    def method(self: Noisy, other: Any) -> Any:
        if not self.shape:
            return NotImplemented
        if name in _FOLLOWED_IN_PLACE and self._value is None and not self._is_shared():
            result = getattr(self, f"__{name}__")(other)
            if isinstance(result, Noisy) and self._becomes(result):
                return self
        operation(self.read(), other)
        return self

    return method


_FOLLOWED_IN_PLACE = ("add", "sub", "mul", "truediv")
_COMPARING = ("lt", "le", "gt", "ge", "eq", "ne")
for _name in (*_COMPARING, "pow", "mod", "floordiv", "matmul", "abs", "index", "float", "int",
              "complex", "round", "floor", "ceil", "trunc", "hash", "str", "repr", "format", "divmod"):
    setattr(Noisy, f"__{_name}__", _reading(_name))
for _name in ("pow", "mod", "floordiv", "matmul", "truediv"):
    setattr(Noisy, f"__r{_name}__", _mirrored(_name))
for _name in (*_FOLLOWED_IN_PLACE, "pow", "mod", "floordiv", "matmul", "and", "or", "xor", "lshift", "rshift"):
    setattr(Noisy, f"__i{_name}__", _in_place(_name))
setattr(Noisy, "__bool__", lambda self: bool(self.read()))
del _name

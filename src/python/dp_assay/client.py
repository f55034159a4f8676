"""Let dp-assay audit a Python mechanism. One file, no dependencies, Python 3.8 or later.

    import json, random, dp_assay

    def mechanism(data, rng):                 # one run on one dataset
        return sum(data) + rng.expovariate(1) - rng.expovariate(1)

    dp_assay.serve(mechanism, load=json.loads)

Run it with

    dp-assay audit external --command "python3 mech.py" --claim eps=1,delta=0 \\
        --neighbours replace-one --input0 a.json --input1 b.json

The protocol is `dp-assay/external/1`, or `/2` for outputs of any shape; see spec/formats/external.md.
"""
import array
import collections
import copyreg
import dataclasses
import decimal
import enum
import json
import math
import numbers
import os
import pickle
import random
import re
import signal
import sys
import warnings
from collections.abc import Iterator as UsedUp, Mapping, Set
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Optional, Union

PROTOCOL = "dp-assay/external/1"
PROTOCOL_ANY = "dp-assay/external/2"
#: The `length` of outputs that may be anything: texts, lists, sets, dicts, data frames, exceptions.
ANY = "any"


def serve(
    mechanism: Callable[..., Any],
    load: Callable[[str], Any] = json.loads,
    length: Union[int, str] = 1,
    timeout: Optional[float] = None,
) -> None:
    """Answer requests until the auditor hangs up.

    mechanism(data, rng) runs once on `data` and returns a number or a sequence of `length` numbers: a list, a tuple,
    an array; never a dict, a set or a string. With length=ANY it returns anything, and an exception that it raises is
    an output like any other. What it prints goes to standard error.
    All its randomness must come from `rng`, a random.Random seeded from (seed, side, output number).
    load(text) turns the text of an input file into `data`, which every run finds as the first one did: what changes it
    is refused, as far as `pickle` can tell, and so is an iterator, which the first run uses up.
    timeout: with length=ANY, seconds after which a run ends with TimeoutError, which is then its output, unless it catches
    that itself.
    """

    if timeout is not None and length != ANY:
        raise ValueError("timeout needs length=ANY: a run that ends by it has no numbers")
    check_timeout(timeout)

    def batch(data: Any, seed: int, side: int, first: int, count: int) -> Iterator[Any]:
        for t in range(first, first + count):
            rng = random.Random(f"{seed}/{side}/{t}")
            yield mechanism(data, rng) if length != ANY else outcome(mechanism, data, rng, timeout=timeout)

    serve_batches(batch, load, length)


def serve_batches(
    batch: Callable[..., Any], load: Callable[[str], Any] = json.loads, length: Union[int, str] = 1
) -> None:
    """Like `serve`, for mechanisms that draw many outputs at once (numpy and the like).

    batch(data, seed, side, first, count) returns `count` outputs, those numbered from `first` on. The noise of output
    t follows from (seed, side, t); a generator that is seeded once for each batch repeats its noise, and the auditor
    says so instead of a verdict.
    """
    reader, writer = sys.stdin.buffer, _own_stdout()
    greeting = json.loads(reader.readline())
    spoken = PROTOCOL_ANY if length == ANY else PROTOCOL
    if spoken not in greeting.get("protocols", [greeting.get("protocol")]):
        raise SystemExit(f"this client speaks {spoken}, not {greeting.get('protocol')}")
    side, data = greeting["side"], load(greeting["input"])
    try:
        kept = Kept(data)
    except TypeError as error:
        raise SystemExit(str(error)) from None
    form: Dict[str, Any] = {"encoding": "any"} if length == ANY else {"length": length, "encoding": "binary"}
    _line(writer, {"protocol": spoken, **form})
    for text in iter(reader.readline, b""):
        request = json.loads(text)
        try:
            seed, first = int(request["seed"]), int(request["first"])
            outputs = batch(data, seed, side, first, request["count"])
            if length == ANY:
                encoded = [encode(output) for output in outputs]
                kept.check()
                _line(writer, {"id": request["id"], "outputs": encoded})
                continue
            payload = doubles(outputs, length)
            kept.check()
        except Exception as error:  # the auditor quotes it; no verdict comes of it
            hint = "" if length == ANY else "; serve with length=ANY takes exceptions for outputs, and outputs of any shape"
            _line(writer, {"id": request["id"], "error": f"{type(error).__name__}: {error}{hint}"})
            return
        _line(writer, {"id": request["id"], "bytes": len(payload)}, payload)


class Kept:
    """An input that every run is to find as the first one did."""

    def __init__(self, data: Any) -> None:
        if isinstance(data, UsedUp):
            raise TypeError(f"an input is {_short(data)}, which the first run uses up: give a list, or what it is read from")
        self.data, self.content = data, written_down(data)
        if self.content is None:
            warnings.warn(
                f"an input of type {type(data).__name__} cannot be written down: that a run changes it, or uses something in it "
                "up, would not be seen", stacklevel=4)

    def check(self) -> None:
        """Refuses an input that a run has changed: the next would be a run on other data."""
        if written_down(self.data) != self.content:
            raise ValueError("a run changes its input, so that the next one is on other data: let it change a copy")


def written_down(data: Any) -> Optional[bytes]:
    """What an input is compared by: all of it as pickle writes it, or else as an output is; None where neither does."""
    try:
        return pickle.dumps(data)
    except Exception:
        try:
            return _to_json(encode(data)).encode("utf-8", "surrogatepass")
        except Exception:
            return None


def outcome(mechanism: Callable[..., Any], *arguments: Any, timeout: Optional[float] = None) -> Any:
    """What a run gives, or the exception that ends it: TimeoutError after so many seconds, on the main thread only."""
    try:
        return mechanism(*arguments) if timeout is None else within(timeout, mechanism, *arguments)
    except Exception as error:
        return error


def check_timeout(timeout: Optional[float]) -> None:
    """Refuses what is no time."""
    number = isinstance(timeout, numbers.Real) and not isinstance(timeout, bool)
    if timeout is not None and not (number and 0 < timeout < math.inf):
        raise ValueError(f"timeout is {timeout!r}: it must be a number of seconds above 0")


def within(seconds: float, mechanism: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a run that may take so long."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return mechanism(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def encode(value: Any) -> Any:
    """Any output as `dp-assay/external/2` writes it."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is int:
        return value if -_WHOLE <= value < _WHOLE else str(value)
    if kind is float:
        return value if math.isfinite(value) else {"real": str(value)}
    if kind in (list, tuple):
        return [item if type(item) in _PLAIN else encode(item) for item in value]
    if kind is dict:
        entries = value.items()
        if _PLAIN.issuperset(map(type, value)):
            return {"map": [[key, item if type(item) in _PLAIN else encode(item)] for key, item in entries]}
        return {"map": [[encode(key), encode(item)] for key, item in entries]}
    return _encode_other(value)


#: What JSON writes as it is.
_PLAIN = frozenset((bool, str, type(None)))
#: Whole numbers from here on are written as texts: as numbers of JSON they would be rounded to doubles.
_WHOLE = 1 << 63
#: Outputs are trees: a circle among them has ended `encode` already.
_to_json = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


def _encode_other(value: Any) -> Any:
    if isinstance(value, BaseException):
        return {"raised": [type(value).__name__, str(value)]}
    if isinstance(value, enum.Enum):
        return str(value)
    if isinstance(value, (int, float, str)):  # of a kind of its own: numpy's, a subclass
        plain = next(kind for kind in (bool, int, float, str) if isinstance(value, kind))
        return encode(plain(value))
    if isinstance(value, (list, tuple, collections.deque)):
        return encode(list(value))
    for form in (_coordinates, _frame, _array_like, _sparse):
        parts = form(value)
        if parts is not None:
            return encode(parts)
    if isinstance(value, Mapping):
        return encode(dict(value))
    if isinstance(value, Set):
        return {"set": [encode(item) for item in value]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return encode({**{field.name: getattr(value, field.name) for field in dataclasses.fields(value)}, **_fields(value)})
    if isinstance(value, (decimal.Decimal, numbers.Rational)):
        try:
            number = float(value)
        except (OverflowError, ValueError):  # too large, or a signalling NaN
            return str(value)
        # Of a double the exact digits would tell how it was rounded.
        return encode(number) if number == value or number != number else str(value)
    if isinstance(value, complex):
        return [encode(value.real), encode(value.imag)]
    if type(value).__module__ in _SAID_IN_FULL and f"{id(value):x}" not in repr(value).lower():
        return repr(value)
    return encode(_state(value))


#: Where types are from whose text has all that is in them.
_SAID_IN_FULL = frozenset(("builtins", "datetime", "ipaddress", "pathlib", "uuid", "zoneinfo"))


def _coordinates(value: Any) -> Any:
    """An array with coordinates, and all else that it has."""
    return value.to_dict() if hasattr(value, "coords") and hasattr(value, "to_dict") else None


def _frame(value: Any) -> Any:
    """The columns of a data frame, and its labels where they are more than the numbers of its rows."""
    columns = getattr(value, "columns", None)
    if columns is None or not hasattr(value, "__getitem__"):
        return None
    names, place = list(columns), getattr(value, "iloc", None)
    entries = [value[name] if place is None else place[:, k] for k, name in enumerate(names)]
    plain = [list(column) for column in entries]
    # Two columns of one name are two.
    content: Any = dict(zip(names, plain)) if len(set(names)) == len(names) else list(zip(names, plain))
    return _labelled(content, value, [(name, _categories(column)) for name, column in zip(names, entries)])


def _array_like(value: Any) -> Any:
    """The numbers of an array, a series, an index, or a number of numpy and its like; what a mask hides is there, too."""
    if hasattr(value, "filled") and hasattr(value, "mask"):
        return {"data": value.data, "mask": value.mask}
    if not hasattr(value, "tolist") and hasattr(value, "__array__"):
        value = value.__array__()
    if not hasattr(value, "tolist"):
        return None
    plain, shape = value.tolist(), getattr(value, "shape", ())
    if type(plain) is type(value):  # numpy has no other form of its long doubles
        return repr(value)
    if len(shape) > 1 and 0 in shape:
        return {"shape": list(shape)}
    return _labelled(plain, value, [("values", _categories(value))])


def _labelled(content: Any, value: Any, categories: List[Any]) -> Any:
    """The content, with the names and labels that it has."""
    labels: Dict[str, Any] = {}
    name = getattr(value, "name", None)
    if isinstance(name, (str, int, float, tuple)):
        labels["name"] = name
    index: Any = getattr(value, "index", None)
    if hasattr(index, "tolist") and index.tolist() != list(range(len(index))):  # of a list it is a method
        labels["index"] = index.tolist()
    for axis in ("index", "columns"):
        names = list(getattr(getattr(value, axis, None), "names", ()))
        if any(name is not None for name in names):
            labels[f"names of {axis}"] = names
    levels = [(name, found) for name, found in categories if found is not None]
    if levels:
        labels["categories"] = levels
    return {"content": content, **labels} if labels else content


def _categories(column: Any) -> Any:
    """The levels of a column of categories, whether they occur or not."""
    levels = getattr(getattr(column, "dtype", None), "categories", None)
    return None if levels is None or callable(levels) else list(levels)


def _sparse(value: Any) -> Any:
    """The entries of a sparse matrix, with their places."""
    if not hasattr(value, "tocoo"):
        return None
    places = value.tocoo()
    return {"shape": list(value.shape), "row": places.row, "col": places.col, "data": places.data}


def _fields(value: Any) -> Dict[str, Any]:
    slots = [name for kind in type(value).__mro__ for name in _names(getattr(kind, "__slots__", ()))]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    found.update(getattr(value, "__dict__", {}))
    return {name: entry for name, entry in found.items() if name not in ("__dict__", "__weakref__")}


def _names(slots: Any) -> List[str]:
    return [slots] if isinstance(slots, str) else list(slots)


def _state(value: Any) -> Any:
    """All that is in an object: its fields, and what it would be made from again."""
    name, fields = type(value).__qualname__, _fields(value)
    refused = TypeError(f"an output of type {name} has no content that could be looked at")
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    if callable(value) and not fields:
        raise refused
    try:
        made = value.__reduce_ex__(4)
    except Exception:  # a file, a lock: more than its fields
        raise refused from None
    if isinstance(made, str):  # one of its kind
        return made
    parts = list(made[1][1:] if made[0] is copyreg.__newobj__ else made[1])  # type: ignore[attr-defined]
    parts.extend(made[2:3] if not fields else ())
    parts.extend(list(items) for items in made[3:5] if items is not None)
    parts = [part for part in parts if part is not None]
    if not fields and not parts and not hasattr(value, "__dict__"):
        raise refused
    return {"type": name, "fields": fields, **({"made from": parts} if parts else {})}


def _own_stdout() -> IO[bytes]:
    """Standard output for the protocol alone: whatever else is printed, even by C code, goes to standard error."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout.flush()
    own.write(b"\n")  # ends a line that was begun before
    return own


def doubles(outputs: Any, length: Union[int, str]) -> bytes:
    """The bytes of outputs of `length` numbers each."""
    if hasattr(outputs, "astype"):
        return _array(outputs, length)
    if length == 1 and isinstance(outputs, list) and all(issubclass(kind, float) for kind in set(map(type, outputs))):
        return _bytes(array.array("d", outputs))
    flat = array.array("d")
    for output in _sequence(outputs, "a batch"):
        if length == 1 and (not hasattr(output, "__len__") or getattr(output, "ndim", 1) == 0):
            flat.append(_number(output))
        else:
            if len(_sequence(output, "an output")) != length:
                raise ValueError(f"an output has {len(output)} numbers instead of {length}")
            flat.extend(_number(entry) for entry in output)
    return _bytes(flat)


def _bytes(numbers: "array.array[float]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _array(outputs: Any, length: Union[int, str]) -> bytes:
    """The bytes of an array of numpy or its like, one row for each output."""
    kind = getattr(outputs.dtype, "kind", "f")
    if kind not in "biuf" or kind == "f" and outputs.dtype.itemsize > 8:
        raise TypeError(f"outputs are whole numbers and doubles, not of type {outputs.dtype}")
    if outputs.ndim > 2 or (outputs.shape[1] if outputs.ndim == 2 else 1) != length:
        raise ValueError(f"outputs have shape {outputs.shape} instead of (count, {length})")
    if kind in "iu" and outputs.dtype.itemsize == 8:
        _exact(outputs[(outputs > 1 << 53) | (outputs < -(1 << 53))].tolist())
    return bytes(outputs.astype("<f8").tobytes())


def _sequence(value: Any, what: str) -> Any:
    """The value, unless going through it would give its keys, give it in no order, or give its letters."""
    if isinstance(value, (Mapping, Set, str, bytes, bytearray)):
        raise TypeError(f"{what} is a {type(value).__name__}, {_short(value)}, where numbers are expected")
    return value


def _number(value: Any) -> float:
    if isinstance(value, (str, bytes, bytearray)) or value is None:
        raise TypeError(f"{_short(value)} is not a number")
    if isinstance(value, numbers.Integral):
        _exact([int(value)])
    number = float(value)
    if number == 0 and value != 0:
        raise ValueError(f"{_short(value)} is not 0, but nearer to 0 than to any other double")
    return number


def _exact(whole: Iterable[int]) -> None:
    """Refuses whole numbers that are no doubles: rounded they might no longer tell what they would."""
    for value in whole:
        if abs(value) > 1 << 53 and (value.bit_length() > 1024 or int(float(value)) != value):
            raise ValueError(f"{_short(value)} is no double; length=ANY looks at whole numbers of any size")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


def _line(writer: IO[bytes], message: Dict[str, Any], payload: bytes = b"") -> None:
    writer.write(line(message) + payload)
    writer.flush()


def line(message: Dict[str, Any]) -> bytes:
    """A message as it is sent."""
    text = _to_json(message)
    if "\\ud" in text:
        text = _ESCAPED.sub(lambda found: "\\\\" + found[1] if found[1] else found[0], text)
    return text.encode() + b"\n"


#: What is escaped in JSON; halves of surrogate pairs, which are no characters (names of files have them), as group 1.
_ESCAPED = re.compile(r"\\\\|\\ud[89ab]..\\ud[c-f]..|\\(ud[89a-f]..)")


def __getattr__(name: str) -> Any:
    hides = "; this file is the client of `dp-assay audit external` alone, and hides the package of its name"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (hides if __name__ == "dp_assay" else ""))

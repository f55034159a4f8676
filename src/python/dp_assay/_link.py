"""The `dp-assay` program as a child that answers requests (spec/formats/serve.md)."""
from __future__ import annotations

import atexit
import json
import math
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from typing import Any, Callable, Dict, Optional


class DpAssayError(ValueError):
    """What `dp-assay` refuses, in its words."""


def binary() -> str:
    """The path of the program: that of $DP_ASSAY_BINARY, of this installation, or on the path."""
    given = os.environ.get("DP_ASSAY_BINARY")
    if given:
        return given
    name = "dp-assay" + (".exe" if sys.platform == "win32" else "")
    schemes = [None, *(s for s in sysconfig.get_scheme_names() if s.endswith("user"))]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    # A build for one environment may run from another: `pip install --target`.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("the program dp-assay is not installed beside this package; DP_ASSAY_BINARY may name it")
    return found


def _require_finite(name: str, value: Any) -> None:
    """Refuses numbers that JSON cannot write, by the place where they stand."""
    if isinstance(value, float) and not math.isfinite(value):
        raise DpAssayError(f"{name} is {value}: it must be finite")
    if isinstance(value, dict):
        for key, inside in value.items():
            _require_finite(f"{name}[{key!r}]", inside)
    if isinstance(value, (list, tuple)):
        for at, inside in enumerate(value):
            _require_finite(f"{name}[{at}]", inside)


class Link:
    """One running program, and its requests."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([binary(), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._next = 0

    def ask(self, method: str, draw: Optional[Callable[[Dict[str, Any]], bytes]] = None, **question: Any) -> Any:
        """The answer to a question; `draw` is called for outputs while it is sought."""
        for name, value in question.items():
            _require_finite(name, value)
        self._next += 1
        self.send(json.dumps({"id": self._next, "method": method, **question}).encode() + b"\n")
        while True:
            line = self.process.stdout.readline()  # type: ignore[union-attr]
            if not line:
                raise DpAssayError(f"dp-assay ended with status {self.process.wait()}")
            answer = json.loads(line)
            if "draw" in answer and draw is not None:
                self.send(draw(answer["draw"]))
            elif "error" in answer:
                raise DpAssayError(answer["error"])
            else:
                return answer["result"]

    def send(self, message: bytes) -> None:
        self.process.stdin.write(message)  # type: ignore[union-attr]
        self.process.stdin.flush()  # type: ignore[union-attr]

    def close(self) -> None:
        """Ends the program."""
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.stdout.close()  # type: ignore[union-attr]
        self.process.wait()


_shared: Optional[Link] = None
_lock = threading.Lock()


def ask(method: str, **question: Any) -> Any:
    """Asks a program that stays for the next question; a fork has one of its own."""
    global _shared
    with _lock:
        if _shared is None or _shared.process.poll() is not None or _owner != os.getpid():
            _start()
        return _shared.ask(method, **question)  # type: ignore[union-attr]


_owner = 0


def _start() -> None:
    global _shared, _owner
    _shared, _owner = Link(), os.getpid()


@atexit.register
def _end() -> None:
    if _shared is not None and _owner == os.getpid():
        _shared.close()

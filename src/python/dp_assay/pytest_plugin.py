"""The pytest plugin: one false-alarm budget for all gates of a session, their seed, and a report."""
from __future__ import annotations

import json
from typing import Any, Dict, Generator, List

import pytest

from .gating import GateFailed, session

#: What every gate found, as the report writes it.
_FOUND: pytest.StashKey[List[Dict[str, Any]]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dp-assay", "privacy gates")
    group.addoption("--dp-assay-seed", type=int, default=0, metavar="N", help="seed of the noise of all gates")
    group.addoption("--dp-assay-report", metavar="FILE", help="write what every gate found as JSON")


def pytest_configure(config: pytest.Config) -> None:
    session.seed = config.getoption("--dp-assay-seed")
    config.stash[_FOUND] = []


def _is_gate(item: pytest.Item) -> bool:
    return getattr(getattr(item, "function", None), "dp_assay_gate", False)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    # Under xdist every worker collects all of them.
    session.gates = max(1, sum(map(_is_gate, items)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    if not _is_gate(item):
        yield
        return
    before = len(session.results)
    session.replay = lambda seed: f'python -m pytest "{item.nodeid}" --dp-assay-seed {seed}'
    yield
    session.replay = None
    for result in session.results[before:]:
        entry = {"test": item.nodeid, "randomness": result.randomness, **result.report}
        item.user_properties.append(("dp_assay", json.dumps(entry)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    outcome = yield
    error = call.excinfo and call.excinfo.value
    if isinstance(error, GateFailed):
        # The verdict says it all: the code of the gate adds nothing.
        outcome.get_result().longrepr = f"{item.nodeid}\n{error}"


class _Collector:
    """Gathers what the workers found."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            found = [json.loads(str(text)) for name, text in report.user_properties if name == "dp_assay"]
            self.config.stash[_FOUND] += found


def pytest_sessionstart(session: pytest.Session) -> None:
    # A worker of xdist hands its reports to the controller.
    if session.config.getoption("--dp-assay-report") and not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(_Collector(session.config))


def pytest_sessionfinish(session: pytest.Session) -> None:
    path = session.config.getoption("--dp-assay-report")
    if path and not hasattr(session.config, "workerinput"):
        found = session.config.stash[_FOUND]
        found.sort(key=lambda entry: str(entry["test"]))
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schema": "dp-assay/gates/1", "gates": found}, file, indent=2)
            file.write("\n")

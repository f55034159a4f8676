"""The plugin on a project of somebody else's: run by pytest alone."""
import json
import subprocess
import sys

PROJECT = """
import dp_assay, pytest

def noisy(data, rng):
    return len(data) + rng.expovariate(1) - rng.expovariate(1)

@dp_assay.gate(eps=1, neighbours="add-remove", inputs=([1], [1, 2]))
def test_right():
    return noisy

@pytest.mark.parametrize("eps", [0.5])
@dp_assay.gate(eps=0.5, neighbours="add-remove", inputs=([1], [1, 2]))
def test_wrong(eps):
    return noisy

def test_something_else():
    pass
"""

# Two gates share the error of the session, and half of a share is kept for an audit that has to begin again.
CONFIDENCE = 1 - 1e-6 / 2 / 2


def run(folder, *arguments):
    (folder / "test_project.py").write_text(PROJECT)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_wrong_claim_is_red_with_pair_event_and_counts(tmp_path):
    done = run(tmp_path, "--dp-assay-seed", "3", "--dp-assay-report", "found.json")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 2 passed" in done.stdout
    for words in ("VIOLATION", "counterexample: output", "times of", "on [1, 2]", "--dp-assay-seed 3"):
        assert words in done.stdout, done.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    verdicts = {gate["test"]: gate["verdict"] for gate in found["gates"]}
    assert verdicts == {
        "test_project.py::test_right": "PASS-WITH-POWER",
        "test_project.py::test_wrong[0.5]": "VIOLATION",
    }
    assert {gate["confidence"] for gate in found["gates"]} == {CONFIDENCE}


def test_the_budget_is_the_same_under_xdist(tmp_path):
    try:
        import xdist  # noqa: F401
    except ImportError:
        import pytest

        pytest.skip("SKIPPED: pytest-xdist is not installed")
    done = run(tmp_path, "-n", "2", "--dp-assay-report", "found.json")
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert {gate["confidence"] for gate in found["gates"]} == {CONFIDENCE}

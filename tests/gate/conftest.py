"""Programs that are judged without a diagnosis."""

import pytest


@pytest.fixture
def undiagnosed(monkeypatch):
    """Wrong figures of a program are judged alone: to look for its rules and faults takes ten
    times as long, and is another claim."""
    monkeypatch.setattr(
        "reconcile.gate.candidates.programs.diagnose", lambda candidate, subjects: None
    )

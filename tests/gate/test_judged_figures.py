"""Every judged figure has an id of its own and is worse the further it is out of its tolerance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reconcile.gap.verdict import Figure
from reconcile.gate.judged_figures import pack_cases
from reconcile.gate.validate import validate
from tests.support.command_line import PACK

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_every_case_of_the_bundled_pack_has_an_id_of_its_own() -> None:
    ids = [case.id for case in pack_cases(validate(PACK))]
    assert len(set(ids)) == len(ids) == 108
    assert "gnubg-11pt-cube-rich::reported gnubg::Ann::error_rate_memg" in ids


def test_figure_with_an_unknown_gap_has_no_excess() -> None:
    figure = Figure("pr", "x", None, None, None, 0.1, "error", "incomplete")
    assert figure.excess == 0.0
    assert replace(figure, gap=1e-12, tolerance=0.0).excess == float("inf")

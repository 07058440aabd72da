"""Every label blunderDB gives to a cube action is understood, in every spelling and language it has used."""

from __future__ import annotations

import pytest

from reconcile.formats.blunderdb.values import LABELS, cube_action
from reconcile.match.columns import Kind


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("No Double", (Kind.NO_DOUBLE, None)),
        ("No redouble", (Kind.NO_DOUBLE, None)),
        ("No Double, Take", (Kind.NO_DOUBLE, None)),
        ("Too good to redouble, pass", (Kind.NO_DOUBLE, None)),
        ("TG", (Kind.NO_DOUBLE, None)),
        ("", (Kind.NO_DOUBLE, None)),
        ("Double", (Kind.DOUBLE, None)),
        ("Redouble", (Kind.DOUBLE, None)),
        ("Double, Take", (Kind.DOUBLE, Kind.TAKE)),
        ("Double / Prendre", (Kind.DOUBLE, Kind.TAKE)),
        ("Double / Refuser", (Kind.DOUBLE, Kind.PASS)),
        ("Double / Reject", (Kind.DOUBLE, Kind.PASS)),
        ("Redouble, pass", (Kind.DOUBLE, Kind.PASS)),
        ("Double/Beaver", (Kind.DOUBLE, Kind.BEAVER)),
        ("Take", (Kind.TAKE, None)),
        ("Drop", (Kind.PASS, None)),
        ("Beaver", (Kind.BEAVER, None)),
        ("Unknown(D=2,T=1)", None),
    ],
)
def test_label_of_a_cube_action_says_what_was_done(label: str, meant: tuple[Kind, Kind | None] | None) -> None:
    assert cube_action(label) == meant


def test_every_fixed_label_of_an_action_is_understood() -> None:
    assert all(cube_action(label) for label in LABELS if label not in ("checker", "cube"))
    assert len(LABELS) == len(set(LABELS)) == 42

"""The installed codec of OGXM, for tests that need it, and a small document made by hand; without
the package they are skipped."""

from __future__ import annotations

import copy
from importlib.util import find_spec
from typing import Any, Final

import pytest

needs_ogxm = pytest.mark.skipif(
    find_spec("ogxm") is None, reason="ogxm is not installed (extra `ogxm`)"
)


def encode(document: dict[str, Any]) -> bytes:
    """The codec's own bytes of a document."""
    import ogxm

    content: bytes = ogxm.json_to_binary(document)
    return content


INFORMATION: Final = {
    "analysis_id": "364425c0-a074-82b7-9a25-2b2e8c152c59",
    "currency": "cubeful_match",
    "met_id": "kazaross-xg2",
    "model_id": "xg",
}


def _level() -> dict[str, Any]:
    return {"preset": "2ply", "checker_ply": 2}


def _first_play() -> dict[str, Any]:
    return {
        "alternatives": [
            {
                "equity": 0.53866,
                "is_played": True,
                "move": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}],
                "level": _level(),
            },
            {
                "equity": 0.5,
                "is_played": False,
                "move": [{"from": 1, "pips": 3}, {"from": 1, "pips": 1}],
                "level": _level(),
            },
        ],
        "roll": {"luck": 0.007732},
    }


def _cube_analyses() -> tuple[dict[str, Any], dict[str, Any]]:
    values = {
        "no_double_equity": 0.5,
        "double_take_equity": 0.42268,
        "double_pass_equity": 0.57732,
        "level": _level(),
    }
    double = {**values, "correct_action": "no_double", "equity_loss": 0.07732}
    answer = {
        **values,
        "double_take_equity": 0.42269,
        "correct_action": "take",
        "equity_loss": 0.15463,
    }
    return double, answer


def small(**changed: Any) -> dict[str, Any]:
    """Two plays and a double that is passed, at 0 : 0 of a match to five: with one analysis in
    match winning chance.

    A game is won at 0.57732 and lost at 0.42268 (Kazaross-XG2, 4 and 5 points away), so 0.53866 is
    an equity of 0.5.
    """
    first = _first_play()
    double, answer = _cube_analyses()
    document = {
        "ogxm": {"major": 2, "minor": 0},
        "checksum": "crc32",
        "player_white": "Ann",
        "player_black": "Ben",
        "match_length": 5,
        "crawford": True,
        "games": [
            {
                "winner": 1,
                "points_won": 1,
                "plies": [
                    {
                        "action_id": 2,
                        "color": 1,
                        "d1": 1,
                        "d2": 3,
                        "moves": first["alternatives"][0]["move"],
                        "analysis": first,
                    },
                    {"action_id": 21, "color": 0, "analysis": double},
                    {"action_id": 23, "color": 1, "analysis": answer},
                    {"action_id": 24},
                ],
            }
        ],
        "analysis_info": dict(INFORMATION),
    }
    return {**document, **changed}


def analyses(number: int) -> dict[str, Any]:
    """The small match with several analyses, whose best play is worth 0.01 less each time."""
    document = small()
    info = document.pop("analysis_info")
    document["analyses_info"] = [
        {**info, "analysis_id": f"364425c0-a074-82b7-9a25-2b2e8c152c{at:02}"}
        for at in range(number)
    ]
    for value in document["games"][0]["plies"]:
        if "analysis" in value:
            analysis = value.pop("analysis")
            value["analyses"] = [
                {**copy.deepcopy(analysis), "analysis_index": at} for at in range(number)
            ]
    for at, analysis in enumerate(document["games"][0]["plies"][0]["analyses"]):
        analysis["alternatives"][0]["equity"] -= 0.007732 * at
    return document

"""Measurements on public files that are not bundled: made again if the files are available, otherwise taken from `docs/measured.json`.

A file is identified by its SHA-256. `RECONCILE_DATA` names a folder that may have copies.
"""

from __future__ import annotations

import json
import os
from dataclasses import astuple
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from docs.making import formats
from reconcile.formats import read_match
from reconcile.formats.gnubg.collection import read_collection, value, values
from reconcile.formats.xg import records
from reconcile.formats.xg.container import open_archive
from reconcile.match.board.play import apply_play
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from reconcile.rules.rulesets import QUESTIONS, rule_set
from reconcile.scoring.statistics import Statistics, statistics

VARIABLE: Final = "RECONCILE_DATA"
KEPT: Final = Path(__file__).parents[1] / "measured.json"
DIGITS: Final = 9
SOURCE: Final = "https://github.com/kevung/gbf/tree/2872f37237b61c3cce8aadf517ede59282370166/data"
"""The repository (MIT) and commit that has these files."""
PLAY_ANSWERS: Final = ("xg-flag", "xg-spread", "gnubg", "blunderdb")
"""Answers of Q01 that are compared with XG's own flag."""
FILES: Final = {
    "charlot1-charlot2_7p_2025-11-08-2305.xg": "0bd93bbeb8cb3f84e4d2117a64736bfbce43ef61feddd664b651245bb6ea20b9",
    "charlot1-charlot2_7p_2025-11-08-2305.sgf": "2cdb0a48370f67acbb90b11742182249f969c05176574c9defa71f82857ed868",
    "match_with_comment.xg": "d78c4a85ebb3de39818c950710758a5e1bc8e745e6f762aa6ee59467d53697d4",
    "ronde1-UngerHarmand-FriebeJacobi-7pt.xg": "e13e2544e02e25638090eeef9f555e0fa3f9221d09d9a99f6220d20337c3fcba",
    "test.xg": "49b9de4a2c74a103a8637ee735161a25f3adba81a0fbe05f86cdd0518c9cee6c",
    "test.sgf": "0938393383a70362ceee20e165e218465dbce19e5bc16725530a2731642b7be4",
}
"""Name and SHA-256 of every public file that the documentation measures."""


def found() -> dict[str, Path]:
    """The files that are available with the right content."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return {}
    paths = {path.name: path for path in sorted(Path(folder).rglob("*")) if path.name in FILES}
    return {
        name: paths[name]
        for name, digest in FILES.items()
        if name in paths and _digest(paths[name]) == digest
    }


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def kept() -> dict[str, Any]:
    """The stored measurements, by file."""
    text_kept: dict[str, Any] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    return text_kept


@cache
def measured() -> dict[str, Any]:
    """The measurements by file: new ones for available files, stored ones for the others."""
    before = kept()
    again = {name: rounded(measure(name, path.read_bytes())) for name, path in found().items()}
    return {
        name: again.get(name, before.get(name)) for name in FILES if name in again or name in before
    }


def text() -> str:
    """The measurements in their stored form."""
    return json.dumps(measured(), indent=1, ensure_ascii=False) + "\n"


def rounded(value: Any) -> Any:
    """The same, rounded to the stored digits."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def measure(name: str, content: bytes) -> dict[str, Any]:
    """Everything the documentation says about one public file."""
    match = read_match(name, content)
    gnubg, xg = statistics(match, "gnubg"), statistics(match, "xg")
    covered = [gnubg.completeness(seat) for seat in (0, 1)]
    cube = [sum(number) for number in zip(*(astuple(one["cube"]) for one in covered), strict=True)]
    complete = all(one[part].complete for one in covered for part in ("checker", "cube"))
    moves = sum(int(gnubg.figures(seat)["moves.total"] or 0) for seat in (0, 1))
    players = []
    for seat, player in enumerate(match.players):
        theirs, ours = gnubg.figures(seat), xg.figures(seat)
        players.append(
            {
                "name": player,
                "error_rate_memg": theirs["error_rate_memg"],
                "snowie_memg": theirs["snowie_memg"],
                "pr": ours["pr"],
                "decisions_gnubg": theirs["decisions.counted"],
                "decisions_xg": ours["decisions.counted"],
                "moves_of_both": moves,
                "forced": theirs["moves.forced"],
                **_switched(match, seat),
            }
        )
    facts = {
        "complete_analysis": complete,
        "cube_expected": cube[0],
        "cube_analysed": cube[1],
        "players": players,
    }
    return facts | (
        _records(name, content, xg) if match.source.format == "xg" else _nodes(name, content)
    )


def _switched(match: Match, seat: int) -> dict[str, Any]:
    """Figures under single answers changed in rule set `xg`."""
    base = rule_set("xg")

    def figure(question: str, answer: str, metric: str) -> Any:
        return statistics(match, base.switched(question, answer)).figures(seat)[metric]

    return {
        "checker_decisions": {
            answer: figure("Q01", answer, "decisions.checker") for answer in PLAY_ANSWERS
        },
        "double_decisions": {
            answer: figure("Q03", answer, "decisions.double") for answer in QUESTIONS["Q03"].answers
        },
        "pr_by_losing_side": {
            answer: figure("Q03", answer, "pr") for answer in QUESTIONS["Q03"].answers
        },
        "checker_error": {
            answer: figure("Q06", answer, "equity_error.checker")
            for answer in ("stored", "max-candidate", "millipoint")
        },
    }


def _records(name: str, content: bytes, scored: Statistics) -> dict[str, Any]:
    """What the records of an `.xg` file hold."""
    blob = open_archive(name, content).read("temp.xg")
    types = np.frombuffer(blob, np.uint8)[records.TYPE_OFFSET :: records.RECORD_SIZE]
    cubes = np.frombuffer(blob, formats.layout("cube"))[types == records.CUBE]
    moves = np.frombuffer(blob, formats.layout("move"))[types == records.MOVE]
    flags, times = np.unique(cubes["verdict"], return_counts=True)
    scored_moves = moves["error"] > records.NOT_SCORED
    several = scored_moves & (moves["candidates"] > 1)
    equities = moves["evaluations"][:, :, 6]
    listed = np.arange(records.MOST_CANDIDATES) < moves["candidates"][:, None]
    higher = np.where(listed, equities, -np.inf).max(axis=1) > equities[:, 0]
    error = cubes["error"][np.abs(cubes["error"]) < -records.NOT_SCORED]
    return {
        "format": "xg",
        "flag_double": {
            str(flag): int(number)
            for flag, number in zip(flags.tolist(), times.tolist(), strict=True)
        },
        "moves": len(moves),
        "moves_scored": int(scored_moves.sum()),
        "moves_unplayed": int((moves["played"] == 0).sum()),
        "unplayed_without_score": int(((moves["played"] == 0) & ~scored_moves).sum()),
        "later_candidate_higher": int((several & higher).sum()),
        "with_candidates": int(several.sum()),
        "irrelevant_flag": int((scored_moves & (moves["irrelevant"] == 1)).sum()),
        "move_errors_positive": int((moves["error"][scored_moves] > 0).sum()),
        "cube_errors_negative": int((error < 0).sum()),
        "cube_errors": len(error),
        **_plays_as_pairs(scored.match, moves),
    }


def _plays_as_pairs(match: Match, moves: Any) -> dict[str, int]:
    """How many legal plays lead to the stored position if they are read as (from, to) pairs."""
    legal = np.flatnonzero(match.plays.validity == Validity.VALID)
    right = 0
    for row in legal.tolist():
        try:
            after = apply_play(match.plays.position[row].tolist(), match.plays.play[row])
        except ValueError:
            continue
        right += list(after) == moves["after"][row].tolist()
    return {"legal_plays": len(legal), "pairs_lead_to_position": right}


def _nodes(name: str, content: bytes) -> dict[str, Any]:
    """What the nodes of an SGF hold."""
    return {"format": "sgf", **forced_nodes(name, content)}


def forced_nodes(name: str, content: bytes) -> dict[str, int]:
    """How gnuBG wrote plays without a choice."""
    single = dances = rolls = 0
    for game in read_collection(name, content)[0]:
        for node in game:
            text = value(node, b"W") or value(node, b"B")
            if text[:1].isdigit():
                rolls += 1
                single += len(values(node, b"A")) == 2
                dances += len(text) == 2 and b"A" not in node
    return {"rolls": rolls, "one_entry_lists": single, "empty_moves_without_list": dances}

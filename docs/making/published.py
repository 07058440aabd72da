"""Errors in published descriptions: the record or line that proves each case, measured on bundled matches or public files."""

from __future__ import annotations

from typing import Final

import numpy as np

from docs.making import public
from docs.making.markdown import code, count, fenced, number, table
from docs.making.pack import Bundled, analysed_by_gnubg, scored
from reconcile.formats.gnubg.collection import read_collection, value, values
from reconcile.match.met.equity import chance_of, stakes
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import Statistics, statistics

DIFFERENT_SHOWN: Final = 3


def _reported(one: Bundled, seat: int) -> dict[str, float]:
    """The figures gnuBG itself printed for a player of a bundled match."""
    entry = one.reported
    if entry is None:
        return {}
    return {name: float(text) for name, text in entry.players[one.match.players[seat]].items()}


def _with_figures() -> list[Bundled]:
    return [one for one in analysed_by_gnubg() if one.reported]


def factor() -> str:
    """500 or 1000."""
    rows = []
    for one in _with_figures():
        for seat, player in enumerate(one.match.players):
            theirs = _reported(one, seat)
            error, decisions = theirs["equity_error.total"], int(theirs["decisions.counted"])
            rates = [number(scale * error / decisions, 4) for scale in (500, 1000)]
            rows.append(
                (
                    code(one.name),
                    player,
                    number(error, 6),
                    decisions,
                    *rates,
                    number(theirs["error_rate_memg"], 4),
                )
            )
    head = [
        "file",
        "player",
        "E, printed by gnuBG",
        "N, printed by gnuBG",
        "500 E / N",
        "1000 E / N",
        "rate printed by gnuBG",
    ]
    return table(head, rows, "llrrrrr")


def window() -> str:
    """Close no-doubles by gnuBG's code and by the published window."""
    rows, examples = [], []
    for one in _with_figures():
        ours = scored(one, "gnubg")
        other = statistics(one.match, rule_set("gnubg").switched("Q02", "window-0.16"))
        printed = sum(
            int(_reported(one, seat)["decisions.double"] + _reported(one, seat)["decisions.take"])
            for seat in (0, 1)
        )
        counted = [_close(side) for side in (ours, other)]
        rows.append((code(one.name), printed, *counted))
        examples += _examples(one, ours, other)
    head = [
        "file",
        "close or actual, printed by gnuBG",
        "by gnuBG's test",
        "by the window of ±0.16",
    ]
    shown = table(
        ["file", "game, turn", "player", "ND", "D/T", "D/P", "doubling is right by", "XGID"],
        examples[:DIFFERENT_SHOWN],
        "lllrrrrl",
    )
    return f"{table(head, rows, 'lrrr')}\n\n{_these(len(examples))}\n\n{shown}"


def _these(cases: int) -> str:
    if cases == 1:
        return "gnuBG counts this missed double, and the window drops it:"
    return f"gnuBG counts these missed doubles, and the window drops them ({cases} in all):"


def _close(side: Statistics) -> int:
    plays = len(side.match.plays)
    return int(side.scored.counted[plays : plays + len(side.match.cubes)].sum())


def _examples(one: Bundled, ours: Statistics, other: Statistics) -> list[tuple[object, ...]]:
    plays, cubes, view = len(one.match.plays), one.match.cubes, ours.scored.view
    here, there = (side.scored.counted[plays : plays + len(cubes)] for side in (ours, other))
    found: list[tuple[object, ...]] = []
    for row in np.flatnonzero(here & ~there).tolist():
        values = [
            float(column[row]) for column in (view.no_double, view.double_take, view.double_pass)
        ]
        place = f"{one.match.games.number[cubes.game[row]]}, {cubes.turn[row]}"
        gap = float(view.least[row]) - values[0]
        xgid = identifiers_of(one.match, plays + row)[0]
        found.append(
            (
                code(one.name),
                place,
                one.match.players[cubes.player[row]],
                *(number(x, 3) for x in values),
                number(gap, 3),
                code(xgid),
            )
        )
    return found


def conversion() -> str:
    """The image of an error compared with the difference of two images."""
    rows = []
    for one in _with_figures():
        for seat, player in enumerate(one.match.players):
            wrong, right = _losses(scored(one, "gnubg"), seat)
            printed = _reported(one, seat)["mwc_loss_percent.total"]
            rows.append(
                (code(one.name), player, number(wrong, 1), number(right, 4), number(printed, 4))
            )
    head = [
        "file",
        "player",
        "sum of eq2mwc(e), %",
        "sum of eq2mwc(e) − eq2mwc(0), %",
        "printed by gnuBG, %",
    ]
    return table(head, rows, "llrrr")


def _losses(side: Statistics, seat: int) -> tuple[float, float]:
    plays, cubes = side.match.plays, side.match.cubes
    result = side.scored
    rows = np.flatnonzero((result.player == seat) & (result.error != 0))
    cube = np.concatenate((plays.cube, cubes.cube, side.match.resignations.cube))
    at_stake = stakes(side.match, result.met, int(cube.max(initial=1)))
    win, lose = at_stake.of(result.game[rows], result.player[rows], cube[rows])
    image = chance_of(result.error[rows], win, lose)
    return 100 * float(image.sum()), 100 * float(result.loss[rows].sum())


def forced() -> str:
    """Plays without a choice as gnuBG writes them."""
    rows = []
    for one in analysed_by_gnubg():
        nodes = public.forced_nodes(one.name, one.match.source.content)
        moves, unforced = (
            sum(int(scored(one, "gnubg").figures(seat)[f"moves.{key}"] or 0) for seat in (0, 1))
            for key in ("total", "unforced")
        )
        printed = "–"
        if one.reported:
            printed = str(
                sum(
                    int(
                        _reported(one, seat)["moves.total"] - _reported(one, seat)["moves.unforced"]
                    )
                    for seat in (0, 1)
                )
            )
        rows.append(
            (
                code(one.name),
                moves,
                nodes["one_entry_lists"],
                nodes["empty_moves_without_list"],
                moves - unforced,
                printed,
            )
        )
    for name, kept in public.measured().items():
        if kept["format"] == "sgf":
            without = sum(player["forced"] for player in kept["players"])
            rows.append(
                (
                    code(name),
                    kept["rolls"],
                    kept["one_entry_lists"],
                    kept["empty_moves_without_list"],
                    without,
                    "–",
                )
            )
    head = [
        "file",
        "moves",
        "one-entry `A`",
        "empty, without `A`",
        "forced",
        "total − unforced, printed by gnuBG",
    ]
    return f"{table(head, rows, 'lrrrrr')}\n\n{_nodes(analysed_by_gnubg()[-1])}"


def _nodes(one: Bundled) -> str:
    """The first node of either kind in a bundled file, verbatim."""
    texts: dict[str, str] = {}
    for number_, game in enumerate(read_collection(one.name, one.match.source.content)[0], 1):
        for node in game:
            key = next((key for key in (b"W", b"B") if key in node), None)
            if key is None or not value(node, key)[:1].isdigit():
                continue
            head = f"{key.decode()}[{value(node, key).decode('ascii')}]"
            listed = values(node, b"A")
            if len(listed) == 2:
                entry = "".join(f"[{part.decode('ascii')}]" for part in listed)
                texts.setdefault("one legal play", f"game {number_}: ;{head} A{entry}")
            elif not listed and len(value(node, key)) == 2:
                texts.setdefault("no legal play", f"game {number_}: ;{head}")
    lines = [f"{what:<15} {text}" for what, text in texts.items()]
    return f"The first of either kind in {code(one.name)}, other properties of the node left out:\n\n{fenced(chr(10).join(lines))}"


def close_cubes() -> str:
    """Cube analysis in the files."""
    rows = []
    for one in analysed_by_gnubg():
        covered = [scored(one, "gnubg").completeness(seat)["cube"] for seat in (0, 1)]
        rows.append(
            (
                code(one.name),
                "analysed",
                sum(part.expected for part in covered),
                sum(part.analysed for part in covered),
            )
        )
    for name, kept in public.measured().items():
        if kept["format"] == "sgf":
            how = (
                "analysed"
                if kept["complete_analysis"]
                else "saved as played, without `analyse match`"
            )
            rows.append((code(name), how, kept["cube_expected"], kept["cube_analysed"]))
    return table(["file", "saved", "cube decisions", "with `DA`"], rows, "llrr")


def results() -> str:
    """The actual result in gnuBG."""
    rows = []
    for one in analysed_by_gnubg():
        figures = GnubgTable(scored(one, "gnubg"))
        for seat, player in enumerate(one.match.players):
            dice = figures.table(seat)["dice"]
            rows.append(
                (
                    code(one.name),
                    player,
                    number(100 * dice["actual-result"], 2),
                    number(100 * dice["luck-adjusted-result"], 2),
                )
            )
    return table(["file", "player", "actual result, %", "luck-adjusted result, %"], rows, "llrr")


def best_candidate() -> str:
    """The first candidate compared with the highest equity."""
    rows = []
    for name, kept in public.measured().items():
        if kept["format"] != "xg":
            continue
        for player in kept["players"]:
            error = player["checker_error"]
            rows.append(
                (
                    code(name),
                    player["name"],
                    *(number(error[key], 4) for key in ("stored", "max-candidate", "millipoint")),
                )
            )
    listed = table(
        ["file", "player", "stored by XG", "highest candidate", "rounded to 0.001"], rows, "llrrr"
    )
    cases = table(
        ["file", "plays with several candidates", "a later candidate shows a higher equity"],
        (
            (code(name), kept["with_candidates"], kept["later_candidate_higher"])
            for name, kept in public.measured().items()
            if kept["format"] == "xg"
        ),
        "lrr",
    )
    return f"{listed}\n\n{cases}"


def counting_rules() -> str:
    """Checker decisions by XG's flag and by the rules that replace it."""
    rows = [
        (
            code(name),
            player["name"],
            *(player["checker_decisions"][answer] for answer in public.PLAY_ANSWERS),
        )
        for name, kept in public.measured().items()
        if kept["format"] == "xg"
        for player in kept["players"]
    ]
    return table(
        [
            "file",
            "player",
            *(f"[{code(answer)}](questions/Q01.md#{answer})" for answer in public.PLAY_ANSWERS),
        ],
        rows,
        "llrrrr",
    )


def xg_records() -> str:
    """Errors in descriptions of the .xg format."""
    kept = {name: facts for name, facts in public.measured().items() if facts["format"] == "xg"}
    flags = sorted({int(flag) for facts in kept.values() for flag in facts["flag_double"]})
    first = table(
        [
            "file",
            "legal plays",
            "lead to the stored position as (from, to)",
            "rolled, not played",
            "of these without score",
        ],
        (
            (
                code(name),
                facts["legal_plays"],
                facts["pairs_lead_to_position"],
                facts["moves_unplayed"],
                facts["unplayed_without_score"],
            )
            for name, facts in kept.items()
        ),
        "lrrrr",
    )
    second = table(
        ["file", *(f"flag {flag}" for flag in flags)],
        (
            (code(name), *(facts["flag_double"].get(str(flag), 0) for flag in flags))
            for name, facts in kept.items()
        ),
        "l" + "r" * len(flags),
    )
    third = table(
        ["file", "checker errors > 0", "cube errors < 0", "cube errors in all"],
        (
            (
                code(name),
                facts["move_errors_positive"],
                facts["cube_errors_negative"],
                facts["cube_errors"],
            )
            for name, facts in kept.items()
        ),
        "lrrr",
    )
    return f"{first}\n\n{second}\n\n{third}"


def files() -> str:
    """The public files measured."""
    rows = [(code(name), code(digest)) for name, digest in public.FILES.items()]
    at = f"[kevung/gbf]({public.SOURCE})"
    listed = table(["file", "SHA-256"], rows)
    return f"{listed}\n\n{count(len(rows), 'file')} of {at} (MIT), at that commit; one of them is in a subfolder."

"""The figures in the tables, computed for many matches at once, are those that `stats` computes
for each; pooled ones are their sums."""

import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.corpus import rows, work
from reconcile.corpus.run import build
from reconcile.corpus.tables import Settings, column_of
from reconcile.formats import load_match
from reconcile.rules.rulesets import Q09, QUESTIONS, RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import Statistics, statistics
from tests.corpus.corpus_folder import every_row, make, table
from tests.support import data as real
from tests.support import small_bgf
from tests.support.archive import SGF, XG
from tests.support.examples import examples
from tests.support.long import long_but_first
from tests.support.small_sgf import ANN_31, BEN_31, root
from tests.support.small_transcripts import MONEY, SHORT
from tests.support.variants import variant

EVERY = tuple(RULE_SETS)
ALL = ["real", "bgblitz", "gnubg", "damaged"]


def check(folder, rules):
    """Compare every figure of a finished corpus with that of `stats`."""
    scored: dict[tuple[int, str], Statistics] = {}
    analyses = {row["match"] for row in table(folder, "analyses")}
    for row in table(folder, "matches"):
        match = load_match(row["file"])
        assert (row["player0"], row["length"], row["date"]) == (
            match.players[0],
            match.length,
            match.date,
        )
        if row["match"] in analyses:
            scored |= {(row["match"], name): statistics(match, name) for name in rules}
    for name in ("players", "games"):
        places = [
            (result, number, seat, game)
            for (number, _), result in scored.items()
            for seat in (0, 1)
            for game in (range(len(result.match.games)) if name == "games" else (None,))
        ]
        for row, (result, number, seat, game) in zip(table(folder, name), places, strict=True):
            of_game = None if game is None else result.match.games.number[game]
            assert (row["match"], row["seat"], row.get("game")) == (number, seat, of_game)
            compare(row, result, game)
    if len(rules) > 1:
        for row in table(folder, "questions"):
            compare_question(row, scored[row["match"], rules[0]], scored[row["match"], rules[1]])


def compare(row, result, game):
    seat, match = row["seat"], result.match
    assert (row["name"], row["rules"]) == (match.players[seat], result.rules.name)
    for name, expected in result.figures_at(seat, game).items():
        same(row[column_of(name)], expected, METRICS[name].is_whole, (name, row))
    for part, covered in result.completeness_at(seat, game).items():
        assert (row[f"{part}_expected"], row[f"{part}_analysed"]) == (
            covered.expected,
            covered.analysed,
        )
    both = result.sums.games["moves"].sum(axis=1)
    assert row["moves_both"] == (both.sum() if game is None else both[game])
    if game is not None:
        winner = int(match.games.winner[game])
        assert row["won"] == (
            None if winner < 0 else int(match.games.points[game]) * (winner == seat)
        )
    total = row["equity_error_total"]
    factor = result.rules.value(Q09) if match.length == 1 else 1
    same(row["rated_error"], None if total is None else total * factor, False, row)


def compare_question(row, left, right):
    code, seat = row["question"], row["seat"]
    assert QUESTIONS[code].is_varied
    assert (row["from"], row["to"]) == (left.rules.answers[code], right.rules.answers[code])
    changed = statistics(left.match, left.rules.switched(code, row["to"]), left.scored.met).figures(
        seat
    )
    before = left.figures(seat)
    counts = before["decisions.counted"], changed["decisions.counted"]
    assert row["decisions"] == (None if None in counts else (counts[1] or 0) - (counts[0] or 0))
    rated = before["pr"] is not None and changed["pr"] is not None
    same(row["pr"], (changed["pr"] or 0) - (before["pr"] or 0) if rated else None, False, row)


def same(actual, expected, is_whole, place):
    if is_whole or expected is None or actual is None:
        assert actual == expected, place
    else:
        assert actual == pytest.approx(expected, rel=1e-12, abs=1e-12), place


def test_figures_of_every_rule_set_are_those_of_stats(archive, tmp_path):
    (archive / "a.mat").write_text(SHORT)
    (archive / "money.mat").write_text(MONEY + "  1) 31: 8/5 6/5                  64: 24/14\n")
    (archive / "a.bgf").write_bytes(small_bgf.written(small_bgf.match()))
    (archive / "money.bgf").write_bytes(
        small_bgf.written(
            small_bgf.match(small_bgf.game(small_bgf.first_game(money=True)), length=0)
        )
    )
    for length in (1, 5):
        (archive / f"{length}.sgf").write_text(f"{root(length=length)}{ANN_31}{BEN_31})")
    make(archive, tmp_path / "out", Settings(EVERY))
    check(tmp_path / "out", EVERY)


@pytest.mark.parametrize(
    ("first", "folders"), long_but_first([("xg", ["bgblitz"]), ("xg", ALL), ("bgblitz", ALL)], 0, 1)
)
def test_they_are_in_all_real_files(first, folders, tmp_path):
    if not real.FOLDER.is_dir():
        pytest.skip(real.ABSENT)
    rules = (first, *(name for name in reversed(EVERY) if name != first))
    build([str(real.FOLDER / name) for name in folders], tmp_path / "out", Settings(rules), jobs=1)
    assert len(table(tmp_path / "out", "matches")) > 15 * len(folders)
    check(tmp_path / "out", rules)


def every_file(folder):
    """Small matches of all kinds, that no two of which can be scored together, and some that
    can."""
    folder.mkdir()
    (folder / "a.mat").write_text(SHORT)
    (folder / "b.bgf").write_bytes(small_bgf.written(small_bgf.match()))
    (folder / "c.bgf").write_bytes(small_bgf.written(small_bgf.match(length=5)))
    for length in (0, 1, 5, 7):
        (folder / f"{length}.sgf").write_text(f"{root(length=length)}{ANN_31}{BEN_31})")
    for seed in range(3):
        (folder / f"v{seed}.xg").write_bytes(variant(XG.read_bytes(), seed))
        (folder / f"v{seed}.sgf").write_bytes(variant(SGF.read_bytes(), seed))


@pytest.mark.long
@given(waiting=st.sampled_from((0, 1 << 12, 1 << 17, 1 << 20, 1 << 30)), batch=st.integers(1, 40))
@settings(max_examples=examples(5))
def test_rows_depend_neither_on_what_is_scored_together_nor_on_batches(
    waiting, batch, tmp_path_factory
):
    folder = tmp_path_factory.getbasetemp() / "alike"
    if not folder.exists():
        folder.mkdir()
        every_file(folder / "in")
        make(folder / "in", folder / "usual", Settings(EVERY))
    shutil.rmtree(folder / "other", ignore_errors=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "MOST_WAITING", waiting)
        patch.setattr("reconcile.corpus.run.BATCH", batch)
        make(folder / "in", folder / "other", Settings(EVERY))
    assert every_row(folder / "usual") == every_row(folder / "other")


def test_key_of_a_decision_is_by_the_rules_of_its_own_session(tmp_path):
    """With Jacoby and without, whether they are scored together or alone."""
    keys = []
    for number, names in enumerate((("a-on", "b-off"), ("on",), ("off",))):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in names:
            jacoby = name.rpartition("-")[2].title()
            text = MONEY.replace('[Jacoby "On"]', f'[Jacoby "{jacoby}"]')
            text += "  1) 31: 8/5 6/5                  64: 24/14\n"
            (folder / f"{name}.mat").write_text(text)
        make(folder, folder / "out")
        file_of = {row["match"]: row["file"] for row in table(folder / "out", "matches")}
        own: dict[str, set[int]] = {"on": set(), "off": set()}
        for row in table(folder / "out", "decisions"):
            own["on" if "on.mat" in file_of[row["match"]] else "off"].add(row["key"])
        keys.append(own)
    assert keys[0] == {"on": keys[1]["on"], "off": keys[2]["off"]}
    assert not keys[0]["on"] & keys[0]["off"]


def test_what_was_scored_before_or_beside_a_failure_is_there_once(tmp_path, monkeypatch):
    """Files of two kinds are scored one after the other; of the second kind one fails."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.sgf").write_bytes(SGF.read_bytes())
    (folder / "c.xg").write_bytes(variant(XG.read_bytes(), 1))
    make(folder, tmp_path / "alone")
    (folder / "b.xg").write_bytes(XG.read_bytes())
    decisions = rows._Rows.decisions

    def failing(group):
        if any(match.source.path.endswith("b.xg") for match in group.each):
            raise ValueError("no rows")
        return decisions(group)

    monkeypatch.setattr(rows._Rows, "decisions", failing)
    make(folder, tmp_path / "out")
    (error,) = [row["error"] for row in table(tmp_path / "out", "files") if row["error"]]
    assert "please report it: ValueError: no rows" in error
    for name in ("matches", "players", "games", "questions", "decisions"):
        assert table(tmp_path / "out", name) == table(tmp_path / "alone", name)

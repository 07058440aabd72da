"""The tolerance file: every way of getting it wrong is one line that names file, line and key."""

import re

import pytest

from reconcile.errors import InvalidConfiguration, UnknownName
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.walk import SHARES
from reconcile.scoring.figures import METRICS
from tests.support.tables import beside, cases_of
from tests.support.tolerance_files import KNOWN, OVERRIDE, TABLES, bounds, of_pr

SOUND = '{abs: 0.1, level: error, reason: "r", source: "s"}'
GOOD = f"schema_version: 1\ntables:\n  one:\n    title: t\n    entries:\n      pr: {SOUND}\n"
BAD = beside(__file__)["bad_exception_is_refused_with_line_and_key"]


def entry(text, name="pr"):
    """The sound file with another entry."""
    return GOOD.replace(f"pr: {SOUND}", f"{name}: {text}")


def refused(path, text):
    """The message for a file with this text."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InvalidConfiguration) as caught:
        load_tolerances(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message.removeprefix(str(path))


def read(written, text):
    written.write_text(text)
    return load_tolerances(written)


# -- what is read ----------------------------------------------------------------------------------


def test_a_good_file_is_read_and_a_mapping_says_the_same(written):
    tolerances = read(written, GOOD)
    tolerance = tolerances.table("one").of("pr")
    assert tolerance is not None
    assert (tolerance.bound(9.0), tolerance.level) == (0.1, "error")
    assert Tolerances.from_mapping(of_pr(abs=0.1)) == tolerances
    assert Tolerances.from_mapping({"schema_version": 1, "extends": "bundled"}) == load_tolerances()


def test_bundled_file_has_the_documented_bounds_and_makes_no_exceptions():
    bundled = load_tolerances()
    entries = bundled.table("documented").entries
    assert {name: bound.abs for name, bound in entries.items()} == {
        "pr": 0.10,
        "mwc_loss_percent.total": 1.0,
        "snowie_er": 0.50,
    }
    assert (bundled.overrides, bundled.known_gaps) == ((), ())
    for name in ("figures", "counts-exact", "printed"):
        every = bundled.table(name).entries
        assert set(every) == set(METRICS)
        assert {bound.level for bound in every.values()} == {"error"}


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("decisions", "decisions.counted"),
        *((f"equity_error@{share}", f"equity_error.total@{share}") for share in SHARES),
    ],
)
def test_short_names_mean_the_total_and_a_share_can_be_bounded(written, name, full):
    assert list(read(written, entry(SOUND, name)).table("one").entries) == [full]


def test_off_is_a_word_and_a_date_is_text(written):
    text = '{abs: 1e-4, level: off, reason: "r", source: "s", measured: 2026-11-21}'
    tolerance = read(written, entry(text)).table("one").of("pr")
    assert tolerance is not None
    assert (tolerance.abs, tolerance.level, tolerance.measured) == (0.0001, "off", "2026-11-21")


def test_beginning_of_a_name_bounds_every_figure_that_has_no_entry_of_its_own():
    table = bounds("error", {"decisions": 1, "*": 4, "decisions.*": 2, "pr": 3}).table("documented")
    assert set(table.entries) == set(METRICS)
    expected = {"decisions.counted": 1, "decisions.take": 2, "pr": 3, "luck.equity": 4}
    assert {name: table.entries[name].abs for name in expected} == expected


def test_file_that_extends_the_bundled_one_has_its_tables_too(written):
    exception = OVERRIDE.replace("table: documented", "table: xg-reported")
    tolerances = read(written, "schema_version: 1\nextends: bundled\n" + exception)
    assert tolerances.tables == load_tolerances().tables
    assert len(tolerances.overrides) == 1
    tolerances = read(written, TABLES.replace("tables:", "extends: bundled\ntables:"))
    assert tolerances.table("documented").entries.keys() == {"pr", "decisions.counted", "pr@engine"}
    assert tolerances.table("xg-reported") == load_tolerances().table("xg-reported")


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    cases_of(__file__, "bad_entry_is_refused_with_file_line_and_key"),
)
def test_bad_entry_is_refused_with_file_line_and_key(written, name, old, new, words):
    message = refused(written, entry(SOUND.replace(old, new, 1), name))
    # A name among the entries has the line of `entries`, everything else its own.
    assert int(message.split(":")[1]) in (5, 6)
    assert "one" in message
    assert words in message


@pytest.mark.parametrize(
    ("text", "old", "new", "key", "words"),
    [(text, *row) for text in (OVERRIDE, KNOWN) for row in BAD[text.partition(":")[0]]],
)
def test_bad_exception_is_refused_with_line_and_key(written, text, old, new, key, words):
    message = refused(written, TABLES + text.replace(old, new))
    where = text.partition(":")[0] + ".0" + f".{key}" * bool(key)
    assert message.startswith(f":{len(TABLES.splitlines()) + 2}: {where}: ")
    assert words in message


@pytest.mark.parametrize(
    ("start", "old", "new", "words"),
    cases_of(__file__, "file_that_says_something_else_or_twice_is_refused_in_one_line"),
)
def test_file_that_says_something_else_or_twice_is_refused_in_one_line(
    written, start, old, new, words
):
    text = {"good": GOOD, "tables": TABLES + OVERRIDE}.get(start, start)
    assert words in refused(written, text.replace(old, new, 1) if old else text + new)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe\x00", "correct the file"),
        (b"title: \xe9\n", "correct the file"),
        (b"a: " + b"[" * 1000, "correct the file"),
        (b"#" * (256 * 2**10 + 1), "at most 256 KB"),
    ],
    ids=["no text", "not UTF-8", "deep", "large"],
)
def test_file_that_is_none_is_refused(written, content, words):
    assert words in refused(written, content)


@pytest.mark.parametrize("tag", cases_of(__file__, "hostile_tags_are_refused_and_run_nothing"))
def test_hostile_tags_are_refused_and_run_nothing(written, tmp_path, tag):
    marker = tmp_path / "marker"
    refused(written, GOOD.replace("title: t", f"title: {tag.format(marker=marker)}"))
    assert not marker.exists()


def test_missing_file_folder_and_table_are_refused(tmp_path):
    for path, why in ((tmp_path / "absent.yaml", "no such file"), (tmp_path, "is a directory")):
        with pytest.raises(InvalidConfiguration, match=why):
            load_tolerances(path)
    message = r"'documentd' .did you mean documented.., expected one of documented"
    with pytest.raises(UnknownName, match=message):
        load_tolerances().table("documentd")


@pytest.mark.parametrize(
    ("keys", "message"),
    cases_of(__file__, "mapping_is_refused_with_the_keys_that_lead_to_the_mistake"),
)
def test_mapping_is_refused_with_the_keys_that_lead_to_the_mistake(keys, message):
    words = f"^tolerances: tables.one.entries.pr{re.escape(message)}; correct it$"
    with pytest.raises(InvalidConfiguration, match=words):
        Tolerances.from_mapping(of_pr(**keys))
    with pytest.raises(InvalidConfiguration, match="schema_version: expected this key, found none"):
        Tolerances.from_mapping({})

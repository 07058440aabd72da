"""The tolerance file: every way of getting it wrong is one line that names file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration, UnknownName
from reconcile.gap.bridge import SHARES
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.scoring.metrics import METRICS
from tests.support.tolerance_files import GOOD, OVERRIDE, TABLES, entry, refused


def test_a_good_file_is_read(written: Path) -> None:
    written.write_text(GOOD)
    tolerance = load_tolerances(written).table("one").of("pr")
    assert tolerance is not None
    assert (tolerance.bound(9.0), tolerance.level) == (0.1, "error")


def test_bundled_file_has_the_documented_bounds() -> None:
    table = load_tolerances().table("documented")
    bounds = {name: tolerance.abs for name, tolerance in table.entries.items()}
    assert bounds == {"pr": 0.10, "mwc_loss_percent.total": 1.0, "snowie_er": 0.50}


def test_short_names_mean_the_total(written: Path) -> None:
    written.write_text(entry('{abs: 5, level: warn, reason: "r", source: "s"}', "decisions"))
    assert list(load_tolerances(written).table("one").entries) == ["decisions.counted"]


@pytest.mark.parametrize("share", SHARES)
def test_a_share_of_a_figure_can_be_bounded(written: Path, share: str) -> None:
    written.write_text(
        entry('{abs: 5, level: warn, reason: "r", source: "s"}', f"equity_error@{share}")
    )
    assert list(load_tolerances(written).table("one").entries) == [f"equity_error.total@{share}"]


def test_off_is_a_word_and_a_date_is_text(written: Path) -> None:
    written.write_text(
        entry('{abs: 1e-4, level: off, reason: "r", source: "s", measured: 2026-11-21}')
    )
    tolerance = load_tolerances(written).table("one").of("pr")
    assert tolerance is not None
    assert (tolerance.abs, tolerance.level, tolerance.measured) == (0.0001, "off", "2026-11-21")


def test_beginning_of_a_name_bounds_every_figure_that_has_no_entry_of_its_own() -> None:
    def one(bound: float) -> dict[str, object]:
        return {"abs": bound, "level": "error", "reason": "r", "source": "s"}

    entries = {"decisions": one(1), "*": one(4), "decisions.*": one(2), "pr": one(3)}
    table = Tolerances.from_mapping(
        {"schema_version": 1, "tables": {"one": {"title": "t", "entries": entries}}}
    ).table("one")
    assert set(table.entries) == set(METRICS)
    found = {
        name: table.entries[name].abs
        for name in ("decisions.counted", "decisions.take", "pr", "luck.equity")
    }
    assert found == {"decisions.counted": 1, "decisions.take": 2, "pr": 3, "luck.equity": 4}


@pytest.mark.parametrize("name", ["figures", "counts-exact", "printed"])
def test_table_for_everything_bounds_every_figure(name: str) -> None:
    entries = load_tolerances().table(name).entries
    assert set(entries) == set(METRICS)
    assert {entry.level for entry in entries.values()} == {"error"}


LINE = 6
"""Line of the one entry in GOOD."""


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "prr", "unknown metric 'prr'"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "PR", "unknown metric 'PR'"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "pr@motor", "unknown share 'motor'"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "pr@", "unknown share"),
        (
            '{abs: 0.1, level: error, reason: "r", source: "s"}',
            "decision.*",
            "no metric begins with 'decision.'",
        ),
        (
            '{within: printed, level: error, reason: "r", source: "s"}',
            "pr@rules",
            "nobody prints a share",
        ),
        (
            '{within: printed, abs: 0, level: error, reason: "r", source: "s"}',
            "pr",
            "expected one of abs, rel and within",
        ),
        ('{within: shown, level: error, reason: "r", source: "s"}', "pr", "printed"),
        (
            '{abs: 0.1, level: error, reason: "r", source: "s"}',
            "pr.total",
            "unknown metric 'pr.total'",
        ),
        (
            '{abs: 0.1, rel: 0.1, level: error, reason: "r", source: "s"}',
            "pr",
            "expected one of abs, rel and within",
        ),
        ('{level: error, reason: "r", source: "s"}', "pr", "expected one of abs, rel and within"),
        ('{abs: -0.1, level: error, reason: "r", source: "s"}', "pr", "greater than or equal to 0"),
        ('{rel: -0.1, level: error, reason: "r", source: "s"}', "pr", "greater than or equal to 0"),
        ('{abs: .nan, level: error, reason: "r", source: "s"}', "pr", "finite"),
        ('{abs: .inf, level: error, reason: "r", source: "s"}', "pr", "finite"),
        ('{abs: "much", level: error, reason: "r", source: "s"}', "pr", "number"),
        ('{abs: 0.1, level: fatal, reason: "r", source: "s"}', "pr", "'error', 'warn' or 'off'"),
        ('{abs: 0.1, level: false, reason: "r", source: "s"}', "pr", "level"),
        ('{abs: 0.1, level: error, source: "s"}', "pr", "reason"),
        ('{abs: 0.1, level: error, reason: "", source: "s"}', "pr", "reason"),
        ('{abs: 0.1, level: error, reason: "r"}', "pr", "source"),
        ('{abs: 0.1, level: error, reason: "r", source: "s", absolute: 2}', "pr", "absolute"),
    ],
)
def test_bad_entry_is_refused_with_file_line_and_key(
    written: Path, text: str, name: str, said: str
) -> None:
    message = refused(written, entry(text, name))
    line = int(message.split(":")[1])
    # A name among the entries is told with the line of `entries`, everything else with its own.
    assert line in (LINE, LINE - 1)
    assert "one" in message
    assert said in message


def test_unknown_keys_are_refused_at_every_depth(written: Path) -> None:
    assert ":1: surprise" in refused(written, "surprise: 1\n" + GOOD)
    assert ":6: tables.one.surprise" in refused(
        written,
        GOOD.replace("    entries:", "    surprise: 1\n    entries:").replace("t\n", "t\n\n", 1),
    )


def test_metric_under_two_names_is_bounded_twice(written: Path) -> None:
    more = '      decisions: {abs: 1, level: error, reason: "r", source: "s"}\n'
    assert "bounded twice" in refused(
        written, GOOD + more + more.replace("decisions", "decisions.counted")
    )


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD + GOOD.splitlines(keepends=True)[-1], 7, "'pr' is given twice"),
        (
            GOOD.replace("    title: t\n", "    title: t\n    title: u\n"),
            5,
            "'title' is given twice",
        ),
        (GOOD + "  one:\n    title: t\n    entries: {}\n", 7, "'one' is given twice"),
        (
            GOOD.replace("{abs: 0.1", "&x {abs: 0.1") + "      snowie_er: *x\n",
            7,
            "aliases are not allowed",
        ),
    ],
)
def test_duplicates_and_aliases_are_refused_with_their_line(
    written: Path, text: str, line: int, said: str
) -> None:
    message = refused(written, text)
    assert message.startswith(f":{line}: ")
    assert said in message


def test_merge_key_is_no_way_round(written: Path) -> None:
    refused(
        written,
        GOOD
        + "      snowie_er:\n        <<: {abs: 0.1, level: error}\n        reason: r\n        sauce: s\n",
    )


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['touch {marker}']",
        "!!python/object/new:os.system ['touch {marker}']",
        "!!python/name:os.system",
        "!!python/module:os",
        "!include /etc/passwd",
        "!!binary notbase64!",
        "!!timestamp nonsense",
        "!!int nonsense",
        "!!set {{a, b}}",
        "!!str t",
        "! t",
    ],
)
def test_hostile_tags_are_refused_and_run_nothing(written: Path, tmp_path: Path, tag: str) -> None:
    marker = tmp_path / "marker"
    refused(written, GOOD.replace("title: t", f"title: {tag.format(marker=marker)}"))
    assert not marker.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file"),
        ("# only a comment\n", "the file"),
        ("[]", "the file"),
        ("42", "the file"),
        ("just words", "the file"),
        ("schema_version: 2\ntables: {}", "schema_version"),
        ("schema_version: 1\ntables: {}", "tables"),
        ("schema_version: 1", "tables"),
        ("tables:\n  one", "correct the file"),
        ("a: b: c", "correct the file"),
        ("a:\n\t- b", "correct the file"),
        (b"\xff\xfe\x00", "correct the file"),
        (b"title: \xe9\n", "correct the file"),
        ("a: " + "[" * 1000, "correct the file"),
        ("? [a, b]\n: 1\n", "correct the file"),
        ("? {a: b}\n: 1\n", "correct the file"),
        ("---\nschema_version: 1\n---\nschema_version: 1\n", "correct the file"),
        ("1: 2\nnull: 3\n", "correct the file"),
    ],
)
def test_file_that_is_no_tolerance_file_is_refused_in_one_line(
    written: Path, text: str | bytes, said: str
) -> None:
    assert said in refused(written, text)


def test_huge_file_is_not_parsed(written: Path) -> None:
    assert "at most 256 KB" in refused(written, b"#" * (256 * 2**10 + 1))


def test_missing_file_and_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfiguration, match="no such file"):
        load_tolerances(tmp_path / "absent.yaml")
    with pytest.raises(InvalidConfiguration, match="is a directory"):
        load_tolerances(tmp_path)


def test_unknown_table_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        UnknownName,
        match=r"no table of tolerances 'documentd' .did you mean documented.., expected one of documented",
    ):
        load_tolerances().table("documentd")


def test_share_of_a_figure_without_a_bridge_is_refused(written: Path) -> None:
    for name in ("moves.total@engine", "luck@engine"):
        message = refused(written, entry('{abs: 5, level: warn, reason: "r", source: "s"}', name))
        assert f"{name.partition('@')[0]} has no bridge whose shares could be bounded" in message


def test_file_that_extends_the_bundled_one_has_its_tables_too(written: Path) -> None:
    known = OVERRIDE.replace("table: documented", "table: xg-reported")
    written.write_text("schema_version: 1\nextends: bundled\n" + known)
    tolerances = load_tolerances(written)
    assert tolerances.tables == load_tolerances().tables
    assert len(tolerances.overrides) == 1
    written.write_text(TABLES.replace("tables:", "extends: bundled\ntables:"))
    tolerances = load_tolerances(written)
    assert tolerances.table("documented").entries.keys() == {"pr", "decisions.counted", "pr@engine"}
    assert tolerances.table("xg-reported") == load_tolerances().table("xg-reported")
    assert "extends" in refused(written, TABLES.replace("tables:", "extends: other.yaml\ntables:"))
    assert "tables" in refused(written, "schema_version: 1\n")


def mapping(**keys: object) -> dict[str, object]:
    """What a file with one entry says, with other keys in that entry."""
    entry = {"level": "error", "reason": "r", "source": "s"} | keys
    return {"schema_version": 1, "tables": {"one": {"title": "t", "entries": {"pr": entry}}}}


def test_mapping_says_the_same_as_the_file(written: Path) -> None:
    written.write_text(GOOD)
    assert Tolerances.from_mapping(mapping(abs=0.1)) == load_tolerances(written)
    assert Tolerances.from_mapping({"schema_version": 1, "extends": "bundled"}) == load_tolerances()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"abs": 0.1, "rel": 0.1},
            "tolerances: tables.one.entries.pr: expected one of abs, rel and within; correct it",
        ),
        (
            {"abs": -1},
            "tolerances: tables.one.entries.pr.abs: expected a number greater than or equal to 0, found -1; correct it",
        ),
        (
            {"abs": float("nan")},
            "tolerances: tables.one.entries.pr.abs: expected a finite number, found nan; correct it",
        ),
        (
            {"abs": float("inf")},
            "tolerances: tables.one.entries.pr.abs: expected a finite number, found inf; correct it",
        ),
        (
            {"abs": 1, "bas": 1},
            "tolerances: tables.one.entries.pr.bas: no such key is known here, found 1; correct it",
        ),
    ],
)
def test_mapping_is_refused_with_the_keys_that_lead_to_the_mistake(
    keys: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        Tolerances.from_mapping(mapping(**keys))
    assert str(caught.value) == message


def test_mapping_that_is_empty_is_refused_as_a_whole() -> None:
    with pytest.raises(
        InvalidConfiguration,
        match=r"^tolerances: schema_version: expected this key, found none; correct it$",
    ):
        Tolerances.from_mapping({})


def test_tolerances_are_plain_values() -> None:
    assert [
        name
        for name in dir(Tolerances)
        if name.startswith("model_") or name in ("json", "dict", "copy")
    ] == []

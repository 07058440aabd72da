"""Commands and options under the names that they had before 1.0: the same result, and a line that names the new form."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
import pytest

from reconcile import cli
from reconcile.cli.common import Grouped
from tests.support.command_line import ERROR, PACK, SGF, WITHIN, XG, run

pytestmark = pytest.mark.usefixtures("elsewhere")

MATCH: Final = str(PACK / "gnubg-3pt-2ply")
RUNS: Final = [
    (("measure", MATCH, "--json", "-"), ("validate", "--measure", MATCH, "--json", "-")),
    (("rules",), ("explain", "--rules")),
    (("rules", "gnubg"), ("explain", "--rules", "gnubg")),
]
LONG: Final = [name for name in cli.COMMANDS if isinstance(cli.command(name), Grouped)]


def new_name(old: str) -> str:
    return f"reconcile: `reconcile {old}` is now `reconcile {' '.join(cli.RENAMED[old])}`; the old name keeps working\n"


@pytest.mark.parametrize(("old", "new"), RUNS)
def test_old_name_gives_the_same_and_names_the_new_one_on_standard_error(
    old: tuple[str, ...], new: tuple[str, ...]
) -> None:
    was, now = run(*old), run(*new)
    assert (was.exit_code, was.stdout) == (now.exit_code, now.stdout) == (WITHIN, now.stdout)
    assert now.stdout
    assert was.stderr == now.stderr + new_name(old[0])


def test_quiet_run_under_an_old_name_says_nothing() -> None:
    assert run("measure", MATCH, "--json", "m.json", "--quiet").stderr == ""


@pytest.mark.parametrize("old", cli.RENAMED)
def test_refused_run_under_an_old_name_has_its_one_line_only(old: str) -> None:
    for words in ((old, "--no-such-option"), (old, "--", "")):
        refused = run(*words)
        assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (ERROR, "", 1)
        assert "old name" not in refused.stderr


@pytest.mark.parametrize("old", cli.RENAMED)
def test_old_name_is_not_in_the_help_but_has_one(old: str) -> None:
    assert f"\n  {old} " not in run("--help").stdout
    command, option = cli.RENAMED[old]
    shown = run(old, "--help")
    assert shown.stdout == run(command, "--help").stdout
    assert option in shown.stdout
    assert shown.stderr == new_name(old)


def test_positions_are_the_ledger_as_text_and_hidden() -> None:
    old, new = (
        run("compare", XG, SGF, "--positions", "old.txt"),
        run("compare", XG, SGF, "--ledger", "new.txt"),
    )
    assert Path("old.txt").read_bytes() == Path("new.txt").read_bytes()
    assert (old.exit_code, old.stdout) == (new.exit_code, new.stdout)
    assert (
        old.stderr.splitlines()[-1]
        == "reconcile: `--positions FILE` is now `--ledger FILE.txt`; the old name keeps working"
    )
    assert "--positions" not in run("compare", "--help").stdout
    assert run("compare", XG, SGF, "--positions", "old.txt", "--quiet").stderr == ""
    assert (
        run("compare", XG, SGF, "--positions", "-", "--quiet").stdout.encode()
        == Path("new.txt").read_bytes()
    )


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        *(
            (("validate", "--measure", *option), option[0])
            for option in (("--strict",), ("--html", "x"), ("--exit-zero",), ("--junit", "x"))
        ),
        (("validate", "--yaml", "x"), "--yaml"),
        *(
            (("analyse", SGF, "--check", *one), one[0])
            for one in (("--plies", "2"), ("--engine", "gnubg"), ("--no-cache",))
        ),
        (("analyse", SGF, "--check", "-o", "x.sgf"), "--output"),
        (("analyse", SGF, "-o", "x.sgf", "--json", "x"), "--json"),
        (("analyse", SGF), "-o"),
    ],
)
def test_option_of_the_other_task_is_refused(words: tuple[str, ...], wrong: str) -> None:
    refused = run(*words)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (ERROR, "", 1)
    assert wrong in refused.stderr
    assert not Path("x").exists()


@pytest.mark.parametrize("name", LONG)
def test_every_option_of_a_long_command_is_in_one_group_of_its_help(name: str) -> None:
    command = cli.command(name)
    assert isinstance(command, Grouped)
    context = click.Context(
        command, info_name=name, parent=click.Context(cli.main, **cli.main.context_settings)
    )
    shown = [
        max(one.opts, key=len)
        for one in command.get_params(context)
        if isinstance(one, click.Option) and not one.hidden
    ]
    assert sorted(
        option for options in command.groups.values() for option in options.split()
    ) == sorted(shown)


def test_commands_with_many_options_have_groups() -> None:
    assert set(LONG) >= {"compare", "validate", "stats"}

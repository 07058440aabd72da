"""Options of one task of a command are refused for another, and every option is in one group of the
help."""

from pathlib import Path

import click
import pytest

from reconcile import cli
from reconcile.cli.common import Grouped
from tests.support.command_line import ERROR, SGF, run

pytestmark = pytest.mark.usefixtures("elsewhere")

LONG = [name for name in cli.COMMANDS if isinstance(cli.command(name), Grouped)]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        *(
            (("validate", "--measure", *option), option[0])
            for option in (("--strict",), ("--html", "x"), ("--exit-zero",), ("--junit", "x"))
        ),
        (("validate", "--yaml", "x"), "--yaml"),
        (("analyse", SGF), "-o"),
    ],
)
def test_option_of_the_other_task_is_refused(words, wrong):
    refused = run(*words)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (ERROR, "", 1)
    assert wrong in refused.stderr
    assert not Path("x").exists()


@pytest.mark.parametrize("name", LONG)
def test_every_option_of_a_long_command_is_in_one_group_of_its_help(name):
    command = cli.command(name)
    assert isinstance(command, Grouped)
    context = click.Context(
        command, info_name=name, parent=click.Context(cli.main, **cli.main.context_settings)
    )
    shown = [
        max(each.opts, key=len)
        for each in command.get_params(context)
        if isinstance(each, click.Option) and not each.hidden
    ]
    assert sorted(
        option for options in command.groups.values() for option in options.split()
    ) == sorted(shown)


def test_commands_with_many_options_have_groups():
    assert set(LONG) >= {"compare", "validate", "stats"}

"""Every option is in one group of the help."""

import click
import pytest

from reconcile import cli
from reconcile.cli.common import Grouped

LONG = [name for name in cli.COMMANDS if isinstance(cli.command(name), Grouped)]


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

"""`reconcile probe`."""

from __future__ import annotations

import click

from reconcile.cli.common import candidate_timeout, progress
from reconcile.cli.outputs import HTML, JSON, Form, Outputs, writes


@click.command()
@click.option(
    "--candidate-command",
    "command",
    required=True,
    metavar="CMD",
    help="Command to run for every synthetic match, without a shell; {file} is the match.",
)
@candidate_timeout
@click.option(
    "--format", "form", type=click.Choice(["xg", "sgf"]), default="xg", show_default=True, help="Format of the matches that it reads."
)
@click.option("--program", metavar="NAME", help="Name of the program in the outputs (default: the first word of the command).")
@click.option("--no-borders", is_flag=True, help="Do not look for the numbers at which figures change: a third of the runs remain.")
@writes(Form("rules", "Write the answers as a YAML file of rules, for --rules of any command.", short="-o"), JSON, HTML)
def probe(command: str, timeout: float, form: str, program: str | None, no_borders: bool, outputs: Outputs) -> None:
    """Find the rules that a program follows: its figures of synthetic matches in which every answer gives other figures.

    The command prints the figures of a match in any form that `reconcile validate` reads with `--candidate-command`.

    Example: reconcile probe --candidate-command 'prog stats {file}' -o rules.yaml
    """
    from dataclasses import replace

    from reconcile.files.wording import one_line
    from reconcile.probe.documents import probe_document, rules_yaml
    from reconcile.probe.probe import probe as probe_program
    from reconcile.report.html.probe import probe_page
    from reconcile.report.text.probe import probe_text
    from reconcile.results.documents import dumps

    with progress(quiet=outputs.quiet) as show:
        result = probe_program(command, form=form, timeout=timeout, borders=not no_borders, progress=show)
    result = replace(result, program=one_line(program or result.program).strip() or "program")
    outputs.write(
        {
            "rules": lambda: rules_yaml(result),
            "json": lambda: dumps(probe_document(result)),
            "html": lambda: probe_page(result),
        },
        lambda: probe_text(result),
    )

"""`reconcile init`."""

from __future__ import annotations

import click

from reconcile.cli.streams import echo


@click.command()
@click.argument("folder", metavar="[DIR]", default=".")
def init(folder: str) -> None:
    """Write what a repository needs to judge your own program: a pack with one match, tolerances, a stub, and jobs for CI services.

    DIR is the top folder of the repository (default: this one). The stub runs at once and prints zeros, so that the first run is red;
    replace what is marked TODO in it. A file that is there already is never overwritten: then nothing is written.

    Example: reconcile init my-repository
    """
    import shlex
    from pathlib import Path

    from reconcile.files.output import write_all
    from reconcile.gate.starter import next_command, outputs, started

    files = started()
    write_all(outputs(Path(folder), files))
    width = max(len(file.name) for file in files)
    for file in files:
        echo(f"wrote {file.name:<{width}}  {file.what}")
    is_here = folder == "." or not folder.isprintable()
    where = "" if folder == "." else " in that folder"
    echo(f"\nTo judge the stub, which prints zeros and so turns the gate red, run{where}:")
    echo(next_command() if is_here else f"cd {shlex.quote(folder)} && {next_command()}")

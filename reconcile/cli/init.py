"""`reconcile init`, `reconcile new-match` and `reconcile fetch`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from reconcile.cli.common import (
    ERROR,
    QUIET,
    WITHIN,
    Seconds,
    echo,
    option,
    output,
    progress,
    trouble,
)


@click.command()
@click.argument("folder", metavar="[DIR]", default=".")
@option(
    "--format",
    "Format of the matches that your program reads.",
    type=click.Choice(["sgf", "xg"]),
    default="sgf",
)
def init(folder: str, **asked: str) -> None:
    """Write what a repository needs to judge your program.

    A pack with one match, tolerances, a stub, and jobs for CI services.

    DIR is the top folder of the repository (default: this one). The stub runs at once and prints
    zeros, so the first run is red. Replace what is marked TODO in it. If one of the files exists
    already, nothing is written.

    Example: reconcile init my-repository
    """
    import shlex

    from reconcile.files.output import check_place, write_all
    from reconcile.gate.new_match import next_command, outputs, started

    check_place(folder)
    files = list(started(Path(folder), asked["format"]))
    write_all(outputs(Path(folder), files))
    width = max(len(file.name) for file in files)
    for file in files:
        echo(f"wrote {file.name:<{width}}  {file.page}")
    is_here = folder == "." or not folder.isprintable()
    where = "" if folder == "." else " in that folder"
    echo(f"\nTo judge the stub, which prints zeros and so turns the gate red, run{where}:")
    echo(next_command() if is_here else f"cd {shlex.quote(folder)} && {next_command()}")


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option(
    "--licence TEXT",
    "The licence under which others may have the files.",
    default="",
    show_default=False,
)
@option(
    "--provenance TEXT",
    "Who made the match and its analysis, where and when.",
    default="",
    show_default=False,
)
@option("--pack DIR", "Pack that gets a folder for the match.", default="reference_matches")
@output("-o --output DIR", "Folder of the match, instead of one named after the players.")
def new_match(
    files: Sequence[str], licence: str, provenance: str, pack: str, output: str | None
) -> None:
    """Start a reference match with its manifest.

    The files, all of one match, are copied, and the manifest is written from their content.

    With --licence and --provenance the manifest is complete and can judge a program at once.
    Otherwise these fields stay empty, and also the figures that the tools showed. `validate`
    rejects the manifest until they are filled in. Nothing is ever overwritten.

    Example: reconcile new-match match.xg match.sgf --licence CC0-1.0 --provenance "Club, XG 2.19"
    """
    from reconcile.files.output import check_place, write_all
    from reconcile.gate.manifest import SHORTEST_ORIGIN
    from reconcile.gate.new_match import Origin
    from reconcile.gate.new_match import new_match as start

    if provenance and len(provenance.strip()) < SHORTEST_ORIGIN:
        expected = f"expected who made the match, where and when, in {SHORTEST_ORIGIN} characters"
        wrong = f"{expected} or more, found {provenance!r}"
        raise click.BadParameter(wrong, param_hint="--provenance")
    check_place(pack)
    origin = Origin(licence, provenance)
    home, outputs = start(files, Path(pack), Path(output) if output else None, origin)
    write_all(outputs)
    for path, _ in outputs:
        echo(f"wrote {path}")
    words = f"reconcile validate {home}"
    if origin.is_complete:
        words += ' --candidate-command "your-program {file}" --candidate-table printed'
    task = "judge your program" if origin.is_complete else "fill in the empty fields, then run"
    echo(f"Now {task}: {words}")


@click.command()
@click.argument("pack", required=False)
@option("--timeout SECONDS", "How long to wait for a silent server.", type=Seconds(1), default=30.0)
@QUIET
@click.pass_context
def fetch(ctx: click.Context, pack: str | None, timeout: float, quiet: bool) -> None:
    """Download the public files of a pack.

    Their size and SHA-256 are checked.

    PACK is a folder of reference matches (default: the one bundled with the program). Files are
    saved in the user's cache folder, or in the folder named by RECONCILE_CACHE, where `validate`
    finds them; files already there are not downloaded again.
    """
    from reconcile.files.bundled import bundled, cache_folder
    from reconcile.gate.manifest import fetch as fetch_pack

    with progress(quiet=quiet, in_bytes=True) as show:
        # Printed once the progress bar is gone, since they would share a line on a terminal.
        files = list(
            fetch_pack(
                Path(pack) if pack else bundled("reference_matches"),
                silence=timeout,
                progress=lambda file, size: show(file.name, size, file.bytes),
            )
        )
    for fetched in files:
        file = fetched.file
        if fetched.error:
            trouble(f"{fetched.match}, {fetched.handle}: {fetched.error}")
        elif not quiet:
            word = "fetched" if fetched.new else "present"
            echo(f"{word:<9}{fetched.match}, {fetched.handle}: {file.name}, {file.bytes} bytes")
    new, failed = sum(file.new for file in files), sum(bool(file.error) for file in files)
    if not quiet:
        counts = [f"{new} fetched", f"{len(files) - new - failed} already present"]
        counts += [f"{failed} failed"] if failed else []
        echo(
            f"{', '.join(counts)}; cache: {cache_folder()}"
            if files
            else "nothing to fetch: the pack includes every file"
        )
    ctx.exit(ERROR if failed else WITHIN)

"""`reconcile init`, `reconcile new-match` and `reconcile fetch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from reconcile.wording import plural


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

    from reconcile.files.output import write_all
    from reconcile.gate.starter import next_command, outputs, started

    files = started(Path(folder), asked["format"])
    write_all(outputs(Path(folder), files))
    width = max(len(file.name) for file in files)
    for file in files:
        echo(f"wrote {file.name:<{width}}  {file.page}")
    is_here = folder == "." or not folder.isprintable()
    where = "" if folder == "." else " in that folder"
    echo(f"\nTo judge the stub, which prints zeros and so turns the gate red, run{where}:")
    echo(next_command() if is_here else f"cd {shlex.quote(folder)} && {next_command()}")


@click.command()
@click.argument("files", metavar="FILE|FOLDER...", nargs=-1, required=True)
@option(
    "--licence TEXT",
    "The licence under which others may have the files, for every match.",
    default="",
    show_default=False,
)
@option(
    "--provenance TEXT",
    "Who made the matches and their analysis, where and when, for every match.",
    default="",
    show_default=False,
)
@option("--pack DIR", "Pack that gets a folder for every match.", default="reference_matches")
@output(
    "-o --output DIR",
    "Folder of the one match, instead of one in the pack, named after the players.",
)
@click.pass_context
def new_match(
    ctx: click.Context,
    files: Sequence[str],
    licence: str,
    provenance: str,
    pack: str,
    output: str | None,
) -> None:
    """Start reference matches with a manifest for each.

    The files are copied, and the manifests are written from their content.

    Files with the same rolls become one match. With --licence and --provenance the manifests are
    complete and can judge a program at once. Otherwise these fields stay empty, and for a single
    match also the figures that the tools showed. `validate` rejects the manifest until they are
    filled in. A file that cannot be read is reported and does not stop the others. Nothing is ever
    overwritten.

    Example: reconcile new-match my-matches --licence CC0-1.0 --provenance "Club matches, XG 2.19"
    """
    is_complete = _is_complete(licence, provenance)
    troubles: list[str] = []

    def left_out(text: str) -> None:
        troubles.append(text)
        trouble(text)

    homes = list(_written(files, Path(pack), output, (licence, provenance), left_out))
    if len(homes) > 1 or (homes and troubles):
        lacking = f", {len(troubles)} left out, with the reason above" if troubles else ""
        echo(f"{plural(len(homes), 'new match', 'new matches')}{lacking}")
    elif not homes and not troubles:
        echo(f"nothing to write: {pack} has these matches already")
    if homes:
        words = f"reconcile validate {homes[0] if len(homes) == 1 else pack}"
        if is_complete:
            words += ' --candidate-command "your-program {file}" --candidate-table printed'
        task = "judge your program" if is_complete else "fill in the empty fields, then run"
        echo(f"Now {task}: {words}")
    ctx.exit(ERROR if troubles else WITHIN)


def _is_complete(licence: str, provenance: str) -> bool:
    """Whether both texts are written. Raises `BadParameter` for a provenance that is too short."""
    from reconcile.gate.manifest import SHORTEST_ORIGIN

    if provenance and len(provenance.strip()) < SHORTEST_ORIGIN:
        expected = f"expected who made the matches, where and when, in {SHORTEST_ORIGIN} characters"
        wrong = f"{expected} or more, found {provenance!r}"
        raise click.BadParameter(wrong, param_hint="--provenance")
    return bool(licence.strip() and provenance.strip())


def _written(
    files: Sequence[str],
    pack: Path,
    output: str | None,
    origin: tuple[str, str],
    left_out: Callable[[str], None],
) -> Iterator[Path]:
    """Write new matches, and give the folder of each; `left_out` hears of files that cannot be
    used."""
    from reconcile.files.output import CannotWrite, write_all
    from reconcile.gate.new_matches import Origin, new_matches

    person = Origin(*origin, ask=not _is_complete(*origin))
    folder = Path(output) if output else None
    for home, outputs in new_matches(files, pack, folder, person, left_out):
        try:
            write_all(outputs)
        except CannotWrite as error:
            left_out(str(error))
            continue
        yield home
        for path, _ in outputs:
            echo(f"wrote {path}")


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
    from reconcile.gate.fetch import fetch as fetch_pack

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

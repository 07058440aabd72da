"""`reconcile exercises`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import aliases, echo, option, progress, say
from reconcile.cli.outputs import LANGUAGE, Outputs, check_language, writes

if TYPE_CHECKING:
    from reconcile.exercises.exercise import Exercises

PHASES = ("opening", "contact", "race", "bear-off")


class Score(click.ParamType[tuple[int, int]]):
    """Points that the decider and the opponent need, as `2,4`, or `money`."""

    name = "A,B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Both numbers; zeros for money."""
        if value == "money":
            return 0, 0
        first, comma, second = str(value).partition(",")
        if not (comma and first.isdecimal() and second.isdecimal()):
            self.fail(f"expected points away as 2,4, or money, found {value!r}", param, ctx)
        return int(first), int(second)


@click.command()
@click.argument("files", metavar="FILE|FOLDER...", nargs=-1, required=True)
@option(
    "--player NAME",
    "Whose errors: any part of the name that no other player has.",
    required=True,
)
@option(
    "--kind",
    "Only these decisions; repeat the option for several.",
    type=click.Choice(["play", "double", "take"]),
    multiple=True,
)
@option("--phase", "Only this phase of the game.", type=click.Choice(PHASES), multiple=True)
@option(
    "--size EMG",
    "Smallest cost in equity.",
    type=click.FloatRange(0.001, 10),
    default=0.02,
)
@option("--score A,B", "Only at this score, as points away or `money`.", type=Score())
@option("--program NAME", "Only by analyses of this program.", default="")
@option("--everywhere", "Only what costs as much by every analysis.")
@aliases()
@LANGUAGE
@writes(
    ("--html FILE", "Write a page to practise on; printed it is a lesson sheet."),
    ("--anki FILE", "Write a deck for Anki (.apkg)."),
    ("--text FILE", "Write the positions as XG copies them, for forums and other programs."),
)
def exercises(
    files: Sequence[str], player: str, language: str, outputs: Outputs, **asked: Any
) -> None:
    """Make exercises of a player's errors, over many matches.

    Each is a position with what every analysis says of it. Matches are grouped by transcript, so
    several analyses of one match are one exercise.

    Example: reconcile exercises matches/ --player Nora --html practice.html --anki nora.apkg
    """
    from reconcile.exercises.cards import anki_deck, exercises_page, summary, xg_text

    check_language(language, outputs.paths.get("html"))
    several = _exercises(files, player, quiet=outputs.quiet, **asked)
    for file in several.leftovers:
        say(f"{file.name}: {file.reason}")
    outputs.write(
        {
            "html": lambda: exercises_page(several, language),
            "anki": lambda: anki_deck(several),
            "text": lambda: "\n".join(map(xg_text, several.exercises)),
            "terminal": lambda stream: echo(summary(several), err=stream is sys.stderr),
        }
    )


def _exercises(files: Sequence[str], player: str, *, quiet: bool, **asked: Any) -> Exercises:
    """Those that the options choose."""
    from reconcile.exercises.exercise import KINDS, Wanted
    from reconcile.exercises.exercise import exercises as exercises_of
    from reconcile.match.names import load_aliases

    wanted = Wanted(
        frozenset(asked["kind"] or KINDS),
        frozenset(asked["phase"] or PHASES),
        asked["size"],
        asked["score"],
        asked["program"],
        asked["everywhere"],
    )
    with progress(quiet=quiet) as show:
        names = load_aliases(asked["aliases"])
        return exercises_of(files, player, wanted, aliases=names, progress=show)

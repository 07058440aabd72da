"""The card of an archive (`README.md`): what its tables are, in the form that data sets are
published with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reconcile.corpus.settings import Settings
from reconcile.corpus.shards import UNITS
from reconcile.corpus.tables import described, schemas
from reconcile.files.wording import plural
from reconcile.version import __version__

NAME: Final = "README.md"
ABOUT: Final = {
    "files": "every file, and why it could not be read",
    "matches": "every match of a file, with duplicates recognised",
    "analyses": "every analysis once, where copies of a file are one",
    "players": "figures of a player in an analysis under a rule set",
    "games": "the same for every game",
    "questions": "what the figures would be with one answer changed",
    "decisions": "every roll, cube decision and resignation; `key` is the same for the same "
    "decision in any analysis",
}


def card(settings: Settings, matches: int, files: int) -> str:
    """The card as Markdown, with a YAML head as Hugging Face and others read it."""
    configs = "".join(
        f"  - config_name: {name}\n    data_files: {name}/*.parquet\n" for name in ABOUT
    )
    names = (
        "other names, the same for the same player" if settings.secret else "as the files have them"
    )
    licence = settings.licence or "not stated; it is that of the matches"
    return (
        f"---\npretty_name: Backgammon matches and their statistics\nconfigs:\n{configs}---\n\n"
        "# Backgammon matches and their statistics\n\n"
        f"{plural(matches, 'match', 'matches')} from {plural(files, 'file')}, counted under the "
        f"rule "
        f"sets {', '.join(settings.rules)} by reconcile {__version__}.\n\n"
        f"Units: {UNITS}. A figure that is not known is null.\n\n"
        f"Licence: {licence}. Names of players: {names}.\n\n"
        f"{_table('table', 'rows', ABOUT)}\n"
        "The tables are Parquet files in a folder each; their metadata (`reconcile.columns`) "
        "describe "
        "every column. `catalogue.sqlite` has what was read, and the SHA-256 of every file.\n\n"
        "```sql\nselect * from read_parquet('decisions/*.parquet') limit 10\n```\n"
        + "".join(
            f"\n## {name}\n\n{_table('column', 'meaning', described(schema))}"
            for name, schema in schemas(settings.rules).items()
        )
    )


def _table(first: str, second: str, rows: Mapping[str, str]) -> str:
    lines = "".join(f"| `{name}` | {text} |\n" for name, text in rows.items())
    return f"| {first} | {second} |\n| --- | --- |\n{lines}"

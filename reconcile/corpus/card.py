"""The card of an archive (`README.md`): what its tables are, in the form that data sets are published with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reconcile.corpus.shards import UNITS
from reconcile.corpus.tables import schemas
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
    "decisions": "every roll, cube decision and resignation; `key` is the same for the same decision in any analysis",
}


def card(rules: Sequence[str], matches: int, files: int) -> str:
    """The card as Markdown, with a YAML head as Hugging Face and others read it."""
    configs = "".join(
        f"  - config_name: {name}\n    data_files: {name}/*.parquet\n" for name in ABOUT
    )
    rows = "".join(f"| `{name}` | {text} |\n" for name, text in ABOUT.items())
    return (
        f"---\npretty_name: Backgammon matches and their statistics\nconfigs:\n{configs}---\n\n"
        f"# Backgammon matches and their statistics\n\n"
        f"{plural(matches, 'match', 'matches')} from {plural(files, 'file')}, counted under the rule sets "
        f"{', '.join(rules)} by reconcile {__version__}.\n\n"
        f"Units: {UNITS}. A figure that is not known is null.\n\n"
        f"Licence: not stated; it is that of the matches. Names of players are as the files have them.\n\n"
        f"| table | rows |\n| --- | --- |\n{rows}\n"
        "The tables are Parquet files in a folder each; their metadata (`reconcile.columns`) describe every column.\n\n"
        "```sql\nselect * from read_parquet('decisions/*.parquet') limit 10\n```\n"
        + "".join(map(_columns, *zip(*_described(rules), strict=True)))
    )


def _described(rules: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (
            name,
            [(field.name, field.metadata[b"description"].decode()) for field in schema],
        )
        for name, schema in schemas(rules).items()
    ]


def _columns(table: str, columns: list[tuple[str, str]]) -> str:
    lines = "".join(f"| `{name}` | {text} |\n" for name, text in columns)
    return f"\n## {table}\n\n| column | meaning |\n| --- | --- |\n{lines}"

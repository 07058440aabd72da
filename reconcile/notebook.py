"""How results show themselves to people who explore: a line for `repr`, a table for pandas, a small
table in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 30
"""Of a table in a notebook; the middle of a longer one is left out."""
LONGEST_NAME = 40
LONGEST_LINE = 200


class NotebookTable:
    """A result that has a table, and shows it in a notebook under its own line."""

    __slots__ = ()

    def to_frame(self) -> pd.DataFrame:
        """The result as a table of pandas."""
        raise NotImplementedError

    def _small_frame(self) -> pd.DataFrame:
        """What a notebook shows; its index is shown where it has a name."""
        return self.to_frame()

    def _repr_html_(self) -> str:
        from html import escape

        frame = self._small_frame()
        # pandas escapes cells and headings itself.
        table = frame.to_html(
            max_rows=MOST_ROWS,
            index=frame.index.name is not None,
            index_names=False,
            na_rep="",
            float_format="{:.4g}".format,
            border=0,
        )
        return f"<div><p>{escape(repr(self)[1:-1])}</p>{table}</div>"


def one_line(kind: object, text: str) -> str:
    """`<Match test.xg: ...>`: one line for any file."""
    return f"<{type(kind).__name__} {_cut(_printable(text), LONGEST_LINE)}>"


def short(name: str) -> str:
    """A name as far as a line has room for it."""
    return _cut(_printable(name) or "?", LONGEST_NAME)


def short_file(path: str) -> str:
    """The name of a file without its folder."""
    return short(Path(path).name or path)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def frame_of(rows: Iterable[Mapping[str, object]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Rows as a table with these columns, each of its type; what is `None` is missing."""
    import pandas as pd

    listed = list(rows)
    return pd.DataFrame(
        {
            name: pd.Series([row[name] for row in listed], dtype=kind)
            for name, kind in columns.items()
        }
    )

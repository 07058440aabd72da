"""A corpus as it lies in its folder: its tables as rows, its files as bytes."""

import json
from pathlib import Path

import pyarrow.parquet as pq

from reconcile.corpus.query import answered, reading, refusals
from reconcile.corpus.run import build, load_corpus
from reconcile.corpus.tables import Settings
from tests.support.archive import XG
from tests.support.variants import variant

RULES = ("xg", "gnubg", "bgblitz")
OWN = (".work", "archive.json")
"""What is of the run that made it, beside tables and card."""


def make(source, folder, settings=Settings()):  # noqa: B008
    """Make the archive of a folder or file in one process."""
    return build([str(source)], folder, settings, jobs=1)


def answer(database, asked):
    """What an opened archive says to a statement that only reads."""
    with refusals():
        return answered(database, reading(database, asked))


def table(folder, name):
    """The rows of a table, those of a match in the order of the matches."""
    paths = load_corpus(str(folder)).paths(name)
    rows = [row for path in paths for row in pq.read_table(path, partitioning=None).to_pylist()]
    if name in ("matches", "files", "persons"):
        return rows
    place = {row["match"]: number for number, row in enumerate(table(folder, "matches"))}
    return sorted(rows, key=lambda row: place[row["match"]])


def by_file(folder, name):
    """The rows of a table by the name of their file."""
    return {Path(row["file"]).name: row for row in table(folder, name)}


def rows_by_column(answer):
    """The rows of an answer by the names of their columns."""
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def content(folder):
    """The bytes of every file of tables by its name."""
    names = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {
        name.as_posix(): names[name].read_bytes()
        for name in sorted(names)
        if name.parts[0] not in OWN
    }


def every_row(folder):
    """The rows of every table."""
    return {name: table(folder, name) for name in load_corpus(str(folder)).tables}


def change_manifest(folder, change):
    """Change what the manifest of a corpus says, by a function of it."""
    path = folder / "archive.json"
    stated = json.loads(path.read_text("utf-8"))
    change(stated)
    path.write_text(json.dumps(stated), "utf-8")


def batches(folder):
    """What is stored of the work."""
    return {path.parent.name for path in (folder / ".work").glob("*/*/files.parquet")}


def copies(folder, number):
    """So many different matches in a folder."""
    folder.mkdir()
    paths = [folder / f"m{seed:03}x.xg" for seed in range(number)]
    for seed, path in enumerate(paths):
        path.write_bytes(variant(XG.read_bytes(), seed))
    return paths

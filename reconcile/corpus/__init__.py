"""An archive of matches as tables: from a few files to a hundred thousand, on one machine or a
cluster.

paths --sources--> units --work--> parts with their shards --assembly--> the list of the tables
--report/corpus--> HTML

A *unit* is one file, in a folder or inside an archive. Workers read units in batches and write
*shards*, Parquet files of rows that are never changed, and a *part* for each batch, which says
what is in them by the files' content. A run after a killed one reuses the parts; no file is read
twice. What is of the whole archive, such as which matches are the same, is made in the end, with
the list of the shards. The same files give the same rows, however often the run was interrupted
and whichever worker did what.
"""

from importlib.util import find_spec

from reconcile.errors import MissingPackage


def needs_pyarrow() -> None:
    """Raise `MissingPackage` if pyarrow, which a corpus needs, is not installed."""
    if find_spec("pyarrow") is None:
        raise MissingPackage(
            "a corpus needs pyarrow, which is not installed; pip install 'gammon-reconcile[corpus]'"
        )

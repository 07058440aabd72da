"""An archive of matches as tables: from a few files to a hundred thousand, on one machine or a cluster.

    paths --sources--> units --work--> parts --assembly--> Parquet tables --report/corpus--> HTML

A *unit* is one file, in a folder or inside an archive. Workers read units in batches and return a *part*: the rows of every match
in it, stored in the folder's `.parts` under a digest of the files' content. A run after a killed one reuses the parts; no
file is read twice. The tables are written from the parts in the order of the units, so the same files give the same tables,
however often the run was interrupted and whichever worker did what.
"""

from importlib.util import find_spec

from reconcile.errors import MissingPackage


def needs_pyarrow() -> None:
    """Raise `MissingPackage` if pyarrow, which a corpus needs, is not installed."""
    if find_spec("pyarrow") is None:
        raise MissingPackage("a corpus needs pyarrow, which is not installed; pip install 'gammon-reconcile[corpus]'")

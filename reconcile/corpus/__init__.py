"""An archive of matches as tables: from a few files to a hundred thousand, on one machine or a
cluster.

paths --formats--> units --work--> batches --run--> tables --query--> answers

A *unit* is one file, in a folder or inside a zip or tar file. Workers read units in *batches* and
store of each the rows, in Parquet files that are never changed, *shards*, and what was in which
file by its content. A run after a killed one goes on with the batches that are stored, and no file
is scored twice. A *table* is the shards of one name. What is of the archive as a whole, such as
which matches are the same, is made in the end by SQL. The *archive* is the folder of all this; a
`Corpus` is what its manifest says of it once it is finished. The same files give the same rows,
however often the run was interrupted and whichever worker did what.
"""

import os
from importlib.util import find_spec

from reconcile.errors import MissingPackage


def needs_pyarrow() -> None:
    """Raise `MissingPackage` if pyarrow, which an archive needs, is not installed.

    Called before it is imported, it also gives Arrow the system's allocator, here and in workers:
    its own holds on to what it has freed.
    """
    if find_spec("pyarrow") is None:
        raise MissingPackage(
            "a corpus needs pyarrow, which is not installed; pip install 'gammon-reconcile[corpus]'"
        )
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

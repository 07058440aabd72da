"""An archive of matches as tables: from a few files to a hundred thousand, on one machine or on a cluster.

    paths --sources--> units --work--> parts --assembly--> Parquet tables --report/corpus--> HTML

A *unit* is one file, in a folder or inside an archive. Workers read units in batches and hand back a *part*: the rows of every
match in it, kept under the folder's `.parts` by what the files contain. A run that was killed finds the parts again; a file
that is known is not read twice. From the parts the tables are written in the order of the units, so the same files give the
same tables however often the work was interrupted and whoever did it.
"""

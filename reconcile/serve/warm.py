"""Imported ahead of any work: makes the pages of the bundled examples once, so that everything
that is loaded on first use is loaded."""

from __future__ import annotations

from reconcile.files.bundled import bundled
from reconcile.serve.offered import EXAMPLES
from reconcile.serve.tasks import Task
from reconcile.serve.work import run

for _example in EXAMPLES.values():
    _paths = [bundled("reference_matches") / name for name in _example.files]
    run(
        Task("open", tuple((path.name, path.read_bytes()) for path in _paths)),
        lambda counted, done, total: None,
    )

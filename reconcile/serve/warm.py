"""Imported ahead of any work: makes the page of the bundled example once, so that everything that is loaded on first use is loaded."""

from __future__ import annotations

from reconcile.files.bundled import bundled
from reconcile.serve.offered import EXAMPLES
from reconcile.serve.tasks import Task
from reconcile.serve.work import run

for _example in EXAMPLES.values():
    run(
        Task(
            "open",
            tuple(
                (name, (bundled("reference_matches") / name).read_bytes())
                for name in _example.files
            ),
        ),
        lambda what, done, total: None,
    )

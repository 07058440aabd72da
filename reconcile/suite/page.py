"""A run of the suite as a page: every case by area, with what was expected and found; without script or request."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Final

from reconcile.suite.diagnosis import diagnosed
from reconcile.suite.documents import document_of, headline
from reconcile.suite.run import CRASHED, FAILED, PASSED, UNSUPPORTED, Asking, Ran

STYLE: Final = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2530;background:#fff}
table{border-collapse:collapse;width:100%}td,th{padding:.2rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid #ddd}
.failed,.crashed{color:#a3261a;font-weight:600}.passed{color:#236b2e}.unsupported{color:#666}
@media(prefers-color-scheme:dark){body{color:#e6e9ec;background:#14181d}td,th{border-color:#333}.failed,.crashed{color:#ff9b8f}.passed{color:#8fd39a}
.unsupported{color:#aaa}}
"""
SIGNS: Final = {PASSED: "\N{CHECK MARK}", FAILED: "\N{MULTIPLICATION SIGN}", UNSUPPORTED: "\N{EN DASH}", CRASHED: "!"}


def run_page(ran: Ran) -> str:
    """The page."""
    document = document_of(ran)
    title = f"{ran.program} {ran.version}".strip()
    parts = [
        f"<h1>{escape(title)} and the conformance suite</h1><p>{escape(headline(ran, diagnosed(ran)))}</p>",
        *(f"<p><b>{escape(one.code)}</b>: {escape(one.sentence)} Seen in {len(one.cases)} cases.</p>" for one in document.diagnosis.faults),
    ]
    for area, cases in groupby(ran.asked, key=lambda one: one.case.area):
        parts += [f'<h2 id="{area}">{area}</h2><table>', *(_row(ran, one) for one in cases), "</table>"]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title>"
        f"<style>{STYLE}</style><main>{''.join(parts)}</main></html>\n"
    )


def _row(ran: Ran, one: Asking) -> str:
    status = ran.statuses[one.case.id]
    return (
        f'<tr id="{one.case.id}"><td class="{status}">{SIGNS[status]} {status}</td><th scope="row">{one.case.id}</th>'
        f"<td>{escape(one.case.sentence)}{''.join(_details(ran, one))}</td></tr>"
    )


def _details(ran: Ran, one: Asking) -> Iterator[str]:
    if reason := one.answer.crashed or one.answer.unsupported:
        yield f"<br>{escape(reason)}"
    expected = ran.expected.get(one.case.id, {})
    for player, names in one.wrong(expected).items():
        for name in names:
            yield f"<br>{escape(player)} {name}: {escape(one.answer.found[player][name].text)}, expected {expected[player][name]:.6g}"

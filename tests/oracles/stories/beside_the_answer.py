"""Sentences of an investigation that stand beside its answer: what was not searched for, what says nothing, what helps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.oracles.stories.answers import WHOSE, analysed
from tests.oracles.stories.figures_in_words import figures_in
from tests.oracles.stories.forms import Form, Said, shows, value
from tests.oracles.stories.investigated import Investigated


def not_searched_for(facts: Investigated, said: Said) -> Iterator[str]:
    """How many other figures differ; the text's table has them."""
    table = next(
        (
            block.splitlines()[1:]
            for block in facts.text.split("\n\n")
            if block.startswith("Not searched for")
        ),
        [],
    )
    rows = [re.split(r"  +", line.strip()) for line in table]
    off = [row for row in rows if row[-1] != "-" and abs(value(row[1]) - value(row[2])) > 0]
    if (
        not shows(said["all"], len(rows))
        or said.number("off") > len(rows)
        or len(off) > said.number("off") + 2
    ):
        yield f"the table has {rows}"
    said["given"], said["ours"]


def may_count_so(facts: Investigated, said: Said) -> Iterator[str]:
    """That the file's own program may count so."""
    open_ones = [
        one
        for one in facts.document["explanations"]
        if one["nearest"] == facts.own and one["differences"]
    ]
    asked = [
        " ".join(f"{one['title']} ({one['question']} {one['to']})" for one in found["differences"])
        for found in open_ones
    ]
    if said["asked"] not in asked:
        yield f"it would be {asked[:3]}"


def what_helps(facts: Investigated, said: Said) -> Iterator[str]:
    """What helps where nothing was found."""
    if facts.document["explanations"]:
        yield "rules were found"


def blank_zero(facts: Investigated, said: Said) -> Iterator[str]:
    """Why a reported zero says nothing."""
    for one in (figures_in(said["zeros"]) or ([], 0))[0]:
        if value(one.text) or facts.known()[one.metric] is not None:
            yield f"{one.metric} is {facts.known()[one.metric]}"
    if said.has("missing"):
        yield from analysed(facts, said["missing"])


BESIDE = (
    Form(
        "Of <all:count> figure(s) that were not searched for, <off:count> differ(s): <given:text>; here <ours:text>.",
        not_searched_for,
    ),
    Form(
        "<tool:side> may count so itself, since nobody outside knows its answer to: <asked:rest>",
        may_count_so,
    ),
    Form(
        "What helps: the file that the figures come from, or the whole table of statistics as text.",
        what_helps,
    ),
    Form(
        "<tool:side> prints 0 for what is not analysed, and this file has <missing:text> analysed: <zeros:text> say(s) nothing.",
        blank_zero,
    ),
    Form(
        WHOSE
        + "<tool:side> prints 0 for what is not analysed, and this file has <missing:text> analysed: <zeros:text> say(s) nothing.",
        blank_zero,
    ),
    Form("A program prints 0 where nothing counts: <zeros:text> say(s) nothing.", blank_zero),
)

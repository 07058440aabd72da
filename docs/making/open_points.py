"""The open points: every answer and every cell of the matrix that is marked open, and what would
settle it."""

from __future__ import annotations

from collections.abc import Iterator

from docs.making.evidence import cells, grounds, linked
from docs.making.markdown import code, filled, page, prose, table
from reconcile.rules.rulesets import QUESTIONS

TEXT = """\
Some rules of a program are not known outside it. Each is marked `?` wherever it is used. The \
best attested answer is used meanwhile, `reconcile investigate` tries the others, and figures \
that depend on it are shown as a range. This page says which file would settle each point. If you \
have one, please open an issue.

## Evidence wanted {#evidence-wanted}

Of eXtreme Gammon one rule that moves figures is open: [which no-doubles of the losing side \
count](questions/Q03.md).

Three public files would decide it. Two repositories name them, but we have no copy and do not \
know their SHA-256. If you have one, run its commands below. The `stats` command prints the \
players' names. The `investigate` command says which answers give XG's figures of the player you \
name. Please send what it prints as an issue.

`bearoff_gammonnet_7p.xg`. XG's window of this match, or of one that ends in the same bear-offs, \
is quoted in blunderDB's reference `issue595`: 68 decisions (64 checker plays, 3 doubles, 1 take) \
and PR 8.48 for one player, 89 decisions (78, 10, 1) and PR 0.52 for the other.

```sh
curl -LO \
https://raw.githubusercontent.com/kevung/xgparser/c856c79/xgparser/testdata/bearoff_gammonnet_7p.xg
reconcile stats bearoff_gammonnet_7p.xg --rules xg
reconcile investigate bearoff_gammonnet_7p.xg --player NAME --reported pr=8.48 --reported \
decisions=68 --reported decisions.double=3
```

`Kev_GammonNetNormal_2026-10-06_7p.xg`. blunderDB's reference of its issue 595 names this file \
(`testdata/`), so the figures above are its figures. If the two files differ, this one decides \
and the other only shows its bear-offs.

```sh
reconcile stats Kev_GammonNetNormal_2026-10-06_7p.xg --rules xg
reconcile investigate Kev_GammonNetNormal_2026-10-06_7p.xg --player NAME --reported pr=8.48 \
--reported decisions=68 --reported decisions.double=3
```

`HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg`. According to blunderDB, XG \
shows PR 9.28 and 13.20.

```sh
curl -LO \
https://raw.githubusercontent.com/kevung/blunderDB/487a648/testdata/HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg
reconcile stats HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg --rules xg
reconcile investigate HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg --player \
NAME --reported pr=13.20
```

On the public files that we have, the answer changes the PR of these players and nothing else. Each
cell has the double decisions and the PR:

| file | player | `nd-positive` | `minus-0.9`, `minus-0.9-right` | `all` | `minus-0.5` |
| --- | --- | ---: | ---: | ---: | ---: |
| `match_with_comment.xg` | Nicolas HARMAND | 10, 6.75 | 13, 6.51 | 26, 5.64 | 12, 6.59 |
| `ronde1-UngerHarmand-FriebeJacobi-7pt.xg` | FRIEBE JACOBI | 17, 3.65 | 18, 3.61 | 18, 3.61 | \
18, 3.61 |
| `MYdvw1qGuyaRUH__.xg` | Jade1 | 4, 11.22 | 4, 11.22 | 9, 10.10 | 4, 11.22 |
| `UL-CV6F9jMM-E1Pu.xg` | Dunes_04 | 10, 21.61 | 11, 21.38 | 11, 21.38 | 11, 21.38 |
| `UL-CV6F9jMM-E1Pu.xg` | Jade1 | 16, 8.40 | 17, 8.32 | 17, 8.32 | 17, 8.32 |

The last two files are samples of the package gammonview 3.1.0.
[Errors in published descriptions](errors-in-published-descriptions.md#files) has the SHA-256 of
the others and their addresses.

## Unknown answers {#cells}

The answer in the third column is used until somebody proves another. Where the last column is \
empty, it takes a match with the program's own figures in which this answer and another one count \
differently. `reconcile investigate` lists the decisions on which they differ.

[[unknown]]

## Attested or inferred, not verified {#attested}

These answers come from a third party's description of a program, or follow from a text that does \
not state them. No file with the program's own figures has confirmed them yet. Where the last \
column is empty, it takes a match with the program's own figures in which this answer and another \
one count differently.

[[unverified]]

## Answers that no rule set gives {#answers}

`reconcile investigate` tries these answers too. The last column says who counts so, or is said to.

[[unused]]"""
"""The prices of the answers of Q03 are measured once; `tests/project/test_site.py` measures them
again where the files are."""


def open_points_page() -> str:
    """The page of everything open."""
    known = ("question", "answer used", "status", "what is known, and where")
    text = filled(
        TEXT,
        unknown=table(("rule set", *known, "what would settle it"), _rows(True)),
        unverified=table(("rule set", *known, "what would settle it"), _rows(False)),
        unused=table(("question", "answer", "status", "source"), _unused()),
    )
    return page("Open points", text)


def _rows(unknown: bool) -> Iterator[tuple[str, ...]]:
    """The cells that are open, or those that no figure of the program itself confirms."""
    for rules, question, cell in cells():
        sourced = not cell.status or cell.status.needs_source
        if cell.open if unknown else cell.answer and not sourced and not cell.open:
            anchor = f"{{#{rules.name}-{question}}} {QUESTIONS[question].title}" if unknown else ""
            yield (
                code(rules.name),
                f"{linked(question)}{anchor}",
                f"[{code(cell.used)}](questions/{question}.md#{cell.used})",
                cell.status_words,
                grounds(cell),
                prose(cell.settled_by),
            )


def _unused() -> Iterator[tuple[str, ...]]:
    for number, question in QUESTIONS.items():
        for name, answer in question.answers.items():
            if answer.status:
                link = f"[{code(name)}](questions/{number}.md#{name})"
                yield linked(number), link, answer.status.value, prose(answer.source)

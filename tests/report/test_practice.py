"""Practice on the page of a match: what is asked, what is not shown before the answer, and what a choice loses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reconcile.report import numbers
from reconcile.report.html.decision_list import Seen, seen_in_review
from reconcile.report.html.decisions import Card
from tests.report.open_pages import opened
from tests.support.claims import some
from tests.support.several import beginnings

SIZE = 20


def thousandths(value: float) -> int:
    return round(round(value, 3) * 1000)


def losses(card: Card) -> dict[str, list[int | None]]:
    """What every choice loses in each analysis."""
    found: dict[str, list[int | None]] = {}
    for side, one in enumerate(card.opinions):
        rows = [
            (row.action, thousandths(row.equity or 0.0), -thousandths(row.behind or 0.0), row.made)
            for row in one.options
        ]
        if rows and rows[0][0] == "no double":
            (_, wait, _, waited), (_, taken, _, _), (_, passed, _, _) = rows
            best = max(wait, min(taken, passed))
            rows = [
                ("no double", wait, best - wait, waited),
                ("double", 0, best - min(taken, passed), not waited),
            ]
        for action, _, loss, made in rows:
            charged = (
                thousandths(one.side.error)
                if made and one.side and one.side.error is not None
                else loss
            )
            found.setdefault(action, [None] * len(card.opinions))[side] = charged
    return found


def asked_about(seen: Seen) -> list[int]:
    return [index for index in seen.order[: seen.errors] if len(losses(seen.card(index))) > 1]


def said_of(name: str, lost: list[int | None], labels: tuple[str, ...]) -> str:
    def words(loss: int | None) -> str:
        return (
            "does not list it"
            if loss is None
            else f"loses {numbers.number(loss / 1000, 3)}"
            if loss > 0
            else "finds nothing better"
        )

    return f"{name}. {'; '.join(f'{label} {words(loss)}' for label, loss in zip(labels, lost, strict=True))}."


def test_every_choice_loses_what_the_analyses_say(browser: Any, tmp_path: Path) -> None:
    many = beginnings(".xg", ".sgf")
    page, seen = opened(browser, many, tmp_path), seen_in_review(many)
    page.click("#practise")
    right: list[tuple[bool, bool]] = []
    for turn, index in enumerate(some(asked_about(seen))):
        expected = losses(seen.card(index))
        is_play = seen.items.kind_labels[seen.kept[index]] == "play"
        offered = page.locator(".choices button").all_inner_texts()
        assert offered == (sorted(expected) if is_play else list(expected)), index
        assert page.evaluate(
            "[location.hash, document.querySelectorAll('#decision :is(.arrow, .opinion, .legend)').length]"
        ) == ["", 0]
        chosen = offered[turn % len(offered)]
        page.keyboard.press(str(turn % len(offered) + 1))
        lost = expected[chosen]
        right.append((is_play, all(loss < SIZE for loss in lost if loss is not None)))
        first, tally = page.locator("[data-practice-said] p").all_inner_texts()
        assert first.partition(": ")[2].replace(", as in the match", "") == said_of(
            chosen, lost, seen.labels
        )
        assert first.startswith("Right: " if right[-1][1] else "An error: ")
        assert tally.startswith(f"{sum(good for _, good in right)} of {len(right)} right; ")
        assert page.locator("#decision .opinion").count() == 2
        page.keyboard.press("n")
    assert len(right) > 10
    assert page.locator("[data-practice-said]").inner_text().startswith("Error 1 of "), (
        "after the last one it begins again"
    )


def test_errors_of_one_player_are_asked_and_leaving_shows_the_decision(
    browser: Any, tmp_path: Path
) -> None:
    many = beginnings(".xg", ".sgf")
    page, seen = opened(browser, many, tmp_path), seen_in_review(many)
    page.click("#practise")
    page.select_option("[data-practice-player]", "1")
    mine = [index for index in asked_about(seen) if seen.items.player[seen.kept[index]] == 1]
    assert (
        page.locator("[data-practice-said]").inner_text()
        == f"Error 1 of {len(mine)}, the worst first."
    )
    page.keyboard.press("ArrowRight")
    assert page.locator(".choices").count() == 1, "keys that would show the answer do nothing"
    page.keyboard.press("Escape")
    assert (
        page.evaluate(
            "document.documentElement.dataset.practice === undefined && document.activeElement.id"
        )
        == "practise"
    )
    assert (page.locator(".choices").count(), page.evaluate("location.hash")) == (
        0,
        f"#{seen.keys[mine[0]]}",
    )
    page.click("#practise")
    page.click("#answer a")
    assert (page.locator(".choices").count(), page.locator("#decision .opinion").count()) == (
        0,
        2,
    ), "a link ends it, and shows its decision"


@pytest.mark.exhaustive
def test_question_is_usable_with_keys_and_readers(browser: Any, tmp_path: Path) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed (extra `browser`)"
    )
    page = opened(
        browser, beginnings(".xg", ".sgf"), tmp_path, viewport={"width": 390, "height": 844}
    )

    def violations() -> list[Any]:
        found: list[Any] = (
            axe.Axe()
            .run(page, context="#decision", options={"resultTypes": ["violations"]})
            .response["violations"]
        )
        return found

    page.click("#practise")
    assert page.evaluate("document.activeElement.closest('.choices') !== null")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations() == []
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.practiceNext") == ""
    assert violations() == []

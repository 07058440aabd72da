"""Practice on the page of a match: what is asked, what is not shown before the answer, and what a
choice loses.
"""

import pytest

from reconcile.match.board.play import legal_plays, play_text
from reconcile.report import numbers
from reconcile.report.html.decision_list import review_decisions
from tests.report.open_pages import PHONE, opened, practise
from tests.support.browser import violations
from tests.support.claims import some
from tests.support.several import beginnings

SIZE = 20


class Columns:
    """What the page is given of a match."""

    def __init__(self, many):
        self.decisions = review_decisions(many)
        self.data = self.decisions.data()
        self.tools = many.labels

    def situation(self, index):
        """The position and the dice."""
        row = self.decisions.shown[index]
        position, dice = (self.decisions.aligned.stated(name)[row] for name in ("position", "dice"))
        return tuple(position.tolist()), list(map(int, dice or "00"))

    def action(self, index, option):
        """A play in notation, or a cube action."""
        if self.data["kind"][index]:
            return self.data["actions"][int(self.data["owner"][index] != 0)][option[0]]
        places = [ord(letter) - ord("a") for letter in option[0]]
        return play_text(
            self.situation(index)[0], tuple(zip(places[::2], places[1::2], strict=True))
        )

    def losses(self, index):
        """What every choice loses in each analysis."""
        sides = self.data["sides"]
        charged_for: dict[str, list[int | None]] = {}
        for number, side in enumerate(sides):
            rows = [
                (self.action(index, option), option[1], -(option[2] or 0), option[4] < 0)
                for option in side["options"][index]
            ]
            if rows and rows[0][0] in ("no double", "no redouble"):
                (_, wait, _, waited), (_, take, _, _), (_, passed, _, _) = rows
                best = max(wait, min(take, passed))
                rows = [
                    (rows[0][0], wait, best - wait, waited),
                    (rows[0][0].removeprefix("no "), 0, best - min(take, passed), not waited),
                ]
            for action, _, loss, is_made in rows:
                error = side["error"][index]
                charged = error if is_made and error is not None else loss
                charged_for.setdefault(action, [None] * len(sides))[number] = charged
        return charged_for

    def asked_about(self):
        """The errors with something to choose from, the costliest first."""
        listed = self.decisions.order[: self.decisions.errors]
        return [index for index in listed if len(self.losses(index)) > 1]

    def said_of(self, index, name, lost):
        """The sentences about a choice."""
        sides = zip(self.tools, lost, self.data["sides"], strict=True)
        sentences = [words(tool, loss, side["more"][index]) for tool, loss, side in sides]
        return f"{name}. {' '.join(sentences)}"


def words(tool, loss, hidden):
    if loss is None:
        return f"{tool} does not list it{' here' * bool(hidden)}."
    if loss > 0:
        return f"By {tool} you lose {numbers.number(loss / 1000, 3)}."
    return f"{tool} finds nothing better."


def right_ones(choices):
    """Those that lose little in every analysis, or where there is none, in one of them."""
    little = {
        name: [loss < SIZE for loss in lost if loss is not None] for name, lost in choices.items()
    }
    return [name for name, within in little.items() if all(within)] or [
        name for name, within in little.items() if any(within)
    ]


SHOWS_AN_ANSWER = """() => [...document.querySelectorAll(
  '#decision :is(.arrow, .opinion, .legend), #list, #curve, #meaning, #expert, '
  + 'header > :not(.masthead), .masthead .turner')]
  .filter(one => one.getClientRects().length).map(one => one.id || one.getAttribute('class'))"""


def offered_choices(page, expected, *, is_play):
    """The choices of a question that gives no answer away."""
    offered = page.locator(".choices button").all_inner_texts()
    assert offered == (sorted(expected) if is_play else list(expected))
    assert page.evaluate(SHOWS_AN_ANSWER) == []
    assert page.evaluate("location.hash") == ""
    return offered


def test_every_choice_loses_what_the_analyses_say_until_all_are_right(short_pair):
    many, page, decisions = short_pair
    page.click("#practise")
    assert not page.locator("#decision").is_visible(), "whose errors is asked first"
    assert page.evaluate(SHOWS_AN_ANSWER) == []
    page.click("[data-practice-seat='']")
    columns = Columns(many)
    asked, turn = columns.asked_about(), 0
    every = len(asked)
    first: dict[int, tuple[bool, bool]] = {}
    while asked:
        index, again = asked.pop(0), turn >= every
        expected = columns.losses(index)
        is_play = decisions.aligned.kind_labels[decisions.shown[index]] == "play"
        offered = offered_choices(page, expected, is_play=is_play)
        good = right_ones(expected)
        chosen = good[0] if again else offered[turn % len(offered)]
        page.keyboard.press(str(offered.index(chosen) + 1))
        first.setdefault(index, (is_play, chosen in good))
        sentence, tally = page.locator("[data-practice-said] p").all_inner_texts()
        assert sentence.partition(": ")[2].replace(", as in the match", "") == columns.said_of(
            index, chosen, expected[chosen]
        )
        assert sentence.startswith("Right: " if chosen in good else "An error: ")
        right = sum(at_once for _, at_once in first.values())
        assert tally.startswith(f"{right} of {len(first)} right at once; ")
        assert page.locator("#decision .opinion").count() == 1
        assert page.locator("#decision .yours").count() >= 1, "the choice stays marked"
        if chosen not in good:
            asked.append(index)
        turn += 1
        page.keyboard.press("n")
    assert turn > len(first) > 10
    assert page.locator("[data-practice-said]").inner_text().startswith("Error 1 of "), (
        "after the last one it begins again"
    )
    assert (
        page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length") == 0
    )


def test_errors_of_one_player_are_asked_and_leaving_shows_the_decision(short_pair):
    many, page, decisions = short_pair
    columns = Columns(many)
    practise(page, seat="1")
    mine = [
        index
        for index in columns.asked_about()
        if decisions.aligned.player[decisions.shown[index]] == 1
    ]
    assert (
        page.locator("[data-practice-said]").inner_text()
        == f"Error 1 of {len(mine)}, the costliest first."
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
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
        f"#{decisions.keys[mine[0]]}",
    )


TARGETS = (
    "() => [...document.querySelectorAll('.tap')].map(one => [Number(one.dataset.tap), "
    "one.classList[1]])"
)


def legal_choices(position, dice):
    """Every play of the rules."""
    return {play_text(position, play.play) for play in legal_plays(position, *dice)}


def tap_a_play(page):
    for _ in range(4):
        taps = page.evaluate(TARGETS)
        if not taps:
            break
        assert {name for _, name in taps} == {"from"}
        page.locator(".tap.from").last.click()
        page.locator(".tap.to").last.click()


def test_play_is_made_on_the_board(browser, tmp_path):
    """Step by step; it is undone and judged. Which steps are shown is claimed below."""
    many = beginnings(".xg", ".sgf")
    page = opened(browser, many, tmp_path, viewport=PHONE)
    decisions, columns = review_decisions(many), Columns(many)
    plays = [
        index
        for index in columns.asked_about()
        if decisions.aligned.kind_labels[decisions.shown[index]] == "play"
    ]
    practise(page)
    for index in some(plays[:3]):
        while page.evaluate("Number(document.getElementById('decision').dataset.turn)") != int(
            decisions.aligned.turn[decisions.shown[index]]
        ):
            page.keyboard.press("n")
        tap_a_play(page)
        button = page.locator("[data-practice-play]")
        played = button.inner_text().removeprefix("Play ")
        assert played in legal_choices(*columns.situation(index))
        undo = page.locator("[data-practice-undo]")
        undo.click()
        assert button.is_disabled()
        page.locator(".tap.from").last.click()
        page.locator(".tap.to").last.click()
        button.click()
        sentence = page.locator("[data-practice-said] p").first.inner_text()
        verdict = sentence.partition(":")[0]
        assert verdict in (
            ("Right", "An error") if played in columns.losses(index) else ("Not listed",)
        )
        if verdict == "Not listed":
            nobody = columns.said_of(index, played, [None] * len(many.labels))
            assert sentence == f"Not listed: {nobody}"
        page.keyboard.press("n")


LEGAL = """cases => cases.map(([counts, dice]) => {
  const found = new Set(), walk = (board, rest) => {
    const open = Notation.legal(board, rest);
    if (!open.length) found.add(board.join());
    open.forEach(one => walk(Notation.after(board, one.step), one.rest));
  };
  walk(counts, dice);
  return [...found].sort();
})"""


def test_steps_that_are_shown_are_those_of_the_rules(browser, tmp_path):
    match = beginnings(".xg").matches[0]
    cases, expected = [], []
    hands = [((0, *[0] * 23, 1, 0), (6, 5)), ((0, 2, 0, 0, 0, 0, 1, *[-2] * 3, *[0] * 16), (5, 4))]
    rows = [
        (tuple(match.plays.position[row].tolist()), tuple(match.plays.dice[row].tolist()))
        for row in range(len(match.plays))
    ]
    for position, dice in [*hands, *rows]:
        cases.append([position, list(dice) if dice[0] != dice[1] else 4 * [dice[0]]])
        positions = {",".join(map(str, play.result)) for play in legal_plays(position, *dice)}
        expected.append(sorted(positions or {",".join(map(str, position))}))
    page = opened(browser, beginnings(".xg"), tmp_path)
    assert page.evaluate(LEGAL, cases) == expected
    assert len(cases) > 50


@pytest.mark.exhaustive
def test_question_is_usable_with_keys_and_readers(browser, tmp_path):
    page = opened(browser, beginnings(".xg", ".sgf"), tmp_path, viewport=PHONE)
    asked = {"context": "#decision", "options": {"resultTypes": ["violations"]}}
    practise(page, seat="0")
    assert page.evaluate("document.activeElement.closest('.choices') !== null")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page, **asked) == []
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.practiceNext") == ""
    assert violations(page, **asked) == []

"""What a player looks for on the page of a match, at two widths, in light and dark."""

import pytest

from reconcile.report.html.decision_list import review_decisions
from tests.report.open_pages import opened
from tests.support.browser import serious
from tests.support.several import beginnings

CLAIMS = {
    "the head says who won, and every game has its place": """
        () => /won|–/.test(document.querySelector('h1').textContent) &&
          document.querySelectorAll('#strip a').length === 3""",
    "nothing is wider than the window": """
        () => document.documentElement.scrollWidth <= innerWidth""",
    "an address puts the board in the upper half of the window": """
        () => { const top = document.querySelector('#decision .board').getBoundingClientRect().top;
          return top >= 0 && top < innerHeight / 2; }""",
    "who decides is below, in the colour of the player": """
        () => { const { player } = document.getElementById('decision').dataset;
          const light = player === 'Nora Lindqvist' ? 'light' : 'dark';
          const own = document.querySelector('#decision .board .own').getAttribute('fill');
          const names = [...document.querySelectorAll('#decision .board-text text')];
          return own.includes(light) && names.at(-2).textContent.startsWith(player); }""",
    "thumbs reach buttons, and a decision ends on a screen": """
        () => { const high = (one) => one.getBoundingClientRect().height;
          const buttons = [...document.querySelectorAll('.turner button, .tools button')];
          const chips = [...document.querySelectorAll('.chips button, .choose select')];
          return innerWidth > 700
            ? document.getElementById('decision').getBoundingClientRect().height < 800
            : buttons.every((one) => !high(one) || high(one) >= 44) &&
              chips.every((one) => high(one) >= 32); }""",
    "the curve has an axis and names what is under the pointer": """
        () => { const plot = document.querySelector('#curve .plot');
          const axis = [...plot.querySelectorAll('.axis')].map((one) => one.textContent);
          const { left, top } = plot.getBoundingClientRect();
          plot.dispatchEvent(new PointerEvent('pointermove', { clientX: left + 3, clientY: top }));
          return axis.join() === '0,50,100 %' && document.getElementById('named').textContent; }""",
    "the list is one tab stop of whole rows": """
        () => { const list = document.getElementById('decisions'), row = list.querySelector('li');
          return list.tabIndex === 0 && !list.querySelector('a, button') &&
            Math.abs((list.clientHeight / row.getBoundingClientRect().height + 0.5) % 1 - 0.5)
              < 0.05; }""",
    "one border holds for all programs": """
        () => document.querySelector('.counts-of').textContent.includes('0.020 and 0.080')""",
    "all chances come on demand": """
        () => { const pressed = (value) => document
            .querySelector("#decision [data-go='c']").getAttribute('aria-pressed') === value;
          const heads = () => document.querySelectorAll('#decision .opinion thead th').length;
          const before = heads(), off = pressed('false');
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }));
          return off && pressed('true') && heads() > before &&
            document.querySelectorAll('#decision .opinion').length === 2 &&
            document.querySelector('#decision .opinions').textContent.includes('Gammon lost'); }""",
    "practice asks whose errors and hides the answers": """
        () => { document.getElementById('practise').click();
          const asks = document.documentElement.dataset.practice === 'who';
          document.querySelector("[data-practice-seat='']").click();
          const shown = (which) => [...document.querySelectorAll(which)]
            .filter((one) => one.checkVisibility()).length;
          return asks && shown('.choices button') > 1 && !shown('#decision .opinion') &&
            !shown('#decision .arrow') && !shown('#list') && !shown('#curve'); }""",
}
"""In the order in which they are tried: the last ones change the page."""


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_page_keeps_its_promises(browser, tmp_path, size, scheme):
    many = beginnings(".xg", ".sgf")
    viewport = {"width": size[0], "height": size[1]}
    decisions = review_decisions(many)
    key = next(decisions.keys[at] for at in decisions.order if ":" in decisions.done(at))
    page = opened(browser, many, tmp_path, f"#{key}", viewport=viewport, color_scheme=scheme)
    assert serious(page) == []
    assert [claim for claim, script in CLAIMS.items() if not page.evaluate(script)] == []

"""A decision to send from the page of a match: its text is the one that the command writes, its
picture has the board and what every analysis says."""

import pytest

from reconcile.exercises.cards import xg_text
from reconcile.exercises.exercise import Wanted, exercises
from reconcile.gap.review import review
from tests.report.open_pages import opened
from tests.support.command_line import SGF, XG
from tests.support.data import label, matching
from tests.support.loaded import loaded
from tests.support.long import long_but_first

TEXTS = """() => {
  const found = {}, press = key => document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true }));
  press('Home');
  for (let last = ''; location.hash !== last; press('ArrowRight')) {
    last = location.hash;
    const copy = document.querySelector('[data-send=text]');
    if (!copy) continue;
    copy.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const { game, turn, kind } = document.getElementById('decision').dataset;
    const asked = { play: 'play', 'no-double': 'double', double: 'double' }[kind] || 'take';
    found[[game, turn, asked].join()] = copy.dataset.copy;
  }
  return found;
}"""


def written(browser, paths, folder):
    """By decision the text that the page copies and the one that the command writes."""
    many = review(*map(loaded, paths))
    copied = opened(browser, many, folder).evaluate(TEXTS)
    pairs = {}
    for player in many.names:
        for each in exercises(paths, player, Wanted(least=0.0)).exercises:
            decision = each.decision
            place = f"{decision.game},{decision.turn},{each.kind}"
            pairs[place] = copied[place], xg_text(each)
    assert len(pairs) > len(copied) - 3
    return pairs


REAL = [
    pytest.param([path], id=label(path))
    for path in matching("real/match_with_comment.xg", "bgblitz/bgf/*.bgf", "gnubg/m09*.sgf")[:3]
]


@pytest.mark.parametrize(
    "paths",
    long_but_first(
        [pytest.param([str(XG), str(SGF)], id="pair"), *REAL, pytest.param([str(SGF)], id="one")],
        0,
        1,
    ),
)
def test_copied_text_is_the_one_that_the_command_writes(browser, tmp_path, paths):
    pairs = written(browser, list(map(str, paths)), tmp_path)
    assert len(pairs) > 50
    for place, (copied, expected) in pairs.items():
        assert copied.splitlines() == expected.splitlines(), place


def test_picture_has_the_board_and_every_verdict(pair, tmp_path):
    page = pair.page
    page.keyboard.press("n")
    with page.expect_download() as download:
        page.click("[data-send=picture]")
    assert download.value.suggested_filename.endswith(".png")
    path = tmp_path / "picture.png"
    download.value.save_as(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    colours = page.evaluate(
        """async url => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const canvas = document.createElement('canvas'), paint = canvas.getContext('2d');
          Object.assign(canvas, { width: image.width, height: image.height });
          paint.drawImage(image, 0, 0);
          const all = paint.getImageData(0, 0, image.width, image.height).data, seen = {};
          for (let at = 0; at < all.length; at += 4) {
            const colour = [...all.slice(at, at + 3)].join();
            seen[colour] = (seen[colour] || 0) + 1;
          }
          return [image.width, image.height, Object.values(seen).filter(n => n > 5000).length];
        }""",
        page.evaluate("""() => {
          const click = HTMLAnchorElement.prototype.click;
          return new Promise(done => {
            HTMLAnchorElement.prototype.click = function () { done(this.href); };
            document.querySelector('[data-send=picture]').click();
          });
        }"""),
    )
    assert colours[0] == 2 * 638
    assert colours[1] > 2 * 536
    assert colours[2] > 4, "felt, frame, points and checkers are painted"

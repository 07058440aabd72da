"""The demonstration pair: what its files say of themselves."""

from tests.support.loaded import DEMONSTRATION, loaded

RIGHT, LEFT = (DEMONSTRATION.with_suffix(ending) for ending in (".sgf", ".xg"))


def test_demonstration_says_in_its_header_that_no_xg_made_it():
    content = LEFT.read_bytes()
    title, event = (content[start : start + 2048].decode("utf-16-le") for start in (40, 4136))
    assert "Synthetic" in title
    assert "not by eXtreme Gammon" in event
    assert loaded(LEFT).event.startswith("Synthetic: written from a GNU Backgammon analysis")

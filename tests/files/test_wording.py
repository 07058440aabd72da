"""Sentences that keep the turns they name, and the lists in them."""

from __future__ import annotations

import copy
import pickle

import pytest

from reconcile.files.wording import Sentence, Turn, fewer, listed, signed


def test_sentence_reads_as_its_pieces_and_keeps_the_turns() -> None:
    inner = Sentence("one play (", Turn(2, 20), ")")
    sentence = Sentence(inner, " makes it", ".")
    assert sentence == "one play (game 2, turn 20) makes it."
    assert sentence.pieces == ("one play (", Turn(2, 20), ")", " makes it", ".")
    assert sentence.opening() == "One play (game 2, turn 20) makes it."
    assert sentence.opening().pieces[1] == Turn(2, 20)


@pytest.mark.parametrize("count", range(4))
def test_list_of_sentences_reads_as_a_list_of_words(count: int) -> None:
    words = [Sentence("at ", Turn(number, 1)) for number in range(count)]
    assert Sentence.listed(words) == listed(words)
    assert [piece for piece in Sentence.listed(words).pieces if isinstance(piece, Turn)] == [
        Turn(number, 1) for number in range(count)
    ]


def test_copies_keep_the_turns() -> None:
    sentence = Sentence("in ", Turn(1, 3))
    for again in (
        pickle.loads(pickle.dumps(sentence)),
        copy.copy(sentence),
        copy.deepcopy(sentence),
    ):
        assert (again, again.pieces) == (sentence, sentence.pieces)


@pytest.mark.parametrize(
    ("number", "text"), [(0.456, "+0.46"), (-0.456, "\N{MINUS SIGN}0.46"), (0.0, "+0.00")]
)
def test_change_has_a_sign(number: float, text: str) -> None:
    assert signed(number) == text


def test_message_lists_the_first_of_many_values() -> None:
    values = [f"'{number}'" for number in range(40)]
    assert fewer(f"input should be {', '.join(values[:-1])} or {values[-1]}, found 7") == (
        f"input should be {', '.join(values[:12])}, or one of 28 others, found 7"
    )
    assert fewer("input should be 'a' or 'b'") == "input should be 'a' or 'b'"

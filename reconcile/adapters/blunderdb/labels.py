"""blunderDB's names of cube actions and kinds of move: free text before schema 2.31, a number for each text since.

The texts were written by importers over many years, in several spellings and two languages; a number means one exact text.
"""

from __future__ import annotations

from typing import Final

from reconcile.columns import Kind

LABELS: Final = (
    "", "checker", "cube",
    "No Double", "Double, Take", "Double, Pass", "Too good to double, pass", "Too good to double, take",
    "Double", "Take", "Pass", "Drop", "Beaver", "Double/Take", "Double/Pass", "Double/Beaver",
    "NoDouble", "No double", "Double, take", "Double, pass", "Too good to double", "Too good", "TG",
    "Redouble", "No Redouble", "Redouble, Take", "Redouble, Pass",
    "Double / Take", "Double / Pass", "Double / Prendre", "Double / Refuser", "Double / Reject",
    "No redouble", "Redouble, take", "Redouble, pass", "Too good to redouble, pass", "Too good to redouble, take",
    "Double, Beaver", "Double, beaver", "Too Good", "No Double, Take", "No Double, Pass",
)  # fmt: skip
"""The text of every fixed number, which is its index; numbers from 1000 on are in the table `action_label`."""
PLAIN_NO_DOUBLES: Final = ("", "No Double", "NoDouble")
"""The spellings that blunderDB's own statistics treat as no double; any other text counts as an action."""

_SPOKEN: Final = {
    Kind.BEAVER: ("beaver",),
    Kind.TAKE: ("take", "prendre"),
    Kind.PASS: ("pass", "drop", "reject", "refuser"),
}
"""A response, and the words in a label that mean it."""


def cube_action(label: str) -> tuple[Kind, Kind | None] | None:
    """The action that a label names, and the response if the same label includes it; `None` for an unknown label.

    >>> cube_action("Double / Prendre")
    (<Kind.DOUBLE: 2>, <Kind.TAKE: 3>)
    """
    plain = "".join(filter(str.isalpha, label.casefold()))
    if plain in ("", "nd", "tg") or plain.startswith(("nodouble", "noredouble", "toogood")):
        return Kind.NO_DOUBLE, None
    answer = next((kind for kind, words in _SPOKEN.items() if any(word in plain for word in words)), None)
    if plain.startswith(("double", "redouble")):
        return Kind.DOUBLE, answer
    if plain in ("dt", "dp"):
        return (Kind.TAKE if plain == "dt" else Kind.PASS), None
    return None if answer is None else (answer, None)

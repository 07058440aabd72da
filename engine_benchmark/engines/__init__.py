"""The engines that can be scored: anything that, given positions and rolls, names the positions its plays lead to."""

from __future__ import annotations

import re
from typing import Final

from engine_benchmark.engines.command import Engine
from reconcile.errors import UnknownName
from reconcile.files.inputs import note
from reconcile.files.wording import words_of

MOST_PLIES: Final = 3
SILENCE: Final = 600.0
"""Longest silence of an engine, in seconds."""
_NAMED: Final = re.compile(r"(gnubg|gnubg-nn)(?::(\d))?")


def engine(text: str, *, silence: float = SILENCE, jobs: int | None = None) -> Engine:
    """The engine of `--engine`: `gnubg`, `gnubg-nn`, either with `:PLIES`, or a command of the line protocol.

    `jobs` is how many processes of a named engine run in parallel. Raises `EngineError`, `UnknownName`.
    """
    named = _NAMED.fullmatch(text.strip())
    if named:
        plies = int(named[2] or 0)
        if plies > MOST_PLIES:
            raise UnknownName(f"engine {text!r}: expected 0 to {MOST_PLIES} plies, found {plies}")
        if named[1] == "gnubg":
            from engine_benchmark.engines.gnubg import GnubgPlayer

            return GnubgPlayer.found(plies, silence=silence, jobs=jobs)
        from engine_benchmark.engines.gnubg_nn import gnubg_nn

        return gnubg_nn(plies, silence=silence, jobs=jobs)
    from engine_benchmark.engines.command import CommandPlayer

    if re.match(r"gnubg(-nn)?:", text.strip()):
        raise UnknownName(
            f"engine {text!r}: expected a number of plies after the colon, such as gnubg:2"
        )
    try:
        arguments = words_of(text)
    except ValueError as error:
        raise UnknownName(
            f"engine {text!r}: not a command: {str(error).lower()}; correct the quotes"
        ) from None
    if not arguments:
        raise UnknownName("expected gnubg, gnubg-nn or a command as engine, found nothing")
    for word in arguments:
        note(word)
    return CommandPlayer(tuple(arguments), silence=silence, jobs=jobs or 1)

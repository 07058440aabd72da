"""What a transcript is recognised by, whatever tool wrote it and in whichever order it seats the players."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from reconcile.match import Match, Validity


def fingerprint(match: Match) -> str:
    """A digest of the length and of every roll played: game, thrower, dice. Empty where nothing was rolled.

    The player of the first roll is called 0, so two files agree though one has the players the other way round. Rolls that
    nobody played are left out, since not every format keeps them; plays and names are, too, since tools spell them differently.
    """
    plays = match.plays
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return ""
    player = plays.player[played]
    dice = np.sort(plays.dice[played], axis=1)
    rolls = np.column_stack((match.games.number[plays.game[played]], player != player[0], dice)).astype("<i4")
    return sha256(np.int32(match.length or 0).tobytes() + rolls.tobytes()).hexdigest()

"""gnuBG's identifiers read back, by the description in its manual: what ours are held against."""

from base64 import b64decode

from reconcile.match.board.position import (
    NO_DICE,
    Situation,
    from_position_id,
    swap,
)

# Bits from the lowest of the first byte on; gnuBG's manual, "A technical description of the Match
# ID".
FIELDS = {
    "log_cube": 4,
    "owner": 2,  # player 0, player 1; 3 centred
    "on_roll": 1,  # player
    "crawford": 1,
    "state": 3,  # 0 no game, 1 playing, 2 over, 3 resigned, 4 dropped
    "turn": 1,  # who decides: not the one on roll when a double or a resignation is offered
    "doubled": 1,
    "resigned": 2,  # 1 single, 2 gammon, 3 backgammon
    "die1": 3,  # the larger
    "die2": 3,
    "length": 15,  # 0 money
    "score0": 15,
    "score1": 15,
    "no_jacoby": 1,  # gnuBG 1.0 and later; set in a match, where it means nothing
}


def from_gnubg_id(text):
    """The situation of `Position ID:Match ID`; the position is in the view of the player on
    roll."""
    position_id, _, match_id = text.partition(":")
    position = from_position_id(position_id)
    bits = int.from_bytes(b64decode(match_id), "little")
    values = {}
    for field, width in FIELDS.items():
        values[field] = bits & ((1 << width) - 1)
        bits >>= width
    doubled, decides = bool(values["doubled"]), values["turn"]
    score = (values["score0"], values["score1"])
    turned = (score[1], score[0])
    return Situation(
        position=swap(position) if doubled else position,
        dice=NO_DICE if doubled else (values["die1"], values["die2"]),
        cube=1 << values["log_cube"],
        owner=0 if values["owner"] >= 2 else 2 * (values["owner"] == decides) - 1,
        length=values["length"] or None,
        score=turned if decides else score,
        crawford=bool(values["crawford"]),
        jacoby=not values["no_jacoby"] and not values["length"],
        double_offered=doubled,
        decider_is_top=decides == 0,
    )

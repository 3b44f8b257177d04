"""event.py: what a caller is told, one thing after the other.

kind         what                                                message
connected    the lobby knows us
answer       the answer to ask `request`                          lobby.Answer
refused      ask `request` will not be served                     envelope.Refused
table        event `number` of `table`                            lobby.TableEvent
table_now    so long away that events are not kept                lobby.Table
table_lost   no news of `table` any more                          envelope.Refused
attached     the match as the seat may see it, at act `number`;   engine.Attached
             `view`, or None: dice are being made first
view         the same, asked for again by look(): right      engine.Attached
             behind act `number`, the last one that was told
act          act `number`, by `actor`: `happenings`               stream.ActBody
reply        what became of command `request`: `outcome`          engine.Reply
legal        what the seat may do at act `number`                 engine.LegalAnswer
dice         our contribution is among the bytes of the dice
over         there will be no more acts; `proof`
lost         no more of this match for this seat                  envelope.Refused, engine.Closed
fault        the house broke a promise: `fault`

Of each table every number is told once, in order; of each match a view at some act, then every act behind
it, once, in order, without a gap, the last one too. An accepted command is told right behind its act.
"""
import dataclasses


@dataclasses.dataclass
class Happening:
    """One thing that happened in an act, in order, private ones among the public ones."""
    message: object  # stream.HouseEvent, an Event of the game, or None: the game is not known here.
    bytes: bytes = b""
    is_house: bool = False
    is_private: bool = False


@dataclasses.dataclass
class Event:
    kind: str
    message: object = None
    table: bytes = b""
    match_id: bytes = b""
    seat: int = 0xffffffff
    number: int = 0
    request: int = 0
    actor: int = 0
    outcome: str = ""  # accepted, not_accepted, unfit, unsure
    refusal: str = ""
    fault: str = ""    # fork, rollback, box, dice, secrets
    proof: frozenset = frozenset()  # seals, dice, own_bytes
    view: object = None
    happenings: tuple = ()

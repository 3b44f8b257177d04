"""asking.py: whom a seat asks for the acts it missed: the fanout it listens to, the others, and the engine."""
from . import messages
from .due import ENGINE_GAP_MS, ENGINE_HISTORY_MS, RETRY_MS, is_for_later
from .peers import HISTORY
from .wire import Header

TAG_HISTORY = 0x10000000
ENGINE_EVERY = 3


class Asking:
    """A part of Seat. When the stream is cut, another fanout is listened to, if there is one; and until whoever we
    listen to has spoken, he and the engine are asked in turn."""

    def begin_asking(self):
        self.asked = None
        self.is_behind = False                 # Somebody answered for an owner of before.
        self.is_cut = self.is_engines = False  # The stream was lost; it is the engine's turn to be asked ...
        self.engine_ms = 0                     # ... but never before this.

    def doubt(self, now_ms, is_same, wait_ms=0):
        """What was said since then did not come, and nothing will before somebody listens anew. If that is at another
        fanout, it is asked first; at the same one, or if this happens again and again, the engine is."""
        self.fetch.tries, self.asked = 0, None
        self.is_engines = is_same or self.is_cut
        self.is_cut, self.quiet_ms = True, RETRY_MS
        if self.next and (self.fetch.at_ms or 0) > now_ms + wait_ms:
            self.fetch.at_ms = now_ms + wait_ms

    def cut(self, now_ms):
        """The connection to the stream was lost."""
        before = self.fanout
        others = [place for place in self.core.peers.fanouts() if place != before]
        behind = [place for place in others if place > before]
        if others:
            self.listen((behind or others)[0], now_ms)
        self.doubt(now_ms, self.fanout == before)

    def heard_from(self, place, kind):
        """A stream that brings something is whole again, behind what brought it; a fanout that answers is asked on. Whoever was
        behind when he was asked is not any more once something newer is heard: pauses had grown long meanwhile."""
        if self.is_behind and kind != "HISTORY_ANSWER":
            self.is_behind, self.fetch.tries = False, 0
        if place == self.fanout and kind == "HISTORY_ANSWER":
            self.is_engines = False
        elif place == self.fanout:
            self.is_cut = False

    def engine_free_ms(self):
        """When the engine may be asked: each seat seldom, and all of them not at once."""
        return max(self.engine_ms, self.core.engine_history_ms)

    def choose_door(self, now_ms):
        fanouts, engine, tries = self.core.peers.fanouts(), self.engine(), self.fetch.tries
        is_silent = bool(tries) and self.asked is not None and self.asked == self.fanout
        fanout = None
        if fanouts:
            behind = [place for place in fanouts if place > (self.asked or 0)]
            is_ours = (tries == 0 or self.asked is None) and self.fanout in fanouts
            fanout = self.fanout if is_ours else (behind or fanouts)[0]
        if is_silent and fanout == self.fanout:
            self.is_cut = self.is_engines = True  # There is no other.
        is_engines = (fanout is None or tries % ENGINE_EVERY == ENGINE_EVERY - 1
                      or self.is_cut and self.is_engines)
        if is_engines and engine is not None and now_ms >= self.engine_free_ms():
            self.core.engine_history_ms, self.engine_ms = now_ms + ENGINE_GAP_MS, now_ms + ENGINE_HISTORY_MS
            self.is_engines = False
            return engine
        if is_silent and fanout is not None:
            self.listen(fanout, now_ms)  # Who keeps silent is not listened to any longer.
        self.asked, self.is_engines = fanout, True
        return fanout

    def waits_for_engine(self, now_ms):
        """It is the engine's turn, and there is nobody better: it is waited for, if it may not be asked yet."""
        free_ms = self.engine_free_ms()
        if not (self.is_cut and self.is_engines) or free_ms <= now_ms or self.engine() is None:
            return False
        self.fetch.at_ms = free_ms
        return True

    def ask_history(self, now_ms):
        place = self.choose_door(now_ms)
        if place is not None:
            self.core.send(place, HISTORY, Header("HISTORY_ASK", self.match_id, request=TAG_HISTORY,
                                                     version=self.protocol),
                           messages.stream.HistoryAsk(**{"from": self.next}))

    def history_refused(self, place, message, now_ms):
        """Whoever says when to come back is not silent, and is not left for it."""
        refusal = messages.REFUSALS[message.refusal]
        is_asked = self.fetch.tries > 0 and place in (self.asked, self.engine())
        if is_asked and message.after_ms > 0 and is_for_later(refusal, message):
            self.asked = None
            self.fetch.tries -= 1  # This was none.
            self.fetch.again(now_ms, message)

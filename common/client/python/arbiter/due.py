"""due.py: when something is to be said, and said again until it is answered."""
RETRY_MS = 500
RETRY_MAX_MS = 8000
ACT_WAIT_MS = 100        # An act only heard of is on its way for so long.
QUIET_MS = 2000          # Nothing was heard: whether there is anything; doubled each time ...
QUIET_MAX_MS = 16000     # ... up to this.
ENGINE_HISTORY_MS = 500  # The engine's own history is asked at most so often for each seat.
ENGINE_GAP_MS = 10       # All seats together ask engines at most so often.
LATER = ("AGAIN", "ELSEWHERE", "FULL", "DRAINING")


def is_for_later(refusal, message):
    """Whether what was refused is to be asked again. TOO_MUCH without a time to come back is what does not fit, and
    never will."""
    return refusal in LATER or refusal == "TOO_MUCH" and message.after_ms > 0


class Due:
    def __init__(self, at_ms=None):
        self.at_ms, self.tries = at_ms, 0  # None: nothing is to be done.

    def now(self, now_ms, wait_ms=0):
        self.at_ms, self.tries = now_ms + wait_ms, 0

    def never(self):
        self.at_ms, self.tries = None, 0

    def is_due(self, now_ms):
        return self.at_ms is not None and self.at_ms <= now_ms

    def again(self, now_ms, refused=None):
        wait_ms = min(RETRY_MS << min(self.tries, 5), RETRY_MAX_MS)
        if refused is not None and refused.after_ms > 0:
            wait_ms = min(refused.after_ms, RETRY_MAX_MS)
        self.tries += 1
        self.at_ms = now_ms + wait_ms

"""players.py: who plays and watches: the Python client, and all that it was told, judged as it comes."""
import collections

import arbiter
from arbiter import messages

from doors import hold

# What the client finds by itself, and the promise that is broken then.
FAULTS = {"fork": "chain", "rollback": "chain", "box": "box", "dice": "dice", "secrets": "dice"}


class Player:
    """One key. What it was told is kept by match and seat."""

    def __init__(self, house, name, told, role=messages.directory.ROLE_CLIENT):
        doors = (house.folder / "run" / "doors").read_text().split()
        self.name, self.told = name, told
        self.client = arbiter.Client(*doors, key_file=house.key(name), role=role, name=name)
        self.views, self.acts, self.over = {}, collections.defaultdict(list), {}
        self.answers, self.replies, self.lists, self.begun, self.ended = {}, {}, {}, [], []

    def hear(self):
        event = self.client.next(timeout_ms=0)
        while event is not None:
            hold(FAULTS.get(event.fault, "stream"), event.kind != "fault", f"{self.name} finds: {event.fault}, "
                 f"act {event.number}")
            hold("answer", event.kind not in ("lost", "refused"), f"{self.name} is sent away: {event.refusal}")
            getattr(self, f"hear_{event.kind}", lambda event: None)(event)
            event = self.client.next(timeout_ms=0)

    def hear_answer(self, event):
        self.answers[event.request] = event.message

    def hear_table(self, event):
        kind = event.message.WhichOneof("kind")
        if kind == "match_begins":
            self.begun.append(event.message.match_begins.match_id)
        elif kind == "match_ended":
            self.ended.append(event.message.match_ended.result.match_id)

    def hear_attached(self, event):
        self.views[event.match_id, event.seat] = event

    def hear_act(self, event):
        """Everybody is told the same act under a number."""
        same = self.told.setdefault((event.match_id, event.number), event.message)
        hold("stream", same == event.message, f"{self.name} is told another act {event.number} than others")
        self.acts[event.match_id, event.seat].append(event)

    def hear_reply(self, event):
        self.replies[event.request] = event

    def hear_legal(self, event):
        self.lists[event.request] = event.message

    def hear_over(self, event):
        self.over[event.match_id, event.seat] = event

"""people.py: who comes to the door from outside: programs that play whole matches, and a crowd that watches."""
import base64
import pathlib
import sys
import threading
import time

LIB = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(LIB / "gateway"), str(LIB / "history")]

import linearizable  # noqa: E402
import socket_client  # noqa: E402

CUT = (socket_client.Closed, OSError)
LOOK_S = 0.3      # Between two looks at one's seat: the door counts what a tab says.
PATIENCE_S = 60.0
QUIET_S = 5.0     # Then what was said may have been lost with a gateway or an engine.


class Person:
    """A player at the door who comes again when he is cut off, as often as that happens."""

    def __init__(self, port, name=None, patience_s=PATIENCE_S):
        self.port, self.name, self.patience_s = port, name, patience_s
        self.player = socket_client.Player(port)
        self.cuts = 0

    def come(self):
        end = time.monotonic() + self.patience_s
        while True:
            try:
                hello = {"name": self.name} if self.name and self.player.session is None else {}
                welcome = self.player.open(**hello)
                if "welcome" in welcome:
                    return
            except (*CUT, AssertionError):
                pass
            if time.monotonic() > end:
                raise AssertionError(f"{self.name} was not let in for {self.patience_s:.0f} s")
            time.sleep(0.5)

    def come_again(self):
        self.cuts += 1
        self.come()

    def ask(self, **ask):
        """An ask of the lobby, until it is answered; a house that is not there yet says so, or nothing."""
        end, last = time.monotonic() + self.patience_s, None
        while time.monotonic() < end:
            try:
                down = last = self.player.ask(ask=ask)
                answer = down.get("answer")
                if answer is not None and answer.get("verdict", "VERDICT_DONE") not in ("VERDICT_NO_BOTS", "VERDICT_LOBBY_FULL"):
                    return answer
            except (*CUT, AssertionError) as fault:
                last = f"{type(fault).__name__}: {fault}"
                self.come_again()
            time.sleep(0.5)
        raise AssertionError(f"{self.name} was not answered: {ask}; last: {last}")


class Gamer(Person):
    """Plays one match after the other against the house's bots, and notes which of his commands were accepted."""

    def __init__(self, port, name, game, setup=None, seats=None, matches=1, patience_s=PATIENCE_S):
        super().__init__(port, name, patience_s)
        self.create = {"game": game, **({"setup_name": setup} if setup else {}), **({"seats": seats} if seats else {})}
        self.left = matches
        self.accepted = {}   # Match -> {number of the act: seat}
        self.history, self.plays = [], {}   # Operations (linearizable.py); those under way by their requests.
        self.over = []
        self.fault = None
        self.is_told_to_stop = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            self.come()
            while self.left > 0 and not self.is_told_to_stop.is_set():
                self._sit_down()
                self._play()
                self._get_up()
                self.left -= 1
        except Exception as fault:  # It is looked at by whoever waits for us.
            self.fault = f"{self.name} ({self.create['game']}): {type(fault).__name__}: {fault}"

    def _get_up(self):
        """A player may be at 16 tables at once, and those whose match is over count until he leaves."""
        if self.table is not None and not self.is_told_to_stop.is_set():
            self.ask(leave_table={"table": self.table})

    def _sit_down(self):
        """Opens a table; or sits at one already, since an answer was lost, or the end of a match was not heard."""
        self.match, self.seat, self.table = None, 0, None
        while self.match is None:
            answer = self.ask(create_table=self.create)
            if answer["verdict"] == "VERDICT_DONE":
                self.fill(answer["table"]["table"])
                return
            for table in self.ask(rejoin={}).get("tables", {}).get("tables", []):
                if table["phase"] == "PHASE_OPEN":
                    self.fill(table["table"])
                    return
                self.find(table)
            time.sleep(0.5)

    def fill(self, table):
        self.table = table
        answer = self.ask(fill_with_bots={"table": table, "policy": "greedy"})
        if answer["verdict"] not in ("VERDICT_DONE", "VERDICT_BEGUN", "VERDICT_TABLE_FULL"):
            raise AssertionError(f"no bots at this table: {answer}")

    def find(self, table):
        """The match that goes on at a table where one sits; False: none does."""
        seats = [seat["seat"] for seat in table["seats"] if seat.get("player", {}).get("name") == self.name]
        if table["phase"] != "PHASE_PLAYING" or not seats:
            return False
        self.match, self.seat, self.table = table["match_id"], seats[0], table["table"]
        self.accepted.setdefault(self.match, {})
        return True

    def is_seated(self):
        """Asked when all is quiet: who was cut off at the end of a match hears of it no more."""
        return any(self.find(table) for table in self.ask(rejoin={}).get("tables", {}).get("tables", []))

    def _play(self):
        self.is_dirty, self.looked, self.at = True, 0.0, None
        began = heard = time.monotonic()
        while not self.is_over(heard):
            try:
                if self.match is not None and self.is_dirty and time.monotonic() - self.looked >= LOOK_S:
                    self.is_dirty, self.looked = False, time.monotonic()
                    self.at = self.player.send(look={"match_id": self.match, "seat": self.seat, "legal": True, "best": True,
                                                     "luck": str(int(self.looked * 1000))})
                down = self.player.next(0.3)
                if down is not None and self._hear(down):
                    return
                if down is not None and "refused" not in down:
                    heard = time.monotonic()
                elif time.monotonic() - heard > QUIET_S:
                    if not self.is_seated():
                        return
                    self.is_dirty, heard = True, time.monotonic()
            except CUT:
                self.come_again()
                self.is_dirty = True
            if time.monotonic() - began > 600:
                raise AssertionError(f"it never ends; last heard: {self.player.heard[-3:]}")

    def is_over(self, heard):
        return self.is_told_to_stop.is_set() and (self.match is None or time.monotonic() - heard > 30)

    def _note(self, operation, call, end, result, seat=None):
        match = base64.b64decode(self.match).hex()
        return linearizable.Operation(self.name, match, operation, seat, None, call, end, result)

    def _say(self, command):
        """What nobody answers before he is cut off may have been played."""
        call = time.monotonic_ns()
        self.at = self.player.send(play={"match_id": self.match, "seat": self.seat, "command": command})
        self.plays[self.at] = self._note("play", call, linearizable.NEVER, None, self.seat)

    def _is_told(self, down):
        play, played = self.plays.get(down.get("request")), down.get("played")
        if play is not None and played is not None and not played.get("unsure"):
            self.plays[down["request"]] = play._replace(
                end=time.monotonic_ns(), result=int(played["number"]) if played.get("accepted") else "refused")
        if self.match is not None and down.get("happened", {}).get("match_id") == self.match:
            happened = down["happened"]
            self.history.append(self._note("seen", 0, time.monotonic_ns(), [int(happened["number"]), happened.get("actor", 0), None]))

    def _hear(self, down):
        """True: the match is over."""
        self._is_told(down)
        if "shown" in down and not down["shown"].get("over") and "seat" in down["shown"]:
            self.match, self.seat = down["shown"]["match_id"], down["shown"]["seat"]
            self.accepted.setdefault(self.match, {})
        if "over" in down and down["over"]["match_id"] == self.match or "gone" in down:
            self.over.append(self.match)
            return True
        self.is_dirty = self.is_dirty or "shown" in down or "happened" in down
        if "request" in down and down["request"] == self.at:
            if "legal" in down and down["legal"].get("to_act"):
                legal = down["legal"]
                command = legal.get("best") or legal.get("proposal") or legal["patterns"][0]["example"]
                self._say(command)
            elif "refused" in down:
                self.looked = time.monotonic() + down["refused"].get("after_ms", 0) / 1000 if isinstance(
                    down["refused"].get("after_ms", 0), int) else time.monotonic() + 1
                self.is_dirty = True
        if "played" in down:
            played = down["played"]
            self.is_dirty = True
            if played.get("accepted"):
                self.accepted[self.match][int(played["number"])] = self.seat
        return False

    def wait(self, patience_s):
        self.thread.join(patience_s)
        if self.thread.is_alive():
            raise AssertionError(f"{self.name} plays still; last heard: {self.player.heard[-3:]}")
        if self.fault:
            raise AssertionError(self.fault)


def history_of(gamers):
    """What they did and heard; the house's bots keep no record."""
    history = [one for gamer in gamers for one in (*list(gamer.history), *dict(gamer.plays).values())]
    ours = {(one.match, one.seat) for one in history if one.operation == "play"}
    others = {(one.match, one.result[1]) for one in history if one.operation == "seen" and one.result[1] < linearizable.HOUSE} - ours
    return history + [linearizable.Operation("a bot", match, "stranger", seat, None, 0, 0, None) for match, seat in sorted(others)]


class Viewer(Person):
    """Watches one match at the door from its first act on; each act is to come once, in order, and then the end."""

    def __init__(self, port, number, match):
        super().__init__(port)
        self.number, self.match = number, match
        self.told, self.missed, self.doubled, self.began = None, 0, 0, None
        self.is_over, self.fault = False, None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            while not self.is_over:
                try:
                    self.come()
                    after = {} if self.told is None else {"after": str(self.told)}
                    self.player.send(watch={"match_id": self.match, **after})
                    while not self.is_over:
                        down = self.player.next(10)
                        self.player.heard.clear()
                        if down is not None:
                            self._hear(down)
                except CUT:
                    self.cuts += 1
                    time.sleep(0.5)
        except Exception as fault:  # It is looked at by whoever waits for us.
            self.fault = f"viewer {self.number}: {type(fault).__name__}: {fault}"

    def _hear(self, down):
        if "shown" in down:
            number = int(down["shown"].get("number", 0))
            if self.told is None:
                self.told = self.began = number
            elif number != self.told:    # A view that stands elsewhere than where we are hides what is between.
                self.missed += max(0, number - self.told)
                self.told = max(number, self.told)
        elif "happened" in down:
            number = int(down["happened"]["number"])
            if self.told is None:
                self.began = number - 1
            elif number > self.told + 1:
                self.missed += number - self.told - 1
            elif number <= self.told:
                self.doubled += 1
            self.told = max(number, self.told or 0)
        elif "over" in down:
            self.is_over = True
        elif "gone" in down:
            raise AssertionError(f"sent away: {down['gone']}")
        elif "refused" in down:
            raise AssertionError(f"refused: {down['refused']}")

    def wait(self, until):
        self.thread.join(max(0.0, until - time.monotonic()))
        return self.is_over and self.fault is None and self.missed == 0 and self.doubled == 0

    def __str__(self):
        return (self.fault or f"viewer {self.number} of {self.match}: acts {self.began}..{self.told}, "
                f"missed {self.missed}, doubled {self.doubled}, over {self.is_over}, cut off {self.cuts} times")

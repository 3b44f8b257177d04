"""dice_browser.py: a page makes its own bytes for hosted dice: they are in the match file, after a reload and on another device, too."""
import base64
import hashlib
import hmac
import json
import urllib.request

import harness
import nim_counters
import socket_client
from arbiter import messages  # noqa: F401
import match_pb2  # Behind `messages`, which makes it.

# As a browser is in a classroom, where the page comes over plain http.
PLAIN = "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });"

# What the page says, and a way to say something to it in the gateway's place.
BETWEEN = """
window.said = [];
window.WebSocket = class extends WebSocket {
    constructor(...words) {
        super(...words);
        window.line = this;
    }
    send(text) {
        window.said.push(text);
        super.send(text);
    }
};
"""
GOOD = "your own bytes were in them"


def base64_of(some):
    return base64.b64encode(some).decode()


class Dice(harness.Case):
    names = 0

    def program(self):
        """Somebody who holds the dice up, for the page's sake."""
        Dice.names += 1
        player = socket_client.Player(self.port)
        self.addCleanup(player.close)
        player.open(name=f"Slow {Dice.names}", own_bytes=True)
        return player

    def table(self, player):
        """The code of a table for two, which everybody may see."""
        return player.ask(ask={"create_table": {"game": "nim", "setup_name": "random", "seats": 2}})["answer"]["table"]["code"]

    def wanted(self, player, wanted):
        def fits(down):
            return down.get("dice", {}).get("wanted") == wanted
        return (next(filter(fits, player.heard), None) or player.wait(fits))["dice"]

    def goes_on(self, player):
        """The program posts and reveals, as late as it likes, and the first move is its own."""
        mine = bytes(16)
        dice = self.wanted(player, "WANTED_HASH")
        about = {"match_id": dice["match_id"], "seat": dice["seat"]}
        player.send(contribute={**about, "hash": base64_of(hashlib.sha256(mine).digest())})
        self.wanted(player, "WANTED_REVEAL")
        player.send(contribute={**about, "reveal": base64_of(mine)})
        return dice["match_id"]

    def has_posted(self, player):
        """The page's hash is an act, before the program came to know of the match or behind it."""
        def says(down):
            return down.get("dice", {}).get("hashes") or any(
                "hash_posted" in event.get("house", {}) for event in down.get("happened", {}).get("events", []))
        assert any(map(says, player.heard)) or player.wait(says)

    def play_out(self, player, match, window):
        """Program and page, to the end."""
        while not window.has(".ending"):
            request = player.send(look={"match_id": match, "seat": 0, "legal": True, "best": True})
            down = player.wait(lambda down: down.get("request") == request and ("legal" in down or "refused" in down))
            if down.get("legal", {}).get("to_act"):
                player.ask(play={"match_id": match, "seat": 0, "command": down["legal"]["best"]})
            elif window.has(nim_counters.FREE):
                before = nim_counters.left(window)
                window.click(".counter:last-child:not(:disabled)")
                window.until(lambda: window.has(".ending") or nim_counters.left(window) < before, "a move")

    def contributions(self, window):
        """The header of the match this window shows, and what its file says each seat gave."""
        match = window.run("return location.hash").split("/")[2].split("?")[0]
        data = urllib.request.urlopen(f"{window.home}/api/matches/{match}/file").read()
        at, header, given = data.index(b"\n") + 1, None, {}
        while at < len(data):
            end = at + 12 + int.from_bytes(data[at:at + 4], "big")
            record = match_pb2.Record.FromString(data[at + 12:end])
            header = record.header if record.HasField("header") else header
            if record.HasField("contribution"):
                given[record.contribution.seat] = record.contribution.revealed
            at = end
        return header, given

    def own(self, window, header, seat):
        """What this browser gives, made again from what it keeps."""
        [[_, secret]] = json.loads(window.run("return localStorage.getItem('arbiter.bytes')"))
        words = b"arbiter contribution" + header.match_id + seat.to_bytes(4, "big") + header.commitment
        return hmac.digest(bytes.fromhex(secret), words, "sha256")[:16]

    def test_a_page_finds_its_own_bytes_in_the_file_without_webcrypto(self):
        ada = self.window()
        ada.cdp("Page.addScriptToEvaluateOnNewDocument", source=PLAIN)
        ada.come_in("Random Ada")
        ada.create("Nim", setup="random", seats=2)
        ada.click("button", "Fill with bots")
        ada.see(".matchpage .counter")
        nim_counters.play_out(ada)
        ada.see(".ending p.good", GOOD)
        header, given = self.contributions(ada)
        self.assertEqual(given[0], self.own(ada, header, 0))
        ada.review()
        ada.see(".ours", "those this browser made")

    def test_a_gateway_that_wants_the_bytes_too_early_gets_none(self):
        ada, bob = self.window(), self.program()
        ada.cdp("Page.addScriptToEvaluateOnNewDocument", source=BETWEEN)
        ada.come_in("Patient Ada")
        ada.go(f"#/join/{self.table(bob)}")
        self.has_posted(bob)
        dice = self.wanted(bob, "WANTED_HASH")
        own = ada.until(lambda: next((json.loads(said)["contribute"]["hash"] for said in ada.run("return window.said")
                                      if '"contribute"' in said), None), "its hash")
        for seats, silent in (([0, 1], []), ([1], []), ([1], [0])):  # Without the other one, as if there were none.
            forged = {**dice, "seat": 1, "seats": seats, "silent": silent, "hashes": [{"seat": 1, "hash": own}],
                      "wanted": "WANTED_REVEAL"}
            ada.run("window.line.onmessage({ data: arguments[0] });", json.dumps({"dice": forged}))
        match = self.goes_on(bob)
        self.play_out(bob, match, ada)
        ada.see(".ending p.good", GOOD)
        said = [json.loads(one) for one in ada.run("return window.said")]
        # It revealed once, and not before its own door had told it the other's hash.
        self.assertEqual(len([one for one in said if "reveal" in one.get("contribute", {})]), 1)

    def test_a_page_that_is_loaded_anew_reveals_what_it_had_posted(self):
        ada, bob = self.window(), self.program()
        ada.come_in("Reloaded Ada")
        ada.go(f"#/join/{self.table(bob)}")
        self.has_posted(bob)
        ada.here().refresh()
        ada.see("header .who", "Reloaded Ada")
        match = self.goes_on(bob)
        self.play_out(bob, match, ada)
        ada.see(".ending p.good", GOOD)
        header, given = self.contributions(ada)
        self.assertEqual(given[1], self.own(ada, header, 1))

    def test_another_device_reveals_what_the_first_had_posted(self):
        ada, second, bob = self.window(), self.window(), self.program()
        ada.come_in("Moving Ada")
        ada.go(f"#/join/{self.table(bob)}")
        self.has_posted(bob)
        there = ada.until(lambda: ada.run("return location.hash"), "the match")
        ada.click("header .who")
        ada.click("[role=dialog] button", "Get a code")
        link = ada.until(lambda: ada.run("return document.querySelector('[role=dialog] .copy input')?.value"), "the code")
        ada.here().get("about:blank")  # It is no page any more.
        second.go(link.removeprefix(second.home).lstrip("/"))
        second.click(".offered button.main")
        second.see("header .who", "Moving Ada")
        second.go(there)
        match = self.goes_on(bob)
        self.play_out(bob, match, second)
        second.see(".ending p.good", GOOD)
        header, given = self.contributions(second)
        self.assertEqual(given[1], self.own(second, header, 1))


if __name__ == "__main__":
    harness.main()

"""scenarios_browser.py: the four official scenarios of quests, each in the same four windows, with the cards laid, to its end."""
import json

import harness

RECORDED = harness.SOURCE / "common" / "games" / "quests" / "recorded" / "scenarios.jsonl"
OFFICIAL = ("official_A1_scenario", "official_2winner_game_2winner_quest", "official_1winner_game_with_events", "official_0_winner_quest")
REVIEWED = "official_1winner_game_with_events"
PLAYERS = ("P1", "P2", "P3", "P4")
BUTTONS = {("sponsor", True): "Sponsor it", ("sponsor", False): "Decline", ("participate", True): "Tackle it", ("participate", False): "Withdraw",
           ("stage_done", None): "Stage is ready", ("attack_done", None): "Attack is ready", ("end_turn", None): "End the turn"}
# All that one sees of the end, by eye: cards in hand, shields, who won.
SEEN = """
return { hand: [...document.querySelectorAll('.hand .lay')].map((one) => one.dataset.card),
    shields: [...document.querySelectorAll('.knight')].map((one) => one.querySelectorAll('.shields .has').length),
    winners: [...document.querySelectorAll('.knight')].flatMap((one, seat) => (one.matches('.winner') ? [`P${seat + 1}`] : [])) };
"""


def recorded(name):
    with open(RECORDED, encoding="utf-8") as lines:
        return next(found for found in map(json.loads, lines) if found["name"] == name)


class Scenarios(harness.Case):
    @classmethod
    def setUpClass(cls):
        """Four people, who play all four evenings."""
        super().setUpClass()
        cls.windows, cls.shots = {}, set()
        for player in PLAYERS:
            window = cls.windows[player] = harness.Window(harness.SHARED.browser, harness.SHARED.gateway.port, still=True)
            cls.addClassCleanup(window.end)
            window.come_in(f"{player} Official")

    def sit_down(self, config):
        """At a table whose cards are laid, until the first question."""
        windows, host = self.windows, self.windows["P1"]
        for window in windows.values():
            window.go("#/")
            window.see(".games")
        host.create("Quests", own=config, more=("laid beforehand",))
        host.see(".rigged", "laid by its host")
        for player in PLAYERS[1:]:
            windows[player].join(host)
        for window in windows.values():
            window.see(".knight")

    def get_up(self):
        """From a match that goes on."""
        for window in self.windows.values():
            if window.has(".matchhead button", "Leave the match"):
                window.click(".matchhead button", "Leave the match")
                window.click("[role=dialog] button.bad")
                window.see(".games")

    def do(self, window, step):
        if "card" in step:
            window.click(f".lay.fits[data-card='{step['card']}']")
        elif "pos" in step:
            window.click(f".hand li:nth-child({step['pos']}) .lay.fits")
        else:
            window.click(".questions button:not(.unready)", BUTTONS[step["cmd"], step.get("yes")])
            window.mean()

    def play(self, name):
        scenario, windows = recorded(name), self.windows
        self.sit_down(scenario["config"])
        first = windows[scenario["steps"][0]["by"]]
        first.see(".questions button")
        act = first.act()
        for done, step in enumerate(scenario["steps"]):
            window = windows[step["by"]]
            # Each command is one act: the board has to be that of the last one.
            window.until(lambda: window.act() >= act + done, f"act {act + done} for {step}")
            if step["cmd"] not in self.shots:  # Of each kind of decision the first.
                self.shots.add(step["cmd"])
                window.shot(f"scenario-{step['cmd']}")
            self.do(window, step)
        self.compare(windows, name, scenario["expect"]["final"], act + len(scenario["steps"]))

    def compare(self, windows, name, final, act):
        for player, window in windows.items():
            window.until(lambda: window.has(".ending") if final["over"] else window.act() >= act, f"the end for {player}")
            if final["over"]:
                window.see(".winners")
            seen = window.until(lambda: window.run(SEEN), "what is seen")
            self.assertEqual(seen["hand"], final["hands"][player], player)
            self.assertEqual(seen["shields"], [final["shields"][one] for one in PLAYERS], player)
            self.assertEqual(seen["winners"], final["winners"], player)
        windows["P1"].shot(f"scenario-{name[9:]}-end")

    def look_back(self, window, player, hand):
        """The finished match in its replay: scrubbed, verified, jumped about in, and seen with a player's eyes."""
        last = window.review()
        self.assertEqual(window.all(".findings li.bad"), [])
        self.assertIn("arbiter verify", window.text(".verify .command"))
        window.shot("replay-quests-verified")
        window.click(".marks button:last-child")
        window.until(lambda: 1 < int(window.text(".timeline .num").split()[1]) < last, "the last mark")
        self.assertEqual(window.run(SEEN)["hand"], [])  # Who watches sees nobody's cards.
        window.click("button[aria-label='To the end']")
        window.click(f".matchhead option[value='{PLAYERS.index(player)}']")
        window.until(lambda: window.run(SEEN)["hand"] == hand, "the hand at the end")
        window.shot("replay-quests")


def add(name):
    def test(self):
        self.play(name)
        if name == REVIEWED:
            self.look_back(self.windows["P3"], "P3", recorded(name)["expect"]["final"]["hands"]["P3"])
        self.get_up()
    setattr(Scenarios, f"test_{name}", test)


for each in OFFICIAL:
    add(each)


if __name__ == "__main__":
    harness.main()

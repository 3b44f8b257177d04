"""scenarios_browser.py: the four official scenarios of quests, each in four windows, with the cards laid, to its end."""
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
    def sit_down(self, name, config):
        """Four windows at a table whose cards are laid, and the first question."""
        windows = dict(zip(PLAYERS, (self.window(still=True) for _ in PLAYERS)))
        for player, window in windows.items():
            window.come_in(f"{player} {name[9:19]}")
        host = windows["P1"]
        host.click("button", "Create a table")
        host.click("[role=dialog] select option[value='(own)']")
        field = host.see("[role=dialog] textarea")
        host.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', { bubbles: true }));", field, json.dumps(config))
        host.click("[role=dialog] .check", "laid beforehand")
        host.click("[role=dialog] .check", "Fill free seats")
        host.click("[role=dialog] form > button.main")
        host.see(".seatlist")
        host.see(".rigged", "laid by its host")
        for player in PLAYERS[1:]:
            windows[player].go(f"#/join/{host.code()}")
            windows[player].see(".seatlist, .matchpage")
        return windows

    def do(self, window, step):
        if "card" in step:
            window.click(f".lay.fits[data-card='{step['card']}']")
        elif "pos" in step:
            window.click(f".hand li:nth-child({step['pos']}) .lay.fits")
        else:
            window.click(".questions button", BUTTONS[step["cmd"], step.get("yes")])

    def play(self, name):
        scenario = recorded(name)
        windows = self.sit_down(name, scenario["config"])
        first = windows[scenario["steps"][0]["by"]]
        first.see(".questions button")
        act = first.act()
        shot = None
        for done, step in enumerate(scenario["steps"]):
            window = windows[step["by"]]
            # Each command is one act: the board has to be that of the last one.
            window.until(lambda: window.act() >= act + done, f"act {act + done} for {step}")
            if step["cmd"] != shot:
                shot = step["cmd"]
                window.shot(f"scenario-{name[9:]}-{shot}")
            self.do(window, step)
        self.compare(windows, name, scenario["expect"]["final"], act + len(scenario["steps"]))
        return windows

    def compare(self, windows, name, final, act):
        for player, window in windows.items():
            window.until(lambda: window.has(".ending") if final["over"] else window.act() >= act, f"the end for {player}")
            if final["over"]:
                window.see(".winners")
            seen = window.until(lambda: window.run(SEEN), "what is seen")
            self.assertEqual(seen["hand"], final["hands"][player], player)
            self.assertEqual(seen["shields"], [final["shields"][one] for one in PLAYERS], player)
            self.assertEqual(seen["winners"], final["winners"], player)
            window.shot(f"scenario-{name[9:]}-end-{player}")

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
        windows = self.play(name)
        if name == REVIEWED:
            self.look_back(windows["P3"], "P3", recorded(name)["expect"]["final"]["hands"]["P3"])
    setattr(Scenarios, f"test_{name}", test)


for each in OFFICIAL:
    add(each)


if __name__ == "__main__":
    harness.main()

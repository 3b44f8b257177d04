"""dead_browser.py: two windows and a bot hold a colony together until the game ends: draft, votes, deeds, what cannot be done and why."""
import json
import random

import harness

MOST_DEEDS = 300
ENDS_TURN = 0.7


class Dead(harness.Case):
    def sit_down(self):
        ada, bob = self.ada, self.bob
        ada.come_in("Colony Ada")
        bob.come_in("Colony Bob")
        ada.click("button", "Create a table")
        ada.click("[role=radio]", "The dead")
        ada.click("[role=dialog] select option[value=intro]")
        ada.see("[role=dialog] .preview", "5 rounds")
        ada.click("[role=dialog] select[name=seats] option[value='3']")
        ada.click("[role=dialog] .check", "Fill free seats")
        ada.shot("create-dead")
        ada.click("[role=dialog] form > button.main")
        ada.see(".seatlist")
        ada.shot("table-dead")
        bob.join(ada)
        ada.click("button", "Add a bot")

    def draft(self, window):
        for number in (1, 2):
            window.click(f".draft li:nth-child({number}) .person")
        window.shot("match-dead-draft")
        window.click(".draft button.main")

    def deed(self, window):
        """One of all things possible, or the end of the turn."""
        if self.chance.random() < ENDS_TURN and window.has(".deeds button.main", "End the turn"):
            window.click(".deeds button.main", "End the turn")
            window.mean()
            return
        if not window.has(".actions[open]"):
            window.click(".actions summary")
        at = window.run("""
            const list = [...document.querySelectorAll('.actionlist button')].map((one) => one.innerText);
            return list.flatMap((words, at) => (words === 'Leave the match' ? [] : [at]));""")
        window.click(f".actionlist button:nth-of-type({self.chance.choice(at) + 1})")
        window.mean()

    def act(self, window):
        """Whatever this window is asked."""
        before = window.act()
        if window.has(".draft .person"):
            self.draft(window)
        elif window.has(".fate button.main"):
            window.shot("match-dead-vote")
            window.click(".fate button.main")
        else:
            self.deed(window)
        window.until(lambda: window.has(".ending") or window.act() > before, "something that came of it")

    def turn_of(self):
        """Who may do something, or None: nobody just now."""
        return next((window for window in (self.ada, self.bob) if window.has(".yourturn") and window.has(".actions, .draft .person")), None)

    def ask_why_not(self, window):
        """Somebody is chosen, and asked to do what he cannot: the house says why, and nothing comes of it."""
        window.click(".token.can")
        window.see(".pale")
        window.shot("match-dead-chosen")
        before = window.act()
        window.click(".deeds .pale, .place .pale")
        said = window.see(".notice.bad").text
        self.assertGreater(len(said), 10)
        window.shot("match-dead-why-not")
        self.assertEqual(window.act(), before)
        window.click(".token.chosen")

    def test_two_windows_and_a_bot_play_until_the_game_ends(self):
        self.chance = random.Random(7)
        ada, bob = self.ada, self.bob = self.window(), self.window()
        self.sit_down()
        has_asked = False
        for _ in range(MOST_DEEDS):
            window = ada.until(lambda: ada.has(".ending") or self.turn_of(), "a turn, or the end")
            if ada.has(".ending"):
                break
            if not has_asked and window.has(".token.can"):
                self.ask_why_not(window)
                has_asked = True
            self.act(window)
        self.assertTrue(has_asked)
        for window in (ada, bob):
            window.see(".ending p.good")
            window.see(".deadend")
        ada.shot("match-dead-end")
        self.assertEqual(ada.text(".deadend"), bob.text(".deadend"))
        ada.review()
        ada.show_story("replay-dead")

    def test_a_fate_card_asks_everybody_once_it_comes_true(self):
        """In a set-up whose every fate comes true as soon as somebody walks."""
        ada = self.ada = self.window(still=True)
        setup = json.loads((harness.SOURCE / "configs" / "dead" / "intro-crossroads.json").read_text())
        walks = next(fate["moved"] for fate in setup["crossroads"] if "choice" in fate.get("moved", {}).get("consequence", {}))
        setup["crossroads"] = [{"moved": {**walks, "identifier": number + 1}} for number in range(setup["goal"]["rounds"] * setup["maxPlayers"])]
        ada.come_in("Fate Ada")
        ada.create("The dead", own=setup)
        ada.click("button", "Fill with bots")
        self.draft(ada)
        ada.click(".token.can")
        before = ada.act()
        ada.click(".place.reach button.go", "Walk here")
        ada.until(lambda: ada.has(".fate h2") and ada.act() > before, "the fate card")
        ada.see(".fate button.main", "1 more to follow you")
        ada.see(".fate button", "morale −1")
        ada.shot("match-dead-vote")
        ada.click(".fate button.main")
        ada.see(".log li", "way is chosen")
        ada.shot("match-dead-voted")


if __name__ == "__main__":
    harness.main()

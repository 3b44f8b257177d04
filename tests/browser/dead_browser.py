"""dead_browser.py: two windows hold a colony together with a bot: they draft, vote, do what is possible, and end their turns."""
import random
import unittest

import harness

MOST_DEEDS = 200
ROUNDS = 2


class Dead(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(harness.open_house())
        cls.gateway = cls.enterClassContext(harness.open_door(cls.house))

    def setUp(self):
        self.chance = random.Random(7)
        self.ada = self.enterContext(harness.open_window(self.gateway.port))
        self.bob = self.enterContext(harness.open_window(self.gateway.port))

    def sit_down(self):
        ada, bob = self.ada, self.bob
        ada.come_in("Ada")
        bob.come_in("Bob")
        ada.click("button", "Create a table")
        ada.click("[role=radio]", "The dead")
        ada.click("[role=dialog] select option[value=intro]")
        ada.see("[role=dialog] .preview", "5 rounds")
        ada.click("[role=dialog] .pairs select option[value='3']")
        ada.click("[role=dialog] .check", "Fill free seats")
        ada.shot("create-dead")
        ada.click("[role=dialog] form > button.main")
        ada.see(".seatlist")
        ada.shot("table-dead")
        bob.click(".tablerow button", "Sit down")
        bob.see(".seatlist")
        ada.click("button", "Add a bot")

    def state(self, window):
        return window.run("return document.querySelector('.boardside').innerText + document.querySelector('.turnstate, .ending').innerText;")

    def draft(self, window):
        people = window.all(".draft .person")
        for person in people[:2]:
            window.until(lambda: person.click() or True, "a person to choose")
        window.shot("match-dead-draft")
        window.click(".draft button.main")

    def deed(self, window):
        """One of all things possible, or the end of the turn."""
        ends = window.all(".deeds button.main", "End the turn")
        if ends and self.chance.random() < 0.5:
            ends[0].click()
            return True
        if not window.has(".actions[open]"):
            window.click(".actions summary")
        listed = [one for one in window.all(".actionlist button") if one.text != "Leave the match"]
        if listed:
            self.chance.choice(listed).click()
        return bool(listed)

    def act(self, window):
        before = self.state(window)
        if window.has(".draft .person"):
            self.draft(window)
        elif window.has(".fate button.main"):
            window.shot("match-dead-vote")
            window.click(".fate button.main")
        else:
            window.until(lambda: self.deed(window), "something to do")
        window.until(lambda: self.state(window) != before, "something that came of it")

    def turn_of(self):
        """Who may do something, or None: nobody just now."""
        for window in (self.ada, self.bob):
            if window.has(".yourturn") and (window.has(".actionlist") or window.has(".actions summary") or window.has(".draft .person")):
                return window
        return None

    def round(self):
        figures = self.ada.all(".figure", "round")
        return int(figures[0].text.split("/")[0].split()[-1]) if figures else 0

    def is_over(self):
        return self.ada.has(".ending")

    def test_two_windows_and_a_bot_hold_out_some_rounds(self):
        self.sit_down()
        shots = 0
        for _ in range(MOST_DEEDS):
            window = self.ada.until(lambda: self.is_over() or self.turn_of(), "a turn, or the end")
            if self.is_over() or self.round() > ROUNDS:
                break
            self.act(window)
            shots += 1
            window.shot(f"match-dead-{min(shots, 8)}")
        self.assertTrue(self.is_over() or self.round() > ROUNDS)
        self.ada.shot("match-dead-late")
        self.bob.see(".dead")
        self.assertEqual(self.ada.complaints() + self.bob.complaints(), [])


if __name__ == "__main__":
    unittest.main()

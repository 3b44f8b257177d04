"""quests_browser.py: one whole turn of quests by keyboard alone, and what the frames of another window say of a hand."""
import json
import re
import unittest

import harness
from selenium.webdriver import Keys

MOST_DEEDS = 400
MOST_MATCHES = 6


def cards_in(frames):
    """Names of cards, however deep they lie, in the order in which they were told."""
    return re.findall(r"(?<!EVENT_)CARD_[A-Z]\d+", "".join(frames))


def hands_in(frames):
    """The hand in every view that came."""
    shown = [json.loads(frame).get("shown", {}).get("view", {}) for frame in frames]
    return [view["hand"] for view in shown if view.get("hand")]


class Quests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(harness.open_house())
        cls.gateway = cls.enterClassContext(harness.open_door(cls.house))

    def setUp(self):
        self.has_sponsored = False

    def window(self, **how):
        return self.enterContext(harness.open_window(self.gateway.port, **how))

    def keys_of(self, window):
        """The letters of the questions that are open."""
        found = window.run("return [...document.querySelectorAll('.questions button')].map((one) => one.getAttribute('aria-keyshortcuts'));")
        return set(found)

    def state(self, window):
        return window.run("return document.querySelector('.boardside').innerText + document.querySelectorAll('.lay').length;")

    def answer(self, window):
        """Whatever is asked, with the first that is possible: yes, ready, a card, end the turn. Returns the letter, if it was one."""
        before, keys = self.state(window), self.keys_of(window)
        letter = next((one for one in "yden" if one in keys), None)
        if letter is not None:
            window.press(letter)
        elif window.has(".lay.fits"):
            window.focus(f".hand li:nth-child({self.weakest(window)}) .lay")
            window.press(Keys.ENTER)
        elif "r" in keys:
            window.press("r")
        window.until(lambda: self.state(window) != before, "an answer to a key")
        return letter

    def weakest(self, window):
        """Where in the hand the first card stands that fits: foes come first, the weakest before the others."""
        return window.run("return 1 + [...document.querySelectorAll('.lay')].findIndex((one) => one.matches('.fits'));")

    def is_asked(self, window):
        return window.has(".yourturn") and bool(self.keys_of(window) or window.has(".lay.fits"))

    def play(self, window, letters):
        """Until a turn was ended, and a quest of ours was built, tackled by others, and is over; or the match is."""
        while not ("e" in letters and self.has_sponsored and not window.has(".knight.seat-0", "sponsor")):
            self.assertLess(len(letters), MOST_DEEDS)
            window.until(lambda: self.is_asked(window) or window.has(".ending"), "a question")
            if window.has(".ending"):
                window.focus(".ending a", "Lobby")
                window.press(Keys.ENTER)
                window.see("li.game")
                return
            window.shot("match-quests-asked")
            if window.has(".yourturn") and window.has(".stage.building"):
                self.assertFalse(window.has(".reveal"), "the last reveal lies over what is built")
            if window.has(".reveal"):
                window.shot("match-quests-reveal")
            letters.append(self.answer(window))
            if window.has(".knight.seat-0", "sponsor"):
                window.shot(f"match-quests-{'built' if self.has_sponsored else 'sponsor'}")
                self.has_sponsored = True

    def test_a_turn_and_a_quest_of_our_own_need_no_mouse(self):
        window = self.window()
        window.go()
        window.see(".hero input")
        window.focus(".hero input")
        window.press("Blind Io", Keys.ENTER)  # What Tab comes to is chosen as a whole.
        window.see("header .who", "Blind Io")
        letters, matches = [], 0
        while not ("e" in letters and self.has_sponsored):
            self.assertLess(matches, MOST_MATCHES)
            matches += 1
            window.focus(window.card("Quests"))
            window.press(Keys.ENTER)
            window.see(".knight.seat-0", "on turn")
            self.play(window, letters)
        self.assertIn("d", letters)
        self.assertIn(None, letters)  # Cards, too.
        self.assertEqual(window.complaints(), [])

    def test_the_frames_of_another_window_hold_no_card_of_this_one(self):
        ada, bob, watcher = self.window(listens=True), self.window(listens=True), self.window(listens=True)
        ada.come_in("Ada")
        bob.come_in("Bob")
        ada.click("button", "Create a table")
        ada.click("[role=dialog] .check", "Fill free seats")
        ada.click("[role=dialog] form > button.main")
        ada.see(".seatlist")
        bob.click(".tablerow button", "Sit down")
        bob.see(".seatlist")
        ada.click("button", "Fill with bots")
        ada.see(".lay")
        bob.see(".lay")
        watcher.go()
        watcher.click(".tablerow a", "Watch")
        watcher.see(".knight")
        ada.until(lambda: self.is_asked(ada), "the first question")
        heard = {name: window.frames() for name, window in (("ada", ada), ("bob", bob), ("watcher", watcher))}
        for name, window in (("ada", ada), ("bob", bob)):
            hands = hands_in(heard[name])
            self.assertEqual(len(hands[-1]), len(window.all(".lay")))
            # Nothing has been laid yet: every card that came stands in one's own hand, and nowhere else but in what was dealt.
            self.assertEqual(set(cards_in(heard[name])), {card for hand in hands for card in hand}, name)
        self.assertNotEqual(sorted(hands_in(heard["ada"])[-1]), sorted(hands_in(heard["bob"])[-1]))
        self.assertEqual(cards_in(heard["watcher"]), [])
        self.assertTrue(heard["watcher"])
        bob.shot("match-quests-waiting")
        watcher.shot("match-quests-watching")


if __name__ == "__main__":
    unittest.main()

"""quests_browser.py: one whole turn of quests by keyboard alone; what the frames of other windows say of a hand."""
import json
import re

import harness
import scenarios_browser
import socket_client
from selenium.webdriver import Keys

MOST_DEEDS = 100


def cards_in(frames):
    """Names of cards, however deep they lie, in the order in which they were told."""
    return re.findall(r"(?<!EVENT_)CARD_[A-Z]\d+", "".join(frames))


def hands_in(frames):
    """The hand in every view that came."""
    shown = [json.loads(frame).get("shown", {}).get("view", {}) for frame in frames]
    return [view["hand"] for view in shown if view.get("hand")]


class Quests(harness.Case):
    def host(self, name, setup):
        """Somebody who opens a table with laid cards, does not play, and fills it with bots when told to."""
        host = socket_client.Player(self.port)
        self.addCleanup(host.close)
        host.open(name=name)
        made = host.ask(ask={"create_table": {"game": "quests", "setup": json.dumps(setup), "options": '{"rigged": true}', "seated": False}})
        table = made["answer"]["table"]
        return table["code"], lambda: host.ask(ask={"fill_with_bots": {"table": table["table"]}})

    def keys_of(self, window):
        """The letters of the questions that are open, without those that would be refused."""
        return set(window.run("return [...document.querySelectorAll('.questions button:not(.unready)')].map((one) => one.getAttribute('aria-keyshortcuts'));"))

    def is_asked(self, window):
        return window.has(".yourturn") and bool(self.keys_of(window) or window.has(".lay.fits"))

    def answer(self, window):
        """Whatever is asked, with the first that is possible: yes, ready, end the turn; else a card. Returns the letter, if it was one."""
        before, keys = window.act(), self.keys_of(window)
        letter = next((one for one in "yde" if one in keys), None)
        if letter is not None:
            window.press(letter)
        else:
            window.focus(".lay.fits")
            window.press(Keys.ENTER)
        window.until(lambda: window.act() > before or window.has(".ending"), "an answer to a key")
        return letter

    def test_a_turn_and_a_quest_of_our_own_need_no_mouse(self):
        window = self.window()
        code, fill = self.host("Keyboard Host", scenarios_browser.recorded("official_0_winner_quest")["config"])
        window.go()
        window.see(".hero input")
        window.focus(".hero input")
        window.press("Blind Io", Keys.ENTER)  # What Tab comes to is chosen as a whole.
        window.see("header .who", "Blind Io")
        window.focus("main .joincode input")
        window.press(code, Keys.ENTER)
        window.see(".seatlist", "Blind Io")
        fill()
        window.see(".knight.seat-0", "on turn")
        letters = []
        while "e" not in letters:
            self.assertLess(len(letters), MOST_DEEDS)
            window.until(lambda: self.is_asked(window), "a question")
            if window.has(".stage.building"):
                self.assertFalse(window.has(".reveal"), "the last reveal lies over what is built")
            letters.append(self.answer(window))
            if letters == ["y"]:
                window.see(".knight.seat-0", "sponsor")
                window.shot("match-quests-sponsor")
        # The quest was sponsored, two stages built of cards, and the turn ended; what happened was said to who cannot see it.
        self.assertEqual((letters.count("y"), letters.count("d"), letters[-1]), (1, 2, "e"))
        self.assertGreaterEqual(letters.count(None), 2)
        window.see(".log li", "Blind Io sponsors the quest of 2 stages.")
        self.assertTrue(window.run("return document.querySelector('.ticker [aria-live=polite]').textContent"))
        window.shot("match-quests-keyboard")

    def test_who_ends_a_stage_too_early_hears_the_texts_of_the_use_case(self):
        window = self.window()
        setup = {"hands": {"P1": ["F5", "F10", "D5"]}, "event_deck": ["Q2"], "first_player": "P1"}
        code, fill = self.host("Strict Host", setup)
        window.come_in("Hasty Ada")
        window.go(f"#/join/{code}")
        window.see(".seatlist", "Hasty Ada")
        fill()
        window.click(".questions button", "Sponsor it")
        window.see(".questions button.unready", "Stage is ready")
        window.see(".stage.building .lack", "needs a foe")
        window.press("d")
        window.see(".refusal", "A stage cannot be empty.")
        window.click(".lay.fits[data-card='D5']")
        window.see(".stage.building .qcard")
        window.click(".questions button.unready", "Stage is ready")
        window.see(".refusal", "A stage must have a foe.")
        window.click(".lay.fits[data-card='F10']")
        window.click(".questions button:not(.unready)", "Stage is ready")
        window.click(".lay.fits[data-card='F5']")
        window.see(".stage.building .qcard")
        window.click(".questions button.unready", "Stage is ready")
        window.see(".refusal", "Insufficient value for this stage.")
        window.see(".stage.building .lack", "needs more than 15: 15 more at least")

    def test_who_holds_too_many_cards_sees_how_many_must_go(self):
        window = self.window()
        code, fill = self.host("Queen Host", {"event_deck": ["QUEEN"], "first_player": "P1"})
        window.come_in("Trimming Ada")
        window.go(f"#/join/{code}")
        window.see(".seatlist", "Trimming Ada")
        fill()
        for left in (2, 1):
            window.see(".yourturn", f"Too many cards: discard {left} more")
            window.click(".lay.fits")
        window.see(".questions button", "End the turn")

    def test_a_stage_is_built_by_dragging_a_card_onto_it(self):
        window = self.window()
        code, fill = self.host("Drag Host", scenarios_browser.recorded("official_0_winner_quest")["config"])
        window.come_in("Drag Ada")
        window.go(f"#/join/{code}")
        window.see(".seatlist", "Drag Ada")
        fill()
        window.click(".questions button", "Sponsor it")
        card, stage = window.see(".lay.fits"), window.see(".stage.building")
        self.assertEqual(window.all(".stage .qcard"), [])
        harness.ActionChains(window.here()).drag_and_drop(card, stage).perform()
        window.see(".stage.building .qcard")
        window.shot("match-quests-dragged")

    def test_the_frames_of_another_window_hold_no_card_of_this_one(self):
        ada, bob, watcher = (self.window(listens=True) for _ in range(3))
        ada.come_in("Frames Ada")
        bob.come_in("Frames Bob")
        ada.create("Quests")
        bob.join(ada)
        ada.click("button", "Fill with bots")
        for window in (ada, bob):
            window.see(".lay")
        watcher.go(ada.run("return location.hash"))
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
        watcher.shot("match-quests-watching")


if __name__ == "__main__":
    harness.main()

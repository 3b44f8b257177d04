"""objectron_browser.py: a duel against a bot: steps by click and by key, turns ended by asking twice, and its end."""
import unittest

import harness

TURNS = 4


class Objectron(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(harness.open_house())
        cls.gateway = cls.enterClassContext(harness.open_door(cls.house))

    def setUp(self):
        self.window = self.enterContext(harness.open_window(self.gateway.port))

    def place(self):
        """Where our rider stands: the first seat is the one who opened the table."""
        return self.window.until(lambda: self.window.driver.find_element("css selector", ".rider.seat-0")
                                 .get_attribute("style"), "our rider")

    def step(self, deed):
        before = self.place()
        deed()
        self.window.until(lambda: self.place() != before, "our rider elsewhere")

    def by_key(self):
        """Towards the first square that is lit, by the keys around the S."""
        number = self.window.run("""
            const own = document.querySelector('.rider.seat-0').style.transform.match(/[\\d.]+/g).map(Number);
            const lit = document.querySelector('.step');
            const x = Math.sign(Number(lit.getAttribute('x')) + 9 - own[0]), y = Math.sign(Number(lit.getAttribute('y')) + 9 - own[1]);
            return (y + 1) * 3 + x + 1;""")
        self.window.press("qweasdzxc"[number])

    def end_turn(self):
        window = self.window
        window.click(".controls button", "End the turn")
        window.see(".controls button", "Yes, end the turn")
        window.click(".controls button", "Yes, end the turn")
        window.until(lambda: window.has(".ending") or window.has(".controls button", "End the turn"), "our turn again")

    def test_a_duel_by_clicks_and_keys_to_its_end(self):
        window = self.window
        window.come_in("Flynn")
        window.play_with_bots("Objectron")
        for turn in range(TURNS):
            if window.has(".ending"):
                break
            window.see(".step")
            self.step(self.by_key if turn % 2 else lambda: window.click(".step"))
            window.shot(f"match-objectron-{turn + 1}")
            self.end_turn()
        if not window.has(".ending"):
            window.click(".actions summary")
            window.click(".actionlist button", "Resign")
        window.see(".ending p.good")
        window.see(".riders .chip", "won")
        # Nothing is lit any more, and nobody is asked.
        self.assertEqual((window.all(".step"), window.all(".matchhead button")), ([], []))
        window.shot("match-objectron-end")
        self.assertEqual(window.complaints(), [])


if __name__ == "__main__":
    unittest.main()

"""objectron_browser.py: a duel against a bot: steps by click and by key, turns ended by asking twice, its end, its replay."""
import harness

TURNS = 3


class Objectron(harness.Case):
    def place(self):
        """Where our rider stands: the first seat is the one who opened the table."""
        return self.rider.until(lambda: self.rider.run("return document.querySelector('.rider.seat-0').getAttribute('style')"), "our rider")

    def step(self, deed):
        before = self.place()
        deed()
        self.rider.until(lambda: self.place() != before, "our rider elsewhere")

    def by_key(self):
        """Towards the first square that is lit, by the keys around the S."""
        number = self.rider.run("""
            const own = document.querySelector('.rider.seat-0').style.transform.match(/[\\d.]+/g).map(Number);
            const lit = document.querySelector('.step');
            const x = Math.sign(Number(lit.getAttribute('x')) + 9 - own[0]), y = Math.sign(Number(lit.getAttribute('y')) + 9 - own[1]);
            return (y + 1) * 3 + x + 1;""")
        self.rider.press("qweasdzxc"[number])

    def end_turn(self):
        rider, before = self.rider, self.rider.act()
        rider.click(".controls button", "End the turn")
        rider.click(".controls button", "Yes, end the turn")
        rider.until(lambda: rider.has(".ending") or (rider.act() > before and rider.has(".controls button", "End the turn")), "our turn again")

    def test_who_clicks_a_way_that_is_not_open_hears_why(self):
        rider = self.rider = self.window()
        rider.come_in("Ram")
        rider.play_with_bots("Objectron")
        rider.see(".step")
        self.step(lambda: rider.click(".step"))
        rider.see(".step, .controls button")
        act = rider.act()
        rider.click(".closed")  # Behind one lies one's own trail.
        rider.until(lambda: any(rider.has(".refusal", why) for why in ("There is a wall.", "A light trail is there.", "A light trail lies across.")), "why not")
        rider.shot("match-objectron-closed")
        self.assertEqual(rider.act(), act)

    def test_a_duel_by_clicks_and_keys_to_its_end(self):
        rider = self.rider = self.window()
        rider.come_in("Flynn")
        rider.play_with_bots("Objectron")
        for turn in range(TURNS):
            if rider.has(".ending"):
                break
            rider.see(".step")
            self.step(self.by_key if turn % 2 else lambda: rider.click(".step"))
            rider.shot(f"match-objectron-{turn + 1}")
            self.end_turn()
        if not rider.has(".ending"):
            rider.click(".actions summary")
            rider.click(".actionlist button", "Resign")
        rider.see(".ending p.good")
        rider.see(".riders .chip", "won")
        # Nothing is lit any more, and nobody is asked.
        self.assertEqual((rider.all(".step"), rider.all(".matchhead button")), ([], []))
        rider.shot("match-objectron-end")
        rider.review()
        rider.show_story("replay-objectron")


if __name__ == "__main__":
    harness.main()

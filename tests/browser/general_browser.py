"""general_browser.py: a game without a line of code on the page is played, watched and replayed: four in a row, on its grid."""
import harness
import nim_counters

# The discs of each seat, by column from 0: from the lowest to the highest.
DISCS = """
const columns = 7, cells = [...document.querySelectorAll('.squares .cell')];
return Array.from({ length: columns }, (_, x) => cells.filter((_, n) => n % columns === x).reverse()
    .map((one) => one.querySelector('.stone')?.className.match(/seat-(\\d)/)[1]).filter(Boolean).map(Number));
"""
FREE = ".squares .cell.free"


class General(harness.Case):
    def drop(self, window, click):
        """Until the house has it, and this window or the end is next."""
        before = sum(map(len, window.run(DISCS)))
        click()
        window.until(lambda: sum(map(len, window.run(DISCS))) > before, "more discs")
        window.until(lambda: window.has(".ending") or window.has(FREE), "our turn, or the end")
        self.assertFalse(window.has(".notice.bad"))

    def test_a_grid_is_played_by_clicks_and_by_buttons_and_watched(self):
        ada, watcher = self.window(), self.window()
        ada.come_in("Grid Ada")
        ada.play_with_bots("Four in a row")
        ada.see(FREE)
        self.assertEqual(ada.run(DISCS), [[]] * 7)
        watcher.go(ada.run("return location.hash"))
        watcher.see(".squares")
        self.drop(ada, lambda: ada.click(".squares .cell:nth-child(3)"))  # The third of the highest row.
        self.assertEqual(ada.run(DISCS)[2][0], 0)
        ada.shot("match-four")
        self.drop(ada, lambda: ada.click(".chooser button[aria-label='Drop into column 3']"))
        self.assertEqual(ada.run(DISCS)[2].count(0), 2)
        watcher.until(lambda: watcher.run(DISCS) == ada.run(DISCS), "the same discs")
        self.assertFalse(watcher.has(FREE))  # Who watches has nothing to click.
        self.assertFalse(watcher.has(".chooser"))
        self.assertIn("Grid Ada drops into column 3.", [line.split(" (×")[0] for line in ada.log()])
        while not ada.has(".ending"):
            self.drop(ada, lambda: ada.click(FREE))
        ada.shot("match-four-end")
        discs = ada.run(DISCS)
        ada.review()
        ada.click("button[aria-label='To the end']")
        ada.until(lambda: ada.run(DISCS) == discs, "the last grid")
        ada.shot("replay-four")

    def test_the_keyboard_stays_where_it_played_and_finished_tables_do_not_pile_up(self):
        ada = self.window()
        ada.come_in("Keys Ada")
        ada.play_with_bots("Four in a row")
        ada.focus(".chooser button")
        while not ada.has(".ending"):
            self.assertTrue(ada.run("return document.activeElement.closest('.boardside') !== null"))
            self.drop(ada, lambda: ada.press(harness.Keys.ENTER))  # No Tab between two moves.
        ada.go("#/")
        ada.play_with_bots("Nim")
        nim_counters.play_out(ada, ":first-child")
        ada.go("#/")
        ada.see(".tablerow a", "Table")
        self.assertEqual(len(ada.all(".tablerow a", "Table")), 1)  # Of what is over the last only.
        names = ada.run("return [...document.querySelectorAll('li.game button')].map((one) => one.ariaLabel ?? one.innerText)")
        self.assertEqual(len(names), len(set(names)), names)


if __name__ == "__main__":
    harness.main()

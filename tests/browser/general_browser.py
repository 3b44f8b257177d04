"""general_browser.py: a game without a line of code on the page is played, watched and replayed: four in a row, on its grid."""
import harness

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


if __name__ == "__main__":
    harness.main()

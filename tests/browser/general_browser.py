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

    def choose(self, window, label, option):
        """Chooses from the list with this label; False: there is none."""
        return window.run("""
            const label = [...document.querySelectorAll('label.field')].find((one) => one.firstChild.textContent === arguments[0]);
            const list = label?.querySelector('select');
            if (!list) return false;
            list.value = [...list.options].find((one) => one.text === arguments[1]).value;
            list.dispatchEvent(new Event('change', { bubbles: true }));
            return true;""", label, option)

    def levels_of(self, window):
        return window.run("return [...document.querySelectorAll('.seatrow')].filter((row) => row.querySelectorAll('.chip').length > 1)"
                          ".map((row) => row.querySelectorAll('.chip')[1].textContent).filter((text) => text !== 'host')")

    def test_a_level_is_chosen_for_each_bot_and_shown_by_its_name(self):
        ada = self.window()
        ada.come_in("Level Ada")
        ada.click("button", "Create a table")
        ada.click(".pickgame button", "Nim")
        ada.until(lambda: self.choose(ada, "Seats", "4"), "the seats of nim")
        ada.until(lambda: self.choose(ada, "Bot 2", "strong"), "a list for the second of three bots")
        self.assertFalse(self.choose(ada, "Bot 4", "strong"))
        self.assertTrue(self.choose(ada, "Bot 3", "beginner"))
        ada.shot("create-levels")
        ada.click(".check", "Fill free seats")  # Not now: they are called at the table.
        ada.click("form button.main")
        ada.until(lambda: self.choose(ada, "How well bots play", "strong"), "the list of levels at the table")
        ada.click("button", "Add a bot")
        ada.until(lambda: self.levels_of(ada) == ["strong"], "a bot of the strongest level")
        self.choose(ada, "How well bots play", "beginner")
        ada.click("button", "Add a bot")
        ada.until(lambda: self.levels_of(ada) == ["strong", "beginner"], "one of the weakest beside it")
        ada.shot("table-levels")
        ada.click("button", "Fill with bots")
        ada.see(".pile, .heap, .general")

    def test_bots_of_the_strongest_level_play_to_the_end(self):
        ada = self.window()
        ada.come_in("Strong Ada")
        ada.click("button", "Create a table")
        ada.click(".pickgame button", "Nim")
        ada.until(lambda: self.choose(ada, "Seats", "2"), "the seats of nim")
        ada.until(lambda: self.choose(ada, "How well bots play", "strong"), "the list of levels")
        ada.click("form button.main")
        nim_counters.play_out(ada, ":first-child")


if __name__ == "__main__":
    harness.main()

"""dialogs_browser.py: dialogs by keyboard, signing out, a name that is too long, a link that is broken, and how long one thinks at a table that was opened by one click."""
import harness
import nim_counters


# Whether a table of this game waits for somebody.
WAITS = "return [...document.querySelectorAll('.tablerow')].some(({ innerText }) => innerText.includes(arguments[0]) && innerText.includes('Sit down'))"


# Another game, two seats, and a table: quicker than any set-up comes.
IN_HASTE = """
[...document.querySelectorAll('[role=dialog] [role=radio]')].find(({ innerText }) => innerText.includes('Nim')).click();
const seats = document.querySelector('[role=dialog] select[name=seats]');
seats.value = '2';
seats.dispatchEvent(new Event('change', { bubbles: true }));
"""


class Dialogs(harness.Case):
    def test_the_seats_that_somebody_chose_are_the_tables_however_late_its_set_up_comes(self):
        ada = self.window()
        ada.come_in("Hasty Ada")
        ada.click("button", "Create a table")
        ada.click("[role=dialog] [role=radio]", "The dead")
        ada.see("[role=dialog] select[name=seats] option[value='2']")
        ada.cdp("Network.enable")
        ada.cdp("Network.emulateNetworkConditions", offline=False, latency=1500, downloadThroughput=-1, uploadThroughput=-1)
        ada.run(IN_HASTE)
        ada.click("[role=dialog] .check", "Fill free seats")
        ada.click("[role=dialog] form > button.main")
        ada.see(".seatlist")
        self.assertEqual(len(ada.all(".seatrow")), 2)
        ada.click("button", "Get up")

    def test_escape_closes_a_dialog_wherever_one_has_clicked(self):
        ada = self.window()
        ada.come_in("Escaping Ada")
        ada.click("header .who")
        ada.click("[role=dialog] h2")
        ada.press(harness.Keys.TAB)
        self.assertTrue(ada.run("return document.activeElement.closest('[role=dialog]') !== null"))
        ada.click("[role=dialog] h2")
        ada.press(harness.Keys.ESCAPE)
        ada.until(lambda: not ada.has("[role=dialog]"), "no dialog")
        ada.click("header .who")
        ada.click("[role=dialog] button", "Get a code")  # It goes, and the focus with it.
        ada.see("[role=dialog] .copy")
        ada.press(harness.Keys.ESCAPE)
        ada.until(lambda: not ada.has("[role=dialog]"), "no dialog")

    def test_who_signs_out_is_told_what_that_costs(self):
        ada = self.window()
        ada.come_in("Parting Ada")
        ada.click("header .who")
        ada.click("[role=dialog] button.bad", "Sign out on all devices")
        ada.see("[role=dialog]", "the name Parting Ada is lost")
        ada.shot("settings-sign-out")
        ada.click("[role=dialog] button", "Stay")
        ada.see("header .who", "Parting Ada")
        ada.click("[role=dialog] button.bad", "Sign out on all devices")
        ada.click("[role=dialog] button.bad", "Sign out on all devices")
        ada.see(".hero")
        ada.until(lambda: not ada.has("header .who", "Parting Ada"), "nobody")

    def test_a_name_that_is_too_long_is_said_to_be_while_it_is_typed(self):
        ada = self.window()
        ada.go()
        ada.write(".hero input", "Ä" * 16 + "da")
        ada.see(".hero [role=alert]", "This name is too long")
        self.assertEqual(ada.run("return document.querySelector('.hero button.main').disabled"), True)
        ada.shot("name-too-long")
        ada.write(".hero input", "Ä" * 12 + "da")
        ada.until(lambda: not ada.has(".hero [role=alert]"), "a name that fits")
        ada.click(".hero button.main")
        ada.see("header .who", "Ä" * 12 + "da")

    def test_a_broken_link_says_that_nothing_is_here(self):
        ada = self.window()
        ada.go("#/join/50%")
        ada.see(".empty", "There is nothing here")

    def test_nobody_is_waited_for_for_ever_at_a_table_of_one_click(self):
        ada = self.window()
        ada.go()
        ada.see("section .row", "5 minutes for each turn")
        ada.click(ada.card("Nim"))
        ada.see(nim_counters.FREE)
        ada.see(".turnstate [role=timer]", "4:")

    def test_who_plays_with_people_takes_the_seat_that_is_free(self):
        ada, bob, carl = (self.window() for _ in range(3))
        for window, name in ((ada, "Meeting Ada"), (bob, "Meeting Bob"), (carl, "Meeting Carl")):
            window.come_in(name)
        ada.create("Objectron", setup="duel")  # With the time its dialog proposes, which is another one.
        bob.see(".tablerow", "Meeting Ada")
        bob.click(bob.card("Objectron").replace(".main", ":not(.main)"))
        for window in (ada, bob):
            window.see(".matchpage")
        carl.until(lambda: not carl.run(WAITS, "Objectron"), "no table that waits")
        carl.click(carl.card("Objectron").replace(".main", ":not(.main)"))
        carl.see(".tablehead", "5 minutes")
        carl.click("button", "Get up")


if __name__ == "__main__":
    harness.main()

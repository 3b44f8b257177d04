"""steward_browser.py: the operator's page looks after people and matches: mutes, announces, ends a match, forgets; a helper's token may
mute and may not erase; the list of what was done names both."""
import harness

OPERATOR, HELPER = "o" * 40, "h" * 40
OFFERED = "return [...document.querySelectorAll('.person button')].filter((one) => one.getClientRects().length > 0 && one.closest('.person').innerText.includes('Steward Bob')).map((one) => one.innerText).sort()"
FORGETS = """
const [token, name, done] = arguments;
fetch('/api/house', { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }, body: JSON.stringify({ forget_player: { name } }) })
    .then(async (answer) => done([answer.status, (await answer.json()).sentence]));
"""


class Steward(harness.Case):
    # What a token is refused for is a status that Chromium writes down.
    tolerates = ("Failed to load resource",)

    def open_door(self):
        tokens = self.house.folder / "page.tokens"
        tokens.write_text(f"{OPERATOR} otto operator\n{HELPER} eve helper\n")
        return self.enterContext(harness.open_door(self.house, name="gateway-1", words=("--page-tokens", tokens)))

    def page(self, door, token):
        window = self.window(door.port)
        window.go(f"#/house/{token}")
        window.see(".steward h2", "People")
        window.write(".steward input[aria-label^=Names]", "Steward")
        return window

    def person(self, page, name, button):
        page.run("""const row = [...document.querySelectorAll('.person')].find((one) => one.innerText.includes(arguments[0]));
                    [...row.querySelectorAll('button')].find((one) => one.innerText === arguments[1]).click();""", name, button)

    def confirm(self, page, words):
        page.see("[role=dialog]")
        page.write("[role=dialog] input", words)
        page.click("[role=dialog] button", "Do it")
        page.until(lambda: not page.has("[role=dialog]"), "the dialog's end")

    def test_the_operator_and_a_helper_look_after_people_and_matches(self):
        door = self.open_door()
        ada, bob = self.window(door.port), self.window(door.port)
        ada.come_in("Steward Ada")
        bob.come_in("Steward Bob")
        ada.create("Nim", seats=2)
        bob.join(ada)
        for window in (ada, bob):
            window.see(".counter")
        helper = self.page(door, HELPER)
        helper.see(".person", "Steward Bob")
        self.person(helper, "Steward Bob", "Mute")
        self.confirm(helper, "Mind your words.")
        helper.see(".person .chip", "muted")
        # Only what a helper may do is offered; what he tries all the same is refused, and written down.
        self.assertEqual(helper.run(OFFERED), ["Ban", "Let speak"])
        self.assertFalse(helper.has(".announcing") or helper.has(".steward button", "End"))
        self.person(helper, "Steward Bob", "Ban")
        helper.see("[role=dialog] select")
        self.assertEqual(helper.run("return [...document.querySelectorAll('[role=dialog] option')].map((one) => one.innerText)"), ["an hour", "a day"])
        helper.shot("steward-helper")
        helper.click("[role=dialog] button", "Not yet")
        status, sentence = helper.here().execute_async_script(FORGETS, HELPER, "Steward Bob")
        self.assertEqual((status, sentence), (403, "A helper may not do this; the operator may."))
        helper.see(".deed", "eve (helper) forgot Steward Bob")

        otto = self.page(door, OPERATOR)
        otto.see(".deed", "eve (helper) muted Steward Bob")
        otto.write(".announcing input:not(.minutes)", "ä" * 101)  # The house has room for 200 bytes.
        otto.see(".steward [role=alert]", "room for 200 letters")
        self.assertFalse(otto.all(".announcing button", "Tell everybody")[0].is_enabled())
        otto.write(".announcing input:not(.minutes)", "We get new cards. " + "x" * 182)
        self.assertFalse(otto.has(".steward [role=alert]"))
        otto.click(".announcing button", "Tell everybody")
        ada.see(".announcement", "x" * 182)
        otto.write(".announcing input:not(.minutes)", "Now they are here.")
        otto.click(".announcing button", "Tell everybody")
        ada.see(".announcement", "Now they are here.")
        otto.shot("steward")
        otto.see(".steward li", "Steward Ada, Steward Bob")
        otto.run("""const row = [...document.querySelectorAll('.steward .tablerow')].find((one) => one.innerText.includes('Steward Ada, Steward Bob'));
                    row.querySelector('button').click();""")
        self.confirm(otto, "The room closes.")
        ada.see(".matchpage", "The room closes.")
        self.person(otto, "Steward Bob", "Forget")
        self.confirm(otto, "Steward Bob")
        otto.until(lambda: not otto.has(".person", "Steward Bob"), "that Bob is forgotten")
        otto.see(".deed", "otto forgot ")
        self.assertFalse(otto.has(".deed", "Steward Bob"))  # Nowhere in what was done, either.


if __name__ == "__main__":
    harness.main()

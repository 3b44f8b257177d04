"""axe_browser.py: axe-core looks at every view and finds nothing serious; nothing is cut off from 360 pixels to 3840, in English and German."""
import re

import harness
import nim_counters
import socket_client

AXE = harness.SOURCE / "services" / "gateway" / "web" / "node_modules" / "axe-core" / "axe.min.js"
# By night only what night can change: colours.
JUDGE = """
const [only, done] = arguments;
axe.run(document, { resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) }).then((found) => done(found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)), (fault) => done([String(fault)]));
"""
# What reaches out of the window to the right, and so must be scrolled to.
OUTSIDE = """
const all = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.unseen, .skip, svg *'));
return document.documentElement.scrollWidth > innerWidth + 1 ? all.slice(0, 5).map((one) => `${one.tagName}.${one.className}`) : [];
"""
# The figures of a service's row on the operator's page.
CELLS = """
const row = [...document.querySelectorAll('.services tbody tr')].find((one) => one.querySelector('th').innerText.includes(arguments[0]));
return [...row.querySelectorAll('td')].map((one) => one.innerText);
"""
# The head reaches from edge to edge, whether the page scrolls or not, and what stands below it lies under no scrollbar.
EDGES = """
const head = document.querySelector('.top').getBoundingClientRect(), page = document.querySelector('main > *').getBoundingClientRect();
return [head.left, innerWidth - head.right, page.right > document.documentElement.clientWidth];
"""
# What is there when a board is drawn; of games without a board of their own the general one.
BOARDS = {"quests": ".hand .lay", "dead": ".draft .person", "objectron": ".step", "treasure": ".treasure"}
WIDTHS = ((360, 740), (3840, 2160), (1280, 900))


class Axe(harness.Case):
    def setUp(self):
        super().setUp()
        # What fades away is pale for a moment.
        self.eyes = self.window(still=True)

    def judge(self, view):
        """By axe as it stands, in every width, and by night."""
        eyes = self.eyes
        if not eyes.run("return 'axe' in window"):
            eyes.run(AXE.read_text())
        for size in WIDTHS:
            eyes.resize(*size)
            eyes.here().execute_async_script(harness.DRAWN)
            with self.subTest(f"{view}, {size[0]} pixels wide"):
                self.assertEqual(eyes.run(OUTSIDE), [])
                self.assertEqual(eyes.run(EDGES), [0, 0, False])
            if size != WIDTHS[-1]:
                eyes.shot(f"axe-{view}-{size[0]}")
        for light, only in (("light", None), ("dark", ["color-contrast"])):
            eyes.run("document.documentElement.dataset.theme = arguments[0]", light)
            eyes.shot(f"axe-{view}-{light}")  # Which also has it drawn: what changes colour is pale for a moment.
            with self.subTest(f"{view}, {light}"):
                self.assertEqual(eyes.here().execute_async_script(JUDGE, only), [])
        eyes.run("document.documentElement.dataset.theme = 'light'")

    def test_no_view_has_a_serious_fault(self):
        eyes = self.eyes
        eyes.go()
        eyes.see(".hero")
        self.judge("lobby")
        eyes.come_in("Axe Ada")
        eyes.click("header .who")
        eyes.see("[role=dialog]")
        self.judge("settings")
        eyes.click("[role=dialog] option[value=de]")
        eyes.see("[role=dialog] h2", "Einstellungen")
        self.assertEqual(eyes.run("return document.documentElement.lang"), "de")
        self.judge("settings-german")
        eyes.click("[role=dialog] option[value=en]")
        eyes.click("[role=dialog] button[aria-label=Close]")
        eyes.click("button", "Create a table")
        eyes.see("[role=dialog] select")
        self.judge("create")
        eyes.click("[role=dialog] .check", "Fill free seats")
        eyes.click("[role=dialog] form > button.main")
        eyes.see(".seatlist")
        self.judge("table")
        eyes.click("button", "Get up")  # Who sits at a table plays nowhere else.
        eyes.play_with_bots("Nim")
        self.judge("match")
        nim_counters.play_out(eyes, ":first-child")
        eyes.see(".ending p.good")
        self.judge("end")
        eyes.click(".ending a", "Replay")
        eyes.click("[role=tab]", "Verify")
        eyes.click(".verify button.main")
        eyes.see(".verify h2.good")
        self.judge("replay")
        eyes.go("#/house")
        eyes.click(".joincode button", "Show")
        eyes.see(".notice.fine", "Everything is as it should be")
        for words in ("commands", "commits, p99", "topics read at fanout-1", "matches"):
            eyes.see(".tile", words)
        for service in ("engine-1", "lobby-1", "fanout-1", "gateway-0"):
            eyes.see(".services th", service)
        eyes.until(lambda: "256" in eyes.run(CELLS, "engine-1"), "the slots that the engine holds")
        self.judge("operator")
        eyes.click("header .who")
        eyes.click("[role=dialog] option[value=de]")
        eyes.until(lambda: re.fullmatch(r"\d\d:\d\d:\d\d", eyes.run(CELLS, "engine-1")[0]), "a time as Germans write it")

    def test_no_board_has_a_serious_fault(self):
        eyes = self.eyes
        eyes.come_in("Axe Boards")
        for game in harness.games.names():
            eyes.play_with_bots(harness.games.title(game))
            eyes.see(".general" if harness.games.is_general(game) else BOARDS[game])
            self.judge(f"board-{game}")
            eyes.click("button", "Leave the match")
            eyes.click("[role=dialog] button.bad")
            eyes.see(".games")

    def test_a_table_with_laid_cards_says_so_in_the_lobby_and_at_itself(self):
        host = socket_client.Player(self.port)
        self.addCleanup(host.close)
        host.open(name="Axe Host")
        made = host.ask(ask={"create_table": {"game": "quests", "setup_name": "standard", "options": '{"rigged": true}'}})
        self.assertIn("table", made["answer"], made)
        eyes = self.eyes
        eyes.come_in("Axe Guest")
        eyes.see(".tablerow .rigged", "laid by its host")
        self.judge("lobby-rigged")
        eyes.click(".tablerow:has(.rigged) button", "Sit down")
        eyes.see(".seatlist")
        eyes.see(".rigged", "laid by its host")
        self.judge("table-rigged")


if __name__ == "__main__":
    harness.main()

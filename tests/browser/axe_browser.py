"""axe_browser.py: axe-core looks at every view, and finds nothing serious."""
import unittest

import harness
import nim_table
import socket_client

AXE = harness.SOURCE / "services" / "gateway" / "web" / "node_modules" / "axe-core" / "axe.min.js"
JUDGE = """
const done = arguments[arguments.length - 1];
axe.run(document).then((found) => done(found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)), (fault) => done([String(fault)]));
"""


class Axe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(harness.open_house())
        cls.gateway = cls.enterClassContext(harness.open_door(cls.house))

    def setUp(self):
        # What fades away is pale for a moment.
        self.window = self.enterContext(harness.open_window(self.gateway.port, switches=["--force-prefers-reduced-motion"]))

    def judge(self, view):
        self.window.run(AXE.read_text())
        with self.subTest(view):
            self.assertEqual(self.window.driver.execute_async_script(JUDGE), [])
        self.window.shot(f"axe-{view}")

    def test_no_view_has_a_serious_fault(self):
        window = self.window
        window.go()
        window.see(".hero")
        self.judge("lobby")
        window.come_in("Ada")
        window.click("button", "Create a table")
        window.see("[role=dialog] select")
        self.judge("create")
        window.click("[role=dialog] .check", "Fill free seats")
        window.click("[role=dialog] form > button.main")
        window.see(".seatlist")
        self.judge("table")
        window.click("button", "Get up")  # Who sits at a table plays nowhere else.
        window.play_with_bots("Nim")
        self.judge("match")
        nim_table.play_out(window, ":first-child")
        window.see(".ending p.good")
        self.judge("end")
        window.click(".ending a", "Replay")
        window.click("[role=tab]", "Verify")
        window.click(".verify button.main")
        window.see(".verify h2.good")
        self.judge("replay")
        window.go("#/house")
        window.click(".joincode button", "Show")
        window.see(".metrics")
        self.judge("operator")

    def test_a_table_with_laid_cards_says_so_in_the_lobby_and_at_itself(self):
        host = socket_client.Player(self.gateway.port)
        self.addCleanup(host.close)
        host.open(name="Host")
        made = host.ask(ask={"create_table": {"game": "quests", "setup_name": "standard", "options": '{"rigged": true}'}})
        self.assertIn("table", made["answer"], made)
        window = self.window
        window.come_in("Guest")
        window.see(".tablerow .rigged", "laid by its host")
        self.judge("lobby-rigged")
        window.click(".tablerow button", "Sit down")
        window.see(".seatlist")
        window.see(".rigged", "laid by its host")
        self.judge("table-rigged")


if __name__ == "__main__":
    unittest.main()

"""nim_browser.py: one window comes in, plays nim against a bot to its end, and looks at it again: replay, verify, a forged file."""
import unittest

import harness
import nim_table

# One bit of the match file falls over on its way, past the header.
FORGES = """
const fetched = window.fetch;
window.fetch = async (what, ...more) => {
    const answer = await fetched(what, ...more);
    if (!String(what).endsWith('/file')) return answer;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    bytes[bytes.length >> 1] ^= 1;
    return new Response(bytes, { status: answer.status, headers: answer.headers });
};
"""


class Nim(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(harness.open_house())
        cls.gateway = cls.enterClassContext(harness.open_door(cls.house))

    def setUp(self):
        self.window = self.enterContext(harness.open_window(self.gateway.port))

    def play(self):
        window = self.window
        window.play_with_bots("Nim")
        window.see(".counter:not(:disabled)")
        window.shot("match-nim")
        turns = nim_table.play_out(window)
        window.see(".ending p.good")
        window.see(".nim strong", "won")
        window.shot("match-nim-end")
        return turns

    def scrub(self):
        """Through the replay by its buttons, and back to its beginning."""
        window = self.window
        window.click("button[aria-label='To the end']")
        self.assertEqual(nim_table.left(window), 0)
        last = window.text(".timeline .num").split()[-1]
        window.see(".timeline .num", f"Act {last} of {last}")
        window.click("button[aria-label='One act back']")
        window.see(".timeline .num", f"Act {int(last) - 1} of {last}")
        self.assertIn(f"?at={int(last) - 1}", window.driver.current_url)
        window.shot("replay-nim")
        window.click("button[aria-label='To the start']")
        window.see(".timeline .num", f"Act 1 of {last}")

    def judge(self):
        window = self.window
        window.click("[role=tab]", "Verify")
        window.click(".verify button.main")
        window.see(".verify h2.good", "It holds")
        self.assertEqual(len(window.all(".findings li.good")), 6)
        window.shot("replay-verified")
        window.run(FORGES)
        window.click(".verify button.main")
        window.see(".verify h2.bad", "It does not hold")
        self.assertTrue(window.all(".findings li.bad"))
        window.shot("replay-forged")

    def test_a_match_of_nim_from_coming_in_to_a_forged_file(self):
        window = self.window
        window.go()
        window.see(".hero")
        window.shot("lobby")
        window.come_in("Ada")
        window.shot("lobby-named")
        self.assertGreater(self.play(), 1)
        window.click(".ending a", "Replay")
        window.see(".timeline")
        self.scrub()
        self.judge()
        self.assertEqual(window.complaints(), [])


if __name__ == "__main__":
    unittest.main()

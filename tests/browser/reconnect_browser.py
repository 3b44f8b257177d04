"""reconnect_browser.py: the gateway dies without a word in mid-game; who plays plays on, and who watches goes on watching."""
import unittest

import harness
import nim_table


class Reconnect(unittest.TestCase):
    def setUp(self):
        self.house = self.enterContext(harness.open_house())
        self.first = self.enterContext(harness.open_door(self.house))
        self.ada = self.enterContext(harness.open_window(self.first.port))
        self.watcher = self.enterContext(harness.open_window(self.first.port))

    def both_see(self, css):
        for window in (self.ada, self.watcher):
            window.see(css)

    def test_a_gateway_killed_in_mid_game_ends_nothing(self):
        ada, watcher = self.ada, self.watcher
        ada.come_in("Ada")
        ada.play_with_bots("Nim")
        watcher.go()
        watcher.click(".tablerow a", "Watch")
        watcher.see(".heap")
        nim_table.take(ada)
        counters = nim_table.left(ada)
        watcher.until(lambda: nim_table.left(watcher) == counters, "the same counters")
        self.first.kill()
        self.both_see(".line.lost")
        self.assertEqual((nim_table.left(ada), nim_table.left(watcher)), (counters, counters))
        ada.shot("match-lost")
        watcher.shot("match-lost-watching")
        with harness.open_door(self.house, listen=f"127.0.0.1:{self.first.port}"):
            for window in (ada, watcher):
                window.until(lambda: not window.has(".line"), "the connection")
            self.assertEqual(nim_table.left(ada), counters)
            nim_table.take(ada)
            counters = nim_table.left(ada)
            watcher.until(lambda: nim_table.left(watcher) == counters, "the same counters behind the gap")
            nim_table.play_out(ada, ":first-child")
            self.both_see(".ending")
            self.both_see(".nim strong")
            watcher.shot("match-end-watching")


if __name__ == "__main__":
    unittest.main()

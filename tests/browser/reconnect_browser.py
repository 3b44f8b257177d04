"""reconnect_browser.py: the gateway is killed in mid-game and comes back: who plays and who watches go on where they were; and what
the operator sees of one that is stopped, and of one that is killed."""
import harness
import nim_counters


class Reconnect(harness.Case):
    tolerates = ("ERR_CONNECTION_REFUSED", "WebSocket connection to", "Failed to load resource")

    def both_see(self, css):
        for window in (self.ada, self.watcher):
            window.see(css)

    def test_a_gateway_killed_in_mid_game_ends_nothing(self):
        first = self.enterContext(harness.open_door(self.house, name="gateway-1"))
        ada, watcher = self.ada, self.watcher = self.window(first.port), self.window(first.port)
        ada.come_in("Fallen Ada")
        ada.play_with_bots("Nim")
        watcher.go(ada.run("return location.hash"))
        watcher.see(".heap")
        nim_counters.take(ada)
        counters = nim_counters.left(ada)
        watcher.until(lambda: nim_counters.left(watcher) == counters, "the same counters")
        first.kill()
        self.both_see(".line.lost")
        self.assertEqual((nim_counters.left(ada), nim_counters.left(watcher)), (counters, counters))
        ada.shot("match-lost")
        watcher.shot("match-lost-watching")
        with harness.open_door(self.house, name="gateway-1", listen=f"127.0.0.1:{first.port}"):
            for window in (ada, watcher):
                window.until(lambda window=window: not window.has(".line"), "the connection")
            self.assertEqual(nim_counters.left(ada), counters)
            nim_counters.take(ada)
            counters = nim_counters.left(ada)
            watcher.until(lambda: nim_counters.left(watcher) == counters, "the same counters behind the gap")
            nim_counters.play_out(ada, ":first-child")
            self.both_see(".ending")
            self.both_see(".nim strong")
            watcher.shot("match-end-watching")

    def test_nobody_leaves_without_a_connection(self):
        first = self.enterContext(harness.open_door(self.house, name="gateway-1"))
        ada, bob = self.window(first.port), self.window(first.port)
        ada.come_in("Staying Ada")
        ada.play_with_bots("Nim")
        bob.come_in("Staying Bob")
        bob.create("Nim", seats=2)
        first.kill()
        for window in (ada, bob):
            window.see(".line.lost")
        ada.click("button", "Leave the match")
        ada.click("[role=dialog] button.bad")
        ada.see("[role=dialog] [role=alert]", "no connection")
        ada.shot("match-leave-lost")
        bob.click("button", "Get up")
        bob.see(".notice.bad", "no connection")
        bob.click("header .who")
        bob.click("[role=dialog] button.bad")
        bob.click("[role=dialog] button.bad")
        bob.see("[role=dialog] [role=alert]", "no connection")
        bob.press(harness.Keys.ESCAPE)
        bob.click("[role=dialog] button[aria-label=Close]")
        with harness.open_door(self.house, name="gateway-1", listen=f"127.0.0.1:{first.port}"):
            for window in (ada, bob):
                window.until(lambda window=window: not window.has(".line"), "the connection")
            bob.click("button", "Get up")
            bob.see("li.game")
            ada.click("[role=dialog] button.bad")
            ada.see("li.game")
            self.assertFalse(ada.has("header a.button", "Back to the match"))

    def test_the_operator_can_tell_who_was_stopped_from_who_fell(self):
        operator = self.window(still=True)
        operator.go("#/house")
        operator.click(".joincode button", "Show")
        with harness.open_door(self.house, name="gateway-1"):
            operator.see(".services tr.up th", "gateway-1")
        operator.see(".services tr.stopped th", "gateway-1")
        operator.see(".notice.fine", "Everything is as it should be")
        operator.shot("operator-stopped")
        with harness.open_door(self.house, name="gateway-1") as second:
            operator.see(".services tr.up th", "gateway-1")
            second.kill()
            operator.see(".notice.bad li", "gateway-1 does not answer")
            operator.shot("operator-fallen")
            # The other one does its work, and the house has struck it off its list: nothing is wrong any more.
            operator.see(".services tr.gone th", "gateway-1")
            operator.see(".notice.fine", "Everything is as it should be")


if __name__ == "__main__":
    harness.main()

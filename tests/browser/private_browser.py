"""private_browser.py: a table joined by its link only: who comes when it is full watches, goes on behind a gateway that fell, finds the replay, and reads who speaks."""
import harness
import nim_counters


class Private(harness.Case):
    tolerates = ("ERR_CONNECTION_REFUSED", "WebSocket connection to", "Failed to load resource")

    def two_at_a_private_table(self, names, port=None):
        ada, bob = (self.window(port) for _ in names)
        for window, name in zip((ada, bob), names):
            window.come_in(name)
        ada.create("Nim", seats=2, link_only=True)
        code = ada.code()
        bob.join(ada)
        for window in (ada, bob):
            window.see(".counter")
        return ada, bob, code

    def move(self, *players):
        """Whoever is on turn first takes one."""
        window = players[0].until(lambda: next((one for one in players if one.has(nim_counters.FREE)), None), "a turn")
        before = nim_counters.left(window)
        window.click(".counter:last-child:not(:disabled)")
        window.until(lambda: nim_counters.left(window) < before, "a move")
        return nim_counters.left(window)

    def test_who_has_the_link_watches_a_private_match_and_goes_on_behind_a_gateway_that_fell(self):
        first = self.enterContext(harness.open_door(self.house, name="gateway-1"))
        ada, bob, code = self.two_at_a_private_table(("Hidden Ada", "Hidden Bob"), first.port)
        carl, dora = self.window(first.port), self.window(first.port)
        carl.come_in("Hidden Carl")
        carl.go(f"#/join/{code}")
        carl.see(".matchpage .counter")  # All seats are taken: he watches.
        carl.shot("match-private-watching")
        dora.go(f"{ada.run('return location.hash')}?code={code}")  # And who has no name.
        dora.see(".matchpage .counter")
        first.kill()
        for window in (ada, bob, carl, dora):
            window.see(".line.lost")
        with harness.open_door(self.house, name="gateway-1", listen=f"127.0.0.1:{first.port}"):
            for window in (ada, bob, carl, dora):
                window.until(lambda window=window: not window.has(".line"), "the connection")
            counters = self.move(ada, bob)
            for window in (carl, dora):
                window.until(lambda window=window: nim_counters.left(window) == counters, "what happened behind the gap")

    def test_a_link_without_the_code_says_that_one_is_needed(self):
        ada, _, code = self.two_at_a_private_table(("Closed Ada", "Closed Bob"))
        eve = self.window()
        eve.go(ada.run("return location.hash"))
        eve.see(".empty", "its code is needed to watch")
        eve.go(f"{ada.run('return location.hash')}?code={code}")
        eve.see(".matchpage .counter")

    def test_who_speaks_without_a_seat_is_no_question_mark(self):
        ada, bob = self.window(), self.window()
        ada.come_in("Silent Ada")
        bob.come_in("Silent Bob")
        ada.create("Nim", seats=2, more=("I only watch",))
        bob.join(ada)
        ada.write(".chat input", "Welcome to you")
        ada.press(harness.Keys.ENTER)
        bob.see(".chatlist li", "host Welcome to you")
        bob.click("button", "Get up")
        bob.see("li.game")


if __name__ == "__main__":
    harness.main()

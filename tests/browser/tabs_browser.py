"""tabs_browser.py: several people at one browser: each window is somebody, by a cookie of their own."""
import harness


class Tabs(harness.Case):
    def beside(self, window):
        """Another window of the same browser: it has the same cookies and the same storage, and a tab's own memory."""
        other = harness.Window(harness.SHARED.browser, self.port, context=window.context)
        self.addCleanup(other.close)
        return other

    def become_another(self, window):
        window.click("header .who")
        window.click("[role=dialog] button", "Another player in this window")
        window.see(".hero input")

    def test_four_windows_of_one_browser_are_four_people(self):
        ada = self.window()
        ada.come_in("Tab Ada")
        others = []
        for name in ("Tab Bob", "Tab Cyd", "Tab Dan"):
            window = self.beside(ada)
            window.go()
            window.see("header .who", "Tab Ada")  # At first it is whoever the browser knows.
            self.become_another(window)
            window.write(".hero input", name)
            window.click(".hero button.main")
            window.see("header .who", name)
            others.append(window)
        bob, cyd, dan = others
        bob.shot("lobby-another-player")
        ada.create("Quests", setup="standard")
        for window in others:
            window.join(ada)
        for window, name in zip((ada, *others), ("Tab Ada", "Tab Bob", "Tab Cyd", "Tab Dan")):
            window.see(".matchpage")
            window.here().refresh()  # A window stays who it is.
            window.see("header .who", name)
            window.see(".matchpage")
        # No script can read who one is.
        self.assertEqual(bob.run("return document.cookie"), "")
        held = bob.run("return JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
        for cookie in bob.cdp("Network.getAllCookies")["cookies"]:
            self.assertTrue(cookie["httpOnly"], cookie["name"])
            self.assertNotIn(cookie["value"], held)
        self.assertEqual(sorted(cookie["name"] for cookie in bob.cdp("Network.getAllCookies")["cookies"]),
                         ["arbiter_session", "arbiter_session_2", "arbiter_session_3", "arbiter_session_4"])

    def test_a_window_goes_back_to_who_was_here_before(self):
        eve = self.window()
        eve.come_in("Tab Eve")
        self.become_another(eve)
        eve.see(".hero .persons", "Tab Eve")
        eve.shot("lobby-here-before")
        eve.write(".hero input", "Tab Fay")
        eve.click(".hero button.main")
        eve.see("header .who", "Tab Fay")
        eve.click("header .who")
        eve.shot("settings-people")
        eve.click("[role=dialog] .persons button", "Tab Eve")
        eve.see("header .who", "Tab Eve")
        eve.click("header .who")
        eve.click("[role=dialog] button.bad", "Sign out on all devices")
        eve.click("[role=dialog] button.bad", "Sign out on all devices")
        eve.see(".hero .persons", "Tab Fay")  # Who goes takes nobody else along.
        self.assertFalse(eve.has(".hero .persons", "Tab Eve"))
        eve.click(".hero .persons button", "Tab Fay")
        eve.see("header .who", "Tab Fay")

    def test_by_an_invitation_another_player_sits_down(self):
        gus = self.window()
        gus.come_in("Tab Gus")
        gus.create("Nim", seats=2)
        hal = self.beside(gus)
        hal.go(f"#/join/{gus.code()}")
        hal.see(".seatlist", "Tab Gus")
        self.become_another(hal)
        hal.write(".hero input", "Tab Hal")
        hal.click(".hero button.main")
        for window in (gus, hal):
            window.see(".counter")


if __name__ == "__main__":
    harness.main()

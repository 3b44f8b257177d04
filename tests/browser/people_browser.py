"""people_browser.py: what people do with each other: chat, several at one device, a friend in an empty seat, another device, being told of one's turn."""
import harness
import nim_counters

# What would ring and what would pop up is counted instead; the window is looked away from.
RINGS = """
window.rung = 0;
window.notices = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.rung++; return start.apply(this, when); };
window.Notification = class { static permission = 'granted'; static requestPermission() { return Promise.resolve('granted'); }
    constructor(title, { body }) { window.notices.push(`${title}: ${body}`); } };
Object.defineProperty(document, 'hidden', { get: () => window.looksAway === true });
"""


GROUND = "return document.querySelector(arguments[0])?.getAttribute('fill')"
GROUNDS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.getAttribute('fill'))"
ANSWERS = ((".questions button", "Decline"), (".questions button", "End the turn"), (".lay.fits", ""))


class People(harness.Case):
    def two_at_nim(self, names):
        ada, bob = (self.window() for _ in names)
        for window, name in zip((ada, bob), names):
            window.come_in(name)
        ada.create("Nim", seats=2)
        return ada, bob

    def test_what_one_says_the_other_reads_as_text(self):
        ada, bob = self.two_at_nim(("Chat Ada", "Chat Bob"))
        bob.go(f"#/join/{ada.code()}")
        for window in (ada, bob):
            window.see(".counter")
        said = "<img src=x onerror=alert(1)> häuser & 🂡"
        ada.click("[role=tab]", "Chat")
        ada.write(".chat input", "Hello there")
        ada.press(harness.Keys.ENTER)
        bob.see("[role=tab] .unread", "1")  # Whoever reads the log is told that somebody speaks.
        bob.shot("match-unread")
        bob.click("[role=tab]", "Chat")
        bob.see(".chatlist li", "Chat Ada Hello there")
        self.assertEqual(bob.all("[role=tab] .unread") + ada.all("[role=tab] .unread"), [])
        bob.run("const field = document.querySelector('.chat input'); field.value = arguments[0]; field.dispatchEvent(new Event('input', { bubbles: true }));", said)
        bob.click(".chat form button")
        ada.see(".chatlist li", f"Chat Bob {said}")
        bob.click(".phrases button", "Good luck!")
        ada.see(".chatlist li", "Chat Bob Good luck!")
        self.assertEqual(ada.all(".chatlist img"), [])
        ada.shot("match-chat")

    def test_who_asks_for_another_match_is_heard_at_the_end_of_the_last(self):
        ada, bob = self.two_at_nim(("Again Ada", "Again Bob"))
        bob.go(f"#/join/{ada.code()}")
        while not (ada.has(".ending") and bob.has(".ending")):
            window = ada.until(lambda: next((one for one in (ada, bob) if one.has(nim_counters.FREE) or one.has(".ending")), None), "a turn, or the end")
            if window.has(".ending"):
                continue
            before = nim_counters.left(window)
            window.click(".counter:first-child:not(:disabled)")
            window.until(lambda window=window, before=before: nim_counters.left(window) < before, "fewer counters")
        ada.click(".ending button", "Another match")
        bob.see(".ending", "Again Ada asks for another match.")
        bob.shot("match-rematch-asked")
        bob.click(".ending button", "Another match")
        for window in (ada, bob):
            window.see(".matchpage .counter")
            window.until(lambda window=window: not window.has(".ending"), "a match that goes on")

    def test_two_at_one_device_play_to_the_end(self):
        ada = self.window()
        ada.come_in("Hot Ada")
        ada.create("Nim", more=("at this device",), seats=2)
        ada.shot("table-hotseat")
        ada.click(".seatrow button", "Sit here, too")
        ada.see(nim_counters.FREE)
        names = set()
        while not ada.has(".ending"):
            names.add(ada.text(".yourturn, .turnstate"))
            before = nim_counters.left(ada)
            ada.click(".counter:first-child:not(:disabled)")
            ada.until(lambda before=before: nim_counters.left(ada) < before and (ada.has(".ending") or ada.has(nim_counters.FREE)), "the other's turn")
        ada.see(".nim strong", "won")
        ada.click(".ending a", "Lobby")
        ada.see(".tablerow", "Hot Ada (×2) · Hot Ada has won")  # Once, however many seats he had.

    def test_people_at_one_screen_have_names_of_their_own(self):
        ada = self.window()
        ada.come_in("Screen Ada")
        ada.create("Nim", more=("at this device",), seats=2)
        ada.write(".seatrow.seat-0 input", "Mia")
        ada.write(".seatrow.seat-1 input", "Noah")
        ada.see(".seatrow.seat-0 strong", "Mia")
        ada.shot("table-hotseat-named")
        ada.click(".seatrow button", "Sit here, too")
        ada.see(nim_counters.FREE)
        told = set()
        while not ada.has(".ending"):
            told.add(ada.text(".yourturn"))
            before = nim_counters.left(ada)
            ada.click(".counter:first-child:not(:disabled)")
            ada.until(lambda before=before: nim_counters.left(ada) < before and (ada.has(".ending") or ada.has(nim_counters.FREE)), "the other's turn")
            ada.shot("match-hotseat-named")
        self.assertEqual({one.split()[0] for one in told}, {"Mia", "Noah"})
        self.assertTrue(any(name in ada.text(".verdict") for name in ("Mia", "Noah")))
        ada.click(".ending a", "Replay")
        ada.see(".matchhead .seatname", "Mia")  # Here; the house was never told.

    def test_a_picture_is_seen_by_the_others(self):
        ada, bob = self.window(), self.window()
        ada.go()
        ada.see(".hero")
        ada.click(".pictures button[aria-label=key]")
        ada.write(".hero input", "Picture Ada")
        ada.click(".hero button.main")
        ada.see("header .who", "Picture Ada")
        bob.come_in("Picture Bob")
        ground = ada.run(GROUND, "header .who .avatar circle")
        ada.create("Nim", seats=3)
        bob.until(lambda: ground in bob.run(GROUNDS, ".tablerow .faces .avatar circle"), "the picture in the lobby")
        bob.join(ada)
        bob.see(".seatrow", "Picture Ada")
        self.assertEqual(bob.run(GROUND, ".seatrow.seat-0 .avatar circle"), ground)
        bob.shot("table-pictures")

    def test_a_guest_is_told_who_invites_and_to_what(self):
        ada, bob = self.window(), self.window(size=(390, 844))
        ada.come_in("Inviting Ada")
        ada.create("Objectron", setup="duel", more=("I only watch",), link_only=True)
        bob.go(f"#/join/{ada.code()}")  # Who has no name yet, too.
        bob.see(".invitation h1", "Inviting Ada invites you: Objectron")
        bob.see(".invitation .terms", "2 minutes")
        bob.shot("invitation")
        bob.write(".hero input", "Invited Bob")
        bob.click(".hero button.main")
        bob.see(".seatlist", "Invited Bob")

    def pass_on(self, ada):
        """Whatever the first card brings, a quest to decline or cards to lay off, until somebody else is asked."""
        while not ada.has(".curtain"):
            act = ada.act()
            ada.until(lambda: ada.has(".curtain") or any(self.answered(ada, *one) for one in ANSWERS), "a question, or the next one's")
            ada.until(lambda act=act: ada.has(".curtain") or ada.act() > act, "what comes of it")

    def answered(self, ada, css, words):
        for one in ada.all(css, words)[:1]:
            one.click()
            return True
        return False

    def test_at_one_device_nobody_sees_the_others_cards(self):
        ada = self.window()
        ada.come_in("Curtain Ada")
        ada.create("Quests", more=("at this device",))
        for seat in (1, 2, 3):
            ada.click(f".seatrow.seat-{seat} button", "Sit here, too")
            ada.until(lambda seat=seat: ada.has(".curtain") or ada.has(f".seatrow.seat-{seat} strong"), "the seat")
        ada.see(".curtain h2", "Pass the device to Curtain Ada (1)")
        self.assertEqual(ada.run("return document.querySelectorAll('[data-card]').length"), 0)
        ada.shot("match-curtain")
        ada.click(".curtain button", "I am Curtain Ada (1)")
        ada.until(lambda: len(ada.all(".lay")) > 11, "a hand")
        self.pass_on(ada)
        ada.see(".curtain h2", "Pass the device to Curtain Ada (2)")
        self.assertEqual(ada.run("return document.querySelectorAll('[data-card]').length"), 0)

    def test_a_friend_takes_the_seat_of_who_leaves(self):
        ada, bob = self.two_at_nim(("Vote Ada", "Vote Bob"))
        carl = self.window()
        carl.come_in("Vote Carl")
        bob.go(f"#/join/{ada.code()}")
        bob.click("button", "Leave the match")
        bob.click("[role=dialog] button.bad")
        ada.see(".notice", "Seat 2 is empty")
        ada.write(".notice input", "Nobody At All")
        ada.click(".notice button", "This friend")
        ada.see(".notice [role=alert]")
        ada.shot("match-vote")
        ada.write(".notice input", "Vote Carl")
        ada.click(".notice button", "This friend")
        carl.see(".notice", "Vote Ada keeps a seat for you: Nim")
        carl.click(".notice button", "Sit down")
        carl.see(".matchpage .counter")
        for _ in range(2):  # Whoever is on turn first.
            ada.until(lambda: ada.has(nim_counters.FREE) or carl.has(nim_counters.FREE), "a turn")
            window = ada if ada.has(nim_counters.FREE) else carl
            before = nim_counters.left(window)
            window.click(".counter:last-child:not(:disabled)")
            for each in (ada, carl):
                each.until(lambda each=each: nim_counters.left(each) < before, "fewer counters for both")

    def test_a_code_takes_the_seat_to_another_device_once(self):
        ada, other, third = self.window(), self.window(), self.window()
        ada.come_in("Two Ada")
        ada.play_with_bots("Nim")
        nim_counters.take(ada)
        ada.click("header .who")
        ada.click("[role=dialog] button", "Get a code")
        link = ada.until(lambda: ada.run("return document.querySelector('[role=dialog] .copy input')?.value"), "a link")
        ada.shot("settings-device")
        self.assertIn("#/device/", link)  # No server's log sees what stands behind the #.
        path = link.removeprefix(f"{ada.home}/")
        third.come_in("Third Bob")  # Somebody sends Bob the link: he is asked, says no, and the code stays good.
        third.here().get("about:blank")
        third.go(path)
        third.see(".offered", "one of Two Ada")
        third.see(".offered", "Here you are Third Bob now")
        third.shot("offered-device")
        third.click(".offered button", "Stay Third Bob")
        third.until(lambda: not third.has(".offered"), "no question any more")
        third.see("header .who", "Third Bob")
        other.go(path)
        other.see(".offered", "one of Two Ada")
        self.assertFalse(other.has("header .who", "Two Ada"))
        other.click(".offered button.main", "Come in as Two Ada")
        other.see("header .who", "Two Ada")
        other.until(lambda: other.run("return location.hash") == "#/", "the code out of the address")
        other.click(".tablerow a", "Back to the match")
        # All that happened before, as the first device has it, and none of it as news.
        other.until(lambda: other.log() == ada.log(), "the log since the match began")
        self.assertGreater(len(ada.log()), 2)
        self.assertEqual(other.text(".ticker .unseen"), "")
        nim_counters.take(other)
        other.until(lambda: other.log() == ada.log(), "the same log on both devices")
        counters = nim_counters.left(other)
        ada.click("[role=dialog] button[aria-label=Close]")
        ada.until(lambda: nim_counters.left(ada) == counters, "the same counters on both devices")
        third.here().get("about:blank")
        third.go(path)
        third.see(".notice.bad", "This code is not good any more")
        third.see("header .who", "Third Bob")

    def test_a_turn_is_told_in_title_sound_and_notification(self):
        ada, bob = self.window(), self.window()
        bob.cdp("Page.addScriptToEvaluateOnNewDocument", source=RINGS)
        for window, name in ((ada, "Ring Ada"), (bob, "Ring Bob")):
            window.come_in(name)
        bob.click("header .who")
        bob.click("[role=dialog] .check", "a soft sound")
        bob.click("[role=dialog] .check", "a notification")
        bob.click("[role=dialog] button[aria-label=Close]")
        ada.create("Nim", seats=2)
        bob.go(f"#/join/{ada.code()}")
        for window in (ada, bob):
            window.see(".counter")
        first = ada.until(lambda: next((one for one in (ada, bob) if one.has(nim_counters.FREE)), None), "somebody's turn")
        if first is bob:
            bob.click(".counter:last-child:not(:disabled)")
            ada.see(nim_counters.FREE)
        bob.until(lambda: bob.driver.title == "Arbiter", "a quiet title")
        rung, told = bob.run("window.looksAway = true; return [window.rung, window.notices.length]")
        ada.click(".counter:last-child:not(:disabled)")
        bob.until(lambda: bob.driver.title.startswith("● Your turn"), "the title")
        bob.until(lambda: bob.run("return [window.rung > arguments[0], window.notices.slice(arguments[1])]", rung, told)
                  == [True, ["Arbiter: Your turn"]], "the sound, and one notification")

    def test_what_is_refused_is_said_in_the_readers_language(self):
        ada, bob = self.window(), self.window()
        ada.come_in("Nein Ada")
        bob.go()
        bob.run("localStorage.setItem('arbiter.language', 'de')")
        bob.go()
        bob.until(lambda: bob.run("return document.documentElement.lang") == "de", "a page in German")
        bob.write(".hero input", "Nein Ada")  # A name somebody has.
        bob.click(".hero button.main", "Eintreten")
        bob.see(".hero [role=alert]", "Diesen Namen hat schon jemand")
        bob.shot("refused-name-german")
        bob.write(".hero input", "Nein Bob")
        bob.click(".hero button.main", "Eintreten")
        bob.see("header .who", "Nein Bob")
        bob.write(".joincode input", "nocode")  # A table nobody has.
        bob.click(".joincode button")
        bob.see(".empty", "Diesen Code hat kein Tisch")
        bob.shot("refused-code-german")
        bob.go()
        bob.click(bob.card("Objectron"))  # And what the rules refuse: to wait is to end one's turn, and they ask whether that is meant.
        bob.see(".step")
        bob.click(".controls button", "Zug beenden")
        bob.see(".notice.bad", "Wer den Zug jetzt beendet")
        bob.shot("refused-turn-german")

    def test_a_code_of_another_device_that_is_used_up_is_said_to_be(self):
        bob = self.window()
        bob.go("#/device/nosuchcode")
        bob.see(".hero [role=alert]", "This code is not good any more")


if __name__ == "__main__":
    harness.main()

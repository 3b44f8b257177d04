"""nim_browser.py: one window comes in, plays nim against a bot to its end, and looks at it again: replay, verify, a forged file."""
import json

import harness
import nim_counters

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


# Some time after its end a match is watched no more: as if another one were asked for, which nobody knows.
FORGETS = """
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) {
    return send.call(this, text.replace(/("watch":{"match_id":")[^"]+/, '$1AAAAAAAAAAAAAAAAAAAAAA=='));
};
"""


# Controls of a replay that a click in their middle would not reach.
COVERED = """
return [...document.querySelectorAll('.matchhead button, .matchhead select, .timeline .buttons > *, .timeline input')].filter((one) => {
    const box = one.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !hit || !(one.contains(hit) || hit.contains(one));
}).map((one) => one.innerText || one.className);
"""


# The highest counter of the highest heap.
TOPMOST = """
const top = (one) => one.getBoundingClientRect().top;
return [...document.querySelectorAll('.counter')].sort((a, b) => top(a) - top(b))[0];
"""


class Nim(harness.Case):
    def play(self, window):
        window.play_with_bots("Nim")
        window.see(nim_counters.FREE)
        window.shot("match-nim")
        self.assertIn("● Your turn", window.driver.title)
        turns = nim_counters.play_out(window)
        window.see(".ending p.good")
        window.see(".nim strong", "won")
        self.assertNotIn("dice", window.text(".matchpage").lower())  # None fell.
        window.shot("match-nim-end")
        return turns

    def scrub(self, window):
        """A link to a moment leads there, in another window, too; and it goes on by itself."""
        last = window.review()
        window.shot("replay-verified")
        self.assertEqual(len(window.all(".findings li.good")), 6)
        window.click("button[aria-label='One act on']")
        window.click("button", "Link to this moment")
        link = window.see(".moment .copy input").get_property("value")
        self.assertEqual(window.run(COVERED), [])  # Nothing of what moves a replay lies under it.
        window.shot("replay-link")
        self.assertTrue(link.endswith("?at=2"), link)
        other = self.window()
        other.go(link.removeprefix(other.home).lstrip("/"))
        other.see(".timeline .num", f"Act 2 of {last}")
        other.click(".timeline select option[value='10']")
        other.click(".timeline button", "Play")
        other.see(".timeline .num", f"Act {last} of {last}")
        self.assertEqual(nim_counters.left(other), 0)
        other.shot("replay-nim")

    def forge(self, window):
        window.run(FORGES)
        window.click(".verify button.main")
        window.see(".verify h2.bad", "It does not hold")
        self.assertTrue(window.all(".findings li.bad"))
        window.shot("replay-forged")

    def test_a_match_of_nim_from_coming_in_to_a_forged_file(self):
        window = self.window()
        window.go()
        window.see(".hero")
        window.shot("lobby")
        window.come_in("Nim Ada")
        window.shot("lobby-named")
        self.assertGreater(self.play(window), 1)
        self.scrub(window)
        self.forge(window)

    def test_who_comes_back_to_a_match_that_is_over_sees_its_replay(self):
        ada, late = self.window(), self.window()
        ada.come_in("Again Nim Ada")
        ada.play_with_bots("Nim")
        nim_counters.play_out(ada)
        match = ada.run("return location.hash")
        ada.run("location.reload()")
        ada.see(".replaying .timeline")
        ada.go()
        ada.click(".tablerow a", "Table")  # From where another match can be asked for.
        ada.click("a", "Replay")
        ada.see(".replaying .timeline")
        ada.run("location.hash = arguments[0]", match)
        ada.until(lambda: ada.run("return location.hash").startswith("#/replay/"), "the replay")
        ada.see(".replaying .timeline")
        late.go(match)  # Who has no seat sees how it ended, there or in the replay.
        late.see(".ending, .replaying .timeline")
        later = self.window()
        later.cdp("Page.addScriptToEvaluateOnNewDocument", source=FORGETS)
        later.go(match)
        later.see(".replaying .timeline")

    def test_who_goes_back_from_the_replay_does_not_wait(self):
        ada = self.window()
        ada.come_in("Back Nim Ada")
        ada.play_with_bots("Nim")
        nim_counters.play_out(ada)
        ada.click(".ending a", "Replay")
        ada.see(".replaying .timeline")
        ada.run("history.back()")
        ada.until(lambda: ada.run("return location.hash").startswith("#/replay/"), "the replay again")
        ada.see(".replaying .timeline")
        ada.run("history.back()")  # The match is no step of its own any more: one more leads out.
        ada.see("li.game")

    def test_a_newcomer_moves_after_two_clicks_and_reads_nothing(self):
        window = self.window()
        window.go()
        window.shot("newcomer-1")
        window.click(window.card("Nim"))
        window.see(nim_counters.FREE)
        window.see(".yourturn")
        window.shot("newcomer-2")
        before = nim_counters.left(window)
        top = window.run(TOPMOST)
        self.assertEqual(top.get_attribute("aria-label"), "Take 1 from heap 3")  # One takes from above.
        top.click()
        window.until(lambda: nim_counters.left(window) < before, "a move")
        window.see("header .who .avatar")  # Under a name that was proposed.
        window.shot("newcomer-3")

    def test_another_match_brings_the_bots_again(self):
        ada = self.window()
        ada.come_in("Rematch Ada")
        ada.play_with_bots("Nim")
        first = ada.run("return location.hash")
        nim_counters.play_out(ada)
        ada.shot("match-over-with-bots")
        ada.click(".ending button", "Another match")
        ada.see(".matchpage .counter")
        ada.see(nim_counters.FREE)
        self.assertNotEqual(ada.run("return location.hash"), first)
        self.assertTrue(ada.all(".seatname, .matchpage", "bot"))
        nim_counters.play_out(ada)

    def test_a_match_that_the_house_ended_has_a_replay_that_says_so(self):
        ada = self.window()
        ada.come_in("Gone Nim Ada")
        ada.play_with_bots("Nim")
        nim_counters.take(ada)
        ada.click("button", "Leave the match")
        ada.click("[role=dialog] button", "Leave the match")
        ada.see(".tablerow", "Gone Nim Ada, bot")
        ada.see(".tablerow", "ended by the house")
        ada.click(".tablerow a", "Replay")
        ada.see(".replaying .heap")
        ada.see(".story li", "The house ends the match: Everybody has left.")

    def test_a_move_is_one_message_and_the_others_send_none(self):
        ada, bob, watcher = windows = [self.window(listens=True) for _ in range(3)]
        ada.come_in("Counted Ada")
        bob.come_in("Counted Bob")
        ada.create("Nim", seats=2)
        bob.join(ada)
        for window in (ada, bob):
            window.see(".matchpage .heap")
        watcher.go(ada.run("return location.hash"))
        watcher.see(".heap")
        awaited = [ada, bob]
        ada.see(nim_counters.FREE)
        for window in windows:
            window.until(lambda: window.act() == ada.act(), "the same board")
            window.said(), window.frames()
        for _ in range(4):
            mover, act = awaited[0], ada.act()
            mover.click(".counter:last-child:not(:disabled)")
            for window in windows:
                window.until(lambda: window.act() == act + 1, "the new board")
            awaited.reverse()
            awaited[0].see(nim_counters.FREE)
            for window in windows:
                self.assertEqual(window.said(), ["play"] if window is mover else [])
                # A view of what stood there before may still be on its way when a match has just begun.
                downs = [down for down in map(json.loads, window.frames()) if int(down.get("shown", {}).get("number", act + 1)) > act]
                heard = [next(iter(set(down) - {"number", "request"})) for down in downs]
                extra = ["played"] * (window is mover) + ["legal"] * (window is awaited[0])
                self.assertEqual(sorted(kind for kind in heard if kind not in ("crowd", "pong")),
                                 sorted(["happened", "shown", *extra]))

    def test_who_watches_may_stand_still_and_catch_up(self):
        ada, watcher = self.window(), self.window()
        ada.come_in("Paced Ada")
        ada.play_with_bots("Nim")
        nim_counters.take(ada)
        watcher.go(ada.run("return location.hash"))
        watcher.see(".heap")
        watcher.until(lambda: len(watcher.log()) == len(ada.log()), "what happened before")
        watcher.shot("match-watched-late")
        ada.see(".matchhead .chip", "1 person watches")
        watcher.click(".matchhead option[value='0']")
        counters = nim_counters.left(watcher)
        nim_counters.take(ada)
        watcher.see(".matchhead .chip", "behind")
        self.assertEqual(nim_counters.left(watcher), counters)
        watcher.shot("match-paused")
        watcher.click(".matchhead option[value='4']")
        watcher.until(lambda: nim_counters.left(watcher) == nim_counters.left(ada), "what was missed")
        watcher.until(lambda: not watcher.has(".matchhead .chip", "behind"), "nothing left to catch up with")
        # Two look on, and neither counts himself.
        watcher.see(".matchhead .chip", "Only you are watching")
        second = self.window()
        second.go(ada.run("return location.hash"))
        for window in (watcher, second):
            window.see(".matchhead .chip", "You and 1 other are watching")
        ada.see(".matchhead .chip", "2 people watch")


if __name__ == "__main__":
    harness.main()

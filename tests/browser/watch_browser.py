"""watch_browser.py: two programs hunt treasure and somebody watches; nothing jumps about; another house's page is shut out; what is fetched."""
import contextlib
import http.server
import math
import threading

import harness

# Tries the door from whatever page this stands in: whether it opened, and what a plain question says.
KNOCKS = """
const done = arguments[arguments.length - 1];
const socket = new WebSocket(`ws://127.0.0.1:${arguments[0]}/ws`, 'arbiter.v1+json');
socket.onopen = () => done('open');
socket.onclose = () => done('shut');
"""
READS = """
const done = arguments[arguments.length - 1];
fetch(`http://127.0.0.1:${arguments[0]}/api/matches`).then((answer) => done('read'), () => done('shut'));
"""
FETCHED = """
return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .map(({ name, transferSize }) => [name, transferSize]);
"""
IN_SIGHT = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight;
"""
FIRST_LOAD_MOST = 150 * 1024
REQUESTS_MOST = 8
SHIFT_MOST = 0.05
# So many matches of bots may be over before the page has begun to watch them.
TRIES = 5
# How many fields each way that is drawn goes through, and how many fields its longest step is apart.
WAYS = """
return [...document.querySelectorAll('.hunt .way:not(.gap)')].map((one) => one.getAttribute('points').split(' ').map((field) => field.split(',').map(Number)))
    .map((fields) => [fields.length, Math.max(...fields.slice(1).map(([x, y], n) => (Math.abs(x - fields[n][0]) + Math.abs(y - fields[n][1])) / 20))]);
"""


@contextlib.contextmanager
def open_stranger():
    """Another house: a page of nothing, at a port of its own. Returns the port."""
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>stranger</title>")

        def log_message(self, *_):
            pass
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


class Watch(harness.Case):
    def judge(self, window):
        shifts = window.shifts()
        self.assertLess(harness.layout_shift(shifts), SHIFT_MOST, shifts)

    def test_two_programs_hunt_treasure_and_somebody_watches(self):
        ada = self.window(watches=True)
        ada.come_in("Hunt Ada")
        ada.create("Treasure hunt", "unhurried", more=("I only watch",))
        ada.click("button", "Fill with bots")
        ada.see(".matchhead .chip", "Only you are watching")
        ada.see(".hunt")
        ada.see(".legend", "not seen how")
        ada.shifts()
        ada.shot("match-treasure-watching")
        while not ada.has(".ending"):
            act = ada.act()
            self.assertEqual([far for _, far in ada.run(WAYS) if far > 1], [])  # What was not seen is no line.
            ada.until(lambda act=act: ada.has(".ending") or ada.act() > act, "another act")
        ada.see(".huntend")
        ada.until(lambda: [far for _, far in ada.run(WAYS)] == [1, 1], "both ways, from the first step on")
        self.assertEqual(ada.all(".hunt .way.gap"), [])
        ada.shot("match-treasure-end")
        self.judge(ada)
        ada.review()
        ada.show_story("replay-treasure")
        # All of the map is in sight, and further down the controls still are.
        self.assertEqual(ada.run(IN_SIGHT, ".hunt"), True)
        ada.run("scrollTo(0, document.body.scrollHeight)")
        self.assertEqual(ada.run(IN_SIGHT, ".timeline .buttons"), True)

    def test_a_person_steers_in_a_programs_place(self):
        ada = self.window()
        ada.come_in("Steer Ada")
        ada.click(ada.card("Treasure hunt"))
        ada.click(".treasure button", "Draw my half")
        ada.see(".hunt .step")
        ada.shot("match-treasure-steering")
        before = ada.act()
        ada.click(".hunt .step")
        ada.until(lambda: ada.act() > before and ada.has(".hunt .aim, .ending"), "where the step leads")
        self.assertTrue(ada.has(".hunt .fog") or ada.has(".ending"))

    def watch_bots(self, who, game, setup, board, acts):
        """So many acts of a match between bots, or all; None if it was over before this busy machine showed it."""
        ada = self.window(watches=True)
        ada.come_in(who)
        ada.create(game, setup, more=("I only watch",))
        ada.click("button", "Fill with bots")
        ada.see(board)
        ada.shifts()
        act = ada.act()
        ada.until(lambda: ada.has(".ending, .timeline") or ada.act() > act + acts, "many acts")
        if not ada.has(".timeline"):
            return ada
        return None

    def test_nothing_jumps_about_while_events_arrive(self):
        for game, setup, board, acts in (("Quests", "short", ".knight", 40), ("The dead", "intro", ".deadhead", math.inf)):
            with self.subTest(game):
                ada = next(filter(None, (self.watch_bots(f"Still {game.split()[-1]} {n}", game, setup, board, acts) for n in range(TRIES))))
                self.judge(ada)
                ada.shot(f"match-still-{game.split()[-1].lower()}")

    def test_another_houses_page_is_shut_out(self):
        ada = self.window()
        ada.come_in("Origin Ada")
        self.assertEqual(ada.here().execute_async_script(KNOCKS, self.port), "open")
        self.assertEqual(ada.here().execute_async_script(READS, self.port), "read")
        with open_stranger() as port:
            ada.here().get(f"http://127.0.0.1:{port}/")
            self.assertEqual(ada.here().execute_async_script(KNOCKS, self.port), "shut")
            self.assertEqual(ada.here().execute_async_script(READS, self.port), "shut")
            said = harness.SHARED.browser.complaints()  # As it has to.
        self.assertTrue(any("403" in one for one in said), said)

    def test_the_first_load_is_small_and_all_of_it_ours(self):
        ada = self.window(watches=True)
        ada.go()
        ada.see(".games")
        ada.until(lambda: not ada.has(".line"), "the connection")
        self.judge(ada)
        fetched = ada.run(FETCHED)
        self.assertEqual([name for name, _ in fetched if not name.startswith(ada.home)], [])
        self.assertLessEqual(len(fetched), REQUESTS_MOST, fetched)
        self.assertGreater(sum(size for _, size in fetched), 10000)
        self.assertLessEqual(sum(size for _, size in fetched), FIRST_LOAD_MOST, fetched)


if __name__ == "__main__":
    harness.main()

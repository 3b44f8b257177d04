"""moves_browser.py: what a player's clicks do while the board is old: a hint is seen, one move is sent at a time, a refusal stands in sight."""
import harness

# Counts what is sent and answered; while `isHeld`, views and lists wait.
HOLDS = """
window.sent = window.answered = 0;
window.isHeld = false;
window.waiting = [];
window.WebSocket = class extends WebSocket {
    send(text) {
        if ('play' in JSON.parse(text)) window.sent++;
        super.send(text);
    }
    set onmessage(hear) {
        super.onmessage = (message) => {
            const said = JSON.parse(message.data), isPlayed = 'played' in said;
            if (window.isHeld && ('shown' in said || 'happened' in said || 'legal' in said)) window.waiting.push(() => hear(message));
            else hear(message);
            if (isPlayed) window.answered++;
        };
    }
};
window.letGo = () => {
    window.isHeld = false;
    window.waiting.splice(0).forEach((hear) => hear());
};
"""
CLICKS = "document.querySelector(arguments[0])?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return window.sent;"
GENERAL = tuple(filter(harness.games.is_general, harness.games.names()))
# Games with what is clicked there: the same square or button, again and again.
CLICKED = {"treasure": ".hunt .step", "objectron": ".step", **dict.fromkeys(GENERAL, harness.GENERAL_MOVE)}
# In games with a board that is clicked the hinted place is marked.
HINTED = {"objectron": ".step.hinted", "treasure": ".step.hinted", "nim": ".counter.hinted", "four": ".squares .cell.hinted",
          **dict.fromkeys(sorted({*GENERAL} - {"nim", "four"}), ".general .hinted")}
# Whether all of this is in the window.
IN_SIGHT = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
"""


class Moves(harness.Case):
    def begin(self, window, game):
        window.play_with_bots(harness.games.title(game))
        if game == "treasure":
            window.click(".treasure button", "Draw my half")
            window.see(".hunt .step")

    def leave(self, window):
        """To the lobby; a match may end while somebody leaves it."""
        def left():
            # The dialog first: while it stands there, nothing behind it can be clicked.
            for css, words in (("[role=dialog] button.bad", ""), (".ending a", "Lobby"), (".matchhead button", "Leave the match")):
                for one in window.all(css, words)[:1]:
                    one.click()
                    return False
            return window.has(".games")
        window.until(left, "the lobby")

    def test_a_hint_is_said_and_shown_in_every_game(self):
        ada = self.window()
        ada.come_in("Hint Ada")
        for game in harness.games.names():
            with self.subTest(game):
                self.begin(ada, game)
                ada.click(".matchhead button", "A hint")
                ada.see(".matchhead [role=status]", "A careful player would: ")
                if game in HINTED:
                    ada.see(HINTED[game])
                ada.shot(f"match-hint-{game}")
                self.leave(ada)

    def test_fast_clicks_send_one_move_until_the_board_is_new(self):
        ada = self.window()
        ada.cdp("Page.addScriptToEvaluateOnNewDocument", source=HOLDS)
        ada.come_in("Fast Ada")
        for game, css in CLICKED.items():
            with self.subTest(game):
                self.begin(ada, game)
                ada.see(css)
                before = ada.run("window.isHeld = true; return window.sent")
                for _ in range(4):
                    ada.run(CLICKS, css)
                    ada.until(lambda: ada.run("return window.sent === window.answered"), "an answer")
                self.assertEqual(ada.run("window.letGo(); return window.sent") - before, 1)
                ada.until(lambda css=css: ada.has(".ending") or ada.run(CLICKS, css) - before > 1, "another move, or the end")
                self.leave(ada)

    def test_a_refusal_stands_in_sight_and_goes_with_the_next_view(self):
        ada = self.window(size=(1280, 480))
        ada.come_in("Refused Ada")
        self.begin(ada, "objectron")
        ada.see(".step")
        ada.click(".controls button", "End the turn")  # The rules ask whether that is meant.
        ada.run("scrollTo(0, document.body.scrollHeight)")
        ada.see(".notice.bad")
        self.assertTrue(ada.run(IN_SIGHT, ".notice.bad"))
        ada.shot("match-refused-scrolled")
        ada.click(".controls button", "Go on")
        before = ada.act()
        ada.click(".step")
        ada.until(lambda: ada.act() > before, "the view behind the move")
        self.assertFalse(ada.has(".notice.bad"))
        ada.click(".controls button", "End the turn")
        ada.click(".notice.bad button")  # Or it is put away by hand.
        ada.until(lambda: not ada.has(".notice.bad"), "no refusal any more")

    def test_the_end_of_a_turn_with_dice_left_is_asked_about(self):
        ada = self.window()
        ada.come_in("Doubting Ada")
        self.begin(ada, "dead")
        for number in (1, 2):
            ada.click(f".draft li:nth-child({number}) .person")
        ada.click(".draft button.main")
        ada.see(".deadseat.asked .die")
        ada.until(lambda: ada.has(".yourturn") and ada.has(".deeds button.main", "End the turn"), "our turn")
        before = ada.act()
        ada.click(".deeds button.main", "End the turn")
        ada.see("[role=dialog] .doubt", "You still have 3 dice to use.")
        ada.shot("match-doubt")
        ada.click("[role=dialog] button", "Not yet")
        ada.until(lambda: not ada.has("[role=dialog]"), "no question any more")
        self.assertEqual(ada.act(), before)
        ada.click(".deeds button.main", "End the turn")
        ada.click("[role=dialog] button.main")
        ada.until(lambda: ada.act() > before, "the turn of somebody else")


if __name__ == "__main__":
    harness.main()

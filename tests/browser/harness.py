"""harness.py: a house of services with a gateway and the built page before it, and windows of one Chromium that look at it.

All tests of a process share house, gateway and browser; each has windows of its own, with cookies of their own, and
players under names that nobody else has."""
import base64
import contextlib
import json
import os
import pathlib
import signal
import sys
import tempfile
import unittest
import urllib.request

from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ARBITER_BUILD", SOURCE / ".build" / "release"))
PAGE = SOURCE / "services" / "gateway" / "web" / "dist"
SHOTS = BUILD / "browser"
sys.path[:0] = [str(SOURCE / "tests" / "lib" / "gateway"), str(SOURCE / "tests" / "lib"),
                str(SOURCE / "common" / "client" / "python")]
import exchange  # noqa: E402
import games  # noqa: E402
import gateway_house  # noqa: E402
import socket_client  # noqa: E402

SETTINGS = {"bot": ["--think-ms", "0"], "lobby": ["--allow-rigged"]}
# Tests click faster than people; a page keeps to what its door says it takes.
GENEROUS = ["--tab-burst", "100", "--tab-per-10-s", "1000"]
GATEWAYS = 2  # The second is there to be killed.
PATIENCE_S = int(os.environ.get("PATIENCE_S", 120))
# What makes a move on the general board: a cell, a counter, or a button.
GENERAL_MOVE = ".squares .cell.free, .counter:not(:disabled), .chooser button:not(:disabled)"
LOOKS_EVERY_S = 0.04
MOST_TABS = 200
# A page that is drawn anew may take away what was found a moment ago: then it is looked for again.
PASSING = (exceptions.StaleElementReferenceException, exceptions.ElementClickInterceptedException,
           exceptions.ElementNotInteractableException, exceptions.NoSuchElementException)
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
            "--force-device-scale-factor=1", "--window-size=1280,900", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
# Two frames later everything stands where it belongs.
DRAWN = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
# Shown, and saying this.
FINDS = """
const [css, words] = arguments;
return [...document.querySelectorAll(css)].filter((one) => (one.tagName === 'OPTION' || one.getClientRects().length > 0) && (words === '' || (one.innerText ?? one.textContent).includes(words)));
"""
# What came and went over every WebSocket of a page, kept from before its first line.
LISTENS = """
window.framesHeard = [];
window.framesSaid = [];
window.WebSocket = class extends WebSocket {
    constructor(...words) {
        super(...words);
        this.addEventListener('message', ({ data }) => window.framesHeard.push(data));
    }
    send(data) {
        window.framesSaid.push(data);
        super.send(data);
    }
};
"""
# How far things were pushed about while nobody had clicked or typed.
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
    for (const one of list.getEntries())
        if (!one.hadRecentInput) window.shifts.push([one.startTime, one.value, one.sources.map(({ node }) => node?.className ?? node?.nodeName ?? '?').join(' ')]);
}).observe({ type: 'layout-shift', buffered: true });
"""


@contextlib.contextmanager
def open_house():
    """The services, with bots that do not dawdle and cards that may be laid; a place for gateways."""
    if not (PAGE / "index.html").exists():
        raise AssertionError("there is no page: npm ci && npm run build in services/gateway/web")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with gateway_house.open_house(BUILD, gateways=GATEWAYS, others=("bot",), settings=SETTINGS) as house:
        yield house


@contextlib.contextmanager
def open_door(house, name="gateway-0", listen="127.0.0.1:*", words=()):
    """A gateway with the page; `listen`: where one stood before."""
    with gateway_house.open_gateway(house, name, words=["--web", PAGE, *GENEROUS, *words], listen=listen) as gateway:
        exchange.wait_until_ready(gateway.port)
        yield gateway


def children_of(pid):
    """The processes below one, the deepest last; threads end while one looks."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in task.read_text().split():
                found += [int(child), *children_of(int(child))]
    return found


def layout_shift(shifts):
    """As browsers count it: the worst sum of what came at most a second apart, in five seconds."""
    worst = total = began = last = 0
    for when, value, _ in shifts:
        if total == 0 or when - last > 1000 or when - began > 5000:
            total, began = 0, when
        total, last = total + value, when
        worst = max(worst, total)
    return worst


class Browser:
    """One Chromium. Its windows know nothing of each other. Ends with the `with` that made it."""

    def __init__(self, folder):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for switch in (*SWITCHES, f"--user-data-dir={folder}"):
            options.add_argument(switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.at = None
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json/version") as answer:
            path = json.load(answer)["webSocketDebuggerUrl"].split("/", 3)[3]
        self.requests = 0
        self.line = socket_client.Socket(int(address.split(":")[1]), protocol=None, path=f"/{path}")

    def command(self, method, **words):
        """Says something to the browser itself, and returns its answer."""
        self.requests += 1
        self.line.send(json.dumps({"id": self.requests, "method": method, "params": words}))
        while True:
            answer = json.loads(self.line.receive())
            if answer.get("id") == self.requests:
                return answer["result"]

    def turn_to(self, window):
        if self.at != window:
            self.driver.switch_to.window(window)
            self.at = window

    def complaints(self):
        """What was found wrong in any window since this was asked last: errors of scripts, refused requests, broken policies."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def end(self):
        """It is asked to go; what is left of it then is ended by its number."""
        self.line.plain.close()
        left = children_of(self.driver.service.process.pid)
        try:
            self.driver.quit()
        finally:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def open_browser():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            yield browser
        finally:
            browser.end()


class Shared:
    """What all tests of this process share, opened by the first that wants it."""

    def __init__(self):
        self.stack = contextlib.ExitStack()
        self.is_open = False

    def open(self):
        if not self.is_open:
            self.is_open = True
            self.house = self.stack.enter_context(open_house())
            self.gateway = self.stack.enter_context(open_door(self.house))
            self.browser = self.stack.enter_context(open_browser())

    def close(self):
        self.stack.close()


SHARED = Shared()


class Case(unittest.TestCase):
    """A test in the browser: windows that close with it, and in the end no complaint of any of them."""
    tolerates = ()  # What the browser may complain of here.

    @classmethod
    def setUpClass(cls):
        SHARED.open()

    def setUp(self):
        self.house, self.port = SHARED.house, SHARED.gateway.port
        SHARED.browser.complaints()

    def window(self, port=None, **how):
        window = Window(SHARED.browser, self.port if port is None else port, **how)
        self.addCleanup(window.end)
        return window

    def tearDown(self):
        found = [one for one in SHARED.browser.complaints() if not any(word in one for word in self.tolerates)]
        self.assertEqual(found, [])


def main():
    """Runs the tests of the file that calls."""
    try:
        sys.exit(not unittest.main(exit=False).result.wasSuccessful())
    finally:
        SHARED.close()


class Window:
    """A window with cookies of its own. `still`: nothing moves; `listens`: frames are kept; `watches`: shifts are.
    `context`: another window's, whose cookies and storage it has, too."""

    def __init__(self, browser, port, size=(1280, 900), still=False, listens=False, watches=False, context=None):
        self.browser, self.driver = browser, browser.driver
        self.home = f"http://127.0.0.1:{port}"
        self.context = context or browser.command("Target.createBrowserContext")["browserContextId"]
        # As large as it will be: on a busy machine a page may be drawn before it hears of its size.
        self.handle = browser.command("Target.createTarget", url="about:blank", browserContextId=self.context, newWindow=True, width=size[0], height=size[1])["targetId"]
        browser.turn_to(self.handle)
        self.resize(*size)
        for script in [LISTENS] * listens + [SHIFTS] * watches:
            self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)
        if still:
            self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])

    def end(self):
        self.browser.command("Target.disposeBrowserContext", browserContextId=self.context)

    def close(self):
        """This window alone."""
        self.browser.command("Target.closeTarget", targetId=self.handle)

    def here(self):
        self.browser.turn_to(self.handle)
        return self.driver

    def cdp(self, method, **words):
        return self.here().execute_cdp_cmd(method, words)

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def go(self, path=""):
        self.here().get(f"{self.home}/{path}")

    def until(self, condition, what):
        """Waits until this is true of the page, and returns what it said."""
        def holds(_):
            try:
                return condition()
            except PASSING:
                return False
        try:
            return WebDriverWait(self.here(), PATIENCE_S, LOOKS_EVERY_S).until(holds)
        except exceptions.TimeoutException:
            self.shot(f"failed-{self.handle[:6]}")
            raise AssertionError(f"never came: {what}\n{self.run('return document.body.innerText')}\n{self.browser.complaints()}") from None

    def all(self, css, words=""):
        """What is shown and says this, now."""
        return self.run(FINDS, css, words)

    def has(self, css, words=""):
        with contextlib.suppress(*PASSING):
            return bool(self.all(css, words))
        return False

    def see(self, css, words=""):
        return self.until(lambda: (self.all(css, words) or [None])[0], f"{css} {words}")

    def click(self, css, words=""):
        """A click as with a mouse, as soon as it can be clicked."""
        def clicked():
            for one in self.all(css, words):
                if one.is_enabled():
                    one.click()
                    return True
            return False
        self.until(clicked, f"{css} {words}, to be clicked")

    def write(self, css, text):
        self.see(css).send_keys(Keys.CONTROL, "a", Keys.NULL, text)
        self.until(lambda: self.run("return document.querySelector(arguments[0]).value", css) == text, f"{text} in {css}")

    def text(self, css):
        return self.until(lambda: self.here().find_element(By.CSS_SELECTOR, css).text or " ", css).strip()

    def run(self, script, *words):
        return self.here().execute_script(script, *words)

    def shot(self, name):
        # Not in the middle of a change of size or colours.
        self.here().execute_async_script(DRAWN)
        picture = self.cdp("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        (SHOTS / f"{name}.png").write_bytes(base64.b64decode(picture))

    def frames(self):
        """What came over the WebSocket since this was asked last."""
        return self.run("return window.framesHeard.splice(0)")

    def said(self):
        """What went over the WebSocket since this was asked last: the kinds of messages, but for signs of life."""
        kinds = self.run("return window.framesSaid.splice(0).map((text) => Object.keys(JSON.parse(text)).find((key) => key !== 'request'))")
        return [kind for kind in kinds if kind != "ping"]

    def shifts(self):
        """Layout shifts since this was asked last: when each was, how much, and of what."""
        return self.run("return window.shifts.splice(0)")

    def press(self, *keys):
        """Keys, to whatever has the focus."""
        ActionChains(self.here(), duration=0).send_keys(*keys).perform()

    def focus(self, css, words=""):
        """Tab after Tab, as somebody without a mouse would, until this has the focus."""
        test = "const one = document.activeElement; return one.matches(arguments[0]) && (one.innerText ?? '').includes(arguments[1]);"
        for _ in range(MOST_TABS):
            if self.run(test, css, words):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"no Tab leads to {css} {words}")

    def mean(self):
        """Says that the move just clicked is meant, where the page asks."""
        if self.has("[role=dialog] .doubt"):
            self.click("[role=dialog] button.main")

    def come_in(self, name):
        self.go()
        self.write(".hero input", name)
        self.click(".hero button.main")
        self.see("header .who", name)

    def play_with_bots(self, game):
        self.click(self.card(game))
        self.see(".matchpage .yourturn")

    def card(self, game):
        """Where the lobby offers this game."""
        self.see("li.game h3", game)
        titles = self.run("return [...document.querySelectorAll('li.game h3')].map((one) => one.innerText)")
        return f"li.game:nth-child({titles.index(game) + 1}) button.main"

    def create(self, game, setup=None, more=(), seats=None, own=None, link_only=False):
        """Opens a table in the dialog: the game's title, the set-up's name or one of one's own, seats; further things to click. Not filled with bots."""
        self.click("button", "Create a table")
        self.click("[role=dialog] [role=radio]", game)
        self.until(lambda: self.run("return document.querySelector('[role=dialog] .preview p') !== null"), "the set-up's preview")
        if own is not None:
            self.click("[role=dialog] select option[value='(own)']")
            field = self.see("[role=dialog] textarea")
            self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', { bubbles: true }));", field, json.dumps(own))
        if setup is not None:
            self.click(f"[role=dialog] select option[value='{setup}']")
        if seats is not None:
            self.click(f"[role=dialog] select[name=seats] option[value='{seats}']")
        if link_only:
            self.click("[role=dialog] select option[value='link']")
        for words in ("Fill free seats", *more):
            self.click("[role=dialog] .check", words)
        self.click("[role=dialog] form > button.main")
        self.see(".seatlist")

    def join(self, host):
        """Comes to the table at which `host` sits, by its link."""
        self.go(f"#/join/{host.code()}")
        self.see(".seatlist, .matchpage")  # Who takes the last seat sees the match begin.

    def code(self):
        """The code of the table this window shows."""
        return self.run("return document.querySelector('.copy input').value.split('/join/')[1]")

    def act(self):
        """The act that the board belongs to."""
        return int(self.run("return document.querySelector('.matchpage')?.dataset.act ?? 0"))

    def log(self):
        """What happened in the match, as lines."""
        return self.run("return [...document.querySelectorAll('.log li')].map((one) => one.innerText)")

    def review(self):
        """From the end of a match through its replay: its ends, a step, what the story leads to, its first act, and verified. Returns its acts."""
        self.click(".ending a", "Replay")
        self.click("button[aria-label='To the end']")
        last = int(self.text(".timeline .num").split()[-1])
        self.see(".timeline .num", f"Act {last} of {last}")
        self.click("button[aria-label='One act back']")
        self.see(".timeline .num", f"Act {last - 1} of {last}")
        self.click(".story li:first-child button")
        self.see(".story li:first-child button[aria-current]")
        self.click(".story li:last-child button")
        self.see(".story li:last-child button[aria-current]")
        self.focus(".timeline input[type=range]")
        self.press(Keys.HOME)
        self.see(".timeline .num", f"Act 1 of {last}")
        self.click("[role=tab]", "Verify")
        self.click(".verify button.main")
        self.see(".verify h2.good", "It holds")
        return last

    def show_story(self, name):
        """A picture of a replay's last act, and of what is told of it."""
        self.click("[role=tab]", "Events")
        self.click("button[aria-label='To the end']")
        self.see(".story li:last-child button[aria-current]")
        self.shot(name)

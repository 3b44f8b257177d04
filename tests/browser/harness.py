"""harness.py: a house of services with a gateway and the built page before it, and windows of Chromium that look at it."""
import contextlib
import json
import os
import pathlib
import signal
import sys
import tempfile

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
sys.path.insert(0, str(SOURCE / "tests" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402

SETTINGS = {"bot": ["--think-ms", "0"], "lobby": ["--allow-rigged"]}
PATIENCE_S = 60
LOOKS_EVERY_S = 0.05
MOST_TABS = 200
# A page that is drawn anew may take away what was found a moment ago: then it is looked for again.
PASSING = (exceptions.StaleElementReferenceException, exceptions.ElementClickInterceptedException,
           exceptions.ElementNotInteractableException, exceptions.NoSuchElementException)
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--force-device-scale-factor=1", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")


@contextlib.contextmanager
def open_house():
    """The services, with bots that do not dawdle and cards that may be laid; a place for one gateway."""
    if not (PAGE / "index.html").exists():
        raise AssertionError("there is no page: npm ci && npm run build in services/gateway/web")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with gateway_house.open_house(BUILD, others=("bot",), settings=SETTINGS) as house:
        yield house


@contextlib.contextmanager
def open_door(house, listen="127.0.0.1:*"):
    """A gateway with the page; `listen`: where one stood before."""
    with gateway_house.open_gateway(house, words=["--web", PAGE], listen=listen) as gateway:
        exchange.wait_until_ready(gateway.port)
        yield gateway


def children_of(pid):
    """The processes below one, the deepest last."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *children_of(int(child))]
    return found


class Window:
    """A browser of its own, with cookies of its own. Ends with the `with` that made it."""

    def __init__(self, port, folder, size=(1280, 900), listens=False, switches=()):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for switch in (*SWITCHES, *switches, f"--user-data-dir={folder}"):
            options.add_argument(switch)
        logs = {"browser": "ALL", **({"performance": "ALL"} if listens else {})}
        options.set_capability("goog:loggingPrefs", logs)
        self.home = f"http://127.0.0.1:{port}"
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_window_size(*size)

    def end(self):
        """It is asked to go; what is left of it then is ended by its number."""
        left = children_of(self.driver.service.process.pid)
        try:
            self.driver.quit()
        finally:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def go(self, path=""):
        self.driver.get(f"{self.home}/{path}")

    def until(self, condition, what):
        """Waits until this is true of the page, and returns what it said."""
        def holds(_):
            try:
                return condition()
            except PASSING:
                return False
        try:
            return WebDriverWait(self.driver, PATIENCE_S, LOOKS_EVERY_S).until(holds)
        except exceptions.TimeoutException:
            self.shot("failed")
            raise AssertionError(f"never came: {what}\n{self.text('body')}\n{self.complaints()}") from None

    def all(self, css, words=""):
        """What is shown and says this, now."""
        found = self.driver.find_elements(By.CSS_SELECTOR, css)
        return [one for one in found if words in one.text and one.is_displayed()]

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
        field = self.see(css)
        field.clear()
        field.send_keys(text)

    def text(self, css):
        return self.until(lambda: self.driver.find_element(By.CSS_SELECTOR, css).text or " ", css).strip()

    def run(self, script, *words):
        return self.driver.execute_script(script, *words)

    def shot(self, name):
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))

    def complaints(self):
        """What the browser found wrong since it was asked last: errors of scripts, refused requests, broken policies."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def frames(self):
        """What came over the WebSocket since this was asked last, as the browser's own log has it."""
        said = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [one["params"]["response"]["payloadData"] for one in said
                if one["method"] == "Network.webSocketFrameReceived"]

    def press(self, *keys):
        """Keys, to whatever has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def focus(self, css, words=""):
        """Tab after Tab, as somebody without a mouse would, until this has the focus."""
        test = "const one = document.activeElement; return one.matches(arguments[0]) && (one.innerText ?? '').includes(arguments[1]);"
        for _ in range(MOST_TABS):
            if self.run(test, css, words):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"no Tab leads to {css} {words}")

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
        titles = [one.text for one in self.driver.find_elements(By.CSS_SELECTOR, "li.game h3")]
        return f"li.game:nth-child({titles.index(game) + 1}) button.main"


@contextlib.contextmanager
def open_window(port, **how):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        window = Window(port, folder, **how)
        try:
            yield window
        finally:
            window.end()

"""readme_pictures.py: makes the screenshots of README.md anew, from a real house: page and terminal as they are. No test.

    ARBITER_BUILD=.build/release /usr/bin/python3 -B tests/browser/readme_pictures.py [GAME...]

The pictures go to .github/pictures. Build the programs and the page first, as tests/browser/README.md says."""
import fcntl
import html
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

import harness

PICTURES = harness.SOURCE / ".github" / "pictures"
SIZE = (1200, 760)
ROWS, COLUMNS = 32, 100
PATIENCE_S = 60
QUIET_S = 1.5
# Each game's title, who plays (a name is one person's), what is clicked, and what is there when the board is worth a picture.
PAGES = {
    "dead": ("The dead", "Ada", (".draft li:nth-child(1) .person", ".draft li:nth-child(2) .person", ".draft button.main"), ".deeds button.main"),
    "objectron": ("Objectron", "Hedy", (".step",), ".step"),
    "quests": ("Quests", "Mary", (), ".yourturn"),
    "nim": ("Nim", "Emmy", (), ".yourturn"),
}
# What is typed at the terminal.
TERMINALS = {
    "dead": (("dead", "--bots", "2", "--name", "Grace"), ("1",)),
    "nim": (("nim", "--bots", "1", "--name", "Alan"), ("1",)),
}
STYLES = {"1": "font-weight:bold", "2": "color:#8b949e", "31": "color:#ff7b72", "32": "color:#7ee787", "33": "color:#e3b341"}
TERMINAL_PAGE = """<!doctype html><meta charset="utf-8"><body style="margin:0;background:#0d1117;display:inline-block">
<pre id="screen" style="margin:0;padding:18px 22px;color:#e6edf3;font:15px/1.3 'DejaVu Sans Mono',monospace">{}</pre>"""


def shown(window, name):
    """A picture of what the window shows, as small as PNG can be made of so few colours."""
    window.shot(name)
    PICTURES.mkdir(parents=True, exist_ok=True)
    target = PICTURES / f"{name}.png"
    target.write_bytes((harness.SHOTS / f"{name}.png").read_bytes())
    print(target.relative_to(harness.SOURCE), target.stat().st_size, flush=True)


def picture_page(browser, port, game):
    title, name, clicks, last = PAGES[game]
    window = harness.Window(browser, port, size=SIZE, still=True)
    window.come_in(name)
    window.play_with_bots(title)
    for css in clicks:
        window.click(css)
    window.see(last)
    shown(window, f"page-{game}")
    window.end()


def coloured(text):
    """Lines with the few colours that our terminal uses, as HTML."""
    out, is_open = [], False
    for piece in re.split(r"(\x1b\[\d*m)", text):
        code = re.fullmatch(r"\x1b\[(\d*)m", piece)
        if code is None:
            out.append(html.escape(piece))
            continue
        out.append("</span>" * is_open)
        is_open = code.group(1) in STYLES
        out.append(f'<span style="{STYLES[code.group(1)]}">' if is_open else "")
    return "".join(out) + "</span>" * is_open


def heard_at_terminal(words, typed):
    """What `arbiter play` shows, until it waits for the answer after the last one typed."""
    pid, file = pty.fork()
    if pid == 0:
        os.environ.update(LANG="C.UTF-8", LC_ALL="", TERM="xterm")
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.execv(harness.BUILD / "arbiter", ["arbiter", "play", *words])
    heard = ""
    for line in (*typed, None):
        heard += await_prompt(file)
        if line is not None:
            os.write(file, f"{line}\n".encode())
    os.close(file)  # It hangs up.
    os.waitpid(pid, 0)
    return heard.replace("\r", "")


def await_prompt(file):
    text, end = "", time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if select.select([file], [], [], QUIET_S)[0]:
            text += os.read(file, 65536).decode(errors="replace")
        elif text.endswith("> "):
            return text
    raise AssertionError(f"the terminal asks nothing:\n{text}")


def picture_terminal(browser, port, home, game):
    words, typed = TERMINALS[game]
    lines = heard_at_terminal((*words, "--home", home), typed).split("\n")[-ROWS:]
    window = harness.Window(browser, port, size=SIZE, still=True)
    window.here().get("data:text/html;charset=utf-8," + harness.urllib.request.quote(TERMINAL_PAGE.format(coloured("\n".join(lines)))))
    window.resize(*window.run("const one = document.getElementById('screen'); return [one.offsetWidth, one.offsetHeight];"))
    shown(window, f"terminal-{game}")
    window.end()


def main():
    wanted = sys.argv[1:] or sorted({*PAGES, *TERMINALS})
    with tempfile.TemporaryDirectory(prefix="arbiter-pictures-") as home:
        up = subprocess.Popen([harness.BUILD / "arbiter", "up", "--home", home, "--http", "0"], stdout=subprocess.PIPE, text=True)
        try:
            said = ""
            while "bot-1" not in said:
                line = up.stdout.readline()
                assert line, "arbiter up has ended"
                said += line
            port = int(re.search(r"In a browser: http://127\.0\.0\.1:(\d+)/", said).group(1))
            harness.SHOTS.mkdir(parents=True, exist_ok=True)
            with harness.open_browser() as browser:
                for game in wanted:
                    if game in PAGES:
                        picture_page(browser, port, game)
                    if game in TERMINALS:
                        picture_terminal(browser, port, home, game)
        finally:
            up.terminate()
            up.communicate()


if __name__ == "__main__":
    main()

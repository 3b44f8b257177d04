"""nim_counters.py: how a window takes counters, one at a time, by clicking them."""
FREE = ".counter:not(:disabled)"


def left(window):
    """All counters that lie there."""
    return sum(window.until(lambda: window.run("return [...document.querySelectorAll('.heap b.num')].map((one) => Number(one.innerText))"), "the heaps"))


def take(window, which=":last-child"):
    """Takes from some heap; until the house has it, and this window or the end is next. By itself one counter."""
    before = left(window)
    window.click(f".counter{which}:not(:disabled)")
    window.until(lambda: left(window) < before, "fewer counters")
    window.until(lambda: window.has(".ending") or window.has(FREE), "our turn, or the end")
    assert not window.has(".notice.bad"), window.text(".notice.bad")


def play_out(window, which=":last-child"):
    """To the end; how often this window took."""
    turns = 0
    while not window.has(".ending"):
        take(window, which)
        turns += 1
    return turns

"""exchange.py: plays the recorded exchanges of the 2017 protocol against a gateway, over real connections."""
import http.client
import json
import re
import threading
import time
import xml.etree.ElementTree as tree

import schemas

# What may wait for somebody else's request: then the next one is sent when nothing is under way any more.
MAY_WAIT = ("/MapCreation", "/Updates", "/Update")
PATIENCE_S = 60.0
# What has moments of its own says nothing when a request that may wait was read so much later: think times are judged to 200 ms.
LATE_S = 0.1


class Late(Exception):
    """This machine was too slow for a scenario with moments of its own, which therefore says nothing."""

# Leaf names of a scenario's configuration, by their place in the set-up.
LEAVES = {
    "map": ("half_width", "half_height", "min_mountain", "min_grass", "min_water", "edge_water_max_long",
            "edge_water_max_short", "layout", "order", "castle_missing", "treasure_min_distance"),
    "movement": ("countdown", "enter_cost", "leave_cost"),
    "limits": ("max_actions", "limit_result", "think_ms", "out_of_turn", "registration_ms"),
    "visibility": ("mask_actions", "mountain_radius", "spectators", "spectator_delay_actions"),
    "rest": ("port", "bind", "default_dialect", "coordinate_base", "axis", "extensions", "id_mode", "max_body",
             "retention_ms"),
}
PLACES = {leaf: place for place, leaves in LEAVES.items() for leaf in leaves}


def setup_of(scenario):
    """The set-up that a scenario's `config` means."""
    setup = {"game": "treasure", "rest": {"id_mode": "sequential"}}  # As in 2017, when they were recorded.
    for name, value in scenario.get("config", {}).items():
        if name in PLACES:
            setup.setdefault(PLACES[name], {})[name] = value
        else:
            setup[name] = value
    if not any("at" in step for step in scenario["exchange"]):  # No time passes, however busy this machine is.
        setup.setdefault("limits", {}).setdefault("think_ms", 60000)
    return setup


def scenarios(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            scenario = json.loads(line)
            if scenario["type"] == "rest":
                yield scenario


class Ids:
    """Which id here stands for which recorded one: a house goes on counting, and its gateways count together."""

    ID = re.compile(r"(<ID>\s*)(\d+)(\s*</ID>)")
    # Nobody gets these as long as ids are counted.
    NOBODYS = 1 << 30

    def __init__(self):
        self.here = {}

    def of(self, recorded):
        if recorded > 0xffffffff:   # An integer that is too large for one, and the same as another in 32 bits.
            return self.of(recorded - 0x100000000) + 0x100000000
        if recorded in self.here:
            return self.here[recorded]
        return recorded if recorded in (0, 0xffffffff) else self.NOBODYS + recorded

    def sent(self, body):
        return self.ID.sub(lambda found: f"{found[1]}{self.of(int(found[2]))}{found[3]}", body)

    def learn(self, recorded, came):
        """Replies alone name an id where somebody has registered; his is higher than all before him."""
        found, given = self.ID.search(recorded), self.ID.search(came or "")
        if found and given and int(given[2]) > max(self.here.values(), default=0):
            self.here[int(found[2])] = int(given[2])


class Request(threading.Thread):
    """One request, sent at once, on a connection of its own."""

    def __init__(self, port, step):
        super().__init__(daemon=True)
        self.step = step
        self.status = self.reply = self.fault = None
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.connection.request(step["method"], step["path"], step["body"].encode(),
                                {"Content-Type": step.get("content_type", "application/xml")})
        self.start()

    def run(self):
        try:
            response = self.connection.getresponse()
            self.status, self.reply = response.status, response.read().decode()
        except Exception as fault:  # pylint: disable=broad-except
            self.fault = repr(fault)
        finally:
            self.connection.close()


def infoset(text):
    """What two documents must share: names, texts and order."""
    def of(node):
        return (node.tag, (node.text or "").strip(), [of(child) for child in node])
    return of(tree.fromstring(text))


def disagreements(number, request, ids):
    step = request.step
    where = f"request {number} ({step['conn']} {step['path']})"
    if request.fault is not None or request.status is None:
        return [f"{where}: {request.fault or 'it was never answered'}"]
    if request.status != step["status"]:
        return [f"{where}: status {step['status']} expected, {request.status} came"]
    expected = ids.sent(step["reply"])
    if infoset(request.reply) != infoset(expected):
        return [f"{where}: {expected} expected, {request.reply} came"]
    return [f"{where}: {fault}: {request.reply}" for fault in schemas.faults(request.reply)]


def wait_until_ready(port, words=("ready",)):
    """Until the gateway says that its house is there: `ready`, or `open` already, if players may come in before."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", "/readyz")
        said = connection.getresponse().read().decode()
        connection.close()
        if said.startswith(words):
            return
        time.sleep(0.01)
    raise AssertionError("the gateway finds no house")


def metrics(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", "/metrics")
    page = connection.getresponse().read().decode()
    connection.close()
    return page


def metric(port, name):
    return int(re.search(rf"^{name} (\d+)$", metrics(port), re.M).group(1))


def wait_until_whole(port):
    """Until the house has its fanout, too: services that start at once find each other within a second, and until then a
    player waits half of one for what he did."""
    end = time.monotonic() + PATIENCE_S
    while 'arbiter_up{role="fanout"' not in metrics(port):
        if time.monotonic() > end:
            raise AssertionError("the house finds no fanout")
        time.sleep(0.05)


def settle(port, requests):
    """Until the last request is answered, or waits for somebody else's."""
    end = time.monotonic() + PATIENCE_S
    while requests[-1].is_alive() and time.monotonic() < end:
        read = metric(port, "arbiter_gateway_requests_total") + metric(port, "arbiter_gateway_refused_total")
        if read >= len(requests) and metric(port, "arbiter_gateway_busy") == 0:
            return
        requests[-1].join(0.005)


def freed_by(scenario, step, requests):
    """Requests that waited for this one. Their clients would send nothing more before these are answered."""
    until = f"until {step['conn']}:{step['path']}"
    waits = scenario.get("blocking", {})
    return [one for one in requests if waits.get(f"{one.step['conn']}:{one.step['path']}") == until]


def play(scenario, port):
    """Every disagreement, as a sentence; or Late, if there is one and this machine may be to blame."""
    wait_until_ready(port)
    begun, requests, ids, late = time.monotonic(), [], Ids(), 0.0
    for recorded in scenario["exchange"]:
        step = {**recorded, "body": ids.sent(recorded["body"])}
        if "at" in step:
            time.sleep(max(0.0, begun + step["at"] / 1000 - time.monotonic()))
        request = Request(port, step)
        requests.append(request)
        if step["path"] in MAY_WAIT:
            settle(port, requests)
            for freed in freed_by(scenario, step, requests):
                freed.join(PATIENCE_S)
            if "at" in step:
                late = max(late, time.monotonic() - begun - step["at"] / 1000)
        else:
            request.join(PATIENCE_S)
            ids.learn(step["reply"], request.reply)
        if "at" in step and step["path"] not in MAY_WAIT:   # A slow machine shifts what follows.
            begun = max(begun, time.monotonic() - step["at"] / 1000 - 0.1)
    found = []
    for number, request in enumerate(requests, 1):
        request.join(PATIENCE_S)
        found += disagreements(number, request, ids)
    if found and late > LATE_S:
        raise Late(f"{scenario['id']}: a request was read {late * 1000:.0f} ms late: {found[0]}")
    return found

"""garble_door.py: garbled requests and frames at a running gateway for so long, while others play: `garble_door.py SECONDS [SEED]`.

What is sent begins as something good: a request of 2017, whole or in chunks, a page's GET, a WebSocket and its frames. Then bytes are
changed, cut out, doubled, or the line is cut. Whatever comes of it, the gateway lives, its memory stays as it was, and the games that
two programs play meanwhile, one after the other, come to their end.
"""
import asyncio
import os
import pathlib
import random
import re
import sys
import time

import exchange
import gateway_house
import rest_client

MORE_MIB = 32
AT_ONCE = 24
ROOM = ["--players-max", "8192", "--seats-max", "1024", "--tables-max", "1024"]
WORDS = [*ROOM, "--read-ms", "1000", "--idle-ms", "1000", "--tabs-per-address", "0", "--tab-hello-ms", "1000"]
SHORT = {"game": "treasure", "limits": {"max_actions": 20}}
XML = "Content-Type: application/xml\r\n"
PERSON = b"<NewPlayerRequest><FirstName>A</FirstName><SurName>B</SurName><MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>"
UPDATE = "<UpdateRequest><ID>{}</ID><PlayerPositionX>2</PlayerPositionX><PlayerPositionY>2</PlayerPositionY><WantedPositionX>2</WantedPositionX>" \
    "<WantedPositionY>1</WantedPositionY><TurnsUntilMovement>2</TurnsUntilMovement></UpdateRequest>"
MAP = "<CreateNewMapRequest><ID>{}</ID><MapHalf>0101010101010101010002020103030101010102010303010101010101010101</MapHalf></CreateNewMapRequest>"
PROBLEM = "<ConnectionProblemRequest><ID>{}</ID></ConnectionProblemRequest>"
HELLO = b'{"request":1,"hello":{"name":"Garbled"}}'


def post(path, body, more=""):
    return f"POST {path} HTTP/1.1\r\nHost: a\r\n{XML}Content-Length: {len(body)}\r\n{more}\r\n".encode() + body


def chunked(path, body):
    half = len(body) // 2
    parts = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:]))
    return f"POST {path} HTTP/1.1\r\nHost: a\r\n{XML}Transfer-Encoding: chunked\r\n\r\n".encode() + parts + b"0\r\n\r\n"


def frame(body, kind=0x81):
    return bytes([kind, 0x80 | min(len(body), 126)]) + (len(body).to_bytes(2, "big") if len(body) > 125 else b"") + bytes(4) + body


UPGRADE = (b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: arbiter.v1+json\r\n\r\n")
OF_SOMEBODY = [(post, "/MapCreation", MAP), (post, "/Updates", UPDATE), (post, "/ConnectionProblem", PROBLEM),
               (chunked, "/MapCreation", MAP), (chunked, "/Updates", UPDATE)]
OF_ANYBODY = [post("/NewPlayer", PERSON), chunked("/NewPlayer", PERSON), post("/NewPlayer", PERSON, "Expect: 100-continue\r\n"),
              b"GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n", b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n",
              b"GET /api/matches?state=finished&limit=5 HTTP/1.1\r\nHost: a\r\n\r\n", b"HEAD /healthz HTTP/1.1\r\n\r\n",
              UPGRADE + frame(HELLO) + frame(b'{"ping":{}}') + frame(b"", 0x89),
              UPGRADE + frame(HELLO) + frame(b'{"ask":{"quick_play":{"game":"nim"}}}') + frame(b"\x03\xe8", 0x88)]


def good(dice, newest):
    """A good one, of somebody who came lately if it is somebody's."""
    one = dice.choice(OF_SOMEBODY + OF_ANYBODY)
    if isinstance(one, bytes):
        return one
    how, path, body = one
    return how(path, body.format(max(1, newest - dice.randrange(16))).encode())


def garble(dice, text):
    """A few faults of any kind."""
    for _ in range(dice.choice((0, 1, 1, 2, 4, 16))):
        at = dice.randrange(len(text) + 1)
        end = min(len(text), at + dice.choice((1, 1, 2, 8, 64)))
        put = dice.choice((b"", dice.randbytes(end - at), text[at:end] * dice.choice((2, 3, 50)), b"\r\n", b"\0", b"\xff" * 9,
                           b"<!ENTITY a '&a;&a;'>", b"99999999999"))
        text = text[:at] + put + text[end:]
    return text


async def send(port, dice, count):
    text = garble(dice, good(dice, count[1]))
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            cut = dice.randrange(len(text) + 1) if dice.random() < 0.3 else len(text)
            writer.write(text[:cut])
            await asyncio.wait_for(writer.drain(), 5)
            answer = await asyncio.wait_for(reader.read(2000), dice.choice((0.01, 0.1, 3)))
            given = re.search(rb"<ID>(\d+)</ID>", answer)
            count[1] = max(count[1], int(given[1]) if given else 0)
            count[2] += b"FullMap" in answer or b"UpdateResponse" in answer
        finally:
            writer.close()
    except (OSError, asyncio.TimeoutError):
        pass
    count[0] += 1


async def strangers(port, dice, until, count):
    while time.monotonic() < until:
        await send(port, dice, count)


async def others(port, until):
    """How many games they have played."""
    games = 0
    while time.monotonic() < until:
        results, _ = await rest_client.play_games(port, 1, games)
        assert len(results) == 2, results
        games += 1
    return games


def memory_mib(gateway):
    status = pathlib.Path(f"/proc/{gateway.child.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024


async def attack(gateways, seconds, seed):
    """The attacked one is another door of the same house than that of those who play; they are asked at both."""
    until, count = time.monotonic() + seconds, [0, 0, 0]  # Sent, the newest id, answers out of a game.
    port, quiet = gateways[0].port, gateways[1].port
    everybody = [strangers(port, random.Random(f"{seed} {i}"), until, count) for i in range(AT_ONCE)]
    done = await asyncio.gather(others(quiet, until), *everybody)
    return count, done[0]


def main(seconds, seed):
    build = pathlib.Path(os.environ["ARBITER_BUILD"])
    with gateway_house.open_house(build, 2) as house, gateway_house.open_gateway(house, "gateway-0", words=WORDS) as attacked, \
            gateway_house.open_gateway(house, "gateway-1", SHORT, ROOM) as quiet:
        for gateway in (attacked, quiet):
            exchange.wait_until_ready(gateway.port)
        asyncio.run(attack((attacked, quiet), min(10, seconds), seed + 1))  # What is asked for once.
        before = memory_mib(attacked)
        count, games = asyncio.run(attack((attacked, quiet), seconds, seed))
        sent, ids, reached = count
        grown = memory_mib(attacked) - before
        exchange.wait_until_ready(attacked.port)
        print(f"    {sent:,} garbled requests in {seconds} s from seed {seed}, {ids:,} ids, {reached:,} answers out of games; "
              f"others played {games} games; {grown:+.1f} MiB")
        if attacked.child.poll() is not None or grown > MORE_MIB or games == 0:
            sys.exit(f"MISSED: the gateway {'ended' if attacked.child.poll() is not None else 'grew or disturbed others'}; again: garble_door.py {seconds} {seed}")


if __name__ == "__main__":
    gateway_house.process_house.leave_when_told()
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32))

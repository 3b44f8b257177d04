"""rest_client.py: a program of 2017 that plays treasure over HTTP, written from the protocol's description alone.

It knows what that description gives a player: the map of both halves, its own castle, and after each action its
figure, the other's, and whether it has its treasure. So it walks over the grass of its own half until it has the
treasure, and then over that of the other half until it has won, lost, or the actions are used up.
"""
import asyncio
import heapq
import random
import re
import sys

WIDTH, HEIGHT = 8, 4
LEAVE, ENTER = {"G": 1, "M": 2}, {"G": 1, "M": 2}


def is_connected(half):
    land = {(x, y) for y in range(HEIGHT) for x in range(WIDTH) if half[y][x] != "W"}
    reached, waiting = set(), [next(iter(land))]
    while waiting:
        x, y = waiting.pop()
        if (x, y) in land and (x, y) not in reached:
            reached.add((x, y))
            waiting += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return reached == land


def make_half(luck):
    """Five mountains, five waters, a castle on grass; thrown again until the rules take it."""
    while True:
        letters = list("M" * 5 + "W" * 5 + "G" * 22)
        luck.shuffle(letters)
        half = ["".join(letters[y * WIDTH:(y + 1) * WIDTH]) for y in range(HEIGHT)]
        edges = [half[0], half[-1], "".join(row[0] for row in half), "".join(row[-1] for row in half)]
        if all(edge.count("W") <= (len(edge) - 1) // 2 for edge in edges) and is_connected(half):
            break
    castle = luck.choice([(x, y) for y in range(HEIGHT) for x in range(WIDTH) if half[y][x] == "G"])
    codes = {"G": "01", "M": "02", "W": "03"}
    return "".join("00" if (x, y) == castle else codes[half[y][x]] for y in range(HEIGHT) for x in range(WIDTH))


class Door:
    """The way to the gateway: a connection for each request, if its answers ask for that."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def post(self, path, text):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = text.encode()
        self.writer.write(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\n"
                          f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        size = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
        answer = (await self.reader.readexactly(size)).decode()
        if b"connection: close" in head.lower():
            await self.close()
        if status != 200:
            raise AssertionError(f"{path}: {status}: {answer}")
        return answer

    async def close(self):
        if self.writer is not None:
            self.writer.close()
            await asyncio.gather(self.writer.wait_closed(), return_exceptions=True)
            self.writer = None


def value(text, name):
    found = re.search(rf"<{name}>(.*?)</{name}>", text, re.S)
    if found is None:
        raise AssertionError(f"no {name} in {text}")
    return found.group(1)


class Player:
    """One id, from registration to the end of its game."""

    def __init__(self, port, luck):
        self.door, self.luck = Door(port), luck
        self.actions = 0
        self.result = None   # "win", "loss"

    async def play(self):
        try:
            await self.enter()
            while self.result is None:
                await self.step_towards(self.next_field())
            return self.result
        finally:
            await self.door.close()

    async def enter(self):
        answer = await self.door.post("/NewPlayer", "<NewPlayerRequest><FirstName>Py</FirstName><SurName>Thon</SurName>"
                                      "<MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>")
        self.id = value(answer, "ID")
        half = make_half(self.luck)
        answer = await self.door.post("/MapCreation", f"<CreateNewMapRequest><ID>{self.id}</ID>"
                                      f"<MapHalf>{half}</MapHalf></CreateNewMapRequest>")
        self.read_map(value(answer, "FullMap"))

    def read_map(self, text):
        fields = [text[i:i + 2] for i in range(0, len(text), 2)]
        self.columns = WIDTH if len(fields) == 2 * WIDTH * HEIGHT else len(fields) // HEIGHT
        self.terrain = {(i % self.columns, i // self.columns): {"00": "G", "01": "G", "02": "M", "03": "W"}[code]
                        for i, code in enumerate(fields)}
        self.place = next((i % self.columns, i // self.columns) for i, code in enumerate(fields) if code == "00")
        mine_is_top = self.place[1] < HEIGHT
        self.open = {True: set(), False: set()}   # Grass to look at: in my half, in the other's.
        for place, letter in self.terrain.items():
            if letter == "G" and place != self.place:
                self.open[(place[1] < HEIGHT) == mine_is_top].add(place)
        self.has_treasure = False

    def steps(self, place):
        x, y = place
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if self.terrain.get(other, "W") != "W":
                yield other, LEAVE[self.terrain[place]] + ENTER[self.terrain[other]] + 1

    def next_field(self):
        """The first step to the nearest field that is worth a look."""
        wanted = self.open[not self.has_treasure] or set(self.terrain)
        waiting, seen = [(0, self.luck.random(), self.place, None)], set()
        while waiting:
            cost, _, place, first = heapq.heappop(waiting)
            if place in seen:
                continue
            seen.add(place)
            if place in wanted and first is not None:
                return first
            for other, price in self.steps(place):
                heapq.heappush(waiting, (cost + price, self.luck.random(), other, first or other))
        raise AssertionError("nowhere to go")

    async def step_towards(self, field):
        cost = LEAVE[self.terrain[self.place]] + ENTER[self.terrain[field]]
        for turns in range(cost, -1, -1):
            answer = await self.door.post("/Updates", f"<UpdateRequest><ID>{self.id}</ID>"
                                          f"<PlayerPositionX>{self.place[0] + 1}</PlayerPositionX>"
                                          f"<PlayerPositionY>{self.place[1] + 1}</PlayerPositionY>"
                                          f"<WantedPositionX>{field[0] + 1}</WantedPositionX>"
                                          f"<WantedPositionY>{field[1] + 1}</WantedPositionY>"
                                          f"<TurnsUntilMovement>{turns}</TurnsUntilMovement></UpdateRequest>")
            self.actions += 1
            if value(answer, "Win") == "true" or value(answer, "Loss") == "true":
                self.result = "win" if value(answer, "Win") == "true" else "loss"
                return
        self.place = (int(value(answer, "PlayerPositionX")) - 1, int(value(answer, "PlayerPositionY")) - 1)
        if self.place != field:
            raise AssertionError(f"to {field}, but at {self.place}")
        self.has_treasure = value(answer, "Treasure") == "true"
        for wanted in self.open.values():
            wanted.discard(self.place)


async def play_games(port, games, seed):
    """Two players each, all at once. Returns (results of all, actions of all)."""
    luck = random.Random(seed)
    players = [Player(port, random.Random(luck.random())) for _ in range(2 * games)]
    results = await asyncio.gather(*(player.play() for player in players))
    return results, sum(player.actions for player in players)


if __name__ == "__main__":   # PORT: one player's game; PORT GAMES SEED: both players of so many, all at once.
    if len(sys.argv) == 2:
        print(asyncio.run(Player(int(sys.argv[1]), random.Random()).play()))
    else:
        print(asyncio.run(play_games(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))

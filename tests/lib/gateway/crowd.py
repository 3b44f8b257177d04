"""crowd.py: so many treasure games at once over HTTP, two programs each, before one gateway: `crowd.py GAMES`."""
import asyncio
import os
import resource
import sys
import time

import exchange
import gateway_house
import rest_client

SETUP = {"game": "treasure", "limits": {"think_ms": 0}}


def main(games):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    room = str(4 * games + 64)
    words = ["--players-max", room, "--seats-max", room, "--tables-max", room, "--http-connections-max", room, "--http-per-address", "0"]
    lobby = ["--tables-max", str(2 * games + 16)]
    with gateway_house.open_house(os.environ["ARBITER_BUILD"], settings={"lobby": lobby}) as house, \
            gateway_house.open_gateway(house, config=SETUP, words=words) as gateway:
        exchange.wait_until_ready(gateway.port)
        begun = time.monotonic()
        results, actions = asyncio.run(rest_client.play_games(gateway.port, games, 1))
        seconds = time.monotonic() - begun
    won = results.count("win")
    print(f"    {games} games, {won} won, {actions} actions in {seconds:.0f} s, {actions / seconds:.0f} a second")
    if len(results) != 2 * games or won > games or won == 0:
        sys.exit("not every game was played to its end")


if __name__ == "__main__":
    gateway_house.process_house.leave_when_told()
    main(int(sys.argv[1]))

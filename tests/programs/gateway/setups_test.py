"""setups_test.py: all games of a 2017 door are played by one set-up, and take one of the lobby's few places for texts."""
import os
import pathlib
import re
import sys
import unittest
import urllib.error
import urllib.request

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
BUILD = pathlib.Path(os.environ["ARBITER_BUILD"])
sys.path.insert(0, str(SOURCE / "tests" / "lib" / "gateway"))
import exchange  # noqa: E402
import gateway_house  # noqa: E402

PERSON = ("<NewPlayerRequest><FirstName>Anna</FirstName><SurName>Muster</SurName>"
          "<MatriculationNumber>01234567</MatriculationNumber></NewPlayerRequest>")


def register(port):
    """The status; 200 with an id."""
    ask = urllib.request.Request(f"http://127.0.0.1:{port}/NewPlayer", PERSON.encode(), {"Content-Type": "application/xml"})
    try:
        with urllib.request.urlopen(ask, timeout=60) as answer:
            return answer.status if re.search(r"<ID>\d+</ID>", answer.read().decode()) else 0
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


class Setups(unittest.TestCase):
    def test_any_number_of_games_takes_one_place_whether_the_set_up_is_the_classic_one_or_a_file(self):
        house = self.enterContext(gateway_house.open_house(BUILD, 2, settings={"lobby": ["--texts-max", "2"]}))
        for name, config in (("gateway-0", None), ("gateway-1", {"game": "treasure", "limits": {"think_ms": 60000}})):
            with self.subTest(name):
                gateway = self.enterContext(gateway_house.open_gateway(house, name, config=config))
                exchange.wait_until_ready(gateway.port)
                self.assertEqual([register(gateway.port) for _ in range(8)], [200] * 8)


if __name__ == "__main__":
    unittest.main()

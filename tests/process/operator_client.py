"""operator_client.py: the operator, through the Python client: he ends matches."""
import contextlib
import sys

from house import House

SOURCE_CLIENT = "common/client/python"


class Operator:
    def __init__(self, client, lobby):
        self.client, self.lobby = client, lobby
        self.under_way = None

    def abort(self, matches):
        """Asks for the end of each, one after the other; who is asked for twice is over already."""
        for match in sorted(matches):
            number = self.client.ask(abort_match=self.lobby.AbortMatch(match_id=bytes.fromhex(match),
                                                                       reason="the test is over"))
            for event in self.client.events(timeout_ms=5000):
                if event.kind in ("answer", "refused") and event.request == number:
                    break


@contextlib.contextmanager
def open_operator(house: House):
    import pathlib
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / SOURCE_CLIENT))
    import arbiter
    from arbiter import messages
    doors = (house.folder / "run" / "doors").read_text().split()
    with arbiter.Client(*doors, key_file=house.key("console"), role=messages.directory.ROLE_CONSOLE) as client:
        yield Operator(client, messages.lobby)

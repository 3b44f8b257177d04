"""acts_of.py: what stands in acts."""
from arbiter import messages


def secrets_in(act):
    """The sealing secret that the last act of a match shows."""
    for event in messages.stream.ActBody.FromString(act.body).events:
        if event.house.WhichOneof("kind") == "secrets_shown":
            return event.house.secrets_shown.sealing_secret
    return bytes(32)

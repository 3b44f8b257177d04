"""file.py: the match as a file: `arbiter verify` plays it again, and it is what was heard at the doors."""
import importlib
import subprocess

from doors import hold

OPENING = b"arbiter match 1\n"
FRONT = 12  # Length and check before each record.


def records(path):
    bytes_left = path.read_bytes()
    hold("file", bytes_left.startswith(OPENING), "it is no match file")
    bytes_left = bytes_left[len(OPENING):]
    while bytes_left:
        size = int.from_bytes(bytes_left[:4], "big")
        yield importlib.import_module("match_pb2").Record.FromString(bytes_left[FRONT:FRONT + size])
        bytes_left = bytes_left[FRONT + size:]


def judge_file(visit, match_id, heard):
    arbiter = visit.house.build / "arbiter"
    path = visit.house.folder / f"{match_id.hex()}.match"
    subprocess.run([arbiter, "match", "export", match_id.hex(), path, "--home", visit.house.folder], check=True,
                   stdout=subprocess.DEVNULL)
    acts = [record.act for record in records(path) if record.HasField("act")]
    hold("file", len(acts) == len(heard), f"the file has {len(acts)} acts, heard were {len(heard)}")
    for kept, act in zip(acts, heard):
        hold("file", (kept.number, kept.actor, kept.body, kept.epoch) == (act.number, act.actor, act.body, act.epoch),
             f"act {act.number} of the file is not what was heard")
    said = subprocess.run([arbiter, "verify", path], capture_output=True, text=True, check=False)
    hold("file", said.returncode == 0, said.stdout.strip() or said.stderr.strip())

"""messages.py: the modules protoc makes of every .proto: those that were installed, or made anew when one has changed."""
import importlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
BUILD = pathlib.Path(os.environ.get("ARBITER_BUILD", ROOT / ".build"))


def sources():
    return sorted([*ROOT.glob("proto/*.proto"), *ROOT.glob("common/games/*/*.proto")])


def generate(folder):
    """Runs protoc if a module is missing or older than its .proto."""
    folder.mkdir(parents=True, exist_ok=True)
    old = [proto for proto in sources()
           if not (folder / f"{proto.stem}_pb2.py").exists()
           or (folder / f"{proto.stem}_pb2.py").stat().st_mtime < proto.stat().st_mtime]
    for proto in old:
        subprocess.run(["protoc", f"--proto_path={proto.parent}", f"--proto_path={ROOT / 'proto'}",
                        f"--python_out={folder}", proto], check=True)


INSTALLED = pathlib.Path(__file__).with_name("generated")
FOLDER = INSTALLED if INSTALLED.exists() else BUILD / "python"
if FOLDER != INSTALLED:
    generate(FOLDER)
sys.path.insert(0, str(FOLDER))
directory = importlib.import_module("directory_pb2")
engine = importlib.import_module("engine_pb2")
envelope = importlib.import_module("envelope_pb2")
lobby = importlib.import_module("lobby_pb2")
stream = importlib.import_module("stream_pb2")


def game(name):
    """The module of a game's messages (Command, Event, View); None: it is not known here."""
    try:
        return importlib.import_module(f"{name}_pb2")
    except ImportError:
        return None


# Which message the body of each kind is.
BODIES = {
    "HELLO": directory.Hello, "WELCOME": directory.Welcome, "DIRECTORY": directory.Directory,
    "REFUSED": envelope.Refused,
    "LOBBY_ASK": lobby.Ask, "LOBBY_ANSWER": lobby.Answer, "TABLE_EVENT": lobby.TableEvent,
    "TABLE_ASK": lobby.TableAsk, "TABLE_ANSWER": lobby.TableAnswer,
    "ATTACH": engine.Attach, "ATTACHED": engine.Attached, "COMMAND": engine.Command,
    "REPLY": engine.Reply, "CLOSED": engine.Closed,
    "LEGAL_ASK": engine.LegalAsk, "LEGAL_ANSWER": engine.LegalAnswer,
    "ACT": stream.Act, "HEAD": stream.Head,
    "HISTORY_ASK": stream.HistoryAsk, "HISTORY_ANSWER": stream.HistoryAnswer,
}
NUMBERS = {name: getattr(envelope, f"KIND_{name}") for name in BODIES}
NAMES = {number: name for name, number in NUMBERS.items()}
REFUSALS = {number: name.removeprefix("REFUSAL_") for name, number in envelope.Refusal.items()}

"""database.py: a PostgreSQL primary and its standby, as processes in a folder of a run's own."""
import pathlib
import signal
import subprocess
import time

TRIAL = pathlib.Path(__file__).resolve().parents[1] / "unit/common/store/postgres_trial"
# A standby that has just lost its primary may sleep this long before it looks up and hears that it is promoted: PostgreSQL's own is 5 s.
SETTINGS = ("-c", "fsync=on", "-c", "wal_retrieve_retry_interval=100")
BIN = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), default=pathlib.Path("/nowhere"))


class Server:
    """One of them."""

    def __init__(self, folder, standby_of=None):
        self.folder, self.child = pathlib.Path(folder), None
        self.log = self.folder.with_suffix(".log")
        if standby_of is None:
            self.trial("make")
        else:
            self.folder.mkdir()
            self.trial("with", "pg_basebackup", "-h", standby_of.folder, "-U", "arbiter", "-D", self.folder / "data",
                       "-R", "-X", "stream", "-c", "fast")

    def trial(self, deed, *words):
        subprocess.run([str(word) for word in (TRIAL, deed, self.folder, *words)], check=True)

    def start(self, *settings):
        """As it was left; a standby goes on being one."""
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen([TRIAL, "run", self.folder, *settings], stdout=log, stderr=log,
                                          stdin=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while subprocess.run([BIN / "pg_isready", "-q", "-h", self.folder], check=False).returncode != 0:
            if self.child.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"PostgreSQL does not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self, number):
        if self.child is not None and self.child.poll() is None:
            self.child.send_signal(number)
            self.child.wait()
        self.child = None

    def ask(self, sql):
        """Rows of cells, as text; bytes are asked for as encode(..., 'hex')."""
        said = subprocess.run([BIN / "psql", "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "arbiter",
                               "-d", "postgres", "-c", sql], capture_output=True, text=True, check=True)
        return [line.split("\t") for line in said.stdout.splitlines()]

    def promote(self):
        self.ask("SELECT pg_promote(true, 30)")


class Pair:
    """Primary and standby. If they are synchronous a commit is acknowledged when both have it on their disks. Use it in a `with`."""

    def __init__(self, folder, is_synchronous=True):
        self.folder, self.is_synchronous = pathlib.Path(folder), is_synchronous
        self.folder.mkdir(mode=0o755)
        self.first = self.second = None

    def __enter__(self):
        try:
            return self.begin()
        except BaseException:  # Also that somebody ends this program: neither is left running.
            self.__exit__()
            raise

    def begin(self):
        self.first = Server(self.folder / "a")
        self.first.start(*SETTINGS)
        self.second = Server(self.folder / "b", self.first)
        self.second.start(*SETTINGS)
        # Its whole life: the old primary comes back just like this.
        if self.is_synchronous:
            self.first.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.first.ask("SELECT pg_reload_conf()")
        state = "sync" if self.is_synchronous else "async"
        end = time.monotonic() + 30
        while self.first.ask(f"SELECT count(*) FROM pg_stat_replication WHERE sync_state = '{state}'") != [["1"]]:
            assert time.monotonic() < end, "the standby does not follow"
            time.sleep(0.05)
        self.newest = self.first
        return self

    def __exit__(self, *_):
        for server in filter(None, (self.first, self.second)):
            server.stop(signal.SIGINT)

    @property
    def place(self):
        return f"postgresql:///postgres?host={self.folder / 'a'},{self.folder / 'b'}&user=arbiter"

    def fail_over(self):
        """The primary dies; its standby takes its place, and waits for nobody until it has one of its own."""
        self.first.stop(signal.SIGKILL)
        self.second.promote()
        self.newest = self.second

    def revive(self):
        """The old primary comes back as one, which it must not."""
        self.first.start(*SETTINGS)

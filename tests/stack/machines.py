"""machines.py: several machines in one: networks of their own joined by a switch, each with a docker daemon, as one Swarm.

Each machine is a network namespace (`ip netns`) with an address on a bridge that stands in a namespace of its own: nothing
of it touches this machine's network, and there is no way out. Use it in a `with`: nothing is left."""
import os
import pathlib
import signal
import subprocess
import time

SWITCH = "arbiter-switch"
LAN = "10.77.7"


def run(*words, check=True, **more):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Machine:
    """A network, a daemon."""

    def __init__(self, folder, number):
        self.number, self.name, self.address = number, f"arbiter-machine-{number}", f"{LAN}.{number}"
        self.folder = pathlib.Path(folder) / self.name
        self.socket = f"unix://{self.folder}/socket"
        self.daemon = None

    def inside(self, *words):
        return ["nsenter", f"--net=/run/netns/{self.name}", *words]

    def begin(self):
        self.folder.mkdir()
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", "lan", "netns", self.name, "type", "veth", "peer", "name", f"port-{self.number}", "netns", SWITCH)
        run("ip", "-n", SWITCH, "link", "set", f"port-{self.number}", "up", "master", "switch")
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        run("ip", "-n", self.name, "link", "set", "lan", "up")
        run("ip", "-n", self.name, "address", "add", f"{self.address}/24", "dev", "lan")
        (self.folder / "data").mkdir()
        run("mount", "-t", "tmpfs", "-o", "size=4g", self.name, self.folder / "data")
        with (self.folder / "daemon.log").open("wb") as log:
            self.daemon = subprocess.Popen(
                self.inside("dockerd", "--data-root", self.folder / "data", "--exec-root", self.folder / "exec",
                            "--pidfile", self.folder / "pid", "--host", self.socket, "--storage-driver", "overlay2",
                            "--containerd-namespace", self.name, "--containerd-plugins-namespace", f"{self.name}-plugins",
                            "--bridge", "none", "--log-level", "warn"),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + 60
        while subprocess.run(["docker", "--host", self.socket, "info"], capture_output=True, check=False).returncode != 0:
            if self.daemon.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"no daemon: {(self.folder / 'daemon.log').read_text()[-3000:]}")
            time.sleep(0.2)

    def docker(self, *words, check=True, **more):
        return run("docker", "--host", self.socket, *words, check=check, **more)

    def end(self):
        if self.daemon is not None and self.daemon.poll() is None:
            self.docker("swarm", "leave", "--force", check=False)
            for container in self.docker("ps", "-aq", check=False).split():
                self.docker("rm", "-fv", container, check=False)
            self.daemon.send_signal(signal.SIGTERM)
            try:
                self.daemon.wait(60)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait()
        for _ in range(20):   # The daemon leaves the networks of dead containers mounted.
            below = [line.split()[1] for line in pathlib.Path("/proc/mounts").read_text().splitlines()
                     if line.split()[1].startswith(f"{self.folder}/")]
            if not below:
                break
            for place in sorted(below, reverse=True):
                run("umount", place, check=False)
            time.sleep(0.3)
        run("ip", "netns", "delete", self.name, check=False)


class Machines:
    """So many, of which the first leads the Swarm."""

    def __init__(self, folder, count):
        self.all = [Machine(folder, number + 1) for number in range(count)]
        self.first = self.all[0]

    def __enter__(self):
        try:
            return self.begin()
        except BaseException:  # Also that somebody ends this program: nothing is left.
            self.__exit__()
            raise

    def begin(self):
        run("ip", "netns", "add", SWITCH)
        run("ip", "-n", SWITCH, "link", "add", "switch", "type", "bridge")
        run("ip", "-n", SWITCH, "link", "set", "switch", "up")
        for machine in self.all:
            machine.begin()
        self.first.docker("swarm", "init", "--advertise-addr", self.first.address)
        token = self.first.docker("swarm", "join-token", "-q", "worker").strip()
        for machine in self.all[1:]:
            machine.docker("swarm", "join", "--token", token, "--advertise-addr", machine.address, f"{self.first.address}:2377")
        return self

    def __exit__(self, *_):
        for machine in reversed(self.all):
            machine.end()
        run("ip", "netns", "delete", SWITCH, check=False)


def enter(machine):
    """From here on this process, and who it starts, stands on that machine."""
    with open(f"/run/netns/{machine.name}", "rb") as network:
        import ctypes   # os.setns is younger than Debian 12's Python.
        if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), 0x40000000) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

"""machine.py: the empty machine of deploy/lib/try-public: what its root types, what stands in for what it has not, and its containers."""
import contextlib
import json
import os
import pathlib
import pty
import re
import subprocess

import judge

LOG = pathlib.Path(__file__).resolve().parents[2] / ".build/log/public-typed.txt"
# Nobody boots there: what the handbook asks of systemd, of a service that is one program.
SYSTEMCTL = """#!/bin/sh
set -e
[ "$1" = restart ]
start-stop-daemon --stop --oknodo --retry 30 --exec "/usr/bin/$2"
. "/etc/default/$2"
exec start-stop-daemon --start --background --chuid "$2:$2" --exec "/usr/bin/$2" -- $ARGS
"""
PATIENCE_S = 3600   # A build of the image on a busy machine.


class Machine(judge.House):
    """Process 1 is `leader`."""

    def __init__(self, leader):
        self.enter = ["nsenter", "--target", str(leader), "--mount", "--uts", "--ipc", "--net", "--pid", "--root"]
        self.root = f"/proc/{leader}/root"
        LOG.parent.mkdir(parents=True, exist_ok=True)
        LOG.write_text("")

    def run(self, line, said=None, folder="/"):
        """What it printed. By the shell of root, who has just logged in."""
        if line.startswith("certbot"):  # Without a terminal it takes us for its timer, and waits for some minutes first.
            with self.terminal() as terminal:
                return self.shell(line, folder, stdin=terminal)
        return self.shell(line, folder, input=said or "")

    @staticmethod
    @contextlib.contextmanager
    def terminal():
        ours, theirs = pty.openpty()
        try:
            yield theirs
        finally:
            os.close(ours)
            os.close(theirs)

    def shell(self, line, folder, **comes):
        done = subprocess.run([*self.enter, "/usr/bin/env", "-i", "HOME=/root", "USER=root", "TERM=dumb", "LANG=C.UTF-8",
                               "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/bin/bash", "-c",
                               f"cd {folder} || exit\n{line}"], text=True, **comes,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S)
        with LOG.open("a") as log:
            log.write(f"# {line}\n{done.stdout}\n")
        if done.returncode != 0:
            raise AssertionError(f"{line}: ended with {done.returncode}:\n" + "\n".join(done.stdout.splitlines()[-40:]) + f"\nall of it: {LOG}")
        return done.stdout

    def type(self, line):
        return self.run(line, folder="/srv/arbiter")

    def chapter(self, title):
        """The blocks of commands in a chapter of the machine's own deploy/README.md, each a list of lines as a shell takes them."""
        text = pathlib.Path(f"{self.root}/srv/arbiter/deploy/README.md").read_text()
        text = re.search(rf"^## {title}\n(.*?)^## ", text, re.M | re.S)[1]
        blocks = re.findall(r"^\n((?:    .*\n)+)", text, re.M)
        return [re.split(r"(?<!\\)\n", re.sub(r"^    ", "", block, flags=re.M).strip("\n")) for block in blocks]

    def stand_in(self):
        """What a real machine has after the packages are there. A sentence about it."""
        self.run("docker info >/dev/null 2>&1 || setsid --fork dockerd >/var/log/docker.log 2>&1")
        self.wait_until("the docker daemon answers", lambda: self.works("docker info"))
        self.run("install -m 755 /dev/stdin /usr/local/bin/systemctl", said=SYSTEMCTL)
        self.run("docker import /srv/base.tar debian:12-slim")
        return "systemd, which would have started docker; a registry with debian:12-slim, which debootstrap made; a real authority"

    def works(self, line):
        try:
            return self.run(line)
        except AssertionError:
            return None

    def beside(self, program, fails=False):
        """A program in Python of this machine, in the network of that one."""
        done = subprocess.run([*self.enter[:3], "--net", "/usr/bin/python3", "-B", "-c", program], capture_output=True, text=True, timeout=60)
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    def container(self, service):
        """Its process, by its number here, and where its log is."""
        known = json.loads(self.run(f"docker inspect $(docker ps -q --filter label=com.docker.compose.service={service})"))[0]
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                numbers = re.search(r"^NSpid:\s+(.*)$", status.read_text(), re.M)[1].split()
            except OSError:
                continue
            same = [int(number) for number in numbers]
            if len(same) == 3 and same[1:] == [known["State"]["Pid"], 1] and pathlib.Path(f"/proc/{same[0]}/root").exists():
                return {"pid": same[0], "log": self.root + known["LogPath"]}
        raise AssertionError(f"there is no process of {service}")

#!/usr/bin/env python3
"""stack.py: deploy/stack.yml on several machines: played at, updated task by task meanwhile, and judged.

    ARBITER_IMAGE_FILE=... ARBITER_DATABASE_FILE=... tests/stack/stack.py [--machines 2] [--seed N]

The two files are images as `docker save` writes them. deploy/check --stack makes them and calls this, as root."""
import argparse
import json
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "lib" / "deployment"))

import judge  # noqa: E402
from judge import PATIENCE_S, SETTINGS  # noqa: E402
from machines import Machines, enter  # noqa: E402

STACK = SOURCE / "deploy/stack.yml"
NAME = "arbiter"
PORT = 8080   # Of each machine, in its own network.
PLACE = "postgresql://database/arbiter?user=arbiter"
OURS = ("lobby", "engine", "watchdog", "fanout", "gateway", "bot")
UPDATED = (*OURS, "door")


class House(judge.House):
    """What runs, as an operator sees it who sits at the first machine."""

    port = PORT

    def __init__(self, machines, folder, image, database):
        self.machines, self.folder, self.image = machines, pathlib.Path(folder), image
        self.docker = machines.first.docker
        self.settings = {**os.environ, "DOCKER_HOST": machines.first.socket, "ARBITER_IMAGE": image,
                         "ARBITER_DATABASE_IMAGE": database, "ARBITER_SECRETS": str(self.folder / "keys/secrets"), **SETTINGS}

    def furnish(self):
        """As SWARM.md says: keys, a password, the machine of the database."""
        keys = self.folder / "keys"
        keys.mkdir(mode=0o700)
        os.chown(keys, 10001, 10001)
        self.folder.chmod(0o711)
        self.docker("run", "--rm", "--network", "none", "-v", f"{keys}:/keys", self.image, "/usr/bin/arbiter", "keys", "/keys", "--secrets")
        password = secrets.token_hex(16)
        (keys / "secrets/database").write_text(password)
        (keys / "secrets/pgpass").write_text(f"*:*:*:arbiter:{password}\n")
        for name in ("database", "pgpass"):
            (keys / "secrets" / name).chmod(0o600)
            os.chown(keys / "secrets" / name, 10001, 10001)
        node = self.docker("node", "ls", "--filter", "role=manager", "-q").strip()
        self.docker("node", "update", "--label-add", "arbiter.database=here", node)

    def deploy(self, **changed):
        self.settings.update(changed)
        self.docker("stack", "deploy", "--resolve-image", "never", "-c", STACK, NAME, env=self.settings)

    def services(self):
        """Name -> (running, wanted)."""
        lines = self.docker("service", "ls", "--format", "{{.Name}} {{.Replicas}}").splitlines()
        return {line.split()[0].removeprefix(f"{NAME}_"): tuple(map(int, line.split()[1].split("/"))) for line in lines}

    def images(self):
        """Service -> the image its tasks are to be of."""
        found = json.loads(self.docker("service", "inspect", *(f"{NAME}_{service}" for service in UPDATED)))
        return {service["Spec"]["Name"].removeprefix(f"{NAME}_"):
                service["Spec"]["TaskTemplate"]["ContainerSpec"]["Image"].removesuffix(":latest") for service in found}

    def is_whole(self):
        return all(running == wanted for running, wanted in self.services().values())

    def updates(self):
        """Service -> how far its last update has come."""
        found = json.loads(self.docker("service", "inspect", *(f"{NAME}_{service}" for service in UPDATED)))
        return {service["Spec"]["Name"].removeprefix(f"{NAME}_"): service.get("UpdateStatus", {}).get("State") for service in found}

    def has_gone_back(self, services):
        states = self.updates()
        return all(states[service] == "rollback_completed" for service in services)

    def is_of(self, image, services=UPDATED):
        """Whether each task of these that runs is of this image, and no update is under way."""
        lines = self.docker("stack", "ps", NAME, "--filter", "desired-state=running", "--format",
                            "{{.Name}} {{.Image}} {{.CurrentState}}").splitlines()
        ours = [words for words in map(str.split, lines) if words[0].split("_")[1].split(".")[0] in services]
        images, states = self.images(), self.updates()
        return self.is_whole() and all(images[service] == image and states[service] not in ("updating", "rollback_started")
                                       for service in services) and all(
            (words[1].removesuffix(":latest"), words[2]) == (image, "Running") for words in ours)

    def tasks(self):
        """Service -> ids of the tasks that run."""
        lines = self.docker("stack", "ps", NAME, "--filter", "desired-state=running", "--format", "{{.Name}} {{.ID}}").splitlines()
        return {service: {line.split()[1] for line in lines if line.startswith(f"{NAME}_{service}.")} for service in UPDATED}

    def arbiter(self, *words, volumes=(), check=True):
        """The operator's command, in a container beside the services."""
        volumes = [f"{self.folder}/keys/console:/keys/console", f"{self.folder}/keys/secrets/pgpass:/tmp/pgpass:ro", *volumes]
        return self.docker("run", "--rm", "--network", f"{NAME}_inside", "-e", "PGPASSFILE=/tmp/pgpass",
                           *(word for volume in volumes for word in ("-v", volume)), self.image, "/usr/bin/arbiter", *words, check=check)

    def top(self):
        return self.services_in(self.arbiter("top", "--once", "--json", check=False))

    def said(self, lines=15):
        tails = [self.docker("stack", "ps", "--no-trunc", NAME, check=False)]
        tails += [f"--- {service}\n" + self.docker("service", "logs", "--raw", "--tail", lines, f"{NAME}_{service}", check=False)
                  for service in self.services()]
        return "\n".join(tails)


class Check(judge.Judge):
    def starts(self):
        self.house.furnish()
        self.house.deploy()
        self.house.wait_until("every task runs", self.house.is_whole, PATIENCE_S, self.house.services)
        self.house.wait_until("the door answers", self.house.is_ready, PATIENCE_S)
        wanted = {"lobby", *(f"{role}-{i}" for role, count in (("engine", 3), ("watchdog", 2), ("fanout", 2), ("gateway", 2), ("bot", 2))
                             for i in range(1, count + 1))}
        self.house.wait_until("the operator sees all of them", lambda: set(self.house.top()) == wanted, PATIENCE_S,
                              lambda: sorted(self.house.top()))
        self.house.wait_until("each engine has slots", lambda: all(
            service.get("slots") for service in self.house.top().values() if service["role"] == "engine"), PATIENCE_S, self.house.top)
        each = [len(machine.docker("ps", "-q").split()) for machine in self.house.machines.all]
        assert all(each), each
        return f"{len(wanted)} processes, containers on each machine {each}"

    def holds_nothing_it_needs_not(self):
        """Of each container on every machine: who it runs as, what it may, and which secrets it sees."""
        seen = set()
        for machine in self.house.machines.all:
            for facts in json.loads(machine.docker("inspect", *machine.docker("ps", "-q").split())):
                service = facts["Config"]["Labels"]["com.docker.swarm.service.name"].removeprefix(f"{NAME}_")
                if service == "database":
                    continue
                host = facts["HostConfig"]
                secret = pathlib.Path(f"/proc/{facts['State']['Pid']}/root/run/secrets")
                held = {path.name for path in secret.iterdir()} if secret.exists() else set()
                wanted = {"door": set(), "lobby": {"lobby", "admitted", "pgpass"}, "engine": {"engine", "pgpass"},
                          "watchdog": {"watchdog", "pgpass"}}.get(service, {service})
                assert facts["Config"]["User"] == "10001:10001", service
                assert host["ReadonlyRootfs"] and host["CapDrop"] and not host["CapAdd"] and host["Memory"] > 0, service
                assert held == wanted, (service, held)
                seen.add(service)
        assert seen == set(UPDATED), seen
        return f"{len(seen)} services"

    def is_well(self):
        """By the doctor, who looks at the database, too; that it has no standby he may say."""
        found = json.loads(self.house.arbiter("doctor", "--json", "--store", PLACE))["findings"]
        assert sum("of the database has version" in finding["what"] for finding in found) == 3, found
        return ", ".join(finding["what"] for finding in found if finding["level"] == "warning")

    def updates(self):
        """Everything is replaced, all services at once, one task of each after the other, while people play."""
        before, took = self.house.tasks(), []

        def harm():
            began = time.monotonic()
            words = {f"ARBITER_{service.upper()}_OPTIONS" for service in UPDATED if service != "door"}
            self.house.deploy(**{word: f"{SETTINGS.get(word, '')} --log-json" for word in words}, ARBITER_PER_ADDRESS="2001")
            self.house.wait_until("everything is updated", lambda: set(self.house.updates().values()) == {"completed"}, PATIENCE_S,
                                  self.house.updates)
            took.append(time.monotonic() - began)
            left = {service: tasks & before[service] for service, tasks in self.house.tasks().items() if tasks & before[service]}
            assert not left, f"not replaced: {left}"
            self.house.wait_until("the door answers", self.house.is_ready, PATIENCE_S)
        acted, cuts = self.play_through(harm)
        return f"{sum(map(len, before.values()))} tasks replaced in {took[0]:.0f} s; {acted} commands were accepted until all were back; " \
               f"players were cut off {cuts} times"

    def deploys_again(self, image):
        """As SWARM.md says, where a service went back from a good build because it could not reach the database in time."""
        if any(state == "rollback_completed" and self.house.images()[service] != image for service, state in self.house.updates().items()):
            self.house.deploy(ARBITER_IMAGE=image)
        return False

    def goes_back(self):
        """A build is rolled out, then one whose services end at once, and one whose services do nothing: Swarm goes back from those
        by itself. Then the first one is rolled out again."""
        took = {}

        def roll_out(image):
            began = time.monotonic()
            self.house.deploy(ARBITER_IMAGE=image)
            self.house.wait_until("each task is of the build", lambda: self.house.is_of(image) or self.deploys_again(image), PATIENCE_S,
                                  self.house.updates)
            took[image] = time.monotonic() - began

        def goes_back_by_itself(kind, services):
            began = time.monotonic()
            self.house.deploy(ARBITER_IMAGE=f"{self.house.image}-{kind}")
            self.house.wait_until(f"Swarm goes back from the one that is {kind}", lambda: self.house.has_gone_back(services), PATIENCE_S,
                                  self.house.updates)
            took[kind] = time.monotonic() - began
            self.house.wait_until("each task is of the build", lambda: self.house.is_of(f"{self.house.image}-next", OURS), PATIENCE_S)
            self.house.wait_until("the door answers", self.house.is_ready, PATIENCE_S)

        def harm():
            roll_out(f"{self.house.image}-next")
            goes_back_by_itself("wrong", OURS)     # Its door is another program, and runs.
            goes_back_by_itself("asleep", UPDATED)
            roll_out(self.house.image)
            self.house.wait_until("the door answers", self.house.is_ready, PATIENCE_S)
        acted, cuts = self.play_through(harm, PATIENCE_S)   # There is no lobby while its health is waited for.
        told = ", ".join(f"{what} {seconds:.0f} s" for what, seconds in took.items())
        return f"{told}; {acted} commands were accepted until all were back; players were cut off {cuts} times"

    def abort(self, matches):
        for match in matches:
            self.house.arbiter("match", "abort", match, check=False)

    def arbiter(self, volumes, *words):
        return self.house.arbiter(*words, volumes=volumes)

    def export(self, match, folder):
        self.house.arbiter("match", "export", match, f"/matches/{match}.match", "--store", PLACE, volumes=[f"{folder}:/matches"])

    def run(self):
        if not self.case("docker stack deploy", self.starts):
            print(self.house.said())
            return
        self.case("each service has what it needs, and no more", self.holds_nothing_it_needs_not)
        self.case("the doctor finds nothing wrong", self.is_well)
        self.case("everything is replaced while people play", self.updates)
        self.case("another build, two that do not run, and back", self.goes_back)
        self.judge_files()


def loaded(machines, archive):
    """On these machines; the shortest name in it, as it is called there."""
    said = [machine.docker("load", "-q", "-i", archive).split() for machine in machines]
    return min((word for word in said[0] if word.endswith(":latest")), key=len).removesuffix(":latest")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--machines", type=int, default=2, help="how many machines; default 2")
    words.add_argument("--wait", action="store_true", help="wait for a line of input before everything is taken down")
    asked, luck = judge.begin(words, "stack.py")
    with tempfile.TemporaryDirectory(prefix="arbiter-stack-") as folder, Machines(folder, asked.machines) as machines:
        images = [loaded(machines.all, os.environ["ARBITER_IMAGE_FILE"]), loaded([machines.first], os.environ["ARBITER_DATABASE_FILE"])]
        enter(machines.first)
        house = House(machines, folder, *images)
        check = Check(house, folder, luck)
        check.run()
        if check.failed:
            print(house.said())
        if asked.wait:
            print(f"DOCKER_HOST={machines.first.socket}; {' '.join(machines.first.inside('bash'))}", flush=True)
            sys.stdin.readline()
    return check.report()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.SubprocessError as fault:
        sys.exit(f"stack.py: {fault}")

"""installation.py: what docker-compose runs of ours: started, scaled, hit, looked at, and taken down."""
import json
import os
import pathlib
import random
import signal
import subprocess

import judge

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"
FILE, OUTSIDE, PUBLIC = (DEPLOY / f"docker-compose{what}.yml" for what in ("", ".outside", ".public"))
SERVICES = ("lobby", "engine", "fanout", "watchdog", "gateway", "bot", "door")
PATIENCE_S = 300   # docker-compose 1.29 has been seen to wait for ever for what it was told not to start.


class Installation(judge.House):
    """A project of docker-compose at the daemon that DOCKER_HOST names. Use it in a `with`: nothing is left."""

    def __init__(self, project, port, environment=None):
        self.project, self.port = project, port
        self.environment = {**os.environ, "ARBITER_PUBLISH": f"127.0.0.1:{port}", **(environment or {})}
        self.scale, self.files = {}, [FILE]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.compose("down", "-v", "--timeout", "5", check=False)

    def compose(self, *words, check=True, quiet=True):
        files = [word for file in self.files for word in ("-f", file)]
        done = subprocess.run(["docker-compose", "-p", self.project, *files, *words], env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if quiet else None, stderr=subprocess.STDOUT if quiet else None,
                              timeout=PATIENCE_S)
        if check and done.returncode != 0:
            raise AssertionError(f"docker-compose {' '.join(words)}:\n{done.stdout}")
        return done.stdout

    def docker(self, *words):
        return subprocess.run(["docker", *words], env=self.environment, check=True, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True).stdout

    def up(self, **scale):
        """As the operator types it: nothing but --scale."""
        self.scale.update(scale)
        words = [word for service, count in self.scale.items() for word in ("--scale", f"{service}={count}")]
        self.compose("up", "-d", "--no-build", *words)

    def become(self, image):
        """Another build, as the operator rolls it out."""
        self.environment["ARBITER_IMAGE"] = image
        self.up()

    def images(self):
        """Of all containers that run: by which name their image was asked for."""
        return {container["Config"]["Image"] for service in SERVICES for container in self.containers(service)}

    def open_outside(self, host):
        """Native clients find it at that address from now on."""
        self.files.append(OUTSIDE)
        self.environment.update(ARBITER_ADVERTISE=host, ARBITER_OUTSIDE=host)
        self.up()

    def open_public(self, name, certificates, http, https):
        """Strangers find it by TLS at that name from now on."""
        self.files.append(PUBLIC)
        self.environment.update(ARBITER_NAME=name, ARBITER_CERTIFICATES=str(certificates), ARBITER_HTTP=f"127.0.0.1:{http}",
                                ARBITER_HTTPS=f"127.0.0.1:{https}")
        self.up()

    def containers(self, service):
        """What docker knows of each that runs."""
        found = self.docker("ps", "-q", "--filter", f"label=com.docker.compose.project={self.project}",
                            "--filter", f"label=com.docker.compose.service={service}").split()
        return json.loads(self.docker("inspect", *found)) if found else []

    def address(self, service):
        networks = self.containers(service)[0]["NetworkSettings"]["Networks"]
        return next(iter(networks.values()))["IPAddress"]

    def volume(self, name):
        """Where a volume is on this machine."""
        return pathlib.Path(self.docker("volume", "inspect", "-f", "{{.Mountpoint}}", f"{self.project}_{name}").strip())

    def kill(self, service, luck=random):
        """As a crash does, unseen by docker, who is to start it again. True: there was one."""
        running = [container["State"]["Pid"] for container in self.containers(service)]
        if not running:
            return False
        try:
            os.kill(luck.choice(running), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def top(self):
        """Services by name, as the operator's command shows them."""
        return self.services_in(self.compose("run", "--rm", "console", "top", "--once", "--json", check=False))

    def healths(self):
        return {container["Name"].strip("/"): container["State"].get("Health", {}).get("Status", "none")
                for service in SERVICES for container in self.containers(service)}

    def said(self, lines=40):
        return self.compose("logs", "--no-color", f"--tail={lines}", check=False)

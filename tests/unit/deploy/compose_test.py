"""compose_test.py: deploy/docker-compose.yml: a later `up` undoes no scaling, the project has its own name, and a page of prose makes no other image."""
import os
import pathlib
import re
import unittest

import yaml

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
DEPLOY = SOURCE / "deploy"
SCALED = {"fanout": "ARBITER_FANOUTS", "gateway": "ARBITER_GATEWAYS", "bot": "ARBITER_BOTS"}


class Compose(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.file = yaml.safe_load((DEPLOY / "docker-compose.yml").read_text())

    def test_how_many_there_are_is_said_where_the_next_up_finds_it(self):
        said = {name: service["scale"] for name, service in self.file["services"].items() if "scale" in service}
        self.assertEqual(said, {name: "${%s:-1}" % variable for name, variable in SCALED.items()})
        stack = yaml.safe_load((DEPLOY / "stack.yml").read_text())["services"]
        for name, variable in SCALED.items():  # The same words on several machines.
            self.assertRegex(stack[name]["deploy"]["replicas"], r"\$\{%s:-\d\}" % variable)

    def test_the_project_has_a_name_that_both_versions_of_compose_read(self):
        settings = dict(line.split("=", 1) for line in (DEPLOY / ".env").read_text().splitlines() if line and line[0] != "#")
        self.assertEqual(settings, {"COMPOSE_PROJECT_NAME": "arbiter"})
        known = {"services", "volumes"}  # 1.29 refuses `name`, and all it does not know.
        self.assertEqual({key for key in self.file if not key.startswith("x-")}, known)

    def test_what_can_be_set_stands_in_the_handbook(self):
        page = (DEPLOY / "README.md").read_text()
        files = [(DEPLOY / name).read_text() for name in ("docker-compose.yml", "docker-compose.public.yml")]
        for variable in re.findall(r"\$\{(ARBITER_\w+)", "".join(files)):
            if not re.search("_(MEMORY|OPTIONS)$", variable):  # Those are explained by examples.
                self.assertIn(f"`{variable}`", page.replace("ARBITER_ADVERTISE=", "`ARBITER_ADVERTISE`"))

    def test_prose_makes_no_other_image(self):
        left_out = (SOURCE / ".dockerignore").read_text().split("\n")
        for pattern in ("**/*.md", "deploy/.env", ".git", ".build"):
            self.assertIn(pattern, left_out)


if __name__ == "__main__":
    unittest.main()

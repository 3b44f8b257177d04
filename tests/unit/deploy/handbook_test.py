"""handbook_test.py: the operator's handbook, deploy/README.md, has each task of the week (tests/week), and says what is typed there."""
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["ARBITER_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/week"))
import handbook  # noqa: E402
import week  # noqa: E402

PAGE = """\
| I want to | Chapter |
|---|---|
| upgrade it | [Upgrade, and go back](#upgrade-and-go-back) |
| back it up | [Back it up](#back-it-up) |

## Looking after it
```
# No heading.
```
### Upgrade, and go back
`arbiter doctor` says whether all is well.

    arbiter up --home there
    arbiter doctor

## Watching it
"""


@handbook.task("upgrade it", "arbiter doctor")
def told():
    pass


@handbook.task("upgrade it", "arbiter drain")
def half_told():
    pass


@handbook.task("back it up", "arbiter backup")
def without_chapter():
    pass


@handbook.task("paint it green")
def unknown():
    pass


class Handbook(unittest.TestCase):
    def test_each_step_of_the_week_is_a_task_of_the_handbook(self):
        self.assertGreater(len(week.steps()), 8)
        self.assertEqual(list(handbook.Handbook().faults(week.steps())), [])

    def test_a_step_that_the_handbook_does_not_tell_is_found(self):
        found = list(handbook.Handbook(PAGE).faults([told, half_told, without_chapter, unknown]))
        self.assertEqual(found, [
            'half_told: the chapter of "upgrade it" does not say "arbiter drain"',
            'without_chapter: no table "I want to" leads from "back it up" to a chapter',
            'unknown: no table "I want to" leads from "paint it green" to a chapter'])

    def test_what_is_typed_stands_there_as_a_block(self):
        self.assertEqual(handbook.Handbook(PAGE).block("upgrade it", "arbiter up"), "arbiter up --home there\narbiter doctor\n")

    def test_every_task_leads_to_a_chapter(self):
        page = handbook.Handbook()
        self.assertEqual([wanted for wanted in page.tasks if page.chapter(wanted) is None], [])


if __name__ == "__main__":
    unittest.main()

"""python_fork_test.py: an act that was told comes once more as another one: its house was set back."""
import unittest

from python_stage import FANOUT, Stage


class PythonFork(Stage):
    def test_another_act_of_a_number_we_know_is_a_fork(self):
        self.grow(3)
        self.attach(2)
        self.publish(3)
        self.told("act")
        self.acts[3].command_hash = bytes(32)
        self.publish(3)
        self.assertEqual(self.told("fault").fault, "fork")

    def test_history_that_tells_an_act_otherwise_is_a_fork(self):
        self.grow(3)
        self.attach(2)
        self.publish(3)
        self.told("act")
        self.acts[3].command_hash = bytes(32)
        self.history(3, 3, 3, FANOUT)
        self.assertEqual(self.told("fault").fault, "fork")


if __name__ == "__main__":
    unittest.main()

"""python_fork_test.py: an act that was told comes once more as another one: its house was set back."""
import unittest

from python_stage import ENGINE, FANOUT, Stage


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

    def test_who_attaches_again_says_what_he_was_told(self):
        """So an engine whose store was set back hears of it."""
        self.grow(3)
        self.attach(2)
        self.publish(3)
        self.told("act")
        self.core.peers.list[ENGINE].protocol = 2
        self.core.seats[0].attach_again(self.now)
        self.core.tick(self.now)
        [(_, _, said)] = self.sent("ATTACH")
        self.assertEqual((said.last, said.last_chain), (3, self.chain[3]))

    def test_an_engine_of_the_first_version_hears_no_more_than_it_reads(self):
        self.grow(3)
        self.attach(2)
        self.publish(3)
        self.told("act")
        self.core.peers.list[ENGINE].protocol = 1
        self.core.seats[0].attach_again(self.now)
        self.core.tick(self.now)
        [(_, _, said)] = self.sent("ATTACH")
        self.assertFalse(said.HasField("last") or said.HasField("last_chain"))


if __name__ == "__main__":
    unittest.main()

"""capacity_test.py: the page quotes what the simulation says, and the simulation agrees with what is known of queues."""
import importlib.util
import pathlib
import random
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = SOURCE / "tests/cluster/capacity.py"
COMMAND = "tests/cluster/capacity.py --seconds 2 --seed 1"

spec = importlib.util.spec_from_file_location("capacity", SCRIPT)
capacity = importlib.util.module_from_spec(spec)
spec.loader.exec_module(capacity)


def mean_wait(rate, service, seconds=400.0):
    """Of a queue with one server, from the arrival to the beginning of the service."""
    items = [(time, time) for time in capacity.arrivals(random.Random(5), rate, seconds)]
    done = capacity.queue(items, service)
    return sum(end - came - service for came, end in done) / len(done)


class Capacity(unittest.TestCase):
    def test_the_page_quotes_what_it_prints(self):
        said = subprocess.run([sys.executable, "-B", SCRIPT, *COMMAND.split()[1:]], capture_output=True, text=True, check=True)
        page = (SOURCE / "deploy/CAPACITY.md").read_text()
        self.assertIn(COMMAND, page)
        self.assertIn("```\n" + said.stdout + "```\n", page)

    def test_a_queue_waits_as_pollaczek_and_khinchin_say(self):
        for full in (0.3, 0.6, 0.8):
            service = 0.01
            expected = full * service / (2 * (1 - full))   # M/D/1.
            self.assertAlmostEqual(mean_wait(full / service, service) / expected, 1, delta=0.1)

    def test_batches_carry_what_single_commits_could_not(self):
        times = list(capacity.arrivals(random.Random(3), 10_000, 1.0))  # One sync each would be three times too much.
        done = capacity.engine(random.Random(4), times)
        self.assertEqual([came for came, _ in done], times)
        self.assertTrue(all(end > came + capacity.MEASURED["batch_s"] for came, end in done))
        self.assertLess(max(end - came for came, end in done), 0.1)
        self.assertLess(len({end for _, end in done}), len(done) / 3)

    def test_nothing_is_planned_fuller_than_it_may_be(self):
        plans = [capacity.plan(size) for size in capacity.SIZES]
        for one in plans:
            self.assertLessEqual(one.commands / one.engines * capacity.MEASURED["command_s"], capacity.LOAD["full"])
            self.assertLessEqual(one.takeover, capacity.LOAD["recover_max_s"])
            self.assertLessEqual(one.copies, one.gateways)
            relay = capacity.MEASURED["copy_s"] + capacity.MEASURED["hash_s"] + one.copies / one.fanouts * capacity.MEASURED["copy_s"]
            self.assertLessEqual(one.commands * relay, 1.5 * capacity.LOAD["full"] + 1e-9)
        for fewer, more in zip(plans, plans[1:]):
            self.assertGreaterEqual(more.engines, fewer.engines)
            self.assertGreaterEqual(more.fanouts, fewer.fanouts)
            self.assertGreater(more.gateways, fewer.gateways)

    def test_a_slower_disk_is_felt(self):
        one = capacity.plan(10_000)
        quick = capacity.simulate(one, 1.0, 1)[0][0]
        before = dict(capacity.MEASURED)
        try:
            capacity.MEASURED.update(sync_p50_s=3e-3, sync_p99_s=30e-3)
            slow = capacity.simulate(one, 1.0, 1)[0][0]
        finally:
            capacity.MEASURED.update(before)
        self.assertGreater(slow[len(slow) // 2], 4 * quick[len(quick) // 2])


if __name__ == "__main__":
    unittest.main()

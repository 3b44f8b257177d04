"""scenarios_fit_test.py: can the messages say everything that the recorded scenarios say?

No rules are asked. Every command and every event, view and verdict of the scenarios of quests, objectron
and the treasure hunt is put into the message of its name and read back (fit.py); commands become words as
well, and those words must suffice to tell a malformed command from a mistaken one. What is carried in
another way than the scenarios write it stands in the tables below and nowhere else.
"""
import json
import unittest
import xml.etree.ElementTree as xml

from fit import Fit
from messages import ABSENT, MISTYPED, ROOT, command_words, load


def recorded(game, name="scenarios.jsonl"):
    path = ROOT / "common" / "games" / game / "recorded" / name
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Quests(unittest.TestCase):
    # Refusals are answers to their command, by code: no event.
    ANSWERS = {"error"}
    SEATS = {"player", "players", "sponsor", "winners", "eligible", "participants", "you", "current", "id"}

    def setUp(self):
        self.pb = load("quests")
        # The snapshot's `players` are messages, but the events' are seats; both are called so.
        self.fit = Fit(self.SEATS)
        self.scenarios = recorded("quests")

    def test_every_event_has_its_message(self):
        count = 0
        for scenario in self.scenarios:
            for event in scenario["expect"]["events"]:
                if event["ev"] in self.ANSWERS:
                    continue
                fields = {key: one for key, one in event.items() if key not in ("ev", "to")}
                said = self.fit.event(self.pb.Event(), event["ev"], fields, scenario["name"])
                self.assertTrue(said.IsInitialized())
                count += 1
        self.assertGreater(count, 5000)

    def test_events_in_two_forms_say_which_they_are(self):
        private, public = self.pb.Event.Drew(), self.pb.Event.Drew()
        self.fit.fill(private, {"player": "P1", "cards": [], "hand_count": 4}, "")
        self.fit.fill(public, {"player": "P1", "count": 0, "hand_count": 4}, "")
        self.assertNotEqual(private.HasField("count"), public.HasField("count"))

    def test_every_view_fits(self):
        count = 0
        for scenario in self.scenarios:
            for shown in scenario["expect"]["views"]:
                view = self.fit.fill(self.pb.View(), shown["view"], scenario["name"])
                quest = shown["view"]["quest"]
                self.assertEqual(view.HasField("quest"), quest is not None)
                if quest:
                    self.assertEqual(view.quest.HasField("building"), quest["building"] is not None)
                    for stage, want in zip(view.quest.built, quest["built"]):
                        self.assertEqual(stage.HasField("cards"), want["cards"] is not None)
                count += 1
        self.assertGreater(count, 20)

    def is_malformed(self, step):
        sent = {key: one for key, one in step.items() if key not in ("by", "cmd", "error")}
        kind, args, text, strange = command_words(self.pb.Command, step["cmd"], sent)
        self.assertIsNone(text)
        if kind == 0 or strange or MISTYPED in args:
            return True
        if step["cmd"] in ("sponsor", "participate"):
            return args[0] == ABSENT
        if step["cmd"] in ("stage_add", "attack_add", "discard"):
            return (args[0] == ABSENT) == (args[1] == ABSENT)
        return False

    def test_words_tell_malformed_commands_from_all_others(self):
        steps = [step for scenario in self.scenarios for step in scenario["steps"] if "cmd" in step]
        self.assertGreater(len(steps), 1500)
        for step in steps:
            self.assertEqual(self.is_malformed(step), step.get("error") == "bad_command", step)


class Objectron(unittest.TestCase):
    # The warning is the answer to a refused end_turn, with `moved` and `loses` as its details.
    ANSWERS = {"end_turn_warning"}
    SEATS = {"player", "by", "owner", "winner", "captured", "current_player", "trapped"}
    # What a scenario asks of the snapshot: (its fact's keys, where they stand in a View).
    FACTS = {"player": "Player", "item": "Item", "field": "Field"}
    # These are asked of the state by the test's own words, not of a snapshot.
    ASKED = {"holder", "item_any", "exists"}
    REQUIRED = {"move": 1, "pick_up": 1, "use": 1, "end_turn": 0, "resign": 0}
    BEFORE_FIELDS = {"GAME_OVER", "NOT_IN_GAME", "NOT_YOUR_TURN"}

    def setUp(self):
        self.pb = load("objectron")
        self.fit = Fit(self.SEATS)
        self.scenarios = recorded("objectron")

    def commands(self):
        for scenario in self.scenarios:
            for command in scenario.get("commands", []):
                yield scenario, command

    def test_every_event_has_its_message(self):
        count = 0
        for scenario, command in self.commands():
            for event in command.get("events", []):
                if event["ev"] not in self.ANSWERS:
                    fields = {key: one for key, one in event.items() if key != "ev"}
                    self.fit.event(self.pb.Event(), event["ev"], fields, scenario["name"])
                    count += 1
        self.assertGreater(count, 100)

    def test_every_fact_about_players_items_and_fields_is_in_the_view(self):
        seen = set()
        for scenario in self.scenarios:
            for fact in scenario.get("facts", []):
                subject = next((key for key in self.FACTS if key in fact), None)
                if subject is None:
                    continue
                message = getattr(self.pb.View, self.FACTS[subject])()
                for key in set(fact) - {subject} - self.ASKED:
                    self.assertIn(key, message.DESCRIPTOR.fields_by_name, scenario["name"])
                    seen.add(key)
        self.assertTrue({"at", "trail", "captured", "inventory", "state", "on", "squares"} <= seen)

    def test_every_fact_about_the_game_is_in_the_view(self):
        seen = set()
        for scenario in self.scenarios:
            for fact in scenario.get("facts", []):
                if set(fact) & {"current_player", "over", "turn"}:
                    fields = {key: one for key, one in fact.items() if one is not None}
                    seen |= set(self.fit.fill(self.pb.View(), fields, scenario["name"]).DESCRIPTOR.
                                fields_by_name) & set(fields)
        self.assertEqual(seen, {"current_player", "actions_left", "turn", "over", "winner"})

    def test_bit_exact_set_ups_fit_the_view(self):
        for setup in recorded("objectron", "golden_setups.jsonl"):
            shown = {"mode": setup["config"]["mode"], "width": setup["config"]["width"],
                     "height": setup["config"]["height"], "rows": setup["walls"],
                     "items": setup["items"], "fields": setup["force_fields"]}
            view = self.fit.through(self.pb.View(), shown, "golden")
            self.assertEqual(len(view.rows), view.height)
            self.assertEqual(len(view.items), len(setup["items"]))

    def test_every_item_that_a_scenario_places_fits_the_view(self):
        harness = {"in", "by", "allow_start"}  # Who carries or placed it; neither is a field of an item.
        seen = set()
        for scenario in self.scenarios:
            for item in scenario.get("placements", []):
                if scenario.get("setup_error"):
                    continue
                shown = {key: one for key, one in item.items() if key not in harness}
                if shown.get("state") == "active":
                    del shown["state"]  # Nobody is shown that.
                self.fit.through(self.pb.View.Item(), shown, scenario["name"])
                seen |= set(shown)
        self.assertEqual(seen, {"id", "kind", "at", "state", "dest", "owner"})

    def is_incomplete(self, command):
        sent = {key: one for key, one in command.items()
                if key not in ("player", "cmd", "error", "events")}
        kind, args, text, strange = command_words(self.pb.Command, command["cmd"], sent)
        self.assertIsNone(text)
        if kind == 0 or MISTYPED in args:
            return True, args
        self.assertEqual(strange, [])
        return ABSENT in args[:self.REQUIRED[command["cmd"]]], args

    def test_words_tell_what_is_missing_from_what_is_wrong(self):
        count = 0
        for _, command in self.commands():
            if "cmd" not in command:
                self.assertIn("expire", command)
                continue
            incomplete, args = self.is_incomplete(command)
            error = command.get("error")
            if incomplete:
                self.assertIn(error, self.BEFORE_FIELDS | {"UNKNOWN_COMMAND"}, command)
            elif error in ("UNKNOWN_COMMAND", "BAD_DIRECTION"):  # A word that is no direction, or no disc's.
                self.assertTrue(args[1] == 0 or args[0] == 0 or args[1] % 2 == 0, command)
            elif error == "DIRECTION_REQUIRED":
                self.assertEqual(args[1], ABSENT, command)
            count += 1
        self.assertGreater(count, 300)


class Treasure(unittest.TestCase):
    SEATS = {"seat", "turn"}
    # `pending` is written [target, next] and `explored` as a list of fields: a message, and rows.
    EXPLORED = "explored"
    # The elements of the 2017 messages, by the fields of the commands they become; the id becomes the seat.
    ROOTS = {"newplayerrequest": "register", "createnewmaprequest": "submit_half", "updaterequest": "update"}
    ELEMENTS = {"maphalf": "half", "playerpositionx": "player_x", "playerpositiony": "player_y",
                "wantedpositionx": "wanted_x", "wantedpositiony": "wanted_y",
                "turnsuntilmovement": "turns_left", "turnsleft": "turns_left"}
    PERSON = {"firstname", "surname", "secondname", "matriculationnumber", "matrikelnummer"}

    def setUp(self):
        self.pb = load("treasure")
        self.fit = Fit(self.SEATS, renamed={("GameEnd", "n"): "actions"})
        self.scenarios = recorded("treasure")

    def of(self, *types):
        found = [scenario for scenario in self.scenarios if scenario["type"] in types]
        self.assertTrue(found)
        return found

    def words(self, name, sent):
        kind, args, text, strange = command_words(self.pb.Command, name, sent)
        self.assertNotEqual(kind, 0)
        self.assertEqual(strange, [])
        self.assertNotIn(MISTYPED, args)
        return args, text

    def test_halves_in_both_forms_and_all_that_is_wrong_with_them(self):
        for scenario in self.of("half", "half_rows"):
            if scenario["type"] == "half":
                sent, name = {"half": scenario["half"]}, "submit_half"
            else:
                (x, y), = scenario["castles"]
                sent, name = {"rows": "\n".join(scenario["rows"]), "castle_x": x, "castle_y": y}, "submit_rows"
            _, text = self.words(name, {"think_ms": 0, **sent})
            if "rows" in scenario:  # Rows of the wrong length can still be told from each other.
                self.assertEqual(text.split("\n"), scenario["rows"])
            self.fit.event(self.pb.Event(), "half_rejected", {"codes": scenario["expect"]["errors"]},
                           scenario["id"])

    def test_joined_maps(self):
        for scenario in self.of("merge"):
            expect = scenario["expect"]
            for seat, text in expect.get("player_map", {}).items():
                x, y = expect["castles"][seat]
                self.fit.event(self.pb.Event(), "map_ready", {
                    "width": expect["width"], "height": expect["height"], "full_map": text,
                    "castle_x": x, "castle_y": y}, scenario["id"])
            for seat in expect.get("treasures", {}):
                shown = {"seat": int(seat), "castle": expect["castles"][seat],
                         "treasure_pos": expect["treasures"][seat]}
                self.fit.through(self.pb.SpectatorView.Seat(), shown, scenario["id"])
            reveal = {"referee_map": expect.get("referee_map")}
            self.fit.event(self.pb.Event(), "reveal", reveal, scenario["id"])

    def test_actions_and_what_became_of_them(self):
        rows = 0
        for scenario in self.of("game"):
            for seat, *numbers in scenario["steps"]:
                names = ["player_x", "player_y", "wanted_x", "wanted_y", "turns_left"]
                sent = {"think_ms": 0, **dict(zip(names, numbers))}
                args, _ = self.words("update" if numbers else "malformed", sent)
                self.assertEqual(args[1:1 + len(numbers)], numbers)
                self.assertNotIn(ABSENT, args[:1 + len(numbers)])
            for number, action, x, y, left, violation in scenario.get("stored", []):
                self.fit.through(self.pb.SpectatorView.Last(), {
                    "action_id": number, "action": action, "turns_left": left, "violation": violation,
                    "target": None if x is None else [x, y]}, scenario["id"])
                rows += 1
        self.assertGreater(rows, 5)

    def test_results_and_views(self):
        keys = set()
        for scenario in self.of("game"):
            self.fit.event(self.pb.Event(), "game_end", scenario["final"], scenario["id"])
            for point in scenario["expect"]:
                for seat, shown in point.get("view", {}).items():
                    shown = {key: one for key, one in shown.items() if key != self.EXPLORED}
                    self.fit.fill(self.pb.PlayerView(), {"seat": int(seat), **shown}, scenario["id"])
                    keys |= set(shown)
                for place in point.get("pos", {}).values():
                    self.fit.fill(self.pb.PlayerView(), {"pos": place}, scenario["id"])
        self.assertTrue({"pending", "enemy", "enemy_masked", "treasure_pos", "win"} <= keys)

    def test_clocks_speak_of_commands_and_their_think_time(self):
        kinds = {"start": None, "registered": "register", "half": "submit_half", "act": "step"}
        for scenario in self.of("clock"):
            for name, *_ in scenario["events"]:
                kind = kinds[name]
                self.assertTrue(kind is None or kind in self.pb.Command.DESCRIPTOR.fields_by_name)
            self.fit.event(self.pb.Event(), "game_end", {
                key: one for key, one in scenario["expect"].items() if key != "at"}, scenario["id"])

    def test_what_the_2017_door_is_sent_becomes_commands(self):
        count = 0
        for scenario in self.of("rest"):
            for exchange in scenario["exchange"]:
                try:
                    root = xml.fromstring((exchange["body"] or "").encode())
                except (xml.ParseError, LookupError, ValueError):
                    continue  # The door answers, or sends Malformed.
                name = self.ROOTS.get(root.tag.lower())
                for element in root if name else ():
                    tag = element.tag.lower()
                    if tag in self.ELEMENTS:
                        fields = self.pb.Command.DESCRIPTOR.fields_by_name[name].message_type.fields_by_name
                        self.assertIn(self.ELEMENTS[tag], fields)
                        count += 1
                    elif name == "register":
                        self.assertIn(tag, self.PERSON)
        self.assertGreater(count, 200)


if __name__ == "__main__":
    unittest.main()

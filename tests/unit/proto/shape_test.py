"""shape_test.py: do the messages of the games keep the conventions on which the interface stands?

The rules say everything in words, in the order of the .proto's fields (common/rules/sink.h, command.h).
That works only for messages of a certain shape; and the kinds must be those of the rules' own tables.
"""
import re
import unittest

from google.protobuf.descriptor import FieldDescriptor

from messages import ARGS_MAX, TEXTS, enum_prefix, games, is_list, load

# The tables of commands and events of the rule books that came from elsewhere, in their order.
COMMANDS = {
    "quests": "sponsor stage_add stage_done stage_clear quest_restart participate attack_add attack_done "
              "discard end_turn",
    "objectron": "move pick_up use end_turn resign",
    "treasure": "register submit_half submit_rows update step malformed leave",
}
EVENTS = {
    "quests": "game_started hand reshuffled draw_short turn_started event_card event_discarded "
              "shields_changed drew discarded prompt can_sponsor sponsor_declined sponsor_found no_sponsor "
              "stage_card stage_cleared stage_built quest_restarted quest_ready stage_started participates "
              "withdrew participants attack_card attack_set stage_resolved quest_ended turn_ended game_over "
              "expired",
    "objectron": "game_started turn_started turn_skipped turn_ended expired action_spent player_moved "
                 "player_teleported trail_changed penalty turn_cut item_picked_up item_placed grenade_armed "
                 "grenade_exploded disc_thrown player_hit flag_dropped flag_captured flag_returned "
                 "power_failed power_moved power_restored force_field_created force_field_switched "
                 "force_field_removed player_held player_released player_eliminated game_over",
    "treasure": "half_accepted half_rejected map_ready act_now updated enemy_position treasure_sighted "
                "treasure_collected enemy_castle_sighted player game_started action_done left game_end "
                "reveal registration_aborted watched",
}


def messages_below(message, above=()):
    """Every message that can stand in one, itself first."""
    assert message not in above, f"{message.full_name} contains itself"
    yield message
    for field in message.fields:
        if field.message_type:
            yield from messages_below(field.message_type, above + (message,))


def is_explained(lines, at):
    of = lines[at].split()[1]
    described = any(line.split()[:2] == ["message", of] and lines[n - 1].lstrip().startswith("//") for n, line in enumerate(lines))
    return "; // " in re.sub(" +", " ", lines[at]) or lines[at - 1].lstrip().startswith("//") or described


def enums_of(module):
    seen = {}
    for top in (module.Command, module.Event, module.View):
        for message in messages_below(top.DESCRIPTOR):
            for field in message.fields:
                if field.enum_type:
                    seen[field.enum_type.full_name] = field.enum_type
    return seen.values()


class Shape(unittest.TestCase):
    def each(self):
        for game in games.names():
            yield game, load(game)

    def test_kinds_are_the_tables_of_the_rules(self):
        for game, module in self.each():
            for message, tables in ((module.Command, COMMANDS), (module.Event, EVENTS)):
                kinds = message.DESCRIPTOR.oneofs_by_name["kind"].fields
                if game in tables:
                    self.assertEqual([field.name for field in kinds], tables[game].split())
                self.assertEqual([field.number for field in kinds], list(range(1, len(kinds) + 1)))
                self.assertEqual(len(message.DESCRIPTOR.fields), len(kinds))

    def test_commands_fit_their_struct(self):
        for _, module in self.each():
            for kind in module.Command.DESCRIPTOR.fields:
                fields = kind.message_type.fields
                texts = [field for field in fields if field.type in TEXTS]
                self.assertLessEqual(len(texts), 1, kind.name)
                self.assertLessEqual(len(fields) - len(texts), ARGS_MAX, kind.name)
                self.assertFalse([field for field in fields if is_list(field) or field.message_type])

    def test_measured_time_is_the_first_argument(self):
        for _, module in self.each():
            for kind in module.Command.DESCRIPTOR.fields:
                names = [field.name for field in kind.message_type.fields]
                self.assertIn(names.index("think_ms") if "think_ms" in names else 0, [0], kind.name)

    def test_fields_are_numbered_as_they_are_declared(self):
        for _, module in self.each():
            for top in (module.Command, module.Event, module.View):
                for message in messages_below(top.DESCRIPTOR):
                    numbers = [field.number for field in message.fields]
                    self.assertEqual(numbers, list(range(1, len(numbers) + 1)), message.full_name)
                    self.assertFalse([field for field in message.fields
                                      if field.label == FieldDescriptor.LABEL_REQUIRED])

    def test_zero_of_an_enum_is_no_value(self):
        for game, module in self.each():
            for enum in enums_of(module):
                if game == "dead":   # Its enums are older than this convention, and begin with a value of 1.
                    self.assertEqual([value.number for value in enum.values], list(range(1, len(enum.values) + 1)))
                    continue
                self.assertEqual(enum.values[0].name, enum_prefix(enum) + "UNSPECIFIED")
                self.assertEqual([value.number for value in enum.values], list(range(len(enum.values))))
                self.assertFalse([value.name for value in enum.values
                                  if not value.name.startswith(enum_prefix(enum))])

    def test_every_field_is_explained(self):
        """Behind it, or in the line above; a field that is a message may rest on the comment of that message."""
        for game in games.names():
            lines = games.proto(game).read_text().splitlines()
            fields = [at for at, line in enumerate(lines) if re.match(r"\s*(optional|repeated) ", line)]
            self.assertGreater(len(fields), 50 if game in COMMANDS else 0)
            self.assertEqual([lines[at] for at in fields if not is_explained(lines, at)], [])


if __name__ == "__main__":
    unittest.main()

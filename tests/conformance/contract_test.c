/* contract_test.c: every game's tables say the same as its .proto, and keep the interface's bounds.
 *
 * A kind is a number in the rules and a field in a message; these two must be one thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dice/kinds.h"
#include "games/registry.h"
#include "player.h"
#include "tables.h"
#include "json/json.h"

/* Calls `each` with every game of the build; there is at least the tutorial one. */
static void for_all_games(void (*each)(const struct game_wire *wire))
{
    assert_non_null(registry_games()[0]);
    for (const struct game_wire *const *wire = registry_games(); *wire != NULL; wire++)
        each(*wire);
}

/* Field number `kind` of the message's oneof `kind`, under its name in the rules. */
static void check_kind(const ProtobufCMessageDescriptor *message, uint32_t kind, const char *name)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(message, kind);
    if (field == NULL)
        fail_msg("%s has no field %u", message->name, kind);
    else if (name == NULL || strcmp(field->name, name) != 0)
        fail_msg("field %u of %s is %s, in the rules it is %s", kind, message->name, field->name,
                 name != NULL ? name : "nothing");
    else
        assert_int_equal(field->type, PROTOBUF_C_TYPE_MESSAGE);
}

static void check_commands(const struct game_wire *wire)
{
    const struct game *game = wire->game;
    assert_int_equal(wire->command->n_fields, game->command_kinds - 1);
    for (uint32_t kind = 1; kind < game->command_kinds; kind++)
        check_kind(wire->command, kind, game->commands[kind].name);
}

static void check_events(const struct game_wire *wire)
{
    const struct game *game = wire->game;
    assert_int_equal(wire->event->n_fields, game->event_kinds - 1);
    for (uint32_t kind = 1; kind < game->event_kinds; kind++) {
        check_kind(wire->event, kind, game->events[kind].name);
        assert_true(game->events[kind].box_class < BOX_CLASSES_MAX);
    }
}

static bool is_text(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES;
}

/* At most six arguments, each a single number, and at most one text. */
static void check_arguments(const struct game_wire *wire)
{
    for (uint32_t i = 0; i < wire->command->n_fields; i++) {
        const ProtobufCMessageDescriptor *message = wire->command->fields[i].descriptor;
        uint32_t                          args = 0, texts = 0;
        for (uint32_t at = 0; at < message->n_fields; at++) {
            const ProtobufCFieldDescriptor *field = &message->fields[at];
            assert_int_equal(field->label, PROTOBUF_C_LABEL_OPTIONAL);
            assert_int_not_equal(field->type, PROTOBUF_C_TYPE_MESSAGE);
            *(is_text(field) ? &texts : &args) += 1;
        }
        assert_in_range(args, 0, COMMAND_ARGS_MAX);
        assert_in_range(texts, 0, 1);
    }
}

static void check_reasons(const struct game_wire *wire)
{
    const struct game *game = wire->game;
    for (uint32_t i = 1; i < game->reason_kinds; i++) {
        const struct reason *reason = &game->reasons[i];
        if (reason->name == NULL || reason->name[0] == '\0' || reason->sentence == NULL)
            fail_msg("%s: reason %u has no name or no sentence", game->name, i);
        else if (strlen(reason->sentence) < 2 ||
                 strchr(".!?", reason->sentence[strlen(reason->sentence) - 1]) == NULL)
            fail_msg("%s: \"%s\" is no sentence", game->name, reason->sentence);
    }
}

static void check_head(const struct game_wire *wire)
{
    const struct game *game = wire->game;
    struct dice        dice;
    char               path[1024];
    struct stat        folder;

    assert_ptr_equal(registry_find(game->name, game->version), wire);
    assert_true(game->version > 0);
    assert_true(strlen(game->title) > 0);
    assert_true(game->seats_min >= 1 && game->seats_min <= game->seats_max);
    assert_true(game->seats_max <= SEATS_MAX);
    assert_true(dice_open(&dice, game->open_dice, 1));
    snprintf(path, sizeof path, "%s/common/games/%s", ARBITER_SOURCE, game->name);
    assert_int_equal(stat(path, &folder), 0);
    for (const char *letter = game->name; *letter != '\0'; letter++)
        assert_true(islower((unsigned char) *letter) || *letter == '_' ||
                    isdigit((unsigned char) *letter));
}

static void check_functions(const struct game_wire *wire)
{
    const struct game *game = wire->game;
    assert_true(game->configure != NULL && game->seats != NULL && game->bounds != NULL);
    assert_true(game->start != NULL && game->apply != NULL && game->to_act != NULL);
    assert_true(game->legal != NULL && game->asks != NULL && game->view != NULL);
    assert_true(game->outcome != NULL && game->check != NULL && game->hidden != NULL);
    for (uint32_t kind = 1; kind < game->command_kinds; kind++)
        if ((game->commands[kind].flags & COMMAND_OPEN) != 0)
            assert_non_null(game->propose);
}

static void keep_quiet(struct faults *faults, const struct value *at, const char *key,
                       const char *what)
{
    (void) faults, (void) at, (void) key;
    assert_true(strlen(what) > 0);
}

/* What is no set-up at all is refused with a fault, not with an assertion. An object without a key may be
 * one, all left to what is usual. */
static void check_nonsense(const struct game_wire *wire)
{
    static const char *const nonsense[] = {
        "null", "7", "\"x\"", "[]", "[{}]", "[[]]", "{\"x\":{}}"
    };
    static uint8_t memory[1 << 16];

    for (uint32_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        struct faults faults = { .report = keep_quiet };
        struct arena  arena;
        arena_init(&arena, memory, sizeof memory);
        const struct value *config = json_value(nonsense[i], strlen(nonsense[i]), &arena, &faults);
        assert_non_null(config);
        size_t size = wire->game->configure(config, NULL, NULL, 0, &faults);
        if (size > 0 || faults.count == 0)
            fail_msg("%s takes %s for a set-up: `configure` must report a fault and return 0",
                     wire->game->name, nonsense[i]);
    }
}

/* Each set-up a game brings: readable, within the game's seats, with bounds worth the name. */
static void check_setups(const struct game_wire *wire)
{
    struct tables tables;
    assert_true(tables_load(wire, &tables));
    for (uint32_t i = 0; i < tables.count; i++)
        for (uint32_t at = 0; at < tables.table[i].seat_counts; at++) {
            uint32_t      seats = tables.table[i].seats[at];
            struct bounds bounds = { 0 };
            assert_in_range(seats, wire->game->seats_min, wire->game->seats_max);
            wire->game->bounds(tables.table[i].setup, seats, &bounds);
            assert_true(bounds.state_bytes > 0 && bounds.state_bytes % sizeof(uint32_t) == 0);
            assert_true(bounds.event_words > 0 && bounds.view_words > 0);
            assert_true(bounds.legal_patterns > 0);
            assert_true((bounds.text_bytes > 0) == (wire->game->propose != NULL));
        }
    tables_free(&tables);
}

#define FOR_ALL_GAMES(test, check)                                                                 \
    static void test(void **unused)                                                                \
    {                                                                                              \
        (void) unused;                                                                             \
        for_all_games(check);                                                                      \
    }

FOR_ALL_GAMES(commands_are_numbered_as_in_the_proto, check_commands)
FOR_ALL_GAMES(events_are_numbered_as_in_the_proto, check_events)
FOR_ALL_GAMES(arguments_are_numbers_and_one_text, check_arguments)
FOR_ALL_GAMES(every_reason_has_a_name_and_a_sentence, check_reasons)
FOR_ALL_GAMES(a_game_is_what_its_folder_is_called, check_head)
FOR_ALL_GAMES(no_needed_function_is_missing, check_functions)
FOR_ALL_GAMES(nonsense_is_no_setup, check_nonsense)
FOR_ALL_GAMES(the_setups_a_game_brings_are_sound, check_setups)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_numbered_as_in_the_proto),
        cmocka_unit_test(events_are_numbered_as_in_the_proto),
        cmocka_unit_test(arguments_are_numbers_and_one_text),
        cmocka_unit_test(every_reason_has_a_name_and_a_sentence),
        cmocka_unit_test(a_game_is_what_its_folder_is_called),
        cmocka_unit_test(no_needed_function_is_missing),
        cmocka_unit_test(nonsense_is_no_setup),
        cmocka_unit_test(the_setups_a_game_brings_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

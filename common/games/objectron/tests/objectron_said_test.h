/* objectron_said_test.h: all that is said of a command, for the tests of objectron: every event with every field, where
 * recordings name only some. */
#ifndef ARBITER_OBJECTRON_SAID_TEST_H
#define ARBITER_OBJECTRON_SAID_TEST_H

#include "games/objectron/tests/objectron_stage_test.h"

#define MATCH(mode, players, grid, items)                                                          \
    "{\"mode\":\"" mode "\",\"players\":" players ",\"power_failure_bp\":0,\"grid\":[" grid        \
    "],\"placements\":[" items "]}"
#define CTF(players, grid, items) MATCH("ctf", players, grid, items)
#define RACE(grid, items) MATCH("race", "2", grid, items)

/* Plays a command, which is accepted; these are all its events, a line each. */
static inline void tells(struct objectron_table *table, const char *command, const char *lines)
{
    char        came[4096] = "";
    size_t      used = 0, index;
    json_t     *line = json_loads(command, 0, NULL), *said = NULL, *event;
    const char *error = objectron_table_hear(table, line, &said);
    if (error != NULL)
        fail_msg("%s: %s", command, error);
    json_array_foreach(said, index, event)
    {
        char *text = json_dumps(event, JSON_COMPACT | JSON_SORT_KEYS);
        used += (size_t) snprintf(came + used, sizeof came - used, "%s\n", text);
        free(text);
    }
    assert_string_equal(came, lines);
    assert_null(game_objectron.check(table->setup, table->state));
    json_decref(said);
    json_decref(line);
}

/* Who has won, or -1, and what each has of it; behind the last seat nothing is written, and nobody is asked more. */
static inline void has_ended(struct objectron_table *table, int32_t winner, int32_t reason,
                             const int32_t *outcome)
{
    int32_t came[OBJECTRON_PLAYERS_MAX + 1];
    memset(came, 0x55, sizeof came);
    game_objectron.outcome(table->setup, table->state, came);
    assert_memory_equal(came, outcome, (size_t) table->state->seats * sizeof *came);
    assert_int_equal(came[table->state->seats], 0x55555555);
    assert_int_equal(table->state->over, 1);
    assert_int_equal(table->state->winner, winner);
    assert_int_equal(table->state->reason, reason);
    table->out.used = table->out.events = 0;
    game_objectron.asks(table->setup, table->state, (uint32_t) table->state->current, &table->out);
    assert_int_equal(table->out.events, 0);
}

#endif

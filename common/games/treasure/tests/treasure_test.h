/* treasure_test.h: a table of the treasure hunt for tests, and what was said at it as one line of text. */
#ifndef ARBITER_TREASURE_TEST_H
#define ARBITER_TREASURE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "games/treasure/conform/treasure_table_conform.h"

/* Castle of the upper half at (1,1), of the lower one at (6,7). */
#define UPPER "0101010101010101010002020103030101010102010303010101010101010101"
#define LOWER "0101010101010101010303010202010101030301020101010101010101010001"
/* Nor has it a mountain. */
#define SHORES "0303010101010101010001010303010101010101010101010103010101010101"
#define NO_MOUNTAIN "0101010101010101010001010103030101010101010303010101010101010101"

static struct treasure_table table;

static inline void open_table(const char *leaves)
{
    json_t *config = json_loads(leaves, 0, NULL);
    assert_non_null(config);
    assert_true(treasure_table_open(&table, config, 0, stderr));
    json_decref(config);
    treasure_table_start(&table);
}

static inline verdict hand_in(uint32_t seat, const char *half)
{
    return treasure_table_half(&table, seat, half, 0);
}

/* A match whose halves are joined. */
static inline void open_match(const char *leaves)
{
    open_table(leaves);
    assert_int_equal(hand_in(0, UPPER), ACCEPTED);
    assert_int_equal(hand_in(1, LOWER), ACCEPTED);
}

static inline verdict ask(uint32_t seat, uint32_t kind, word think_ms, word value)
{
    struct command command;
    treasure_bare(&command, kind);
    command.arg[0] = think_ms;
    command.arg[1] = value;
    return treasure_table_hear(&table, seat, &command);
}

static inline verdict step(uint32_t seat, word direction)
{
    return ask(seat, TREASURE_STEP, 0, direction);
}

/* "updated@0 action_done": kinds with the seat that alone was told; ! for spectators alone. */
static inline void assert_said(const char *expected)
{
    char   said[1024] = "";
    size_t used = 0;
    for (const word *event = sink_first(&table.out); event != NULL;
         event = sink_next(&table.out, event)) {
        audience to = event_to(event);
        used += (size_t) snprintf(said + used, sizeof said - used, "%s%s", used > 0 ? " " : "",
                                  game_treasure.events[event_kind(event)].name);
        if (to == TO_SPECTATORS_LATER)
            used += (size_t) snprintf(said + used, sizeof said - used, "!");
        else if (to != TO_ALL)
            used += (size_t) snprintf(said + used, sizeof said - used, "@%u", to & 0xff);
    }
    assert_string_equal(said, expected);
}

static inline void assert_over(uint32_t result, uint32_t reason, uint32_t actions)
{
    assert_int_equal(table.state->result, result);
    assert_int_equal(table.state->reason, reason);
    assert_int_equal(table.state->n, actions);
    assert_int_equal(game_treasure.to_act(table.setup, table.state), 0);
}

static inline void close_table(void)
{
    treasure_table_close(&table);
}

#endif

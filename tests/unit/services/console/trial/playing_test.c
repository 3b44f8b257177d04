/* playing_test.c: what is published of whole games of quests holds nothing that one seat alone is told.
 *
 * A reader of the frames without a seat's key sees the bodies of acts and what goes before them.
 * Every event that is for one seat is looked for in them, as the bytes it would be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "games/quests/quests.h"
#include "services/console/trial/playing.h"

#define GAMES 8
#define BYTES_LEAST 8 /* Shorter ones are in anything by chance. */

static uint32_t secrets, publics;

static bool holds(const struct match_act *act, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + size <= act->body_size; at++)
        if (memcmp(act->body + at, bytes, size) == 0)
            return true;
    return false;
}

static void nothing_secret_is_in(const struct playing *playing)
{
    const struct match_act *act = &playing->act;
    for (const word *event = sink_first(act->events); event != NULL;
         event = sink_next(act->events, event)) {
        word     words[64] = { event_kind(event) };
        uint8_t  bytes[512];
        uint32_t count = event_length(event);
        assert_true(count < 64);
        memcpy(words + 1, event_fields(event), count * sizeof(word));
        size_t size = plan_encode(playing->table->events, words, count + 1, bytes, sizeof bytes);
        bool   is_secret = (event_to(event) & 0xff00) == TO_SEAT(0);
        if (size < BYTES_LEAST)
            continue;
        assert_int_equal(holds(act, bytes, size), !is_secret);
        secrets += is_secret;
        publics += !is_secret;
    }
}

static void no_hand_card_is_on_the_wire(void **unused)
{
    const struct table_ask ask = { .config = ARBITER_SOURCE "/configs/quests/standard.json" };
    struct playing_rules   rules = { .policy = POLICY_GREEDY,
                                     .most = 100000,
                                     .dice = "chacha",
                                     .flags = MATCH_CHAINED | MATCH_SEALED };
    struct table           table;
    struct playing         playing;
    (void) unused;
    assert_int_equal(table_open(&table, "quests", &ask), 0);
    playing_open(&playing, &table, &rules);
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        playing_begin(&playing, seed);
        do
            nothing_secret_is_in(&playing);
        while (playing_step(&playing));
        assert_true(playing_over(&playing));
    }
    assert_true(secrets > 100 * GAMES / 8 && publics > 100 * GAMES / 8);
    playing_close(&playing);
    table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_hand_card_is_on_the_wire) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

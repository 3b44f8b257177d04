/* client_seats_test.c: a seat among thousands is found without a look at the others, whoever came and went. */
#include "client/client_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/crypto.h"

#define SEATS 16000u
#define MATCHES 60u
#define PLACES 128u

static struct client_core *core;
static void               *memory;

static void open_core(uint32_t seats)
{
    struct client_core_settings settings;
    client_core_defaults(&settings);
    settings.crypto = &crypto_sodium;
    settings.seats_max = seats;
    settings.command_bytes = 64;
    memory = malloc(client_core_bytes(&settings));
    assert_non_null(memory);
    core = client_core_init(memory, &settings);
}

static int end(void **unused)
{
    (void) unused;
    free(memory);
    return 0;
}

static const uint8_t *id_of(uint32_t match)
{
    static uint8_t id[CLIENT_ID_SIZE];
    memset(id, 0x5a, sizeof id);
    memcpy(id, &match, sizeof match);
    return id;
}

/* All come, all are found, and all go: of each of them about as many others are looked at, however many there are. */
static uint64_t looks_for_each(uint32_t seats)
{
    open_core(seats);
    for (uint32_t i = 0; i < seats; i++)
        assert_non_null(seat_take(core, id_of(i)));
    assert_null(seat_take(core, id_of(seats)));
    for (uint32_t i = 0; i < seats; i++)
        assert_ptr_equal(seat_find(core, id_of(i), 0), &core->seats[i]);
    uint64_t looked = core->seats_looked;
    for (uint32_t i = 0; i < seats; i++)
        seat_release(core, &core->seats[i]);
    assert_int_equal(core->seats_used, 0);
    end(NULL);
    memory = NULL;
    return looked;
}

static void one_of_sixteen_thousand_is_found_as_one_of_two_thousand(void **unused)
{
    (void) unused;
    assert_in_range(looks_for_each(2000), 2000, 2 * 2000);
    assert_in_range(looks_for_each(SEATS), SEATS, 2 * SEATS);
}

/* Against a walk over all places. */
static struct client_seat *walk(const uint8_t *id, uint32_t seat)
{
    for (uint32_t i = 0; i < PLACES; i++)
        if (core->seats[i].is_used && core->seats[i].seat == seat &&
            memcmp(core->seats[i].match_id, id, CLIENT_ID_SIZE) == 0)
            return &core->seats[i];
    return NULL;
}

static void all_of_a_match_come_in_order(const uint8_t *id)
{
    struct client_seat *seat = seat_first(core, id);
    for (uint32_t i = 0; i < PLACES; i++) {
        struct client_seat *next = &core->seats[i];
        if (!next->is_used || memcmp(next->match_id, id, CLIENT_ID_SIZE) != 0)
            continue;
        assert_ptr_equal(seat, next);
        seat = seat_after(core, seat);
    }
    assert_null(seat);
}

static void whoever_comes_and_goes_the_others_are_found(void **unused)
{
    uint32_t luck = 5;
    (void) unused;
    open_core(PLACES);
    for (uint32_t i = 0; i < 20000; i++) {
        luck = luck * 1664525u + 1013904223u;
        const uint8_t      *id = id_of((luck >> 8) % MATCHES);
        uint32_t            number = (luck >> 20) % 4;
        struct client_seat *found = seat_find(core, id, number);
        assert_ptr_equal(found, walk(id, number));
        if (found != NULL) {
            seat_release(core, found);
        } else if ((found = seat_take(core, id)) != NULL) {
            found->seat = number;
        }
        if (i % 16 == 0)
            all_of_a_match_come_in_order(id);
    }
    assert_in_range(core->seats_used, 1, PLACES);
}

/* As it happens when a frame ends a match for one of its seats. */
static void who_is_released_on_the_way_does_not_stop_the_walk(void **unused)
{
    uint32_t seen = 0;
    (void) unused;
    open_core(PLACES);
    for (uint32_t i = 0; i < 5; i++)
        assert_non_null(seat_take(core, id_of(7)));
    for (struct client_seat *seat = seat_first(core, id_of(7)); seat != NULL;
         seat = seat_after(core, seat)) {
        seat_release(core, seat);
        seen++;
    }
    assert_int_equal(seen, 5);
    assert_null(seat_first(core, id_of(7)));
    assert_ptr_equal(seat_take(core, id_of(8)), &core->seats[0]);
}

int main(void)
{
#define SEATS_TEST(name) cmocka_unit_test_teardown(name, end)
    const struct CMUnitTest tests[] = {
        SEATS_TEST(one_of_sixteen_thousand_is_found_as_one_of_two_thousand),
        SEATS_TEST(whoever_comes_and_goes_the_others_are_found),
        SEATS_TEST(who_is_released_on_the_way_does_not_stop_the_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

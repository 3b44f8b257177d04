/* house_test.c: what the house says is a stream.HouseEvent to protobuf-c, too, and no bytes lead its reader astray. */
#include "wire/house.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/wire/random_message.h"
#include "contract/stream.pb-c.h"

#define KIND(name) ARBITER__STREAM__HOUSE_EVENT__KIND_##name

static const uint8_t ours[HOUSE_SECRET_SIZE] = { 1, 2, 3 }, dice[HOUSE_SECRET_SIZE] = { 0, 255 };
static Arbiter__Stream__HouseEvent *event;
static struct house_news            news;

static void hear(const uint8_t *bytes, size_t size)
{
    event = arbiter__stream__house_event__unpack(NULL, size, bytes);
    assert_non_null(event);
    assert_true(house_read(bytes, size, &news));
    assert_int_equal(news.kind, event->kind_case);
}

static int forget(void **unused)
{
    (void) unused;
    arbiter__stream__house_event__free_unpacked(event, NULL);
    event = NULL;
    return 0;
}

static void dice_are_committed_for_some_seats(void **unused)
{
    (void) unused;
    struct house_said said;
    house_dice_committed(&said, ours, 1u << 0 | 1u << 15);
    hear(said.bytes, said.size);
    assert_int_equal(event->kind_case, KIND(DICE_COMMITTED));
    assert_memory_equal(event->dice_committed->commitment.data, ours, sizeof ours);
    assert_int_equal(event->dice_committed->n_seats, 2);
    assert_int_equal(event->dice_committed->seats[1], 15);
    assert_int_equal(news.seats, 1u << 0 | 1u << 15);
    assert_int_equal(news.size, sizeof ours);
    assert_memory_equal(news.bytes, ours, sizeof ours);
}

static void a_seat_contributes_or_is_silent(void **unused)
{
    (void) unused;
    struct house_said said;
    house_contribution(&said, HOUSE_BYTES_REVEALED, 3, dice, 16);
    hear(said.bytes, said.size);
    assert_int_equal(event->bytes_revealed->seat, 3);
    assert_int_equal(news.seat, 3);
    assert_int_equal(news.size, 16);
    assert_memory_equal(news.bytes, event->bytes_revealed->revealed.data, 16);
    (void) forget(NULL);
    house_contribution(&said, HOUSE_SEAT_SILENT, 4, NULL, 0);
    hear(said.bytes, said.size);
    assert_int_equal(event->seat_silent->seat, 4);
    assert_int_equal(news.seat, 4);
    assert_null(news.bytes);
}

static void hands_and_clocks_change(void **unused)
{
    (void) unused;
    struct house_said said;
    house_seat_changed(&said, 2, 300, true);
    hear(said.bytes, said.size);
    assert_int_equal(event->seat_changed->generation, 300);
    assert_true(event->seat_changed->bot);
    assert_int_equal(news.seat, 2);
    assert_int_equal(news.generation, 300);
    (void) forget(NULL);
    house_wait_restarted(&said, UINT64_MAX, 5000);
    hear(said.bytes, said.size);
    assert_true(event->wait_restarted->wait == UINT64_MAX);
    assert_int_equal(event->wait_restarted->full_ms, 5000);
}

/* 240 bytes of it, and no half of a character. */
static void a_long_reason_is_cut(void **unused)
{
    (void) unused;
    struct house_said said;
    char              reason[400];
    memset(reason, 'a', sizeof reason);
    memcpy(reason + 239, "\xc3\xa4", 2);
    reason[sizeof reason - 1] = '\0';
    house_match_aborted(&said, reason);
    hear(said.bytes, said.size);
    assert_int_equal(strlen(event->match_aborted->reason), 239);
}

static void secrets_are_shown_with_dice_and_without(void **unused)
{
    (void) unused;
    uint8_t bytes[128];
    hear(bytes, house_secrets(bytes, ours, dice));
    assert_memory_equal(event->secrets_shown->dice_secret.data, dice, sizeof dice);
    assert_memory_equal(news.bytes, ours, sizeof ours);
    assert_int_equal(news.dice_size, sizeof dice);
    assert_memory_equal(news.dice, dice, sizeof dice);
    (void) forget(NULL);
    hear(bytes, house_secrets(bytes, ours, NULL));
    assert_false(event->secrets_shown->has_dice_secret);
    assert_null(news.dice);
}

/* A seat that cannot be is nobody's, and an event of a later build is some other. */
static void what_is_not_known_is_not_guessed(void **unused)
{
    (void) unused;
    struct house_said said;
    const uint8_t     later[] = { 9 << 3 | 2, 2, 0xff, 0xff };
    house_contribution(&said, HOUSE_SEAT_SILENT, 40, NULL, 0);
    assert_true(house_read(said.bytes, said.size, &news));
    assert_int_equal(news.seat, SEATS_MAX);
    house_dice_committed(&said, ours, 0);
    said.bytes[1] = (uint8_t) (said.bytes[1] + 2);
    said.bytes[said.size++] = 2 << 3;
    said.bytes[said.size++] = 17;
    assert_true(house_read(said.bytes, said.size, &news));
    assert_int_equal(news.seats, 0);
    assert_true(house_read(later, sizeof later, &news));
    assert_int_equal(news.kind, HOUSE_OTHER);
}

static void no_bytes_lead_astray(void **unused)
{
    (void) unused;
    struct house_said said;
    struct luck       luck = { 1 };
    house_seat_changed(&said, 2, 300, true);
    for (size_t size = 0; size < said.size; size++)
        assert_false(house_read(said.bytes, size, &news));
    assert_false(house_read((const uint8_t *) "\x08\x01\x08", 3, &news));
    for (uint32_t i = 0; i < 20000; i++) {
        uint8_t *bytes = malloc(12);
        for (uint32_t at = 0; at < 12; at++)
            bytes[at] = (uint8_t) luck_below(&luck, 256);
        bytes[0] = (uint8_t) ((1 + luck_below(&luck, 8)) << 3 | 2);
        bytes[1] = (uint8_t) luck_below(&luck, 14);
        if (house_read(bytes, 12, &news)) {
            assert_true(news.seat <= SEATS_MAX);
            assert_true(news.bytes == NULL || (news.bytes >= bytes && news.size <= 12));
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(dice_are_committed_for_some_seats, forget),
        cmocka_unit_test_teardown(a_seat_contributes_or_is_silent, forget),
        cmocka_unit_test_teardown(hands_and_clocks_change, forget),
        cmocka_unit_test_teardown(a_long_reason_is_cut, forget),
        cmocka_unit_test_teardown(secrets_are_shown_with_dice_and_without, forget),
        cmocka_unit_test(what_is_not_known_is_not_guessed),
        cmocka_unit_test(no_bytes_lead_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* act_test.c: every reader of an act sees what the reader may, whole and in order; boxes tell
 * nobody else anything. Header and chain are the bytes that their descriptions say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#include "envelope.pb-c.h"
#include "every.pb-c.h"
#include "stream.pb-c.h"
#include "wire/act.h"
#include "wire/chain.h"
#include "wire/header.h"
#include "wire/kinds.h"
#include "wire/names.h"

#define TEXT_SIZE 200

static struct plan           *plan;
static word                   words[512];
static struct sink            sink;
static uint8_t                bytes[8192], text[TEXT_SIZE];
static struct act_body        body;
static struct box_keys        keys[3];
static const uint8_t          secret[32] = { 7 };
static const struct box_place place = { { 1, 2, 3 }, 9, 41 };

static int set_up(void **unused)
{
    (void) unused;
    assert_true(sodium_init() >= 0);
    plan = plan_new(&arbiter__every__kinds__descriptor);
    for (uint32_t seat = 0; seat < 3; seat++)
        box_keys_of_secret(&keys[seat], &crypto_sodium, secret, seat, 1);
    return 0;
}

static int tear_down(void **unused)
{
    (void) unused;
    plan_destroy(&plan);
    return 0;
}

/* Public 1; seat 1's 2 and its public twin 3; all seats' 4, repeated as 5; public 6. */
static void write_act(void)
{
    sink = (struct sink){ .words = words, .capacity = 512 };
    EMIT(&sink, TO_ALL, 1, 1, ABSENT);
    EMIT(&sink, TO_SEAT(1), 1, 2, ABSENT);
    EMIT(&sink, TO_ALL_BUT(1), 1, 3, ABSENT);
    EMIT(&sink, TO_SEATS_NOW, 1, 4, ABSENT);
    EMIT(&sink, TO_SPECTATORS_LATER, 1, 5, ABSENT);
    EMIT(&sink, TO_ALL, 1, 6, ABSENT);
    body = (struct act_body){ bytes, sizeof bytes, 0 };
    assert_true(act_put_public(&body, plan, &sink));
    assert_true(
        act_put_boxes(&body, &crypto_sodium, plan, &sink, keys, 3, &place, text, TEXT_SIZE));
}

static void sees(uint32_t seat, const char *expected)
{
    struct act_reader reader;
    struct act_event  event;
    const uint8_t    *box;
    size_t            size, seen = 0;
    bool              has_text = seat != SPECTATOR;
    if (has_text) {
        assert_true(act_find_box(bytes, body.size, seat, &box, &size));
        assert_int_equal(size, TEXT_SIZE + BOX_OVERHEAD);
        assert_true(box_open(text, &crypto_sodium, &keys[seat], &place, box, size));
    }
    assert_true(act_read(&reader, bytes, body.size, seat, has_text ? text : NULL, TEXT_SIZE));
    while (act_next(&reader, &event)) {
        assert_int_equal(event.size, 4); /* A kind, its length, a tag, the number. */
        assert_int_equal(event.bytes[3], expected[seen] - '0');
        seen++;
    }
    assert_int_equal(seen, strlen(expected));
}

static void each_reader_sees_what_he_may_in_order(void **unused)
{
    (void) unused;
    write_act();
    sees(0, "1346");
    sees(1, "1246");
    sees(2, "1346");
    sees(SPECTATOR, "1356");
}

/* The body is what stream.proto says, read by protobuf-c. */
static void the_body_is_an_ActBody(void **unused)
{
    (void) unused;
    write_act();
    Arbiter__Stream__ActBody *read = arbiter__stream__act_body__unpack(NULL, body.size, bytes);
    assert_non_null(read);
    assert_int_equal(read->n_events, 4);
    assert_int_equal(read->n_boxes, 3);
    assert_true(read->events[1]->has_hidden_from);
    assert_int_equal(read->events[1]->hidden_from, 1);
    assert_true(read->events[2]->repeat);
    assert_int_equal(read->events[0]->event.len, 4);
    arbiter__stream__act_body__free_unpacked(read, NULL);
}

static void a_box_opens_for_its_seat_and_place_alone(void **unused)
{
    (void) unused;
    const uint8_t   *box;
    size_t           size;
    struct box_place other = place;
    struct box_keys  later;
    write_act();
    assert_true(act_find_box(bytes, body.size, 1, &box, &size));
    assert_false(box_open(text, &crypto_sodium, &keys[0], &place, box, size));
    box_keys_of_secret(&later, &crypto_sodium, secret, 1, 2);
    assert_false(box_open(text, &crypto_sodium, &later, &place, box, size));
    other.number++;
    assert_false(box_open(text, &crypto_sodium, &keys[1], &other, box, size));
    other = place;
    other.epoch++;
    assert_false(box_open(text, &crypto_sodium, &keys[1], &other, box, size));
    bytes[box - bytes + (ptrdiff_t) size - 1] ^= 1;
    assert_false(box_open(text, &crypto_sodium, &keys[1], &place, box, size));
    assert_false(box_open(text, &crypto_sodium, &keys[1], &place, box, BOX_OVERHEAD - 1));
}

static void the_same_act_is_the_same_bytes(void **unused)
{
    (void) unused;
    static uint8_t before[sizeof bytes];
    write_act();
    memcpy(before, bytes, body.size);
    memset(bytes, 0xee, sizeof bytes);
    write_act();
    assert_memory_equal(before, bytes, body.size);
}

static void what_does_not_fit_is_refused(void **unused)
{
    (void) unused;
    write_act();
    assert_false(act_write_text(text, 10, plan, &sink, 1));
    struct act_body small = { bytes, 11, 0 };
    assert_false(act_put_public(&small, plan, &sink));
}

/* Cut or turned, a body or a text is refused, or read without leaving its bytes. */
static void damaged_acts_do_no_harm(void **unused)
{
    (void) unused;
    struct act_reader reader;
    struct act_event  event;
    write_act();
    assert_true(act_write_text(text, TEXT_SIZE, plan, &sink, 1));
    for (size_t bit = 0; bit < 8 * (body.size + TEXT_SIZE); bit++) {
        uint8_t *at = bit / 8 < body.size ? bytes + bit / 8 : text + bit / 8 - body.size;
        *at ^= (uint8_t) (1u << bit % 8);
        if (act_read(&reader, bytes, body.size, 1, text, TEXT_SIZE))
            while (act_next(&reader, &event))
                assert_true(event.size <= body.size);
        *at ^= (uint8_t) (1u << bit % 8);
    }
    for (size_t size = 0; size < body.size; size++) {
        uint8_t *cut = malloc(size + 1);
        assert_non_null(cut);
        memcpy(cut, bytes, size);
        (void) act_read(&reader, cut, size, 1, NULL, 0);
        free(cut);
    }
    text[TEXT_SIZE - 1] = 1;
    assert_false(act_read(&reader, bytes, body.size, 1, text, TEXT_SIZE));
}

static void a_header_is_48_bytes_in_network_order(void **unused)
{
    (void) unused;
    const uint8_t match[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    struct header header, back;
    uint8_t       frame[HEADER_SIZE], topic[TOPIC_SIZE];
    header_init(&header, KIND(ACT), match);
    header.epoch = 0x0102030405060708;
    header.number = 9;
    header.seat = 2;
    header.session = 3;
    header.request = 4;
    header_encode(frame, &header);
    header_topic(topic, match);
    assert_memory_equal(frame, topic, TOPIC_SIZE);
    assert_memory_equal(frame + 17, "\x01\x00\x40\x01\x02\x03\x04\x05\x06\x07\x08", 11);
    assert_memory_equal(frame + 28, "\0\0\0\0\0\0\0\x09\0\0\0\x02\0\0\0\x03\0\0\0\x04", 20);
    assert_int_equal(header_decode(&back, frame, sizeof frame), HEADER_GOOD);
    assert_memory_equal(&back.match_id, match, 16);
    assert_int_equal(back.epoch, header.epoch);
    assert_int_equal(header_decode(&back, frame, 47), HEADER_SHORT);
    frame[0] ^= 1;
    assert_int_equal(header_decode(&back, frame, 48), HEADER_OTHER_SLOT);
    frame[19] = 200;
    assert_int_equal(header_decode(&back, frame, 48), HEADER_NO_KIND);
    for (int version = 0; version < 256; version++) {
        bool is_read = version == 1 || version == 2;
        frame[17] = (uint8_t) version;
        assert_int_equal(header_decode(&back, frame, 48) == HEADER_OTHER_VERSION, !is_read);
        assert_int_equal(header_spoken((uint32_t) version), version < 1   ? 1
                                                            : version > 2 ? 2
                                                                          : version);
    }
}

static void every_kind_has_a_body(void **unused)
{
    (void) unused;
    const ProtobufCEnumDescriptor *kinds = &arbiter__wire__kind__descriptor;
    for (unsigned i = 0; i < kinds->n_values; i++)
        if (kinds->values[i].value != 0)
            assert_non_null(kinds_find((uint32_t) kinds->values[i].value));
    assert_null(kinds_find(0));
    assert_null(kinds_find(65535));
}

/* The bytes of chain.h's description, written out by hand. */
static void the_chain_is_the_hash_it_says(void **unused)
{
    (void) unused;
    uint8_t chain[32] = { 5 }, expected[32], hash[32] = { 6 };
    uint8_t row[32 + 8 + 4 + 8 + 32 + 8 + 3] = { 5 };
    row[39] = 77;
    row[43] = 2;
    row[51] = 32;
    row[52] = 6;
    row[91] = 3;
    memcpy(row + 92, "abc", 3);
    crypto_hash_sha256(expected, row, sizeof row);
    chain_next(chain, &crypto_sodium, 77, 2, hash, (const uint8_t *) "abc", 3);
    assert_memory_equal(chain, expected, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reader_sees_what_he_may_in_order),
        cmocka_unit_test(the_body_is_an_ActBody),
        cmocka_unit_test(a_box_opens_for_its_seat_and_place_alone),
        cmocka_unit_test(the_same_act_is_the_same_bytes),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(damaged_acts_do_no_harm),
        cmocka_unit_test(a_header_is_48_bytes_in_network_order),
        cmocka_unit_test(every_kind_has_a_body),
        cmocka_unit_test(the_chain_is_the_hash_it_says),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* plan_test.c: words become the bytes protobuf-c writes, and nothing but such bytes becomes words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/wire/random_message.h"
#include "contract_list.h"
#include "every.pb-c.h"
#include "wire/plan.h"

#define ROOM (1u << 20)
#define WORDS (1u << 17)

static uint8_t memory[ROOM] __attribute__((aligned(16)));
static uint8_t packed[ROOM], written[ROOM];
static word    words[WORDS], again[WORDS];

static const ProtobufCMessageDescriptor *const every[] = {
#define MESSAGE(descriptor) &descriptor,
    CONTRACT_MESSAGES & arbiter__every__every__descriptor, &arbiter__every__kinds__descriptor
};

/* One random message: words by the slow way, bytes by protobuf-c, and both by the plan. */
static void compare(const struct plan *plan, const ProtobufCMessageDescriptor *descriptor,
                    uint64_t seed)
{
    struct luck  luck = { seed };
    struct arena arena;
    arena_init(&arena, memory, sizeof memory);
    ProtobufCMessage *message = random_message(descriptor, &luck, &arena);
    uint32_t          count = words_of_message(message, words, WORDS);
    size_t            size = protobuf_c_message_pack(message, packed);
    uint32_t          count_again = 0;

    assert_int_equal(plan_encode(plan, words, count, written, size), size);
    assert_memory_equal(written, packed, size);
    if (size > 0)
        assert_int_equal(plan_encode(plan, words, count, written, size - 1), 0);
    assert_true(plan_decode(plan, packed, size, &arena, again, count, &count_again));
    assert_int_equal(count_again, count);
    assert_memory_equal(again, words, count * sizeof(word));
    if (count > 0)
        assert_false(plan_decode(plan, packed, size, &arena, again, count - 1, &count_again));
}

/* What asks and answers at the lobby and for the page: more choices came behind other fields. */
static bool is_torn(const char *name)
{
    static const char *const torn[] = { "arbiter.lobby.Ask", "arbiter.lobby.Answer",
                                        "arbiter.browser.Up", "arbiter.browser.Down" };
    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++)
        if (strcmp(name, torn[i]) == 0)
            return true;
    return false;
}

static void every_message_is_what_protobuf_c_writes(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        if (plan_fits(every[i]) == is_torn(every[i]->name))
            fail_msg("%s is torn: %d", every[i]->name, !is_torn(every[i]->name));
        if (is_torn(every[i]->name))
            continue;
        struct plan *plan = plan_new(every[i]);
        uint64_t     rounds = every[i] == &arbiter__every__every__descriptor ? 3000 : 30;
        for (uint64_t seed = 0; seed < rounds; seed++)
            compare(plan, every[i], seed);
        plan_destroy(&plan);
        assert_null(plan);
    }
}

/* Bytes with one bit turned are refused, or are words that encode to what means the same. */
static void damaged_bytes_are_refused_or_understood(void **unused)
{
    (void) unused;
    struct plan *plan = plan_new(&arbiter__every__every__descriptor);
    uint32_t     refused = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct luck  luck = { seed };
        struct arena arena;
        uint32_t     count = 0, count_again = 0;
        arena_init(&arena, memory, sizeof memory);
        size_t size = protobuf_c_message_pack(
            random_message(&arbiter__every__every__descriptor, &luck, &arena), packed);
        size_t cut = size - (luck_below(&luck, 4) == 0 ? luck_below(&luck, 9) % (size + 1) : 0);
        if (size > 0)
            packed[luck_draw(&luck) % size] ^= (uint8_t) (1u << luck_below(&luck, 8));
        if (!plan_decode(plan, packed, cut, &arena, words, WORDS, &count)) {
            refused++;
            continue;
        }
        size = plan_encode(plan, words, count, written, sizeof written);
        assert_true(plan_decode(plan, written, size, &arena, again, WORDS, &count_again));
        assert_int_equal(count, count_again);
        assert_memory_equal(words, again, count * sizeof(word));
    }
    assert_in_range(refused, 5000, 19000);
    plan_destroy(&plan);
}

struct wrong {
    const char *what;
    size_t      size;
    const char *bytes;
};

#define WRONG(what, bytes)                                                                         \
    {                                                                                              \
        what, sizeof(bytes) - 1, bytes                                                             \
    }

static const struct wrong wrongs[] = {
    WRONG("a field nobody declared", "\xc0\x01\x00"),
    WRONG("the wire type of another type", "\x0d\x00\x00\x00\x00"),
    WRONG("field number 0", "\x00\x00"),
    WRONG("a group", "\x0b\x0c"),
    WRONG("a second value of a singular field", "\x08\x01\x08\x02"),
    WRONG("two fields of one oneof", "\xa0\x01\x01\xb8\x01\x01"),
    WRONG("a value of no enum", "\x60\x03"),
    WRONG("a value in an enum's gap", "\x68\x05"),
    WRONG("a bool of 2", "\x58\x02"),
    WRONG("more than an int32", "\x08\x80\x80\x80\x80\x08"),
    WRONG("more than a uint32", "\x18\x80\x80\x80\x80\x10"),
    WRONG("a varint of eleven bytes", "\x10\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
    WRONG("more than 64 bits", "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
    WRONG("a varint that does not end", "\x08\x80"),
    WRONG("a tag that does not end", "\x80"),
    WRONG("a tag of six bytes", "\x88\x80\x80\x80\x80\x00\x01"),
    WRONG("a length of six bytes", "\x72\x81\x80\x80\x80\x80\x00"
                                   "a"),
    WRONG("four bytes of eight", "\x41\x01\x02\x03\x04"),
    WRONG("a string longer than the message", "\x72\x05"
                                              "abc"),
    WRONG("a length near 2^64", "\x72\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                                "abc"),
    WRONG("a NUL in a string", "\x72\x03"
                               "a\0b"),
    WRONG("a lone tail byte", "\x72\x01\x80"),
    WRONG("an overlong slash", "\x72\x02\xc0\xaf"),
    WRONG("an overlong three bytes", "\x72\x03\xe0\x80\xaf"),
    WRONG("a surrogate", "\x72\x03\xed\xa0\x80"),
    WRONG("above U+10FFFF", "\x72\x04\xf4\x90\x80\x80"),
    WRONG("a cut sequence", "\x72\x02\xe2\x82"),
    WRONG("the word that means absent", "\x10\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
    WRONG("the word that means mistyped", "\x10\x81\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
    WRONG("a packed list of three bytes for four", "\xca\x02\x03\x01\x02\x03"),
    WRONG("a packed list that breaks off", "\xc2\x02\x01\x80"),
    WRONG("an unpacked value of a packed field", "\xc0\x02\x01"),
    WRONG("inside a message", "\x82\x01\x02\x08\x01"),
    WRONG("inside a list's message", "\x8a\x02\x04\x12\x02\x08"),
};

static void what_is_wrong_is_refused(void **unused)
{
    (void) unused;
    struct plan *plan = plan_new(&arbiter__every__every__descriptor);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        uint32_t count = 0;
        /* A copy of exact size, so that a sanitizer sees one byte read too many. */
        uint8_t *bytes = malloc(wrongs[i].size);
        assert_non_null(bytes);
        memcpy(bytes, wrongs[i].bytes, wrongs[i].size);
        if (plan_decode(plan, bytes, wrongs[i].size, NULL, words, WORDS, &count))
            fail_msg("accepted: %s", wrongs[i].what);
        free(bytes);
    }
    plan_destroy(&plan);
}

/* Protobuf lets fields come in any order, and lists with others in between. */
static void fields_may_come_in_any_order(void **unused)
{
    (void) unused;
    static const uint8_t bytes[] = { 0x18, 7,    0xf0, 1, 5, 0x08, 9, 0xf0, 1,
                                     6,    0xc2, 2,    1, 3, 0xc2, 2, 1,    4 };
    struct plan         *plan = plan_new(&arbiter__every__every__descriptor);
    uint32_t             count = 0;
    assert_true(plan_decode(plan, bytes, sizeof bytes, NULL, words, WORDS, &count));
    assert_int_equal(words[0], 9);
    assert_int_equal(words[1], ABSENT);
    assert_int_equal(words[2], 7);
    /* i32 to raw are 15 words, the message and the oneof left out one each; then the lists. */
    assert_int_equal(words[17], 2);
    assert_int_equal(words[18], 5);
    assert_int_equal(words[19], 6);
    size_t               size = plan_encode(plan, words, count, written, sizeof written);
    static const uint8_t ordered[] = { 0x08, 9, 0x18, 7, 0xf0, 1, 5, 0xf0, 1, 6, 0xc2, 2, 2, 3, 4 };
    assert_int_equal(size, sizeof ordered);
    assert_memory_equal(written, ordered, size);
    plan_destroy(&plan);
}

static void a_kind_is_its_number_and_its_fields(void **unused)
{
    (void) unused;
    struct plan *plan = plan_new(&arbiter__every__kinds__descriptor);
    const word   moved[] = { 3, -4 };
    const word   absent[] = { 3, ABSENT };
    assert_int_equal(plan_encode_kind(plan, 1, moved, 2, written, 6), 6);
    assert_memory_equal(written, "\x0a\x04\x08\x03\x10\x07", 6);
    assert_int_equal(plan_encode_kind(plan, 1, moved, 2, written, 5), 0);
    assert_int_equal(plan_encode_kind(plan, 1, absent, 2, written, 99), 4);
    assert_memory_equal(written, "\x0a\x02\x08\x03", 4);
    assert_int_equal(plan_encode_kind(plan, 3, NULL, 0, written, 2), 2);
    assert_memory_equal(written, "\x1a\x00", 2);
    plan_destroy(&plan);
}

static void a_command_comes_back_as_it_was(void **unused)
{
    (void) unused;
    struct plan   *plan = plan_new(&arbiter__every__kinds__descriptor);
    struct arena   arena;
    struct command command = { .kind = 4,
                               .text_size = 3,
                               .text = (const uint8_t *) "a\0b",
                               .arg = { -5, INT64_MAX, 1, 1000, ABSENT, UINT32_MAX } };
    struct command back;
    arena_init(&arena, memory, sizeof memory);
    size_t size = plan_encode_command(plan, &command, written, sizeof written);
    assert_true(size > 0);
    assert_int_equal(plan_encode_command(plan, &command, packed, size), size);
    assert_int_equal(plan_encode_command(plan, &command, packed, size - 1), 0);
    assert_true(plan_decode_command(plan, written, size, &arena, &back));
    assert_int_equal(back.kind, 4);
    assert_memory_equal(back.arg, command.arg, sizeof back.arg);
    assert_int_equal(back.text_size, 3);
    assert_memory_equal(back.text, "a\0b", 3);
    plan_destroy(&plan);
}

static void a_command_is_refused_unless_it_is_exactly_one(void **unused)
{
    (void) unused;
    struct plan   *plan = plan_new(&arbiter__every__kinds__descriptor);
    struct arena   arena;
    struct command command;
    arena_init(&arena, memory, sizeof memory);
    assert_true(plan_decode_command(plan, NULL, 0, &arena, &command));
    assert_int_equal(command.kind, 0);
    assert_true(
        plan_decode_command(plan, (const uint8_t *) "\x12\x02\x08\x05", 4, &arena, &command));
    assert_int_equal(command.kind, 2);
    assert_int_equal(command.arg[0], 5);
    assert_int_equal(command.arg[1], ABSENT);
    assert_null(command.text);
    static const struct wrong none[] = {
        WRONG("two kinds", "\x1a\x00\x1a\x00"),
        WRONG("no such kind", "\x2a\x00"),
        WRONG("a kind that is no message", "\x18\x01"),
        WRONG("bytes behind it", "\x1a\x00\x01"),
        WRONG("cut off", "\x12\x03\x08\x05"),
        WRONG("an argument twice", "\x12\x04\x08\x05\x08\x05"),
        WRONG("no UTF-8", "\x12\x03\x12\x01\xff"),
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (plan_decode_command(plan, (const uint8_t *) none[i].bytes, none[i].size, &arena,
                                &command))
            fail_msg("accepted: %s", none[i].what);
    plan_destroy(&plan);
}

/* A text that finds no room is no reason to stop the process. */
static void a_text_without_room_is_refused(void **unused)
{
    (void) unused;
    struct plan   *plan = plan_new(&arbiter__every__kinds__descriptor);
    struct arena   arena;
    struct command command;
    arena_init(&arena, memory, 2);
    assert_false(plan_decode_command(plan,
                                     (const uint8_t *) "\x12\x05\x12\x03"
                                                       "abc",
                                     7, &arena, &command));
    assert_true(arena.exhausted);
    plan_destroy(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_what_protobuf_c_writes),
        cmocka_unit_test(damaged_bytes_are_refused_or_understood),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(fields_may_come_in_any_order),
        cmocka_unit_test(a_kind_is_its_number_and_its_fields),
        cmocka_unit_test(a_command_comes_back_as_it_was),
        cmocka_unit_test(a_command_is_refused_unless_it_is_exactly_one),
        cmocka_unit_test(a_text_without_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

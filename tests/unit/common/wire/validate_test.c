/* validate_test.c: only what its own sender could have meant becomes a message, within 256 KiB. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "common/wire/random_message.h"
#include "every.pb-c.h"
#include "wire/validate.h"

static uint8_t memory[VALIDATE_ARENA_BYTES] __attribute__((aligned(16)));
static uint8_t bytes[VALIDATE_BODY_MAX];

static ProtobufCMessage *unpack(const uint8_t *from, size_t size)
{
    struct arena arena;
    arena_init(&arena, memory, sizeof memory);
    return validate_unpack(&arbiter__every__every__descriptor, from, size, &arena);
}

static void what_was_packed_is_unpacked(void **unused)
{
    (void) unused;
    static uint8_t source[1u << 20] __attribute__((aligned(16)));
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct luck  luck = { seed };
        struct arena arena;
        arena_init(&arena, source, sizeof source);
        ProtobufCMessage *message =
            random_message(&arbiter__every__every__descriptor, &luck, &arena);
        assert_non_null(unpack(bytes, protobuf_c_message_pack(message, bytes)));
    }
}

/* 64 KiB of empty messages in a list, each of which would take a hundred bytes. */
static void a_bomb_is_refused_within_the_arena(void **unused)
{
    (void) unused;
    for (size_t i = 0; i + 3 <= sizeof bytes; i += 3)
        memcpy(bytes + i, "\x8a\x02\x00", 3);
    struct arena arena;
    arena_init(&arena, memory, sizeof memory);
    size_t size = sizeof bytes / 3 * 3;
    assert_null(validate_unpack(&arbiter__every__every__descriptor, bytes, size, &arena));
    assert_true(arena.exhausted);
    arena_reset(&arena);
    assert_non_null(validate_unpack(&arbiter__every__every__descriptor, bytes, 300, &arena));
}

static void what_nobody_could_have_meant_is_refused(void **unused)
{
    (void) unused;
#define WRONG(text) assert_null(unpack((const uint8_t *) (text), sizeof(text) - 1))
    WRONG("\xc0\x01\x00");     /* A field nobody declared.       */
    WRONG("\x60\x03");         /* An enum's value nobody did.    */
    WRONG("\x08\x01\x08\x02"); /* A second value of one field.   */
    WRONG("\x72\x03"
          "a\0b");                     /* A NUL inside a string.         */
    WRONG("\x72\x01\xff");             /* No UTF-8.                      */
    WRONG("\x82\x01\x03\xa0\x06\x07"); /* The same inside a message. */
    WRONG("\x0d\x01\x02\x03\x04");     /* Another type's wire type.      */
    WRONG("\x72\x7f"
          "abc"); /* A length that leads outside.   */
    assert_non_null(unpack((const uint8_t *) "\x08\x01", 2));
    memset(bytes, 0, sizeof bytes);
    assert_null(unpack(bytes, sizeof bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_is_unpacked),
        cmocka_unit_test(a_bomb_is_refused_within_the_arena),
        cmocka_unit_test(what_nobody_could_have_meant_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

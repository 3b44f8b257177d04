/* arena_test.c: an arena gives what it has, refuses the rest and forgets everything at once. */
#include "wire/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static alignas(max_align_t) uint8_t memory[256];
static struct arena arena;

static int fresh(void **unused)
{
    (void) unused;
    memset(memory, 0xa5, sizeof memory);
    arena_init(&arena, memory, sizeof memory);
    return 0;
}

static void pieces_are_zeroed_aligned_and_apart(void **unused)
{
    (void) unused;
    uint8_t *one = arena_take(&arena, 3);
    uint8_t *other = arena_take(&arena, 20);

    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal((uintptr_t) other % alignof(max_align_t), 0);
    assert_true(other >= one + 3);
    for (int i = 0; i < 20; i++)
        assert_int_equal(other[i], 0);
}

static void what_does_not_fit_is_refused_and_remembered(void **unused)
{
    (void) unused;
    assert_non_null(arena_take(&arena, 200));
    assert_false(arena.exhausted);
    assert_null(arena_take(&arena, 100));
    assert_true(arena.exhausted);
    assert_non_null(arena_take(&arena, 10)); /* What is left still serves. */
    arena_reset(&arena);
    assert_false(arena.exhausted);
}

static void the_last_byte_can_be_had(void **unused)
{
    (void) unused;
    assert_non_null(arena_take(&arena, sizeof memory));
    assert_null(arena_take(&arena, 1));
}

static void an_absurd_size_does_not_wrap_around(void **unused)
{
    (void) unused;
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_null(arena_take(&arena, SIZE_MAX - 7));
    assert_int_equal(arena.used, 0);
}

static void protobuf_takes_from_it_and_gives_nothing_back(void **unused)
{
    (void) unused;
    ProtobufCAllocator *lent = &arena.allocator;
    void               *piece = lent->alloc(lent->allocator_data, 32);

    assert_ptr_equal(piece, memory);
    lent->free(lent->allocator_data, piece);
    assert_int_equal(arena.used, 32);
    assert_null(lent->alloc(lent->allocator_data, sizeof memory));
}

static void reset_gives_the_same_memory_zeroed_again(void **unused)
{
    (void) unused;
    uint8_t *piece = arena_take(&arena, 16);
    memset(piece, 0xff, 16);
    arena_reset(&arena);
    assert_ptr_equal(arena_take(&arena, 16), piece);
    assert_int_equal(piece[15], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(pieces_are_zeroed_aligned_and_apart, fresh),
        cmocka_unit_test_setup(what_does_not_fit_is_refused_and_remembered, fresh),
        cmocka_unit_test_setup(the_last_byte_can_be_had, fresh),
        cmocka_unit_test_setup(an_absurd_size_does_not_wrap_around, fresh),
        cmocka_unit_test_setup(protobuf_takes_from_it_and_gives_nothing_back, fresh),
        cmocka_unit_test_setup(reset_gives_the_same_memory_zeroed_again, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

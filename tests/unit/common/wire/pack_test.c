/* pack_test.c: cores pack messages as protobuf-c does, to the byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/wire/random_message.h"
#include "contract/engine.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/match.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "wire/pack.h"

#define ROOM ((size_t) 4 << 20)

static void random_messages_become_the_same_bytes(void **unused)
{
    (void) unused;
    const ProtobufCMessageDescriptor *const kinds[] = {
        &arbiter__match__record__descriptor,        &arbiter__stream__house_event__descriptor,
        &arbiter__engine__legal_answer__descriptor, &arbiter__engine__attached__descriptor,
        &arbiter__lobby__ask__descriptor,           &arbiter__lobby__answer__descriptor,
        &arbiter__watchdog__life__descriptor,
    };
    uint8_t *source = malloc(ROOM), *expected = malloc(ROOM), *packed = malloc(ROOM);
    for (uint64_t seed = 0; seed < 700; seed++) {
        struct luck  luck = { seed };
        struct arena arena;
        arena_init(&arena, source, ROOM);
        ProtobufCMessage *message =
            random_message(kinds[seed % (sizeof kinds / sizeof *kinds)], &luck, &arena);
        size_t size = protobuf_c_message_pack(message, expected);
        assert_int_equal(pack_size(message), size);
        assert_ptr_equal(pack(packed, message), packed + size);
        assert_memory_equal(packed, expected, size);
    }
    free(source);
    free(expected);
    free(packed);
}

static void numbers_at_their_ends_and_empty_values_too(void **unused)
{
    (void) unused;
    Arbiter__Match__End end = ARBITER__MATCH__END__INIT;
    int32_t             outcome[] = { INT32_MIN, -1, 0, 1, INT32_MAX };
    uint8_t             expected[256], packed[256];
    end.outcome = outcome;
    end.n_outcome = 5;
    end.has_acts = end.has_chain = end.has_reason = true;
    end.acts = UINT64_MAX;
    size_t size = arbiter__match__end__pack(&end, expected);
    assert_int_equal(pack_size(&end.base), size);
    assert_ptr_equal(pack(packed, &end.base), packed + size);
    assert_memory_equal(packed, expected, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_messages_become_the_same_bytes),
        cmocka_unit_test(numbers_at_their_ends_and_empty_values_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

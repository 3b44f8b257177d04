/* json_message_test.c: every message of every .proto goes to JSON and comes back; wrong JSON does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/wire/random_message.h"
#include "contract_list.h"
#include "every.pb-c.h"
#include "json/json.h"

static uint8_t memory[1u << 20] __attribute__((aligned(16)));
static uint8_t first[1u << 20], second[1u << 20];

static const ProtobufCMessageDescriptor *const every[] = {
#define MESSAGE(descriptor) &descriptor,
    CONTRACT_MESSAGES & arbiter__every__every__descriptor
};

static void round_trip(const ProtobufCMessageDescriptor *descriptor, uint64_t seed)
{
    struct luck  luck = { seed };
    struct arena arena;
    struct text  fault;
    arena_init(&arena, memory, sizeof memory);
    ProtobufCMessage *message = random_message(descriptor, &luck, &arena);
    json_t           *json = json_of_message(message);
    char             *text = json_dumps(json, 0);
    assert_non_null(text);
    json_t           *again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ProtobufCMessage *back = json_to_message(again, descriptor, &arena, &fault);
    if (back == NULL)
        fail_msg("%s: %s in %s", descriptor->name, fault.bytes, text);
    size_t size = protobuf_c_message_pack(message, first);
    assert_int_equal(protobuf_c_message_pack(back, second), size);
    assert_memory_equal(first, second, size);
    json_decref(json);
    json_decref(again);
    free(text);
}

static void every_message_goes_to_json_and_back(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        for (uint64_t seed = 0; seed < 40; seed++)
            round_trip(every[i], seed);
}

static const char *const wrongs[][2] = {
    { "[]", ": an object is wanted" },
    { "{\"nobody\":1}", "/nobody: there is no such key" },
    { "{\"a~/b\":1}", "/a~0~1b: there is no such key" },
    { "{\"i64\":5}", "/i64: a 64-bit number is" },
    { "{\"i64\":\"05\"}", "/i64: a 64-bit number is" },
    { "{\"i64\":\"-0\"}", "/i64: a 64-bit number is" },
    { "{\"i64\":\"9223372036854775808\"}", "/i64: this number does not fit" },
    { "{\"u64\":\"-1\"}", "/u64: this number does not fit" },
    { "{\"i32\":2147483648}", "/i32: a whole number from -" },
    { "{\"i32\":1.0}", "/i32: a whole number" },
    { "{\"u32\":-1}", "/u32: a whole number from 0" },
    { "{\"flag\":1}", "/flag: true or false" },
    { "{\"text\":null}", "/text: a string" },
    { "{\"raw\":\"a\"}", "/raw: this is no base64" },
    { "{\"raw\":\"YWI=x\"}", "/raw: this is no base64" },
    { "{\"dense\":1}", "/dense: one of these names is wanted: DENSE_UNSPECIFIED, DENSE_ONE" },
    { "{\"number\":1,\"word\":\"x\"}", "/word: another key" },
    { "{\"many_i32\":5}", "/many_i32: a list is wanted" },
    { "{\"many_branches\":[{},{\"leaf\":{\"depth\":\"x\"}}]}",
      "/many_branches/1/leaf/depth: a whole" },
};

static void what_is_wrong_is_named_with_its_place(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct arena arena;
        struct text  fault;
        arena_init(&arena, memory, sizeof memory);
        json_t *json = json_loads(wrongs[i][0], 0, NULL);
        assert_non_null(json);
        assert_null(json_to_message(json, &arbiter__every__every__descriptor, &arena, &fault));
        if (strncmp(fault.bytes, wrongs[i][1], strlen(wrongs[i][1])) != 0)
            fail_msg("%s gave %s", wrongs[i][0], fault.bytes);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_goes_to_json_and_back),
        cmocka_unit_test(what_is_wrong_is_named_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* json_fuzz.c: any text as the JSON of any message: refused with a sentence, or the same again.
 *
 * The first line is the message's full name; the rest is the text. What `json_to_message` takes must be
 * a message that a peer could have sent, and must go back to JSON that means the same. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "contract_list.h"
#include "fuzz.h"
#include "wire/validate.h"
#include "json/json.h"

#define ARENA_BYTES ((size_t) 4 << 20)

static uint8_t memory[ARENA_BYTES] __attribute__((aligned(16)));
static uint8_t more_memory[ARENA_BYTES] __attribute__((aligned(16)));

static const ProtobufCMessageDescriptor *const every[] = {
#define MESSAGE(descriptor) &descriptor,
    CONTRACT_MESSAGES
};

/* The message named in the first line; a name that there is not stands for some message, too. */
static const ProtobufCMessageDescriptor *take_message(struct input *input)
{
    const char *name = (const char *) input->at;
    size_t      size = 0;
    uint32_t    sum = 0;

    for (; input->at < input->end && *input->at != '\n'; size++)
        sum = sum * 31 + *input->at++;
    if (input->at < input->end)
        input->at++;
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        if (strlen(every[i]->name) == size && memcmp(every[i]->name, name, size) == 0)
            return every[i];
    return every[sum % (sizeof every / sizeof *every)];
}

/* In its shortest form a message is what a peer may send, unless it is too large. */
static void could_be_sent(const ProtobufCMessage *message)
{
    struct arena arena;
    size_t       size = protobuf_c_message_get_packed_size(message);
    uint8_t     *bytes = malloc(size + 1);
    assert(bytes != NULL && protobuf_c_message_pack(message, bytes) == size);
    arena_init(&arena, more_memory, sizeof more_memory);
    const ProtobufCMessage *sent = validate_unpack(message->descriptor, bytes, size, &arena);
    assert(sent != NULL || size > VALIDATE_BODY_MAX || arena.exhausted);
    free(bytes);
}

static void back_to_json(const ProtobufCMessage *message)
{
    struct arena arena;
    struct text  fault = { 0 };
    json_t      *json = json_of_message(message);
    arena_init(&arena, more_memory, sizeof more_memory);
    const ProtobufCMessage *again = json_to_message(json, message->descriptor, &arena, &fault);
    assert(again != NULL);
    json_t *same = json_of_message(again);
    assert(json_equal(json, same));
    assert(protobuf_c_message_get_packed_size(message) ==
           protobuf_c_message_get_packed_size(again));
    json_decref(json);
    json_decref(same);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input                      input = { bytes, bytes + size };
    const ProtobufCMessageDescriptor *descriptor = take_message(&input);
    struct arena                      arena;
    struct text                       fault = { 0 };
    json_t *json = json_loadb((const char *) input.at, (size_t) (input.end - input.at),
                              JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (json == NULL)
        return 0;
    arena_init(&arena, memory, sizeof memory);
    const ProtobufCMessage *message = json_to_message(json, descriptor, &arena, &fault);
    assert((message == NULL) == (fault.size > 0));
    if (message != NULL) {
        assert(validate_message(message));
        could_be_sent(message);
        back_to_json(message);
    }
    json_decref(json);
    return 0;
}

/* frame_fuzz.c: any bytes as a frame: header and body, refused or the same again.
 *
 * The header is judged as it came, and must encode to the bytes it was. Then its version, kind and
 * slot are mended, so that the body behind it is reached. What `validate_unpack` lets through must
 * pack to its own size, unpack again, and go to JSON and back unchanged. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "wire/header.h"
#include "wire/kinds.h"
#include "wire/validate.h"
#include "json/json.h"

#define KINDS_MAX 256

static uint8_t memory[VALIDATE_ARENA_BYTES] __attribute__((aligned(16)));
static uint8_t more_memory[8 * VALIDATE_ARENA_BYTES] __attribute__((aligned(16)));

/* The kind, or the next one there is. */
static uint16_t some_kind(uint16_t kind)
{
    uint32_t at = kind % KINDS_MAX;
    while (kinds_find(at) == NULL)
        at = (at + 1) % KINDS_MAX;
    return (uint16_t) at;
}

static void judge_header(const uint8_t *bytes, size_t size, struct header *header)
{
    uint8_t           again[HEADER_SIZE];
    enum header_fault fault = header_decode(header, bytes, size);
    assert((fault == HEADER_SHORT) == (size < HEADER_SIZE));
    if (fault == HEADER_SHORT)
        return;
    header_encode(again, header);
    assert(memcmp(again, bytes, HEADER_SIZE) == 0);
    if (fault == HEADER_GOOD)
        assert(header->version == header_spoken(header->version) &&
               kinds_find(header->kind) != NULL);
}

static void mend_header(struct header *header)
{
    uint8_t       bytes[HEADER_SIZE];
    struct header again;

    header->version = header_spoken(header->version);
    header->kind = some_kind(header->kind);
    header->slot = header_slot(header->match_id);
    header_encode(bytes, header);
    assert(header_decode(&again, bytes, sizeof bytes) == HEADER_GOOD);
    assert(again.slot == header->slot && again.kind == header->kind);
}

static void through_json(const ProtobufCMessage *message, const uint8_t *packed, size_t size)
{
    struct arena arena;
    struct text  fault = { 0 };
    arena_init(&arena, more_memory, sizeof more_memory);
    json_t           *json = json_of_message(message);
    ProtobufCMessage *back = json_to_message(json, message->descriptor, &arena, &fault);
    assert(back != NULL && protobuf_c_message_get_packed_size(back) == size);
    uint8_t *again = malloc(size + 1);
    assert(again != NULL);
    protobuf_c_message_pack(back, again);
    assert(memcmp(again, packed, size) == 0);
    free(again);
    json_decref(json);
}

/* Fields may have come in any order; from their own order on, nothing changes any more. */
static void through_bytes(const ProtobufCMessage *message, size_t size)
{
    struct arena arena;
    uint8_t     *packed = malloc(size + 1);
    uint8_t     *again = malloc(size + 1);
    assert(packed != NULL && again != NULL);
    assert(protobuf_c_message_pack(message, packed) == size);
    through_json(message, packed, size);
    arena_init(&arena, more_memory, sizeof more_memory);
    const ProtobufCMessage *back = validate_unpack(message->descriptor, packed, size, &arena);
    assert(back != NULL && protobuf_c_message_pack(back, again) == size);
    assert(memcmp(packed, again, size) == 0);
    free(packed);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct header header;
    struct arena  arena;

    judge_header(bytes, size, &header);
    if (size < HEADER_SIZE)
        return 0;
    mend_header(&header);
    arena_init(&arena, memory, sizeof memory);
    const ProtobufCMessage *message =
        validate_unpack(kinds_find(header.kind), bytes + HEADER_SIZE, size - HEADER_SIZE, &arena);
    if (message != NULL)
        through_bytes(message, size - HEADER_SIZE);
    return 0;
}

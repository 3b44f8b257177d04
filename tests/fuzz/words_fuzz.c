/* words_fuzz.c: any bytes as a command, an event or a view of any game: refused, or the same again.
 *
 * The first byte chooses the game, the second command, event or view; then come messages, each behind
 * its length in two bytes. What a plan decodes it must encode to bytes that decode to the same
 * words. These must be the words that protobuf-c, the slow and general reader, finds there. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/random_message.h"
#include "fuzz.h"
#include "wire/plan.h"

#define WORDS_MAX 16384
#define ARENA_BYTES ((size_t) 256 << 10)
#define KNOWN_BYTES ((size_t) 16 << 20)
#define GAMES_MAX 16

enum { COMMANDS, EVENTS, VIEWS };

static struct arena arena;

/* A message and its plan. */
struct form {
    const ProtobufCMessageDescriptor *message;
    struct plan                      *plan;
};

/* Made at its first use, and kept. */
static const struct form *form_of(const struct game_wire *wire, uint32_t which)
{
    static struct form forms[GAMES_MAX][3];
    uint32_t           game = 0;

    while (registry_games()[game] != wire)
        game++;
    assert(game < GAMES_MAX);
    const ProtobufCMessageDescriptor *messages[] = { wire->command, wire->event, wire->view };
    struct form                      *form = &forms[game][which];
    if (form->plan == NULL)
        *form = (struct form){ messages[which], plan_new(messages[which]) };
    return form;
}

static void same_as_protobuf(const ProtobufCMessageDescriptor *message, const uint8_t *bytes,
                             size_t size, const word *words, uint32_t count)
{
    static uint8_t memory[KNOWN_BYTES] __attribute__((aligned(16)));
    static word    expected[WORDS_MAX];
    struct arena   room;
    arena_init(&room, memory, sizeof memory);
    const ProtobufCMessage *known =
        protobuf_c_message_unpack(message, &room.allocator, size, bytes);
    assert(known != NULL && known->n_unknown_fields == 0);
    assert(words_of_message(known, expected, WORDS_MAX) == count);
    assert(memcmp(expected, words, count * sizeof(word)) == 0);
}

static void try_words(const struct form *form, const uint8_t *bytes, size_t size)
{
    const struct plan *plan = form->plan;
    static word        words[WORDS_MAX], again[WORDS_MAX];
    static uint8_t     out[WORDS_MAX * 12];
    uint32_t           count = 0;
    uint32_t           count_again = 0;

    arena_reset(&arena);
    if (!plan_decode(plan, bytes, size, &arena, words, WORDS_MAX, &count))
        return;
    assert(count <= WORDS_MAX);
    same_as_protobuf(form->message, bytes, size, words, count);
    size_t written = plan_encode(plan, words, count, out, sizeof out);
    arena_reset(&arena);
    bool decoded = plan_decode(plan, out, written, &arena, again, WORDS_MAX, &count_again);
    assert(decoded && count == count_again);
    assert(memcmp(words, again, count * sizeof(word)) == 0);
}

static void try_command(const struct plan *plan, const uint8_t *bytes, size_t size)
{
    static uint8_t out[1 << 17];
    struct command command;
    struct command again;

    arena_reset(&arena);
    if (!plan_decode_command(plan, bytes, size, &arena, &command))
        return;
    size_t written = plan_encode_command(plan, &command, out, sizeof out);
    bool   decoded = plan_decode_command(plan, out, written, &arena, &again);
    assert(decoded && command.kind == again.kind && command.text_size == again.text_size);
    assert(command.text_size == 0 || memcmp(command.text, again.text, command.text_size) == 0);
    assert(memcmp(command.arg, again.arg, sizeof command.arg) == 0);
}

/* An exact copy, so that a sanitizer sees a read one byte too far. */
static void try_copy(const struct form *form, bool is_command, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert(copy != NULL);
    if (size > 0)
        memcpy(copy, bytes, size);
    try_words(form, copy, size);
    if (is_command)
        try_command(form->plan, copy, size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t          memory[ARENA_BYTES] __attribute__((aligned(16)));
    struct input            input = { bytes, bytes + size };
    const struct game_wire *wire = input_game(&input);
    uint8_t                 letter = input_byte(&input);
    uint32_t                which = letter == 'c' ? COMMANDS : letter == 'e' ? EVENTS : VIEWS;

    arena_init(&arena, memory, sizeof memory);
    while (input.at < input.end) {
        size_t length = (size_t) input_number(&input, 2);
        size_t left = (size_t) (input.end - input.at);
        length = length < left ? length : left;
        try_copy(form_of(wire, which), which == COMMANDS, input.at, length);
        input.at += length;
    }
    return 0;
}

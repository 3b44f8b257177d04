/* words_fuzz.c: any bytes as a command, an event or a view of any game: refused, or the same again.
 *
 * What a plan decodes it must encode to bytes that decode to the same words. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "games/registry.h"
#include "wire/plan.h"

#define WORDS_MAX 16384
#define PLANS_MAX 48

static struct plan *plans[PLANS_MAX];
static bool         is_command[PLANS_MAX];
static uint32_t     plan_count;

static void build_plans(void)
{
    for (uint32_t i = 0; registry_games()[i] != NULL && plan_count + 3 <= PLANS_MAX; i++) {
        const struct game_wire *wire = registry_games()[i];
        is_command[plan_count] = true;
        plans[plan_count++] = plan_new(wire->command);
        plans[plan_count++] = plan_new(wire->event);
        plans[plan_count++] = plan_new(wire->view);
    }
}

static void try_words(const struct plan *plan, const uint8_t *bytes, size_t size,
                      struct arena *arena)
{
    static word    words[WORDS_MAX], again[WORDS_MAX];
    static uint8_t out[WORDS_MAX * 12];
    uint32_t       count = 0;
    uint32_t       count_again = 0;

    if (!plan_decode(plan, bytes, size, arena, words, WORDS_MAX, &count))
        return;
    size_t written = plan_encode(plan, words, count, out, sizeof out);
    assert(written > 0 || size == 0 || count == 1);
    bool decoded = plan_decode(plan, out, written, arena, again, WORDS_MAX, &count_again);
    assert(decoded && count == count_again);
    assert(memcmp(words, again, count * sizeof(word)) == 0);
}

static void try_command(const struct plan *plan, const uint8_t *bytes, size_t size,
                        struct arena *arena)
{
    static uint8_t out[1 << 17];
    struct command command;
    struct command again;

    if (!plan_decode_command(plan, bytes, size, arena, &command))
        return;
    size_t written = plan_encode_command(plan, &command, out, sizeof out);
    bool   decoded = plan_decode_command(plan, out, written, arena, &again);
    assert(decoded && command.kind == again.kind && command.text_size == again.text_size);
    assert(memcmp(command.arg, again.arg, sizeof command.arg) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t memory[256 << 10];
    struct arena   arena;

    if (plan_count == 0)
        build_plans();
    if (size < 1)
        return 0;
    arena_init(&arena, memory, sizeof memory);
    uint32_t chosen = bytes[0] % plan_count;
    try_words(plans[chosen], bytes + 1, size - 1, &arena);
    arena_reset(&arena);
    if (is_command[chosen])
        try_command(plans[chosen], bytes + 1, size - 1, &arena);
    return 0;
}

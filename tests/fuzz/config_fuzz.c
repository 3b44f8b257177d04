/* config_fuzz.c: any bytes as a set-up of any game: judged without a crash, and what is accepted plays.
 *
 * The first byte chooses the game, the second what the table says beside the set-up; the rest is the
 * file. What `configure` accepts must keep its own bounds: a match is started on it, for the fewest and
 * the most seats, and its invariants are asked. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "fuzz.h"
#include "json/json.h"

#define ARENA_BYTES ((size_t) 8 << 20)
#define STATE_MAX ((uint32_t) 16 << 20)

static const char *const options_texts[] = {
    "{}",
    "{\"edition\":\"base\"}",
    "{\"edition\":\"equipment\"}",
    "{\"edition\":\"crossroads\",\"patience\":2}",
};

/* A sentence and a place for each fault. */
static void complain(struct faults *faults, const struct value *at, const char *key,
                     const char *what)
{
    struct text place;
    (void) key;
    value_place(&place, at);
    assert(faults->count > 0 && what[0] != '\0' && text_length(place.bytes) == place.size);
}

static void begin_a_match(const struct game *game, const void *setup, uint32_t seats)
{
    struct bounds bounds = { 0 };
    struct dice   dice;

    game->bounds(setup, seats, &bounds);
    assert(bounds.state_bytes > 0 && bounds.state_bytes <= STATE_MAX);
    dice_java(&dice, 1);
    void *state = calloc(1, bounds.state_bytes);
    word *words = calloc(bounds.event_words, sizeof(word));
    assert(state != NULL && words != NULL);
    struct sink out = { .words = words, .capacity = bounds.event_words };
    struct play play = { .setup = setup, .state = state, .dice = &dice, .out = &out };
    game->start(&play, seats);
    const char *broken = game->check(setup, state);
    assert(broken == NULL);
    free(words);
    free(state);
}

static void begin_matches(const struct game *game, const void *setup)
{
    uint32_t least = 0;
    uint32_t most = 0;

    game->seats(setup, &least, &most);
    assert(least >= 1 && least <= most && most <= SEATS_MAX);
    begin_a_match(game, setup, least);
    if (most > least)
        begin_a_match(game, setup, most);
}

static void compile(const struct game *game, const struct value *config,
                    const struct value *options)
{
    struct faults faults = { .report = complain };
    size_t        needed = game->configure(config, options, NULL, 0, &faults);
    assert((needed == 0) == (faults.count > 0));
    if (needed == 0)
        return;
    void *setup = calloc(1, needed);
    assert(setup != NULL);
    size_t written = game->configure(config, options, setup, needed, &faults);
    assert(written == needed && faults.count == 0);
    begin_matches(game, setup);
    free(setup);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t     memory[ARENA_BYTES] __attribute__((aligned(16)));
    struct input       input = { bytes, bytes + size };
    struct faults      faults = { .report = complain };
    struct arena       arena;
    const struct game *game = input_game(&input)->game;
    const char        *text = options_texts[input_byte(&input) % 4];

    arena_init(&arena, memory, sizeof memory);
    const struct value *options = json_value(text, strlen(text), &arena, &faults);
    assert(options != NULL);
    const struct value *config =
        json_value((const char *) input.at, (size_t) (input.end - input.at), &arena, &faults);
    assert(config != NULL || faults.count > 0);
    if (config != NULL)
        compile(game, config, options);
    return 0;
}

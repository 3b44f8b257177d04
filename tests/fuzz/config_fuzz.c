/* config_fuzz.c: any bytes as a set-up of any game: judged without a crash, and what is accepted plays.
 *
 * The first byte chooses the game, the second its options; the rest is the file. What `configure`
 * accepts must keep its own bounds: a match is started on it and its invariants are asked. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "fuzz.h"
#include "games/registry.h"
#include "wire/json.h"

#define ARENA_BYTES ((size_t) 8 << 20)
#define SETUP_MAX ((size_t) 4 << 20)
#define STATE_MAX ((uint32_t) 16 << 20)

static const char *const options_texts[] = {
    "{}",
    "{\"edition\":\"equipment\"}",
    "{\"edition\":\"crossroads\",\"patience\":2}",
};

static void count_only(struct faults *faults, const struct value *at, const char *key,
                       const char *what)
{
    (void) key;
    struct text place;
    value_place(&place, at);
    assert(faults->count > 0 && what[0] != '\0' && text_length(place.bytes) == place.size);
}

static void begin_a_match(const struct game *game, const void *setup)
{
    uint32_t      least = 0;
    uint32_t      most = 0;
    struct bounds bounds = { 0 };
    struct dice   dice;

    game->seats(setup, &least, &most);
    assert(least >= 1 && least <= most && most <= SEATS_MAX);
    game->bounds(setup, most, &bounds);
    assert(bounds.state_bytes > 0 && bounds.state_bytes <= STATE_MAX);
    dice_java(&dice, 1);
    void *state = calloc(1, bounds.state_bytes);
    word *words = calloc(bounds.event_words, sizeof(word));
    if (state == NULL || words == NULL)
        abort();
    struct sink out = { .words = words, .capacity = bounds.event_words };
    struct play play = { .setup = setup, .state = state, .dice = &dice, .out = &out };
    game->start(&play, most);
    const char *broken = game->check(setup, state);
    assert(broken == NULL);
    free(words);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t     *memory, *setup;
    static struct arena arena;
    if (memory == NULL) {
        memory = malloc(ARENA_BYTES);
        setup = malloc(SETUP_MAX);
        arena_init(&arena, memory, ARENA_BYTES);
    }
    if (memory == NULL || setup == NULL || size < 2)
        return 0;
    uint32_t games = 0;
    while (registry_games()[games] != NULL)
        games++;
    const struct game *game = registry_games()[bytes[0] % games]->game;
    const char        *text = options_texts[bytes[1] % 3];

    arena_reset(&arena);
    struct faults       faults = { .report = count_only };
    const struct value *options = json_value(text, strlen(text), &arena, &faults);
    const struct value *config = json_value((const char *) bytes + 2, size - 2, &arena, &faults);
    if (config == NULL || faults.count > 0)
        return 0;
    memset(setup, 0, SETUP_MAX);
    size_t needed = game->configure(config, options, NULL, 0, &faults);
    assert((needed == 0) == (faults.count > 0));
    if (needed == 0 || needed > SETUP_MAX)
        return 0;
    size_t written = game->configure(config, options, setup, SETUP_MAX, &faults);
    assert(written == needed && faults.count == 0);
    begin_a_match(game, setup);
    return 0;
}

/* engine_setup.c: set-ups, compiled once and shared by all matches that are played with them. Pure. */
#include <string.h>

#include "base/room.h"
#include "services/engine/engine_parts.h"
#include "wire/order.h"

const struct engine_game *engine_game_find(const struct engine *engine, const char *name,
                                           size_t size, uint32_t version)
{
    const struct engine_game *found = NULL;
    for (uint32_t i = 0; i < engine->settings.game_count; i++) {
        const struct engine_game *game = &engine->settings.games[i];
        if (!text_is(name, size, game->game->name))
            continue;
        if (version == game->game->version)
            return game;
        if (version == 0 && (found == NULL || game->game->version > found->game->version))
            found = game;
    }
    return found;
}

/* A text without options is not the one with empty ones. */
static void hash_text(const struct engine *engine, const struct engine_setup_text *text,
                      uint8_t hash[CRYPTO_HASH_SIZE])
{
    uint8_t front[9];
    order_put(front, text->setup_size, 8);
    front[8] = text->options != NULL;
    const struct piece pieces[] = { { front, sizeof front },
                                    { text->setup, text->setup_size },
                                    { text->options, text->options_size } };
    engine->settings.helpers.crypto->hash(hash, pieces, 3);
}

static void hash_all(const struct engine *engine, const struct engine_game *game, uint32_t seats,
                     const uint8_t *text_hash, uint8_t hash[CRYPTO_HASH_SIZE])
{
    uint8_t numbers[8];
    order_put(order_put(numbers, game->game->version, 4), seats, 4);
    const struct piece pieces[] = { { numbers, sizeof numbers },
                                    { text_hash, CRYPTO_HASH_SIZE },
                                    { game->game->name, text_length(game->game->name) } };
    engine->settings.helpers.crypto->hash(hash, pieces, 3);
}

static struct setup **bucket_of(const struct engine *engine, const uint8_t *hash)
{
    const uint8_t *at = hash;
    return &engine->setups[order_get(&at, 4) & engine->setup_mask];
}

/* What the game's compiled set-up asks of memory and messages, judged before anything is played. */
static bool is_playable(const struct engine *engine, const struct setup *setup, struct text *fault)
{
    const struct bounds *bounds = &setup->terms.bounds;
    const char          *what = NULL;
    size_t               half = engine->settings.room_bytes / 2;
    if (match_bytes(&setup->terms) > MATCH_BYTES_MAX)
        what = "/setup: a match of it takes more memory than this engine gives one";
    else if (match_room_bytes(&setup->terms) > engine->settings.room_bytes ||
             bounds->view_words > half / sizeof(word) ||
             bounds->event_words > half / sizeof(word) || engine_legal_bytes(&setup->terms) > half)
        what = "/setup: an act of it can get longer than this engine's room";
    if (what != NULL)
        text_put(fault, what);
    return what == NULL;
}

static bool seats_fit(const struct game *game, const void *compiled, uint32_t seats,
                      struct text *fault)
{
    uint32_t least = 0;
    uint32_t most = 0;
    game->seats(compiled, &least, &most);
    if (seats >= least && seats <= most)
        return true;
    text_put(fault, "/seats: at this set-up sit ");
    text_put_number(fault, least);
    text_put(fault, " to ");
    text_put_number(fault, most);
    return false;
}

static char *copy_text(char *at, const char *text, size_t size)
{
    memcpy(at, text, size);
    at[size] = '\0';
    return at;
}

static struct setup *setup_fill(struct engine *engine, const struct engine_game *game,
                                uint32_t seats, const struct engine_setup_text *text,
                                size_t compiled_size, struct text *fault)
{
    size_t texts = text->setup_size + text->options_size + 2;
    size_t bytes = sizeof(struct setup) + room_for(compiled_size) + texts;
    /* Compiled in the room first: what does not fit must not have been taken. */
    void  *room = engine->room_memory;
    engine->settings.helpers.compile(game->game, text, room, compiled_size, fault);
    if (fault->size > 0 || !seats_fit(game->game, room, seats, fault))
        return NULL;
    struct setup *setup = slab_take(&engine->slab, &engine->undo, bytes);
    if (setup == NULL)
        return NULL;
    uint8_t *compiled = (uint8_t *) (setup + 1);
    char    *at = (char *) compiled + room_for(compiled_size);
    memcpy(compiled, room, compiled_size);
    setup->bytes = (uint32_t) bytes;
    setup->game = game;
    setup->text = *text;
    setup->text.setup = copy_text(at, text->setup, text->setup_size);
    if (text->options != NULL)
        setup->text.options =
            copy_text(at + text->setup_size + 1, text->options, text->options_size);
    match_terms_init(&setup->terms, game->game, compiled, seats, MATCH_CHAINED | MATCH_SEALED,
                     &game->form);
    match_terms_init(&setup->words, game->game, compiled, seats, MATCH_WORDS, &game->form);
    return setup;
}

static struct setup *setup_new(struct engine *engine, const struct engine_game *game,
                               uint32_t seats, const struct engine_setup_text *text,
                               struct text *fault)
{
    size_t size = engine->settings.helpers.compile(game->game, text, NULL, 0, fault);
    if (size == 0 && fault->size == 0)
        text_put(fault, "/setup: it is refused");
    if (size > SETUP_BYTES_MAX || size > engine->settings.room_bytes)
        text_put(fault, "/setup: compiled, it takes more memory than this engine gives one");
    if (fault->size > 0 || engine->setup_count == engine->settings.setups_max)
        return NULL;
    struct setup *setup = setup_fill(engine, game, seats, text, size, fault);
    if (setup == NULL || is_playable(engine, setup, fault))
        return setup;
    slab_give(&engine->slab, &engine->undo, setup, setup->bytes);
    return NULL;
}

struct setup *engine_setup_known(const struct engine *engine, const struct engine_game *game,
                                 uint32_t seats, const uint8_t *text_hash)
{
    uint8_t hash[CRYPTO_HASH_SIZE];
    hash_all(engine, game, seats, text_hash, hash);
    struct setup *setup = *bucket_of(engine, hash);
    while (setup != NULL && memcmp(setup->hash, hash, sizeof hash) != 0)
        setup = setup->next;
    return setup;
}

struct setup *engine_setup_find(struct engine *engine, const struct engine_game *game,
                                uint32_t seats, const struct engine_setup_text *text,
                                struct text *fault, bool *is_new)
{
    uint8_t text_hash[CRYPTO_HASH_SIZE];
    uint8_t hash[CRYPTO_HASH_SIZE];
    hash_text(engine, text, text_hash);
    hash_all(engine, game, seats, text_hash, hash);
    struct setup **bucket = bucket_of(engine, hash);
    struct setup  *setup = engine_setup_known(engine, game, seats, text_hash);
    *is_new = false;
    if (setup != NULL)
        return setup;
    setup = setup_new(engine, game, seats, text, fault);
    if (setup == NULL)
        return NULL;
    *is_new = true;
    memcpy(setup->hash, hash, sizeof hash);
    memcpy(setup->text_hash, text_hash, sizeof text_hash);
    setup->next = *bucket;
    engine_undo_keep(&engine->undo, bucket, sizeof(struct setup *));
    engine_undo_keep(&engine->undo, &engine->setup_count, sizeof engine->setup_count);
    *bucket = setup;
    engine->setup_count++;
    return setup;
}

void engine_setup_leave(struct engine *engine, struct setup *setup)
{
    engine_undo_keep(&engine->undo, &setup->users, sizeof setup->users);
    if (setup->users > 1) {
        setup->users--;
        return;
    }
    struct setup **link = bucket_of(engine, setup->hash);
    while (*link != setup)
        link = &(*link)->next;
    engine_undo_keep(&engine->undo, link, sizeof(struct setup *));
    *link = setup->next;
    engine_undo_keep(&engine->undo, &engine->setup_count, sizeof engine->setup_count);
    engine->setup_count--;
    slab_give(&engine->slab, &engine->undo, setup, setup->bytes);
}

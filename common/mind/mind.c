/* mind.c: see mind.h. Pure. */
#include "mind/mind.h"

#include <string.h>

#include "base/room.h"
#include "search/search.h"
#include "search/skill.h"
#include "wire/act_read.h"
#include "wire/arena.h"
#include "wire/validate.h"

#define VIEW_WORDS_MAX                                                                             \
    65536u               /* A view has at most 56 KiB, and no word takes less than a byte.     */
#define SLICE_MOST 4096u /* Futures. */

struct mind_setup {
    uint32_t                users; /* 0: the place is free. */
    uint32_t                seats;
    const struct mind_game *game;
    uint8_t                 hash[CRYPTO_HASH_SIZE]; /* Of the text. */
    void                   *compiled;
};

struct mind {
    const struct mind_settings *settings;
    struct mind_setup          *setups;
    void                       *tree;
    word                       *words;
    struct arena                arena;
    struct search               search;
    const struct mind_game     *game;  /* Of the thought under way. */
    uint32_t                    left;  /* Futures to go through.    */
    uint32_t                    slice; /* Of them at once.          */
    uint64_t                    until_ms, began_ms;
};

void mind_defaults(struct mind_settings *settings)
{
    *settings = (struct mind_settings){
        .setups_max = 16, .setup_bytes = 256u << 10, .tree_bytes = 8u << 20, .slice_ms = 10
    };
}

size_t mind_bytes(const struct mind_settings *settings)
{
    if (settings->compile == NULL)
        return 0;
    return room_for(sizeof(struct mind)) +
           room_for(settings->setups_max * sizeof(struct mind_setup)) +
           settings->setups_max * room_for(settings->setup_bytes) + room_for(settings->tree_bytes) +
           room_for(VIEW_WORDS_MAX * sizeof(word)) + room_for(VALIDATE_ARENA_BYTES);
}

struct mind *mind_init(void *memory, const struct mind_settings *settings)
{
    uint8_t     *at = memory;
    struct mind *mind;
    if (settings->compile == NULL)
        return NULL;
    mind = room_take(&at, sizeof *mind);
    mind->settings = settings;
    mind->setups = room_take(&at, settings->setups_max * sizeof *mind->setups);
    for (uint32_t i = 0; i < settings->setups_max; i++)
        mind->setups[i].compiled = room_take(&at, settings->setup_bytes);
    mind->tree = room_take(&at, settings->tree_bytes);
    mind->words = room_take(&at, VIEW_WORDS_MAX * sizeof(word));
    arena_init(&mind->arena, room_take(&at, VALIDATE_ARENA_BYTES), VALIDATE_ARENA_BYTES);
    mind->slice = 1;
    return mind;
}

/* Set-ups. */

static void hash_text(const struct mind *mind, const struct mind_text *text,
                      uint8_t hash[CRYPTO_HASH_SIZE])
{
    const uint32_t     front[2] = { (uint32_t) text->setup_size, text->options != NULL };
    const struct piece pieces[] = { { front, sizeof front },
                                    { text->setup, text->setup_size },
                                    { text->options, text->options_size } };
    mind->settings->crypto->hash(hash, pieces, 3);
}

/* The place where it stands, or a free one; MIND_NO_SETUP: there is none. */
static uint32_t place_for(const struct mind *mind, const struct mind_game *game,
                          const uint8_t *hash, uint32_t seats)
{
    uint32_t unused = MIND_NO_SETUP;
    for (uint32_t i = 0; i < mind->settings->setups_max; i++) {
        const struct mind_setup *setup = &mind->setups[i];
        if (setup->game == game && setup->seats == seats &&
            memcmp(setup->hash, hash, CRYPTO_HASH_SIZE) == 0)
            return i;
        if (setup->users == 0)
            unused = i;
    }
    return unused;
}

static bool compile(const struct mind *mind, struct mind_setup *setup, const struct mind_text *text)
{
    uint32_t least, most;
    size_t   size;
    memset(setup->compiled, 0, mind->settings->setup_bytes);
    size = mind->settings->compile(setup->game->game, text, setup->compiled,
                                   mind->settings->setup_bytes);
    if (size == 0 || size > mind->settings->setup_bytes)
        return false;
    setup->game->game->seats(setup->compiled, &least, &most);
    return setup->seats >= least && setup->seats <= most;
}

uint32_t mind_take_setup(struct mind *mind, const struct mind_game *game,
                         const struct mind_text *text, uint32_t seats)
{
    uint8_t hash[CRYPTO_HASH_SIZE];
    if (mind == NULL || game == NULL || game->game->foresight == NULL || game->view == NULL ||
        text->setup == NULL)
        return MIND_NO_SETUP;
    hash_text(mind, text, hash);
    uint32_t place = place_for(mind, game, hash, seats);
    if (place == MIND_NO_SETUP)
        return MIND_NO_SETUP;
    struct mind_setup *setup = &mind->setups[place];
    bool               is_known =
        setup->game == game && setup->seats == seats && memcmp(setup->hash, hash, sizeof hash) == 0;
    if (!is_known) {
        setup->game = game;
        setup->seats = seats;
        memcpy(setup->hash, hash, sizeof hash);
        if (!compile(mind, setup, text)) {
            setup->game = NULL;
            return MIND_NO_SETUP;
        }
    }
    setup->users++;
    return place;
}

void mind_leave_setup(struct mind *mind, uint32_t setup)
{
    if (setup != MIND_NO_SETUP)
        mind->setups[setup].users--; /* It stays compiled as long as nobody needs the place. */
}

/* What is heard. */

/* An event in its words, behind a header like the rules' own. */
static void note(struct mind *mind, const struct mind_setup *setup, uint32_t seat, word *notes,
                 const struct act_event *event)
{
    uint32_t count = 0;
    arena_reset(&mind->arena);
    if (event->is_house ||
        !plan_decode(setup->game->event, event->bytes, event->size, &mind->arena, mind->words,
                     VIEW_WORDS_MAX, &count) ||
        count == 0)
        return;
    /* The first word is the kind; all that is heard here is for this seat. */
    mind->words[0] |= (word) TO_SEAT(seat) << 16 | (word) (count - 1) << 32;
    setup->game->game->foresight->note(setup->compiled, seat, mind->words, notes);
}

void mind_hear(struct mind *mind, uint32_t setup, word *notes, const struct mind_act *act)
{
    struct act_reader        reader;
    struct act_event         event;
    const struct mind_setup *with;
    if (setup == MIND_NO_SETUP)
        return;
    with = &mind->setups[setup];
    if (with->game->game->foresight->note == NULL ||
        !act_read(&reader, act->body, act->body_size, act->seat, act->box, act->box_size))
        return;
    while (act_next(&reader, &event))
        note(mind, with, act->seat, notes, &event);
}

/* Thoughts. */

/* A tree as large as is wanted, or as there is room for. */
static bool lay_out(struct mind *mind, const struct mind_setup *setup, const struct level *skill)
{
    const struct game *game = setup->game->game;
    size_t             rest = search_bytes(game, setup->compiled, setup->seats, 0) + room_for(1);
    uint32_t           nodes = skill_tree(skill);
    size_t             fit = mind->settings->tree_bytes;
    fit = fit > rest ? (fit - rest) / sizeof(struct search_node) : 0;
    if (nodes > fit)
        nodes = (uint32_t) fit;
    if (nodes < 2)
        return false;
    search_init(&mind->search, game, setup->compiled, setup->seats, nodes, mind->tree);
    return true;
}

bool mind_begin(struct mind *mind, const struct mind_task *task, uint64_t now_ms)
{
    const struct mind_setup *setup = &mind->setups[task->setup];
    struct known             known = {
                    .seat = task->seat, .seats = setup->seats, .view = mind->words, .notes = task->notes
    };
    arena_reset(&mind->arena);
    if (!plan_decode(setup->game->view, task->view, task->view_size, &mind->arena, mind->words,
                     VIEW_WORDS_MAX, &known.view_words) ||
        !lay_out(mind, setup, &task->skill) || !search_begin(&mind->search, &known, task->seed))
        return false;
    mind->game = setup->game;
    mind->left = task->skill.nodes - 1;
    mind->slice = 1;
    mind->until_ms = task->until_ms;
    mind->began_ms = now_ms;
    return true;
}

/* The clock of events tells how long the slice before took. */
bool mind_go_on(struct mind *mind, uint64_t now_ms)
{
    uint64_t took_ms = now_ms - mind->began_ms;
    if (2 * took_ms < mind->settings->slice_ms && mind->slice < SLICE_MOST)
        mind->slice *= 2;
    else if (took_ms > mind->settings->slice_ms && mind->slice > 1)
        mind->slice /= 2;
    if (mind->left == 0 || now_ms >= mind->until_ms)
        return true;
    uint32_t futures = mind->slice < mind->left ? mind->slice : mind->left;
    search_think(&mind->search, futures);
    mind->left -= futures;
    mind->began_ms = now_ms;
    return mind->left == 0;
}

size_t mind_best(struct mind *mind, uint8_t *command, size_t capacity)
{
    struct command best;
    search_best(&mind->search, &best);
    return plan_encode_command(mind->game->commands, &best, command, capacity);
}

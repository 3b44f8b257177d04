/* dead_made_conform.c: see dead_made_conform.h. */
#include "games/dead/conform/dead_made_conform.h"

#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/dead/conform/dead_moves_conform.h"
#include "games/dead/conform/dead_traits_conform.h"
#include "games/dead/conform/dead_variant_conform.h"
#include "games/dead/dead.h"
#include "games/dead/dead_rules.h"

/* So many are looked at for each game that is taken. */
#define MADE_LOOKS 40
#define RECORDED_LOOKS 10
/* A third silence in a row may be one too many: hosted tables have a patience of three. */
#define SILENCES_MAX 2
#define STEPS_MAX 260
#define EVENTS_OF_ONE 64 /* More clients than this are not asked what they heard.               */

struct base {
    char *name, *text, *edition;
};

struct dead_maker {
    uint64_t             seed;
    struct dice          dice;
    struct base         *base;
    uint32_t             bases;
    char               **recording;
    uint32_t             recordings;
    struct dead_refusals refusals;
    struct dead_seen     seen;
    struct house        *house;
    void  *before; /* A copy of the state.                                             */
    size_t before_size;
    FILE  *nowhere;
};

struct dead_maker *dead_maker_new(uint64_t seed)
{
    struct dead_maker *maker = calloc(1, sizeof *maker);
    if (maker == NULL)
        return NULL;
    maker->house = dead_house_new();
    maker->nowhere = fopen("/dev/null", "w");
    maker->seed = seed;
    dice_splitmix(&maker->dice, seed);
    if (maker->house == NULL || maker->nowhere == NULL)
        dead_maker_destroy(&maker);
    return maker;
}

void dead_maker_destroy(struct dead_maker **held)
{
    struct dead_maker *maker = *held;
    if (maker == NULL)
        return;
    for (uint32_t i = 0; i < maker->bases; i++) {
        free(maker->base[i].name);
        free(maker->base[i].text);
        free(maker->base[i].edition);
    }
    for (uint32_t i = 0; i < maker->recordings; i++)
        free(maker->recording[i]);
    free(maker->base);
    free(maker->recording);
    free(maker->before);
    if (maker->nowhere != NULL)
        (void) fclose(maker->nowhere);
    if (maker->house != NULL)
        dead_house_destroy(&maker->house);
    free(maker);
    *held = NULL;
}

void dead_maker_add_setup(struct dead_maker *maker, const char *name, const char *text,
                          const char *edition)
{
    struct base *larger = realloc(maker->base, (maker->bases + 1) * sizeof *larger);
    if (larger == NULL)
        abort();
    maker->base = larger;
    maker->base[maker->bases++] = (struct base){ strdup(name), strdup(text), strdup(edition) };
}

void dead_maker_add_recording(struct dead_maker *maker, const char *path)
{
    char **larger = realloc(maker->recording, (maker->recordings + 1) * sizeof *larger);
    if (larger == NULL)
        abort();
    maker->recording = larger;
    maker->recording[maker->recordings++] = strdup(path);
}

bool dead_maker_has_any(const struct dead_maker *maker)
{
    return maker->bases + maker->recordings > 0;
}

uint32_t dead_maker_seen(const struct dead_maker *maker)
{
    return dead_seen_count(&maker->seen);
}

/* Playing, by the rules alone. */

static uint32_t seat_of(const struct dead_inside *inside, uint32_t client)
{
    for (uint32_t seat = 0; inside->state != NULL && seat < inside->seats; seat++)
        if (inside->clients[seat] == client)
            return seat;
    return DEAD_NOBODY;
}

static void copy_state(struct dead_maker *maker, const struct dead_inside *inside,
                       struct dead_happening *at)
{
    if (inside->state == NULL)
        return;
    if (inside->state->bytes > maker->before_size) {
        maker->before_size = inside->state->bytes;
        free(maker->before);
        maker->before = malloc(maker->before_size);
        if (maker->before == NULL)
            abort();
    }
    memcpy(maker->before, inside->state, inside->state->bytes);
    at->before = maker->before;
}

/* What all hear, as the first of the seats that hears it does; and the refusal. */
static void hear(struct dead_maker *maker, struct dead_happening *at)
{
    struct dead_inside inside = dead_house_inside(maker->house);
    struct house_heard heard;
    uint32_t           ear = EVENTS_OF_ONE;
    for (uint32_t client = 0; client < EVENTS_OF_ONE; client++) {
        while (maker->house->next(maker->house, client, &heard)) {
            bool is_seated = seat_of(&inside, client) != DEAD_NOBODY;
            if (heard.refused != NULL)
                at->refused = heard.refused;
            if (ear == EVENTS_OF_ONE && heard.event != NULL && is_seated &&
                event_kind(heard.event) != DEAD_CHARACTERS)
                ear = client;
            if (heard.event != NULL && client == ear && at->events < DEAD_EVENTS_MAX)
                at->event[at->events++] = heard.event;
        }
    }
}

static void take(struct dead_maker *maker, const struct dead_step *step, struct dead_traits *traits)
{
    struct dead_inside    inside = dead_house_inside(maker->house);
    struct dead_happening at = { .setup = inside.setup, .step = step };
    at.seat = seat_of(&inside, step->client);
    copy_state(maker, &inside, &at);
    dead_script_take(step, maker->house);
    hear(maker, &at);
    dead_traits_note(traits, &at);
}

/* A script that is there: what it shows. False: its set-up is not valid. */
static bool show(struct dead_maker *maker, const struct dead_script *script,
                 struct dead_traits *traits, FILE *complaints)
{
    if (!dead_script_open(script, maker->house, complaints))
        return false;
    for (uint32_t i = 0; i < script->count; i++)
        take(maker, &script->step[i], traits);
    maker->house->close(maker->house);
    return true;
}

/* Making. */

static char *copy_of(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        abort();
    return copy;
}

/* A set-up as it is, or, more often, an odder one. Its table is opened. False: it is not valid. */
static bool open_setup(struct dead_maker *maker, const struct dead_wish *wish,
                       struct dead_script *script)
{
    const struct base *base = &maker->base[draw_below(&maker->dice, maker->bases)];
    bool               is_varied = !wish->is_plain && draw_below(&maker->dice, 5) > 0;
    (void) snprintf(script->edition, sizeof script->edition, "%s", base->edition);
    (void) snprintf(script->setup, sizeof script->setup, "%.60s%s", base->name,
                    is_varied ? ", varied" : "");
    script->seed = (int64_t) dice_u64(&maker->dice, 0) >> draw_below(&maker->dice, 50);
    if (wish->is_plain)
        script->seed = (int64_t) maker->seed;
    if (is_varied)
        script->config =
            dead_variant(base->text, strcmp(base->edition, "crossroads") == 0, &maker->dice);
    if (script->config != NULL && dead_script_open(script, maker->house, maker->nowhere))
        return true;
    free(script->config);
    script->config = copy_of(base->text);
    (void) snprintf(script->setup, sizeof script->setup, "%.60s", base->name);
    return dead_script_open(script, maker->house, stderr);
}

static void plan(struct dead_maker *maker, const struct dead_wish *wish,
                 const struct dead_inside *inside, struct dead_moves *moves)
{
    struct bounds bounds;
    uint32_t      most = inside->setup->players_max;
    game_dead.bounds(inside->setup, most, &bounds);
    memset(moves, 0, sizeof *moves);
    moves->dice = &maker->dice;
    moves->refusals = &maker->refusals;
    moves->list.patterns_max = bounds.legal_patterns;
    moves->list.values_max = bounds.legal_values;
    moves->list.pattern = calloc(bounds.legal_patterns, sizeof *moves->list.pattern);
    moves->list.value = calloc(bounds.legal_values, sizeof *moves->list.value);
    if (moves->list.pattern == NULL || moves->list.value == NULL)
        abort();
    moves->players = draw_below(&maker->dice, 3) > 0 ? most : 1 + draw_below(&maker->dice, most);
    moves->wrong_in = 4 + draw_below(&maker->dice, 16);
    moves->favourite =
        (DEAD_MOVE + draw_below(&maker->dice, 7)) * 64 + draw_below(&maker->dice, 24);
    moves->ends_after = 60 + draw_below(&maker->dice, 120);
    moves->breaks_off = wish->breaks_off;
    moves->silent_in = wish->silent_in;
    moves->silences = wish->has_silence ? 1 + draw_below(&maker->dice, SILENCES_MAX) : 0;
}

static bool make(struct dead_maker *maker, const struct dead_wish *wish, struct dead_script *script,
                 struct dead_traits *traits)
{
    struct dead_moves moves;
    (void) snprintf(script->label, sizeof script->label, "made up");
    if (!open_setup(maker, wish, script))
        return false;
    struct dead_inside inside = dead_house_inside(maker->house);
    plan(maker, wish, &inside, &moves);
    while (!inside.is_over && script->count < STEPS_MAX) {
        uint32_t before = script->count;
        dead_moves_next(&moves, &inside, script);
        for (uint32_t i = before; i < script->count; i++)
            take(maker, &script->step[i], traits);
        inside = dead_house_inside(maker->house);
    }
    free(moves.list.pattern);
    free(moves.list.value);
    maker->house->close(maker->house);
    return true;
}

/* A recording; false: it cannot be read. Whether it suits the wish is for the caller to see. */
static bool recall(struct dead_maker *maker, struct dead_script *script, struct dead_traits *traits,
                   FILE *complaints)
{
    const char *path = maker->recording[draw_below(&maker->dice, maker->recordings)];
    return dead_script_read(script, path, complaints) && show(maker, script, traits, complaints);
}

/* Who hears what shows only where several play: so many who registered, but three at most. */
static uint64_t several(const struct dead_script *script)
{
    uint64_t clients = 0;
    for (uint32_t i = 0; i < script->count; i++)
        if (script->step[i].command.kind == DEAD_REGISTER && script->step[i].client < 64)
            clients |= UINT64_C(1) << script->step[i].client;
    uint64_t count = (uint64_t) __builtin_popcountll(clients);
    return count < 3 ? count + (count == 0) : 3;
}

/* What is worth most for its length, which costs time. */
static uint64_t worth_of(const struct dead_maker *maker, const struct dead_traits *traits,
                         const struct dead_script *script)
{
    return dead_traits_worth(traits, &maker->seen) * several(script) * 1000 / (script->count + 60);
}

static bool suits(const struct dead_wish *wish, const struct dead_script *script)
{
    return wish->has_silence ? script->silences > 0 && script->silences <= SILENCES_MAX
                             : script->silences == 0;
}

bool dead_maker_next(struct dead_maker *maker, const struct dead_wish *wish,
                     struct dead_script *script, FILE *complaints)
{
    bool               is_recorded = maker->recordings > 0 && (wish->is_recorded || !maker->bases);
    uint32_t           looks = is_recorded ? RECORDED_LOOKS : MADE_LOOKS;
    uint64_t           best = 0;
    struct dead_traits kept = { { 0 } };
    bool               found = false;
    memset(script, 0, sizeof *script);
    for (uint32_t i = 0; i < looks || (!found && i < 20 * looks); i++) {
        struct dead_script other = { .count = 0 };
        struct dead_traits traits = { { 0 } };
        if (is_recorded ? !recall(maker, &other, &traits, complaints)
                        : !make(maker, wish, &other, &traits)) {
            dead_script_close(&other);
            return false;
        }
        uint64_t worth = worth_of(maker, &traits, &other);
        if (suits(wish, &other) && (!found || worth > best)) {
            dead_script_close(script);
            *script = other;
            kept = traits;
            best = worth;
            found = true;
        } else {
            dead_script_close(&other);
        }
    }
    dead_seen_add(&maker->seen, &kept);
    return found;
}

/* bout.c: the two sides of a match, their memory, and comparing them. */
#include "bout.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"

bool broken(struct bout *bout, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(bout->report->broken, sizeof bout->report->broken, format, list);
    va_end(list);
    return false;
}

static struct sink new_sink(uint32_t words, size_t shift)
{
    return (struct sink){ .words = guard_new(words * sizeof(word), shift), .capacity = words };
}

static void side_open(const struct bout *bout, struct side *side, size_t shift, uint8_t junk)
{
    const struct bounds *bounds = &bout->bounds;
    const struct table  *table = bout->fixture->table;
    uint32_t             looks =
        bounds->view_words > bounds->event_words ? bounds->view_words : bounds->event_words;

    side->junk = junk;
    side->setup = guard_new(table->setup_bytes, shift);
    memcpy(side->setup, table->setup, table->setup_bytes);
    side->state = guard_new(bounds->state_bytes, shift);
    side->mask = guard_new(bounds->state_bytes, shift);
    side->guess = guard_new(bounds->state_bytes, shift);
    side->text = guard_new(bounds->text_bytes, shift);
    side->out = new_sink(bounds->event_words, shift);
    side->look = new_sink(looks, shift);
    side->list = (struct legal){
        .pattern = guard_new(bounds->legal_patterns * sizeof(struct pattern), shift),
        .value = guard_new(bounds->legal_values * sizeof(word), shift),
        .patterns_max = bounds->legal_patterns,
        .values_max = bounds->legal_values,
    };
}

static void side_close(struct side *side)
{
    guard_free(side->setup);
    guard_free(side->state);
    guard_free(side->mask);
    guard_free(side->guess);
    guard_free(side->text);
    guard_free(side->out.words);
    guard_free(side->look.words);
    guard_free(side->list.pattern);
    guard_free(side->list.value);
}

/* Half of the matches have a game's open dice, half the hosted ones. */
static void open_dice(const struct bout *bout, struct dice *dice)
{
    uint64_t seed = bout->fixture->seed;
    uint8_t  key[DICE_KEY_BYTES] = { 0 };

    if (seed % 2 == 0 && dice_open(dice, bout->game->open_dice, seed))
        return;
    memcpy(key, &seed, sizeof seed);
    dice_chacha(dice, key);
}

void bout_open(struct bout *bout, const struct fixture *fixture, struct report *report)
{
    memset(bout, 0, sizeof *bout);
    memset(report, 0, sizeof *report);
    bout->fixture = fixture;
    bout->wire = fixture->wire;
    bout->game = fixture->wire->game;
    bout->report = report;
    bout->luck.state = fixture->seed;
    bout->game->bounds(fixture->table->setup, fixture->seats, &bout->bounds);
    side_open(bout, &bout->home, 0, 0x55);
    side_open(bout, &bout->twin, 8, 0xaa);
    bout->kept.state = guard_new(bout->bounds.state_bytes, 0);
    open_dice(bout, &bout->home.dice);
    bout->twin.dice = bout->home.dice;
    bout->events = plan_new(bout->wire->event);
    bout->views = plan_new(bout->wire->view);
    bout->commands = plan_new(bout->wire->command);
    observing_open(bout);
}

void bout_close(struct bout *bout)
{
    observing_close(bout);
    side_close(&bout->home);
    side_close(&bout->twin);
    guard_free(bout->kept.state);
    plan_destroy(&bout->events);
    plan_destroy(&bout->views);
    plan_destroy(&bout->commands);
}

struct play side_play(struct side *side)
{
    return (struct play){ side->setup, side->state, &side->dice, &side->out };
}

/* Empties a sink and leaves junk in it, so that a word that was never written is seen. */
void side_clear(const struct bout *bout, struct side *side, struct sink *sink)
{
    (void) bout;
    memset(sink->words, side->junk, sink->capacity * sizeof(word));
    sink->used = 0;
    sink->events = 0;
    sink->header = 0;
}

void bout_keep(struct bout *bout)
{
    memcpy(bout->kept.state, bout->home.state, bout->bounds.state_bytes);
    bout->kept.dice = bout->home.dice;
}

void bout_restore(struct bout *bout)
{
    memcpy(bout->home.state, bout->kept.state, bout->bounds.state_bytes);
    bout->home.dice = bout->kept.dice;
}

bool bout_is_kept(const struct bout *bout)
{
    return memcmp(bout->home.state, bout->kept.state, bout->bounds.state_bytes) == 0 &&
           memcmp(&bout->home.dice, &bout->kept.dice, sizeof(struct dice)) == 0;
}

static bool side_whole(const struct side *side)
{
    return guard_whole(side->setup) && guard_whole(side->state) && guard_whole(side->mask) &&
           guard_whole(side->guess) && guard_whole(side->text) && guard_whole(side->out.words) &&
           guard_whole(side->look.words) && guard_whole(side->list.pattern) &&
           guard_whole(side->list.value) && guard_whole(side->cells);
}

bool bout_guards(struct bout *bout)
{
    const struct table *table = bout->fixture->table;
    PROMISE(bout, side_whole(&bout->home) && side_whole(&bout->twin),
            "nothing is written beyond what `bounds` declares");
    PROMISE(bout,
            memcmp(bout->home.setup, table->setup, table->setup_bytes) == 0 &&
                memcmp(bout->twin.setup, table->setup, table->setup_bytes) == 0,
            "the set-up never changes");
    return true;
}

bool same_words(const struct sink *one, const struct sink *other)
{
    return one->used == other->used && one->events == other->events &&
           memcmp(one->words, other->words, one->used * sizeof(word)) == 0;
}

bool bout_sides_agree(struct bout *bout)
{
    PROMISE(bout, memcmp(bout->home.state, bout->twin.state, bout->bounds.state_bytes) == 0,
            "the state at another address is the same");
    PROMISE(bout, memcmp(&bout->home.dice, &bout->twin.dice, sizeof(struct dice)) == 0,
            "the dice at another address are the same");
    return true;
}

void side_list(const struct bout *bout, struct side *side, uint32_t seat)
{
    memset(side->list.pattern, side->junk, side->list.patterns_max * sizeof(struct pattern));
    memset(side->list.value, side->junk, side->list.values_max * sizeof(word));
    side->list.patterns = 3; /* `legal` begins the list anew, whatever it held. */
    side->list.values = 3;
    bout->game->legal(side->setup, side->state, seat, &side->list);
}

/* weigh.c: tries all commands, leaves out the worse half again and again, and lets the last two meet anew. */
#include "search/weigh.h"

#include <string.h>

#include "dice/kinds.h"
#include "search/search_parts.h"

#define LOOKS_MOST 4096u /* Of a longer list so many commands are looked at, evenly spread. */
#define CHANCES 8u       /* Guesses that show whether a command could have told something else. */
#define REFUSED_MOST 16u /* Guesses for each one that allows the command of another seat. */
#define FRESH (UINT16_MAX - 1u)              /* The round that counts. */
#define UNIT (WEIGH_WON / SEARCH_VALUE_MOST) /* Of a future's worth, in millionths. */

/* A command at work. */
struct candidate {
    struct command command;
    int64_t        liking;
    uint64_t       worth;
    uint32_t       futures;
};

/* Commands at work; the given one stands first and stays. */
struct field {
    uint32_t         count;
    struct candidate of[WEIGH_MOST + 1];
};

/* Sums over futures. */
struct sums {
    uint64_t count;
    int64_t  sum, squares;
};

static void add_up(struct sums *sums, int64_t value)
{
    sums->count++;
    sums->sum += value;
    sums->squares += value * value;
}

static uint64_t root_of(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= number)
            root += bit;
    return root;
}

/* The mean, and by how much it may well be off. */
static struct weight mean_of(const struct sums *sums)
{
    struct weight weight = { 0, 0 };
    if (sums->count == 0)
        return weight;
    int64_t  count = (int64_t) sums->count;
    uint64_t spread = (uint64_t) (sums->squares - sums->sum * sums->sum / count);
    uint64_t fewer = sums->count > 1 ? sums->count - 1 : 1;
    weight.worth = (int32_t) (sums->sum * UNIT / count);
    /* One digit more than a root of whole numbers would have. */
    weight.error = (int32_t) (root_of(spread * 100 / fewer / sums->count) * UNIT / 10);
    return weight;
}

/* The dice of one future: the same for each command that is tried with them. */
static void begin_future(struct search *search, uint64_t seed, uint32_t round, uint32_t number)
{
    dice_splitmix(&search->dice, seed ^ ((uint64_t) (round + 1) << 48 | (uint64_t) number << 8));
}

static bool is_same(const struct command *a, const struct command *b)
{
    return a->kind == b->kind && memcmp(a->arg, b->arg, sizeof a->arg) == 0;
}

/* Puts a command where it belongs by how it is liked; the one that is liked least falls out of a full field. */
static void put_candidate(struct field *field, const struct command *command, int64_t liking)
{
    uint32_t at = field->count;
    if (field->count == WEIGH_MOST + 1) {
        if (liking <= field->of[--at].liking)
            return;
    } else {
        field->count++;
    }
    for (; at > 1 && field->of[at - 1].liking < liking; at--)
        field->of[at] = field->of[at - 1];
    field->of[at] = (struct candidate){ .command = *command, .liking = liking };
}

/* The given command, and what could have been given instead. */
static void gather(struct search *search, uint32_t seat, const struct command *given,
                   struct field *field)
{
    uint64_t count = search_list(search, seat);
    if (count > search->usual)
        count = search->usual;
    uint64_t looks = count < LOOKS_MOST ? count : LOOKS_MOST;
    field->count = 1;
    field->of[0] = (struct candidate){ .command = *given };
    search_consider(search, seat);
    for (uint64_t i = 0; i < looks; i++) {
        struct command command;
        uint64_t       k = i * count / looks;
        legal_pick(&search->list, k, &command);
        if (!is_same(&command, given))
            put_candidate(field, &command, search_liking(search, seat, k, &command));
    }
}

/* One more future with a command; false: this guess did not allow it. One in which all do what was learned
 * counts; in another one something is learned. */
static bool try_one(struct search *search, struct candidate *candidate, bool counts)
{
    search_settle(search, counts);
    if (!search_try(search, search->known.seat, &candidate->command))
        return false;
    if (counts) {
        candidate->worth += search->worth[search->known.seat];
        candidate->futures++;
    }
    return true;
}

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    return a->worth * b->futures > b->worth * a->futures;
}

/* Behind the given one the better half stays. */
static void leave_out(struct field *field)
{
    for (uint32_t i = 2; i < field->count; i++) {
        struct candidate moved = field->of[i];
        uint32_t         at = i;
        for (; at > 1 && is_better(&moved, &field->of[at - 1]); at--)
            field->of[at] = field->of[at - 1];
        field->of[at] = moved;
    }
    field->count = 1 + field->count / 2;
}

/* So many pairs of futures with each command of the field, from the same guesses. In the first of a pair the
 * tree learns; the second one counts. False: a command was not allowed. */
static bool try_all(struct search *search, struct field *field, uint32_t pairs, uint64_t seed,
                    uint32_t round)
{
    for (uint32_t i = 0; i < 2 * pairs; i++)
        for (uint32_t k = 0; k < field->count; k++) {
            begin_future(search, seed, round, i);
            if (!try_one(search, &field->of[k], i % 2 == 1))
                return false;
        }
    return true;
}

static uint32_t at_least(uint32_t number, uint32_t least)
{
    return number > least ? number : least;
}

/* All meet, until one is left beside the given one. These two are then tried on, so that the tree knows how
 * both go on. A quarter of the futures goes into either. */
static bool learn(struct search *search, struct field *field, uint32_t futures, uint64_t seed)
{
    uint32_t rounds = 0, round = 0;
    for (uint32_t left = field->count; left > 2; left = 1 + left / 2)
        rounds++;
    for (; field->count > 2; round++) {
        uint32_t pairs = futures / 8 / rounds / field->count;
        if (!try_all(search, field, at_least(pairs, 1), seed, round))
            return false;
        leave_out(field);
    }
    for (uint32_t i = 0; i < at_least(futures / 4 / field->count, 1); i++)
        for (uint32_t k = 0; k < field->count; k++) {
            begin_future(search, seed, round, i);
            if (!try_one(search, &field->of[k], false))
                return false;
        }
    return true;
}

/* The last two, anew and from the same guesses; half of the futures. */
static bool compare(struct search *search, struct field *field, uint32_t futures, uint64_t seed,
                    struct weighing *weighing)
{
    struct sums sums[2] = { { 0 } }, lost = { 0 };
    uint32_t    each = at_least(futures / 2 / field->count, 2), seat = search->known.seat;
    for (uint32_t i = 0; i < each; i++) {
        int64_t worth[2] = { 0 };
        for (uint32_t k = 0; k < field->count; k++) {
            begin_future(search, seed, FRESH, i);
            if (!try_one(search, &field->of[k], true))
                return false;
            worth[k] = search->worth[seat];
            add_up(&sums[k], worth[k]);
        }
        add_up(&lost, worth[1] - worth[0]);
    }
    bool is_beaten = field->count == 2 && lost.sum > 0;
    weighing->best = field->of[is_beaten].command;
    weighing->value = mean_of(&sums[is_beaten]);
    weighing->given = mean_of(&sums[0]);
    weighing->loss = (struct weight){ 0, 0 };
    if (field->count == 2)
        weighing->loss = mean_of(&lost);
    if (!is_beaten)
        weighing->loss.worth = 0;
    return true;
}

enum weigh_kind weigh_kind(const struct weighing *weighing)
{
    int32_t sure = weighing->loss.worth - weighing->loss.error;
    return sure >= WEIGH_BLUNDER      ? WEIGH_IS_BLUNDER
           : sure >= WEIGH_MISTAKE    ? WEIGH_IS_MISTAKE
           : sure >= WEIGH_INACCURACY ? WEIGH_IS_INACCURACY
                                      : WEIGH_FINE;
}

bool weigh(struct search *search, const struct known *known, const struct command *given,
           uint32_t futures, uint64_t seed, struct weighing *weighing)
{
    struct field field;
    uint32_t     seat = known->seat;
    if (given->text_size > 0 || !search_look(search, known, seed) ||
        (search_awaited(search) >> seat & 1) == 0)
        return false;
    gather(search, seat, given, &field);
    weighing->tried = field.count;
    return learn(search, &field, futures, seed) && compare(search, &field, futures, seed, weighing);
}

bool weigh_match(struct search *search, const struct known *known, uint32_t seat,
                 const struct command *given, uint32_t futures, uint64_t seed,
                 struct weight *weight)
{
    struct sums sums = { 0 };
    if ((given != NULL && given->text_size > 0) || !search_look(search, known, seed))
        return false;
    for (uint32_t i = 0, learned = 0; i < REFUSED_MOST * futures && learned < futures / 2; i++) {
        begin_future(search, seed, 0, i);
        learned += search_try(search, seat, given);
    }
    search_settle(search, true);
    for (uint32_t i = 0; i < REFUSED_MOST * futures && sums.count < futures / 2; i++) {
        begin_future(search, seed, FRESH, i);
        if (search_try(search, seat, given))
            add_up(&sums, search->worth[known->seat]);
    }
    *weight = mean_of(&sums);
    return sums.count > 0;
}

/* The guessed match shows to who knows this something else than was shown. */
static bool shows_otherwise(struct search *search, const struct sink *shown)
{
    struct sink view = { .words = search->shown, .capacity = search->bounds.view_words };
    search->game->view(search->setup, search->state, search->known.seat, &view);
    return view.used != shown->used ||
           memcmp(view.words, shown->words, view.used * sizeof(word)) != 0;
}

bool weigh_is_chance(struct search *search, const struct known *known, uint32_t seat,
                     const struct command *given, const struct sink *shown, uint64_t seed)
{
    uint32_t allowed = 0;
    if (!search_look(search, known, seed))
        return false;
    for (uint32_t i = 0; i < REFUSED_MOST * CHANCES && allowed < CHANCES; i++) {
        if (!search_guess(search) || !search_allows(search, seat, given))
            continue;
        allowed++;
        if (shows_otherwise(search, shown))
            return true;
    }
    return false;
}

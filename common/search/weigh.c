/* weigh.c: searches, takes the best command beside the given one, and lets the two meet anew. */
#include "search/weigh.h"

#include <string.h>

#include "dice/kinds.h"
#include "search/search_parts.h"

#define CHANCES 8u       /* Guesses that show whether a command could have told something else. */
#define REFUSED_MOST 16u /* Guesses for each one that allows the command of another seat. */
#define UNIT (WEIGH_WON / SEARCH_VALUE_MOST) /* Of a future's worth, in millionths. */

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

/* The dice of one future: the same for each command that is tried with them, and none that were used to learn. */
static void begin_future(struct search *search, uint64_t seed, uint32_t number)
{
    dice_splitmix(&search->dice, seed ^ ((uint64_t) number + 1) << 20);
}

static uint32_t visits_of(const struct search *search, const struct command *command)
{
    uint32_t node = search_tried(search, 0, command);
    return node != 0 ? search->node[node].visits : 0;
}

/* Of the commands that were tried the best one but for the given one. Returns how many were tried. */
static uint32_t find_rival(const struct search *search, const struct command *given,
                           struct command *rival, bool *is_found)
{
    struct search_choice choice, best = { 0 };
    uint32_t             tried = 0;
    for (; search_choice(search, tried, &choice); tried++) {
        bool is_given = choice.command.kind == given->kind &&
                        memcmp(choice.command.arg, given->arg, sizeof given->arg) == 0;
        if (is_given || choice.visits < best.visits ||
            (choice.visits == best.visits && choice.worth <= best.worth))
            continue;
        best = choice;
    }
    *is_found = best.visits > 0;
    *rival = best.command;
    return tried;
}

/* Goes on with whichever of the two was followed less, so that the tree knows both as well. */
static bool learn(struct search *search, const struct command *two, uint32_t count,
                  uint32_t futures)
{
    for (uint32_t i = 0; i < futures; i++) {
        bool second = count == 2 && visits_of(search, &two[1]) < visits_of(search, &two[0]);
        if (!search_try(search, search->known.seat, &two[second]))
            return false;
    }
    return true;
}

/* Fresh futures with each, from the same guesses and dice. */
static bool compare(struct search *search, const struct command *two, uint32_t count, uint32_t each,
                    uint64_t seed, struct weighing *weighing)
{
    struct sums sums[2] = { { 0 } }, lost = { 0 };
    uint32_t    seat = search->known.seat;
    search_settle(search, true);
    for (uint32_t i = 0; i < each; i++) {
        int64_t worth[2] = { 0 };
        for (uint32_t k = 0; k < count; k++) {
            begin_future(search, seed, i);
            if (!search_try(search, seat, &two[k]))
                return false;
            worth[k] = search->worth[seat];
            add_up(&sums[k], worth[k]);
        }
        add_up(&lost, worth[1] - worth[0]);
    }
    bool is_beaten = count == 2 && lost.sum > 0;
    weighing->best = two[is_beaten];
    weighing->value = mean_of(&sums[is_beaten]);
    weighing->given = mean_of(&sums[0]);
    weighing->loss = (struct weight){ 0, 0 };
    if (count == 2)
        weighing->loss = mean_of(&lost);
    if (!is_beaten)
        weighing->loss.worth = 0;
    return true;
}

static uint32_t at_least(uint32_t number, uint32_t least)
{
    return number > least ? number : least;
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
    struct command two[2] = { *given };
    bool           has_rival;
    if (given->text_size > 0 || !search_begin(search, known, seed))
        return false;
    search_think(search, at_least(futures / 2, 2) - 1);
    if (!search_try(search, known->seat, given))
        return false;
    weighing->tried = find_rival(search, given, &two[1], &has_rival);
    uint32_t count = has_rival ? 2 : 1;
    return learn(search, two, count, futures / 4) &&
           compare(search, two, count, at_least(futures / 4 / count, 2), seed, weighing);
}

bool weigh_match(struct search *search, const struct known *known, uint32_t seat,
                 const struct command *given, uint32_t futures, uint64_t seed,
                 struct weight *weight)
{
    struct sums sums = { 0 };
    if ((given != NULL && given->text_size > 0) || !search_look(search, known, seed))
        return false;
    for (uint32_t i = 0, learned = 0; i < REFUSED_MOST * futures && learned < futures / 2; i++) {
        learned += search_try(search, seat, given);
    }
    search_settle(search, true);
    for (uint32_t i = 0; i < REFUSED_MOST * futures && sums.count < futures / 2; i++) {
        begin_future(search, seed, i);
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

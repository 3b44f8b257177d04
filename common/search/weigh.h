/* weigh.h: what a command was worth, beside the best that could be found instead.
 *
 * A seat gave a command. Was it a good one, with what the seat could know? A search (search.h) looks for the
 * best other one. Then the tree learns about whichever of the two it knows less of, until it knows both
 * well. At last the two meet in fresh futures, from the same guesses and dice, in which all seats do what
 * was learned. So neither luck nor what was only tried out makes a command look better or worse.
 *
 *     view, notes, command --> search: the best other one --> learn of both --> fresh futures: worth of each
 *
 * Worth is an expected result in millionths: 0 is lost, 500,000 drawn, 1,000,000 won. Everything here
 * follows from the view, the notes, the seed and the number of futures. Nothing is allocated. */
#ifndef ARBITER_SEARCH_WEIGH_H
#define ARBITER_SEARCH_WEIGH_H

#include "search/search.h"

#define WEIGH_WON 1000000

/* How bad a command was: at least so much of a result was given away, as sure as the figure is. */
#define WEIGH_INACCURACY 50000
#define WEIGH_MISTAKE 100000
#define WEIGH_BLUNDER 200000
enum weigh_kind {
    WEIGH_FINE,
    WEIGH_IS_INACCURACY,
    WEIGH_IS_MISTAKE,
    WEIGH_IS_BLUNDER,
    WEIGH_KINDS
};

/* A worth, and its standard error: how far off it may well be, as futures differ. */
struct weight {
    int32_t worth, error;
};

struct weighing {
    struct command best;  /* The given one, if nothing better was found.                      */
    struct weight  value; /* Of the best.                                                     */
    struct weight  given; /* Of what was given.                                               */
    struct weight  loss;  /* The difference, 0 at least.                                      */
    uint32_t       tried; /* Different commands.                                              */
};

enum weigh_kind weigh_kind(const struct weighing *weighing);

/* Weighs a command of the seat that knows this. False: it cannot be judged. Nothing is listed, or the
 * command is none that a guess of this seat allows. Either way the search is used up. */
bool weigh(struct search *search, const struct known *known, const struct command *given,
           uint32_t futures, uint64_t seed, struct weighing *weighing);

/* What the match is worth to who knows this, whoever's turn it is. With a command: once this seat has given
 * it. False: it cannot be judged. There is no guess now, or none that allows the command. */
bool weigh_match(struct search *search, const struct known *known, uint32_t seat,
                 const struct command *given, uint32_t futures, uint64_t seed,
                 struct weight *weight);

/* Whether a command told the one who knows this something that could have been otherwise: dice, or what was
 * hidden. `shown` is the view behind the command. False also if no guess allows the command. */
bool weigh_is_chance(struct search *search, const struct known *known, uint32_t seat,
                     const struct command *given, const struct sink *shown, uint64_t seed);

#endif

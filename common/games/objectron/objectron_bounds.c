/* objectron_bounds.c: how large everything of a table can get, worked out from its set-up. */
#include "games/objectron/objectron_rules.h"

/* A square of a message: that it is there, x and y. */
#define SQUARE_WORDS 3
#define ITEM_WORDS (5 + SQUARE_WORDS)
#define TRAIL_WORDS (1 + 4 * OBJECTRON_TRAIL_MAX)
#define EVENT_WORDS(fields) (1 + (fields))

static int32_t at_least(int32_t count, int32_t least)
{
    return count < least ? least : count;
}

int32_t objectron_generators_most(const struct objectron_setup *setup)
{
    /* Placements are not laid out yet when this is asked first; all of them might be generators. */
    return setup->placed ? setup->placements
                         : objectron_percent(setup->squares, setup->generator_percent);
}

int32_t objectron_items_most(const struct objectron_setup *setup)
{
    if (setup->placed)
        return setup->placements;
    int32_t squares = setup->squares;
    return at_least(objectron_percent(squares, setup->grenade_percent), setup->players) +
           at_least(objectron_percent(squares, setup->disc_percent), setup->players) +
           objectron_percent(squares, setup->teleporter_percent) +
           objectron_percent(squares, setup->generator_percent) + 1 +
           (setup->mode == OBJECTRON_CTF ? setup->players : 0);
}

static uint32_t teleporters_most(const struct objectron_setup *setup)
{
    return (uint32_t) (setup->placed
                           ? setup->placements
                           : objectron_percent(setup->squares, setup->teleporter_percent));
}

static uint32_t discs_most(const struct objectron_setup *setup)
{
    if (setup->placed)
        return (uint32_t) setup->placements;
    return 1 + (uint32_t) at_least(objectron_percent(setup->squares, setup->disc_percent),
                                   setup->players);
}

/* Every part begins at a multiple of 4 bytes. */
uint32_t objectron_state_bytes(const struct objectron_setup *setup)
{
    uint32_t letters = (uint32_t) (setup->width * setup->height + 3) / 4 * 4;
    return (uint32_t) sizeof(struct objectron_state) +
           (uint32_t) objectron_items_most(setup) * (uint32_t) sizeof(struct objectron_item) +
           (uint32_t) setup->failures_most * (uint32_t) sizeof(struct objectron_failure) +
           (uint32_t) setup->fields_most * (uint32_t) sizeof(struct objectron_field) + letters;
}

static uint32_t view_words(const struct objectron_setup *setup, uint32_t seats)
{
    uint32_t rows = 1 + (uint32_t) setup->height * (1 + (uint32_t) setup->width);
    uint32_t player = 10 + SQUARE_WORDS + TRAIL_WORDS + 1 + seats;
    return 40 + rows + seats * (2 + player) + (uint32_t) objectron_items_most(setup) * ITEM_WORDS +
           (uint32_t) setup->inventory * seats +
           (uint32_t) setup->failures_most * (5 + 3 * SQUARE_WORDS) +
           (uint32_t) setup->fields_most * (7 + 1 + 4 * SQUARE_WORDS + seats) + 9;
}

/* What one action can say: of itself, of every failure and field behind it, and of who suffers. A flight
 * passes each teleporter at most twice, and a row of squares between any two. */
static uint32_t action_words(const struct objectron_setup *setup, uint32_t seats)
{
    uint32_t side = (uint32_t) (setup->width > setup->height ? setup->width : setup->height);
    uint32_t flight = 3 * (2 * teleporters_most(setup) + 1) * (side + 1) + 20;
    uint32_t own = 20 * EVENT_WORDS(8) + 2 * EVENT_WORDS(TRAIL_WORDS);
    uint32_t people = seats * 6 * EVENT_WORDS(6);
    return own + people + flight +
           (uint32_t) setup->failures_most * EVENT_WORDS(2 + 3 * SQUARE_WORDS) +
           (uint32_t) setup->fields_most * (EVENT_WORDS(2) + EVENT_WORDS(1)) +
           24 * EVENT_WORDS(4 + 4 * SQUARE_WORDS);
}

/* How many turns can pass before somebody can act again. Each disc that hit a player lies under
 * that player until its turn is skipped. So turns skipped for discs are no more than discs, and one
 * for each player who hit themselves. Actions lost in advance are at most 8, from two grenades of
 * one move. A start without power adds one a turn; a turn takes at least two. */
static uint32_t turns_most(const struct objectron_setup *setup, uint32_t seats)
{
    uint32_t laid =
        0; /* Turns to be skipped for which no disc lies there, and debts of no grenade. */
    for (int32_t seat = 0; seat < OBJECTRON_PLAYERS_MAX; seat++)
        laid += (uint32_t) (setup->laid_player[seat].skip + setup->laid_player[seat].pending);
    return discs_most(setup) + seats + 11 * seats + seats + 1 + laid;
}

/* A square that has failed fails again after three turns at the earliest. */
static uint64_t turn_words(const struct objectron_setup *setup, uint32_t seats)
{
    uint32_t turns = turns_most(setup, seats);
    uint64_t failures = (uint64_t) setup->failures_most * (turns / 3 + 2);
    return failures * (EVENT_WORDS(4 + 3 * SQUARE_WORDS) + EVENT_WORDS(1 + SQUARE_WORDS)) +
           (uint64_t) turns * (3 * EVENT_WORDS(6)) + seats * 6 * EVENT_WORDS(6);
}

/* Of all that lies about, a player stands on one square and carries so much. */
void objectron_extents(const void *at, uint32_t seats, struct extents *extents)
{
    const struct objectron_setup *setup = at;
    uint32_t                      carried = (uint32_t) setup->inventory;
    *extents = (struct extents){ .commands = 8 + 2 * seats + 5 * carried + 2,
                                 .list = { (uint32_t) setup->height, /* rows                   */
                                           (uint32_t) setup->width,  /*     letters of one     */
                                           seats,                    /* homes                  */
                                           seats,                    /* players                */
                                           OBJECTRON_TRAIL_MAX,      /*     trail              */
                                           carried,                  /*     inventory          */
                                           seats,                    /*     captured           */
                                           (uint32_t) objectron_items_most(setup), /* items    */
                                           (uint32_t) setup->failures_most,        /* failures */
                                           (uint32_t) setup->fields_most,          /* fields   */
                                           4,     /*     squares: two generators, and two between */
                                           seats, /*     trapped             */
                                           8 } }; /* legal_moves             */
}

void objectron_bounds(const void *at, uint32_t seats, struct bounds *bounds)
{
    const struct objectron_setup *setup = at;
    uint32_t                      items = (uint32_t) objectron_items_most(setup);
    uint32_t                      view = view_words(setup, seats);
    uint64_t events = (uint64_t) (OBJECTRON_ACTIONS_MAX + 1) * action_words(setup, seats) +
                      turn_words(setup, seats) + 4 + view;
    assert(events <= UINT32_MAX); /* The worst set-up that can be written comes to a fifth of it. */
    *bounds = (struct bounds){
        .state_bytes = objectron_state_bytes(setup),
        .legal_patterns = 6,
        .legal_values = 16 + 2 * items,
        .event_words = (uint32_t) events,
        .view_words = view,
    };
}

/* dead_bounds.c: how much of everything one match of a set-up can need at most.
 *
 * Generous where a tight bound would need an argument of its own; the arithmetic is beside each. */
#include "games/dead/dead_rules.h"

/* Four identifiers of at most 6 bytes each, tags, and the box's own count. */
#define BOX_OF_DEAL 96

/* Sums over the set-up that several bounds need. */
struct sums {
    uint32_t people, cards, places, entrances, seats;
    uint32_t children; /* At the start, three for each one met, one with each fate brings.       */
    uint32_t healers;
    uint32_t zombies;     /* Of one fate card at all locations together.                         */
    uint64_t activations; /* Of all abilities in one turn.                                       */
    bool     endless;     /* Somebody may carry out no waste at all, as often as they like.      */
};

/* Later editions neither spend the die of a TRASH character nor count how often it cleans. */
static bool cleans_for_ever(const struct dead_setup *setup, const struct dead_character *character)
{
    return setup->edition != DEAD_BASE && character->ability == DEAD_ABILITY_TRASH &&
           character->amount == 0;
}

static uint32_t zombies_of(const struct dead_setup *setup, const struct dead_consequence *outcome)
{
    if (outcome->kind != DEAD_SPAWN_ZOMBIES)
        return 0;
    return (uint32_t) outcome->amount *
           (outcome->location == DEAD_NONE ? setup->locations.count : 1);
}

static struct sums add_up(const struct dead_setup *setup, uint32_t seats)
{
    struct sums sums = { .people = setup->characters.count,
                         .cards = setup->cards.count,
                         .places = setup->locations.count,
                         .entrances = setup->entrances,
                         .seats = seats,
                         .children = setup->children + 4 * setup->characters.count };
    for (uint32_t i = 0; i < setup->characters.count; i++) {
        const struct dead_character *character = dead_character(setup, i);
        sums.healers += character->ability == DEAD_ABILITY_HEAL;
        sums.activations += character->activations_max + UINT64_C(1);
        sums.endless |= cleans_for_ever(setup, character);
    }
    for (uint32_t i = 0; i < 2 * setup->fates.count; i++) {
        uint32_t zombies = zombies_of(setup, &dead_fate(setup, i / 2)->outcome[i % 2]);
        sums.zombies = zombies > sums.zombies ? zombies : sums.zombies;
    }
    return sums;
}

/* Of one command. A turn that begins with the death of a player's last survivor ends at once. So
 * one EndTurn can run through what is left of a round and a whole one besides. A third cannot
 * follow, because newcomers have no frostbite. People die and join once. */
static uint32_t event_words(const struct sums *sums)
{
    uint32_t round = 32                                             /* Announcements, food, goal. */
                     + 3 * (sums->people + sums->seats)             /* DieRolled.                 */
                     + 3 * ((sums->people + sums->children + 1) / 2 /* Zombies at the colony,     */
                            + sums->people);                        /* and elsewhere.             */
    return 64                                                       /* The command's own.         */
           + 3 * round + 3 * sums->seats                            /* Player, ActNow.            */
           + 3 * sums->cards                                        /* CardDrawn.                 */
           + 20 * sums->people                                      /* Injuries, death, newcomer. */
           + 5 * sums->children                                     /* Death.                     */
           + sums->children                                         /* ChildSpawned.              */
           + 3 * sums->zombies;                                     /* Of a fate card.            */
}

static uint32_t view_words(const struct sums *sums)
{
    return 13 + (1 + DEAD_OFFER)        /* Single fields, the offer.           */
           + 1 + 5 * sums->seats        /* Players with the counts of 3 lists, */
           + sums->people + sums->seats /* their dice,                         */
           + sums->cards + sums->people /* hands and survivors.                */
           + 1 + 8 * sums->people       /* Survivors,                          */
           + 2 * sums->cards            /* their equipment.                    */
           + 1 + 3 * sums->places       /* Locations,                          */
           + 2 * sums->entrances + 1;   /* their entrances; the result.        */
}

/* Every accepted command uses something up. It is the round's turns, a move, a die, a use of an
 * ability or a tool, a card, waste, or a vote. A card lets waste grow by one. But there is a set-up
 * in which somebody cleans and no waste goes. */
static uint32_t commands_max(const struct dead_setup *setup, const struct sums *sums)
{
    uint64_t turn = 1 + 3 * sums->people + 1 /* End, moves, dice and feeding. */
                    + sums->activations + sums->cards;
    uint64_t all = sums->seats + setup->rounds * sums->seats * (turn + sums->seats) /* Votes. */
                   + 2 * (uint64_t) sums->cards;
    return sums->endless || all > UINT32_MAX ? 0 : (uint32_t) all;
}

/* Each combination of card, survivor and target is a command, so one can set up a hand with thousands. Nobody gets
 * near that in play. */
#define USUAL_COMMANDS 512

void dead_extents(const void *at, uint32_t seats, struct extents *extents)
{
    const struct dead_setup *setup = at;
    uint32_t                 people = setup->characters.count, equipment = 0, entrances = 0;
    for (uint32_t i = 0; i < setup->cards.count; i++)
        equipment +=
            setup->edition != DEAD_BASE && dead_card(setup, i)->kind >= DEAD_HAMMER ? 1 : 0;
    for (uint32_t i = 0; i < setup->locations.count; i++)
        if (dead_location(setup, i)->entrances > entrances)
            entrances = dead_location(setup, i)->entrances;
    *extents = (struct extents){ .commands = USUAL_COMMANDS,
                                 .list = { DEAD_OFFER,             /* offer              */
                                           seats,                  /* seats              */
                                           people + 1,             /*     dice           */
                                           setup->cards.count,     /*     cards          */
                                           people,                 /*     survivors      */
                                           people,                 /* survivors          */
                                           equipment,              /*     equipment      */
                                           setup->locations.count, /* locations          */
                                           entrances } };          /*     entrances      */
}

void dead_bounds(const void *at, uint32_t seats, struct bounds *bounds)
{
    const struct dead_setup *setup = at;
    struct dead_state        header;
    struct sums              sums = add_up(setup, seats);
    uint32_t                 occupied = sums.people < sums.places ? sums.people : sums.places;
    *bounds = (struct bounds){
        .state_bytes = dead_lay_out(setup, seats, &header),
        /* Of the whole hand 5; of each place 10, and one per ability. */
        .legal_patterns = 5 + 10 * occupied + sums.people,
        /* Cards; eight lists of people; places per place; entrances twice; healers' patients. */
        .legal_values = sums.cards + 10 * sums.people + occupied * (sums.places + 2) +
                        2 * sums.entrances + sums.healers * sums.people + 16,
        .event_words = event_words(&sums),
        .view_words = view_words(&sums),
        .commands = commands_max(setup, &sums),
        .box_bytes = { 0, BOX_OF_DEAL, 0, 0 },
    };
}

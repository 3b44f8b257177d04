/* quests_bench.c: what the question whether a hand makes a quest costs, for the hands it is hardest on.
 *
 * Hands of 12 cards. Some are dealt from the full deck. Others have few kinds of foes and many
 * weapons. There nothing is answered at once, and most ways to lay the cards must be tried. Each is
 * asked for 2 to 5 stages. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/quests/quests_rules.h"

/* Of the same question; the quickest counts, as a neighbour's turn on the core does not. */
#define ROUNDS 3

struct worst {
    uint64_t ns;
    uint32_t stages;
    uint16_t hand[QUESTS_CARDS];
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static void add(uint16_t hand[QUESTS_CARDS], uint32_t card, uint32_t *count)
{
    if (hand[card] >= quests_copies[QUESTS_ADVENTURE][card])
        return;
    hand[card]++;
    ++*count;
}

/* With few foes of `foes` kinds; 0: any cards of the deck, evenly by their copies. */
static void deal(struct dice *dice, uint16_t hand[QUESTS_CARDS], uint32_t foes)
{
    uint32_t count = 0, wanted = 4 + draw_below(dice, 3);
    memset(hand, 0, QUESTS_CARDS * sizeof *hand);
    while (count < QUESTS_HAND) {
        uint32_t card = 1 + draw_below(dice, QUESTS_CARDS - 1);
        if (foes == 0 && draw_below(dice, 16) >= quests_copies[QUESTS_ADVENTURE][card])
            continue;
        if (foes > 0)
            card = count < wanted ? 1 + draw_below(dice, foes)
                                  : QUESTS_FOES + 1 + draw_below(dice, QUESTS_WEAPONS);
        add(hand, card, &count);
    }
}

static uint64_t ask(const uint16_t hand[QUESTS_CARDS], uint32_t stages)
{
    uint64_t best = UINT64_MAX;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t begun = now_ns();
        (void) quests_can_build(hand, stages, 0, NULL);
        uint64_t took = now_ns() - begun;
        best = took < best ? took : best;
    }
    return best;
}

static void measure(const char *name, uint32_t foes, uint32_t hands)
{
    struct dice  dice;
    struct worst worst = { 0 };
    uint64_t     sum = 0;
    dice_splitmix(&dice, 1);
    for (uint32_t i = 0; i < hands; i++) {
        uint16_t hand[QUESTS_CARDS];
        deal(&dice, hand, foes);
        for (uint32_t stages = 2; stages <= QUESTS_STAGES; stages++) {
            uint64_t took = ask(hand, stages);
            sum += took;
            if (took <= worst.ns)
                continue;
            worst.ns = took;
            worst.stages = stages;
            memcpy(worst.hand, hand, sizeof hand);
        }
    }
    printf("%-28s mean %7.2f us, longest %7.2f us, of %" PRIu32 " stages:", name,
           (double) sum / (4.0 * hands) / 1000, (double) worst.ns / 1000, worst.stages);
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        for (uint32_t i = 0; i < worst.hand[card]; i++)
            printf(" %s", quests_card_names[QUESTS_ADVENTURE][card - 1]);
    putchar('\n');
}

int main(int count, char **words)
{
    uint32_t hands = count > 1 ? (uint32_t) strtoul(words[1], NULL, 10) : 100000;
    if (hands == 0 || count > 2) {
        fputs("usage: quests_bench [HANDS]\n", stderr);
        return 2;
    }
    measure("dealt from the deck", 0, hands);
    for (uint32_t foes = 1; foes <= 3; foes++) {
        char name[40];
        (void) snprintf(name, sizeof name, "foes of %" PRIu32 " kinds, weapons", foes);
        measure(name, foes, hands);
    }
    return 0;
}

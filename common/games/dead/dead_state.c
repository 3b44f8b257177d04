/* dead_state.c: where everything lies in the state of a match. */
#include "games/dead/dead_state.h"

/* Takes the next bytes; every array begins at a multiple of 8 so that any type may stand there. */
static uint16_t take(uint32_t *used, uint32_t count, uint32_t size)
{
    uint32_t at = *used;
    *used = (at + count * size + 7) / 8 * 8;
    assert(*used <= UINT16_MAX);
    return (uint16_t) at;
}

uint32_t dead_lay_out(const struct dead_setup *setup, uint32_t seats, struct dead_state *header)
{
    uint32_t            used = sizeof *header;
    uint32_t            cards = setup->cards.count;
    uint32_t            people = setup->characters.count;
    uint32_t            people_words = (people + 63) / 64;
    uint32_t            card_words = (cards + 63) / 64;
    struct dead_layout *at = &header->at;

    at->here = take(&used, setup->locations.count * people_words, sizeof(uint64_t));
    at->ours = take(&used, seats * people_words, sizeof(uint64_t));
    at->hands = take(&used, seats * card_words, sizeof(uint64_t));
    at->gone = take(&used, card_words, sizeof(uint64_t));
    at->worn = take(&used, card_words, sizeof(uint64_t));
    at->spent = take(&used, card_words, sizeof(uint64_t));
    at->people = take(&used, people, sizeof(struct dead_person));
    at->seats = take(&used, seats, sizeof(struct dead_seat));
    at->pool = take(&used, people, sizeof(uint16_t));
    at->deck = take(&used, setup->deck.count, sizeof(uint16_t));
    at->taken = take(&used, setup->locations.count, sizeof(uint16_t));
    at->crises = take(&used, setup->crises.count, sizeof(uint16_t));
    at->fates = take(&used, setup->fates.count, sizeof(uint16_t));
    at->next = take(&used, setup->edition == DEAD_BASE ? 0 : cards, sizeof(uint16_t));
    at->zombies = take(&used, setup->entrances, 1);
    at->barricades = take(&used, setup->entrances, 1);

    header->bytes = (uint16_t) used;
    header->people_words = (uint16_t) people_words;
    header->card_words = (uint16_t) card_words;
    header->seats = (uint16_t) seats;
    return used;
}

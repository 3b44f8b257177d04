/* dead_hidden.c: which bytes of a match a viewer may know nothing of: whatever still lies face down. */
#include "games/dead/dead_rules.h"

static void hide(uint8_t *mask, size_t from, size_t bytes)
{
    memset(mask + from, 0xff, bytes);
}

/* The cards of an array of 16-bit numbers from one place to another. */
static void hide_cards(uint8_t *mask, uint16_t at, uint32_t from, uint32_t to)
{
    hide(mask, at + from * sizeof(uint16_t), (to - from) * sizeof(uint16_t));
}

static void hide_decks(const struct dead_setup *setup, const struct dead_state *state,
                       uint8_t *mask)
{
    for (uint32_t place = 0; place < setup->locations.count; place++) {
        const struct dead_location *location = dead_location(setup, place);
        uint32_t                    taken = dead_u16(state, state->at.taken)[place];
        hide_cards(mask, state->at.deck, location->deck_first + taken,
                   (uint32_t) location->deck_first + location->deck_count);
    }
    hide_cards(mask, state->at.crises, state->round, setup->crises.count);
}

/* Nobody sees the fate card of the turn before it comes true. */
static void hide_fate(const struct dead_setup *setup, const struct dead_state *state, uint8_t *mask)
{
    bool     waiting = state->fate_state == DEAD_FATE_WAITING;
    uint32_t shown = state->fates_used - waiting;
    hide_cards(mask, state->at.fates, shown, setup->fates.count);
    if (!waiting)
        return;
    hide(mask, offsetof(struct dead_state, fate), sizeof state->fate);
    hide(mask, offsetof(struct dead_state, waste_mark), sizeof state->waste_mark);
}

void dead_hidden(const void *setup, const void *at, uint32_t viewer, uint8_t *mask)
{
    const struct dead_state *state = at;
    bool                     chooses = state->phase == DEAD_PREPARATION && viewer == state->on_turn;
    hide_cards(mask, state->at.pool, chooses ? DEAD_OFFER : 0, state->pool_count);
    hide_decks(setup, state, mask);
    hide_fate(setup, state, mask);
    hide(mask, offsetof(struct dead_state, votes_for), sizeof state->votes_for);
    hide(mask, offsetof(struct dead_state, votes_against), sizeof state->votes_against);
}

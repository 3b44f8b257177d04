/* dead_view.c: what a player or a spectator may know of a match, as the words of one View. */
#include "games/dead/dead_rules.h"

struct look {
    const struct dead_setup *setup;
    const struct dead_state *state;
    struct sink             *out;
};

static void view_colony(const struct look *look)
{
    const struct dead_state *state = look->state;
    struct sink             *out = look->out;
    bool                     runs = state->round > 0;
    bool                     base = look->setup->edition == DEAD_BASE;
    uint32_t                 left = look->setup->rounds - state->round + 1;
    bool                     turn = state->phase == DEAD_TURN || state->phase == DEAD_VOTING;
    bool                     votes = state->phase == DEAD_VOTING;
    sink_put(out, state->phase);
    sink_put(out, base || !runs ? state->round : left);
    sink_put(out, state->phase == DEAD_OVER ? ABSENT : votes ? state->voter : state->on_turn);
    sink_put(out, turn ? (word) state->on_turn : ABSENT);
    sink_put(out, state->moral);
    sink_put(out, state->food < INT32_MAX ? state->food : INT32_MAX);
    sink_put(out, state->waste);
    sink_put(out, state->hunger);
    sink_put(out, state->children);
    const uint16_t *crises = dead_u16(state, state->at.crises);
    sink_put(out, runs ? dead_crisis(look->setup, crises[state->round - 1])->id : ABSENT);
    sink_put(out, state->contributed);
    sink_put(out, state->pool_count);
    sink_put(out, votes ? (word) dead_fate(look->setup, state->fate)->id : ABSENT);
}

static void view_offer(const struct look *look, uint32_t viewer)
{
    const struct dead_state *state = look->state;
    bool                     chooses = state->phase == DEAD_PREPARATION && viewer == state->on_turn;
    uint32_t                 count = chooses ? DEAD_OFFER : 0;
    sink_put(look->out, count);
    for (uint32_t i = 0; i < count; i++)
        sink_put(look->out, dead_id_of(look->setup, dead_u16(state, state->at.pool)[i]));
}

static void view_dice(const struct look *look, const struct dead_seat *seat)
{
    uint32_t count = 0;
    for (uint32_t side = 0; side < 6; side++)
        count += seat->dice[side];
    sink_put(look->out, count);
    for (uint32_t side = 0; side < 6; side++)
        for (uint32_t i = 0; i < seat->dice[side]; i++)
            sink_put(look->out, side + 1);
}

static void view_seat(const struct look *look, uint32_t seat)
{
    const struct dead_state *state = look->state;
    const uint64_t          *hand = dead_hand(state, seat);
    sink_put(look->out, seat);
    sink_put(look->out, dead_seat(state, seat)->in_game);
    view_dice(look, dead_seat(state, seat));
    sink_put(look->out, set_count(hand, state->card_words));
    FOR_EACH (card, hand, state->card_words)
        sink_put(look->out, dead_card(look->setup, card)->id);
    sink_put(look->out, set_count(dead_ours(state, seat), state->people_words));
    for (uint32_t who = dead_next_joined(state, seat, 0); who != DEAD_NONE;
         who = dead_next_joined(state, seat, dead_person(state, who)->joined + 1u))
        sink_put(look->out, dead_id_of(look->setup, who));
}

static void view_survivor(const struct look *look, uint32_t who)
{
    const struct dead_state  *state = look->state;
    const struct dead_person *person = dead_person(state, who);
    const uint16_t           *next = dead_u16(state, state->at.next);
    uint32_t                  count = 0;
    sink_put(look->out, dead_id_of(look->setup, who));
    sink_put(look->out, person->owner);
    sink_put(look->out, dead_location(look->setup, person->place)->id);
    sink_put(look->out, person->wounds);
    sink_put(look->out, person->frostbites);
    sink_put(look->out, person->moved);
    sink_put(look->out, person->ability_used);
    for (uint32_t card = person->equipment; card != DEAD_NONE; card = next[card])
        count++;
    sink_put(look->out, count);
    for (uint32_t card = person->equipment; card != DEAD_NONE; card = next[card]) {
        sink_put(look->out, dead_card(look->setup, card)->id);
        sink_put(look->out, set_has(dead_u64(state, state->at.spent), card));
    }
}

static void view_survivors(const struct look *look)
{
    const struct dead_state *state = look->state;
    uint32_t                 count = 0;
    for (uint32_t seat = 0; seat < state->seats; seat++)
        count += set_count(dead_ours(state, seat), state->people_words);
    sink_put(look->out, count);
    for (uint32_t seat = 0; seat < state->seats; seat++)
        FOR_EACH (who, dead_ours(state, seat), state->people_words)
            view_survivor(look, who);
}

static void view_location(const struct look *look, uint32_t place)
{
    const struct dead_location *location = dead_location(look->setup, place);
    sink_put(look->out, location->id);
    sink_put(look->out, dead_cards_left(look->setup, look->state, place));
    sink_put(look->out, location->entrances);
    for (uint32_t i = 0; i < location->entrances; i++) {
        sink_put(look->out, dead_zombies(look->state, location)[i]);
        sink_put(look->out, dead_barricades(look->state, location)[i]);
    }
}

void dead_view(const void *setup, const void *state, uint32_t viewer, struct sink *out)
{
    struct look look = { setup, state, out };
    view_colony(&look);
    view_offer(&look, viewer);
    sink_put(out, look.state->seats);
    for (uint32_t seat = 0; seat < look.state->seats; seat++)
        view_seat(&look, seat);
    view_survivors(&look);
    sink_put(out, look.setup->locations.count);
    for (uint32_t place = 0; place < look.setup->locations.count; place++)
        view_location(&look, place);
    sink_put(out, look.state->phase == DEAD_OVER ? look.state->won : ABSENT);
}

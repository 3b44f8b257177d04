/* objectron_foresight.c: how a player who thinks ahead sees objectron.
 *
 * A view shows nearly everything. Only active grenades are in none: everybody saw where they were
 * armed, and the notes remember it. Who came in late believes that there are none. What was
 * destroyed is left out of a guess, for nothing can come of it any more. */
#include "games/objectron/objectron_rules.h"

#include <string.h>

#include "rules/foresight.h"

#define ARMED_MAX 60
#define FLAG_WORTH (40 * OBJECTRON_STEP_COST) /* What a flag at home, and one carried, is in way. */
#define CARRIED_WORTH (12 * OBJECTRON_STEP_COST)
#define QUARTER_WORTH 14 /* Of an estimate: what a quarter of an action ahead is worth.    */

/* What is written down. */
struct notes {
    word granted; /* Actions of the turn, as it was said when it began. */
    word armed;   /* How many grenades: their ids and squares.          */
    word id[ARMED_MAX];
    word at[ARMED_MAX];
};

static void note_armed(struct notes *notes, word id, word at)
{
    if (notes->armed >= ARMED_MAX)
        return;
    notes->id[notes->armed] = id;
    notes->at[notes->armed++] = at;
}

static void note_exploded(struct notes *notes, word id)
{
    for (word i = 0; i < notes->armed; i++)
        if (notes->id[i] == id) {
            notes->armed--;
            notes->id[i] = notes->id[notes->armed];
            notes->at[i] = notes->at[notes->armed];
            return;
        }
}

static void note(const void *of_setup, uint32_t seat, const word *event, word *words)
{
    (void) seat;
    const struct objectron_setup *setup = of_setup;
    struct notes                 *notes = (struct notes *) words;
    const word                   *fields = event_fields(event);
    switch (event_kind(event)) {
    case OBJECTRON_TURN_STARTED: notes->granted = fields[2]; break;
    case OBJECTRON_GRENADE_ARMED:
        note_armed(notes, fields[0], fields[3] * setup->width + fields[2]);
        break;
    case OBJECTRON_GRENADE_EXPLODED: note_exploded(notes, fields[0]); break;
    default: break;
    }
}

/* A guess in the making. */
struct guess {
    const struct objectron_setup *setup;
    struct objectron_state       *state;
    const struct notes           *notes; /* NULL: none.                            */
    struct view_reader            view;
    int32_t carried[OBJECTRON_PLAYERS_MAX][OBJECTRON_INVENTORY_MAX]; /* Ids of items. */
};

/* A square that there is. */
static int32_t read_place(struct guess *guess)
{
    int32_t x = (int32_t) view_read(&guess->view, 0, guess->setup->width - 1);
    int32_t y = (int32_t) view_read(&guess->view, 0, guess->setup->height - 1);
    return y * guess->setup->width + x;
}

static int32_t read_square(struct guess *guess)
{
    return view_read(&guess->view, 0, 1) == 1 ? read_place(guess) : -1;
}

static int32_t read_number(struct guess *guess, int32_t most)
{
    return (int32_t) view_read(&guess->view, 0, most);
}

static void skip(struct guess *guess, uint32_t words)
{
    while (words-- > 0)
        (void) view_read(&guess->view, INT64_MIN, INT64_MAX);
}

static uint32_t read_seats(struct guess *guess)
{
    uint32_t seats = 0;
    for (word count = view_read(&guess->view, 0, guess->state->seats); count > 0; count--)
        seats |= 1u << view_read(&guess->view, 0, guess->state->seats - 1);
    return seats;
}

static void read_grid(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    (void) view_read(&guess->view, state->height, state->height);
    for (int32_t y = 0; y < state->height; y++) {
        (void) view_read(&guess->view, state->width, state->width);
        for (int32_t x = 0; x < state->width; x++) {
            char letter = (char) view_read(&guess->view, 0, 127);
            if (letter != OBJECTRON_FREE && letter != OBJECTRON_HOLE && letter != OBJECTRON_WALL)
                guess->view.is_broken = true;
            objectron_cells(state)[y * state->width + x] = letter;
        }
    }
    (void) view_read(&guess->view, state->seats, state->seats);
    for (int32_t seat = 0; seat < state->seats; seat++)
        state->player[seat].home = (int16_t) read_place(guess);
}

static void read_turn(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    state->turn = read_number(guess, INT32_MAX);
    word current = view_read_or_absent(&guess->view, 0, state->seats - 1);
    state->current = current == ABSENT ? state->seats - 1 : (int32_t) current;
    state->left = read_number(guess, state->actions);
    state->granted = state->left;
    if (guess->notes != NULL && guess->notes->granted > state->left &&
        guess->notes->granted <= state->actions)
        state->granted = (int32_t) guess->notes->granted;
    state->moved = read_number(guess, 1);
    state->turn_start = read_square(guess);
    state->over = read_number(guess, 1);
    word winner = view_read_or_absent(&guess->view, 0, state->seats - 1);
    state->winner = winner == ABSENT ? -1 : (int32_t) winner;
    skip(guess, 12); /* Limits: they are in the set-up. */
}

/* An item, put where its id belongs. Until all are there, `uses` holds a teleporter's other end. */
static int32_t read_item(struct guess *guess, int32_t holder)
{
    struct objectron_state *state = guess->state;
    struct objectron_item  *item = objectron_items(state);
    struct objectron_item new = { .holder = (int16_t) holder, .by = -1, .dest = -1 };
    new.id = (int32_t) view_read(&guess->view, INT32_MIN, INT32_MAX);
    new.kind = (uint8_t) view_read(&guess->view, OBJECTRON_GRENADE, OBJECTRON_FLAG);
    new.at = (int16_t) read_square(guess);
    word grenade = view_read_or_absent(&guess->view, OBJECTRON_IDLE, OBJECTRON_EXPLODED);
    word dest = view_read_or_absent(&guess->view, INT32_MIN, INT32_MAX);
    word owner = view_read_or_absent(&guess->view, 0, state->seats - 1);
    if (new.kind == OBJECTRON_GRENADE)
        new.state = grenade == ABSENT ? OBJECTRON_IDLE : (uint8_t) grenade;
    new.uses = dest == ABSENT ? 0 : (uint32_t) (int32_t) dest;
    new.owner = owner == ABSENT ? -1 : (int16_t) owner;
    if (state->items >= objectron_items_most(guess->setup)) {
        guess->view.is_broken = true;
        return new.id;
    }
    int32_t at = state->items++;
    for (; at > 0 && item[at - 1].id > new.id; at--)
        item[at] = item[at - 1];
    item[at] = new;
    return new.id;
}

static void read_trail(struct guess *guess, struct objectron_player *player)
{
    player->pieces = (uint8_t) read_number(guess, OBJECTRON_TRAIL_MAX);
    for (uint32_t i = 0; i < player->pieces; i++) {
        player->trail[i].at = (int16_t) read_place(guess);
        player->trail[i].link = (uint8_t) read_number(guess, 1);
        player->trail[i].left = (uint8_t) read_number(guess, OBJECTRON_TRAIL_MAX);
    }
}

static void read_players(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    (void) view_read(&guess->view, state->seats, state->seats);
    for (int32_t seat = 0; seat < state->seats; seat++) {
        struct objectron_player *player = &state->player[seat];
        (void) view_read(&guess->view, seat, seat);
        player->at = (int16_t) read_square(guess);
        player->alive = (uint8_t) read_number(guess, 1);
        read_trail(guess, player);
        player->carried = (uint8_t) read_number(guess, state->inventory);
        for (uint32_t i = 0; i < player->carried; i++)
            guess->carried[seat][i] = read_item(guess, seat);
        player->pending = read_number(guess, INT32_MAX);
        player->skip = read_number(guess, INT32_MAX);
        skip(guess, 1); /* Whether a field holds the player: the fields say so. */
        player->captured = read_seats(guess);
    }
}

static int32_t index_of(struct guess *guess, int32_t id)
{
    int32_t index = objectron_item_of(guess->state, id);
    if (index >= 0)
        return index;
    guess->view.is_broken = true;
    return 0;
}

/* What no view tells, as far as there is room for it. */
static void add_armed(struct guess *guess)
{
    const struct notes     *notes = guess->notes;
    struct objectron_state *state = guess->state;
    struct objectron_item  *item = objectron_items(state);
    for (word i = 0; notes != NULL && i < notes->armed && i < ARMED_MAX; i++) {
        int32_t at = (int32_t) notes->at[i];
        if (state->items >= objectron_items_most(guess->setup) || at < 0 ||
            at >= objectron_squares(state) || !objectron_free(state, at))
            continue;
        int32_t place = state->items++;
        for (; place > 0 && item[place - 1].id > (int32_t) notes->id[i]; place--)
            item[place] = item[place - 1];
        item[place] = (struct objectron_item){ .id = (int32_t) notes->id[i],
                                               .kind = OBJECTRON_GRENADE,
                                               .state = OBJECTRON_ACTIVE,
                                               .at = (int16_t) at,
                                               .holder = -1,
                                               .by = -1,
                                               .dest = -1,
                                               .owner = -1 };
    }
}

/* Now each has its place in the list, and may be pointed at. */
static void join_items(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    struct objectron_item  *item = objectron_items(state);
    for (int32_t i = 0; i < state->items; i++) {
        if (item[i].kind == OBJECTRON_TELEPORTER)
            item[i].dest = (int16_t) index_of(guess, (int32_t) item[i].uses);
        if (item[i].state == OBJECTRON_PLACED) /* By whoever stands on it: it is not armed yet. */
            item[i].by = (int16_t) objectron_player_on(state, item[i].at);
        item[i].uses = 0;
    }
    for (int32_t seat = 0; seat < state->seats; seat++)
        for (uint32_t i = 0; i < state->player[seat].carried; i++)
            state->player[seat].inventory[i] = (uint16_t) index_of(guess, guess->carried[seat][i]);
}

static void read_failures(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    state->failures = read_number(guess, state->failures_most);
    for (int32_t i = 0; i < state->failures; i++) {
        struct objectron_failure *failure = &objectron_failures(state)[i];
        failure->id = read_number(guess, INT32_MAX - 1);
        failure->primary = (int16_t) read_square(guess);
        failure->secondary = (int16_t) read_square(guess);
        failure->tertiary = (int16_t) read_square(guess);
        word dir = view_read_or_absent(&guess->view, 1, 8);
        word rotation = view_read_or_absent(&guess->view, 1, 2);
        failure->dir = dir == ABSENT ? 0 : (uint8_t) (dir - 1);
        failure->rotation = rotation == ABSENT ? 0 : (uint8_t) rotation;
        failure->count = read_number(guess, INT32_MAX);
        failure->turns = read_number(guess, INT32_MAX);
        if (failure->id >= state->next_failure)
            state->next_failure = failure->id + 1;
    }
}

static void read_field(struct guess *guess, struct objectron_field *field)
{
    int32_t square[4] = { 0 };
    field->id = read_number(guess, INT32_MAX - 1);
    field->a = (uint16_t) index_of(guess, (int32_t) view_read(&guess->view, INT32_MIN, INT32_MAX));
    field->b = (uint16_t) index_of(guess, (int32_t) view_read(&guess->view, INT32_MIN, INT32_MAX));
    field->length = (uint8_t) view_read(&guess->view, 2, 4);
    for (uint32_t i = 0; i < field->length; i++)
        square[i] = read_place(guess);
    field->from = (int16_t) square[0];
    field->step = (int8_t) (square[1] - square[0]);
    field->on = (uint8_t) read_number(guess, 1);
    field->counter = (uint8_t) read_number(guess, 1);
    field->trapped = (uint16_t) read_seats(guess);
}

static void read_fields(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    state->fields = read_number(guess, state->fields_most);
    for (int32_t i = 0; i < state->fields && !guess->view.is_broken; i++) {
        struct objectron_field *field = &objectron_fields(state)[i];
        read_field(guess, field);
        if (field->on)
            state->held |= objectron_caught(state, field);
        if (field->id >= state->next_field)
            state->next_field = field->id + 1;
    }
}

static void read_view(struct guess *guess)
{
    struct objectron_state *state = guess->state;
    (void) view_read(&guess->view, state->mode, state->mode);
    (void) view_read(&guess->view, state->width, state->width);
    (void) view_read(&guess->view, state->height, state->height);
    read_grid(guess);
    read_turn(guess);
    read_players(guess);
    for (word count = view_read(&guess->view, 0, objectron_items_most(guess->setup)); count > 0;
         count--)
        (void) read_item(guess, -1);
    add_armed(guess);
    join_items(guess);
    read_failures(guess);
    read_fields(guess);
    skip(guess, (uint32_t) view_read(&guess->view, 0, 8)); /* Moves that are allowed. */
}

static bool make_guess(const void *setup, const struct known *known, struct dice *dice, void *state)
{
    struct guess guess = { .setup = setup, .state = state, .view = view_reader_of(known) };
    (void) dice;
    if (known->seats != (uint32_t) guess.setup->players)
        return false;
    objectron_lay_empty(guess.setup, guess.state);
    guess.notes = (const struct notes *) known->notes;
    read_view(&guess);
    return view_was_good(&guess.view);
}

/* What a seat has still to go, in quarters of an action. */
static int64_t way_of(const struct objectron_state *state, uint32_t seat)
{
    const struct objectron_player *player = &state->player[seat];
    if (!player->alive)
        return OBJECTRON_FAR;
    int64_t way = objectron_way(state, seat);
    if (objectron_carried_flag(state, seat) >= 0)
        way -= CARRIED_WORTH;
    for (uint32_t owner = 0; owner < OBJECTRON_PLAYERS_MAX; owner++)
        way -= (player->captured >> owner & 1) * FLAG_WORTH;
    way += (int64_t) player->skip * state->actions * OBJECTRON_STEP_COST;
    way += (int64_t) player->pending * OBJECTRON_STEP_COST;
    if ((int32_t) seat == state->current)
        way -= state->left * OBJECTRON_STEP_COST;
    return way;
}

/* Each is as well off as the others have a longer way to go. */
static void estimate(const void *setup, const void *of, int32_t *per_seat)
{
    (void) setup;
    const struct objectron_state *state = of;
    int64_t                       way[OBJECTRON_PLAYERS_MAX];
    for (int32_t seat = 0; seat < state->seats; seat++)
        way[seat] = way_of(state, (uint32_t) seat);
    for (int32_t seat = 0; seat < state->seats; seat++) {
        int64_t least = INT64_MAX;
        for (int32_t other = 0; other < state->seats; other++)
            if (other != seat && way[other] < least)
                least = way[other];
        int64_t ahead = (least - way[seat]) * QUARTER_WORTH;
        int64_t most = ESTIMATE_MOST * 9 / 10;
        per_seat[seat] = (int32_t) (ahead > most ? most : ahead < -most ? -most : ahead);
    }
}

const struct foresight objectron_foresight = {
    .notes_words = sizeof(struct notes) / sizeof(word),
    .note = note,
    .guess = make_guess,
    .estimate = estimate,
    .opinion_bytes = OBJECTRON_OPINION_BYTES,
    .consider = objectron_consider,
    .like = objectron_like,
    .commands = 8,
    .liked = 100,
    .curiosity = 10,
    .levels = 4,
    .level = { { .nodes = 10, .careless = 40 },
               { .nodes = 10, .careless = 10 },
               { .nodes = 80 },
               { .nodes = 1000 } },
};

/* treasure_foresight.c: how a player who thinks ahead sees the treasure hunt.
 *
 * Of the joined map everybody sees the terrain. Hidden are the own treasure until it is seen, the
 * enemy's castle, all that the enemy has found and announced, and for the first actions the enemy's
 * figure. They are put where they may be: on grass of their half that was not explored. The notes
 * remember where the enemy's figure stood when it was first seen, for it came from the castle. */
#include "dice/draw.h"
#include "games/treasure/treasure_rules.h"
#include "rules/foresight.h"

/* What is written down: the figure's first sight. */
struct notes {
    word shown; /* 1: it was seen. */
    word x, y;
    word after; /* So many actions of the game. */
};

static void note(const void *setup, uint32_t seat, const word *event, word *words)
{
    (void) setup, (void) seat;
    struct notes *notes = (struct notes *) words;
    const word   *fields = event_fields(event);
    if (event_kind(event) != TREASURE_ENEMY_POSITION || fields[3] != 0 || notes->shown != 0)
        return;
    *notes = (struct notes){ 1, fields[1], fields[2], fields[0] };
}

/* A guess in the making. */
struct guess {
    const struct treasure_setup *setup;
    struct treasure_state       *state;
    struct dice                 *dice;
    const struct notes          *notes; /* NULL: none. */
    struct view_reader           view;
    uint32_t                     viewer;
    bool                         treasure_known, is_masked;
};

/* A field, if it is told. */
static bool read_field(struct guess *guess, int32_t *x, int32_t *y)
{
    if (view_read(&guess->view, 0, 1) == 0)
        return false;
    *x = (int32_t) view_read(&guess->view, 0, treasure_columns(guess->setup, guess->state) - 1);
    *y = (int32_t) view_read(&guess->view, 0, treasure_rows(guess->setup, guess->state) - 1);
    return true;
}

/* One that has to be told. */
static void read_place(struct guess *guess, int32_t *x, int32_t *y)
{
    if (!read_field(guess, x, y))
        guess->view.is_broken = true;
}

static void skip(struct guess *guess, uint32_t words)
{
    while (words-- > 0)
        (void) view_read(&guess->view, INT64_MIN, INT64_MAX);
}

/* Where the halves lie follows from the map's shape, and later from where the own half begins. So the
 * terrain is read from behind: its words are looked at again once that is known. */
static void read_terrain(struct guess *guess, const word *terrain)
{
    const struct treasure_setup *setup = guess->setup;
    struct treasure_state       *state = guess->state;
    int32_t columns = treasure_columns(setup, state), rows = treasure_rows(setup, state);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++) {
            word letter = terrain[y * (columns + 1) + 1 + x];
            bool second = state->side ? x >= (int32_t) setup->width : y >= (int32_t) setup->height;
            uint32_t seat = (uint32_t) state->first ^ (second ? 1u : 0u);
            int32_t  column = state->side && second ? x - (int32_t) setup->width : x;
            int32_t  row = !state->side && second ? y - (int32_t) setup->height : y;
            if (letter != 'G' && letter != 'M' && letter != 'W')
                guess->view.is_broken = true;
            treasure_field(setup, state, seat)[row * (int32_t) setup->width + column] =
                letter == 'M'   ? TREASURE_MOUNTAIN
                : letter == 'W' ? TREASURE_WATER
                                : TREASURE_GRASS;
        }
}

/* A list of rows, each of so many letters; NULL: there is none. */
static const word *read_rows(struct guess *guess)
{
    int32_t columns = treasure_columns(guess->setup, guess->state);
    int32_t rows = treasure_rows(guess->setup, guess->state);
    (void) view_read(&guess->view, rows, rows);
    const word *first = guess->view.at;
    if (guess->view.end - first < (ptrdiff_t) rows * (columns + 1)) {
        guess->view.is_broken = true;
        return NULL;
    }
    for (int32_t y = 0; y < rows; y++) {
        (void) view_read(&guess->view, columns, columns);
        skip(guess, (uint32_t) columns);
    }
    return first;
}

static void read_pending(struct guess *guess, struct treasure_pending *pending)
{
    pending->running = (int32_t) view_read(&guess->view, 0, 1);
    if (!pending->running)
        return;
    read_place(guess, &pending->x, &pending->y);
    pending->next = (int32_t) view_read(&guess->view, 0, INT32_MAX);
}

static void read_explored(struct guess *guess)
{
    int32_t     columns = treasure_columns(guess->setup, guess->state);
    int32_t     rows = treasure_rows(guess->setup, guess->state);
    uint8_t    *explored = treasure_explored(guess->setup, guess->state, guess->viewer);
    const word *first = read_rows(guess);
    for (int32_t y = 0; first != NULL && y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            explored[y * columns + x] = first[y * (columns + 1) + 1 + x] == 'x';
}

static void read_places(struct guess *guess, const word *terrain)
{
    const struct treasure_setup *setup = guess->setup;
    struct treasure_state       *state = guess->state;
    struct treasure_seat        *own = &state->seat[guess->viewer];
    struct treasure_seat        *other = &state->seat[1 - guess->viewer];
    int32_t                      left = 0, top = 0;

    read_place(guess, &left, &top);
    state->first = (int32_t) (left == 0 && top == 0 ? guess->viewer : 1 - guess->viewer);
    (void) view_read(&guess->view, setup->width, setup->width);
    (void) view_read(&guess->view, setup->height, setup->height);
    if (terrain != NULL)
        read_terrain(guess, terrain);
    read_place(guess, &own->castle_x, &own->castle_y);
    read_place(guess, &own->x, &own->y);
    read_pending(guess, &own->pending);
    read_place(guess, &own->enemy_x, &own->enemy_y);
    guess->is_masked = view_read(&guess->view, 0, 1) == 1;
    own->treasure = (int32_t) view_read(&guess->view, 0, 1);
    guess->treasure_known = read_field(guess, &own->treasure_x, &own->treasure_y);
    own->treasure_seen = guess->treasure_known || own->treasure;
    own->castle_seen = read_field(guess, &other->castle_x, &other->castle_y);
    read_explored(guess);
}

/* False: the halves are not joined, or all is over. */
static bool read_view(struct guess *guess)
{
    const struct treasure_setup *setup = guess->setup;
    struct treasure_state       *state = guess->state;
    word                         seat = guess->viewer;
    word                         wide = 2 * (word) setup->width, high = 2 * (word) setup->height;

    (void) view_read(&guess->view, 1, 1);
    skip(guess, 1);
    (void) view_read(&guess->view, seat, seat);
    state->n = (int32_t) view_read(&guess->view, 0, setup->max_actions);
    (void) view_read_or_absent(&guess->view, 0, 1);
    state->phase = (int32_t) view_read(&guess->view, TREASURE_HALVES, TREASURE_END);
    if (state->phase != TREASURE_MOVES)
        return false;
    state->merged = 1;
    word columns = view_read(&guess->view, setup->width, wide);
    state->side = columns == wide;
    (void) view_read(&guess->view, state->side ? setup->height : high,
                     state->side ? setup->height : high);
    if (columns != wide && columns != setup->width)
        guess->view.is_broken = true;
    read_places(guess, read_rows(guess));
    skip(guess, 5); /* That nobody has won. */
    return view_was_good(&guess->view);
}

/* What may be where. */

static int32_t distance(int32_t x, int32_t y, int32_t to_x, int32_t to_y)
{
    int32_t across = x < to_x ? to_x - x : x - to_x, down = y < to_y ? to_y - y : y - to_y;
    return across + down;
}

/* Whether the enemy's figure could have come from there to where it was first seen. A step takes one of
 * its actions at least, and it has every second one. */
static bool could_come_from(const struct guess *guess, int32_t x, int32_t y)
{
    const struct notes *notes = guess->notes;
    return notes == NULL || notes->shown == 0 ||
           2 * distance(x, y, (int32_t) notes->x, (int32_t) notes->y) <= notes->after + 1;
}

/* How well grass of a half does to hide something, 0 to 3: unexplored, and far or near enough. */
static uint32_t hides(const struct guess *guess, uint32_t owner, int32_t x, int32_t y, bool castle)
{
    const struct treasure_seat *seat = &guess->state->seat[owner];
    int32_t                     columns = treasure_columns(guess->setup, guess->state);
    const uint8_t *explored = treasure_explored(guess->setup, guess->state, guess->viewer);
    if (treasure_terrain(guess->setup, guess->state, x, y) != TREASURE_GRASS)
        return 0;
    int32_t  across = x - seat->castle_x, down = y - seat->castle_y;
    uint32_t wide = (uint32_t) (across < 0 ? -across : across);
    uint32_t high = (uint32_t) (down < 0 ? -down : down);
    bool     far = (wide > high ? wide : high) >= guess->setup->treasure_distance;
    bool     fits = castle ? could_come_from(guess, x, y) : far;
    bool     unknown = (owner != guess->viewer && !castle) || !explored[y * columns + x];
    return !unknown ? 1 : fits ? 3 : 2;
}

/* Draws a field of the half, one of those that do best. */
static void hide(struct guess *guess, uint32_t owner, bool castle, int32_t *hidden_x,
                 int32_t *hidden_y)
{
    int32_t  left, top;
    uint32_t best = 1, count = 0;
    treasure_origin(guess->setup, guess->state, owner, &left, &top);
    int32_t right = left + (int32_t) guess->setup->width;
    int32_t bottom = top + (int32_t) guess->setup->height;
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++) {
            uint32_t well = hides(guess, owner, x, y, castle);
            if (well < best)
                continue;
            count = well > best ? 1 : count + 1;
            best = well;
            if (draw_below(guess->dice, count) != 0)
                continue;
            *hidden_x = x;
            *hidden_y = y;
        }
    if (count == 0)
        guess->view.is_broken = true;
}

/* The longer it lasts, the likelier the enemy has found something. */
static bool has_found(struct guess *guess)
{
    return (int32_t) draw_below(guess->dice, guess->setup->max_actions) < guess->state->n;
}

static void guess_enemy(struct guess *guess)
{
    struct treasure_state *state = guess->state;
    struct treasure_seat  *own = &state->seat[guess->viewer];
    uint32_t               enemy = 1 - guess->viewer;
    struct treasure_seat  *other = &state->seat[enemy];
    if (!own->castle_seen)
        hide(guess, enemy, true, &other->castle_x, &other->castle_y);
    hide(guess, enemy, false, &other->treasure_x, &other->treasure_y);
    other->x = guess->is_masked ? other->castle_x : own->enemy_x;
    other->y = guess->is_masked ? other->castle_y : own->enemy_y;
    other->enemy_x = own->x;
    other->enemy_y = own->y;
    other->treasure = has_found(guess);
    other->treasure_seen = other->treasure || has_found(guess);
    other->castle_seen = has_found(guess);
    int32_t columns = treasure_columns(guess->setup, state);
    treasure_explored(guess->setup, state, enemy)[other->y * columns + other->x] = 1;
}

/* When figures were first shown, for both. */
static void guess_sights(struct guess *guess)
{
    struct treasure_state *state = guess->state;
    if (guess->is_masked)
        return;
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        struct treasure_seat *player = &state->seat[seat];
        bool noted = seat != guess->viewer && guess->notes != NULL && guess->notes->shown != 0;
        player->shown = 1;
        player->shown_x = noted ? (int32_t) guess->notes->x : player->x;
        player->shown_y = noted ? (int32_t) guess->notes->y : player->y;
        player->shown_after = noted ? (int32_t) guess->notes->after : state->n;
        if (treasure_terrain(guess->setup, state, player->shown_x, player->shown_y) >=
            TREASURE_WATER)
            guess->view.is_broken = true;
    }
}

static bool make_guess(const void *setup, const struct known *known, struct dice *dice, void *state)
{
    struct guess guess = {
        .setup = setup,
        .state = state,
        .dice = dice,
        .notes = (const struct notes *) known->notes,
        .view = view_reader_of(known),
        .viewer = known->seat,
    };
    if (known->seat >= TREASURE_SEATS || known->seats != TREASURE_SEATS || !read_view(&guess))
        return false;
    struct treasure_seat *own = &guess.state->seat[known->seat];
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        guess.state->seat[seat].has_half = 1;
        guess.state->seat[seat].given = TREASURE_NOWHERE;
    }
    guess.state->last.id = guess.state->n;
    guess.state->last.seat = (int32_t) (1 - known->seat);
    if (!guess.treasure_known)
        hide(&guess, known->seat, false, &own->treasure_x, &own->treasure_y);
    guess_enemy(&guess);
    guess_sights(&guess);
    return !guess.view.is_broken;
}

/* Half of a hunt is the treasure. How far a player has come counts, and how far the enemy. */
static void estimate(const void *setup, const void *of, int32_t *per_seat)
{
    (void) setup;
    const struct treasure_state *state = of;
    int32_t                      way[TREASURE_SEATS];
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct treasure_seat *own = &state->seat[seat], *other = &state->seat[1 - seat];
        int32_t                     x = own->treasure ? own->x : own->treasure_x;
        int32_t                     y = own->treasure ? own->y : own->treasure_y;
        way[seat] = distance(x, y, other->castle_x, other->castle_y);
        way[seat] += distance(own->x, own->y, x, y);
        way[seat] += own->treasure || own->treasure_seen ? 0 : 4; /* It has to be found. */
        way[seat] += own->castle_seen ? 0 : 6;
    }
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        int32_t ahead = (way[1 - seat] - way[seat]) * 40;
        per_seat[seat] = ahead > 900 ? 900 : ahead < -900 ? -900 : ahead;
    }
}

/* A step that was announced is made: who turns round has lost the actions that it took. */
static void narrow(const void *setup, const void *of, uint32_t seat, struct legal *list)
{
    const struct treasure_state   *state = of;
    const struct treasure_pending *pending = &state->seat[seat].pending;
    struct pattern_arg            *directions = &list->pattern[0].arg[1];
    int32_t                        x, y;
    (void) setup;
    for (uint32_t i = 0; pending->running && i < directions->count; i++) {
        treasure_neighbour(state, seat, list->value[directions->first + i], &x, &y);
        if (x != pending->x || y != pending->y)
            continue;
        *directions = (struct pattern_arg){ directions->first + i, 1 };
        return;
    }
}

const struct foresight treasure_foresight = {
    .notes_words = sizeof(struct notes) / sizeof(word),
    .note = note,
    .guess = make_guess,
    .estimate = estimate,
    .opinion_bytes = TREASURE_OPINION_BYTES,
    .consider = treasure_consider,
    .like = treasure_like,
    .narrow = narrow,
    .commands = 60,
    .liked = 100,
    .curiosity = 15,
    .trust = 2000,
    .levels = 4,
    .level = { { .nodes = 1, .careless = 20 },
               { .nodes = 1, .careless = 10 },
               { .nodes = 1, .careless = 4 },
               { .nodes = 200 } },
};

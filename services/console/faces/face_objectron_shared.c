/* face_objectron_shared.c: what the grid of objectron has no room for: all that shares a square, and all
 * squares without power. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/face_objectron.h"

#define SHARED_LISTED 8 /* So many squares are named, but on a whole board. */
#define DARK_LISTED 40  /* So many squares are named; of more, their number. */

/* Squares, row by row, and how much there is on each, or whether it is dark. */
struct squares {
    struct drawing                 *drawing;
    const Arbiter__Objectron__View *view;
    uint8_t                         count[OBJECTRON_SQUARES_MAX];
};

static void add(struct squares *squares, const Arbiter__Objectron__Square *at)
{
    if (at == NULL || at->x >= OBJECTRON_SIDE_MAX || at->y >= OBJECTRON_SIDE_MAX)
        return;
    uint8_t *count = &squares->count[at->y * OBJECTRON_SIDE_MAX + at->x];
    if (*count < UINT8_MAX)
        ++*count;
}

static struct squares *squares_of(struct drawing *drawing)
{
    struct squares *squares = calloc(1, sizeof *squares);
    if (squares == NULL)
        abort();
    squares->drawing = drawing;
    squares->view = objectron_seen(drawing->phrase);
    return squares;
}

static bool is_at(const Arbiter__Objectron__Square *at, uint32_t x, uint32_t y)
{
    return at != NULL && at->x == x && at->y == y;
}

static bool is_among(Arbiter__Objectron__Square *const *squares, size_t count, uint32_t x,
                     uint32_t y)
{
    for (size_t i = 0; i < count; i++)
        if (is_at(squares[i], x, y))
            return true;
    return false;
}

static void put_place(struct drawing *drawing, uint32_t x, uint32_t y, const char *behind)
{
    char place[32];
    (void) snprintf(place, sizeof place, " %" PRIu32 ",%" PRIu32 "%s", x + 1, y + 1, behind);
    board_text_put(&drawing->text, COLOUR_BOLD, place);
}

/* "the start of Ada" and the like: what it is, and whose. */
static void put_of(struct drawing *drawing, const char *english, const char *german, uint32_t seat)
{
    board_say(drawing, COLOUR_NONE, english, german);
    board_name(drawing, COLOUR_NONE, board_seat, seat);
}

/* Between two things on a square. */
static void put_plus(struct drawing *drawing, bool *is_first)
{
    board_text_put(&drawing->text, COLOUR_DIM, *is_first ? " " : " + ");
    *is_first = false;
}

static void put_players(struct drawing *drawing, const Arbiter__Objectron__View *view, uint32_t x,
                        uint32_t y, bool *is_first)
{
    for (size_t i = 0; i < view->n_players; i++) {
        const Arbiter__Objectron__View__Player *player = view->players[i];
        if (player->alive && is_at(player->at, x, y)) {
            put_plus(drawing, is_first);
            board_name(drawing, COLOUR_BOLD, board_seat, player->id);
        }
        for (size_t k = 0; k < player->n_trail; k++)
            if (player->trail[k]->x == x && player->trail[k]->y == y) {
                put_plus(drawing, is_first);
                put_of(drawing, "the trail of ", "die Spur von ", player->id);
            }
    }
}

static void put_items(struct drawing *drawing, const Arbiter__Objectron__View *view, uint32_t x,
                      uint32_t y, bool *is_first)
{
    for (size_t i = 0; i < view->n_items; i++) {
        const Arbiter__Objectron__View__Item *item = view->items[i];
        if (!is_at(item->at, x, y))
            continue;
        put_plus(drawing, is_first);
        if (item->state == ARBITER__OBJECTRON__VIEW__ITEM__STATE__STATE_EXPLODED)
            board_say(drawing, COLOUR_DIM, "an exploded grenade", "eine explodierte Granate");
        else
            board_name(drawing, COLOUR_YELLOW, objectron_put_item, item->id);
    }
}

static void put_rest(struct drawing *drawing, const Arbiter__Objectron__View *view, uint32_t x,
                     uint32_t y, bool *is_first)
{
    bool is_on = false, is_off = false;
    for (size_t i = 0; i < view->n_homes; i++)
        if (is_at(view->homes[i], x, y)) {
            put_plus(drawing, is_first);
            put_of(drawing, "the start of ", "der Start von ", (uint32_t) i);
        }
    for (size_t i = 0; i < view->n_fields; i++)
        if (is_among(view->fields[i]->squares, view->fields[i]->n_squares, x, y)) {
            is_on = is_on || view->fields[i]->on;
            is_off = is_off || !view->fields[i]->on;
        }
    if (!is_on && !is_off)
        return;
    put_plus(drawing, is_first);
    board_say(drawing, is_on ? COLOUR_RED : COLOUR_DIM,
              is_on ? "a field that is on" : "a field that is off",
              is_on ? "ein Feld unter Strom" : "ein Feld ohne Strom");
}

/* A field covers a square once, however many there are. */
static void add_fields(struct squares *squares)
{
    static uint8_t                  fields[OBJECTRON_SQUARES_MAX];
    const Arbiter__Objectron__View *view = squares->view;
    memset(fields, 0, sizeof fields);
    for (size_t i = 0; i < view->n_fields; i++)
        for (size_t k = 0; k < view->fields[i]->n_squares; k++) {
            const Arbiter__Objectron__Square *at = view->fields[i]->squares[k];
            if (at->x < OBJECTRON_SIDE_MAX && at->y < OBJECTRON_SIDE_MAX &&
                !fields[at->y * OBJECTRON_SIDE_MAX + at->x]++)
                add(squares, at);
        }
}

static void count_things(struct squares *squares)
{
    const Arbiter__Objectron__View *view = squares->view;
    for (size_t i = 0; i < view->n_homes; i++)
        add(squares, view->homes[i]);
    for (size_t i = 0; i < view->n_items; i++)
        add(squares, view->items[i]->at);
    add_fields(squares);
    for (size_t i = 0; i < view->n_players; i++) {
        if (view->players[i]->alive)
            add(squares, view->players[i]->at);
        for (size_t k = 0; k < view->players[i]->n_trail; k++) {
            Arbiter__Objectron__Square at = ARBITER__OBJECTRON__SQUARE__INIT;
            at.x = view->players[i]->trail[k]->x;
            at.y = view->players[i]->trail[k]->y;
            add(squares, &at);
        }
    }
}

/* One square, and all that is there. */
static void put_together(struct squares *squares, uint32_t at)
{
    uint32_t x = at % OBJECTRON_SIDE_MAX, y = at / OBJECTRON_SIDE_MAX;
    bool     is_first = true;
    put_place(squares->drawing, x, y, ":");
    put_players(squares->drawing, squares->view, x, y, &is_first);
    put_items(squares->drawing, squares->view, x, y, &is_first);
    put_rest(squares->drawing, squares->view, x, y, &is_first);
}

void objectron_put_shared(struct drawing *drawing)
{
    struct squares *squares = squares_of(drawing);
    uint32_t        most = drawing->look->whole ? UINT32_MAX : SHARED_LISTED, shared = 0;
    count_things(squares);
    drawing->text.indent = 2;
    for (uint32_t at = 0; at < OBJECTRON_SQUARES_MAX; at++) {
        if (squares->count[at] < 2)
            continue;
        if (shared == 0)
            board_say(drawing, COLOUR_NONE, "Together:", "Zusammen:");
        if (++shared <= most)
            put_together(squares, at);
    }
    if (shared > most) {
        board_say(drawing, COLOUR_DIM,
                  " ... and more; /board names all:", " ... und mehr; /board nennt alle:");
        board_number(drawing, COLOUR_DIM, shared);
    }
    if (shared > 0)
        board_text_line(&drawing->text);
    drawing->text.indent = 0;
    free(squares);
}

void objectron_put_dark(struct drawing *drawing)
{
    struct squares                 *squares = squares_of(drawing);
    const Arbiter__Objectron__View *view = squares->view;
    uint32_t                        dark = 0;
    for (size_t i = 0; i < view->n_failures; i++) {
        add(squares, view->failures[i]->primary);
        add(squares, view->failures[i]->secondary);
        add(squares, view->failures[i]->tertiary);
    }
    for (uint32_t at = 0; at < OBJECTRON_SQUARES_MAX; at++)
        dark += squares->count[at] > 0;
    if (dark > 0) {
        drawing->text.indent = 2;
        board_say(drawing, COLOUR_YELLOW, "No power:", "Kein Strom:");
        for (uint32_t at = 0; at < OBJECTRON_SQUARES_MAX && dark <= DARK_LISTED; at++)
            if (squares->count[at] > 0)
                put_place(drawing, at % OBJECTRON_SIDE_MAX, at / OBJECTRON_SIDE_MAX, "");
        if (dark > DARK_LISTED) {
            board_say(drawing, COLOUR_NONE, " squares", " Felder");
            board_number(drawing, COLOUR_BOLD, dark);
        }
        board_text_line(&drawing->text);
        drawing->text.indent = 0;
    }
    free(squares);
}

/* face_objectron_board.c: the grid of objectron, and who is on it.
 *
 * A square takes two columns where there is room, else one. Grids of up to 60 x 30 squares are shown whole on
 * any terminal, larger ones as far as the terminal goes, around whoever reads this. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/face_objectron.h"

#define LABEL_COLUMNS 4
#define SHOWN_COLUMNS 60
#define SHOWN_ROWS 30
#define OTHER_ROWS 15 /* Of a screen, beside the grid. */

/* What stands on a square; later ones hide earlier ones. */
enum layer { ON_GROUND, ON_HOME, ON_FIELD, ON_ITEM, ON_POWER, ON_TRAIL, ON_PLAYER };

struct mark {
    enum layer  layer;
    const char *sign;
    enum colour colour;
    bool        is_dark, is_legal;
};

struct map {
    struct drawing                 *drawing;
    const Arbiter__Objectron__View *view;
    uint32_t                        left, top, columns, rows; /* The part that is shown. */
    bool                            is_wide;                  /* Two columns a square.   */
    struct mark                     mark[OBJECTRON_SQUARES_MAX];
};

static const char *pick(const struct map *map, const char *unicode, const char *ascii)
{
    return map->drawing->phrase->is_ascii ? ascii : unicode;
}

static struct mark *mark_at(struct map *map, uint32_t x, uint32_t y)
{
    if (x >= map->view->width || y >= map->view->height || x >= OBJECTRON_SIDE_MAX ||
        y >= OBJECTRON_SIDE_MAX)
        return NULL;
    return &map->mark[y * OBJECTRON_SIDE_MAX + x];
}

static void put_mark(struct map *map, uint32_t x, uint32_t y, enum layer layer, const char *sign,
                     enum colour colour)
{
    struct mark *mark = mark_at(map, x, y);
    if (mark == NULL || mark->layer > layer)
        return;
    mark->layer = layer;
    mark->sign = sign;
    mark->colour = colour;
}

static void mark_ground(struct map *map)
{
    const Arbiter__Objectron__View *view = map->view;
    for (uint32_t y = 0; y < view->n_rows; y++)
        for (uint32_t x = 0; x < view->width && view->rows[y][x] != '\0'; x++) {
            char letter = view->rows[y][x];
            if (letter == OBJECTRON_WALL)
                put_mark(map, x, y, ON_GROUND, pick(map, "▓", "#"), COLOUR_BOLD);
            else if (letter == OBJECTRON_FREE)
                put_mark(map, x, y, ON_GROUND, pick(map, "·", "."), COLOUR_DIM);
        }
    for (size_t i = 0; i < view->n_homes; i++)
        put_mark(map, view->homes[i]->x, view->homes[i]->y, ON_HOME, "h", COLOUR_NONE);
}

static void mark_items(struct map *map)
{
    static const char *const signs[OBJECTRON_KINDS] = {
        [0] = "?",
        [OBJECTRON_GRENADE] = "g",
        [OBJECTRON_DISC] = "d",
        [OBJECTRON_CHARGED_DISC] = "D",
        [OBJECTRON_TELEPORTER] = "O",
        [OBJECTRON_GENERATOR] = "G",
        [OBJECTRON_FLAG] = "F",
    };
    for (size_t i = 0; i < map->view->n_items; i++) {
        const Arbiter__Objectron__View__Item *item = map->view->items[i];
        uint32_t kind = (uint32_t) item->kind < OBJECTRON_KINDS ? (uint32_t) item->kind : 0;
        bool     scrap = item->state == ARBITER__OBJECTRON__VIEW__ITEM__STATE__STATE_EXPLODED;
        if (item->at != NULL)
            put_mark(map, item->at->x, item->at->y, scrap ? ON_GROUND : ON_ITEM,
                     scrap ? "," : signs[kind], scrap ? COLOUR_DIM : COLOUR_YELLOW);
    }
}

static void mark_dark(struct map *map, const Arbiter__Objectron__Square *at)
{
    struct mark *mark = at != NULL ? mark_at(map, at->x, at->y) : NULL;
    if (mark != NULL)
        mark->is_dark = true;
}

static void mark_dangers(struct map *map)
{
    for (size_t i = 0; i < map->view->n_failures; i++) {
        mark_dark(map, map->view->failures[i]->primary);
        mark_dark(map, map->view->failures[i]->secondary);
        mark_dark(map, map->view->failures[i]->tertiary);
    }
    for (size_t i = 0; i < map->view->n_fields; i++) {
        const Arbiter__Objectron__View__Field *field = map->view->fields[i];
        for (size_t k = 0; k < field->n_squares; k++)
            put_mark(map, field->squares[k]->x, field->squares[k]->y,
                     field->on ? ON_POWER : ON_FIELD, field->on ? "x" : ":",
                     field->on ? COLOUR_RED : COLOUR_DIM);
    }
}

static enum colour colour_of(const struct map *map, uint32_t seat)
{
    return seat == map->drawing->phrase->seat ? COLOUR_GREEN : COLOUR_RED;
}

static void mark_players(struct map *map)
{
    static const char *const digits[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };
    for (size_t i = 0; i < map->view->n_players; i++) {
        const Arbiter__Objectron__View__Player *player = map->view->players[i];
        enum colour                             colour = colour_of(map, player->id);
        for (size_t k = 0; k < player->n_trail; k++)
            put_mark(map, player->trail[k]->x, player->trail[k]->y, ON_TRAIL, "=", colour);
        if (player->alive && player->at != NULL && player->id < OBJECTRON_PLAYERS_MAX)
            put_mark(map, player->at->x, player->at->y, ON_PLAYER, digits[player->id], colour);
    }
}

/* A player of the view by seat; NULL: there is none. */
static const Arbiter__Objectron__View__Player *player_of(const Arbiter__Objectron__View *view,
                                                         uint32_t                        seat)
{
    for (size_t i = 0; i < view->n_players; i++)
        if (view->players[i]->id == seat)
            return view->players[i];
    return NULL;
}

static void mark_moves(struct map *map)
{
    static const uint32_t dx[] = { 1, 1, 2, 2, 2, 1, 0, 0, 0 }; /* One more than it is. */
    static const uint32_t dy[] = { 1, 0, 0, 1, 2, 2, 2, 1, 0 };
    const Arbiter__Objectron__View__Player *player =
        player_of(map->view, map->view->current_player);
    if (player == NULL || player->at == NULL || map->view->over)
        return;
    for (size_t i = 0; i < map->view->n_legal_moves; i++) {
        uint32_t     dir = (uint32_t) map->view->legal_moves[i];
        struct mark *mark =
            dir <= 8 ? mark_at(map, player->at->x + dx[dir] - 1, player->at->y + dy[dir] - 1)
                     : NULL;
        if (mark != NULL)
            mark->is_legal = true;
    }
}

/* The grid. */

static void put_square(struct map *map, const struct mark *mark)
{
    struct board_text *text = &map->drawing->text;
    const char        *sign = mark->sign != NULL ? mark->sign : " ";
    const char        *dark = pick(map, "░", "\"");
    bool               is_plain = mark->layer == ON_GROUND && mark->is_legal;
    enum colour        colour = mark->is_legal ? COLOUR_GREEN : mark->colour;
    if (is_plain)
        sign = "+";
    if (!map->is_wide && mark->is_dark && mark->layer <= ON_FIELD && !is_plain) {
        sign = dark;
        colour = COLOUR_YELLOW; /* Not like a wall. */
    }
    board_text_put(text, colour, sign);
    if (!map->is_wide)
        return;
    if (mark->is_dark)
        board_text_put(text, COLOUR_YELLOW, dark);
    else
        board_text_put(text, COLOUR_GREEN, mark->is_legal && !is_plain ? "+" : " ");
}

/* The part of a side that is shown: all of it, or so much of it around a place. */
static uint32_t begin_part(uint32_t around, uint32_t shown, uint32_t side)
{
    if (shown >= side || around < shown / 2)
        return 0;
    return around - shown / 2 + shown > side ? side - shown : around - shown / 2;
}

static void choose_part(struct map *map)
{
    const struct board_look                *look = map->drawing->look;
    const Arbiter__Objectron__View__Player *reader =
        player_of(map->view, look->phrase->seat != NOT_SEATED ? look->phrase->seat
                                                              : map->view->current_player);
    uint32_t room = map->drawing->text.columns - LABEL_COLUMNS;
    uint32_t most = room > SHOWN_COLUMNS ? room : SHOWN_COLUMNS;
    uint32_t high = look->rows > SHOWN_ROWS + OTHER_ROWS ? look->rows - OTHER_ROWS : SHOWN_ROWS;
    map->is_wide = map->view->width * 2 <= room;
    map->columns = map->view->width < most ? map->view->width : most;
    map->rows = map->view->height < high ? map->view->height : high;
    bool has_place = reader != NULL && reader->at != NULL;
    map->left = begin_part(has_place ? reader->at->x : 0, map->columns, map->view->width);
    map->top = begin_part(has_place ? reader->at->y : 0, map->rows, map->view->height);
}

static void put_lines(struct map *map)
{
    struct board_text *text = &map->drawing->text;
    char               label[16];
    board_text_cell(text, COLOUR_NONE, "", LABEL_COLUMNS);
    for (uint32_t x = map->left; x < map->left + map->columns; x++) {
        (void) snprintf(label, sizeof label, "%" PRIu32 "%s", (x + 1) % 10,
                        map->is_wide ? " " : "");
        board_text_put(text, COLOUR_DIM, label);
    }
    board_text_line(text);
    for (uint32_t y = map->top; y < map->top + map->rows; y++) {
        (void) snprintf(label, sizeof label, "%3" PRIu32 " ", y + 1);
        board_text_put(text, COLOUR_DIM, label);
        for (uint32_t x = map->left; x < map->left + map->columns; x++)
            put_square(map, mark_at(map, x, y));
        board_text_line(text);
    }
}

static void put_grid(struct map *map)
{
    struct board_text *text = &map->drawing->text;
    char               label[16];
    put_lines(map);
    if (map->columns == map->view->width && map->rows == map->view->height)
        return;
    board_say(map->drawing, COLOUR_DIM, "A part of the grid; its size is",
              "Ein Teil des Gitters; es misst");
    (void) snprintf(label, sizeof label, " %" PRIu32 " x %" PRIu32, map->view->width,
                    map->view->height);
    board_text_put(text, COLOUR_DIM, label);
    board_text_line(text);
}

/* All of the grid, in strips that fit the terminal, the left one first. */
static void put_parts(struct map *map)
{
    uint32_t room = map->drawing->text.columns - LABEL_COLUMNS;
    uint32_t strip = room < map->view->width ? room : map->view->width;
    map->top = 0;
    map->rows = map->view->height;
    for (map->left = 0; map->left < map->view->width; map->left += strip) {
        map->columns = strip < map->view->width - map->left ? strip : map->view->width - map->left;
        put_lines(map);
    }
}

/* Above and below it. */

static void put_head(struct drawing *drawing, const Arbiter__Objectron__View *view)
{
    bool is_race = view->mode == ARBITER__OBJECTRON__MODE__MODE_RACE;
    board_say(drawing, COLOUR_BOLD, is_race ? "A race" : "Capture the flag",
              is_race ? "Ein Rennen" : "Flaggenraub");
    board_say(drawing, COLOUR_NONE, "   Turn", "   Zug");
    board_number(drawing, COLOUR_BOLD, view->turn);
    board_text_put(&drawing->text, COLOUR_NONE, "   ");
    if (view->over) {
        board_say(drawing, COLOUR_BOLD, "over", "vorbei");
    } else {
        board_name(drawing, COLOUR_BOLD, board_player, view->current_player);
        board_say(drawing, COLOUR_NONE, "  actions:", "  Aktionen:");
        board_number(drawing, COLOUR_BOLD, view->actions_left);
        if (!view->moved)
            board_say(drawing, COLOUR_YELLOW, "  must move yet", "  muss noch gehen");
    }
    board_text_line(&drawing->text);
}

static void put_place(struct drawing *drawing, const Arbiter__Objectron__Square *at)
{
    char place[32];
    (void) snprintf(place, sizeof place, " %" PRIu32 ",%" PRIu32, at->x + 1, at->y + 1);
    board_text_put(&drawing->text, COLOUR_BOLD, place);
}

/* What whoever reads this has to do to win. */
static void put_goal(struct drawing *drawing, const Arbiter__Objectron__View *view)
{
    uint32_t seat = drawing->phrase->seat;
    bool     is_race = view->mode == ARBITER__OBJECTRON__MODE__MODE_RACE;
    uint32_t goal = is_race ? 1 - seat : seat;
    if (seat >= view->n_homes || goal >= view->n_homes)
        return; /* A spectator has none. */
    if (is_race) {
        board_say(drawing, COLOUR_NONE, "You win at", "Du gewinnst auf");
        put_place(drawing, view->homes[goal]);
        board_say(drawing, COLOUR_NONE, ", the start of ", ", dem Start von ");
        board_name(drawing, COLOUR_NONE, board_player, goal);
    } else {
        board_say(drawing, COLOUR_NONE, "You win by carrying every other flag to",
                  "Du gewinnst, wenn du jede andere Flagge heimträgst, nach");
        put_place(drawing, view->homes[goal]);
    }
    board_text_line(&drawing->text);
}

static void put_moves(struct drawing *drawing, const Arbiter__Objectron__View *view)
{
    if (view->over || view->n_legal_moves == 0)
        return;
    board_say(drawing, COLOUR_NONE, "May go:", "Darf nach:");
    for (size_t i = 0; i < view->n_legal_moves; i++) {
        board_text_put(&drawing->text, COLOUR_NONE, " ");
        board_name(drawing, COLOUR_GREEN, objectron_put_direction, (word) view->legal_moves[i]);
    }
    board_text_line(&drawing->text);
}

/* Where a teleporter beside whoever is on turn leads. */
static void put_teleporters(struct drawing *drawing, const Arbiter__Objectron__View *view)
{
    const Arbiter__Objectron__View__Player *player = player_of(view, view->current_player);
    for (size_t i = 0; player != NULL && player->at != NULL && i < view->n_items; i++) {
        const Arbiter__Objectron__View__Item *item = view->items[i];
        if (item->kind != ARBITER__OBJECTRON__ITEM_KIND__ITEM_KIND_TELEPORTER || item->at == NULL ||
            item->at->x + 1 - player->at->x > 2 || item->at->y + 1 - player->at->y > 2)
            continue;
        for (size_t k = 0; k < view->n_items; k++) {
            const Arbiter__Objectron__View__Item *end = view->items[k];
            char                                  ends[64];
            if (end->id != item->dest || end->at == NULL)
                continue;
            (void) snprintf(ends, sizeof ends, " %" PRIu32 ",%" PRIu32 " -> %" PRIu32 ",%" PRIu32,
                            item->at->x + 1, item->at->y + 1, end->at->x + 1, end->at->y + 1);
            board_say(drawing, COLOUR_NONE, "Teleporter", "Teleporter");
            board_text_put(&drawing->text, COLOUR_YELLOW, ends);
            board_text_line(&drawing->text);
        }
    }
}

static void put_count(struct drawing *drawing, const char *english, const char *german,
                      int64_t count)
{
    if (count == 0)
        return;
    board_say(drawing, COLOUR_RED, english, german);
    board_number(drawing, COLOUR_RED, count);
}

static void put_player(struct drawing *drawing, const Arbiter__Objectron__View__Player *player)
{
    char number[16];
    (void) snprintf(number, sizeof number, "%2" PRIu32 " ", player->id + 1);
    drawing->text.indent = 4;
    board_text_put(&drawing->text, COLOUR_BOLD, number);
    board_name(drawing, player->alive ? COLOUR_BOLD : COLOUR_DIM, board_player, player->id);
    if (!player->alive)
        board_say(drawing, COLOUR_DIM, "  out", "  draußen");
    if (player->held)
        board_say(drawing, COLOUR_RED, "  held by a field", "  von einem Feld gehalten");
    put_count(drawing, "  loses actions:", "  verliert Aktionen:", player->pending_actions);
    put_count(drawing, "  skips turns:", "  setzt aus:", player->skip_turns);
    if (player->n_captured > 0) {
        board_say(drawing, COLOUR_GREEN, "  flags:", "  Flaggen:");
        board_number(drawing, COLOUR_GREEN, (int64_t) player->n_captured);
    }
    for (size_t i = 0; i < player->n_inventory; i++) {
        board_text_put(&drawing->text, COLOUR_NONE, i == 0 ? "  | " : ", ");
        board_name(drawing, COLOUR_YELLOW, objectron_put_item, player->inventory[i]->id);
    }
    board_text_line(&drawing->text);
    drawing->text.indent = 0;
}

void objectron_draw_board(struct drawing *drawing)
{
    const Arbiter__Objectron__View *view = objectron_seen(drawing->phrase);
    struct map                     *map = calloc(1, sizeof *map);
    if (map == NULL)
        abort();
    map->drawing = drawing;
    map->view = view;
    mark_ground(map);
    mark_items(map);
    mark_dangers(map);
    mark_players(map);
    mark_moves(map);
    choose_part(map);
    put_head(drawing, view);
    put_goal(drawing, view);
    if (drawing->look->whole)
        put_parts(map);
    else
        put_grid(map);
    free(map);
    objectron_put_dark(drawing);
    if (!drawing->is_terse)
        objectron_put_shared(drawing);
    put_moves(drawing, view);
    put_teleporters(drawing, view);
    for (size_t i = 0; i < view->n_players; i++)
        put_player(drawing, view->players[i]);
}

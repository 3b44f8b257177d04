/* rest_rows.c: ids as rows, and back. Pure. */
#include "services/gateway/rest/rest_rows.h"

#include <string.h>

#include "schema/cells.h"
#include "schema/rest.h"
#include "services/gateway/rest/rest_half.h"

/* What is true of an id, bit by bit. */
#define IS_IMPL 1u
#define HAS_MATCH 2u
#define HAS_HALF 4u
#define HAS_ENDED 8u
#define HAS_WON 16u
#define HAS_LOST 32u
#define LOST_ON_MESSAGE 64u
#define IS_JOINED 128u
#define WAS_TOLD 256u

/* What a player of a match that is over is told for ever: numbers of four bytes, the largest first. */
#define KNOWN 11

static void view_to_numbers(const struct rest_view *view, int32_t numbers[KNOWN])
{
    const int32_t all[KNOWN] = { view->x,
                                 view->y,
                                 view->enemy_x,
                                 view->enemy_y,
                                 view->treasure_x,
                                 view->treasure_y,
                                 view->castle_x,
                                 view->castle_y,
                                 view->home_x,
                                 view->home_y,
                                 view->treasure | view->sees_treasure << 1 |
                                     view->sees_castle << 2 };
    memcpy(numbers, all, sizeof all);
}

static void numbers_to_view(const int32_t numbers[KNOWN], struct rest_view *view)
{
    *view = (struct rest_view){ .x = numbers[0],
                                .y = numbers[1],
                                .enemy_x = numbers[2],
                                .enemy_y = numbers[3],
                                .treasure_x = numbers[4],
                                .treasure_y = numbers[5],
                                .castle_x = numbers[6],
                                .castle_y = numbers[7],
                                .home_x = numbers[8],
                                .home_y = numbers[9],
                                .treasure = (numbers[10] & 1) != 0,
                                .sees_treasure = (numbers[10] & 2) != 0,
                                .sees_castle = (numbers[10] & 4) != 0 };
}

/* Writing. */

static uint32_t flags_of(const struct rest_player *player)
{
    return (player->is_impl ? IS_IMPL : 0) | (player->has_match ? HAS_MATCH : 0) |
           (player->has_half ? HAS_HALF : 0) | (player->has_ended ? HAS_ENDED : 0) |
           (player->won ? HAS_WON : 0) | (player->lost ? HAS_LOST : 0) |
           (player->lost_on_message ? LOST_ON_MESSAGE : 0) | (player->is_joined ? IS_JOINED : 0) |
           (player->was_told ? WAS_TOLD : 0);
}

static void write_knowledge(const struct rest_player *player, struct row *row, struct outbox *out)
{
    int32_t numbers[KNOWN];
    view_to_numbers(&player->view, numbers);
    cell_put_numbers(row, IDS_KNOWS, (const uint32_t *) numbers, KNOWN, out);
    cell_put_bytes(row, IDS_MAP, player->field, player->field_size, out);
}

/* The id is the key. Until there is one, the key is made of the lobby's id of the player, and is a
 * number that no id can be. */
#define NO_ID_YET (UINT64_C(1) << 62)

static uint64_t key_of(const struct rest_player *player)
{
    uint64_t key = 0;
    if (player->id != 0)
        return (uint64_t) player->id;
    for (uint32_t i = 0; i < 8; i++)
        key = key << 8 | player->player[i];
    return NO_ID_YET | (key & (NO_ID_YET - 1));
}

static void write_player(const struct rest_player *player, struct outbox *out)
{
    struct row *row = outbox_row(out, ROW_PUT, REST_IDS, IDS_COLUMNS);
    row_number(row, IDS_ID, key_of(player));
    row_number(row, IDS_IS, flags_of(player));
    cell_put_bytes(row, IDS_PLAYER, player->player, CLIENT_ID_SIZE, out);
    cell_put_bytes(row, IDS_TABLE, player->table, CLIENT_ID_SIZE, out);
    cell_put_bytes(row, IDS_MATCH, player->match_id, CLIENT_ID_SIZE, out);
    row_number(row, IDS_SEAT, player->seat);
    cell_put_bytes(row, IDS_PERSON, player->person, player->person_size, out);
    if (player->has_first)
        cell_put_bytes(row, IDS_HALF, player->half, player->half_size, out);
    if (player->has_ended)
        write_knowledge(player, row, out);
}

void rest_rows_write(struct rest *rest, struct outbox *out)
{
    if (!rest->is_loaded || !rest->settings.keeps)
        return;
    for (uint32_t i = 0; i < rest->settings.players_max && rest->has_changes; i++) {
        struct rest_player *player = &rest->players[i];
        if (player->is_changed && player->is_kept)
            write_player(player, out);
        player->is_changed = false;
    }
    rest->has_changes = false;
}

void rest_rows_drop(const struct rest *rest, struct rest_player *player, struct outbox *out)
{
    if (rest->settings.keeps && player->is_kept) {
        struct row *row = outbox_row(out, ROW_DELETE, REST_IDS, 1);
        row_number(row, IDS_ID, key_of(player));
    }
    player->is_kept = false;
}

/* Reading. The file is ours, yet what it says is judged: what does not fit is nobody's. */

void rest_rows_read(struct rest *rest, struct outbox *out)
{
    rest->is_loaded = !rest->settings.keeps;
    for (uint32_t table = 0; table < REST_TABLES && rest->settings.keeps; table++) {
        const struct query query = { .tag = table, .table = table };
        outbox_read(out, &query);
    }
}

static bool take_id(const struct cell *cell, uint8_t id[CLIENT_ID_SIZE])
{
    if (cell->size != CLIENT_ID_SIZE)
        return false;
    memcpy(id, cell->bytes, CLIENT_ID_SIZE);
    return true;
}

static void take_knowledge(const struct cell *cell, struct rest_view *view)
{
    int32_t numbers[KNOWN];
    if (cell->size != sizeof numbers)
        return;
    (void) cell_numbers(cell->bytes, cell->size, (uint32_t *) numbers, KNOWN);
    numbers_to_view(numbers, view);
}

static void take_flags(struct rest_player *player, uint64_t flags)
{
    player->is_impl = (flags & IS_IMPL) != 0;
    player->has_match = (flags & HAS_MATCH) != 0;
    player->has_half = (flags & HAS_HALF) != 0;
    player->won = (flags & HAS_WON) != 0;
    player->lost = (flags & HAS_LOST) != 0;
    player->lost_on_message = (flags & LOST_ON_MESSAGE) != 0;
    player->was_told = (flags & WAS_TOLD) != 0;
    player->has_ended = (flags & HAS_ENDED) != 0;
    player->is_joined = player->has_ended && (flags & IS_JOINED) != 0;
    player->state = player->has_ended ? REST_OVER : REST_ENTERED;
}

/* A set-up may have other halves by now. */
static void take_texts(const struct rest *rest, struct rest_player *player, const struct cell *half,
                       const struct cell *map, const struct cell *person)
{
    if (half->kind == CELL_BYTES && half->size <= REST_HALF_MAX(rest->settings.fields)) {
        player->has_first = true;
        player->half_size = (uint32_t) half->size;
        if (half->size > 0)
            memcpy(player->half, half->bytes, half->size);
    }
    if (person->size <= sizeof player->person && person->size > 0) {
        player->person_size = (uint32_t) person->size;
        memcpy(player->person, person->bytes, person->size);
    }
    if (map->size > 0 && map->size <= 4 * (size_t) rest->settings.fields) {
        player->field_size = (uint32_t) map->size;
        memcpy(player->field, map->bytes, map->size);
    }
}

static void take_player(struct rest *rest, const struct row *row, uint64_t now_ms)
{
    struct rest_player *player = NULL;
    const struct cell  *cell = row->cells;
    for (uint32_t i = 0; i < rest->settings.players_max && player == NULL; i++)
        if (rest->players[i].state == REST_FREE)
            player = &rest->players[i];
    bool has_id = cell[IDS_ID].number > 0 && cell[IDS_ID].number <= INT32_MAX;
    if (player == NULL || (!has_id && ((uint64_t) cell[IDS_ID].number & NO_ID_YET) == 0) ||
        !take_id(&cell[IDS_PLAYER], player->player) || !take_id(&cell[IDS_TABLE], player->table) ||
        !take_id(&cell[IDS_MATCH], player->match_id))
        return;
    player->id = has_id ? (int32_t) cell[IDS_ID].number : 0;
    player->is_kept = true;
    take_flags(player, (uint64_t) cell[IDS_IS].number);
    player->seat = (uint32_t) cell[IDS_SEAT].number;
    take_knowledge(&cell[IDS_KNOWS], &player->view);
    take_texts(rest, player, &cell[IDS_HALF], &cell[IDS_MAP], &cell[IDS_PERSON]);
    player->is_named = player->is_back = player->may_repeat = true;
    player->wants_out = player->has_ended;
    player->until_ms = now_ms + rest->settings.retention_ms;
    player->must_rejoin = !player->has_ended && (!player->has_match || !has_id);
    rest->rejoining += player->must_rejoin;
}

void rest_rows_take(struct rest *rest, const struct event *event)
{
    const struct row *row = event->row;
    if (event->tag == REST_IDS && row->count >= IDS_COLUMNS)
        take_player(rest, row, event->now_ms);
    if (event->tag == REST_META && row->count >= META_COLUMNS &&
        row->cells[META_NEXT_ID].number > 0 && row->cells[META_NEXT_ID].number <= INT32_MAX)
        rest->own_ids = (uint32_t) row->cells[META_NEXT_ID].number - 1;
}

void rest_rows_taken(struct rest *rest, const struct event *event, struct outbox *out)
{
    struct text line;
    rest->is_loaded = event->tag == REST_IDS && !event->failed;
    if (!event->failed)
        return;
    text_clear(&line);
    text_put(&line, "the ids of the 2017 door cannot be read, so the door stays shut");
    outbox_say(out, SAY_ERROR, &line);
    outbox_exit(out);
}

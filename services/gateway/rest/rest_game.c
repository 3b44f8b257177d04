/* rest_game.c: what the game tells a player, as far as an answer of 2017 can hold it. Pure. */
#include <string.h>

#include "contract/treasure.pb-c.h"
#include "contract/treasure_fields.h"
#include "services/gateway/rest/rest_parts.h"
#include "wire/act.h"
#include "wire/field.h"
#include "wire/field_write.h"

#define RESULT(name) ARBITER__TREASURE__RESULT__RESULT_##name
#define REASON(name) ARBITER__TREASURE__REASON__REASON_##name

static bool read_place(struct reader in, int32_t *x, int32_t *y)
{
    struct wire_field field;
    bool              has_x = false, has_y = false;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_TREASURE_FIELD_X) {
            *x = (int32_t) field_as_signed(field.value);
            has_x = true;
        }
        if (field.number == FIELD_TREASURE_FIELD_Y) {
            *y = (int32_t) field_as_signed(field.value);
            has_y = true;
        }
    }
    return has_x && has_y;
}

static bool read_pending(struct reader in, struct rest_view *view)
{
    struct wire_field field;
    bool              has_target = false;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_TREASURE_PENDING_TARGET)
            has_target = read_place(field.body, &view->pending_x, &view->pending_y);
        if (field.number == FIELD_TREASURE_PENDING_NEXT)
            view->pending_next = (int32_t) field.value;
    }
    return has_target;
}

static void read_view(struct reader in, struct rest_view *view)
{
    struct wire_field field;
    view->sees_treasure = view->sees_castle = view->has_pending = false;
    while (wire_field(&in, &field)) {
        switch (field.number) {
        case FIELD_TREASURE_PLAYER_VIEW_POS:
            (void) read_place(field.body, &view->x, &view->y);
            break;
        case FIELD_TREASURE_PLAYER_VIEW_PENDING:
            view->has_pending = read_pending(field.body, view);
            break;
        case FIELD_TREASURE_PLAYER_VIEW_ENEMY:
            (void) read_place(field.body, &view->enemy_x, &view->enemy_y);
            break;
        case FIELD_TREASURE_PLAYER_VIEW_TREASURE: view->treasure = field.value != 0; break;
        case FIELD_TREASURE_PLAYER_VIEW_TREASURE_POS:
            view->sees_treasure = read_place(field.body, &view->treasure_x, &view->treasure_y);
            break;
        case FIELD_TREASURE_PLAYER_VIEW_ENEMY_CASTLE:
            view->sees_castle = read_place(field.body, &view->castle_x, &view->castle_y);
            break;
        default: break;
        }
    }
}

static void on_map(const struct rest_turn *turn, struct rest_player *player, struct reader in)
{
    struct rest_view *view = &player->view;
    struct wire_field field;
    size_t            most = 4 * (size_t) turn->rest->settings.fields;
    while (wire_field(&in, &field)) {
        size_t size = (size_t) (field.body.end - field.body.at);
        if (field.number == FIELD_TREASURE_EVENT_MAP_READY_FULL_MAP && size <= most) {
            player->field_size = (uint32_t) size;
            memcpy(player->field, field.body.at, size);
        }
        if (field.number == FIELD_TREASURE_EVENT_MAP_READY_CASTLE_X)
            view->home_x = view->x = (int32_t) field.value;
        if (field.number == FIELD_TREASURE_EVENT_MAP_READY_CASTLE_Y)
            view->home_y = view->y = (int32_t) field.value;
    }
    player->is_joined = true;
}

static void on_act_now(const struct rest_turn *turn, struct rest_player *player, struct reader in)
{
    struct wire_field field;
    player->is_asked = true;
    rest_answer_id(turn, player); /* Who completed the pair hears of it now. */
    while (wire_field(&in, &field)) {
        if (field.number != FIELD_TREASURE_EVENT_ACT_NOW_KIND)
            continue;
        if (field.value != ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF) {
            player->is_turn = true;
            player->turn_ms = turn->now_ms;
        } else if (player->half_ms == 0) {
            player->half_ms = turn->now_ms;
        }
    }
}

static void on_enemy(struct rest_player *player, struct reader in)
{
    struct wire_field field;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_TREASURE_EVENT_ENEMY_POSITION_X)
            player->view.enemy_x = (int32_t) field.value;
        if (field.number == FIELD_TREASURE_EVENT_ENEMY_POSITION_Y)
            player->view.enemy_y = (int32_t) field.value;
    }
}

static void on_updated(struct rest_player *player, struct reader in)
{
    struct wire_field field;
    player->is_turn = false;
    while (wire_field(&in, &field))
        if (field.number == FIELD_TREASURE_EVENT_UPDATED_VIEW)
            read_view(field.body, &player->view);
}

static void on_end(struct rest_player *player, struct reader in)
{
    struct wire_field field;
    uint64_t          result = 0, reason = 0;
    while (wire_field(&in, &field)) {
        if (field.number == FIELD_TREASURE_EVENT_GAME_END_RESULT)
            result = field.value;
        if (field.number == FIELD_TREASURE_EVENT_GAME_END_REASON)
            reason = field.value;
    }
    uint64_t own = player->seat == 0 ? RESULT(P1_WIN) : RESULT(P2_WIN);
    player->has_ended = true;
    player->won = result == own;
    player->lost = result == RESULT(BOTH_LOSE) ||
                   (!player->won && (result == RESULT(P1_WIN) || result == RESULT(P2_WIN)));
    player->lost_on_message =
        player->lost && (reason == REASON(BAD_MESSAGE) || reason == REASON(THINK_TIME));
}

/* Masks are lifted: here is where both figures are. */
static void on_reveal(struct rest_player *player, struct reader in)
{
    struct rest_view *view = &player->view;
    struct wire_field field;
    while (wire_field(&in, &field)) {
        if (field.number != FIELD_TREASURE_EVENT_REVEAL_POS1 &&
            field.number != FIELD_TREASURE_EVENT_REVEAL_POS2)
            continue;
        bool is_own = field.number == FIELD_TREASURE_EVENT_REVEAL_POS1 + player->seat;
        (void) read_place(field.body, is_own ? &view->x : &view->enemy_x,
                          is_own ? &view->y : &view->enemy_y);
    }
}

void rest_read_event(const struct rest_turn *turn, struct rest_player *player, const uint8_t *bytes,
                     size_t size)
{
    struct reader     in = reader_of(bytes, size);
    struct wire_field event;
    if (!wire_field(&in, &event))
        return;
    switch (event.number) {
    case FIELD_TREASURE_EVENT_HALF_ACCEPTED:
        player->has_half = player->is_first_said = true;
        rest_changed(turn, player);
        break;
    case FIELD_TREASURE_EVENT_HALF_REJECTED:
        if (!player->has_match) { /* There is no game that could end. */
            player->has_ended = player->lost = player->wants_out = true;
            player->lost_on_message = true;
        }
        break;
    case FIELD_TREASURE_EVENT_MAP_READY: on_map(turn, player, event.body); break;
    case FIELD_TREASURE_EVENT_ACT_NOW: on_act_now(turn, player, event.body); break;
    case FIELD_TREASURE_EVENT_UPDATED: on_updated(player, event.body); break;
    case FIELD_TREASURE_EVENT_ENEMY_POSITION: on_enemy(player, event.body); break;
    case FIELD_TREASURE_EVENT_GAME_END: on_end(player, event.body); break;
    case FIELD_TREASURE_EVENT_REVEAL: on_reveal(player, event.body); break;
    case FIELD_TREASURE_EVENT_REGISTRATION_ABORTED: player->has_ended = true; break;
    default: break;
    }
}

void rest_read_act(const struct rest_turn *turn, struct rest_player *player,
                   const struct client_event *event)
{
    struct act_reader reader;
    struct act_event  told;
    if (!act_read(&reader, event->bytes, event->size, player->seat, event->box, event->box_size))
        return;
    while (act_next(&reader, &told))
        if (!told.is_house)
            rest_read_event(turn, player, told.bytes, told.size);
}

/* rest_answer.c: what a client is answered, in its dialect and its coordinates. Pure. */
#include "services/gateway/rest/rest_parts.h"

#include "services/gateway/rest/rest_write.h"

static Arbiter__Gateway__RestAnswer *answer_of(const struct rest_turn *turn, bool is_impl,
                                               Arbiter__Gateway__RestAnswer__Kind kind)
{
    Arbiter__Gateway__RestAnswer *answer =
        outbox_message(turn->out, &arbiter__gateway__rest_answer__descriptor);
    answer->has_kind = answer->has_impl = true;
    answer->kind = kind;
    answer->impl = is_impl;
    return answer;
}

static void send(const struct rest_turn *turn, uint64_t route,
                 const Arbiter__Gateway__RestAnswer *answer)
{
    struct header header = { 0 };
    turn->rest->answers++;
    outbox_send(turn->out, DOOR_SIDE, route, &header, answer);
}

void rest_answer_problem(const struct rest_turn *turn, uint64_t route,
                         const struct rest_player *player)
{
    if (route == 0)
        return;
    Arbiter__Gateway__RestAnswer *answer = answer_of(turn, player->is_impl, REST_KIND(PROBLEM));
    answer->has_loss = answer->has_win = true;
    answer->loss = player->lost;
    answer->win = player->won;
    send(turn, route, answer);
}

void rest_answer_stranger(const struct rest_turn *turn, uint64_t route,
                          const Arbiter__Gateway__RestAsk *ask, bool is_busy)
{
    bool is_impl = ask->has_impl ? ask->impl : turn->rest->settings.is_impl;
    bool is_map = ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP;
    Arbiter__Gateway__RestAnswer *answer =
        answer_of(turn, is_impl, is_busy ? REST_KIND(BUSY) : REST_KIND(PROBLEM));
    bool is_cut = ask->cut && turn->rest->settings.random_ids; /* In 2017 all alike were lost. */
    if (is_impl && is_map && !is_busy && !is_cut)
        answer->kind = REST_KIND(MAP);
    answer->has_loss = answer->has_win = true;
    answer->loss = !is_busy && !is_cut;
    send(turn, route, answer);
}

void rest_answer_id(const struct rest_turn *turn, struct rest_player *player)
{
    uint64_t route = player->route;
    if (route == 0)
        return;
    player->route = 0;
    player->told = route;
    player->was_told = true;
    rest_changed(turn, player);
    Arbiter__Gateway__RestAnswer *answer = answer_of(turn, player->is_impl, REST_KIND(NEW_PLAYER));
    answer->has_id = true;
    answer->id = player->id;
    send(turn, route, answer);
}

void rest_answer_map(const struct rest_turn *turn, uint64_t route, const struct rest_player *player,
                     bool is_null)
{
    if (is_null && !player->is_impl) {
        rest_answer_problem(turn, route, player);
        return;
    }
    if (route == 0)
        return;
    const struct rest_view       *view = &player->view;
    Arbiter__Gateway__RestAnswer *answer = answer_of(turn, player->is_impl, REST_KIND(MAP));
    answer->has_map = answer->has_castle_bare = true;
    answer->castle_bare = view->x != view->home_x || view->y != view->home_y;
    if (!is_null) {
        answer->map.len = player->field_size;
        answer->map.data = outbox_copy(turn->out, player->field, player->field_size);
    }
    send(turn, route, answer);
}

static bool x_is_row(const struct rest *rest, const struct rest_player *player)
{
    if (rest->settings.axis == REST_AXIS_OF_DIALECT)
        return player->is_impl;
    return rest->settings.axis == REST_X_IS_ROW;
}

static int32_t base_of(const struct rest *rest, const struct rest_player *player)
{
    if (rest->settings.has_base)
        return (int32_t) rest->settings.base;
    return player->is_impl ? 0 : 1;
}

/* What lies before the first number of the rules' scale becomes its last. No figure stands there,
 * nor beside it, and no table holds it. So nothing is stored that was not sent. */
static int32_t less(int32_t number, int32_t base)
{
    return number < INT32_MIN + base ? INT32_MAX : number - base;
}

void rest_place_in(const struct rest *rest, const struct rest_player *player, int32_t x, int32_t y,
                   int32_t place[2])
{
    int32_t base = base_of(rest, player);
    bool    turned = x_is_row(rest, player);
    place[0] = less(turned ? y : x, base);
    place[1] = less(turned ? x : y, base);
}

static void place_out(const struct rest_turn *turn, const struct rest_player *player, int32_t x,
                      int32_t y, int32_t *to_x, int32_t *to_y)
{
    int32_t base = base_of(turn->rest, player);
    bool    turned = x_is_row(turn->rest, player);
    *to_x = (turned ? y : x) + base;
    *to_y = (turned ? x : y) + base;
}

static void put_extensions(const struct rest_turn *turn, const struct rest_player *player,
                           Arbiter__Gateway__RestAnswer *answer)
{
    const struct rest_view *view = &player->view;
    if (view->sees_treasure && !view->treasure) {
        answer->has_treasure_x = answer->has_treasure_y = true;
        place_out(turn, player, view->treasure_x, view->treasure_y, &answer->treasure_x,
                  &answer->treasure_y);
    }
    if (view->sees_castle) {
        answer->has_castle_x = answer->has_castle_y = true;
        place_out(turn, player, view->castle_x, view->castle_y, &answer->castle_x,
                  &answer->castle_y);
    }
}

void rest_answer_update(const struct rest_turn *turn, uint64_t route,
                        const struct rest_player *player)
{
    if (route == 0)
        return;
    const struct rest_view       *view = &player->view;
    Arbiter__Gateway__RestAnswer *answer = answer_of(turn, player->is_impl, REST_KIND(UPDATE));
    answer->has_player_x = answer->has_player_y = answer->has_enemy_x = answer->has_enemy_y = true;
    answer->has_treasure = answer->has_win = answer->has_loss = true;
    place_out(turn, player, view->x, view->y, &answer->player_x, &answer->player_y);
    place_out(turn, player, view->enemy_x, view->enemy_y, &answer->enemy_x, &answer->enemy_y);
    answer->treasure = view->treasure;
    answer->win = player->won;
    answer->loss = player->lost;
    if (turn->rest->settings.extensions)
        put_extensions(turn, player, answer);
    send(turn, route, answer);
}

/* door_rest.c: see door_rest.h. */
#include "services/console/tournament/door_rest.h"

#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "games/treasure/treasure.h"
#include "services/gateway/rest/rest_write.h"
#include "services/gateway/shell/xml/xml.h"

typedef Arbiter__Gateway__RestAnswer answer_t;

bool door_rest_open(struct door_rest *door, uint32_t seat, uint32_t fields)
{
    memset(door, 0, sizeof *door);
    door->seat = seat;
    door->fields = fields;
    door->half = malloc(REST_HALF_MAX(fields));
    door->sent = malloc(REST_HALF_MAX(fields));
    door->map_text = malloc(4 * (size_t) fields);
    xml_begin();
    return small_http_open(&door->http) && door->half != NULL && door->sent != NULL &&
           door->map_text != NULL;
}

void door_rest_close(struct door_rest *door)
{
    small_http_close(&door->http);
    free(door->half);
    free(door->sent);
    free(door->map_text);
    memset(door, 0, sizeof *door);
}

/* Answers. Each ends its request's connection. */

static void send_answer(const struct door_rest *door, struct small_request **request,
                        unsigned status, const answer_t *answer)
{
    if (*request == NULL)
        return;
    char *xml = malloc(REST_XML_MAX + 4 * (size_t) door->fields);
    if (xml == NULL)
        abort();
    size_t size = rest_write(xml, answer);
    small_http_answer(*request, status, xml, size, door->latency_ms);
    *request = NULL;
    free(xml);
}

static answer_t answer_of(bool is_impl, Arbiter__Gateway__RestAnswer__Kind kind)
{
    answer_t answer = ARBITER__GATEWAY__REST_ANSWER__INIT;
    answer.kind = kind;
    answer.impl = is_impl;
    return answer;
}

static void answer_problem(const struct door_rest *door, struct small_request **request,
                           unsigned status, bool is_impl, bool loss)
{
    answer_t answer = answer_of(is_impl, REST_KIND(PROBLEM));
    answer.loss = loss;
    answer.win = door->won && !loss;
    send_answer(door, request, status, &answer);
}

static void answer_state(const struct door_rest *door, struct small_request **request)
{
    answer_problem(door, request, 200, door->is_impl, door->lost);
}

static void answer_map(const struct door_rest *door, struct small_request **request, bool is_null)
{
    answer_t answer = answer_of(door->is_impl, REST_KIND(MAP));
    if (is_null && !door->is_impl) {
        answer_state(door, request);
        return;
    }
    answer.has_map = answer.has_castle_bare = true;
    answer.castle_bare = door->x != door->home_x || door->y != door->home_y;
    if (!is_null)
        answer.map = (ProtobufCBinaryData){ door->map_size, (uint8_t *) door->map_text };
    send_answer(door, request, 200, &answer);
}

/* Coordinates as the dialect counts them. */
static void put_place(const struct door_rest *door, int32_t x, int32_t y, int32_t *to_x,
                      int32_t *to_y)
{
    *to_x = door->is_impl ? y : x + 1;
    *to_y = door->is_impl ? x : y + 1;
}

static void answer_update(const struct door_rest *door, struct small_request **request)
{
    answer_t answer = answer_of(door->is_impl, REST_KIND(UPDATE));
    if (!door->is_joined || door->lost_on_message) {
        answer_state(door, request);
        return;
    }
    put_place(door, door->x, door->y, &answer.player_x, &answer.player_y);
    put_place(door, door->enemy_x, door->enemy_y, &answer.enemy_x, &answer.enemy_y);
    answer.treasure = door->has_treasure;
    answer.win = door->won;
    answer.loss = door->lost;
    send_answer(door, request, 200, &answer);
}

/* Requests. */

static bool is_same_half(const struct door_rest *door)
{
    return rest_half_same(door->half, door->half_size, door->sent, door->sent_size);
}

/* A second one takes the place of the first, which is answered with how it stands. */
static void hold(const struct door_rest *door, struct door_held *held,
                 struct small_request *request, const Arbiter__Gateway__RestAsk *ask)
{
    if (held == &door->map)
        answer_map(door, &held->request, true);
    else
        answer_state(door, &held->request);
    *held = (struct door_held){ .request = request,
                                .is_malformed = ask->malformed,
                                .came_ms = request->came_ms };
}

static int32_t less(int32_t number, int32_t base)
{
    return number < INT32_MIN + base ? INT32_MAX : number - base;
}

static void take_place(const struct door_rest *door, int32_t x, int32_t y, int32_t *to)
{
    int32_t base = door->is_impl ? 0 : 1;
    to[0] = less(door->is_impl ? y : x, base);
    to[1] = less(door->is_impl ? x : y, base);
}

static void take_update(struct door_rest *door, struct small_request *request,
                        const Arbiter__Gateway__RestAsk *ask)
{
    struct door_held *held = &door->update;
    hold(door, held, request, ask);
    take_place(door, ask->player_x, ask->player_y, held->number);
    take_place(door, ask->wanted_x, ask->wanted_y, held->number + 2);
    held->number[4] = ask->turns;
    if (door->is_over)
        answer_update(door, &held->request);
}

static void take_map(struct door_rest *door, struct small_request *request,
                     const Arbiter__Gateway__RestAsk *ask)
{
    hold(door, &door->map, request, ask);
    door->sent_size = 0;
    if (!ask->malformed)
        door->sent_size = rest_half_strip(door->sent, door->fields, ask->half, strlen(ask->half));
    bool is_again = !ask->malformed && door->has_half && is_same_half(door);
    door->map.is_said = is_again;
    if (door->is_over)
        answer_map(door, &door->map.request, !is_again || !door->is_joined);
    else if (is_again && door->is_joined)
        answer_map(door, &door->map.request, false);
}

static void enter(struct door_rest *door, struct small_request **request,
                  const Arbiter__Gateway__RestAsk *ask)
{
    bool     is_impl = ask->has_impl && ask->impl;
    answer_t answer = answer_of(is_impl, REST_KIND(NEW_PLAYER));
    if (ask->malformed || door->is_registered) {
        answer_problem(door, request, 200, is_impl, true);
        return;
    }
    door->is_registered = true;
    door->is_impl = is_impl;
    door->turn_ms = clock_ms();
    answer.id = (int32_t) door->seat + 1;
    send_answer(door, request, 200, &answer);
}

static void hear(struct door_rest *door, struct small_request *request,
                 const Arbiter__Gateway__RestAsk *ask)
{
    bool is_known = ask->has_id && door->is_registered && ask->id == (int32_t) door->seat + 1;
    if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_NEW_PLAYER)
        enter(door, &request, ask);
    else if (!is_known)
        answer_problem(door, &request, 200, ask->has_impl && ask->impl, true);
    else if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_PROBLEM)
        answer_state(door, &request);
    else if (ask->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_MAP)
        take_map(door, request, ask);
    else
        take_update(door, request, ask);
}

void door_rest_serve(struct door_rest *door)
{
    struct small_request *request;
    while ((request = small_http_next(&door->http)) != NULL) {
        Arbiter__Gateway__RestAsk ask;
        struct rest_paper         paper;
        size_t                    size = request->body_size;
        char                     *memory = malloc(2 * size + 2);
        struct rest_words         words = { .half = memory };
        if (memory == NULL)
            abort();
        if (request->refusal != 0) {
            answer_problem(door, &request, request->refusal, false, true);
        } else {
            xml_read(small_http_body(request), size, memory + size + 1, &paper);
            rest_read(&paper, request->path, &words, &ask);
            hear(door, request, &ask);
        }
        free(memory);
    }
}

/* An Update of a client that has hung up is not judged, for it may be sent again. */
static void forget_the_gone(const struct door_rest *door, struct door_held *held)
{
    if (held->request != NULL && held->request->is_gone && !held->is_malformed)
        answer_state(door, &held->request);
}

static void fill(const struct door_rest *door, const struct door_held *held, uint32_t kind,
                 struct command *command)
{
    *command = (struct command){ .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    bool runs = door->turn_ms != 0 && held->came_ms > door->turn_ms;
    command->arg[0] = runs ? (word) (held->came_ms - door->turn_ms) : 0;
}

static void measure(struct door_rest *door, const struct command *command)
{
    door->latency_ms = (uint64_t) command->arg[0];
    if (door->latency_ms > door->slowest_ms)
        door->slowest_ms = door->latency_ms;
}

static void take_half(struct door_rest *door, struct command *command)
{
    struct door_held *held = &door->map;
    fill(door, held, held->is_malformed ? TREASURE_MALFORMED : TREASURE_SUBMIT_HALF, command);
    held->is_said = true;
    if (held->is_malformed) {
        command->arg[1] = 1;
        return;
    }
    if (!door->has_half) {
        memcpy(door->half, door->sent, door->sent_size);
        door->half_size = door->sent_size;
    }
    command->text = (const uint8_t *) door->sent;
    command->text_size = (uint32_t) door->sent_size;
}

bool door_rest_take(struct door_rest *door, struct command *command)
{
    struct door_held *map = &door->map, *update = &door->update;
    forget_the_gone(door, update);
    if (door->is_over)
        return false;
    if (map->request != NULL && !map->is_said) {
        take_half(door, command);
    } else if (update->request != NULL && (door->is_joined || !door->has_half)) {
        bool is_malformed = update->is_malformed || !door->has_half;
        fill(door, update, is_malformed ? TREASURE_MALFORMED : TREASURE_UPDATE, command);
        for (uint32_t i = 0; i < 5 && !is_malformed; i++)
            command->arg[1 + i] = update->number[i];
        door->flight = update->request;
        update->request = NULL;
    } else {
        return false;
    }
    measure(door, command);
    return true;
}

bool door_rest_loses(const struct door_rest *door)
{
    const struct door_held *map = &door->map, *update = &door->update;
    bool                    is_bad_map =
        map->request != NULL && !map->is_said && (map->is_malformed || door->has_half);
    bool is_bad_update = update->request != NULL &&
                         (update->is_malformed || (!door->has_half && map->request == NULL));
    return !door->is_over && (is_bad_map || is_bad_update);
}

/* Knowledge. */

static void write_map(struct door_rest *door, const Arbiter__Treasure__PlayerView *view)
{
    door->map_size = 0;
    for (size_t y = 0; y < view->n_terrain; y++)
        for (size_t x = 0; view->terrain[y][x] != '\0'; x++) {
            char letter = view->terrain[y][x];
            bool is_home = (int32_t) x == door->home_x && (int32_t) y == door->home_y;
            door->map_text[door->map_size++] = '0';
            door->map_text[door->map_size++] = is_home         ? '0'
                                               : letter == 'G' ? '1'
                                               : letter == 'M' ? '2'
                                                               : '3';
        }
}

static void answer_the_rest(struct door_rest *door)
{
    answer_update(door, &door->flight);
    if (door->map.request != NULL)
        answer_map(door, &door->map.request,
                   !door->is_joined || door->map.is_malformed || !is_same_half(door));
    if (door->update.request != NULL)
        answer_update(door, &door->update.request);
}

static void learn_places(struct door_rest *door, const Arbiter__Treasure__PlayerView *view)
{
    if (view->castle == NULL || view->pos == NULL || view->enemy == NULL)
        return;
    door->home_x = view->castle->x;
    door->home_y = view->castle->y;
    door->x = view->pos->x;
    door->y = view->pos->y;
    door->enemy_x = view->enemy->x;
    door->enemy_y = view->enemy->y;
    door->has_treasure = view->treasure;
    if (!door->is_joined)
        write_map(door, view);
    door->is_joined = true;
}

void door_rest_told(struct door_rest *door, const Arbiter__Treasure__PlayerView *view)
{
    bool is_his = view->has_turn && view->turn == door->seat;
    bool was_his = door->turn_ms != 0 && door->is_joined;
    learn_places(door, view);
    door->has_half = door->has_half || door->map.is_said;
    if (view->has_result) {
        bool is_message = view->reason == ARBITER__TREASURE__REASON__REASON_BAD_MESSAGE ||
                          view->reason == ARBITER__TREASURE__REASON__REASON_THINK_TIME;
        door->lost_on_message = view->loss && is_message;
        door_rest_over(door, view->win, view->loss);
        return;
    }
    answer_update(door, &door->flight);
    if (door->is_joined && door->map.request != NULL && door->map.is_said)
        answer_map(door, &door->map.request, false);
    if (door->is_joined && !is_his)
        door->turn_ms = 0;
    else if (is_his && !was_his)
        door->turn_ms = clock_ms();
}

void door_rest_over(struct door_rest *door, bool won, bool lost)
{
    door->is_over = true;
    door->won = won;
    door->lost = lost;
    answer_the_rest(door);
}

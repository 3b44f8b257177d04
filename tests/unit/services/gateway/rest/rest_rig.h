/* rest_rig.h: the 2017 door in a house that is played by hand: what the lobby answers, what is kept. */
#ifndef ARBITER_TEST_REST_RIG_H
#define ARBITER_TEST_REST_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "contract/lobby.pb-c.h"
#include "services/gateway/rest/rest_half.h"
#include "services/gateway/rest/rest_parts.h"
#include "services/gateway/rest/rest_rows.h"
#include "services/gateway/rest/rest_write.h"
#include "services/lobby/lobby_names.h"

#define PATH(name) ARBITER__GATEWAY__REST_PATH__REST_PATH_##name
#define PLAYERS 8
#define BOT_MS 5000

static const uint8_t table_id[CLIENT_ID_SIZE] = "the only table",
                     match_id[CLIENT_ID_SIZE] = "the match";

static struct rest         rest;
static struct client_core *client;
static void               *memory, *client_memory, *out_memory;
static struct outbox       out;
static uint64_t            now_ms;
static uint8_t             entropy[ENTROPY_SIZE];
static struct row         *kept[64];
static uint32_t            kept_count;

static inline const struct rest_turn *turn(void)
{
    static struct rest_turn now;
    entropy[0]++;
    now = (struct rest_turn){ &rest, now_ms, entropy, &out };
    return &now;
}

/* What was put out is forgotten, but for the rows. */
static inline void settle(void)
{
    for (uint32_t i = 0; i < out.row_count; i++) {
        const struct row *row = out.rows[i];
        size_t            size = sizeof *row + row->count * sizeof row->cells[0];
        struct row       *copy = kept[kept_count++] = malloc(size);
        assert_true(kept_count < 64);
        memcpy(copy, row, size);
        for (uint32_t k = 0; k < row->count; k++) {
            uint8_t *bytes = malloc(row->cells[k].size + 1);
            if (row->cells[k].size > 0)
                memcpy(bytes, row->cells[k].bytes, row->cells[k].size);
            copy->cells[k].bytes = bytes;
        }
    }
    outbox_reset(&out);
}

static inline void open_rest(bool keeps)
{
    struct client_core_settings settings;
    struct rest_settings        door;
    client_core_defaults(&settings);
    settings.seats_max = settings.tables_max = PLAYERS;
    settings.crypto = &crypto_sodium;
    rest_defaults(&door);
    door.players_max = PLAYERS;
    door.keeps = keeps;
    door.bot_ms = BOT_MS;
    client_memory = calloc(1, client_core_bytes(&settings));
    client = client_core_init(client_memory, &settings);
    memory = calloc(1, rest_bytes(&door));
    rest_init(&rest, memory, &door, client);
    rest_rows_read(&rest, &out);
}

static inline void close_rest(void)
{
    free(memory);
    free(client_memory);
}

static inline int begin(void **unused)
{
    (void) unused;
    out_memory = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&out, out_memory, OUTBOX_BYTES_MIN);
    now_ms = 1000;
    open_rest(false);
    outbox_reset(&out);
    return 0;
}

static inline int end(void **unused)
{
    (void) unused;
    close_rest();
    free(out_memory);
    while (kept_count > 0) {
        struct row *row = kept[--kept_count];
        for (uint32_t k = 0; k < row->count; k++)
            free((void *) (uintptr_t) row->cells[k].bytes);
        free(row);
    }
    return 0;
}

/* The last answer to this route; NULL: none yet. */
static inline const Arbiter__Gateway__RestAnswer *answer_to(uint64_t route)
{
    const Arbiter__Gateway__RestAnswer *answer = NULL;
    for (uint32_t i = 0; i < out.effect_count; i++)
        if (out.effects[i].kind == EFFECT_SEND && out.effects[i].door == DOOR_SIDE &&
            out.effects[i].route == route)
            answer = (const Arbiter__Gateway__RestAnswer *) (const void *) out.effects[i].body;
    return answer;
}

static inline void assert_answer(uint64_t route, Arbiter__Gateway__RestAnswer__Kind kind)
{
    const Arbiter__Gateway__RestAnswer *answer = answer_to(route);
    assert_non_null(answer);
    assert_int_equal(answer->kind, kind);
}

static inline void enter(uint64_t route, const char *person)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(NEW_PLAYER),
                                            .has_impl = true,
                                            .person = (char *) (uintptr_t) person };
    rest_hear(turn(), route, &ask);
}

static inline void ask_problem(uint64_t route, int32_t id)
{
    const Arbiter__Gateway__RestAsk ask = { .path = PATH(PROBLEM), .has_id = true, .id = id };
    rest_hear(turn(), route, &ask);
}

/* By the id, which the house played by hand gives in the order of registration. So a player is
 * found before it is told. */
static inline int32_t id_to_be(const struct rest_player *player)
{
    return player->id != 0 ? player->id : (int32_t) player->order + 1;
}

static inline struct rest_player *player_of(int32_t id)
{
    for (uint32_t i = 0; i < PLAYERS; i++)
        if (rest.players[i].state != REST_FREE && id_to_be(&rest.players[i]) == id)
            return &rest.players[i];
    fail_msg("there is no %d", id);
    return NULL;
}

static inline void tell(enum client_event_kind kind, const struct rest_player *player,
                        const ProtobufCMessage *message)
{
    uint8_t             bytes[1024];
    struct client_event event = { .kind = kind, .request = player->ask };
    memcpy(event.player, player->player, CLIENT_ID_SIZE);
    event.bytes = bytes;
    event.size = message != NULL ? protobuf_c_message_pack(message, bytes) : 0;
    rest_told(turn(), &event);
}

/* The lobby's answer to what the player asks now; `seated`: the table in it has the player in its
 * first seat. */
static inline void answer(const struct rest_player *player, Arbiter__Lobby__Verdict verdict,
                          bool has_table, bool seated, bool begun)
{
    Arbiter__Lobby__Player    him = ARBITER__LOBBY__PLAYER__INIT;
    Arbiter__Lobby__TableSeat seat = ARBITER__LOBBY__TABLE_SEAT__INIT, *seats[] = { &seat };
    Arbiter__Lobby__Table     table = ARBITER__LOBBY__TABLE__INIT;
    Arbiter__Lobby__Answer    told = ARBITER__LOBBY__ANSWER__INIT;
    const ProtobufCBinaryData id = { CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) table_id };
    assert_int_not_equal(player->ask, 0);
    him.has_player = table.has_table = told.has_verdict = seat.has_seat = true;
    seat.has_number = true;
    seat.number = told.number = (uint32_t) id_to_be(player);
    told.has_number = player->state == REST_ENTERING && verdict == VERDICT(DONE);
    him.player = (ProtobufCBinaryData){ CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) player->player };
    seat.player = &him;
    table.table = id;
    table.code = (char *) (uintptr_t) "code";
    table.n_seats = seated;
    table.seats = seats;
    table.has_match_id = begun;
    table.match_id = (ProtobufCBinaryData){ CLIENT_ID_SIZE, (uint8_t *) (uintptr_t) match_id };
    told.verdict = verdict;
    if (has_table) {
        told.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLE;
        told.table = &table;
    }
    tell(CLIENT_ANSWER, player, &told.base);
}

static inline void is_done(const struct rest_player *player)
{
    answer(player, VERDICT(DONE), false, false, false);
}

/* From the name to the place. */
static inline void register_one(uint64_t route, int32_t id, const char *person)
{
    enter(route, person);
    struct rest_player *player = player_of(id);
    is_done(player); /* The name. */
    answer(player, VERDICT(DONE), true, false, false);
    is_done(player); /* What the game says to the player's Register. */
    assert_int_equal(player->state, REST_ENTERED);
}

static inline void tick(uint64_t ms)
{
    now_ms += ms;
    rest_tick(turn());
}

#endif

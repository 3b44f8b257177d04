/* crowd.c: names, tables, seats: everything that is asked of the lobby. */
#include "crowd.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/client_ask.h"
#include "contract/engine.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "record.h"

/* A player who was told "not now" by the lobby asks again after so long. */
#define REST_MS 200

uint64_t crowd_draw(struct crowd *crowd, uint64_t below)
{
    crowd->luck = crowd->luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (crowd->luck >> 33) % below;
}

static ProtobufCBinaryData id_of(uint8_t *id)
{
    return (ProtobufCBinaryData){ CLIENT_ID_SIZE, id };
}

/* One ask for a player of the bench. */
static uint32_t ask(struct crowd *crowd, uint8_t *player, Arbiter__Lobby__Ask__KindCase kind,
                    void *message)
{
    Arbiter__Lobby__Ask whole = ARBITER__LOBBY__ASK__INIT;
    whole.kind_case = kind;
    whole.rejoin = message; /* All members of the oneof are pointers at one place. */
    whole.has_player = crowd->is_bots;
    if (whole.has_player)
        whole.player = id_of(player);
    uint32_t number = client_ask(crowd->client, &whole.base);
    if (number != 0)
        record_say("asked %" PRIu32 " %d", number, (int) kind);
    return number;
}

static uint32_t ask_name(struct crowd *crowd, struct bench *bench)
{
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    char                     name[32];
    (void) snprintf(name, sizeof name, "%s-%u-%u", crowd->name, (unsigned) (bench - crowd->bench),
                    bench->done);
    bind.name = name;
    return ask(crowd, bench->player[bench->done], ASK(BIND_NAME), &bind);
}

static uint32_t ask_table(struct crowd *crowd, struct bench *bench)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) crowd->game->game->name;
    create.setup_name = (char *) crowd->setup;
    create.has_seats = create.has_hotseat = true;
    create.seats = crowd->seats;
    create.hotseat = !crowd->is_bots;
    create.has_turn_ms = crowd->turn_ms > 0;
    create.turn_ms = crowd->turn_ms;
    return ask(crowd, bench->player[0], ASK(CREATE_TABLE), &create);
}

static uint32_t ask_seat(struct crowd *crowd, struct bench *bench)
{
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    join.has_table = true;
    join.table = id_of(bench->table);
    return ask(crowd, bench->player[bench->done], ASK(JOIN_TABLE), &join);
}

static uint32_t ask_leave(struct crowd *crowd, struct bench *bench)
{
    Arbiter__Lobby__LeaveTable leave = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    leave.has_table = true;
    leave.table = id_of(bench->table);
    return ask(crowd, bench->player[bench->done], ASK(LEAVE_TABLE), &leave);
}

static uint32_t ask_next(struct crowd *crowd, struct bench *bench)
{
    switch (bench->phase) {
    case BENCH_NAMING: return ask_name(crowd, bench);
    case BENCH_OPENING: return crowd->is_stopping ? 0 : ask_table(crowd, bench);
    case BENCH_JOINING: return ask_seat(crowd, bench);
    case BENCH_LEAVING: return ask_leave(crowd, bench);
    default: return 0;
    }
}

/* How many have to ask in a phase: a hotseat's one player sits on every seat. */
static uint32_t askers(const struct crowd *crowd, enum bench_phase phase)
{
    return crowd->is_bots || phase == BENCH_JOINING ? crowd->seats : 1;
}

static void go_on(struct crowd *crowd, struct bench *bench)
{
    if (++bench->done < askers(crowd, bench->phase))
        return;
    bench->done = 0;
    bench->phase = bench->phase == BENCH_NAMING    ? BENCH_OPENING
                   : bench->phase == BENCH_LEAVING ? BENCH_OPENING
                                                   : BENCH_PLAYING;
}

static void on_done(struct crowd *crowd, struct bench *bench, const Arbiter__Lobby__Answer *answer)
{
    if (bench->phase != BENCH_OPENING) {
        go_on(crowd, bench);
        return;
    }
    if (answer->kind_case != ARBITER__LOBBY__ANSWER__KIND_TABLE ||
        answer->table->table.len != CLIENT_ID_SIZE)
        return;
    memcpy(bench->table, answer->table->table.data, CLIENT_ID_SIZE);
    bench->is_begun = false;
    memset(bench->chair, 0, sizeof bench->chair);
    bench->phase = BENCH_JOINING;
    bench->done = 1; /* A player who opens a table sits. */
}

static void on_answer(struct crowd *crowd, const struct client_event *event)
{
    const Arbiter__Lobby__Answer *answer =
        event->kind == CLIENT_ANSWER
            ? (const Arbiter__Lobby__Answer *) (const void *) client_message(crowd->client, event)
            : NULL;
    uint32_t judged = answer != NULL ? (uint32_t) answer->verdict : 0;
    record_say("answered %" PRIu32 " %" PRIu32 " %" PRIu32, event->request, judged, event->refusal);
    for (uint32_t i = 0; i < crowd->benches; i++) {
        struct bench *bench = &crowd->bench[i];
        if (bench->ask != event->request)
            continue;
        bench->ask = 0;
        bench->rest_ms = record_now_ms() + REST_MS;
        if (judged == ARBITER__LOBBY__VERDICT__VERDICT_DONE) {
            bench->rest_ms = 0;
            on_done(crowd, bench, answer);
        } else if (bench->phase == BENCH_LEAVING) {
            go_on(crowd, bench); /* It is gone already. */
        } else if (bench->phase == BENCH_JOINING) {
            bench->phase = BENCH_LEAVING; /* Another table will do. */
            bench->done = 0;
        }
    }
}

static struct bench *bench_of_table(struct crowd *crowd, const uint8_t *table)
{
    for (uint32_t i = 0; i < crowd->benches; i++)
        if (memcmp(crowd->bench[i].table, table, CLIENT_ID_SIZE) == 0)
            return &crowd->bench[i];
    return NULL;
}

static struct bench *bench_of_match(struct crowd *crowd, const uint8_t *match_id)
{
    for (uint32_t i = 0; i < crowd->benches; i++)
        if (crowd->bench[i].is_begun &&
            memcmp(crowd->bench[i].match_id, match_id, CLIENT_ID_SIZE) == 0)
            return &crowd->bench[i];
    return NULL;
}

/* The first view of a match says at which table it began. */
static struct bench *begin(struct crowd *crowd, const struct client_event *event)
{
    const Arbiter__Engine__Attached *attached =
        (const Arbiter__Engine__Attached *) (const void *) client_message(crowd->client, event);
    if (attached == NULL || attached->match == NULL || attached->match->table.len != CLIENT_ID_SIZE)
        return NULL;
    struct bench *bench = bench_of_table(crowd, attached->match->table.data);
    if (bench == NULL || bench->is_begun)
        return NULL;
    bench->is_begun = true;
    memcpy(bench->match_id, event->match_id, CLIENT_ID_SIZE);
    record_bytes(record_now_ms(), "begun", bench->match_id, 0, crowd->seats, bench->table,
                 CLIENT_ID_SIZE);
    return bench;
}

void crowd_hear(struct crowd *crowd, const struct client_event *event)
{
    struct bench *bench;
    switch (event->kind) {
    case CLIENT_NOTHING:
    case CLIENT_CONNECTED:
    case CLIENT_TABLE:
    case CLIENT_TABLE_NOW:
    case CLIENT_TABLE_LOST: return;
    case CLIENT_ANSWER: on_answer(crowd, event); return;
    default: break;
    }
    bench = bench_of_match(crowd, event->match_id);
    if (bench == NULL && event->kind == CLIENT_ATTACHED)
        bench = begin(crowd, event);
    if (event->kind == CLIENT_REFUSED)
        on_answer(crowd, event);
    if (bench != NULL && event->seat < crowd->seats)
        match_hear(crowd, bench, event);
}

static bool is_over(const struct crowd *crowd, const struct bench *bench)
{
    uint32_t over = 0;
    for (uint32_t seat = 0; seat < crowd->seats; seat++)
        over += bench->chair[seat].is_over;
    return bench->is_begun && over == crowd->seats;
}

void crowd_tick(struct crowd *crowd)
{
    uint64_t now_ms = record_now_ms();
    for (uint32_t i = 0; i < crowd->benches; i++) {
        struct bench *bench = &crowd->bench[(crowd->turn + i) % crowd->benches];
        if (bench->phase == BENCH_PLAYING && is_over(crowd, bench))
            bench->phase = BENCH_LEAVING;
        if (bench->is_begun)
            match_tick(crowd, bench, now_ms);
        if (bench->ask == 0 && bench->rest_ms <= now_ms)
            bench->ask = ask_next(crowd, bench);
    }
    crowd->turn++;
}

bool crowd_is_done(const struct crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->benches; i++) {
        const struct bench *bench = &crowd->bench[i];
        if (bench->phase == BENCH_PLAYING || bench->phase == BENCH_JOINING)
            return false;
    }
    return true;
}

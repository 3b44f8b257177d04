/* lobby_bench.c: steps a lobby as a shell would, and looks at all that leaves it. */
#include "services/lobby/lobby_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#include "games/registry.h"
#include "wire/validate.h"
#include "json/json.h"

#define OUTBOX_BYTES (16u << 20)

static char dead_text[1 << 16];

static const struct lobby_setup nim_setups[] = {
    { .name = "classic", .title = "Three heaps", .text = "{ \"heaps\": [3, 4, 5] }" },
    { .name = "misere",
      .title = "Who takes the last loses",
      .text = "{ \"heaps\": [3, 4, 5], \"misere\": true }" },
};
static const struct lobby_setup dead_setups[] = {
    { .name = "intro", .title = "Introduction", .text = dead_text },
};

static void sign(uint8_t signature[64], const uint8_t secret[64], const struct piece *pieces,
                 uint32_t count)
{
    uint8_t text[256];
    size_t  size = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(text + size, pieces[i].bytes, pieces[i].size);
        size += pieces[i].size;
    }
    crypto_sign_detached(signature, NULL, text, size, secret);
}

static const struct lobby_helpers helpers = { .parse = json_value,
                                              .sign = sign,
                                              .crypto = &crypto_sodium };

static struct lobby_game game_named(const char *name, const struct lobby_setup *setups,
                                    uint32_t count)
{
    const struct game_wire *wire = registry_find(name, 0);
    return (struct lobby_game){ .game = wire->game,
                                .commands = plan_new(wire->command),
                                .events = plan_new(wire->event),
                                .setups = setups,
                                .setup_count = count };
}

static void read_dead(const char *source)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/configs/dead/intro.json", source);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(dead_text, 1, sizeof dead_text - 1, file);
    dead_text[size] = '\0';
    fclose(file);
}

/* Persons 1 to 8 are clients, 10 the operator, 11 and 12 gateways, 13 and 14 bot services, 15 the engine,
 * 9 a watchdog. */
static uint32_t role_of(uint32_t number)
{
    static const uint32_t roles[BENCH_IDS] = {
        [9] = ROLE(WATCHDOG), [10] = ROLE(CONSOLE), [11] = ROLE(GATEWAY), [12] = ROLE(GATEWAY),
        [13] = ROLE(BOT),     [14] = ROLE(BOT),     [15] = ROLE(ENGINE),
    };
    return roles[number] == 0 ? ROLE(CLIENT) : roles[number];
}

static void fill_settings(struct bench *bench)
{
    struct lobby_settings *settings = &bench->settings;
    lobby_defaults(settings);
    settings->players_max = 64;
    settings->tables_max = 12;
    settings->texts_max = 3;
    settings->results_max = 16;
    settings->events_kept = 32;
    settings->keys_max = 24;
    memset(settings->key, 0xee, sizeof settings->key);
    memcpy(settings->requests_address, "ipc://lobby", 12);
    memcpy(settings->stream_address, "ipc://news", 11);
    settings->helpers = &helpers;
    bench->games[0] = game_named("nim", nim_setups, 2);
    bench->games[1] = game_named("dead", dead_setups, 1);
    bench->games[2] = game_named("quests", NULL, 0);
    bench->games[3] = game_named("treasure", NULL, 0);
    settings->games = bench->games;
    settings->game_count = 4;
    for (uint32_t i = 1; i < BENCH_IDS; i++) {
        memset(bench->seeds[i - 1].key, (int) i, CALLER_KEY_SIZE);
        bench->seeds[i - 1].role = role_of(i);
    }
    settings->seeds = bench->seeds;
    settings->seed_count = BENCH_IDS - 1;
    crypto_sign_keypair(settings->ticket_key, settings->ticket_secret);
}

static void start(struct bench *bench)
{
    size_t size = lobby_bytes(&bench->settings);
    bench->memory = malloc(size);
    assert_non_null(bench->memory);
    memset(bench->memory, 0xa5, size);
    bench->lobby = lobby_init(bench->memory, &bench->settings);
    outbox_init(&bench->out, bench->outbox_memory, OUTBOX_BYTES);
    bench_deliver(bench, &(struct event){ .kind = EVENT_STARTED });
}

void bench_open(struct bench *bench, const char *source,
                void (*tweak)(struct lobby_settings *settings))
{
    assert_true(sodium_init() >= 0);
    memset(bench, 0, sizeof *bench);
    read_dead(source);
    fill_settings(bench);
    if (tweak != NULL)
        tweak(&bench->settings);
    bench->now_ms = 1000000;
    bench->wall_ms = 1700000000000;
    bench->outcome = STORE_COMMITTED;
    bench->outbox_memory = malloc(OUTBOX_BYTES);
    memory_store_open(&bench->store, lobby_ops.schema);
    start(bench);
}

void bench_close(struct bench *bench)
{
    free(bench->memory);
    free(bench->outbox_memory);
    for (uint32_t i = 0; i < bench->settings.game_count; i++) {
        struct plan *commands = (struct plan *) (uintptr_t) bench->games[i].commands;
        struct plan *events = (struct plan *) (uintptr_t) bench->games[i].events;
        plan_destroy(&commands);
        plan_destroy(&events);
    }
    memory_store_close(&bench->store);
}

void bench_restart(struct bench *bench)
{
    free(bench->memory);
    bench->is_engine_there = false;
    start(bench);
}

/* Whatever leaves is a message that its receiver would take. */
static void look_at_effects(struct bench *bench)
{
    for (uint32_t i = 0; i < bench->out.effect_count; i++) {
        const struct effect *effect = &bench->out.effects[i];
        if (effect->kind != EFFECT_SEND && effect->kind != EFFECT_PUBLISH)
            continue;
        assert_non_null(effect->body);
        assert_true(validate_message(effect->body));
        assert_true(protobuf_c_message_get_packed_size(effect->body) <= VALIDATE_BODY_MAX);
        bench->sent++;
    }
}

static void settle(struct bench *bench)
{
    enum store_outcome outcome = STORE_COMMITTED;
    if (bench->out.row_count > 0) {
        outcome = bench->outcome;
        bench->outcome = STORE_COMMITTED;
        if (outcome == STORE_COMMITTED)
            outcome = memory_store_commit(&bench->store, bench->out.rows, bench->out.row_count);
    }
    if (outcome != STORE_COMMITTED)
        bench->out.effect_count = 0;
    lobby_ops.settle(bench->lobby, outcome, &bench->out);
    look_at_effects(bench);
}

static void step(struct bench *bench, struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE];
    bench->drawn++;
    for (uint32_t i = 0; i < ENTROPY_SIZE; i++)
        entropy[i] =
            (uint8_t) (bench->drawn * 0x9e3779b97f4a7c15u >> (i % 8 * 8)) ^ (uint8_t) (i * 37);
    event->now_ms = bench->now_ms;
    event->wall_ms = bench->wall_ms;
    event->entropy = entropy;
    outbox_reset(&bench->out);
    lobby_ops.step(bench->lobby, event, &bench->out);
    settle(bench);
}

static void give_rows(struct bench *bench, const struct query *query)
{
    uint32_t     count;
    struct row **rows = memory_store_read(&bench->store, query, &count);
    for (uint32_t i = 0; i < count; i++)
        step(bench, &(struct event){ .kind = EVENT_ROW, .tag = query->tag, .row = rows[i] });
    free(rows);
    step(bench, &(struct event){ .kind = EVENT_READ_DONE, .tag = query->tag, .rows = count });
}

void bench_deliver(struct bench *bench, struct event *event)
{
    struct query queries[32];
    uint32_t     count = 0;
    step(bench, event);
    for (uint32_t i = 0; i < bench->out.effect_count; i++)
        if (bench->out.effects[i].kind == EFFECT_READ)
            queries[count++] = *bench->out.effects[i].query;
    for (uint32_t i = 0; i < count; i++)
        give_rows(bench, &queries[i]);
}

void bench_wait(struct bench *bench, uint64_t ms)
{
    bench->now_ms += ms;
    bench->wall_ms += ms;
    bench->out.wake_ms = NO_WAKE;
    bench_deliver(bench, &(struct event){ .kind = EVENT_TIME });
}

void bench_say(struct bench *bench, const struct person *person, uint16_t kind, uint32_t request,
               const void *body)
{
    struct event event = { .kind = EVENT_MESSAGE, .body = body };
    header_init(&event.header, kind, NULL);
    event.header.request = request;
    if (person->version != 0)
        event.header.version = person->version;
    memset(event.caller.key, person->number, CALLER_KEY_SIZE);
    event.caller.role = person->role;
    event.caller.door = DOOR_REQUESTS;
    event.caller.route = 100u + person->number;
    assert_true(validate_message(body));
    event.size = protobuf_c_message_get_packed_size(body);
    uint8_t *bytes = malloc(event.size + 1);
    assert_non_null(bytes);
    protobuf_c_message_pack(body, bytes);
    event.bytes = bytes;
    bench_deliver(bench, &event);
    free(bytes);
}

void bench_hello(struct bench *bench, const struct person *person)
{
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    hello.has_role = hello.has_protocol = true;
    hello.role = (Arbiter__Directory__Role) person->role;
    hello.protocol = bench->protocol != 0 ? bench->protocol : PROTOCOL_NEWEST;
    bench_say(bench, person, KIND(HELLO), 0, &hello);
}

void bench_service(struct bench *bench, const struct person *person, const char *name)
{
    Arbiter__Directory__Hello   hello = ARBITER__DIRECTORY__HELLO__INIT;
    Arbiter__Directory__Service service = ARBITER__DIRECTORY__SERVICE__INIT;
    Arbiter__Directory__Door    door = ARBITER__DIRECTORY__DOOR__INIT, *doors[] = { &door };
    Arbiter__Directory__Slots   slots = ARBITER__DIRECTORY__SLOTS__INIT, *runs[] = { &slots };
    hello.has_role = hello.has_protocol = true;
    hello.role = (Arbiter__Directory__Role) person->role;
    hello.protocol = bench->protocol != 0 ? bench->protocol : PROTOCOL_NEWEST;
    hello.service = &service;
    service.name = (char *) (uintptr_t) name;
    service.has_started_ms = true;
    service.started_ms = bench->service_started_ms;
    door.has_kind = slots.has_first = slots.has_last = slots.has_epoch = true;
    door.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS;
    door.address = (char *) (uintptr_t) "ipc://service";
    door.outside = (char *) (uintptr_t) bench->service_outside;
    slots.last = SLOTS - 1;
    slots.epoch = 3;
    service.doors = doors;
    service.n_doors = 1;
    service.slots = runs;
    service.n_slots = person->role == ROLE(ENGINE);
    bench_say(bench, person, KIND(HELLO), 0, &hello);
    bench->is_engine_there = bench->is_engine_there || person->role == ROLE(ENGINE);
}

const void *bench_message(const struct bench *bench, const struct person *person, uint16_t kind,
                          uint32_t index)
{
    for (uint32_t i = 0; i < bench->out.effect_count; i++) {
        const struct effect *effect = &bench->out.effects[i];
        bool is_his = effect->kind == EFFECT_SEND && effect->door == DOOR_REQUESTS &&
                      effect->route == 100u + person->number && effect->header.kind == kind;
        if (is_his && index-- == 0)
            return effect->body;
    }
    return NULL;
}

const Arbiter__Lobby__TableEvent *bench_event(const struct bench  *bench,
                                              const struct person *person, int kind)
{
    const Arbiter__Lobby__TableEvent *event;
    for (uint32_t i = 0; (event = bench_message(bench, person, KIND(TABLE_EVENT), i)) != NULL; i++)
        if ((int) event->kind_case == kind)
            return event;
    return NULL;
}

uint32_t bench_count(const struct bench *bench, enum effect_kind kind, uint16_t message)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench->out.effect_count; i++)
        count += bench->out.effects[i].kind == kind &&
                 (message == 0 || bench->out.effects[i].header.kind == message);
    return count;
}

const struct effect *bench_to_engine(const struct bench *bench, uint16_t kind)
{
    for (uint32_t i = 0; i < bench->out.effect_count; i++) {
        const struct effect *effect = &bench->out.effects[i];
        if (effect->kind == EFFECT_SEND && effect->door == DOOR_PEER && effect->header.kind == kind)
            return effect;
    }
    return NULL;
}

static const Arbiter__Lobby__Answer *ask_as(struct bench *bench, const struct person *person,
                                            int kind, void *ask)
{
    Arbiter__Lobby__Ask whole = ARBITER__LOBBY__ASK__INIT;
    uint8_t             id[16];
    whole.kind_case = (Arbiter__Lobby__Ask__KindCase) kind;
    whole.bind_name = ask; /* All of the oneof's pointers are one. */
    memset(id, person->guest, sizeof id);
    if (person->guest != 0) {
        whole.has_player = true;
        whole.player = (ProtobufCBinaryData){ .len = sizeof id, .data = id };
    }
    if (person->id != NULL)
        memcpy(id, person->id, sizeof id);
    whole.has_proof = person->secret != NULL;
    whole.proof =
        (ProtobufCBinaryData){ .len = 32, .data = (uint8_t *) (uintptr_t) person->secret };
    whole.has_from = person->from != 0;
    whole.from = person->from;
    whole.has_crowd = whole.crowd = person->is_crowd;
    Arbiter__Lobby__Deputy deputy = ARBITER__LOBBY__DEPUTY__INIT;
    deputy.name = (char *) (uintptr_t) person->token;
    deputy.has_helper = deputy.helper = person->is_helper;
    whole.deputy = person->token != NULL ? &deputy : NULL;
    bench_say(bench, person, KIND(LOBBY_ASK), person->request, &whole);
    return bench_message(bench, person, KIND(LOBBY_ANSWER), 0);
}

const Arbiter__Lobby__Answer *bench_ask(struct bench *bench, struct person *person, int kind,
                                        void *ask)
{
    person->request++;
    return ask_as(bench, person, kind, ask);
}

const Arbiter__Lobby__Answer *bench_ask_again(struct bench *bench, const struct person *person,
                                              int kind, void *ask)
{
    return ask_as(bench, person, kind, ask);
}

uint32_t bench_refusal(const struct bench *bench)
{
    for (uint32_t i = 0; i < bench->out.effect_count; i++)
        if (bench->out.effects[i].header.kind == KIND(REFUSED))
            return ((const Arbiter__Wire__Refused *) (const void *) bench->out.effects[i].body)
                ->refusal;
    return 0;
}

const Arbiter__Lobby__Answer *bench_expect(struct bench *bench, struct person *person, int kind,
                                           void *ask, uint32_t expected)
{
    const Arbiter__Lobby__Answer *answer = bench_ask(bench, person, kind, ask);
    assert_non_null(answer);
    assert_int_equal(answer->verdict, expected);
    assert_int_equal(answer->request, person->request);
    assert_true(expected == VERDICT(DONE) || answer->sentence[0] != '\0');
    return answer;
}

void bench_bind(struct bench *bench, struct person *person, const char *name)
{
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    bind.name = (char *) (uintptr_t) name;
    bench_expect(bench, person, ASK(BIND_NAME), &bind, VERDICT(DONE));
}

void bench_engine_says(struct bench *bench, uint16_t kind, const uint8_t *match_id, uint32_t seat,
                       const void *body)
{
    struct event event = { .kind = EVENT_MESSAGE, .body = body };
    header_init(&event.header, kind, match_id);
    event.header.seat = seat;
    memset(event.caller.key, 15, CALLER_KEY_SIZE);
    event.caller.role = ROLE(ENGINE);
    event.caller.door = DOOR_PEER;
    event.caller.route = 0;
    bench_deliver(bench, &event);
}

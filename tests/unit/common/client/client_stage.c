/* client_stage.c: see client_stage.h. Answers are as plain as can be: one client, one match, no time. */
#include "common/client/client_stage.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/stream.pb-c.h"
#include "core/event.h"
#include "dice/kinds.h"
#include "games/registry.h"
#include "match/match.h"
#include "wire/chain.h"
#include "wire/names.h"
#include "json/config_file.h"

#define BODY_MAX (64u << 10)
#define ACTS_MAX 64

struct kept_act {
    uint8_t  body[4096], before[32], hash[32];
    size_t   size;
    uint32_t actor;
};

struct stage {
    struct bus        *bus;
    struct bus_socket *requests, *stream;
    struct bus_keys    keys;
    char               key[BUS_KEY_TEXT], requests_at[BUS_ADDRESS_MAX], stream_at[BUS_ADDRESS_MAX];
    uint32_t           lost;
    const struct game_wire *nim;
    struct match_form       form;
    struct plan            *commands, *events, *views;
    void                   *setup, *memory, *room_memory;
    struct match_terms      terms;
    struct match_room       room;
    struct match           *match;
    struct kept_act         acts[ACTS_MAX];
};

static void send_frame(struct bus_socket *socket, uint64_t route, const struct header *header,
                       const void *body)
{
    size_t   size = protobuf_c_message_get_packed_size(body);
    uint8_t *frame = bus_compose(socket, HEADER_SIZE + size);
    header_encode(frame, header);
    protobuf_c_message_pack(body, frame + HEADER_SIZE);
    (void) bus_send(socket, route);
}

static bool may_subscribe(void *asked, const uint8_t *key, const uint8_t *topic, size_t size)
{
    (void) asked, (void) key, (void) topic;
    return size == TOPIC_SIZE;
}

static void fill_act(struct stage *stage, uint64_t number, Arbiter__Stream__Act *act)
{
    struct kept_act *kept = &stage->acts[number];
    arbiter__stream__act__init(act);
    act->has_number = act->has_epoch = act->has_chain_before = act->has_actor = true;
    act->has_command_hash = act->has_body = true;
    act->number = number;
    act->epoch = 1;
    act->chain_before = (ProtobufCBinaryData){ 32, kept->before };
    act->actor = kept->actor;
    act->command_hash = (ProtobufCBinaryData){ 32, kept->hash };
    act->body = (ProtobufCBinaryData){ kept->size, kept->body };
}

static void keep(struct stage *stage, const struct match_act *act, const uint8_t before[32])
{
    struct kept_act *kept = &stage->acts[act->number];
    assert_true(act->number < ACTS_MAX && act->body_size <= sizeof kept->body);
    memcpy(kept->before, before, 32);
    memcpy(kept->body, act->body, act->body_size);
    kept->size = act->body_size;
    kept->actor = act->actor;
    chain_command(kept->hash, &crypto_sodium, stage->match->secret, act->command,
                  act->command_size);
}

static void publish(struct stage *stage, uint64_t number)
{
    Arbiter__Stream__Act act;
    struct header        header;
    if (stage->lost > 0) {
        stage->lost--;
        return;
    }
    fill_act(stage, number, &act);
    header_init(&header, KIND(ACT), stage->match->id);
    header.epoch = 1;
    header.number = number;
    send_frame(stage->stream, 0, &header, &act);
}

static void welcome(struct stage *stage, uint64_t route, struct header header)
{
    Arbiter__Directory__Welcome   said = ARBITER__DIRECTORY__WELCOME__INIT;
    Arbiter__Directory__Directory directory = ARBITER__DIRECTORY__DIRECTORY__INIT;
    Arbiter__Directory__Service   service[2] = { ARBITER__DIRECTORY__SERVICE__INIT,
                                                 ARBITER__DIRECTORY__SERVICE__INIT };
    Arbiter__Directory__Service  *services[2] = { &service[0], &service[1] };
    Arbiter__Directory__Slots     slots = ARBITER__DIRECTORY__SLOTS__INIT, *all = &slots;
    Arbiter__Directory__Door      door[3], *doors[3];
    for (uint32_t i = 0; i < 3; i++) {
        arbiter__directory__door__init(&door[i]);
        door[i].has_kind = true;
        door[i].kind = (Arbiter__Directory__Door__Kind) (i + 1);
        door[i].address = i + 1 == DOOR_STREAM ? stage->stream_at : stage->requests_at;
        doors[i] = &door[i];
    }
    slots.has_first = slots.has_last = slots.has_epoch = true;
    slots.last = 255;
    slots.epoch = 1;
    for (uint32_t i = 0; i < 2; i++) {
        service[i].has_role = service[i].has_key = true;
        service[i].role = i == 0 ? ROLE(ENGINE) : ROLE(FANOUT);
        service[i].key = (ProtobufCBinaryData){ 32, stage->keys.public_key };
        service[i].doors = doors;
        service[i].n_doors = 3;
    }
    service[0].slots = &all;
    service[0].n_slots = 1;
    service[0].name = (char *) "engine";
    service[1].name = (char *) "fanout";
    directory.has_number = true;
    directory.number = 1;
    directory.services = services;
    directory.n_services = 2;
    said.directory = &directory;
    header.kind = KIND(WELCOME);
    send_frame(stage->requests, route, &header, &said);
}

static void answer_ask(struct stage *stage, uint64_t route, struct header header)
{
    Arbiter__Lobby__Answer answer = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Player player = ARBITER__LOBBY__PLAYER__INIT;
    uint8_t                id[16] = { 0xaa };
    player.has_player = true;
    player.player = (ProtobufCBinaryData){ 16, id };
    answer.has_verdict = true;
    answer.verdict = ARBITER__LOBBY__VERDICT__VERDICT_DONE;
    answer.kind_case = ARBITER__LOBBY__ANSWER__KIND_PLAYER;
    answer.player = &player;
    header.kind = KIND(LOBBY_ANSWER);
    send_frame(stage->requests, route, &header, &answer);
}

static void attach(struct stage *stage, uint64_t route, struct header header)
{
    Arbiter__Engine__Attached   attached = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Engine__MatchFacts facts = ARBITER__ENGINE__MATCH_FACTS__INIT;
    word                        words[256];
    uint8_t                     view[2048];
    struct sink                 sink = { .words = words, .capacity = 256 };
    match_view(stage->match, header.seat == NO_SEAT ? SPECTATOR : header.seat, &sink);
    size_t size = plan_encode(stage->views, words, sink.used, view, sizeof view);
    attached.has_number = attached.has_chain = attached.has_session = attached.has_view = true;
    attached.number = stage->match->number;
    attached.chain = (ProtobufCBinaryData){ 32, stage->match->chain };
    attached.session = header.seat + 1;
    attached.view = (ProtobufCBinaryData){ size, view };
    attached.match = &facts;
    facts.game = (char *) "nim";
    facts.has_rules_version = true;
    facts.rules_version = stage->nim->game->version;
    header.kind = KIND(ATTACHED);
    header.epoch = 1;
    send_frame(stage->requests, route, &header, &attached);
}

static void play(struct stage *stage, uint64_t route, struct header header,
                 const Arbiter__Engine__Command *asked)
{
    static uint8_t         memory[4096];
    Arbiter__Engine__Reply reply = ARBITER__ENGINE__REPLY__INIT;
    struct arena           arena;
    struct command         command;
    struct match_act       act;
    uint8_t                before[32];
    arena_init(&arena, memory, sizeof memory);
    if (asked->kind_case != ARBITER__ENGINE__COMMAND__KIND_PLAY)
        return;
    assert_true(
        plan_decode_command(stage->commands, asked->play.data, asked->play.len, &arena, &command));
    memcpy(before, stage->match->chain, 32);
    verdict judged = match_play(stage->match, header.seat, &command, &stage->room, &act);
    reply.has_request = reply.has_accepted = reply.has_number = reply.has_chain = true;
    reply.request = header.request;
    reply.accepted = judged == ACCEPTED;
    reply.number = stage->match->number;
    reply.chain = (ProtobufCBinaryData){ 32, stage->match->chain };
    reply.reason = judged == ACCEPTED ? NULL : (char *) stage->nim->game->reasons[judged].name;
    header.kind = KIND(REPLY);
    header.epoch = 1;
    send_frame(stage->requests, route, &header, &reply);
    if (judged != ACCEPTED)
        return;
    keep(stage, &act, before);
    publish(stage, act.number);
}

static void answer_legal(struct stage *stage, uint64_t route, struct header header)
{
    Arbiter__Engine__LegalAnswer answer = ARBITER__ENGINE__LEGAL_ANSWER__INIT;
    struct pattern               patterns[64];
    word                         values[1024];
    uint32_t                     flat[256];
    int64_t                      said[1024];
    struct legal                 list = {
                        .pattern = patterns, .value = values, .patterns_max = 64, .values_max = 1024
    };
    match_legal(stage->match, header.seat, &list);
    for (uint32_t i = 0; i < list.patterns; i++) {
        flat[answer.n_patterns++] = patterns[i].kind;
        flat[answer.n_patterns++] = patterns[i].args;
        for (uint32_t k = 0; k < patterns[i].args; k++) {
            flat[answer.n_patterns++] = patterns[i].arg[k].first;
            flat[answer.n_patterns++] = patterns[i].arg[k].count;
        }
    }
    for (uint32_t i = 0; i < list.values; i++)
        said[i] = values[i];
    answer.patterns = flat;
    answer.values = said;
    answer.n_values = list.values;
    answer.has_number = true;
    answer.number = stage->match->number;
    header.kind = KIND(LEGAL_ANSWER);
    send_frame(stage->requests, route, &header, &answer);
}

static void answer_history(struct stage *stage, uint64_t route, struct header header,
                           const Arbiter__Stream__HistoryAsk *ask)
{
    Arbiter__Stream__HistoryAnswer answer = ARBITER__STREAM__HISTORY_ANSWER__INIT;
    Arbiter__Stream__Act           act[ACTS_MAX], *acts[ACTS_MAX];
    for (uint64_t number = ask->from; number <= stage->match->number; number++) {
        fill_act(stage, number, &act[answer.n_acts]);
        acts[answer.n_acts] = &act[answer.n_acts];
        answer.n_acts++;
    }
    answer.acts = acts;
    answer.has_last = true;
    answer.last = stage->match->number;
    header.kind = KIND(HISTORY_ANSWER);
    send_frame(stage->requests, route, &header, &answer);
}

static void answer(struct stage *stage, const struct bus_message *message)
{
    struct header header;
    assert_int_equal(header_decode(&header, message->bytes, message->size), HEADER_GOOD);
    const uint8_t *body = message->bytes + HEADER_SIZE;
    size_t         size = message->size - HEADER_SIZE;
    if (header.kind == KIND(HELLO))
        welcome(stage, message->route, header);
    else if (header.kind == KIND(LOBBY_ASK))
        answer_ask(stage, message->route, header);
    else if (header.kind == KIND(ATTACH))
        attach(stage, message->route, header);
    else if (header.kind == KIND(LEGAL_ASK))
        answer_legal(stage, message->route, header);
    else if (header.kind == KIND(COMMAND)) {
        Arbiter__Engine__Command *command = arbiter__engine__command__unpack(NULL, size, body);
        assert_non_null(command);
        play(stage, message->route, header, command);
        arbiter__engine__command__free_unpacked(command, NULL);
    } else if (header.kind == KIND(HISTORY_ASK)) {
        Arbiter__Stream__HistoryAsk *ask = arbiter__stream__history_ask__unpack(NULL, size, body);
        assert_non_null(ask);
        answer_history(stage, message->route, header, ask);
        arbiter__stream__history_ask__free_unpacked(ask, NULL);
    }
}

void stage_serve(struct stage *stage, int wait_ms)
{
    struct bus_socket *sockets[] = { stage->requests, stage->stream };
    struct bus_message message;
    (void) bus_wait(sockets, 2, NULL, 0, wait_ms);
    while (bus_receive(stage->stream, &message) != BUS_NOTHING)
        ;
    while (bus_receive(stage->requests, &message) == BUS_MESSAGE)
        answer(stage, &message);
}

static struct bus_socket *open_door(struct stage *stage, enum bus_kind kind, const char *folder,
                                    const char *name, char *address)
{
    struct text      fault;
    struct bus_place place = { .kind = kind, .address = address, .may_subscribe = may_subscribe };
    (void) snprintf(address, BUS_ADDRESS_MAX, "ipc://%s/%s", folder, name);
    struct bus_socket *socket = bus_open(stage->bus, &place, &fault);
    assert_non_null(socket);
    return socket;
}

static void begin_match(struct stage *stage)
{
    static const char  text[] = "{\"heaps\": [3, 4, 5]}";
    struct config_text config = { "text", text, sizeof text - 1 };
    struct match_begin how = { .epoch = 1, .id = { 1, 2, 3 }, .secret = { 4, 5, 6 } };
    struct dice        dice;
    struct match_act   act;
    uint8_t            before[32] = { 0 };
    size_t             size = 0;
    stage->nim = registry_find("nim", 0);
    stage->setup = config_compile(stage->nim->game, &config, NULL, &size, stderr);
    assert_non_null(stage->setup);
    stage->commands = plan_new(stage->nim->command);
    stage->events = plan_new(stage->nim->event);
    stage->views = plan_new(stage->nim->view);
    stage->form = (struct match_form){ stage->commands, stage->events, &crypto_sodium };
    dice_java(&dice, 1);
    how.dice = &dice;
    match_terms_init(&stage->terms, stage->nim->game, stage->setup, 2, MATCH_CHAINED, &stage->form);
    stage->memory = calloc(1, match_bytes(&stage->terms));
    stage->room_memory = calloc(1, match_room_bytes(&stage->terms));
    match_room_init(&stage->room, &stage->terms, stage->room_memory);
    stage->match = match_start(stage->memory, &stage->terms, &how, &stage->room, &act);
    keep(stage, &act, before);
}

struct stage *stage_open(const char *folder)
{
    struct stage       *stage = calloc(1, sizeof *stage);
    struct bus_settings settings = { 0 };
    struct text         fault;
    assert_non_null(stage);
    bus_keys_make(&stage->keys, "lobby");
    settings.keys = stage->keys;
    bus_key_write(stage->key, stage->keys.public_key);
    stage->bus = bus_start(&settings, &fault);
    assert_non_null(stage->bus);
    stage->requests = open_door(stage, BUS_ROUTER, folder, "requests", stage->requests_at);
    stage->stream = open_door(stage, BUS_XPUB, folder, "stream", stage->stream_at);
    begin_match(stage);
    return stage;
}

void stage_close(struct stage **stage)
{
    struct stage *closed = *stage;
    bus_close(&closed->requests);
    bus_close(&closed->stream);
    bus_stop(&closed->bus);
    plan_destroy(&closed->commands);
    plan_destroy(&closed->events);
    plan_destroy(&closed->views);
    free(closed->setup);
    free(closed->memory);
    free(closed->room_memory);
    free(closed);
    *stage = NULL;
}

const char *stage_requests(const struct stage *stage)
{
    return stage->requests_at;
}

const char *stage_stream(const struct stage *stage)
{
    return stage->stream_at;
}

const char *stage_key(const struct stage *stage)
{
    return stage->key;
}

void stage_admit(struct stage *stage, const uint8_t key[BUS_KEY_SIZE])
{
    struct bus_admission admission = { .role = ROLE(CLIENT) };
    memcpy(admission.key, key, BUS_KEY_SIZE);
    assert_true(bus_admit(stage->bus, &admission, 1));
}

void stage_lose(struct stage *stage, uint32_t frames)
{
    stage->lost = frames;
}

uint64_t stage_number(const struct stage *stage)
{
    return stage->match->number;
}

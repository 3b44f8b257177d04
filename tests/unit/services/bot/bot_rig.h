/* bot_rig.h: a bot, its lobby and its engine as a test plays them: what it says, and what it is told. */
#ifndef ARBITER_TEST_BOT_RIG_H
#define ARBITER_TEST_BOT_RIG_H

#include "services/bot/bot.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/nim.pb-c.h"
#include "games/registry.h"
#include "wire/kinds.h"
#include "wire/names.h"
#include "wire/validate.h"
#include "json/config_file.h"

#define LOBBY 0u
#define ENGINE 1u
#define SEAT 2u

static struct bot      *bot;
static void            *memory;
static struct outbox    out;
static uint64_t         now_ms, luck;
static struct mind_game game;
static struct plan     *plan, *event_plan, *view_plan;
static struct header    said[64]; /* Since the last look, with their bodies. */
static uint8_t          bodies[64][512];
static size_t           sizes[64];
static uint32_t         said_count, generation = 1; /* Of the seat's holder. */
static struct text      logged;                     /* The last line for the log. */
static uint8_t          table_id[16] = { 0x7a }, player[16] = { 0x99 }, match_id[16] = { 0x3d };

static inline void run(struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE] = { 0 };
    memcpy(entropy, &luck, sizeof luck);
    event->now_ms = now_ms;
    event->entropy = entropy;
    bot_ops.step(bot, event, &out);
    for (uint32_t i = 0; i < out.effect_count; i++) {
        const struct effect *effect = &out.effects[i];
        if (effect->kind == EFFECT_SAY)
            logged = *effect->text;
        if (effect->kind != EFFECT_SEND || effect->header.kind == KIND(HELLO))
            continue;
        said[said_count] = effect->header;
        sizes[said_count] = effect->size;
        if (effect->body != NULL)
            sizes[said_count] = protobuf_c_message_pack(effect->body, bodies[said_count]);
        else
            memcpy(bodies[said_count], effect->bytes, effect->size);
        assert_true(++said_count < 64);
    }
    outbox_reset(&out);
}

static inline void wait(uint64_t ms)
{
    struct event event = { .kind = EVENT_TIME };
    now_ms += ms;
    out.wake_ms = NO_WAKE;
    run(&event);
}

static inline void hear(uint32_t peer, const struct header *header, const void *body)
{
    static uint8_t arena_memory[VALIDATE_ARENA_BYTES], bytes[4096];
    struct arena   arena;
    struct event   event = { .kind = EVENT_MESSAGE, .header = *header, .bytes = bytes };
    arena_init(&arena, arena_memory, sizeof arena_memory);
    event.size = protobuf_c_message_pack(body, bytes);
    event.body = validate_unpack(kinds_find(header->kind), bytes, event.size, &arena);
    assert_non_null(event.body);
    event.caller.door = DOOR_PEER;
    event.caller.route = peers_connection(peer, DOOR_REQUESTS);
    run(&event);
}

/* The one frame of this kind since the last look; its place among `said`. */
static inline uint32_t expect(uint16_t kind)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < said_count; i++)
        if (said[i].kind == kind) {
            assert_int_equal(found, UINT32_MAX);
            found = i;
        }
    assert_int_not_equal(found, UINT32_MAX);
    said_count = 0;
    return found;
}

static inline void expect_nothing(uint16_t kind)
{
    for (uint32_t i = 0; i < said_count; i++)
        assert_int_not_equal(said[i].kind, kind);
}

static inline void welcome(void)
{
    Arbiter__Directory__Welcome   message = ARBITER__DIRECTORY__WELCOME__INIT;
    Arbiter__Directory__Directory directory = ARBITER__DIRECTORY__DIRECTORY__INIT;
    Arbiter__Directory__Service   engine = ARBITER__DIRECTORY__SERVICE__INIT, *services = &engine;
    Arbiter__Directory__Slots     slots = ARBITER__DIRECTORY__SLOTS__INIT, *runs = &slots;
    Arbiter__Directory__Door      door = ARBITER__DIRECTORY__DOOR__INIT, *doors = &door;
    struct header                 header;
    uint8_t                       key[32] = { 1 };
    char                          address[] = "inproc://engine";
    door.has_kind = true;
    door.kind = ARBITER__DIRECTORY__DOOR__KIND__KIND_REQUESTS;
    door.address = address;
    slots.has_first = slots.has_last = slots.has_epoch = true;
    slots.last = 255;
    slots.epoch = 1;
    engine.has_role = engine.has_key = true;
    engine.role = ROLE(ENGINE);
    engine.name = (char *) "engine";
    engine.key = (ProtobufCBinaryData){ 32, key };
    engine.doors = &doors;
    engine.n_doors = 1;
    engine.slots = &runs;
    engine.n_slots = 1;
    directory.services = &services;
    directory.n_services = 1;
    directory.has_number = true;
    directory.number = 1;
    message.directory = &directory;
    header_init(&header, KIND(WELCOME), NULL);
    hear(LOBBY, &header, &message);
}

static inline size_t compile(const struct game *rules, const struct mind_text *text, void *setup,
                             size_t capacity)
{
    const struct config_text config = { "setup", text->setup, text->setup_size };
    size_t                   size = 0;
    void                    *compiled = config_compile(rules, &config, NULL, &size, stderr);
    assert_true(compiled != NULL && size <= capacity);
    memcpy(setup, compiled, size);
    free(compiled);
    return size;
}

static inline int open_bot(void **unused)
{
    (void) unused;
    struct bot_settings     settings;
    struct event            started = { .kind = EVENT_STARTED };
    const struct game_wire *nim = registry_find("nim", 0);
    assert_true(sodium_init() >= 0);
    plan = plan_new(nim->command);
    event_plan = plan_new(nim->event);
    view_plan = plan_new(nim->view);
    game = (struct mind_game){ nim->game, plan, event_plan, view_plan };
    bot_defaults(&settings);
    settings.client.seats_max = settings.client.tables_max = 4;
    settings.client.crypto = &crypto_sodium;
    settings.client.peers.role = ROLE(BOT);
    memcpy(settings.client.peers.lobby.address[DOOR_REQUESTS], "inproc://lobby", 15);
    settings.games = &game;
    settings.game_count = 1;
    settings.think_ms = 300;
    settings.mind.compile = compile;
    settings.mind.crypto = &crypto_sodium;
    settings.mind.setups_max = 2;
    settings.mind.setup_bytes = 4096;
    settings.mind.tree_bytes = 1u << 20;
    memory = malloc(bot_bytes(&settings) + OUTBOX_BYTES_MIN);
    assert_non_null(memory);
    bot = bot_init(memory, &settings);
    outbox_init(&out, (uint8_t *) memory + bot_bytes(&settings), OUTBOX_BYTES_MIN);
    now_ms = 5000;
    said_count = 0;
    text_clear(&logged);
    run(&started);
    welcome();
    return 0;
}

static inline int close_bot(void **unused)
{
    (void) unused;
    plan_destroy(&plan);
    plan_destroy(&event_plan);
    plan_destroy(&view_plan);
    free(memory);
    return 0;
}

static inline void table_event(uint64_t number, Arbiter__Lobby__TableEvent *event)
{
    struct header header;
    event->has_table = event->has_player = true;
    event->table = (ProtobufCBinaryData){ 16, table_id };
    event->player = (ProtobufCBinaryData){ 16, player };
    event->has_number = number > 0;
    event->number = number;
    header_init(&header, KIND(TABLE_EVENT), NULL);
    hear(LOBBY, &header, event);
}

static inline void call(const char *policy)
{
    Arbiter__Lobby__TableEvent event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__Invited    invited = ARBITER__LOBBY__INVITED__INIT;
    invited.code = (char *) "ABCD2345";
    invited.has_seat = true;
    invited.seat = SEAT;
    invited.policy = (char *) policy;
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_INVITED;
    event.invited = &invited;
    table_event(0, &event);
}

static inline void answer(const struct header *asked, Arbiter__Lobby__Verdict said_of_it)
{
    Arbiter__Lobby__Answer message = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Table  table = ARBITER__LOBBY__TABLE__INIT;
    struct header          header = *asked;
    header.kind = KIND(LOBBY_ANSWER);
    message.has_verdict = true;
    message.verdict = said_of_it;
    table.has_table = table.has_last_event = true;
    table.table = (ProtobufCBinaryData){ 16, table_id };
    table.last_event = 4;
    if (said_of_it == ARBITER__LOBBY__VERDICT__VERDICT_DONE) {
        message.kind_case = ARBITER__LOBBY__ANSWER__KIND_TABLE;
        message.table = &table;
    }
    hear(LOBBY, &header, &message);
}

static inline struct header expect_join(void)
{
    uint32_t             place = expect(KIND(LOBBY_ASK));
    Arbiter__Lobby__Ask *ask = arbiter__lobby__ask__unpack(NULL, sizes[place], bodies[place]);
    assert_non_null(ask);
    assert_int_equal(ask->kind_case, ARBITER__LOBBY__ASK__KIND_JOIN_TABLE);
    assert_memory_equal(ask->player.data, player, 16);
    assert_memory_equal(ask->join_table->table.data, table_id, 16);
    assert_string_equal(ask->join_table->code, "ABCD2345");
    assert_int_equal(ask->join_table->seat, SEAT);
    arbiter__lobby__ask__free_unpacked(ask, NULL);
    return said[place];
}

/* Called, seated, and the match has begun: attached at act 1. */
static inline void sit_down(const char *policy)
{
    Arbiter__Lobby__TableEvent  event = ARBITER__LOBBY__TABLE_EVENT__INIT;
    Arbiter__Lobby__MatchBegins begins = ARBITER__LOBBY__MATCH_BEGINS__INIT;
    Arbiter__Lobby__TableSeat   seat = ARBITER__LOBBY__TABLE_SEAT__INIT, *seats = &seat;
    Arbiter__Lobby__Player      who = ARBITER__LOBBY__PLAYER__INIT;
    Arbiter__Engine__Attached   attached = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Engine__MatchFacts facts = ARBITER__ENGINE__MATCH_FACTS__INIT;
    uint8_t                     chain[32] = { 0 };
    call(policy);
    struct header asked = expect_join();
    answer(&asked, ARBITER__LOBBY__VERDICT__VERDICT_DONE);
    who.has_player = seat.has_seat = begins.has_match_id = true;
    who.player = (ProtobufCBinaryData){ 16, player };
    seat.seat = SEAT;
    seat.player = &who;
    begins.match_id = (ProtobufCBinaryData){ 16, match_id };
    begins.seats = &seats;
    begins.n_seats = 1;
    event.kind_case = ARBITER__LOBBY__TABLE_EVENT__KIND_MATCH_BEGINS;
    event.match_begins = &begins;
    table_event(5, &event);
    struct header header = said[expect(KIND(ATTACH))];
    assert_int_equal(header.seat, SEAT);
    header.kind = KIND(ATTACHED);
    attached.has_number = attached.has_chain = attached.has_session = true;
    attached.number = 1;
    attached.chain = (ProtobufCBinaryData){ 32, chain };
    attached.session = 3;
    attached.has_generation = true;
    attached.generation = generation;
    attached.match = &facts;
    facts.game = (char *) "nim";
    facts.has_rules_version = facts.has_table = true;
    facts.rules_version = game.game->version;
    facts.setup = (char *) "{ \"heaps\": [3, 4, 5] }";
    facts.has_seats = true;
    facts.seats = 3;
    facts.table = (ProtobufCBinaryData){ 16, table_id };
    hear(ENGINE, &header, &attached);
}

static inline struct header expect_legal_ask(bool wants_best)
{
    uint32_t                   place = expect(KIND(LEGAL_ASK));
    Arbiter__Engine__LegalAsk *ask =
        arbiter__engine__legal_ask__unpack(NULL, sizes[place], bodies[place]);
    assert_non_null(ask);
    assert_true(ask->has_luck);
    assert_int_equal(ask->best, wants_best);
    arbiter__engine__legal_ask__free_unpacked(ask, NULL);
    return said[place];
}

/* Heap 1 or 2, 1 to 3 counters; liked best: all of heap 2. */
static inline void say_legal(const struct header *asked, bool is_awaited, bool has_best)
{
    Arbiter__Engine__LegalAnswer message = ARBITER__ENGINE__LEGAL_ANSWER__INIT;
    Arbiter__Nim__Command        best = ARBITER__NIM__COMMAND__INIT;
    Arbiter__Nim__Take           take = ARBITER__NIM__TAKE__INIT;
    uint32_t                     patterns[] = { 1, 2, 0, 2, 2, 3 };
    int64_t                      values[] = { 1, 2, 1, 2, 3 };
    uint8_t                      bytes[32];
    struct header                header = *asked;
    header.kind = KIND(LEGAL_ANSWER);
    message.has_number = true;
    message.number = 1;
    message.has_wait = is_awaited;
    message.wait = 1;
    if (is_awaited) {
        message.patterns = patterns;
        message.n_patterns = 6;
        message.values = values;
        message.n_values = 5;
    }
    best.kind_case = ARBITER__NIM__COMMAND__KIND_TAKE;
    best.take = &take;
    take.has_heap = take.has_count = true;
    take.heap = 2;
    take.count = 3;
    message.has_best = has_best;
    message.best = (ProtobufCBinaryData){ protobuf_c_message_pack(&best.base, bytes), bytes };
    hear(ENGINE, &header, &message);
}

static inline struct header expect_take(uint32_t *heap, uint32_t *count)
{
    uint32_t                  place = expect(KIND(COMMAND));
    Arbiter__Engine__Command *command =
        arbiter__engine__command__unpack(NULL, sizes[place], bodies[place]);
    assert_non_null(command);
    assert_int_equal(command->kind_case, ARBITER__ENGINE__COMMAND__KIND_PLAY);
    Arbiter__Nim__Command *move =
        arbiter__nim__command__unpack(NULL, command->play.len, command->play.data);
    assert_non_null(move);
    *heap = move->take->heap;
    *count = move->take->count;
    arbiter__nim__command__free_unpacked(move, NULL);
    arbiter__engine__command__free_unpacked(command, NULL);
    return said[place];
}

static inline void refused(const struct header *command)
{
    Arbiter__Engine__Reply reply = ARBITER__ENGINE__REPLY__INIT;
    struct header          header = *command;
    header.kind = KIND(REPLY);
    reply.has_request = reply.has_accepted = reply.has_number = true;
    reply.number = 1;
    reply.sentence = (char *) "There are not so many counters.";
    hear(ENGINE, &header, &reply);
}

/* Whether it has asked what it may do, since the last look. */
static inline bool has_asked(struct header *question)
{
    for (uint32_t i = 0; i < said_count; i++)
        if (said[i].kind == KIND(LEGAL_ASK)) {
            *question = said[i];
            said_count = 0;
            return true;
        }
    return false;
}

/* The one ask of the lobby's is to leave the table. */
static inline void expect_leave(void)
{
    uint32_t             place = expect(KIND(LOBBY_ASK));
    Arbiter__Lobby__Ask *ask = arbiter__lobby__ask__unpack(NULL, sizes[place], bodies[place]);
    assert_non_null(ask);
    assert_int_equal(ask->kind_case, ARBITER__LOBBY__ASK__KIND_LEAVE_TABLE);
    assert_memory_equal(ask->player.data, player, 16);
    assert_memory_equal(ask->leave_table->table.data, table_id, 16);
    arbiter__lobby__ask__free_unpacked(ask, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bot, close_bot)

#endif

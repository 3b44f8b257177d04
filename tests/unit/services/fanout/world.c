/* world.c: see world.h. */
#include "services/fanout/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/chain.h"
#include "wire/kinds.h"

uint64_t world_draw(struct world *world, uint64_t below)
{
    uint64_t z = world->luck += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % below;
}

void world_limits(struct fanout_settings *settings)
{
    fanout_defaults(settings);
    settings->acts_bytes = 1u << 20;
    settings->matches_max = 64;
    settings->keep_acts = 4;
    settings->asks_max = 16;
    settings->asks_per_caller_max = 4;
    settings->fetches_max = 3;
    settings->crypto = &crypto_sodium;
}

static void introduce(struct world *world, uint32_t role, const char *const names[2],
                      uint64_t number, const char *address)
{
    Arbiter__Directory__Directory directory = ARBITER__DIRECTORY__DIRECTORY__INIT;
    Arbiter__Directory__Service   services[2], *list[2];
    Arbiter__Directory__Door      doors[3] = { ARBITER__DIRECTORY__DOOR__INIT,
                                               ARBITER__DIRECTORY__DOOR__INIT,
                                               ARBITER__DIRECTORY__DOOR__INIT },
                             *door_list[3];
    static uint8_t key[2][CALLER_KEY_SIZE] = { { 1 }, { 2 } };
    for (uint32_t i = 0; i < 3; i++) {
        doors[i].has_kind = true;
        doors[i].kind = (Arbiter__Directory__Door__Kind) (i + 1);
        doors[i].address = (char *) (uintptr_t) address;
        door_list[i] = &doors[i];
    }
    for (uint32_t i = 0; i < 2; i++) {
        services[i] = (Arbiter__Directory__Service) ARBITER__DIRECTORY__SERVICE__INIT;
        services[i].has_role = services[i].has_key = true;
        services[i].role = (Arbiter__Directory__Role) role;
        services[i].name = (char *) (uintptr_t) names[i];
        services[i].key.data = key[i];
        services[i].key.len = CALLER_KEY_SIZE;
        services[i].doors = door_list;
        services[i].n_doors = 3;
        list[i] = &services[i];
    }
    directory.has_number = true;
    directory.number = number;
    directory.services = list;
    directory.n_services = 2;
    struct header header;
    header_init(&header, KIND(DIRECTORY), NULL);
    world_hear(world, PEERS_LOBBY, DOOR_STREAM, &header, &directory.base);
}

static void make_match(struct world *world, uint32_t index)
{
    struct world_match *match = &world->matches[index];
    do {
        for (uint32_t i = 0; i < sizeof match->id; i++)
            match->id[i] = (uint8_t) world_draw(world, 256);
    } while (header_slot(match->id) != WORLD_SLOT);
    memset(match->chain, (int) index + 1, sizeof match->chain);
}

void world_begin(struct world *world, const struct fanout_settings *settings, const char *upstream)
{
    memset(world, 0, sizeof *world);
    world->settings = *settings;
    world->settings.peers.role = ROLE(FANOUT);
    memcpy(world->settings.peers.name, "fanout-1", 9);
    if (upstream != NULL)
        memcpy(world->settings.peers.upstream, upstream, strlen(upstream));
    world->now_ms = 1000;
    world->epoch = 1;
    world->luck = 1;
    world->moved_max = WORLD_MATCHES;
    for (uint32_t i = 0; i < WORLD_MATCHES; i++)
        make_match(world, i);
    assert_null(fanout_check(&world->settings));
    world->memory = malloc(fanout_bytes(&world->settings));
    memset(world->memory, 0xa5, fanout_bytes(&world->settings));
    world->outbox = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&world->out, world->outbox, OUTBOX_BYTES_MIN);
    world->fanout = fanout_init(world->memory, &world->settings);
    struct event event = { .kind = EVENT_STARTED };
    world_step(world, &event);
    const char *const engines[2] = { "engine-1", "engine-2" }, *const fanouts[2] = { upstream,
                                                                                     "x" };
    introduce(world, upstream == NULL ? ROLE(ENGINE) : ROLE(FANOUT),
              upstream == NULL ? engines : fanouts, 1, "ipc://x");
    struct header header;
    header_init(&header, KIND(WELCOME), NULL);
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    for (uint32_t peer = 1; upstream == NULL && peer <= 2; peer++)
        world_hear(world, peer, DOOR_REQUESTS, &header, &welcome.base);
}

void world_introduce(struct world *world, uint64_t number, const char *address)
{
    const char *const engines[2] = { "engine-1", "engine-2" };
    introduce(world, ROLE(ENGINE), engines, number, address);
}

void world_hear_nothing(struct world *world, struct header *header)
{
    static const ProtobufCMessageDescriptor *const descriptors[] = {
        &arbiter__stream__act__descriptor,
        &arbiter__stream__head__descriptor,
        &arbiter__stream__slot_count__descriptor,
        &arbiter__stream__moved_answer__descriptor,
        &arbiter__stream__history_answer__descriptor,
        &arbiter__wire__refused__descriptor,
    };
    for (uint32_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++) {
        if (kinds_find(header->kind) != descriptors[i])
            continue;
        ProtobufCMessage *empty = malloc(descriptors[i]->sizeof_message);
        protobuf_c_message_init(descriptors[i], empty);
        world_hear(world, 1, DOOR_STREAM, header, empty);
        free(empty);
    }
}

void world_end(struct world *world)
{
    for (uint32_t i = 0; i < WORLD_MATCHES; i++)
        for (uint64_t number = 1; number <= world->matches[i].number; number++)
            free(world->matches[i].acts[number].bytes);
    free(world->memory);
    free(world->outbox);
}

static void note_question(struct world *world, const struct effect *effect)
{
    struct world_question question = { .header = effect->header };
    question.peer = (uint32_t) (effect->route / PEERS_DOORS);
    if (effect->header.kind == KIND(HISTORY_ASK)) {
        const Arbiter__Stream__HistoryAsk *ask =
            (const Arbiter__Stream__HistoryAsk *) (const void *) effect->body;
        question.from = ask->from;
        question.has_to = ask->has_to;
        question.to = ask->to;
    } else if (effect->header.kind == KIND(MOVED_ASK)) {
        const Arbiter__Stream__MovedAsk *ask =
            (const Arbiter__Stream__MovedAsk *) (const void *) effect->body;
        question.has_count = ask->has_count;
        question.count = ask->count;
    } else {
        return;
    }
    assert_true(world->question_count < WORLD_QUESTIONS);
    world->questions[world->question_count++] = question;
}

static void see_effects(struct world *world)
{
    for (uint32_t i = 0; i < world->out.effect_count; i++) {
        const struct effect *effect = &world->out.effects[i];
        if (effect->kind == EFFECT_SEND && effect->door == DOOR_PEER)
            note_question(world, effect);
        if (world->watch != NULL)
            world->watch(world, effect);
    }
}

void world_step(struct world *world, struct event *event)
{
    static const uint8_t entropy[ENTROPY_SIZE];
    event->now_ms = world->now_ms;
    event->entropy = entropy;
    outbox_reset(&world->out);
    if (event->kind == EVENT_TIME)
        world->out.wake_ms = NO_WAKE;
    fanout_ops.step(world->fanout, event, &world->out);
    fanout_ops.settle(world->fanout, STORE_COMMITTED, &world->out);
    see_effects(world);
}

void world_wait(struct world *world, uint64_t ms)
{
    struct event event = { .kind = EVENT_TIME };
    world->now_ms += ms;
    world_step(world, &event);
}

void world_read(struct world *world, enum core_event_kind kind, const uint8_t *topic, size_t size)
{
    struct event event = { .kind = kind, .bytes = topic, .size = size };
    world_step(world, &event);
}

void world_read_match(struct world *world, enum core_event_kind kind, uint32_t match)
{
    uint8_t topic[TOPIC_SIZE];
    header_topic(topic, world->matches[match].id);
    world_read(world, kind, topic, sizeof topic);
}

/* The body goes as bytes and comes back as a message, as it does on the wire. */
static void deliver(struct world *world, struct event *event, const ProtobufCMessage *body)
{
    size_t            size = protobuf_c_message_get_packed_size(body);
    uint8_t          *bytes = malloc(size + 1);
    ProtobufCMessage *message;
    protobuf_c_message_pack(body, bytes);
    message = protobuf_c_message_unpack(body->descriptor, NULL, size, bytes);
    assert_non_null(message);
    event->kind = EVENT_MESSAGE;
    event->body = message;
    event->bytes = bytes;
    event->size = size;
    world_step(world, event);
    protobuf_c_message_free_unpacked(message, NULL);
    free(bytes);
}

void world_hear(struct world *world, uint32_t peer, uint32_t door, struct header *header,
                const ProtobufCMessage *body)
{
    struct event event = { .header = *header };
    event.caller.door = DOOR_PEER;
    event.caller.route = peers_connection(peer, door);
    deliver(world, &event, body);
}

void world_ask(struct world *world, uint64_t route, uint32_t role, struct header *header,
               const ProtobufCMessage *body)
{
    struct event event = { .header = *header };
    event.caller.door = DOOR_HISTORY;
    event.caller.route = route;
    event.caller.role = role;
    event.caller.key[0] = (uint8_t) (route / 100);
    deliver(world, &event, body);
}

void world_ask_history(struct world *world, uint64_t route, uint32_t match, uint64_t from,
                       uint64_t to)
{
    Arbiter__Stream__HistoryAsk ask = ARBITER__STREAM__HISTORY_ASK__INIT;
    struct header               header;
    header_init(&header, KIND(HISTORY_ASK), world->matches[match].id);
    ask.has_from = true;
    ask.from = from;
    ask.has_to = to != UINT64_MAX;
    ask.to = to;
    world_ask(world, route, ROLE(CLIENT), &header, &ask.base);
}

void world_play(struct world *world, uint32_t index)
{
    struct world_match  *match = &world->matches[index];
    Arbiter__Stream__Act act = ARBITER__STREAM__ACT__INIT;
    uint8_t              body[700], hash[32];
    assert_true(match->number < WORLD_ACTS);
    struct world_act *made = &match->acts[++match->number];
    memset(body, (int) match->number, sizeof body);
    memset(hash, (int) index, sizeof hash);
    memcpy(made->chain, match->number == 1 ? match->chain : made[-1].chain, sizeof made->chain);
    act.has_number = act.has_epoch = act.has_slot_count = act.has_actor = true;
    act.has_chain_before = act.has_command_hash = act.has_body = true;
    act.number = match->number;
    act.epoch = world->epoch;
    act.slot_count = made->slot_count = ++world->slot_count;
    act.chain_before.data = made->chain;
    act.command_hash.data = hash;
    act.chain_before.len = act.command_hash.len = 32;
    act.body.data = body;
    act.body.len = 1 + world_draw(world, sizeof body - 1);
    made->size = arbiter__stream__act__get_packed_size(&act);
    made->bytes = malloc(made->size);
    arbiter__stream__act__pack(&act, made->bytes);
    chain_next(made->chain, &crypto_sodium, act.number, act.actor, hash, body, act.body.len);
}

static void say(struct world *world, struct header *header, const ProtobufCMessage *body)
{
    header->epoch = world->epoch;
    world_hear(world, 1, DOOR_STREAM, header, body);
}

void world_say_act(struct world *world, uint32_t match, uint64_t number)
{
    world_say_act_as(world, match, number, number);
}

void world_say_act_as(struct world *world, uint32_t match, uint64_t number, uint64_t as)
{
    const struct world_act *made = &world->matches[match].acts[number];
    Arbiter__Stream__Act   *act = arbiter__stream__act__unpack(NULL, made->size, made->bytes);
    struct header           header;
    header_init(&header, KIND(ACT), world->matches[match].id);
    header.number = as;
    say(world, &header, &act->base);
    arbiter__stream__act__free_unpacked(act, NULL);
}

void world_say_count(struct world *world)
{
    Arbiter__Stream__SlotCount count = ARBITER__STREAM__SLOT_COUNT__INIT;
    struct header              header;
    header_init(&header, KIND(SLOT_COUNT), NULL);
    header.slot = WORLD_SLOT;
    count.has_count = true;
    count.count = world->slot_count;
    say(world, &header, &count.base);
}

void world_say_head(struct world *world, uint32_t index, bool over)
{
    struct world_match   *match = &world->matches[index];
    Arbiter__Stream__Head head = ARBITER__STREAM__HEAD__INIT;
    struct header         header;
    header_init(&header, KIND(HEAD), match->id);
    head.has_number = head.has_chain = head.has_over = true;
    head.number = header.number = match->number;
    head.chain.data = match->acts[match->number].chain;
    head.chain.len = 32;
    head.over = over;
    say(world, &header, &head.base);
}

void world_move(struct world *world, uint32_t match)
{
    world_play(world, match);
    world_say_act(world, match, world->matches[match].number);
}

const struct effect *world_find(const struct world *world, enum effect_kind kind, uint16_t frame,
                                uint32_t nth)
{
    for (uint32_t i = 0; i < world->out.effect_count; i++) {
        const struct effect *effect = &world->out.effects[i];
        bool is_frame = effect->kind == EFFECT_SEND || effect->kind == EFFECT_PUBLISH;
        if (effect->kind == kind && (!is_frame || effect->header.kind == frame) && nth-- == 0)
            return effect;
    }
    return NULL;
}

uint32_t world_count(const struct world *world, enum effect_kind kind, uint16_t frame)
{
    uint32_t count = 0;
    while (world_find(world, kind, frame, count) != NULL)
        count++;
    return count;
}

static struct world_match *match_of(struct world *world, const uint8_t *id)
{
    for (uint32_t i = 0; i < WORLD_MATCHES; i++)
        if (memcmp(world->matches[i].id, id, 16) == 0)
            return &world->matches[i];
    return NULL;
}

static void answer_history(struct world *world, const struct world_question *ask, uint64_t acts_max)
{
    struct world_match            *match = match_of(world, ask->header.match_id);
    Arbiter__Stream__HistoryAnswer answer = ARBITER__STREAM__HISTORY_ANSWER__INIT;
    Arbiter__Stream__Act          *acts[WORLD_ACTS];
    struct header                  header = ask->header;
    uint64_t to = ask->has_to && ask->to < match->number ? ask->to : match->number;
    answer.acts = acts;
    for (uint64_t number = ask->from; number <= to && answer.n_acts < acts_max; number++)
        acts[answer.n_acts++] =
            arbiter__stream__act__unpack(NULL, match->acts[number].size, match->acts[number].bytes);
    answer.has_last = true;
    answer.last = match->number;
    header.kind = KIND(HISTORY_ANSWER);
    header.epoch = world->epoch;
    world_hear(world, ask->peer, DOOR_HISTORY, &header, &answer.base);
    for (size_t i = 0; i < answer.n_acts; i++)
        arbiter__stream__act__free_unpacked(acts[i], NULL);
}

/* The match whose last act the slot counted so; NULL: that act was not the last of its match. */
static struct world_match *moved_at(struct world *world, uint64_t count)
{
    for (uint32_t i = 0; i < WORLD_MATCHES; i++)
        if (world->matches[i].number > 0 &&
            world->matches[i].acts[world->matches[i].number].slot_count == count)
            return &world->matches[i];
    return NULL;
}

static void answer_moved(struct world *world, const struct world_question *ask)
{
    Arbiter__Stream__MovedAnswer answer = ARBITER__STREAM__MOVED_ANSWER__INIT;
    Arbiter__Stream__Moved       moved[WORLD_MATCHES], *list[WORLD_MATCHES];
    struct header                header = ask->header;
    uint64_t                     since = ask->has_count ? ask->count : 0;
    answer.matches = list;
    answer.count = since;
    /* In the order of counts, so that a page ends where the next begins. */
    while (answer.count < world->slot_count && answer.n_matches < world->moved_max) {
        struct world_match *match = moved_at(world, ++answer.count);
        if (match == NULL)
            continue;
        Arbiter__Stream__Moved *made = list[answer.n_matches] = &moved[answer.n_matches];
        answer.n_matches++;
        *made = (Arbiter__Stream__Moved) ARBITER__STREAM__MOVED__INIT;
        made->has_match_id = made->has_number = made->has_chain = true;
        made->match_id.data = match->id;
        made->match_id.len = 16;
        made->number = match->number;
        made->chain.data = match->acts[match->number].chain;
        made->chain.len = 32;
    }
    answer.has_slot = answer.has_count = answer.has_more = true;
    answer.slot = ask->header.slot;
    answer.more = answer.count < world->slot_count;
    header.kind = KIND(MOVED_ANSWER);
    header.epoch = world->epoch;
    world_hear(world, ask->peer, DOOR_REQUESTS, &header, &answer.base);
}

void world_answer(struct world *world, const struct world_question *question, uint64_t acts_max)
{
    if (question->header.kind == KIND(HISTORY_ASK))
        answer_history(world, question, acts_max);
    else
        answer_moved(world, question);
}

bool world_take_question(struct world *world, struct world_question *question)
{
    if (world->question_count == 0)
        return false;
    *question = world->questions[0];
    world->question_count--;
    memmove(world->questions, world->questions + 1,
            world->question_count * sizeof world->questions[0]);
    return true;
}

void world_answer_once(struct world *world)
{
    struct world_question question;
    assert_true(world_take_question(world, &question));
    world_answer(world, &question, WORLD_ACTS);
}

void world_answer_all(struct world *world)
{
    struct world_question question;
    for (uint32_t rounds = 0; world_take_question(world, &question); rounds++) {
        assert_true(rounds < 1000); /* It does not ask for ever. */
        world_answer(world, &question, WORLD_ACTS);
    }
}

Arbiter__Stream__HistoryAnswer *world_given(const struct effect *answer)
{
    assert_non_null(answer);
    Arbiter__Stream__HistoryAnswer *given =
        arbiter__stream__history_answer__unpack(NULL, answer->size, answer->bytes);
    assert_non_null(given);
    return given;
}

bool world_is_act(const struct world *world, uint32_t match, uint64_t number, const uint8_t *bytes,
                  size_t size)
{
    const struct world_act *act = &world->matches[match].acts[number];
    return number <= world->matches[match].number && act->size == size &&
           memcmp(act->bytes, bytes, size) == 0;
}

void world_level(struct world *world)
{
    world_say_count(world);
    world_answer_all(world);
    world_say_count(world);
}

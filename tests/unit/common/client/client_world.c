/* client_world.c: see client_world.h. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "wire/box.h"
#include "wire/chain.h"
#include "wire/crypto.h"
#include "wire/kinds.h"
#include "wire/validate.h"

#define BODY_MAX (64u << 10)

static void run(struct scene *world, const struct event *event)
{
    client_core_ops.step(world->core, event, &world->out);
    for (uint32_t i = 0; i < world->out.effect_count; i++) {
        const struct effect *effect = &world->out.effects[i];
        struct sent         *sent = &world->sent[world->sent_count];
        memset(sent, 0, sizeof *sent);
        sent->peer = (uint32_t) (effect->route / PEERS_DOORS);
        sent->door = (uint32_t) (effect->route % PEERS_DOORS);
        sent->is_listen = effect->kind == EFFECT_LISTEN;
        sent->is_unlisten = effect->kind == EFFECT_UNLISTEN;
        if (effect->kind == EFFECT_SEND && effect->header.kind == KIND(HELLO))
            continue; /* The peers' business, and tested there. */
        if (effect->kind == EFFECT_SEND) {
            sent->header = effect->header;
            sent->size = effect->size;
            if (effect->body != NULL)
                sent->size = protobuf_c_message_pack(effect->body, sent->bytes);
            else if (effect->size > 0)
                memcpy(sent->bytes, effect->bytes, effect->size);
        } else if (!sent->is_listen && !sent->is_unlisten) {
            continue;
        }
        assert_true(++world->sent_count < SENT_MAX);
    }
    outbox_reset(&world->out);
}

static void step(struct scene *world, enum core_event_kind kind)
{
    uint8_t      entropy[ENTROPY_SIZE] = { 0 };
    struct event event = { .kind = kind, .now_ms = world->now_ms, .entropy = entropy };
    run(world, &event);
}

void scene_say(struct scene *world, uint32_t peer, uint32_t door, const struct header *header,
               const void *body)
{
    static uint8_t memory[VALIDATE_ARENA_BYTES], bytes[BODY_MAX];
    uint8_t        entropy[ENTROPY_SIZE] = { 0 };
    struct arena   arena;
    struct event   event = { .kind = EVENT_MESSAGE, .now_ms = world->now_ms, .entropy = entropy };
    arena_init(&arena, memory, sizeof memory);
    event.header = *header;
    event.caller.door = DOOR_PEER;
    event.caller.route = peers_connection(peer, door);
    event.size = protobuf_c_message_pack(body, bytes);
    event.bytes = bytes;
    event.body = validate_unpack(kinds_find(header->kind), bytes, event.size, &arena);
    assert_non_null(event.body);
    run(world, &event);
}

void scene_cut(struct scene *world, uint32_t peer, uint32_t door)
{
    uint8_t      entropy[ENTROPY_SIZE] = { 0 };
    struct event event = { .kind = EVENT_CUT, .now_ms = world->now_ms, .entropy = entropy };
    event.caller.door = DOOR_PEER;
    event.caller.route = peers_connection(peer, door);
    run(world, &event);
}

void scene_wait(struct scene *world, uint64_t ms)
{
    world->now_ms += ms;
    world->out.wake_ms = NO_WAKE;
    step(world, EVENT_TIME);
}

static const struct {
    uint32_t    role;
    const char *name;
} services[] = {
    { ROLE(ENGINE), "engine-1" },
    { ROLE(ENGINE), "engine-2" },
    { ROLE(FANOUT), "fanout-1" },
    { ROLE(FANOUT), "fanout-2" },
};
#define SERVICES (sizeof services / sizeof services[0])

void scene_directory(struct scene *world, uint32_t owner, uint64_t epoch)
{
    Arbiter__Directory__Welcome   welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    Arbiter__Directory__Directory directory = ARBITER__DIRECTORY__DIRECTORY__INIT;
    Arbiter__Directory__Service   service[SERVICES];
    Arbiter__Directory__Service  *list[SERVICES];
    Arbiter__Directory__Slots     slots = ARBITER__DIRECTORY__SLOTS__INIT, *all = &slots;
    Arbiter__Directory__Door      door[3], *doors[3];
    static uint8_t                key[32] = { 7 }, player[16] = { 0xaa };
    static char                   address[] = "inproc://there";
    struct header                 header;
    for (uint32_t i = 0; i < 3; i++) {
        arbiter__directory__door__init(&door[i]);
        door[i].has_kind = true;
        door[i].kind = (Arbiter__Directory__Door__Kind) (i + 1);
        door[i].address = address;
        doors[i] = &door[i];
    }
    slots.has_first = slots.has_last = slots.has_epoch = true;
    slots.last = SLOTS - 1;
    slots.epoch = epoch;
    for (uint32_t i = 0; i < SERVICES; i++) {
        arbiter__directory__service__init(&service[i]);
        service[i].has_role = service[i].has_key = true;
        service[i].role = (Arbiter__Directory__Role) services[i].role;
        service[i].name = (char *) services[i].name;
        service[i].key = (ProtobufCBinaryData){ 32, key };
        service[i].doors = doors;
        service[i].n_doors = 3;
        if (i + 1 == owner) {
            service[i].slots = &all;
            service[i].n_slots = 1;
        }
        service[i].has_draining = true;
        service[i].draining = world->are_stopping && services[i].role == ROLE(FANOUT);
        if (i + 1 != world->missing)
            list[directory.n_services++] = &service[i];
    }
    directory.has_number = true;
    directory.number = ++world->directory;
    directory.services = list;
    welcome.directory = &directory;
    welcome.has_player = welcome.has_request = true;
    welcome.player = (ProtobufCBinaryData){ 16, player };
    welcome.request = 40;
    world->epoch = epoch;
    header_init(&header, world->directory == 1 ? KIND(WELCOME) : KIND(DIRECTORY), NULL);
    if (world->directory == 1)
        scene_say(world, LOBBY, DOOR_REQUESTS, &header, &welcome);
    else
        scene_say(world, LOBBY, DOOR_STREAM, &header, &directory);
}

void (*scene_own_bytes)(void *own, const uint8_t *match_id, uint32_t seat,
                        const uint8_t *commitment, uint8_t *bytes);

void scene_open(struct scene *world, uint32_t queue_bytes)
{
    scene_open_as(world, queue_bytes, ROLE(CLIENT));
}

void scene_open_as(struct scene *world, uint32_t queue_bytes, uint32_t role)
{
    struct client_core_settings settings;
    assert_true(sodium_init() >= 0);
    memset(world, 0, sizeof *world);
    client_core_defaults(&settings);
    settings.queue_bytes = queue_bytes;
    settings.crypto = &crypto_sodium;
    settings.peers.role = role;
    memcpy(settings.peers.lobby.address[DOOR_REQUESTS], "inproc://lobby", 15);
    memcpy(settings.peers.lobby.address[DOOR_STREAM], "inproc://lobby", 15);
    memset(settings.secret, SCENE_SECRET, sizeof settings.secret);
    settings.own_bytes = scene_own_bytes;
    world->memory = malloc(client_core_bytes(&settings) + OUTBOX_BYTES_MIN);
    assert_non_null(world->memory);
    world->core = client_core_init(world->memory, &settings);
    outbox_init(&world->out, (uint8_t *) world->memory + client_core_bytes(&settings),
                OUTBOX_BYTES_MIN);
    world->now_ms = 1000000;
    world->generation = 1;
    memset(world->match_id, 0x3d, sizeof world->match_id);
    memset(world->secret, 0x77, sizeof world->secret);
    step(world, EVENT_STARTED);
    scene_directory(world, ENGINE, 1);
    scene_told(world, CLIENT_CONNECTED);
    assert_int_equal(world->core != NULL, 1);
}

void scene_close(struct scene *world)
{
    free(world->memory);
}

uint32_t scene_sent(struct scene *world, uint16_t kind, struct sent *last)
{
    uint32_t found = 0, kept = 0;
    for (uint32_t i = 0; i < world->sent_count; i++) {
        const struct sent *sent = &world->sent[i];
        if (sent->header.kind == kind && !sent->is_listen && !sent->is_unlisten) {
            found++;
            *last = *sent;
        } else {
            world->sent[kept++] = *sent;
        }
    }
    world->sent_count = kept;
    return found;
}

void *scene_body(const struct sent *sent, const ProtobufCMessageDescriptor *descriptor)
{
    void *body = protobuf_c_message_unpack(descriptor, NULL, sent->size, sent->bytes);
    assert_non_null(body);
    return body;
}

void scene_told(struct scene *world, enum client_event_kind kind)
{
    assert_true(client_core_next(world->core, &world->event));
    assert_int_equal(world->event.kind, kind);
}

void scene_told_nothing(struct scene *world)
{
    assert_false(client_core_next(world->core, &world->event));
}

void scene_told_act(struct scene *world, uint64_t number)
{
    scene_told(world, CLIENT_ACT);
    assert_int_equal(world->event.number, number);
    assert_int_equal(world->event.size, world->acts[number].size);
    assert_memory_equal(world->event.bytes, world->acts[number].body, world->event.size);
}

void scene_asked_history(struct scene *world, uint32_t peer, uint64_t from)
{
    struct sent sent;
    assert_int_equal(scene_sent(world, KIND(HISTORY_ASK), &sent), 1);
    assert_int_equal(sent.peer, peer);
    assert_int_equal(sent.door, DOOR_HISTORY);
    Arbiter__Stream__HistoryAsk *ask = scene_body(&sent, &arbiter__stream__history_ask__descriptor);
    assert_int_equal(ask->from, from);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

void scene_asked_no_history(struct scene *world)
{
    struct sent sent;
    assert_int_equal(scene_sent(world, KIND(HISTORY_ASK), &sent), 0);
}

uint32_t scene_our_fanout(const struct scene *world)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < world->sent_count; i++)
        if (world->sent[i].is_listen && world->sent[i].peer != LOBBY)
            found = world->sent[i].peer;
    assert_int_not_equal(found, 0);
    return found;
}

/* A box for our seat; seat 0's is junk of the same size. */
static void put_boxes(struct scene *world, uint64_t number, const char *event,
                      Arbiter__Stream__ActBody *body, uint8_t box[2][256])
{
    static ProtobufCBinaryData boxes[2];
    Arbiter__Stream__BoxText   text = ARBITER__STREAM__BOX_TEXT__INIT;
    Arbiter__Stream__PrivateEvent private = ARBITER__STREAM__PRIVATE_EVENT__INIT, *all = &private;
    uint8_t          padded[128] = { 0 };
    struct box_keys  keys;
    struct box_place place = { .epoch = world->epoch, .number = number };
    private.has_place = private.has_event = true;
    private.event = (ProtobufCBinaryData){ strlen(event), (uint8_t *) event };
    text.events = &all;
    text.n_events = 1;
    padded[3] = (uint8_t) protobuf_c_message_pack((ProtobufCMessage *) &text, padded + 4);
    memcpy(place.match_id, world->match_id, 16);
    box_keys_of_secret(&keys, &crypto_sodium, world->secret, OUR_SEAT, world->generation);
    box_seal(box[1], &crypto_sodium, &keys, &place, padded, sizeof padded);
    memset(box[0], 0x11, 256);
    for (uint32_t i = 0; i < 2; i++)
        boxes[i] = (ProtobufCBinaryData){ sizeof padded + BOX_OVERHEAD, box[i] };
    body->boxes = boxes;
    body->n_boxes = 2;
}

void scene_make(struct scene *world, uint64_t number, uint32_t actor,
                const Arbiter__Stream__HouseEvent *house, const char *secret_event)
{
    struct true_act              *act = &world->acts[number];
    Arbiter__Stream__ActBody      body = ARBITER__STREAM__ACT_BODY__INIT;
    Arbiter__Stream__PublicEvent  game = ARBITER__STREAM__PUBLIC_EVENT__INIT, second = game;
    Arbiter__Stream__PublicEvent *events[] = { &game, &second };
    uint8_t                       box[2][256], name[1] = { (uint8_t) number };
    game.has_event = true;
    game.event = (ProtobufCBinaryData){ 1, name };
    second.house = (Arbiter__Stream__HouseEvent *) house;
    body.events = events;
    body.n_events = house == NULL ? 1 : 2;
    if (secret_event != NULL)
        put_boxes(world, number, secret_event, &body, box);
    assert_true(protobuf_c_message_get_packed_size((ProtobufCMessage *) &body) < sizeof act->body);
    act->size = protobuf_c_message_pack((ProtobufCMessage *) &body, act->body);
    act->actor = actor;
    act->epoch = world->epoch;
    memset(act->hash, (int) number, sizeof act->hash);
    if (number > 1)
        memcpy(act->before, world->acts[number - 1].after, 32);
    memcpy(act->after, act->before, 32);
    chain_next(act->after, &crypto_sodium, number, actor, act->hash, act->body, act->size);
}

void scene_act(struct scene *world, uint64_t number, Arbiter__Stream__Act *act)
{
    struct true_act *made = &world->acts[number];
    arbiter__stream__act__init(act);
    act->has_number = act->has_epoch = act->has_chain_before = act->has_actor = true;
    act->has_command_hash = act->has_body = true;
    act->number = number;
    act->epoch = made->epoch;
    act->chain_before = (ProtobufCBinaryData){ 32, made->before };
    act->actor = made->actor;
    act->command_hash = (ProtobufCBinaryData){ 32, made->hash };
    act->body = (ProtobufCBinaryData){ made->size, made->body };
}

static void match_header(struct scene *world, uint16_t kind, uint64_t number, struct header *header)
{
    header_init(header, kind, world->match_id);
    header->epoch = world->epoch;
    header->number = number;
}

void scene_publish(struct scene *world, uint32_t fanout, uint64_t number)
{
    Arbiter__Stream__Act act;
    struct header        header;
    scene_act(world, number, &act);
    match_header(world, KIND(ACT), number, &header);
    header.epoch = act.epoch;
    scene_say(world, fanout, DOOR_STREAM, &header, &act);
}

void scene_history(struct scene *world, uint32_t peer, uint64_t from, uint64_t to, uint64_t last)
{
    Arbiter__Stream__HistoryAnswer answer = ARBITER__STREAM__HISTORY_ANSWER__INIT;
    Arbiter__Stream__Act           act[ACTS_MAX], *acts[ACTS_MAX];
    struct header                  header;
    for (uint64_t number = from; number <= to; number++) {
        scene_act(world, number, &act[answer.n_acts]);
        acts[answer.n_acts] = &act[answer.n_acts];
        answer.n_acts++;
    }
    answer.acts = acts;
    answer.has_last = true;
    answer.last = last;
    match_header(world, KIND(HISTORY_ANSWER), last, &header);
    scene_say(world, peer, DOOR_HISTORY, &header, &answer);
}

void scene_head(struct scene *world, uint32_t fanout, uint64_t number, bool over)
{
    Arbiter__Stream__Head head = ARBITER__STREAM__HEAD__INIT;
    struct header         header;
    head.has_number = head.has_chain = head.has_over = true;
    head.number = number;
    head.chain = (ProtobufCBinaryData){ 32, world->acts[number].after };
    head.over = over;
    match_header(world, KIND(HEAD), number, &header);
    scene_say(world, fanout, DOOR_STREAM, &header, &head);
}

void scene_attached(struct scene *world, uint32_t peer, uint32_t seat, uint64_t number,
                    uint32_t session, uint32_t request, const Arbiter__Engine__DiceRound *dice)
{
    Arbiter__Engine__Attached   attached = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Engine__MatchFacts facts = ARBITER__ENGINE__MATCH_FACTS__INIT;
    struct header               header;
    struct box_keys             keys;
    uint8_t                     commitment[32], secret[32] = { world->house };
    const struct piece          piece = { secret, sizeof secret };
    crypto_sodium.hash(commitment, &piece, 1);
    box_keys_of_secret(&keys, &crypto_sodium, world->secret, seat, world->generation);
    attached.has_number = attached.has_chain = attached.has_session = attached.has_request = true;
    attached.number = number;
    attached.chain = (ProtobufCBinaryData){ 32, world->acts[number].after };
    attached.session = session;
    attached.request = request;
    attached.has_generation = true;
    attached.generation = world->generation;
    attached.has_key = seat != NO_SEAT;
    attached.key = (ProtobufCBinaryData){ 32, keys.seal };
    attached.dice = (Arbiter__Engine__DiceRound *) dice;
    attached.has_view = dice == NULL;
    facts.has_commitment = true;
    facts.commitment = (ProtobufCBinaryData){ 32, commitment };
    attached.match = &facts;
    Arbiter__Wire__Contributor contributor[2], *contributors[2];
    facts.contributors = contributors;
    facts.has_protocol = world->has_origins;
    facts.protocol = PROTOCOL_NEWEST;
    for (uint32_t i = 0; i < 2; i++) {
        if (!world->has_origins || world->origin[i] == 0)
            continue;
        arbiter__wire__contributor__init(&contributor[i]);
        contributor[i].has_seat = contributor[i].has_origin = true;
        contributor[i].seat = i == 0 ? 0 : OUR_SEAT;
        contributor[i].origin = (Arbiter__Wire__Origin) world->origin[i];
        contributors[facts.n_contributors++] = &contributor[i];
    }
    match_header(world, KIND(ATTACHED), number, &header);
    header.seat = seat;
    header.session = session;
    scene_say(world, peer, DOOR_REQUESTS, &header, &attached);
}

void scene_attach(struct scene *world, uint32_t seat, uint64_t number)
{
    struct sent sent;
    assert_true(
        client_core_attach(world->core, world->match_id, seat, NULL, world->now_ms, &world->out));
    scene_wait(world, 0);
    assert_int_equal(scene_sent(world, KIND(ATTACH), &sent), 1);
    assert_int_equal(sent.peer, ENGINE);
    scene_attached(world, ENGINE, seat, number, 9, 0, NULL);
    scene_told(world, CLIENT_ATTACHED);
    assert_int_equal(world->event.number, number);
}

void scene_refuse(struct scene *world, const struct sent *sent, uint32_t refusal, uint64_t after_ms)
{
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct header          header = sent->header;
    header.kind = KIND(REFUSED);
    refused.has_refusal = refused.has_after_ms = true;
    refused.refusal = (Arbiter__Wire__Refusal) refusal;
    refused.after_ms = after_ms;
    scene_say(world, sent->peer, sent->door, &header, &refused);
}

void scene_reply(struct scene *world, const struct sent *sent, bool accepted, uint64_t number)
{
    Arbiter__Engine__Reply reply = ARBITER__ENGINE__REPLY__INIT;
    struct header          header = sent->header;
    header.kind = KIND(REPLY);
    header.epoch = world->epoch;
    reply.has_request = reply.has_accepted = reply.has_number = reply.has_chain = true;
    reply.request = sent->header.request;
    reply.accepted = accepted;
    reply.number = number;
    reply.chain = (ProtobufCBinaryData){ 32, world->acts[number].after };
    scene_say(world, sent->peer, sent->door, &header, &reply);
}

void scene_open_behind(struct scene *world, uint64_t seen, uint64_t last)
{
    scene_open(world, CLIENT_QUEUE_BYTES_MIN);
    for (uint64_t number = 1; number <= last; number++)
        scene_make(world, number, number % 2 == 0 ? OUR_SEAT : 0, NULL, NULL);
    scene_attach(world, OUR_SEAT, seen);
}

/* client_core.c: the client's step, its clocks, and its queue for the caller. Pure. */
#include "client/client_core.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/room.h"
#include "client/client_private.h"

/* What one seat may say in one step, its command apart, and a little more. */
#define ROOM_BYTES (32u << 10)
#define ROOM_EFFECTS 64u

void client_core_defaults(struct client_core_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->seats_max = 16; /* The lobby lets a player be at so many tables, and at no more. */
    settings->tables_max = 16;
    settings->files_max = 2;
    settings->queue_bytes = 1u << 20;
    settings->asks_bytes = 128u << 10;
    settings->follow_bytes = 256u << 10;
    settings->command_bytes = 34u << 10; /* A text of MATCH_TEXT_MAX and what is around it. */
    settings->retry_ms = 500;
    settings->retry_max_ms = 8000;
    settings->act_wait_ms = 100;
    settings->quiet_ms = 2000;
    settings->quiet_max_ms = 16000;
    settings->engine_history_ms = 500;
    settings->engine_asks = 1;
}

/* Core, seats, seats told, tables, files, commands, queue, asks and what waits for acts stand one behind the other. */
size_t client_core_bytes(const struct client_core_settings *settings)
{
    return room_for(sizeof(struct client_core)) +
           room_for(settings->seats_max * sizeof(struct client_seat)) +
           room_for(seats_buckets(settings) * sizeof(uint32_t)) +
           room_for(settings->seats_max * sizeof(struct client_told)) +
           room_for(settings->tables_max * sizeof(struct client_follow)) +
           room_for(settings->files_max * sizeof(struct client_file)) +
           settings->seats_max * room_for(settings->command_bytes) +
           room_for(settings->queue_bytes) + room_for(settings->asks_bytes) +
           room_for(settings->follow_bytes);
}

struct client_core *client_core_init(void *memory, const struct client_core_settings *settings)
{
    assert((uintptr_t) memory % alignof(max_align_t) == 0);
    assert(settings->queue_bytes >= CLIENT_QUEUE_BYTES_MIN);
    assert(settings->asks_bytes >= CLIENT_ASKS_BYTES_MIN);
    assert(settings->retry_ms > 0 && settings->quiet_ms > 0);
    uint8_t            *bytes = memory;
    struct client_core *core = memory;
    memset(memory, 0, client_core_bytes(settings));
    core->settings = *settings;
    core->ask = due_never();
    peers_init(&core->peers, &settings->peers);
    bytes += room_for(sizeof *core);
    core->seats = room_take(&bytes, settings->seats_max * sizeof(struct client_seat));
    core->buckets = room_take(&bytes, seats_buckets(settings) * sizeof(uint32_t));
    core->told = room_take(&bytes, settings->seats_max * sizeof(struct client_told));
    core->tables = room_take(&bytes, settings->tables_max * sizeof(struct client_follow));
    core->files = room_take(&bytes, settings->files_max * sizeof(struct client_file));
    for (uint32_t i = 0; i < settings->seats_max; i++) {
        core->seats[i].command = room_take(&bytes, settings->command_bytes);
    }
    ring_init(&core->queue, bytes, settings->queue_bytes);
    bytes += room_for(settings->queue_bytes);
    ring_init(&core->asks, bytes, settings->asks_bytes);
    ring_init(&core->followed, bytes + room_for(settings->asks_bytes), settings->follow_bytes);
    return core;
}

struct due due_now(const struct turn *turn)
{
    return (struct due){ .at_ms = turn->now_ms };
}

struct due due_never(void)
{
    return (struct due){ .at_ms = NO_WAKE };
}

/* What is not due yet wants to be looked at when it is. */
bool is_due(const struct turn *turn, const struct due *due)
{
    if (due->at_ms == NO_WAKE)
        return false;
    if (due->at_ms <= turn->now_ms)
        return true;
    outbox_wake(turn->out, due->at_ms);
    return false;
}

static void due_in(const struct turn *turn, struct due *due, uint64_t wait_ms)
{
    due->at_ms = turn->now_ms + wait_ms + wait_ms * turn->core->jitter / 4096;
    outbox_wake(turn->out, due->at_ms);
}

void due_again(const struct turn *turn, struct due *due)
{
    uint64_t wait_ms = turn->core->settings.retry_ms;
    for (uint32_t i = 0; i < due->tries && wait_ms < turn->core->settings.retry_max_ms; i++)
        wait_ms *= 2;
    if (wait_ms > turn->core->settings.retry_max_ms)
        wait_ms = turn->core->settings.retry_max_ms;
    due->tries++;
    due_in(turn, due, wait_ms);
}

void due_refused(const struct turn *turn, struct due *due, const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    uint64_t                      longest_ms = turn->core->settings.retry_max_ms;
    if (!refused->has_after_ms || refused->after_ms == 0) {
        due_again(turn, due);
        return;
    }
    due->tries++;
    due_in(turn, due, refused->after_ms < longest_ms ? refused->after_ms : longest_ms);
}

/* TOO_MUCH without a time to come back is what does not fit, and never will. */
bool is_for_later(const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    if (!refused->has_refusal)
        return true;
    switch (refused->refusal) {
    /* Said before its service had told us what it reads: the next time in a newer version. */
    case REFUSAL(VERSION): return event->header.version < PROTOCOL_NEWEST;
    case REFUSAL(AGAIN):
    case REFUSAL(ELSEWHERE):
    case REFUSAL(FULL):
    case REFUSAL(DRAINING): return true;
    case REFUSAL(TOO_MUCH): return refused->has_after_ms && refused->after_ms > 0;
    default: return false;
    }
}

struct client_event *told_reserve(struct client_core *core, enum client_event_kind kind,
                                  size_t bytes)
{
    struct client_event *told = ring_reserve(&core->queue, sizeof *told + bytes);
    if (told == NULL) {
        core->is_short = true;
        return NULL;
    }
    memset(told, 0, sizeof *told);
    told->kind = kind;
    told->seat = NO_SEAT;
    return told;
}

uint8_t *told_bytes(struct client_event *told)
{
    return (uint8_t *) (told + 1);
}

void told_put(struct client_core *core, struct client_event *told, size_t bytes)
{
    ring_put(&core->queue, sizeof *told + bytes);
}

bool tell(struct client_core *core, const struct client_event *what, const uint8_t *bytes,
          size_t size)
{
    struct client_event *told = told_reserve(core, what->kind, size);
    if (told == NULL)
        return false;
    *told = *what;
    if (size > 0) {
        memcpy(told_bytes(told), bytes, size);
        told->bytes = told_bytes(told);
        told->size = size;
    }
    told_put(core, told, size);
    return true;
}

/* A step must find room for all it says; what does not fit is said in the next one. */
static bool is_crowded(const struct turn *turn)
{
    const struct outbox *out = turn->out;
    bool is_full = out->capacity - out->used < turn->core->settings.command_bytes + ROOM_BYTES ||
                   out->effects_max - out->effect_count < ROOM_EFFECTS;
    if (is_full)
        outbox_wake(turn->out, turn->now_ms);
    return is_full;
}

/* Whatever is due is done; whoever may have to be asked elsewhere is asked at once. */
static void pump(const struct turn *turn)
{
    struct client_core *core = turn->core;
    lobby_pump(turn);
    file_pump(turn);
    uint32_t left = core->seats_used;
    if (is_crowded(turn))
        return;
    for (uint32_t i = 0; i < core->settings.seats_max && left > 0; i++) {
        struct client_seat *seat = &core->seats[i];
        if (!seat->is_used)
            continue;
        left--;
        if (is_crowded(turn))
            return;
        attach_pump(turn, seat);
        if (seat->is_used)
            command_pump(turn, seat);
        if (seat->is_used)
            dice_pump(turn, seat);
        if (seat->is_used)
            stream_pump(turn, seat);
    }
}

/* An engine that is there anew is asked at once what it still owes an answer to. */
static void ask_engine_now(const struct turn *turn)
{
    for (uint32_t i = 0; i < turn->core->settings.seats_max; i++) {
        struct client_seat *seat = &turn->core->seats[i];
        if (!seat->is_used)
            continue;
        if (seat->attach.at_ms != NO_WAKE)
            seat->attach = due_now(turn);
        if (seat->own.due.at_ms != NO_WAKE)
            seat->own.due = due_now(turn);
        if (seat->legal.at_ms != NO_WAKE)
            seat->legal = due_now(turn);
        if (seat->look.at_ms != NO_WAKE)
            seat->look = due_now(turn);
    }
}

static void on_news(const struct turn *turn, enum peers_news news, const struct event *event)
{
    if (news == PEERS_CHANGED || news == PEERS_WELCOME) {
        ask_engine_now(turn);
        turn->core->spread_ms = turn->now_ms + turn->core->jitter;
    }
    if (peers_of_event(event) == PEERS_LOBBY && event->header.kind == KIND(WELCOME))
        lobby_welcome(turn, event);
}

/* Of live frames with a lower epoch than the highest seen for their slot nobody hears. */
static bool is_stale(struct client_core *core, const struct event *event)
{
    const struct header *header = &event->header;
    bool                 is_live = header->kind == KIND(ACT) || header->kind == KIND(HEAD);
    if (header->epoch > core->epoch[header->slot])
        core->epoch[header->slot] = header->epoch;
    return is_live && header->epoch < core->epoch[header->slot];
}

/* A connection has broken: libzmq makes another, and what was said meanwhile does not come by it. */
static void on_cut(const struct turn *turn, const struct event *event)
{
    uint64_t route = event->caller.route;
    if (route < (uint64_t) PEERS_MAX * PEERS_DOORS && route % PEERS_DOORS == DOOR_STREAM)
        cut_stream(turn, (uint32_t) (route / PEERS_DOORS));
}

static void on_message(const struct turn *turn, const struct event *event)
{
    uint32_t                  peer = peers_of_event(event);
    const struct client_event life = { .kind = CLIENT_LIFE, .seat = NO_SEAT, .number = peer };
    if (peer == NO_PEER || is_stale(turn->core, event))
        return;
    if (peer == PEERS_LOBBY)
        lobby_message(turn, event);
    else if (event->header.kind == KIND(ACT) || event->header.kind == KIND(HEAD) ||
             event->header.kind == KIND(HISTORY_ANSWER))
        stream_message(turn, event);
    else if (event->header.kind == KIND(LIFE))
        (void) tell(turn->core, &life, event->bytes, event->size);
    else if (event->header.kind == KIND(REFUSED) && event->header.request == TAG_HISTORY)
        cut_refused(turn, event);
    else if (!file_message(turn, event))
        attach_message(turn, event);
}

static void step(void *memory, const struct event *event, struct outbox *out)
{
    struct client_core *core = memory;
    const struct turn   turn = { core, event->now_ms, out };
    if (!core->is_seeded) {
        memcpy(&core->jitter, event->entropy, sizeof core->jitter);
        core->jitter %= 1024;
        memcpy(&core->salt, event->entropy + sizeof core->jitter, sizeof core->salt);
        memcpy(core->ids, event->entropy + sizeof core->jitter + sizeof core->salt,
               sizeof core->ids);
        core->is_seeded = true;
    }
    enum peers_news news = peers_step(&core->peers, event, out);
    if (event->kind == EVENT_STOP)
        outbox_exit(out);
    if (news != PEERS_NOTHING)
        on_news(&turn, news, event);
    else if (event->kind == EVENT_MESSAGE)
        on_message(&turn, event);
    else if (event->kind == EVENT_CUT)
        on_cut(&turn, event);
    pump(&turn);
}

/* There is nothing to keep, so there is nothing that could not be kept. */
static void settle(void *memory, enum store_outcome outcome, struct outbox *out)
{
    (void) memory, (void) outcome, (void) out;
}

const struct core_ops client_core_ops = { .step = step, .settle = settle, .schema = NULL };

bool client_core_has_next(const struct client_core *core)
{
    return core->queue.count > (core->is_taken ? 1 : 0);
}

/* The caller has made room: what was left out is asked for with the next step. */
static void ask_again(struct client_core *core)
{
    const struct due now = { .at_ms = 0 };
    core->is_short = false;
    if (core->ask.at_ms != NO_WAKE)
        core->ask.at_ms = 0;
    for (uint32_t i = 0; i < core->settings.tables_max; i++)
        core->tables[i].ask = now;
    for (uint32_t i = 0; i < core->settings.files_max; i++)
        core->files[i].due = now;
    for (uint32_t i = 0; i < core->settings.seats_max; i++) {
        struct client_seat *seat = &core->seats[i];
        seat->fetch = now;
        if (seat->attach.at_ms != NO_WAKE)
            seat->attach = now;
        if (seat->own.due.at_ms != NO_WAKE)
            seat->own.due = now;
        if (seat->legal.at_ms != NO_WAKE)
            seat->legal = now;
        if (seat->look.at_ms != NO_WAKE)
            seat->look = now;
    }
}

bool client_core_next(struct client_core *core, struct client_event *event)
{
    size_t size;
    if (core->is_taken)
        ring_drop(&core->queue);
    const struct client_event *told = ring_first(&core->queue, &size);
    core->is_taken = told != NULL;
    if (told != NULL)
        *event = *told;
    else if (core->is_short)
        ask_again(core);
    return told != NULL;
}

uint32_t client_core_ask(struct client_core *core, const uint8_t *ask, size_t size, uint64_t now_ms,
                         struct outbox *out)
{
    const struct turn turn = { core, now_ms, out };
    uint8_t          *record = ring_reserve(&core->asks, sizeof core->numbers + size);
    if (record == NULL)
        return 0;
    core->numbers++;
    memcpy(record, &core->numbers, sizeof core->numbers);
    memcpy(record + sizeof core->numbers, ask, size);
    ring_put(&core->asks, sizeof core->numbers + size);
    uint32_t number = core->numbers;
    lobby_pump(&turn);
    return number;
}

uint32_t client_core_legal(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                           uint32_t seat, uint64_t luck, bool best, uint64_t now_ms,
                           struct outbox *out)
{
    const struct turn   turn = { core, now_ms, out };
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found == NULL || seat == NO_SEAT || found->next == 0)
        return 0;
    found->legal_number = ++core->numbers & ~TAG_LEGAL;
    found->legal_luck = luck;
    found->legal_best = best;
    found->legal = due_now(&turn);
    attach_pump(&turn, found);
    return found->legal_number;
}

uint32_t client_core_look(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          uint32_t seat, uint64_t now_ms, struct outbox *out)
{
    const struct turn   turn = { core, now_ms, out };
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found == NULL || found->next == 0)
        return 0;
    found->look_number = ++core->numbers;
    found->look = due_now(&turn);
    attach_pump(&turn, found);
    return found->look_number;
}

bool client_core_attach(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                        uint32_t seat, const char *code, uint64_t now_ms, struct outbox *out)
{
    const struct turn turn = { core, now_ms, out };
    return seat_open(&turn, match_id, seat, code);
}

bool client_core_attach_for(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                            uint32_t seat, const ProtobufCMessage *ticket, uint64_t now_ms,
                            struct outbox *out)
{
    const struct turn turn = { core, now_ms, out };
    assert(ticket->descriptor == &arbiter__wire__signed_ticket__descriptor);
    return seat_open_for(&turn, match_id, seat, (const Arbiter__Wire__SignedTicket *) ticket);
}

void client_core_past(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                      uint32_t seat, uint64_t most)
{
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found != NULL)
        found->past = most;
}

void client_core_detach(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                        uint32_t seat, struct outbox *out)
{
    const struct turn   turn = { core, 0, out };
    struct client_seat *found = seat_find(core, match_id, seat);
    if (found != NULL)
        seat_close(&turn, found);
}

uint32_t client_core_lobby_version(const struct client_core *core)
{
    return peers_version(&core->peers, PEERS_LOBBY);
}

void client_core_ask_life(struct client_core *core, struct outbox *out)
{
    struct header header;
    header_init(&header, KIND(LIFE_ASK), NULL);
    for (uint32_t watchdog = peers_next(&core->peers, ROLE(WATCHDOG), NO_PEER); watchdog != NO_PEER;
         watchdog = peers_next(&core->peers, ROLE(WATCHDOG), watchdog))
        outbox_send(out, DOOR_PEER, peers_connection(watchdog, DOOR_REQUESTS), &header,
                    outbox_message(out, &arbiter__watchdog__life_ask__descriptor));
}

uint64_t client_core_heard_ms(const struct client_core *core)
{
    return core->peers.heard_ms;
}

const uint8_t *client_core_player(const struct client_core *core)
{
    return core->player;
}

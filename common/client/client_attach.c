/* client_attach.c: taking seats, keeping sessions, and what the engine says about both. Pure.
 *
 * First the client subscribes to the match's topic, then it attaches the seat. So it hears what
 * happens in between. What it did not hear is a hole like any other. A session survives the engine:
 * whoever holds the slot knows it, so an attach is needed only when somebody says so. */
#include <assert.h>
#include <string.h>

#include "client/client_private.h"

/* A match that has just begun may be known to its table before it is to its engine. Both are given
 * time: every piece of news about engines has it asked for again at once. An engine that answers
 * "not there" can be reached. It is asked again soon, however long it was silent before, so a match
 * that never comes is given up in time too. */
#define MISSING_MAX 8
#define MISSING_MAX_MS 15000u
/* 500 ms, doubled so often: two seconds from one refusal to the next asking. */
#define MISSING_TRIES 2

/* At most as much of a code as there is room for; a longer one is none of ours. */
static void copy_code(char to[CLIENT_CODE_MAX], const char *code)
{
    size_t size = code == NULL ? 0 : text_length(code);
    memset(to, 0, CLIENT_CODE_MAX);
    if (size > 0 && size < CLIENT_CODE_MAX)
        memcpy(to, code, size);
}

/* Room for one more; NULL: there is none. */
static struct client_seat *place(const struct turn *turn, const uint8_t *match_id, uint32_t seat)
{
    struct client_core *core = turn->core;
    struct client_seat *opened = seat_take(core, match_id);
    if (opened == NULL)
        return NULL;
    opened->seat = seat;
    opened->past = core->settings.from_start ? UINT64_MAX : 0;
    opened->attach = due_now(turn);
    opened->own.due = opened->legal = opened->look = opened->fetch = due_never();
    opened->fanout = opened->asked = NO_PEER;
    opened->quiet_ms = core->settings.quiet_ms;
    opened->keys[0].seat = opened->keys[1].seat = NO_SEAT;
    followed_begin(core, opened);
    return opened;
}

static bool begin_to_attach(const struct turn *turn, struct client_seat *seat)
{
    if (seat == NULL)
        return false;
    stream_pump(turn, seat);
    attach_pump(turn, seat);
    return true;
}

bool seat_open(const struct turn *turn, const uint8_t *match_id, uint32_t seat, const char *code)
{
    if (seat_find(turn->core, match_id, seat) != NULL)
        return true;
    struct client_seat *opened = place(turn, match_id, seat);
    if (opened != NULL)
        copy_code(opened->code, code);
    return begin_to_attach(turn, opened);
}

static size_t copy_part(uint8_t to[CLIENT_TICKET_MAX], const ProtobufCBinaryData *from)
{
    if (from->len > CLIENT_TICKET_MAX)
        return 0;
    if (from->len > 0)
        memcpy(to, from->data, from->len);
    return from->len;
}

bool seat_open_for(const struct turn *turn, const uint8_t *match_id, uint32_t seat,
                   const Arbiter__Wire__SignedTicket *ticket)
{
    struct client_seat *opened = seat_find(turn->core, match_id, seat);
    if (opened == NULL)
        opened = place(turn, match_id, seat);
    if (opened == NULL)
        return false;
    opened->ticket_size = copy_part(opened->ticket, &ticket->ticket);
    opened->signature_size = copy_part(opened->signature, &ticket->signature);
    return begin_to_attach(turn, opened);
}

uint32_t seat_engine(const struct client_core *core, const struct client_seat *seat)
{
    return peers_engine_of(&core->peers, header_slot(seat->match_id));
}

void seat_header(const struct client_core *core, const struct client_seat *seat, uint16_t kind,
                 struct header *header)
{
    header_init(header, kind, seat->match_id);
    header->version = peers_version(&core->peers, seat_engine(core, seat));
    header->seat = seat->seat;
    header->session = seat->session;
}

/* The session is not needed any more; if this is lost, the ninth attach closes it. */
static void say_detach(const struct turn *turn, const struct client_seat *seat, uint32_t session,
                       uint32_t request)
{
    uint32_t engine = seat_engine(turn->core, seat);
    if (engine == NO_PEER || session == 0)
        return;
    Arbiter__Engine__Command *command =
        outbox_message(turn->out, &arbiter__engine__command__descriptor);
    command->kind_case = ARBITER__ENGINE__COMMAND__KIND_DETACH;
    command->detach = true;
    struct header header;
    seat_header(turn->core, seat, KIND(COMMAND), &header);
    header.session = session;
    header.request = request;
    outbox_send(turn->out, DOOR_PEER, peers_connection(engine, DOOR_REQUESTS), &header, command);
}

void seat_close(const struct turn *turn, struct client_seat *seat)
{
    if (!seat->is_over)
        say_detach(turn, seat, seat->session, seat->answered + 1);
    stream_unlisten(turn, seat);
    seat_release(turn->core, seat);
}

void seat_was_told(struct client_core *core, const struct client_seat *seat)
{
    struct client_told *told = &core->told[core->told_count++ % core->settings.seats_max];
    memcpy(told->match_id, seat->match_id, CLIENT_ID_SIZE);
    told->seat = seat->seat;
}

bool seat_is_told(const struct client_core *core, const uint8_t *match_id, uint32_t seat)
{
    for (uint32_t i = 0; i < core->settings.seats_max && i < core->told_count; i++)
        if (core->told[i].seat == seat &&
            memcmp(core->told[i].match_id, match_id, CLIENT_ID_SIZE) == 0)
            return true;
    return false;
}

void seat_lose(const struct turn *turn, struct client_seat *seat, uint32_t refusal, uint32_t closed,
               const struct event *event)
{
    struct client_event lost = { .kind = CLIENT_LOST,
                                 .seat = seat->seat,
                                 .number = seat->next == 0 ? 0 : seat->next - 1,
                                 .request = seat->own.number,
                                 .refusal = refusal,
                                 .closed = closed };
    memcpy(lost.match_id, seat->match_id, CLIENT_ID_SIZE);
    /* A match that was told to its end is over, and not lost. */
    if (seat->is_over && seat->next > seat->last && command_over(turn, seat, refusal)) {
        seat->attach = due_never();
        return;
    }
    if (!tell(turn->core, &lost, event->bytes, event->size)) {
        seat->attach = due_now(turn); /* No room: whoever said so will say so again. */
        due_again(turn, &seat->attach);
        return;
    }
    stream_unlisten(turn, seat);
    seat_release(turn->core, seat);
}

void seat_lose_unbegun(const struct turn *turn, const uint8_t *match_id)
{
    struct client_core *core = turn->core;
    struct client_seat *seat = id_is_none(match_id) ? NULL : seat_first(core, match_id);
    for (; seat != NULL; seat = seat_after(core, seat)) {
        struct client_event lost = { .kind = CLIENT_LOST,
                                     .seat = seat->seat,
                                     .refusal = REFUSAL(NO_SUCH_MATCH) };
        if (seat->next != 0)
            continue;
        memcpy(lost.match_id, seat->match_id, CLIENT_ID_SIZE);
        if (!tell(core, &lost, NULL, 0))
            continue; /* No room: then the engine will be asked until it is certain. */
        stream_unlisten(turn, seat);
        seat_release(core, seat);
    }
}

void seat_has_begun(const struct turn *turn, struct client_seat *seat)
{
    if (seat->missing > 0 && seat->attach.at_ms != NO_WAKE)
        seat->attach = due_now(turn);
}

void seat_attach_again(const struct turn *turn, struct client_seat *seat)
{
    if (seat->attach.at_ms == NO_WAKE)
        seat->attach = due_now(turn);
}

static ProtobufCBinaryData bytes_of(const struct turn *turn, const uint8_t *bytes, size_t size)
{
    return (ProtobufCBinaryData){ .len = size, .data = outbox_copy(turn->out, bytes, size) };
}

static void say_attach(const struct turn *turn, struct client_seat *seat, uint32_t engine,
                       bool with_view)
{
    Arbiter__Engine__Attach *attach =
        outbox_message(turn->out, &arbiter__engine__attach__descriptor);
    attach->has_session = seat->session != 0;
    attach->session = seat->session;
    attach->has_view = true;
    attach->view = with_view;
    if (seat->code[0] != '\0') {
        attach->has_code = true;
        attach->code.len = text_length(seat->code);
        attach->code.data = outbox_copy(turn->out, seat->code, attach->code.len);
    }
    if (seat->ticket_size > 0) {
        attach->ticket = outbox_message(turn->out, &arbiter__wire__signed_ticket__descriptor);
        attach->ticket->has_ticket = attach->ticket->has_signature = true;
        attach->ticket->ticket = bytes_of(turn, seat->ticket, seat->ticket_size);
        attach->ticket->signature = bytes_of(turn, seat->signature, seat->signature_size);
    }
    struct header header;
    seat_header(turn->core, seat, KIND(ATTACH), &header);
    if (header.version > PROTOCOL_FIRST && seat->next > seat->oldest + 1) {
        attach->has_last = attach->has_last_chain = true;
        attach->last = seat->next - 1;
        attach->last_chain =
            bytes_of(turn, seat->chain[attach->last % CLIENT_CHAINS], CRYPTO_HASH_SIZE);
    }
    followed_wish(turn, seat, header.version, attach);
    header.session = 0;
    header.request = TAG_ATTACH | (++seat->attach_number & 0xffff);
    seat->was_heard_of = seat->known > 0;
    outbox_send(turn->out, DOOR_PEER, peers_connection(engine, DOOR_REQUESTS), &header, attach);
}

void attach_pump(const struct turn *turn, struct client_seat *seat)
{
    uint32_t engine = seat_engine(turn->core, seat);
    bool     is_attached = seat->attach.at_ms == NO_WAKE;
    if (is_due(turn, &seat->attach)) {
        if (engine != NO_PEER)
            say_attach(turn, seat, engine, seat->next == 0);
        due_again(turn, &seat->attach);
    }
    if (is_attached && is_due(turn, &seat->look)) { /* Attaching again is how one looks again. */
        if (engine != NO_PEER)
            say_attach(turn, seat, engine, true);
        turn->core->looks++;
        due_again(turn, &seat->look);
    }
    if (is_attached && seat->must_say_so && engine != NO_PEER)
        say_attach(turn, seat, engine, false);
    if (is_attached && is_due(turn, &seat->legal)) {
        if (engine != NO_PEER)
            legal_say(turn, seat, engine);
        turn->core->looks++;
        due_again(turn, &seat->legal);
    }
}

static void keep_key(const struct turn *turn, struct client_seat *seat,
                     const Arbiter__Engine__Attached *attached)
{
    if (!attached->has_key || attached->key.len != CRYPTO_KEY_SIZE || seat->seat == NO_SEAT)
        return;
    struct box_keys *newest = &seat->keys[0];
    if (newest->seat != NO_SEAT && newest->generation != attached->generation)
        seat->keys[1] = *newest;
    box_keys_of_key(newest, turn->core->settings.crypto, attached->key.data, seat->seat,
                    attached->generation);
}

/* The first view: from here on acts are told. False: the caller's queue is full. */
static bool begin(const struct turn *turn, struct client_seat *seat, const struct event *event,
                  const Arbiter__Engine__Attached *attached)
{
    struct client_event told = { .kind = CLIENT_ATTACHED,
                                 .seat = seat->seat,
                                 .number = attached->number };
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    if (!tell(turn->core, &told, event->bytes, event->size))
        return false;
    seat->generation = attached->generation;
    /* The boxes of an earlier holder are not ours to open. */
    uint64_t past = attached->generation <= 1 ? seat->past : 0, number = attached->number;
    seat->told_from = number > past ? number - past + 1 : 1;
    /* Who comes while dice are made hears how that round began: only acts count there. */
    bool     is_early = attached->dice != NULL && seat->seat != NO_SEAT;
    uint64_t first = is_early ? 1 : seat->told_from;
    if (first <= number)
        stream_begin_at(turn, seat, first, number, attached->chain.data);
    else
        stream_begin(turn, seat, number, attached->chain.data);
    return true;
}

static void on_attached(const struct turn *turn, struct client_seat *seat,
                        const struct event *event)
{
    const Arbiter__Engine__Attached *attached = BODY(Arbiter__Engine__Attached, event);
    if (!attached->has_number || attached->chain.len != CRYPTO_HASH_SIZE)
        return;
    if (seat->attach.at_ms == NO_WAKE) { /* A second answer; its session is one too many. */
        if (attached->session != seat->session)
            say_detach(turn, seat, attached->session, 1);
        look_told(turn, seat, event, attached);
        return;
    }
    if (attached->match != NULL)
        seat->protocol = attached->match->protocol;
    command_session(seat, attached->session, attached->request, attached->number);
    keep_key(turn, seat, attached);
    if (seat->next == 0 && !begin(turn, seat, event, attached))
        return; /* The next attach asks for the same session. */
    seat->attach = due_never();
    seat->missing = 0;
    if (attached->number + 1 < seat->next)
        seat_fault(turn, seat, CLIENT_FAULT_ROLLBACK, seat->next - 1);
    stream_compare(turn, seat, attached->number, attached->chain.data, attached->chain.len);
    dice_attached(turn, seat, attached);
    if (attached->has_over && attached->over)
        stream_over(seat, attached->number);
    stream_known(turn, seat, attached->number, 0);
}

static void on_closed(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Engine__Closed *closed = BODY(Arbiter__Engine__Closed, event);
    if (seat->session == 0 || closed->session != seat->session)
        return;
    switch (closed->why) {
    case ARBITER__ENGINE__CLOSED__WHY__WHY_NINTH:
    case ARBITER__ENGINE__CLOSED__WHY__WHY_CHANGED:
    case ARBITER__ENGINE__CLOSED__WHY__WHY_BANNED:
        seat_lose(turn, seat, 0, closed->why, event);
        break;
    case ARBITER__ENGINE__CLOSED__WHY__WHY_OVER: /* Its last acts may be on their way still. */
        if (!seat->is_over)
            seat->fetch = due_now(turn);
        break;
    default: seat_attach_again(turn, seat); break;
    }
}

/* There is no such match here: whether there may be one yet. The owner knows every match that goes
 * on. If acts of the match were heard before the owner was asked, then it is over, and was over so
 * long ago that the owner has forgotten it. */
static bool may_come(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    bool is_last = event->header.request == (TAG_ATTACH | (seat->attach_number & 0xffff));
    if (seat->next == 0 && seat->was_heard_of && is_last)
        return false;
    if (seat->missing++ == 0)
        seat->missing_ms = turn->now_ms;
    return seat->missing < MISSING_MAX || turn->now_ms - seat->missing_ms < MISSING_MAX_MS;
}

static void on_attach_refused(const struct turn *turn, struct client_seat *seat,
                              const struct event *event, uint32_t refusal)
{
    if (seat->attach.at_ms == NO_WAKE) {
        look_refused(turn, seat, event, refusal);
        return;
    }
    if (is_for_later(event)) {
        due_refused(turn, &seat->attach, event);
        return;
    }
    switch (refusal) {
    case REFUSAL(ATTACH_AGAIN): /* The old session is not there any more: then a new one. */
        seat->session = 0;
        due_refused(turn, &seat->attach, event);
        return;
    case REFUSAL(NO_SUCH_MATCH):
        if (!may_come(turn, seat, event))
            break;
        if (seat->attach.tries > MISSING_TRIES)
            seat->attach.tries = MISSING_TRIES;
        due_refused(turn, &seat->attach, event);
        return;
    default: break;
    }
    seat_lose(turn, seat, refusal, 0, event);
}

static void on_refused(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    uint32_t refusal = refused->has_refusal ? refused->refusal : REFUSAL(AGAIN);
    uint32_t request = event->header.request;
    if ((request & TAG_LEGAL) != 0)
        legal_refused(turn, seat, event, refusal);
    else if ((request & TAG_ATTACH) != 0)
        on_attach_refused(turn, seat, event, refusal);
    else if ((request & TAG_HISTORY) == 0)
        command_refused(turn, seat, event);
}

void attach_message(const struct turn *turn, const struct event *event)
{
    const struct header *header = &event->header;
    struct client_seat  *seat = seat_find(turn->core, header->match_id, header->seat);
    if (seat == NULL)
        return;
    switch (header->kind) {
    case KIND(ATTACHED): on_attached(turn, seat, event); break;
    case KIND(REPLY): command_reply(turn, seat, event); break;
    case KIND(LEGAL_ANSWER): legal_told(turn, seat, event); break;
    case KIND(FOLLOWED): followed_hear(turn, seat, event); break;
    case KIND(CLOSED): on_closed(turn, seat, event); break;
    case KIND(REFUSED): on_refused(turn, seat, event); break;
    default: break;
    }
}

/* client_command.c: the command under way: said until it is answered, and played at most once. Pure.
 *
 * One is under way for each seat, with the session's next request number. The engine answers a
 * number it has seen with the answer it gave, so saying it again is safe, whoever holds the slot by
 * then. Only a session that is gone needs thought. A closed session's request is never played
 * later. So once all acts up to the new session's are there, look for one of our seat among them:
 * it may have been this command. If there is none, the command was not played, and is said in the
 * new session. */
#include <assert.h>
#include <string.h>

#include "client/client_private.h"

void command_start(const struct turn *turn, struct client_seat *seat, enum own_kind kind,
                   const uint8_t *bytes, size_t size, uint32_t number)
{
    assert(seat->own.kind == OWN_NONE && size <= turn->core->settings.command_bytes);
    memset(&seat->own, 0, sizeof seat->own);
    seat->own.kind = kind;
    seat->own.number = number;
    seat->own.size = (uint32_t) size;
    seat->own.due = due_now(turn);
    took_begin(turn, &seat->own.took);
    /* What is promised, or in the view, was there before it, told or not. */
    seat->own.sent_after = seat->promised >= seat->next ? seat->promised : seat->next - 1;
    if (size > 0)
        memcpy(seat->command, bytes, size);
}

static void command_end(struct client_seat *seat)
{
    if (seat->own.kind == OWN_PLAY) /* Bytes for dice are our own affair. */
        seat->took = seat->own.took;
    memset(&seat->own, 0, sizeof seat->own);
    seat->own.due = due_never();
}

/* Tells what became of the caller's command; false: no room now. */
static bool tell_outcome(const struct turn *turn, struct client_seat *seat,
                         enum client_outcome outcome, uint32_t refusal, uint64_t number,
                         const uint8_t *bytes, size_t size)
{
    struct client_event told = { .kind = CLIENT_REPLY,
                                 .seat = seat->seat,
                                 .request = seat->own.number,
                                 .outcome = outcome,
                                 .refusal = refusal,
                                 .number = number };
    memcpy(told.match_id, seat->match_id, CLIENT_ID_SIZE);
    if (seat->own.kind == OWN_PLAY && !tell(turn->core, &told, bytes, size))
        return false;
    command_end(seat);
    return true;
}

static void say_command(const struct turn *turn, struct client_seat *seat, uint32_t engine)
{
    struct own_command       *own = &seat->own;
    ProtobufCBinaryData       bytes = { .len = own->size,
                                        .data = outbox_copy(turn->out, seat->command, own->size) };
    Arbiter__Engine__Command *command =
        outbox_message(turn->out, &arbiter__engine__command__descriptor);
    struct header header;
    if (own->kind == OWN_PLAY) {
        command->kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
        command->play = bytes;
    } else if (own->kind == OWN_HASH) {
        command->kind_case = ARBITER__ENGINE__COMMAND__KIND_HASH;
        command->hash = bytes;
    } else {
        command->kind_case = ARBITER__ENGINE__COMMAND__KIND_REVEAL;
        command->reveal = bytes;
    }
    seat_header(turn->core, seat, KIND(COMMAND), &header);
    header.request = seat->answered + 1;
    took_say(turn, &own->took, &header, command);
    outbox_send(turn->out, DOOR_PEER, peers_connection(engine, DOOR_REQUESTS), &header, command);
    own->is_sent = true;
    own->session = seat->session;
}

/* What the acts since then say about a command whose session is gone. */
static void decide(const struct turn *turn, struct client_seat *seat)
{
    struct own_command *own = &seat->own;
    if (seat->next <= own->doubt_until)
        return;
    if (own->seen != 0) {
        tell_outcome(turn, seat, CLIENT_UNSURE, 0, own->seen, NULL, 0);
        return;
    }
    own->is_doubted = own->is_sent = false;
    own->due = due_now(turn);
}

/* An accepted command is told of behind the act it became. */
static void tell_accepted(const struct turn *turn, struct client_seat *seat)
{
    struct own_command *own = &seat->own;
    if (seat->next > own->told_after)
        tell_outcome(turn, seat, CLIENT_ACCEPTED, 0, own->told_after, own->reply, own->reply_size);
}

void command_pump(const struct turn *turn, struct client_seat *seat)
{
    struct own_command *own = &seat->own;
    if (own->kind != OWN_NONE && own->told_after != 0)
        tell_accepted(turn, seat);
    if (own->kind == OWN_NONE || own->told_after != 0 || seat->attach.at_ms != NO_WAKE)
        return;
    if (own->is_doubted)
        decide(turn, seat);
    if (own->kind == OWN_NONE || own->is_doubted || !is_due(turn, &own->due))
        return;
    uint32_t engine = seat_engine(turn->core, seat);
    if (engine != NO_PEER)
        say_command(turn, seat, engine);
    due_again(turn, &own->due);
}

void command_session(struct client_seat *seat, uint32_t session, uint32_t answered, uint64_t number)
{
    struct own_command *own = &seat->own;
    bool                is_new = session != seat->session;
    seat->session = session;
    /* In the session we had, a number that was answered is asked for again, to hear its answer. */
    bool is_ours = !is_new && own->kind != OWN_NONE && own->is_sent;
    seat->answered = is_ours && answered > seat->answered ? answered - 1 : answered;
    if (own->kind != OWN_NONE && own->told_after == 0)
        own->due = (struct due){ .at_ms = 0 }; /* Whatever it waited for, it has. */
    /* A contribution to dice may be said twice. */
    if (own->kind == OWN_PLAY && own->is_sent && own->told_after == 0 && own->session != session) {
        own->is_doubted = true;
        own->doubt_until = number;
    }
}

void command_seen(struct client_seat *seat, uint64_t number)
{
    struct own_command *own = &seat->own;
    bool                may_be = own->is_sent && number > own->sent_after &&
                  (!own->is_doubted || number <= own->doubt_until);
    if (own->kind == OWN_PLAY && own->seen == 0 && may_be)
        own->seen = number;
}

static void keep_reply(struct client_seat *seat, const struct event *event, uint64_t number)
{
    struct own_command *own = &seat->own;
    own->told_after = number;
    own->reply_size = event->size <= sizeof own->reply ? (uint32_t) event->size : 0;
    if (own->reply_size > 0)
        memcpy(own->reply, event->bytes, own->reply_size);
    own->due = due_never();
}

void command_reply(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Engine__Reply *reply = BODY(Arbiter__Engine__Reply, event);
    struct own_command           *own = &seat->own;
    uint64_t                      number = reply->has_number ? reply->number : 0;
    if (own->kind == OWN_NONE || own->told_after != 0 || own->is_doubted ||
        event->header.session != seat->session || event->header.request != seat->answered + 1)
        return;
    took_answered(turn, &own->took, reply);
    if (reply->has_accepted && reply->accepted && number > 0) {
        keep_reply(seat, event, number);
        seat->answered++;
    } else if (tell_outcome(turn, seat, CLIENT_NOT_ACCEPTED, 0, number, event->bytes,
                            event->size)) {
        seat->answered++;
    }
    stream_compare(turn, seat, number, reply->chain.data, reply->chain.len);
    stream_known(turn, seat, number, turn->core->settings.act_wait_ms);
}

bool command_over(const struct turn *turn, struct client_seat *seat, uint32_t refusal)
{
    const struct own_command *own = &seat->own;
    if (own->kind == OWN_NONE)
        return true;
    if (own->seen != 0)
        return tell_outcome(turn, seat, CLIENT_UNSURE, refusal, own->seen, NULL, 0);
    return tell_outcome(turn, seat, CLIENT_UNFIT, refusal, 0, NULL, 0);
}

void command_refused(const struct turn *turn, struct client_seat *seat, const struct event *event)
{
    const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
    struct own_command           *own = &seat->own;
    uint32_t refusal = refused->has_refusal ? refused->refusal : REFUSAL(AGAIN);
    if (own->kind == OWN_NONE || own->told_after != 0 || event->header.session != seat->session ||
        event->header.request != seat->answered + 1)
        return;
    bool is_final = refusal == REFUSAL(ATTACH_AGAIN) || refusal == REFUSAL(GAP) ||
                    refusal == REFUSAL(NOT_YOURS) || refusal == REFUSAL(NO_SUCH_MATCH);
    if (is_final && seat->is_over && seat->next > seat->last) {
        (void) command_over(turn, seat, refusal);
        return;
    }
    bool is_too_large = refusal == REFUSAL(TOO_MUCH) && !is_for_later(event);
    if (refusal == REFUSAL(MALFORMED) || is_too_large) {
        /* Nothing was played, and the number is free. */
        tell_outcome(turn, seat, CLIENT_UNFIT, refusal, 0, event->bytes, event->size);
        return;
    }
    switch (refusal) {
    case REFUSAL(ATTACH_AGAIN):
    case REFUSAL(GAP): seat_attach_again(turn, seat); break;
    case REFUSAL(NOT_YOURS):
    case REFUSAL(BANNED):
    case REFUSAL(QUARANTINED): /* It would be said again with every asking, for ever. */
    case REFUSAL(NO_SUCH_MATCH): seat_lose(turn, seat, refusal, 0, event); break;
    default: due_refused(turn, &own->due, event); break;
    }
}

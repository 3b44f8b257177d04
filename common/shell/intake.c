/* intake.c: from a frame to an event: header, rights, body; what is none of ours goes no further. */
#include <string.h>

#include "contract/envelope.pb-c.h"
#include "core/rights.h"
#include "shell/shell_private.h"
#include "wire/kinds.h"
#include "wire/validate.h"

/* A message on its way in. */
struct incoming {
    struct bus_socket        *socket;
    const struct bus_message *message;
    struct caller             caller;
    struct header             header;
};

/* A wire.Refused back, at our doors only: over our own connections nobody asks us anything. */
static void refuse(struct shell *shell, const struct incoming *in, enum refused_reason reason,
                   Arbiter__Wire__Refusal refusal, const char *sentence)
{
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct effect          effect = { .kind = EFFECT_SEND, .header = in->header };
    shell->counters.refused[reason]++;
    if (in->caller.door == DOOR_PEER || in->header.kind == ARBITER__WIRE__KIND__KIND_REFUSED)
        return;
    refused.has_refusal = true;
    refused.refusal = refusal;
    refused.sentence = (char *) sentence;
    effect.header.version = HEADER_VERSION;
    effect.header.kind = ARBITER__WIRE__KIND__KIND_REFUSED;
    effect.body = &refused.base;
    (void) shell_send(shell, in->socket, in->caller.route, &effect);
}

/* True: the header is one, and its sender may say this. */
static bool judge(struct shell *shell, struct incoming *in)
{
    switch (header_decode(&in->header, in->message->bytes, in->message->size)) {
    case HEADER_GOOD: break;
    case HEADER_SHORT: shell->counters.refused[REFUSED_SHORT]++; return false;
    case HEADER_OTHER_VERSION:
        refuse(shell, in, REFUSED_VERSION, ARBITER__WIRE__REFUSAL__REFUSAL_VERSION,
               "version 1 of the protocol is spoken here");
        return false;
    case HEADER_OTHER_SLOT:
        in->header.slot = header_slot(in->header.match_id); /* Our answer names the right one. */
        /* fallthrough */
    case HEADER_NO_KIND:
        refuse(shell, in, REFUSED_HEADER, ARBITER__WIRE__REFUSAL__REFUSAL_MALFORMED,
               "the header names no kind of message, or a slot that is not its match's");
        return false;
    }
    if (in->caller.door == DOOR_PEER || rights_may_say(in->caller.role, in->header.kind))
        return true;
    if (in->caller.role == 0)
        refuse(shell, in, REFUSED_BANNED, ARBITER__WIRE__REFUSAL__REFUSAL_BANNED,
               "this key is not admitted any more");
    else
        refuse(shell, in, REFUSED_RIGHTS, ARBITER__WIRE__REFUSAL__REFUSAL_NOT_YOURS,
               "this key's role may not say that here");
    return false;
}

static void take_message(struct shell *shell, struct incoming *in)
{
    if (!judge(shell, in))
        return;
    struct event event = shell_event(shell, EVENT_MESSAGE);
    event.caller = in->caller;
    event.header = in->header;
    event.bytes = in->message->bytes + HEADER_SIZE;
    event.size = in->message->size - HEADER_SIZE;
    arena_reset(&shell->arena);
    event.body =
        validate_unpack(kinds_find(in->header.kind), event.bytes, event.size, &shell->arena);
    if (event.body == NULL) {
        refuse(shell, in, REFUSED_BODY, ARBITER__WIRE__REFUSAL__REFUSAL_MALFORMED,
               "the body is no message of the kind its header names");
        return;
    }
    if (in->header.kind == ARBITER__WIRE__KIND__KIND_HELLO && in->caller.door != DOOR_PEER)
        bus_forgive(in->socket, in->caller.route);
    shell->counters.in[in->header.kind < COUNTED_KINDS ? in->header.kind : 0]++;
    shell_step(shell, &event);
}

static void take_reader(struct shell *shell, const struct bus_message *message,
                        const struct caller *caller)
{
    struct event event =
        shell_event(shell, message->news == BUS_READER ? EVENT_READER : EVENT_READER_GONE);
    event.caller = *caller;
    event.bytes = message->bytes;
    event.size = message->size;
    shell_step(shell, &event);
}

uint32_t shell_take(struct shell *shell, struct bus_socket *socket, uint32_t door, uint64_t route,
                    uint32_t most)
{
    struct bus_message message;
    uint32_t           taken = 0;
    while (taken < most && !shell->is_over && bus_receive(socket, &message) != BUS_NOTHING) {
        struct incoming in = { .socket = socket, .message = &message };
        memcpy(in.caller.key, message.key, sizeof in.caller.key);
        in.caller.role = shell_role_of(shell, message.key);
        in.caller.door = door;
        in.caller.route = door == DOOR_PEER ? route : message.route;
        taken++;
        if (message.news == BUS_MESSAGE)
            take_message(shell, &in);
        else
            take_reader(shell, &message, &in.caller);
        /* A full outbox was settled in the step, and may have closed this very connection. */
        if (shell->is_repoll)
            break;
    }
    return taken;
}

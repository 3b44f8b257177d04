/* intake.c: from a frame to an event: header, rights, body; what is none of ours goes no further. */
#include <inttypes.h>
#include <string.h>

#include "clock/clock.h"
#include "contract/envelope.pb-c.h"
#include "core/rights.h"
#include "shell/shell_private.h"
#include "wire/kinds.h"
#include "wire/names.h"
#include "wire/validate.h"

/* Who floods us is not let in again for so long. */
#define SHUT_OUT_MS 10000
#define SAY_AGAIN_MS 60000

/* A message on its way in. */
struct incoming {
    struct bus_socket        *socket;
    const struct bus_message *message;
    struct caller             caller;
    struct header             header;
};

/* A wire.Refused back, at our doors only: over our own connections nobody asks us anything. */
static void refuse_until(struct shell *shell, const struct incoming *in, enum refused_reason reason,
                         Arbiter__Wire__Refusal refusal, const char *sentence, uint32_t after_ms)
{
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct effect          effect = { .kind = EFFECT_SEND, .header = in->header };
    shell->counters.refused[reason]++;
    if (in->caller.door == DOOR_PEER || in->header.kind == KIND(REFUSED))
        return;
    refused.has_refusal = true;
    refused.refusal = refusal;
    refused.sentence = (char *) sentence;
    refused.has_after_ms = after_ms > 0;
    refused.after_ms = after_ms;
    effect.header.version = header_spoken(in->header.version);
    effect.header.kind = KIND(REFUSED);
    effect.body = &refused.base;
    (void) shell_send(shell, in->socket, in->caller.route, &effect);
}

static void refuse(struct shell *shell, const struct incoming *in, enum refused_reason reason,
                   Arbiter__Wire__Refusal refusal, const char *sentence)
{
    refuse_until(shell, in, reason, refusal, sentence, 0);
}

/* One line a minute says how many were cut off. */
static void say_floods(struct shell *shell, const uint8_t key[BUS_KEY_SIZE])
{
    char     text[BUS_KEY_TEXT];
    uint64_t now_ms = clock_ms();
    if (shell->flood_said_ms != 0 && now_ms - shell->flood_said_ms < SAY_AGAIN_MS)
        return;
    bus_key_write(text, key);
    log_print(
        shell->settings.log, SAY_WARNING,
        "a client sends more than it may (client_frames_per_second) and is shut out for %u s: "
        "key %s; connections ended so since the last such line: %" PRIu64,
        SHUT_OUT_MS / 1000, text, shell->counters.floods - shell->floods_said);
    shell->flood_said_ms = now_ms;
    shell->floods_said = shell->counters.floods;
}

/* False: a flood, and its connection is over. What of it has come already is not looked at. */
static bool is_paced(struct shell *shell, const struct incoming *in)
{
    if (in->caller.role != SHELL_ROLE_CLIENT || in->caller.door == DOOR_PEER ||
        pace_frame(&shell->pace, in->caller.key, in->message->size, clock_ms()))
        return true;
    shell->counters.refused[REFUSED_TOO_MUCH]++;
    if (bus_hang_up(in->socket)) {
        bus_shut_out(shell->settings.bus, in->caller.key, SHUT_OUT_MS);
        shell->counters.floods++;
        say_floods(shell, in->caller.key);
    }
    return false;
}

/* False: this caller has asked enough for now. Junk is an ask, too: it is answered. */
static bool may_ask(struct shell *shell, const struct incoming *in)
{
    uint32_t after_ms = 0;
    if (in->caller.role != SHELL_ROLE_CLIENT || in->caller.door == DOOR_PEER ||
        pace_ask(&shell->pace, in->caller.key, clock_ms(), &after_ms))
        return true;
    if (after_ms > 0)
        refuse_until(shell, in, REFUSED_TOO_MUCH, REFUSAL(TOO_MUCH),
                     "so many questions a second are not answered; come back a little later",
                     after_ms);
    else
        shell->counters.refused[REFUSED_TOO_MUCH]++;
    return false;
}

/* True: the header is one, and its sender may say this. */
static bool judge(struct shell *shell, struct incoming *in)
{
    enum header_fault verdict = header_decode(&in->header, in->message->bytes, in->message->size);
    if ((verdict != HEADER_GOOD || pace_counts(in->header.kind)) && !may_ask(shell, in))
        return false;
    switch (verdict) {
    case HEADER_GOOD: break;
    case HEADER_SHORT: shell->counters.refused[REFUSED_SHORT]++; return false;
    case HEADER_OTHER_VERSION:
        refuse(shell, in, REFUSED_VERSION, REFUSAL(VERSION),
               "versions 1 and 2 of the protocol are spoken here: take a client of this release");
        return false;
    case HEADER_OTHER_SLOT:
        in->header.slot = header_slot(in->header.match_id); /* Our answer names the right one. */
        /* fallthrough */
    case HEADER_NO_KIND:
        refuse(shell, in, REFUSED_HEADER, REFUSAL(MALFORMED),
               "the header names no kind of message, or a slot that is not its match's");
        return false;
    }
    if (in->caller.door == DOOR_PEER || rights_may_say(in->caller.role, in->header.kind))
        return true;
    if (in->caller.role == 0)
        refuse(shell, in, REFUSED_BANNED, REFUSAL(BANNED), "this key is not admitted any more");
    else
        refuse(shell, in, REFUSED_RIGHTS, REFUSAL(NOT_YOURS),
               "this key's role may not say that here");
    return false;
}

static void take_message(struct shell *shell, struct incoming *in)
{
    if (!is_paced(shell, in) || !judge(shell, in))
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
        refuse(shell, in, REFUSED_BODY, REFUSAL(MALFORMED),
               "the body is no message of the kind its header names");
        return;
    }
    if (in->header.kind == KIND(HELLO) && in->caller.door != DOOR_PEER)
        bus_forgive(in->socket, in->caller.route);
    shell->counters.in[in->header.kind < COUNTED_KINDS ? in->header.kind : 0]++;
    shell->counters.heard++;
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

/* greet.c: see greet.h. */
#include "core/greet.h"

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

static void on_hello(const struct event *event, struct outbox *out)
{
    const Arbiter__Directory__Hello *hello = BODY(Arbiter__Directory__Hello, event);
    Arbiter__Directory__Welcome     *welcome =
        outbox_message(out, &arbiter__directory__welcome__descriptor);
    welcome->has_protocol = welcome->has_role = true;
    welcome->protocol = header_spoken(hello->protocol);
    welcome->role = (Arbiter__Directory__Role) event->caller.role;
    struct event asked = *event;
    asked.header.version = (uint8_t) welcome->protocol;
    outbox_answer(out, &asked, KIND(WELCOME), welcome);
}

static void on_ping(const struct event *event, struct outbox *out)
{
    const Arbiter__Wire__Ping *ping = BODY(Arbiter__Wire__Ping, event);
    Arbiter__Wire__Pong       *pong = outbox_message(out, &arbiter__wire__pong__descriptor);
    pong->has_nonce = ping->has_nonce;
    pong->nonce = ping->nonce;
    outbox_answer(out, event, KIND(PONG), pong);
}

bool greet_step(const struct event *event, struct outbox *out)
{
    if (event->kind != EVENT_MESSAGE || event->caller.door == DOOR_PEER)
        return false;
    switch (event->header.kind) {
    case KIND(HELLO): on_hello(event, out); return true;
    case KIND(PING): on_ping(event, out); return true;
    default: return false;
    }
}

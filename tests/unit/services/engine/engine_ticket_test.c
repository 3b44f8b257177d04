/* engine_ticket_test.c: a gateway is let in for whom its ticket names, and for nobody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_parts.h"
#include "services/engine/engine_rig.h"

#define WALL_MS (1000000 + rig.now_ms) /* As the rig's shell says. */
#define TICKET_KEY 0x5a

static struct rig rig;

static int begin(void **unused)
{
    (void) unused;
    rig_begin_nim(&rig);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

static uint8_t ticket_bytes[128];

/* The lobby's word for this player at this gateway, signed as the rig's verify wants it. */
static Arbiter__Wire__SignedTicket *ticket(uint8_t player, uint8_t gateway, uint64_t expires_ms)
{
    static Arbiter__Wire__SignedTicket signed_ticket;
    static uint8_t                     signature[64], id[16], key[32];
    Arbiter__Wire__Ticket              said = ARBITER__WIRE__TICKET__INIT;
    memset(id, 0, sizeof id);
    memset(key, 0, sizeof key);
    id[0] = player; /* The rig's players have their key's first half as id. */
    key[0] = gateway;
    said.has_player = said.has_gateway = said.has_expires_ms = true;
    said.player = (ProtobufCBinaryData){ sizeof id, id };
    said.gateway = (ProtobufCBinaryData){ sizeof key, key };
    said.expires_ms = expires_ms;
    arbiter__wire__signed_ticket__init(&signed_ticket);
    signed_ticket.has_ticket = signed_ticket.has_signature = true;
    signed_ticket.ticket =
        (ProtobufCBinaryData){ arbiter__wire__ticket__pack(&said, ticket_bytes), ticket_bytes };
    signature[0] = TICKET_KEY;
    signature[1] = ticket_bytes[signed_ticket.ticket.len - 1];
    signed_ticket.signature = (ProtobufCBinaryData){ sizeof signature, signature };
    return &signed_ticket;
}

static void hear_directory(uint8_t banned)
{
    Arbiter__Directory__Directory directory = ARBITER__DIRECTORY__DIRECTORY__INIT;
    uint8_t                       key[32] = { TICKET_KEY }, id[16] = { banned };
    ProtobufCBinaryData           list = { sizeof id, id };
    directory.has_ticket_key = true;
    directory.ticket_key = (ProtobufCBinaryData){ sizeof key, key };
    directory.banned_players = &list;
    directory.n_banned_players = banned != 0;
    engine_directory_heard(rig.engine, &directory);
}

/* A gateway attaches for Alice's seat; the session, 0: it was refused. */
static uint32_t attach_with(Arbiter__Wire__SignedTicket *with, uint32_t role)
{
    Arbiter__Engine__Attach attach = ARBITER__ENGINE__ATTACH__INIT;
    struct header           header;
    attach.ticket = with;
    rig_forget(&rig);
    rig_header(&header, KIND(ATTACH), RIG_MATCH, 0);
    rig_hear(&rig, RIG_GATEWAY, role, &header, &attach);
    if (rig_count(&rig, RIG_GATEWAY, KIND(ATTACHED)) == 0) {
        assert_int_equal(rig_refusal(&rig, RIG_GATEWAY), REFUSAL(NOT_YOURS));
        return 0;
    }
    const Arbiter__Engine__Attached *attached = rig_last(&rig, RIG_GATEWAY, KIND(ATTACHED));
    return attached->session;
}

static void a_gateway_speaks_for_whom_its_ticket_names(void **unused)
{
    (void) unused;
    hear_directory(0);
    uint32_t session = attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), ROLE(GATEWAY));
    assert_int_not_equal(session, 0);
    rig_take(&rig, RIG_MATCH, RIG_GATEWAY, 0, session, 1, 0, 1);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_GATEWAY, KIND(REPLY));
    assert_true(reply->accepted);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 0, session, 2, 0, 1); /* The session is the gateway's. */
    assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(NOT_YOURS));
}

static void a_ticket_that_does_not_hold_lets_nobody_in(void **unused)
{
    (void) unused;
    Arbiter__Wire__SignedTicket *good;
    /* Before the lobby has said with what it signs, there is no good one. */
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), ROLE(GATEWAY)), 0);
    hear_directory(0);
    assert_int_equal(attach_with(NULL, ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_BOB, RIG_GATEWAY, WALL_MS + 1), ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_CAROL, WALL_MS + 1), ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS), ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), ROLE(CLIENT)), 0);
    good = ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1);
    good->signature.data[0] ^= 1;
    assert_int_equal(attach_with(good, ROLE(GATEWAY)), 0);
    good = ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1);
    good->signature.len--;
    assert_int_equal(attach_with(good, ROLE(GATEWAY)), 0);
    for (size_t cut = 1; cut < 52; cut++) { /* Half a ticket, or bytes that are none. */
        good = ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1);
        good->ticket.len -= cut;
        assert_int_equal(attach_with(good, ROLE(GATEWAY)), 0);
    }
    hear_directory(RIG_ALICE); /* Banned. */
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), ROLE(GATEWAY)), 0);
    hear_directory(0);
    assert_int_not_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), ROLE(GATEWAY)),
                         0);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(a_gateway_speaks_for_whom_its_ticket_names),
        SENTENCE(a_ticket_that_does_not_hold_lets_nobody_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

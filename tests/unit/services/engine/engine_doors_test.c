/* engine_doors_test.c: who comes by a gateway with a ticket; what a seat may do; what was said before the match;
 * and the time a player took, which nobody is believed about but a gateway. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/nim.pb-c.h"
#include "services/engine/engine_parts.h"
#include "services/engine/engine_rig.h"

#define NIM "{\"heaps\": [3, 4, 5]}"
#define TREASURE                                                                                   \
    "{\"game\": \"treasure\", \"map\": {\"half_width\": 2, "                                       \
    "\"half_height\": 2, \"min_mountain\": 0, \"min_grass\": 2, "                                  \
    "\"min_water\": 0, \"treasure_min_distance\": 8}, \"movement\": "                              \
    "{\"countdown\": \"exact_cost\", \"leave_cost\": {\"grass\": 0}}, "                            \
    "\"limits\": {\"limit_result\": \"player_to_move\"}, \"visibility\": "                         \
    "{\"mask_actions\": 0}}"
#define MATCH 7
#define WALL_MS (1000000 + rig.now_ms) /* As the rig's shell says. */
#define TICKET_KEY 0x5a

static const uint32_t two[] = { RIG_ALICE, RIG_BOB };

static struct rig_store *store;
static struct rig        rig;

static int begin(void **unused)
{
    (void) unused;
    store = rig_store_new();
    rig_open(&rig, store, NULL);
    rig_start(&rig, MATCH, "nim", NIM, NULL, two, 2, 1, 0);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_close(&rig);
    rig_store_free(store);
    return 0;
}

/* Tickets. */

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
    rig_header(&header, RIG_KIND(ATTACH), MATCH, 0);
    rig_hear(&rig, RIG_GATEWAY, role, &header, &attach);
    if (rig_count(&rig, RIG_GATEWAY, RIG_KIND(ATTACHED)) == 0) {
        assert_int_equal(rig_refusal(&rig, RIG_GATEWAY), RIG_REFUSAL(NOT_YOURS));
        return 0;
    }
    const Arbiter__Engine__Attached *attached = rig_last(&rig, RIG_GATEWAY, RIG_KIND(ATTACHED));
    return attached->session;
}

static void a_gateway_speaks_for_whom_its_ticket_names(void **unused)
{
    (void) unused;
    hear_directory(0);
    uint32_t session = attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), RIG_ROLE(GATEWAY));
    assert_int_not_equal(session, 0);
    rig_take(&rig, MATCH, RIG_GATEWAY, 0, session, 1, 0, 1);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_GATEWAY, RIG_KIND(REPLY));
    assert_true(reply->accepted);
    rig_take(&rig, MATCH, RIG_BOB, 0, session, 2, 0, 1); /* The session is the gateway's. */
    assert_int_equal(rig_refusal(&rig, RIG_BOB), RIG_REFUSAL(NOT_YOURS));
}

static void a_ticket_that_does_not_hold_lets_nobody_in(void **unused)
{
    (void) unused;
    Arbiter__Wire__SignedTicket *good;
    /* Before the lobby has said with what it signs, there is no good one. */
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), RIG_ROLE(GATEWAY)),
                     0);
    hear_directory(0);
    assert_int_equal(attach_with(NULL, RIG_ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_BOB, RIG_GATEWAY, WALL_MS + 1), RIG_ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_CAROL, WALL_MS + 1), RIG_ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS), RIG_ROLE(GATEWAY)), 0);
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), RIG_ROLE(CLIENT)), 0);
    good = ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1);
    good->signature.data[0] ^= 1;
    assert_int_equal(attach_with(good, RIG_ROLE(GATEWAY)), 0);
    good = ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1);
    good->signature.len--;
    assert_int_equal(attach_with(good, RIG_ROLE(GATEWAY)), 0);
    for (size_t cut = 1; cut < 52; cut++) { /* Half a ticket, or bytes that are none. */
        good = ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1);
        good->ticket.len -= cut;
        assert_int_equal(attach_with(good, RIG_ROLE(GATEWAY)), 0);
    }
    hear_directory(RIG_ALICE); /* Banned. */
    assert_int_equal(attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), RIG_ROLE(GATEWAY)),
                     0);
    hear_directory(0);
    assert_int_not_equal(
        attach_with(ticket(RIG_ALICE, RIG_GATEWAY, WALL_MS + 1), RIG_ROLE(GATEWAY)), 0);
}

/* What a seat may do. */

static const Arbiter__Engine__LegalAnswer *ask_legal(uint8_t match, uint32_t who, uint32_t seat,
                                                     uint32_t session)
{
    Arbiter__Engine__LegalAsk ask = ARBITER__ENGINE__LEGAL_ASK__INIT;
    struct header             header;
    ask.has_best = ask.best = ask.has_luck = true;
    ask.luck = 5;
    rig_forget(&rig);
    rig_header(&header, RIG_KIND(LEGAL_ASK), match, seat);
    header.session = session;
    header.request = 77;
    rig_hear(&rig, who, RIG_ROLE(CLIENT), &header, &ask);
    if (rig_count(&rig, who, RIG_KIND(LEGAL_ANSWER)) == 0)
        return NULL;
    assert_int_equal(rig_last_header(&rig, who, RIG_KIND(LEGAL_ANSWER))->request, 77);
    return rig_last(&rig, who, RIG_KIND(LEGAL_ANSWER));
}

/* How many commands the list stands for. */
static uint64_t listed(const Arbiter__Engine__LegalAnswer *answer)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < answer->n_patterns;) {
        uint64_t product = 1;
        uint32_t args = answer->patterns[at + 1];
        at += 2;
        for (uint32_t i = 0; i < args; i++, at += 2) {
            assert_true(answer->patterns[at] + answer->patterns[at + 1] <= answer->n_values);
            product *= answer->patterns[at + 1];
        }
        sum += product;
    }
    return sum;
}

static void who_is_awaited_is_told_all_he_may_do(void **unused)
{
    (void) unused;
    uint32_t                            alice = rig_attach(&rig, MATCH, RIG_ALICE, 0);
    uint32_t                            bob = rig_attach(&rig, MATCH, RIG_BOB, 1);
    uint32_t                            rows = store->count;
    const Arbiter__Engine__LegalAnswer *answer = ask_legal(MATCH, RIG_ALICE, 0, alice);
    assert_int_equal(answer->number, 1);
    assert_true(answer->has_wait);
    assert_int_equal(listed(answer), 3 + 4 + 5);
    assert_false(answer->has_cut || answer->has_proposal); /* Nim has no open commands. */
    Arbiter__Nim__Command *best =
        arbiter__nim__command__unpack(NULL, answer->best.len, answer->best.data);
    assert_non_null(best);
    assert_int_equal(best->kind_case, ARBITER__NIM__COMMAND__KIND_TAKE);
    arbiter__nim__command__free_unpacked(best, NULL);
    answer = ask_legal(MATCH, RIG_BOB, 1, bob);
    assert_false(answer->has_wait);
    assert_int_equal(listed(answer), 0);
    assert_int_equal(store->count, rows); /* To ask keeps nothing. */
    rig_take(&rig, MATCH, RIG_ALICE, 0, alice, 1, 2, 5);
    answer = ask_legal(MATCH, RIG_BOB, 1, bob);
    assert_int_equal(answer->number, 2);
    assert_int_equal(listed(answer), 3 + 4);
}

static void what_a_seat_may_do_is_nobody_elses_to_ask(void **unused)
{
    (void) unused;
    uint32_t alice = rig_attach(&rig, MATCH, RIG_ALICE, 0);
    assert_null(ask_legal(MATCH, RIG_BOB, 0, alice));
    assert_int_equal(rig_refusal(&rig, RIG_BOB), RIG_REFUSAL(NOT_YOURS));
    assert_null(ask_legal(MATCH, RIG_ALICE, 0, alice + 1));
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), RIG_REFUSAL(ATTACH_AGAIN));
    assert_null(ask_legal(MATCH, RIG_ALICE, NO_SEAT, 0));
    assert_null(ask_legal(MATCH + 1, RIG_ALICE, 0, alice));
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), RIG_REFUSAL(NO_SUCH_MATCH));
    rig_take(&rig, MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    uint32_t bob = rig_attach(&rig, MATCH, RIG_BOB, 1);
    rig_take(&rig, MATCH, RIG_BOB, 1, bob, 1, 1, 4);
    rig_take(&rig, MATCH, RIG_ALICE, 0, alice, 2, 2, 5);
    const Arbiter__Engine__LegalAnswer *answer = ask_legal(MATCH, RIG_ALICE, 0, alice);
    assert_int_equal(answer->number, 4);
    assert_int_equal(listed(answer), 0); /* It is over. */
}

/* What was said at the table. */

static Arbiter__Engine__Opening  opening[3];
static Arbiter__Engine__Opening *openings[3] = { &opening[0], &opening[1], &opening[2] };
static uint8_t                   said[3][16];

static void say_before(uint32_t index, uint32_t seat, uint32_t heap, uint32_t count)
{
    Arbiter__Nim__Command command = ARBITER__NIM__COMMAND__INIT;
    Arbiter__Nim__Take    take = ARBITER__NIM__TAKE__INIT;
    take.has_heap = take.has_count = true;
    take.heap = heap;
    take.count = count;
    command.kind_case = ARBITER__NIM__COMMAND__KIND_TAKE;
    command.take = &take;
    arbiter__engine__opening__init(&opening[index]);
    opening[index].has_seat = opening[index].has_command = true;
    opening[index].seat = seat;
    opening[index].command =
        (ProtobufCBinaryData){ arbiter__nim__command__pack(&command, said[index]), said[index] };
    rig.openings = openings;
    rig.opening_count = index + 1;
}

static uint32_t actor_of(uint8_t match, uint64_t number)
{
    for (uint32_t i = 0; i < store->count; i++) {
        const struct row *row = store->rows[i].row;
        if (store->rows[i].table == JOURNAL_ACTS && row->cells[ACTS_ID].bytes[0] == match &&
            row->cells[ACTS_NUMBER].number == (int64_t) number)
            return (uint32_t) row->cells[ACTS_ACTOR].number;
    }
    return UINT32_MAX;
}

static void what_was_said_at_the_table_is_played_first(void **unused)
{
    (void) unused;
    say_before(0, 0, 0, 3);
    say_before(1, 0, 1, 1); /* Out of turn: said in vain. */
    say_before(2, 1, 2, 2);
    rig_start(&rig, 1, "nim", NIM, NULL, two, 2, 1, 0);
    assert_int_equal(rig_match(&rig, 1)->number, 3);
    assert_int_equal(actor_of(1, 1), ACTOR_START);
    assert_int_equal(actor_of(1, 2), 0);
    assert_int_equal(actor_of(1, 3), 1);
    rig_start(&rig, 1, "nim", NIM, NULL, two, 2, 1, 0); /* Said again, nothing happens again. */
    assert_int_equal(rig_match(&rig, 1)->number, 3);
}

/* With hosted dice it waits until they are made, across a restart. */
static void what_was_said_at_the_table_outlives_the_making_of_dice(void **unused)
{
    (void) unused;
    const uint32_t bots[] = { 0, RIG_BOB };
    say_before(0, 0, 0, 3);
    rig_start(&rig, 1, "nim", NIM, NULL, bots, 2, 0, 0);
    uint64_t before = rig_match(&rig, 1)->number;
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    assert_true(rig_match(&rig, 1)->number >= before);
    Arbiter__Watchdog__Expire expire = ARBITER__WATCHDOG__EXPIRE__INIT;
    for (uint32_t round = 0; round < 2;
         round++) { /* Bob stays silent, and the dice do without him. */
        struct header header;
        rig_wait(&rig, 30000);
        const Arbiter__Watchdog__Waits *waits = rig_last(&rig, RIG_WATCHDOG, RIG_KIND(WAITS));
        for (size_t i = 0; i < waits->n_waits; i++)
            if (waits->waits[i]->match_id.data[0] == 1)
                expire.wait = waits->waits[i]->wait;
        uint8_t id[MATCH_ID_SIZE];
        memset(id, 1, sizeof id);
        expire.has_match_id = expire.has_wait = true;
        expire.match_id = (ProtobufCBinaryData){ sizeof id, id };
        rig_header(&header, RIG_KIND(EXPIRE), 1, NO_SEAT);
        rig_hear(&rig, RIG_WATCHDOG, RIG_ROLE(WATCHDOG), &header, &expire);
    }
    uint64_t last = rig_match(&rig, 1)->number;
    assert_int_equal(actor_of(1, last), 0);
    assert_int_equal(actor_of(1, last - 1), ACTOR_START);
}

static void what_nobody_could_have_said_is_a_fault(void **unused)
{
    (void) unused;
    say_before(0, 2, 0, 1); /* There are two seats. */
    rig_start(&rig, 1, "nim", NIM, NULL, two, 2, 1, 0);
    const Arbiter__Engine__MatchStarted *started =
        rig_last(&rig, RIG_LOBBY, RIG_KIND(MATCH_STARTED));
    assert_non_null(started->fault);
    assert_memory_equal(started->fault, "/opening:", 9);
    assert_null(rig_match(&rig, 1));
    say_before(0, 0, 0, 1);
    opening[0].command.len--; /* No command: said in vain. */
    rig_start(&rig, 2, "nim", NIM, NULL, two, 2, 1, 0);
    assert_int_equal(rig_match(&rig, 2)->number, 1);
}

/* Think time. */

/* Half a map, as the engine proposes one, with this much time said to have been taken. */
static size_t half_map(uint32_t who, uint32_t seat, uint32_t session, word claimed, uint8_t *bytes)
{
    const struct match                 *match = rig_match(&rig, 1);
    static uint8_t                      memory[64u << 10];
    struct arena                        arena;
    struct command                      command;
    const Arbiter__Engine__LegalAnswer *answer = ask_legal(1, who, seat, session);
    assert_true(answer->has_proposal);
    arena_init(&arena, memory, sizeof memory);
    assert_true(plan_decode_command(match->terms->form->commands, answer->proposal.data,
                                    answer->proposal.len, &arena, &command));
    assert_true((match->terms->game->commands[command.kind].flags & COMMAND_TIMED) != 0);
    command.arg[0] = claimed;
    return plan_encode_command(match->terms->form->commands, &command, bytes, 4096);
}

/* What stands as the time taken in the last act's command. */
static word time_kept(void)
{
    const struct match *match = rig_match(&rig, 1);
    static uint8_t      memory[64u << 10];
    struct arena        arena;
    struct command      command;
    for (uint32_t i = 0; i < store->count; i++) {
        const struct row *row = store->rows[i].row;
        if (store->rows[i].table != JOURNAL_ACTS || row->cells[ACTS_ID].bytes[0] != 1 ||
            row->cells[ACTS_NUMBER].number != (int64_t) match->number)
            continue;
        arena_init(&arena, memory, sizeof memory);
        assert_true(plan_decode_command(match->terms->form->commands,
                                        row->cells[ACTS_COMMAND].bytes,
                                        row->cells[ACTS_COMMAND].size, &arena, &command));
        return command.arg[0];
    }
    return ABSENT;
}

static void a_player_is_not_believed_how_long_he_took(void **unused)
{
    (void) unused;
    static uint8_t bytes[4096];
    rig_start(&rig, 1, "treasure", TREASURE, NULL, two, 2, 3, 0);
    assert_non_null(rig_match(&rig, 1));
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    rig_wait(&rig, 1234);
    size_t size = half_map(RIG_ALICE, 0, alice, 1, bytes);
    rig_play(&rig, 1, RIG_ALICE, 0, alice, 1, bytes, size);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, RIG_KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(time_kept(), 1234);
    /* A gateway sits nearer to him, and may have measured it. */
    uint32_t                 bob = rig_attach(&rig, 1, RIG_BOB, 1);
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    command.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    command.play.data = bytes;
    command.play.len = half_map(RIG_BOB, 1, bob, 99, bytes);
    rig_header(&header, RIG_KIND(COMMAND), 1, 1);
    header.session = bob;
    header.request = 1;
    rig_hear(&rig, RIG_BOB, RIG_ROLE(GATEWAY), &header, &command);
    reply = rig_last(&rig, RIG_BOB, RIG_KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(time_kept(), 99);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(a_gateway_speaks_for_whom_its_ticket_names),
        SENTENCE(a_ticket_that_does_not_hold_lets_nobody_in),
        SENTENCE(who_is_awaited_is_told_all_he_may_do),
        SENTENCE(what_a_seat_may_do_is_nobody_elses_to_ask),
        SENTENCE(what_was_said_at_the_table_is_played_first),
        SENTENCE(what_was_said_at_the_table_outlives_the_making_of_dice),
        SENTENCE(what_nobody_could_have_said_is_a_fault),
        SENTENCE(a_player_is_not_believed_how_long_he_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

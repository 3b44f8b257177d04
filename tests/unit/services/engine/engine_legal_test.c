/* engine_legal_test.c: what a seat may do; and the time it took, which nobody is believed about but a gateway. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/nim.pb-c.h"
#include "services/engine/engine_rig.h"

#define TREASURE                                                                                   \
    "{\"game\": \"treasure\", \"map\": {\"half_width\": 2, "                                       \
    "\"half_height\": 2, \"min_mountain\": 0, \"min_grass\": 2, "                                  \
    "\"min_water\": 0, \"treasure_min_distance\": 8}, \"movement\": "                              \
    "{\"countdown\": \"exact_cost\", \"leave_cost\": {\"grass\": 0}}, "                            \
    "\"limits\": {\"limit_result\": \"player_to_move\"}, \"visibility\": "                         \
    "{\"mask_actions\": 0}}"

static struct rig_store *store;
static struct rig        rig;

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin_nim(&rig);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

static const Arbiter__Engine__LegalAnswer *ask_legal(uint8_t match, uint32_t who, uint32_t seat,
                                                     uint32_t session)
{
    Arbiter__Engine__LegalAsk ask = ARBITER__ENGINE__LEGAL_ASK__INIT;
    struct header             header;
    ask.has_best = ask.best = ask.has_luck = true;
    ask.luck = 5;
    rig_forget(&rig);
    rig_header(&header, KIND(LEGAL_ASK), match, seat);
    header.session = session;
    header.request = 77;
    rig_hear(&rig, who, ROLE(CLIENT), &header, &ask);
    if (rig_count(&rig, who, KIND(LEGAL_ANSWER)) == 0)
        return NULL;
    assert_int_equal(rig_last_header(&rig, who, KIND(LEGAL_ANSWER))->request, 77);
    return rig_last(&rig, who, KIND(LEGAL_ANSWER));
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
    uint32_t                            alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    uint32_t                            bob = rig_attach(&rig, RIG_MATCH, RIG_BOB, 1);
    uint32_t                            rows = store->count;
    const Arbiter__Engine__LegalAnswer *answer = ask_legal(RIG_MATCH, RIG_ALICE, 0, alice);
    assert_int_equal(answer->number, 1);
    assert_true(answer->has_wait);
    assert_int_equal(listed(answer), 3 + 4 + 5);
    assert_false(answer->has_cut || answer->has_proposal); /* Nim has no open commands. */
    Arbiter__Nim__Command *best =
        arbiter__nim__command__unpack(NULL, answer->best.len, answer->best.data);
    assert_non_null(best);
    assert_int_equal(best->kind_case, ARBITER__NIM__COMMAND__KIND_TAKE);
    arbiter__nim__command__free_unpacked(best, NULL);
    answer = ask_legal(RIG_MATCH, RIG_BOB, 1, bob);
    assert_false(answer->has_wait);
    assert_int_equal(listed(answer), 0);
    assert_int_equal(store->count, rows); /* To ask keeps nothing. */
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 2, 5);
    answer = ask_legal(RIG_MATCH, RIG_BOB, 1, bob);
    assert_int_equal(answer->number, 2);
    assert_int_equal(listed(answer), 3 + 4);
}

static void what_a_seat_may_do_is_nobody_elses_to_ask(void **unused)
{
    (void) unused;
    uint32_t alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    assert_null(ask_legal(RIG_MATCH, RIG_BOB, 0, alice));
    assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(NOT_YOURS));
    assert_null(ask_legal(RIG_MATCH, RIG_ALICE, 0, alice + 1));
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(ATTACH_AGAIN));
    assert_null(ask_legal(RIG_MATCH, RIG_ALICE, NO_SEAT, 0));
    assert_null(ask_legal(RIG_MATCH + 1, RIG_ALICE, 0, alice));
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(NO_SUCH_MATCH));
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    uint32_t bob = rig_attach(&rig, RIG_MATCH, RIG_BOB, 1);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 1, 4);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 2, 2, 5);
    const Arbiter__Engine__LegalAnswer *answer = ask_legal(RIG_MATCH, RIG_ALICE, 0, alice);
    assert_int_equal(answer->number, 4);
    assert_int_equal(listed(answer), 0); /* It is over. */
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
    rig_start(&rig, 1, "treasure", TREASURE, NULL, rig_two, 2, 3, 0);
    assert_non_null(rig_match(&rig, 1));
    uint32_t alice = rig_attach(&rig, 1, RIG_ALICE, 0);
    rig_wait(&rig, 1234);
    size_t size = half_map(RIG_ALICE, 0, alice, 1, bytes);
    rig_play(&rig, 1, RIG_ALICE, 0, alice, 1, bytes, size);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(time_kept(), 1234);
    /* A gateway sits nearer to the player, and may have measured it. */
    uint32_t                 bob = rig_attach(&rig, 1, RIG_BOB, 1);
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    command.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    command.play.data = bytes;
    command.play.len = half_map(RIG_BOB, 1, bob, 99, bytes);
    rig_header(&header, KIND(COMMAND), 1, 1);
    header.session = bob;
    header.request = 1;
    rig_hear(&rig, RIG_BOB, ROLE(GATEWAY), &header, &command);
    reply = rig_last(&rig, RIG_BOB, KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(time_kept(), 99);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SENTENCE(who_is_awaited_is_told_all_he_may_do),
        SENTENCE(what_a_seat_may_do_is_nobody_elses_to_ask),
        SENTENCE(a_player_is_not_believed_how_long_he_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* messages_as_words_test.c: do the messages of the coming games travel as words?
 *
 * The part of their rules is played here. The hardest events of each game are written as its rules
 * write them. They go through the plan to bytes and back, and must be the same row of words again.
 * If a message could not be said in words, this is where it would show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "objectron.pb-c.h"
#include "quests.pb-c.h"
#include "rules/sink.h"
#include "treasure.pb-c.h"
#include "wire/plan.h"

#define LENGTH(list) ((uint32_t) (sizeof(list) / sizeof((list)[0])))

static struct arena arena;
static uint8_t      arena_bytes[4096];

static int prepare(void **unused)
{
    (void) unused;
    arena_init(&arena, arena_bytes, sizeof arena_bytes);
    return 0;
}

/* Says an event in words and expects to hear the same. Returns its bytes. */
static size_t say(const ProtobufCMessageDescriptor *descriptor, uint32_t kind, const word *fields,
                  uint32_t count)
{
    uint8_t      bytes[1024];
    word         heard[512];
    uint32_t     heard_count = 0;
    struct plan *plan = plan_new(descriptor);
    size_t       size = plan_encode_kind(plan, kind, fields, count, bytes, sizeof bytes);

    assert_true(size > 0);
    assert_true(plan_decode(plan, bytes, size, &arena, heard, LENGTH(heard), &heard_count));
    assert_int_equal(heard_count, count + 1);
    assert_int_equal(heard[0], kind);
    assert_memory_equal(heard + 1, fields, count * sizeof(word));
    plan_destroy(&plan);
    return size;
}

/* Sends a command and expects the rules to be handed the same. */
static void send(const ProtobufCMessageDescriptor *descriptor, const struct command *sent)
{
    uint8_t        bytes[256];
    struct command came;
    struct plan   *plan = plan_new(descriptor);
    size_t         size = plan_encode_command(plan, sent, bytes, sizeof bytes);

    assert_true(size > 0);
    assert_true(plan_decode_command(plan, bytes, size, &arena, &came));
    assert_int_equal(came.kind, sent->kind);
    assert_memory_equal(came.arg, sent->arg, sizeof sent->arg);
    assert_int_equal(came.text_size, sent->text_size);
    if (sent->text != NULL)
        assert_memory_equal(came.text, sent->text, sent->text_size);
    plan_destroy(&plan);
}

enum { P1, P2, P3, P4 };

/* quests: a list of attacks, each with its list of cards, one of them empty. */
static void a_resolved_stage_lays_every_attack_open(void **unused)
{
    (void) unused;
    const word fields[] = {
        1,
        2,
        ARBITER__QUESTS__CARD__CARD_F5,
        ARBITER__QUESTS__CARD__CARD_H10,
        15,
        3,
        P1,
        2,
        ARBITER__QUESTS__CARD__CARD_D5,
        ARBITER__QUESTS__CARD__CARD_S10,
        15,
        1,
        P3,
        0,
        0,
        0,
        P4,
        1,
        ARBITER__QUESTS__CARD__CARD_E30,
        30,
        1,
    };
    say(&arbiter__quests__event__descriptor, ARBITER__QUESTS__EVENT__KIND_STAGE_RESOLVED, fields,
        LENGTH(fields));
}

/* quests: nothing could be drawn; only the presence of `count` tells the two forms apart. */
static void a_draw_is_said_in_two_forms(void **unused)
{
    (void) unused;
    const word     reason = ARBITER__QUESTS__EVENT__DREW__REASON__REASON_STAGE;
    const word     his[] = { P2, 0, ABSENT, reason, 4 };
    const word     theirs[] = { P2, 0, 0, reason, 4 };
    const uint32_t kind = ARBITER__QUESTS__EVENT__KIND_DREW;
    size_t         his_size = say(&arbiter__quests__event__descriptor, kind, his, LENGTH(his));
    size_t their_size = say(&arbiter__quests__event__descriptor, kind, theirs, LENGTH(theirs));
    assert_int_equal(his_size + 2, their_size);
}

/* objectron: a path of squares with a flag each; a failure without a secondary. */
static void a_disc_flies_and_power_fails(void **unused)
{
    (void) unused;
    const word thrown[] = { 0,
                            11,
                            ARBITER__OBJECTRON__ITEM_KIND__ITEM_KIND_IDENTITY_DISC,
                            ARBITER__OBJECTRON__DIRECTION__DIRECTION_E,
                            1,
                            1,
                            3,
                            3,
                            2,
                            3,
                            0,
                            3,
                            3,
                            0,
                            99,
                            99,
                            1,
                            ARBITER__OBJECTRON__EVENT__DISC_THROWN__RESULT__RESULT_LANDED,
                            1,
                            99,
                            99 };
    const word failed[] = { 7,
                            1,
                            0,
                            5,
                            0,
                            0,
                            ARBITER__OBJECTRON__DIRECTION__DIRECTION_W,
                            ARBITER__OBJECTRON__ROTATION__ROTATION_CCW,
                            3 };
    say(&arbiter__objectron__event__descriptor, ARBITER__OBJECTRON__EVENT__KIND_DISC_THROWN, thrown,
        LENGTH(thrown));
    say(&arbiter__objectron__event__descriptor, ARBITER__OBJECTRON__EVENT__KIND_POWER_FAILED,
        failed, LENGTH(failed));
}

/* treasure: an event that holds a view, which holds messages, rows of text and fields left out. */
static void an_updated_player_gets_his_whole_view(void **unused)
{
    (void) unused;
    const word fields[] = {
        5,
        1, /* Action 5, and a view:                  */
        ABSENT,
        0,
        5,
        1, /* No number of a game; seat, n, turn.    */
        ARBITER__TREASURE__PHASE__PHASE_MOVE,
        2,
        1,
        1, /* A map of 2 x 1, in one row:            */
        2,
        'G',
        'M',
        1,
        0,
        0,
        1,
        1,
        1,
        0,
        0,
        1,
        0,
        0, /* ... own half, castle, figure.          */
        1,
        1,
        -1,
        0,
        1, /* A countdown from off the map, next 1.  */
        1,
        1,
        0,
        1,
        0,
        0,
        0, /* Enemy, masked; treasure, places unseen. */
        1,
        2,
        'x',
        '.',
        0,
        0, /* Explored; neither won nor lost.        */
        ABSENT,
        ABSENT,
        ABSENT,
    };
    /* The countdown's message is 1, its target 1 and x, y, then next. */
    say(&arbiter__treasure__event__descriptor, ARBITER__TREASURE__EVENT__KIND_UPDATED, fields,
        LENGTH(fields));
}

/* treasure: six numbers are all a command can carry, and this one needs them all. */
static void commands_carry_every_number_and_rows_of_a_half(void **unused)
{
    (void) unused;
    const struct command update = { .kind = ARBITER__TREASURE__COMMAND__KIND_UPDATE,
                                    .arg = { 2999, 1, 0, 1, -1, 2 } };
    const char           rows[] = "GGM\nGW";
    const struct command submit = { .kind = ARBITER__TREASURE__COMMAND__KIND_SUBMIT_ROWS,
                                    .text_size = sizeof rows - 1,
                                    .text = (const uint8_t *) rows,
                                    .arg = { ABSENT, 1, 0, ABSENT, ABSENT, ABSENT } };
    send(&arbiter__treasure__command__descriptor, &update);
    send(&arbiter__treasure__command__descriptor, &submit);
}

/* objectron judges missing fields and strange words in order: both must arrive, and differ. */
static void what_is_missing_arrives_as_missing(void **unused)
{
    (void) unused;
    struct command move = { .kind = ARBITER__OBJECTRON__COMMAND__KIND_MOVE };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        move.arg[i] = ABSENT;
    send(&arbiter__objectron__command__descriptor, &move);
    move.arg[0] = ARBITER__OBJECTRON__DIRECTION__DIRECTION_UNSPECIFIED;
    send(&arbiter__objectron__command__descriptor, &move);
}

/* quests: a card or its position, and the other one left out. */
static void a_card_is_named_or_pointed_at(void **unused)
{
    (void) unused;
    const struct command named = { .kind = ARBITER__QUESTS__COMMAND__KIND_DISCARD,
                                   .arg = { ARBITER__QUESTS__CARD__CARD_F70, ABSENT, ABSENT, ABSENT,
                                            ABSENT, ABSENT } };
    const struct command pointed = { .kind = ARBITER__QUESTS__COMMAND__KIND_DISCARD,
                                     .arg = { ABSENT, 12, ABSENT, ABSENT, ABSENT, ABSENT } };
    send(&arbiter__quests__command__descriptor, &named);
    send(&arbiter__quests__command__descriptor, &pointed);
}

/* Plans can be made of all that is seen; a plan asserts what a message must keep. */
static void every_view_has_a_plan(void **unused)
{
    (void) unused;
    const ProtobufCMessageDescriptor *const views[] = { &arbiter__quests__view__descriptor,
                                                        &arbiter__objectron__view__descriptor,
                                                        &arbiter__treasure__view__descriptor };
    for (uint32_t i = 0; i < LENGTH(views); i++) {
        struct plan *plan = plan_new(views[i]);
        uint32_t     count = 0;
        word         heard[64];
        assert_true(plan_decode(plan, NULL, 0, &arena, heard, LENGTH(heard), &count));
        assert_true(count > 0);
        plan_destroy(&plan);
        assert_null(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_resolved_stage_lays_every_attack_open, prepare),
        cmocka_unit_test_setup(a_draw_is_said_in_two_forms, prepare),
        cmocka_unit_test_setup(a_disc_flies_and_power_fails, prepare),
        cmocka_unit_test_setup(an_updated_player_gets_his_whole_view, prepare),
        cmocka_unit_test_setup(commands_carry_every_number_and_rows_of_a_half, prepare),
        cmocka_unit_test_setup(what_is_missing_arrives_as_missing, prepare),
        cmocka_unit_test_setup(a_card_is_named_or_pointed_at, prepare),
        cmocka_unit_test_setup(every_view_has_a_plan, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

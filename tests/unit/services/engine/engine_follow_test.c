/* engine_follow_test.c: view and list come behind acts, unasked, to whoever wished for it when attaching. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_rig.h"

static struct rig_store *store;
static struct rig        rig;

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin_nim(&rig);
    rig.version = PROTOCOL_NEWEST;
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

/* Attaches in this version and session (0: a new one), following or not; the session. */
static uint32_t attach(uint32_t who, uint32_t seat, uint32_t session, uint8_t version, bool follows)
{
    Arbiter__Engine__Attach   ask = ARBITER__ENGINE__ATTACH__INIT;
    Arbiter__Engine__LegalAsk wish = ARBITER__ENGINE__LEGAL_ASK__INIT;
    struct header             header;
    ask.has_session = session != 0;
    ask.session = session;
    ask.follow = follows ? &wish : NULL;
    wish.has_best = wish.best = true;
    rig_header(&header, KIND(ATTACH), RIG_MATCH, seat);
    header.version = version;
    rig_hear(&rig, who, ROLE(CLIENT), &header, &ask);
    const Arbiter__Engine__Attached *attached = rig_last(&rig, who, KIND(ATTACHED));
    assert_non_null(attached);
    return attached->session;
}

static uint32_t follows(uint32_t who, uint32_t seat)
{
    return attach(who, seat, 0, PROTOCOL_NEWEST, true);
}

static const Arbiter__Engine__Followed *told(uint32_t who)
{
    return rig_last(&rig, who, KIND(FOLLOWED));
}

static void an_act_brings_view_and_list_to_all_who_follow(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0);
    (void) follows(RIG_BOB, 1);
    rig_forget(&rig);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    const Arbiter__Engine__Reply *reply = rig_last(&rig, RIG_ALICE, KIND(REPLY));
    assert_true(reply->accepted);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(FOLLOWED)), 1);
    assert_int_equal(rig_count(&rig, RIG_BOB, KIND(FOLLOWED)), 1);
    assert_int_equal(told(RIG_ALICE)->shown->number, reply->number);
    assert_true(told(RIG_ALICE)->shown->view.len > 0);
    assert_false(told(RIG_ALICE)->shown->to_act);
    assert_null(told(RIG_ALICE)->legal); /* She is not awaited. */
    assert_true(told(RIG_BOB)->shown->to_act);
    assert_int_equal(told(RIG_BOB)->legal->number, reply->number);
    assert_true(told(RIG_BOB)->legal->n_patterns > 0 && told(RIG_BOB)->legal->best.len > 0);
    assert_null(told(RIG_BOB)->shown->match); /* The set-up does not travel with every act. */
    assert_int_equal(rig_last_header(&rig, RIG_BOB, KIND(FOLLOWED))->session, 1);
    assert_int_equal(rig_last_header(&rig, RIG_BOB, KIND(FOLLOWED))->version, PROTOCOL_NEWEST);
}

/* Whoever begins to follow knows the view, and lacks the list. */
static void the_first_list_comes_with_the_wish(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(FOLLOWED)), 1);
    assert_null(told(RIG_ALICE)->shown);
    assert_true(told(RIG_ALICE)->legal->n_patterns > 0);
    rig_forget(&rig);
    (void) attach(RIG_ALICE, 0, alice, PROTOCOL_NEWEST, true);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(FOLLOWED)), 0);
}

static void nobody_else_is_told(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0);
    uint32_t bob = attach(RIG_BOB, 1, 0, PROTOCOL_NEWEST, false);
    rig_forget(&rig);
    (void) attach(RIG_ALICE, 0, alice, PROTOCOL_NEWEST, false); /* She has had enough. */
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 1, 4);
    (void) attach(RIG_ALICE, 0, alice, PROTOCOL_FIRST, true); /* Such a program cannot read it. */
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 2, 2, 1);
    assert_int_equal(rig_count(&rig, 0, KIND(FOLLOWED)), 0);
}

static void a_refused_command_brings_nothing(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0);
    rig_forget(&rig);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 9);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(REPLY)), 1);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(FOLLOWED)), 0);
}

static void acts_of_one_commit_bring_one(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0), bob = follows(RIG_BOB, 1);
    rig_forget(&rig);
    rig.holds = true;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 1, 1);
    assert_int_equal(rig_count(&rig, 0, KIND(FOLLOWED)),
                     0); /* Nothing is said before it is kept. */
    rig_settle(&rig, STORE_COMMITTED);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(FOLLOWED)), 1);
    assert_int_equal(rig_count(&rig, RIG_BOB, KIND(FOLLOWED)), 1);
    assert_int_equal(told(RIG_ALICE)->shown->number, rig_match(&rig, RIG_MATCH)->number);
    assert_true(told(RIG_ALICE)->shown->to_act);
}

static void what_was_not_kept_is_not_shown(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0);
    rig_forget(&rig);
    rig.holds = true;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    rig_settle(&rig, STORE_BUSY);
    assert_int_equal(rig_count(&rig, 0, KIND(FOLLOWED)), 0);
    rig_wait(&rig, 10); /* Nor with the next batch. */
    rig_settle(&rig, STORE_COMMITTED);
    assert_int_equal(rig_count(&rig, 0, KIND(FOLLOWED)), 0);
}

static void the_last_view_comes_too(void **unused)
{
    (void) unused;
    uint32_t alice = follows(RIG_ALICE, 0), bob = follows(RIG_BOB, 1);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 1, 4);
    rig_forget(&rig);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 2, 2, 5);
    assert_true(told(RIG_BOB)->shown->over);
    assert_true(told(RIG_BOB)->shown->view.len > 0);
    assert_null(told(RIG_BOB)->legal);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_act_brings_view_and_list_to_all_who_follow),
        TEST(the_first_list_comes_with_the_wish),
        TEST(nobody_else_is_told),
        TEST(a_refused_command_brings_nothing),
        TEST(acts_of_one_commit_bring_one),
        TEST(what_was_not_kept_is_not_shown),
        TEST(the_last_view_comes_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

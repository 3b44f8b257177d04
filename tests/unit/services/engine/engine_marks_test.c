/* engine_marks_test.c: a journal that was set back is found by what others were told, and its matches are held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_parts.h"
#include "services/engine/engine_rig.h"
#include "wire/header.h"

#define NIM "{\"heaps\": [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]}"
#define ACTS 12u
#define LOST 4u
#define MARKS_MS 1000u

static struct rig_store *store;
static struct rig        rig;
static struct rig_store *backup;
static uint64_t          told_epoch, told_number;
static uint8_t           told_chain[MATCH_HASH_SIZE];

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin(&rig);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    if (backup != NULL)
        rig_store_free(backup);
    backup = NULL;
    return 0;
}

static void waits_for_marks(struct engine_settings *settings)
{
    settings->marks_ms = MARKS_MS;
}

/* A match of so many acts, whose journal is copied LOST acts before its end. What a relay was told is noted. */
static void play_and_copy(void)
{
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    rig_play_on(&rig, 1, rig_two, 2, ACTS - LOST, 5);
    backup = rig_store_copy(store);
    rig_play_on(&rig, 1, rig_two, 2, LOST, 6);
    const struct match *match = rig_match(&rig, 1);
    told_epoch = match->epoch;
    told_number = match->number;
    memcpy(told_chain, match->chain, sizeof told_chain);
}

/* The process dies, the older copy takes the journal's place, and it begins anew. */
static void set_back(void (*change)(struct engine_settings *settings))
{
    rig_close(&rig);
    rig_store_put_back(store, backup);
    rig_open(&rig, store, change);
}

static void begin_again(void)
{
    rig_close(&rig);
    rig_open(&rig, store, NULL);
}

/* A relay asks what moved, and says where it was told that the match stands. */
static void relay_asks(uint64_t epoch, uint64_t count, uint64_t number, const uint8_t *chain)
{
    Arbiter__Stream__MovedAsk ask = ARBITER__STREAM__MOVED_ASK__INIT;
    Arbiter__Stream__Moved    mark = ARBITER__STREAM__MOVED__INIT, *marks[] = { &mark };
    struct header             about, header;
    rig_header(&about, KIND(MOVED_ASK), 1, NO_SEAT);
    header_init(&header, KIND(MOVED_ASK), NULL);
    header.slot = about.slot;
    ask.has_slot = ask.has_epoch = ask.has_count = true;
    ask.slot = about.slot;
    ask.epoch = epoch;
    ask.count = count;
    mark.has_match_id = mark.has_number = mark.has_chain = true;
    mark.match_id = (ProtobufCBinaryData){ MATCH_ID_SIZE, about.match_id };
    mark.number = number;
    mark.chain = (ProtobufCBinaryData){ MATCH_HASH_SIZE, (uint8_t *) chain };
    ask.marks = marks;
    ask.n_marks = 1;
    rig_forget(&rig);
    rig_hear(&rig, RIG_FANOUT, ROLE(FANOUT), &header, &ask);
}

static uint64_t figure_held(void)
{
    struct figures figures = { 0 };
    rig.ops->figures(rig.core, &figures);
    return figures.held;
}

static bool was_logged(const char *words)
{
    for (uint32_t i = 0; i < rig.said_count; i++)
        if (rig.said[i].effect == EFFECT_SAY && strstr(rig.said[i].text.bytes, words) != NULL)
            return true;
    return false;
}

static void lobby_says(uint16_t kind, const void *body)
{
    struct header header;
    rig_header(&header, kind, 1, NO_SEAT);
    rig_hear(&rig, RIG_LOBBY, ROLE(LOBBY), &header, body);
}

static void accept_it(void)
{
    Arbiter__Engine__AcceptMatch accept = ARBITER__ENGINE__ACCEPT_MATCH__INIT;
    lobby_says(KIND(ACCEPT_MATCH), &accept);
}

static void a_match_of_which_a_relay_was_told_more_is_held(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(NULL);
    assert_non_null(rig_match(&rig, 1));
    relay_asks(told_epoch, 0, told_number, told_chain);
    assert_null(rig_match(&rig, 1));
    assert_int_equal(figure_held(), 1);
    assert_true(was_logged("is held at act"));
    assert_true(was_logged("was told act 13"));
    assert_true(was_logged("arbiter match accept"));
    const Arbiter__Stream__MovedAnswer *answer = rig_last(&rig, RIG_FANOUT, KIND(MOVED_ANSWER));
    assert_non_null(answer);
    assert_int_equal(answer->n_matches, 0); /* The relay goes on knowing what it was told. */
    assert_int_equal(rig_attach(&rig, 1, RIG_ALICE, 0), 0);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(QUARANTINED));
}

static void a_match_that_is_as_it_was_told_goes_on(void **unused)
{
    (void) unused;
    play_and_copy();
    begin_again();
    relay_asks(told_epoch, 0, told_number, told_chain);
    relay_asks(told_epoch, 0, told_number - 2, told_chain); /* It had not heard of the last ones. */
    assert_non_null(rig_match(&rig, 1));
    assert_int_equal(figure_held(), 0);
    assert_true(rig_play_on(&rig, 1, rig_two, 2, 3, 7) > 0);
}

/* As many acts, and another history: somebody played on with an older copy. */
static void a_match_of_another_chain_is_held(void **unused)
{
    uint8_t other[MATCH_HASH_SIZE];
    (void) unused;
    play_and_copy();
    begin_again();
    memcpy(other, told_chain, sizeof other);
    other[3] ^= 1;
    relay_asks(told_epoch, 0, told_number, other);
    assert_null(rig_match(&rig, 1));
}

static void what_is_accepted_goes_on_and_is_not_held_again(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(NULL);
    relay_asks(told_epoch, 0, told_number, told_chain);
    accept_it();
    assert_int_equal(figure_held(), 0);
    assert_non_null(rig_match(&rig, 1));
    assert_true(rig_play_on(&rig, 1, rig_two, 2, 2, 7) > 0);
    begin_again();
    relay_asks(told_epoch, 0, told_number,
               told_chain); /* Somebody still remembers the lost ones. */
    assert_non_null(rig_match(&rig, 1));
    relay_asks(told_epoch, 0, told_number + 1, told_chain);
    assert_null(rig_match(&rig, 1)); /* And these were never given up. */
}

static void what_is_held_may_be_ended(void **unused)
{
    Arbiter__Engine__AbortMatch abort = ARBITER__ENGINE__ABORT_MATCH__INIT;
    (void) unused;
    play_and_copy();
    set_back(NULL);
    relay_asks(told_epoch, 0, told_number, told_chain);
    abort.reason = (char *) "Its store was set back.";
    lobby_says(KIND(ABORT_MATCH), &abort);
    assert_int_equal(figure_held(), 1); /* A lobby whose table is empty says that, too. */
    abort.has_held = abort.held = true;
    lobby_says(KIND(ABORT_MATCH), &abort);
    const Arbiter__Engine__HouseReply *reply = rig_last(&rig, RIG_LOBBY, KIND(HOUSE_REPLY));
    assert_non_null(reply);
    assert_true(reply->done);
    assert_int_equal(figure_held(), 0);
}

/* Somebody attaches Alice's seat, and says what he was told before. */
static void attaches_with(uint32_t role, uint64_t last, const uint8_t *chain)
{
    Arbiter__Engine__Attach attach = ARBITER__ENGINE__ATTACH__INIT;
    struct header           header;
    rig_header(&header, KIND(ATTACH), 1, 0);
    attach.has_last = attach.has_last_chain = true;
    attach.last = last;
    attach.last_chain = (ProtobufCBinaryData){ MATCH_HASH_SIZE, (uint8_t *) chain };
    rig_forget(&rig);
    rig_hear(&rig, RIG_ALICE, role, &header, &attach);
}

static void what_a_bot_was_told_counts_like_a_relays_word(void **unused)
{
    (void) unused;
    play_and_copy();
    attaches_with(ROLE(BOT), told_number, told_chain);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(ATTACHED)), 1);
    set_back(NULL);
    attaches_with(ROLE(BOT), told_number, told_chain);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(QUARANTINED));
    assert_null(rig_match(&rig, 1));
    assert_true(was_logged("a bot was told act 13"));
}

/* Who is about to lose may say anything. */
static void what_a_player_says_he_was_told_is_for_the_log(void **unused)
{
    (void) unused;
    play_and_copy();
    attaches_with(ROLE(CLIENT), told_number + 100, told_chain);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(ATTACHED)), 1);
    assert_non_null(rig_match(&rig, 1));
    assert_true(was_logged("may be a lie"));
    attaches_with(ROLE(CLIENT), told_number + 101, told_chain);
    assert_false(was_logged("may be a lie")); /* Once. */
}

/* Its header is gone, too: whoever asks for it is not told that there never was one. */
static void a_match_that_vanished_is_said_and_can_be_ended(void **unused)
{
    Arbiter__Engine__AbortMatch abort = ARBITER__ENGINE__ABORT_MATCH__INIT;
    (void) unused;
    backup = rig_store_copy(store);
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    rig_play_on(&rig, 1, rig_two, 2, 3, 5);
    told_epoch = rig_match(&rig, 1)->epoch;
    set_back(NULL);
    relay_asks(told_epoch, 0, 4, told_chain);
    rig_wait(&rig, 100);
    rig_wait(&rig, 100);
    assert_true(was_logged("it is not there"));
    assert_int_equal(rig_attach(&rig, 1, RIG_ALICE, 0), 0);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(QUARANTINED));
    abort.has_held = abort.held = true;
    lobby_says(KIND(ABORT_MATCH), &abort);
    const Arbiter__Engine__MatchOver *over = rig_last(&rig, RIG_LOBBY, KIND(MATCH_OVER));
    assert_non_null(over);
    assert_true(over->aborted);
}

/* Relays believe the highest epoch, and count acts within it. A journal that has had neither takes a new one. */
static void a_slot_that_was_counted_further_is_taken_anew_above_it(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(NULL);
    uint64_t epoch = rig_match(&rig, 1)->epoch;
    relay_asks(epoch, (epoch << 32) + 100, 1, NULL); /* It had this epoch before. */
    for (uint32_t i = 0; i < 20; i++)
        rig_wait(&rig, 100);
    assert_true(rig_match(&rig, 1)->epoch > epoch);
    epoch = rig_match(&rig, 1)->epoch;
    relay_asks(epoch + 5, 0, 1, NULL);
    for (uint32_t i = 0; i < 20; i++)
        rig_wait(&rig, 100);
    assert_true(rig_match(&rig, 1)->epoch > epoch + 5);
}

static void what_was_read_stands_still_until_others_could_say_what_they_know(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(waits_for_marks);
    uint64_t number = rig_match(&rig, 1)->number;
    uint32_t seat = match_to_act(rig_match(&rig, 1)) == 1 ? 0 : 1;
    uint32_t session = rig_attach(&rig, 1, rig_two[seat], seat);
    assert_true(session > 0);
    rig_take(&rig, 1, rig_two[seat], seat, session, 1, 0, 1);
    assert_int_equal(rig_refusal(&rig, rig_two[seat]), REFUSAL(AGAIN));
    assert_int_equal(rig_match(&rig, 1)->number, number);
    rig_start(&rig, 2, "nim", NIM, NULL, rig_two, 2, 2, 0); /* It may have begun, and be lost. */
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(AGAIN));
    rig_wait(&rig, MARKS_MS);
    rig_start(&rig, 2, "nim", NIM, NULL, rig_two, 2, 2, 0);
    assert_true(rig_play_on(&rig, 2, rig_two, 2, 2, 7) > 0);
    assert_true(rig_play_on(&rig, 1, rig_two, 2, 2, 7) > 0);
}

#define RELAY 9 /* Where it stands among the engine's peers. */

static void waits_for_leases_and_marks(struct engine_settings *settings)
{
    settings->takes_all_slots = false;
    settings->marks_ms = MARKS_MS;
}

/* Two engines share a database. This one gets the slots of the other when its server was replaced by a standby. */
static void is_leased_all(uint64_t epoch)
{
    Arbiter__Watchdog__Lease  lease = ARBITER__WATCHDOG__LEASE__INIT;
    Arbiter__Watchdog__Lease *list[] = { &lease };
    Arbiter__Watchdog__Leases leases = ARBITER__WATCHDOG__LEASES__INIT;
    struct header             header;
    lease.has_first = lease.has_last = lease.has_epoch = true;
    lease.last = 255;
    lease.epoch = epoch;
    lease.engine = rig.settings.peers.name;
    leases.n_leases = 1;
    leases.leases = list;
    rig.engine->peers.list[RELAY].role = ROLE(FANOUT);
    rig.engine->peers.list[RELAY].key[0] = RIG_FANOUT;
    header_init(&header, KIND(LEASES), NULL);
    rig_hear(&rig, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &leases);
    for (uint32_t i = 0; i < 4000 && engine_facts(rig.engine).slots < SLOTS; i++)
        rig_wait(&rig, 1);
    assert_int_equal(engine_facts(rig.engine).slots, SLOTS);
}

/* Somebody moves: 0, or why not. */
static uint32_t refusal_of_a_move(void)
{
    uint32_t seat = match_to_act(rig_match(&rig, 1)) == 1 ? 0 : 1;
    uint32_t session = rig_attach(&rig, 1, rig_two[seat], seat);
    assert_true(session > 0);
    rig_forget(&rig);
    rig_take(&rig, 1, rig_two[seat], seat, session, 1, 0, 1);
    return rig_count(&rig, rig_two[seat], KIND(REFUSED)) > 0 ? rig_refusal(&rig, rig_two[seat]) : 0;
}

static void what_came_with_a_lease_stands_still_until_all_relays_have_spoken(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(waits_for_leases_and_marks);
    is_leased_all(told_epoch + 2);
    uint64_t number = rig_match(&rig, 1)->number;
    assert_int_equal(refusal_of_a_move(), REFUSAL(AGAIN));
    assert_int_equal(rig_match(&rig, 1)->number, number);
    relay_asks(told_epoch + 2, 0, number, NULL); /* It knows no more than the journal. */
    assert_int_equal(refusal_of_a_move(), 0);
    assert_int_equal(rig_match(&rig, 1)->number, number + 1);
}

static void what_came_with_a_lease_waits_for_a_silent_relay_no_longer_than_a_second(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(waits_for_leases_and_marks);
    is_leased_all(told_epoch + 2);
    assert_int_equal(refusal_of_a_move(), REFUSAL(AGAIN));
    rig_wait(&rig, MARKS_MS);
    assert_int_equal(refusal_of_a_move(), 0);
}

static bool has_said_slot(uint8_t slot)
{
    for (uint32_t i = 0; i < rig.said_count; i++)
        if (rig.said[i].effect == EFFECT_PUBLISH && rig.said[i].header.kind == KIND(SLOT_COUNT) &&
            rig.said[i].header.slot == slot)
            return true;
    return false;
}

static uint8_t slot_of_first(void)
{
    struct header header;
    rig_header(&header, KIND(MOVED_ASK), 1, NO_SEAT);
    return header.slot;
}

/* The only match of its slot has vanished. A relay that hears of no new epoch would say nothing. */
static void an_empty_slot_says_its_epoch_until_relays_have_spoken(void **unused)
{
    (void) unused;
    backup = rig_store_copy(store);
    rig_start(&rig, 1, "nim", NIM, NULL, rig_two, 2, 1, 0);
    set_back(waits_for_leases_and_marks);
    is_leased_all(5);
    rig_forget(&rig);
    rig_wait(&rig, MARKS_MS - 1);
    assert_true(has_said_slot(slot_of_first()));
    rig_wait(&rig, 1);
    rig_forget(&rig);
    rig_wait(&rig, MARKS_MS);
    assert_false(has_said_slot(slot_of_first()));
}

/* The standby had not heard that the slot was taken, so it is taken under the same epoch once more. */
static void with_leases_an_epoch_that_relays_counted_further_is_not_used_again(void **unused)
{
    (void) unused;
    play_and_copy();
    set_back(waits_for_leases_and_marks);
    is_leased_all(told_epoch + 2);
    uint64_t epoch = rig_match(&rig, 1)->epoch;
    relay_asks(epoch, (epoch << 32) + 100, 1, NULL);
    rig_wait(&rig, 3000);
    assert_true(rig_match(&rig, 1)->epoch > epoch);
    epoch = rig_match(&rig, 1)->epoch;
    relay_asks(epoch + 5, 0, 1, NULL); /* That is another engine's. */
    rig_wait(&rig, 3000);
    assert_int_equal(rig_match(&rig, 1)->epoch, epoch);
}

int main(void)
{
#define STORY(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        STORY(a_match_of_which_a_relay_was_told_more_is_held),
        STORY(a_match_that_is_as_it_was_told_goes_on),
        STORY(a_match_of_another_chain_is_held),
        STORY(what_is_accepted_goes_on_and_is_not_held_again),
        STORY(what_is_held_may_be_ended),
        STORY(what_a_bot_was_told_counts_like_a_relays_word),
        STORY(what_a_player_says_he_was_told_is_for_the_log),
        STORY(a_match_that_vanished_is_said_and_can_be_ended),
        STORY(a_slot_that_was_counted_further_is_taken_anew_above_it),
        STORY(what_was_read_stands_still_until_others_could_say_what_they_know),
        STORY(what_came_with_a_lease_stands_still_until_all_relays_have_spoken),
        STORY(what_came_with_a_lease_waits_for_a_silent_relay_no_longer_than_a_second),
        STORY(an_empty_slot_says_its_epoch_until_relays_have_spoken),
        STORY(with_leases_an_epoch_that_relays_counted_further_is_not_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

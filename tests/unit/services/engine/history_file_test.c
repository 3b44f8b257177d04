/* history_file_test.c: a finished match comes out of the history door as its file, piece by piece.
 * A running one does not, and a private one only for those who may know it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "match/file.h"
#include "match/verify.h"
#include "services/engine/engine_rig.h"

#define NIM "{\"heaps\": [3, 4, 5]}"
#define MATCH 7
#define FILE_MAX ((size_t) 1 << 20)

static const uint32_t two[] = { RIG_ALICE, RIG_BOB };

static struct rig_store       *store;
static struct rig              engine;
static struct rig              door;
static struct history_settings settings;
static uint8_t                 file[FILE_MAX];
static size_t                  file_size;
static uint32_t                pieces;

static int open_door(void **unused)
{
    (void) unused;
    settings = (struct history_settings){ .crypto = &crypto_sodium };
    store = rig_store_new();
    rig_open(&engine, store, NULL);
    rig_open_history(&door, store, &settings);
    return 0;
}

static int close_door(void **unused)
{
    (void) unused;
    rig_close(&engine);
    rig_close(&door);
    rig_store_free(store);
    engine.code = NULL;
    return 0;
}

static void reopen(uint32_t answer_bytes)
{
    rig_close(&door);
    settings.answer_bytes = answer_bytes;
    rig_open_history(&door, store, &settings);
}

/* Three takes, and the match is over. */
static void play(bool to_the_end)
{
    rig_start(&engine, MATCH, "nim", NIM, "{}", two, 2, 1, 0);
    uint32_t alice = rig_attach(&engine, MATCH, RIG_ALICE, 0);
    uint32_t bob = rig_attach(&engine, MATCH, RIG_BOB, 1);
    rig_take(&engine, MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    rig_take(&engine, MATCH, RIG_BOB, 1, bob, 1, 1, 4);
    if (to_the_end)
        rig_take(&engine, MATCH, RIG_ALICE, 0, alice, 2, 2, 5);
    assert_int_equal(rig_rows(store, JOURNAL_RESULTS), to_the_end ? 1 : 0);
}

static void ask(uint32_t who, uint64_t from, uint64_t skip, const char *code)
{
    Arbiter__Stream__FileAsk question = ARBITER__STREAM__FILE_ASK__INIT;
    struct header            header;
    question.has_from = question.has_skip = true;
    question.from = from;
    question.skip = skip;
    question.has_code = code != NULL;
    question.code =
        (ProtobufCBinaryData){ code != NULL ? strlen(code) : 0, (uint8_t *) (uintptr_t) code };
    rig_header(&header, KIND(FILE_ASK), MATCH, NO_SEAT);
    rig_forget(&door);
    rig_hear(&door, who, ROLE(CLIENT), &header, &question);
}

static const Arbiter__Stream__FileAnswer *answer(uint32_t who)
{
    return rig_last(&door, who, KIND(FILE_ANSWER));
}

/* The whole file, each piece from where the last one said. */
static void fetch(uint32_t most)
{
    uint64_t from = 0, skip = 0;
    bool     has_more = true;
    for (file_size = pieces = 0; has_more; pieces++) {
        ask(RIG_ALICE, from, skip, NULL);
        const Arbiter__Stream__FileAnswer *said = answer(RIG_ALICE);
        assert_true(said->bytes.len > 0 && said->bytes.len <= most);
        assert_true(file_size + said->bytes.len <= FILE_MAX);
        memcpy(file + file_size, said->bytes.data, said->bytes.len);
        file_size += said->bytes.len;
        from = said->from;
        skip = said->skip;
        has_more = said->more;
    }
}

static void assert_verifies(uint64_t acts)
{
    struct verify_report report;
    verify(&report, file, file_size);
    if (!report.holds)
        fail_msg("%s", report.fault.bytes);
    assert_true(report.replayed && report.finished);
    assert_int_equal(report.acts, acts);
    assert_memory_equal(report.chain, rig_match(&engine, MATCH)->chain, MATCH_HASH_SIZE);
}

static void a_finished_match_is_a_file_that_verifies(void **unused)
{
    (void) unused;
    play(true);
    fetch(48u << 10);
    assert_int_equal(pieces, 1);
    assert_verifies(4);
}

static void however_small_its_pieces_are_they_are_the_same_bytes(void **unused)
{
    (void) unused;
    static uint8_t whole[FILE_MAX];
    play(true);
    fetch(48u << 10);
    size_t size = file_size;
    memcpy(whole, file, size);
    for (uint32_t most = 7; most < 600; most = 2 * most + 5) {
        reopen(most);
        fetch(most);
        assert_int_equal(file_size, size);
        assert_memory_equal(file, whole, size);
        assert_true(pieces >= size / most);
    }
}

/* 300 counters taken one at a time make more acts than one read brings, twice over. */
static void more_acts_than_one_read_brings_come_all_the_same(void **unused)
{
    (void) unused;
    rig_start(&engine, MATCH, "nim", "{\"heaps\": [900]}", NULL, two, 2, 1, 0);
    uint32_t session[] = { rig_attach(&engine, MATCH, RIG_ALICE, 0),
                           rig_attach(&engine, MATCH, RIG_BOB, 1) };
    for (uint32_t i = 0; i < 900; i++)
        rig_take(&engine, MATCH, two[i % 2], i % 2, session[i % 2], i / 2 + 1, 0, 1);
    fetch(48u << 10);
    assert_true(pieces >= 3);
    assert_verifies(901);
}

/* The time to contribute runs out for all. */
static void nobody_says_anything(void)
{
    const Arbiter__Watchdog__Waits *waits = rig_last(&engine, RIG_WATCHDOG, KIND(WAITS));
    Arbiter__Watchdog__Expire       late = ARBITER__WATCHDOG__EXPIRE__INIT;
    struct header                   header;
    uint8_t                         id[MATCH_ID_SIZE];
    rig_header(&header, KIND(EXPIRE), MATCH, NO_SEAT);
    memcpy(id, header.match_id, sizeof id);
    late.has_match_id = late.has_wait = true;
    late.match_id = (ProtobufCBinaryData){ sizeof id, id };
    late.wait = waits->waits[0]->wait;
    late.seats = waits->waits[0]->seats;
    late.n_seats = waits->waits[0]->n_seats;
    assert_int_equal(late.n_seats, 2);
    rig_hear(&engine, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &late);
}

/* Both players say nothing when dice are made, so the file has a contribution of each, and secrets of both kinds. */
static void what_was_given_to_the_dice_is_in_it(void **unused)
{
    (void) unused;
    rig_start(&engine, MATCH, "nim", NIM, NULL, two, 2, 0, 0);
    nobody_says_anything();
    assert_int_equal(rig_play_on(&engine, MATCH, two, 2, 100, 3) > 0, true);
    assert_int_equal(rig_rows(store, JOURNAL_RESULTS), 1);
    fetch(48u << 10);
    assert_verifies(rig_match(&engine, MATCH)->number);
    uint8_t           memory[4096];
    struct arena      arena;
    struct match_file read;
    uint32_t          kinds[8] = { 0 };
    arena_init(&arena, memory, sizeof memory);
    for (match_file_open(&read, file, file_size, &arena);
         match_file_next(&read) == MATCH_FILE_RECORD;)
        kinds[read.record->kind_case]++;
    assert_int_equal(kinds[ARBITER__MATCH__RECORD__KIND_CONTRIBUTION], 2);
    assert_int_equal(kinds[ARBITER__MATCH__RECORD__KIND_SEAT], 2);
    assert_int_equal(kinds[ARBITER__MATCH__RECORD__KIND_END], 1);
}

static void a_running_match_has_no_file(void **unused)
{
    (void) unused;
    play(false);
    ask(RIG_ALICE, 0, 0, NULL);
    assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(NOT_OVER));
    assert_int_equal(rig_count(&door, 0, KIND(FILE_ANSWER)), 0);
}

static void a_match_that_never_was_has_none(void **unused)
{
    (void) unused;
    ask(RIG_ALICE, 0, 0, NULL);
    assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(NO_SUCH_MATCH));
}

static void a_private_one_is_for_who_sat_there_or_knows_its_code(void **unused)
{
    (void) unused;
    engine.code = "sesame";
    play(true);
    ask(RIG_CAROL, 0, 0, NULL);
    assert_int_equal(rig_refusal(&door, RIG_CAROL), REFUSAL(NOT_YOURS));
    ask(RIG_CAROL, 0, 0, "sesam");
    assert_int_equal(rig_refusal(&door, RIG_CAROL), REFUSAL(NOT_YOURS));
    ask(RIG_CAROL, 3, 0, "sesame!");
    assert_int_equal(rig_refusal(&door, RIG_CAROL), REFUSAL(NOT_YOURS));
    ask(RIG_CAROL, 0, 0, "sesame");
    assert_true(answer(RIG_CAROL)->bytes.len > 0);
    ask(RIG_BOB, 0, 0, NULL);
    assert_true(answer(RIG_BOB)->bytes.len > 0);
}

/* Whether it goes on is nobody's business either. */
static void a_private_one_that_goes_on_tells_strangers_nothing(void **unused)
{
    (void) unused;
    engine.code = "sesame";
    play(false);
    ask(RIG_CAROL, 0, 0, NULL);
    assert_int_equal(rig_refusal(&door, RIG_CAROL), REFUSAL(NOT_YOURS));
    ask(RIG_BOB, 0, 0, NULL);
    assert_int_equal(rig_refusal(&door, RIG_BOB), REFUSAL(NOT_OVER));
}

static void places_that_no_file_has_are_refused(void **unused)
{
    (void) unused;
    play(true);
    ask(RIG_ALICE, UINT64_MAX, 0, NULL);
    assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(MALFORMED));
    ask(RIG_ALICE, 1, UINT64_MAX, NULL);
    assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(MALFORMED));
    ask(RIG_ALICE, 1, 100000, NULL);
    assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(MALFORMED));
    ask(RIG_ALICE, 99, 0, NULL);
    assert_int_equal(answer(RIG_ALICE)->bytes.len, 0);
    assert_false(answer(RIG_ALICE)->more);
}

static void who_asks_while_all_places_are_taken_comes_again(void **unused)
{
    (void) unused;
    play(true);
    rig_close(&door);
    settings.files_max = 2;
    rig_open_history(&door, store, &settings);
    Arbiter__Stream__FileAsk question = ARBITER__STREAM__FILE_ASK__INIT;
    struct header            header;
    rig_header(&header, KIND(FILE_ASK), MATCH, NO_SEAT);
    door.holds = true;
    rig_hear(&door, RIG_ALICE, ROLE(CLIENT), &header, &question);
    rig_hear(&door, RIG_BOB, ROLE(GATEWAY), &header, &question);
    rig_hear(&door, RIG_CAROL, ROLE(CLIENT), &header, &question);
    door.holds = false;
    rig_settle(&door, STORE_COMMITTED);
    assert_true(answer(RIG_ALICE)->bytes.len > 0 && answer(RIG_BOB)->bytes.len > 0);
    assert_int_equal(rig_refusal(&door, RIG_CAROL), REFUSAL(TOO_MUCH));
}

static void a_store_that_cannot_read_is_asked_again(void **unused)
{
    (void) unused;
    play(true);
    for (uint32_t table = JOURNAL_SETUPS; table <= JOURNAL_ACTS; table++) {
        store->fails = 1;
        store->failing = table;
        ask(RIG_ALICE, 0, 0, NULL);
        assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(AGAIN));
    }
    fetch(48u << 10);
    assert_verifies(4);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, open_door, close_door)
    const struct CMUnitTest tests[] = {
        SENTENCE(a_finished_match_is_a_file_that_verifies),
        SENTENCE(however_small_its_pieces_are_they_are_the_same_bytes),
        SENTENCE(more_acts_than_one_read_brings_come_all_the_same),
        SENTENCE(what_was_given_to_the_dice_is_in_it),
        SENTENCE(a_running_match_has_no_file),
        SENTENCE(a_match_that_never_was_has_none),
        SENTENCE(a_private_one_is_for_who_sat_there_or_knows_its_code),
        SENTENCE(a_private_one_that_goes_on_tells_strangers_nothing),
        SENTENCE(places_that_no_file_has_are_refused),
        SENTENCE(who_asks_while_all_places_are_taken_comes_again),
        SENTENCE(a_store_that_cannot_read_is_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

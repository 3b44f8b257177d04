/* verify_test.c: a recorded match file holds, and no way of tampering with it goes unnoticed.
 *
 * The two files are matches of nim that `arbiter simulate --trace` wrote: one with an open seed, one
 * with hosted dice. A clumsy forger changes bytes; a better one mends the checks of the records.
 * The best one mends the whole chain as well, which nothing but the rules can find. */
#include "match/verify.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "forger.h"
#include "json/config_file.h"

#define FOLDER ARBITER_SOURCE "/tests/unit/common/match/"

static uint8_t *file_bytes;
static size_t   file_size;

static void load(const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    free(file_bytes);
    file_bytes = malloc(1 << 16);
    assert_non_null(file_bytes);
    file_size = fread(file_bytes, 1, 1 << 16, stream);
    fclose(stream);
    assert_true(file_size > 0 && file_size < 1 << 16);
}

static int load_open(void **unused)
{
    (void) unused;
    load(FOLDER "nim-open.match");
    return 0;
}

static int load_hosted(void **unused)
{
    (void) unused;
    load(FOLDER "nim-hosted.match");
    return 0;
}

static int unload(void **unused)
{
    (void) unused;
    free(file_bytes);
    file_bytes = NULL;
    return 0;
}

/* The records of the file, to be changed and written again. */
static struct forger forger;

static void take_apart(void)
{
    forger_take(&forger, file_bytes, file_size);
}

static Arbiter__Match__Header *header(void)
{
    return forger_header(&forger);
}

static Arbiter__Match__Act *act(uint32_t nth)
{
    return forger_act(&forger, nth);
}

static Arbiter__Match__End *end(void)
{
    return forger_end(&forger);
}

static void mend_chain(void)
{
    forger_mend(&forger);
}

/* Writes the records again, each with a right check, and verifies the result. */
static void put_together(struct verify_report *report)
{
    size_t   size = 0;
    uint8_t *bytes = forger_write(&forger, &size);
    verify(report, bytes, size);
    free(bytes);
}

static void assert_found(const char *why)
{
    struct verify_report report;
    put_together(&report);
    assert_false(report.holds);
    if (strstr(report.fault.bytes, why) == NULL)
        fail_msg("expected \"%s\", came \"%s\"", why, report.fault.bytes);
}

static void a_recorded_match_holds(void **unused)
{
    struct verify_report report;
    (void) unused;
    verify(&report, file_bytes, file_size);
    assert_string_equal(report.fault.bytes, "");
    assert_true(report.holds && report.replayed && report.finished);
    assert_string_equal(report.game, "nim");
    take_apart();
    put_together(&report); /* The forger's tools change nothing by themselves. */
    assert_true(report.holds);
}

static void a_change_of_any_byte_is_found(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < file_size; i++) {
        for (uint32_t bit = 0; bit < 8; bit++) {
            struct verify_report report;
            file_bytes[i] ^= (uint8_t) (1u << bit);
            verify(&report, file_bytes, file_size);
            file_bytes[i] ^= (uint8_t) (1u << bit);
            if (report.holds || report.fault.size == 0)
                fail_msg("bit %u of byte %zu was changed, and nobody noticed", bit, i);
        }
    }
}

/* Renews the check of the record that begins at `at`; returns its length. */
static size_t mend_check(size_t at)
{
    uint8_t *frame = file_bytes + at;
    uint8_t  digest[crypto_hash_sha256_BYTES];
    size_t   length = (size_t) frame[0] << 24 | (size_t) frame[1] << 16 | (size_t) frame[2] << 8 |
                    (size_t) frame[3];
    crypto_hash_sha256_state hash;
    crypto_hash_sha256_init(&hash);
    crypto_hash_sha256_update(&hash, frame, 4);
    crypto_hash_sha256_update(&hash, frame + MATCH_RECORD_FRAME, length);
    crypto_hash_sha256_final(&hash, digest);
    memcpy(frame + 4, digest, 8);
    return length;
}

/* The holder of a seat is in no hash, and so can be forgotten: the name, and whether it is a
 * program. And an epoch shows only in boxes, which nim has none of; so that of the last act may be
 * any higher one. */
static bool may_change(const uint8_t *record, size_t length, uint64_t acts)
{
    Arbiter__Match__Record *decoded = arbiter__match__record__unpack(NULL, length, record);
    assert_non_null(decoded);
    const Arbiter__Match__Seat *seat = decoded->seat;
    const Arbiter__Match__Act  *last = decoded->act;
    bool                        may = decoded->kind_case == ARBITER__MATCH__RECORD__KIND_SEAT
                                          ? seat->generation == 1 && seat->since == 1
                                          : decoded->kind_case == ARBITER__MATCH__RECORD__KIND_ACT && last->epoch > 1 &&
                         last->number == acts;
    arbiter__match__record__free_unpacked(decoded, NULL);
    return may;
}

static void a_change_under_a_mended_check_is_found(void **unused)
{
    size_t length = 0;
    (void) unused;
    for (size_t at = MATCH_FILE_MAGIC_SIZE; at < file_size; at += MATCH_RECORD_FRAME + length) {
        uint8_t *record = file_bytes + at + MATCH_RECORD_FRAME;
        length = mend_check(at);
        for (size_t i = 0; i < 8 * length; i++) {
            struct verify_report report;
            record[i / 8] ^= (uint8_t) (1u << i % 8);
            mend_check(at);
            verify(&report, file_bytes, file_size);
            if (report.holds && !may_change(record, length, report.acts))
                fail_msg("bit %zu of the record at %zu was changed, and nobody noticed", i, at);
            record[i / 8] ^= (uint8_t) (1u << i % 8);
        }
        mend_check(at);
    }
}

static void a_file_cut_anywhere_is_found(void **unused)
{
    (void) unused;
    for (size_t size = 0; size < file_size; size++) {
        struct verify_report report;
        uint8_t             *cut = malloc(size > 0 ? size : 1); /* So that ASan sees its end. */
        assert_non_null(cut);
        memcpy(cut, file_bytes, size);
        verify(&report, cut, size);
        free(cut);
        if (report.holds)
            fail_msg("cut after %zu bytes, and nobody noticed", size);
    }
}

static void bytes_behind_the_end_are_found(void **unused)
{
    struct verify_report report;
    (void) unused;
    uint8_t *longer = calloc(1, file_size + 20);
    assert_non_null(longer);
    memcpy(longer, file_bytes, file_size);
    verify(&report, longer, file_size + 1);
    assert_false(report.holds);
    memcpy(longer + file_size, file_bytes + MATCH_FILE_MAGIC_SIZE, 20);
    verify(&report, longer, file_size + 20);
    assert_false(report.holds);
    free(longer);
}

static void a_fault_names_the_act_and_the_byte(void **unused)
{
    struct verify_report report;
    (void) unused;
    file_bytes[file_size - 1] ^= 1; /* In the end record, after the last act. */
    verify(&report, file_bytes, file_size);
    file_bytes[file_size - 1] ^= 1;
    assert_non_null(strstr(report.fault.bytes, "after act "));
    assert_non_null(strstr(report.fault.bytes, ", byte "));
}

static void swapped_acts_are_found(void **unused)
{
    (void) unused;
    take_apart();
    Arbiter__Match__Act *one = act(1), *other = act(2);
    forger_find(&forger, ARBITER__MATCH__RECORD__KIND_ACT, 1)->act = other;
    forger_find(&forger, ARBITER__MATCH__RECORD__KIND_ACT, 2)->act = one;
    assert_found("not its number");
}

static void swapped_acts_with_new_numbers_are_found(void **unused)
{
    (void) unused;
    for (uint32_t mended = 0; mended < 2; mended++) {
        take_apart();
        Arbiter__Match__Act one = *act(1), other = *act(2);
        *act(1) = other;
        *act(2) = one;
        act(1)->number = one.number;
        act(2)->number = other.number;
        if (mended)
            mend_chain();
        assert_found(mended ? "the rules refuse this command" : "the chain does not hold");
    }
}

static void another_seed_is_found(void **unused)
{
    (void) unused;
    for (uint32_t mended = 0; mended < 2; mended++) {
        take_apart();
        header()->seed++;
        if (mended)
            mend_chain();
        assert_found(mended ? "" : "the chain does not hold");
    }
}

static void another_secret_of_the_house_is_found(void **unused)
{
    (void) unused;
    take_apart();
    end()->dice_secret.data[0] ^= 1;
    assert_found("not the one it was committed to");
    take_apart();
    end()->dice_secret.data[0] ^= 1; /* And a commitment that fits it: other dice. */
    crypto_hash_sha256(header()->commitment.data, end()->dice_secret.data, 32);
    mend_chain();
    assert_found("");
}

static void what_belongs_to_hosted_dice_is_no_part_of_open_ones(void **unused)
{
    (void) unused;
    take_apart();
    end()->has_dice_secret = true;
    end()->dice_secret = forger_copy(file_bytes, 32);
    assert_found("hosted dice have a secret, and open ones none");
    take_apart();
    Arbiter__Match__Record *record = forger_add(&forger, ARBITER__MATCH__RECORD__KIND_CONTRIBUTION,
                                                &arbiter__match__contribution__descriptor);
    record->contribution->has_seat = true;
    memmove(&forger.record[2], &forger.record[1], (forger.count - 2) * sizeof forger.record[0]);
    forger.record[1] = record;
    assert_found("this contribution has no place here");
}

static void another_sealing_secret_is_found(void **unused)
{
    (void) unused;
    take_apart();
    end()->sealing_secret.data[7] ^= 1; /* Commands, empty ones too, are hashed under it. */
    assert_found("act 1, byte ");
}

static void another_outcome_is_found(void **unused)
{
    (void) unused;
    take_apart();
    end()->outcome[0] = -end()->outcome[0];
    assert_found("the outcome is another");
}

static void an_end_by_the_house_that_was_none_is_found(void **unused)
{
    (void) unused;
    take_apart();
    end()->reason = ARBITER__MATCH__END__REASON__REASON_ABORTED;
    end()->n_outcome = 0;
    assert_found("the match is finished");
}

static void another_final_state_is_found(void **unused)
{
    (void) unused;
    take_apart();
    end()->digest.data[5] ^= 4;
    assert_found("the final state is another");
}

/* It would be read, and become many times as much, before anything was known of it. */
static void a_set_up_longer_than_any_table_takes_is_refused(void **unused)
{
    (void) unused;
    for (uint32_t which = 0; which < 2; which++) {
        take_apart();
        char **text = which == 0 ? &header()->setup : &header()->options;
        size_t size = *text != NULL ? strlen(*text) : 0;
        char  *longer = malloc(CONFIG_TEXT_MAX + 2);
        assert_non_null(longer);
        memset(longer, ' ', CONFIG_TEXT_MAX + 1);
        longer[CONFIG_TEXT_MAX + 1] = '\0';
        if (size > 0)
            memcpy(longer, *text, size);
        else
            memcpy(longer, "{}", 2);
        free(*text);
        *text = longer;
        mend_chain();
        assert_found("the set-up in the header is too long");
    }
}

static void another_name_of_the_game_is_found(void **unused)
{
    (void) unused;
    take_apart();
    header()->game[0] = 'N';
    assert_found("the chain does not hold");
}

static void another_body_is_found_by_the_rules(void **unused)
{
    (void) unused;
    take_apart();
    /* The last field of the last event of act 1 is the seat on turn; whose turn it is, is changed. */
    act(0)->body.data[act(0)->body.len - 1] ^= 1;
    mend_chain();
    assert_found("its public events are not what the rules say");
}

static void another_command_is_found_by_the_rules(void **unused)
{
    (void) unused;
    take_apart();
    act(1)->command.data[act(1)->command.len - 1] ^= 1;
    mend_chain();
    assert_found("act 2");
}

static void a_forged_number_of_a_seat_is_found(void **unused)
{
    (void) unused;
    const uint32_t actors[] = { 2, 15, 16, 31, 255, 256, 257, 258, 259, 260, UINT32_MAX };
    for (uint32_t i = 0; i < sizeof actors / sizeof actors[0]; i++) {
        take_apart();
        act(1)->actor = actors[i];
        mend_chain();
        assert_found("act 2");
    }
}

static void rules_this_build_lacks_leave_the_chain_checked(void **unused)
{
    struct verify_report report;
    (void) unused;
    take_apart();
    header()->rules_version = 99;
    mend_chain();
    put_together(&report);
    assert_true(report.holds);
    assert_false(report.replayed);
    assert_int_equal(report.rules_version, 99);
    take_apart();
    header()->rules_version = 99;
    mend_chain();
    act(1)->body.data[3] ^= 1;
    assert_found("the chain does not hold");
}

static void a_forgotten_name_leaves_the_match_verified(void **unused)
{
    struct verify_report report;
    (void) unused;
    take_apart();
    Arbiter__Match__Seat *seat = forger_seat(&forger, 0);
    free(seat->name);
    seat->name = NULL;
    put_together(&report);
    assert_true(report.holds);
}

#define OPEN(test) cmocka_unit_test_setup_teardown(test, load_open, unload)
#define HOSTED(test) cmocka_unit_test_setup_teardown(test, load_hosted, unload)

/* Whether a file is read on behind its first bytes: as long as it could be a match, and no further. What is
 * there by then has the same fault as the whole of it. */
static void what_cannot_become_a_match_is_not_read_on(void **unused)
{
    (void) unused;
    size_t at = 0;
    for (size_t size = 0; size <= file_size; size++)
        assert_true(match_file_goes_on(file_bytes, size, &at));
    assert_int_equal(at, file_size);
    for (size_t size = 0; size <= file_size; size++)
        assert_true((at = 0, match_file_goes_on(file_bytes, size, &at)));
    for (size_t damaged = 0; damaged < file_size; damaged++) {
        struct verify_report part, whole;
        size_t               size = 0;
        file_bytes[damaged] ^= 0xff;
        for (at = 0; size < file_size && match_file_goes_on(file_bytes, size, &at);)
            size++;
        verify(&whole, file_bytes, file_size);
        if (size < file_size) {
            verify(&part, file_bytes, size);
            assert_true(size > damaged);
            assert_false(part.holds);
            assert_int_equal(part.is_match, whole.is_match);
            assert_string_equal(part.fault.bytes, whole.fault.bytes);
        }
        if (damaged < MATCH_FILE_MAGIC_SIZE)
            assert_int_equal(size, MATCH_FILE_MAGIC_SIZE);
        else if (damaged < MATCH_FILE_MAGIC_SIZE + 2) /* It makes the first record far too long. */
            assert_int_equal(size, MATCH_FILE_MAGIC_SIZE + MATCH_RECORD_FRAME);
        file_bytes[damaged] ^= 0xff;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN(a_recorded_match_holds),
        HOSTED(a_recorded_match_holds),
        OPEN(a_change_of_any_byte_is_found),
        HOSTED(a_change_of_any_byte_is_found),
        OPEN(a_change_under_a_mended_check_is_found),
        HOSTED(a_change_under_a_mended_check_is_found),
        OPEN(a_file_cut_anywhere_is_found),
        OPEN(bytes_behind_the_end_are_found),
        OPEN(a_fault_names_the_act_and_the_byte),
        OPEN(swapped_acts_are_found),
        OPEN(swapped_acts_with_new_numbers_are_found),
        OPEN(another_seed_is_found),
        HOSTED(another_secret_of_the_house_is_found),
        OPEN(what_belongs_to_hosted_dice_is_no_part_of_open_ones),
        OPEN(another_sealing_secret_is_found),
        OPEN(another_outcome_is_found),
        OPEN(an_end_by_the_house_that_was_none_is_found),
        OPEN(another_final_state_is_found),
        OPEN(a_set_up_longer_than_any_table_takes_is_refused),
        OPEN(another_name_of_the_game_is_found),
        OPEN(another_body_is_found_by_the_rules),
        OPEN(another_command_is_found_by_the_rules),
        OPEN(a_forged_number_of_a_seat_is_found),
        OPEN(rules_this_build_lacks_leave_the_chain_checked),
        OPEN(a_forgotten_name_leaves_the_match_verified),
        OPEN(what_cannot_become_a_match_is_not_read_on),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

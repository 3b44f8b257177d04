/* file_test.c: every record is spelled in one way, and its numbers are such as an engine gives.
 *
 * The match is one as an engine keeps it, with all that stands beside the game. Each row below changes one
 * thing, mends every check and the whole chain, and says what must be found. */
#include "match/verify.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "forger.h"

static struct forger forger;

static void verify_forged(struct verify_report *report)
{
    forger_verify(&forger, report);
}

#define EACH_FOUND(rows) forger_each_found(&forger, rows, sizeof rows / sizeof rows[0])

static void the_match_itself_holds(void **unused)
{
    struct verify_report report;
    (void) unused;
    forger_play(&forger);
    verify_forged(&report);
    assert_string_equal(report.fault.bytes, "");
    assert_true(report.holds && report.replayed && report.finished);
    forger_play(&forger);
    forger_header(&forger)->rules_version = 99; /* What stands beside the game needs no rules. */
    verify_forged(&report);
    assert_string_equal(report.fault.bytes, "");
    assert_true(report.holds && !report.replayed);
}

/* For whoever needs such a match and cannot play it: the same, byte for byte, as a file. */
static void assert_is_file(const char *path, uint32_t protocol)
{
    static uint8_t file[4096];
    size_t         size = 0;
    FILE          *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t file_size = fread(file, 1, sizeof file, stream);
    fclose(stream);
    forger_play_as(&forger, protocol);
    forger_mend(&forger);
    uint8_t *bytes = forger_write(&forger, &size);
    assert_int_equal(size, file_size);
    assert_memory_equal(bytes, file, size);
    free(bytes);
}

static void the_match_itself_is_a_file_too(void **unused)
{
    (void) unused;
    assert_is_file(ARBITER_SOURCE "/tests/unit/common/match/nim-house.match", 1);
    assert_is_file(ARBITER_SOURCE "/tests/unit/common/match/nim-house-2.match", 2);
}

/* How a record is spelled. */

/* Adds bytes inside the message that the record is: tag, length of one or two bytes, message. */
static size_t add_inside(uint8_t *bytes, size_t size, const uint8_t *more, size_t count)
{
    size_t at = bytes[1] < 128 ? 2 : 3;
    size_t length = size - at + count;
    assert_true(length >= 128 ? at == 3 && length < 16384 : at == 2);
    if (at == 3) {
        bytes[1] = (uint8_t) (length | 128);
        bytes[2] = (uint8_t) (length >> 7);
    } else {
        bytes[1] = (uint8_t) length;
    }
    memcpy(bytes + size, more, count);
    return size + count;
}

static size_t with_unknown_field(uint8_t *bytes, size_t size)
{
    return add_inside(bytes, size, (const uint8_t[]){ 0xf8, 0x06, 1 }, 3); /* Field 111: 1. */
}

static size_t with_unknown_record(uint8_t *bytes, size_t size)
{
    memcpy(bytes + size, (const uint8_t[]){ 0xf8, 0x06, 1 }, 3);
    return size + 3;
}

/* An end that says first that the house ended the match: what is merged later counts. */
static size_t merged_with_itself(uint8_t *bytes, size_t size)
{
    static const uint8_t aborted[] = { 5 << 3 | 2, 2, 1 << 3, 2 };
    memmove(bytes + sizeof aborted, bytes, size);
    memcpy(bytes, aborted, sizeof aborted);
    return size + sizeof aborted;
}

/* Of a oneof the last one counts; a header before the end is read by nobody. */
static size_t with_another_kind_before(uint8_t *bytes, size_t size)
{
    static const uint8_t header[] = { 1 << 3 | 2, 2, 7 << 3, 2 };
    memmove(bytes + sizeof header, bytes, size);
    memcpy(bytes, header, sizeof header);
    return size + sizeof header;
}

static size_t with_a_second_protocol(uint8_t *bytes, size_t size)
{
    return add_inside(bytes, size, (const uint8_t[]){ 2 << 3, 1 }, 2);
}

/* The last field of a seat is `since`, 1: written in two bytes. */
static size_t with_a_long_number(uint8_t *bytes, size_t size)
{
    bytes[size - 1] = 0x81;
    return add_inside(bytes, size, (const uint8_t[]){ 0 }, 1);
}

/* Behind a NUL a text goes on for whoever looks at the bytes, and nobody else. */
static size_t with_a_nul_in_its_name(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i++)
        if (memcmp(bytes + i, "Somebody", 8) == 0)
            bytes[i + 4] = 0;
    return size;
}

static size_t with_a_name_that_is_no_text(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i++)
        if (memcmp(bytes + i, "Somebody", 8) == 0)
            bytes[i + 4] = 0xff;
    return size;
}

static size_t with_a_bool_of_two(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++)
        if (bytes[i] == 3 << 3 &&
            bytes[i + 1] <= 1) { /* Seat.bot, behind a name without such bytes. */
            bytes[i + 1] = 2;
            break;
        }
    return size;
}

static void a_record_is_spelled_in_one_way(void **unused)
{
    static const struct {
        const char                      *what;
        Arbiter__Match__Record__KindCase kind;
        size_t (*spelling)(uint8_t *bytes, size_t size);
    } rows[] = {
        { "an unknown field in the header", ARBITER__MATCH__RECORD__KIND_HEADER,
          with_unknown_field },
        { "one in a contribution", ARBITER__MATCH__RECORD__KIND_CONTRIBUTION, with_unknown_field },
        { "one in a seat", ARBITER__MATCH__RECORD__KIND_SEAT, with_unknown_field },
        { "one in an act", ARBITER__MATCH__RECORD__KIND_ACT, with_unknown_field },
        { "one in the end", ARBITER__MATCH__RECORD__KIND_END, with_unknown_field },
        { "one beside the header", ARBITER__MATCH__RECORD__KIND_HEADER, with_unknown_record },
        { "an end merged with itself", ARBITER__MATCH__RECORD__KIND_END, merged_with_itself },
        { "a header and an end in one", ARBITER__MATCH__RECORD__KIND_END,
          with_another_kind_before },
        { "a field given twice", ARBITER__MATCH__RECORD__KIND_HEADER, with_a_second_protocol },
        { "a number longer than need be", ARBITER__MATCH__RECORD__KIND_SEAT, with_a_long_number },
        { "a text behind a NUL", ARBITER__MATCH__RECORD__KIND_SEAT, with_a_nul_in_its_name },
        { "a text that is no UTF-8", ARBITER__MATCH__RECORD__KIND_SEAT,
          with_a_name_that_is_no_text },
        { "a bool of two", ARBITER__MATCH__RECORD__KIND_SEAT, with_a_bool_of_two },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct verify_report report;
        forger_play(&forger);
        forger.spelled = forger_place(&forger, forger_find(&forger, rows[i].kind, 0)->header);
        forger.spelling = rows[i].spelling;
        verify_forged(&report);
        if (report.holds || strstr(report.fault.bytes, "than is read of it") == NULL)
            fail_msg("%s: came \"%s\"", rows[i].what, report.fault.bytes);
    }
}

/* Header and end. */

static void leave_options_empty(void)
{
    forger_header(&forger)->options = strdup("");
}

static void give_no_reason(void)
{
    forger_end(&forger)->reason = ARBITER__MATCH__END__REASON__REASON_UNSPECIFIED;
}

static void name_one_outcome_less(void)
{
    forger_end(&forger)->n_outcome--;
}

static void name_one_outcome_more(void)
{
    forger_end(&forger)->n_outcome++; /* The list has room for all seats there can be. */
}

static void say_the_house_ended_it(void)
{
    forger_end(&forger)->reason = ARBITER__MATCH__END__REASON__REASON_ABORTED;
}

static void lose_the_dice_secret(void)
{
    forger_end(&forger)->has_dice_secret = false;
}

/* The boxes of nim are empty, but commands and what the house showed last hang on it. */
static void take_another_sealing_secret(void)
{
    forger_end(&forger)->sealing_secret.data[3] ^= 1;
}

static void count_one_act_more(void)
{
    forger_end(&forger)->acts++;
}

static void header_and_end_agree_with_the_rest(void **unused)
{
    static const struct forgery rows[] = {
        { "options that are there and empty", leave_options_empty, "wrong size" },
        { "no reason", give_no_reason, "wrong size" },
        { "an outcome missing", name_one_outcome_less, "an outcome for each seat" },
        { "an outcome too many", name_one_outcome_more, "an outcome for each seat" },
        { "outcomes of a match that was ended", say_the_house_ended_it,
          "an outcome for each seat" },
        { "no secret of the dice", lose_the_dice_secret, "hosted dice have a secret" },
        { "another sealing secret", take_another_sealing_secret, "the secrets shown are not" },
        { "another count of acts", count_one_act_more, "another number of acts" },
    };
    (void) unused;
    EACH_FOUND(rows);
}

/* Acts: what no chain covers. The last one is of seat 2, in its first session. */

static Arbiter__Match__Act *last_act(void)
{
    return forger_act(&forger, (uint32_t) forger_end(&forger)->acts - 1);
}

static void lower_an_epoch(void)
{
    last_act()->epoch = 5;
}

static void take_an_epoch_that_never_was(void)
{
    for (uint32_t i = 0; i < forger_end(&forger)->acts; i++)
        forger_act(&forger, i)->epoch = 0;
}

/* The same fields in another order: the same to the rules, and another hash to the chain. */
static void spell_a_command_otherwise(void)
{
    static const uint8_t was[] = { 1 << 3 | 2, 4, 1 << 3, 2, 2 << 3, 1 };
    static const uint8_t is[] = { 1 << 3 | 2, 4, 2 << 3, 1, 1 << 3, 2 };
    assert_int_equal(last_act()->command.len, sizeof was);
    assert_memory_equal(last_act()->command.data, was, sizeof was);
    memcpy(last_act()->command.data, is, sizeof is);
}

static void repeat_a_request(void)
{
    last_act()->request--;
}

static void ask_in_no_session(void)
{
    last_act()->session = 0;
}

static void ask_without_number(void)
{
    last_act()->request = 0;
}

static void leave_the_request_out(void)
{
    last_act()->has_request = false;
}

/* Seat 1's old holder had session 1; since the change of hands there is session 2. */
static void ask_in_a_closed_session(void)
{
    Arbiter__Match__Act *act = forger_act(&forger, FORGER_HANDS + 3);
    assert_true(act->actor == 1 && act->session == 2);
    act->session = 1;
    act->request = 100;
}

static void ask_for_the_house(void)
{
    forger_act(&forger, FORGER_START)->session = 1;
    forger_act(&forger, FORGER_START)->request = 1;
}

static void ask_in_the_silent_seats_name(void)
{
    forger_act(&forger, FORGER_SILENT)->session = 1;
    forger_act(&forger, FORGER_SILENT)->request = 7;
}

static void post_twice_in_one_request(void)
{
    forger_act(&forger, FORGER_REVEALED)->request = 1; /* As the hash's was. */
}

static void numbers_of_acts_are_such_as_an_engine_gives(void **unused)
{
    static const char           request[] = "no such request can have been made";
    static const struct forgery rows[] = {
        { "an epoch that goes down", lower_an_epoch, "its epoch is lower" },
        { "an epoch before the first", take_an_epoch_that_never_was, "its epoch is lower" },
        { "a command in other bytes", spell_a_command_otherwise, "is spelled otherwise" },
        { "a request that comes again", repeat_a_request, request },
        { "a request in no session", ask_in_no_session, request },
        { "a session without a request", ask_without_number, request },
        { "half of both", leave_the_request_out, "wrong size" },
        { "a closed session", ask_in_a_closed_session, request },
        { "a request of the house", ask_for_the_house, request },
        { "a request of who was silent", ask_in_the_silent_seats_name, request },
        { "one request, two acts", post_twice_in_one_request, request },
    };
    (void) unused;
    EACH_FOUND(rows);
}

/* Of a seat's sessions eight are open: when eight newer ones have asked, the first is closed. What is
 * played does not matter to this, so all acts by the rules become seat 0's, in rules nobody has. */
static void the_ninth_session_closes_the_first(void **unused)
{
    (void) unused;
    for (uint32_t newer = 7; newer <= 8; newer++) {
        struct verify_report report;
        uint32_t             session = 1;
        forger_play(&forger);
        forger_header(&forger)->rules_version = 99;
        for (uint32_t i = FORGER_START + 1; i < forger_end(&forger)->acts; i++) {
            if (i == FORGER_HANDS)
                continue;
            forger_act(&forger, i)->actor = 0;
            forger_act(&forger, i)->request = i;
            forger_act(&forger, i)->session = session < newer + 1 ? ++session : newer + 1;
        }
        last_act()->session = 1;
        verify_forged(&report);
        assert_int_equal(session, newer + 1);
        assert_int_equal(report.holds, newer == 7);
        if (newer == 8)
            assert_non_null(strstr(report.fault.bytes, "no such request can have been made"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_match_itself_holds),
        cmocka_unit_test(the_match_itself_is_a_file_too),
        cmocka_unit_test(a_record_is_spelled_in_one_way),
        cmocka_unit_test(header_and_end_agree_with_the_rest),
        cmocka_unit_test(numbers_of_acts_are_such_as_an_engine_gives),
        cmocka_unit_test(the_ninth_session_closes_the_first),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

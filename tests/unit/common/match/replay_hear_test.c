/* replay_hear_test.c: what a match file says beside the game, its acts have told: dice, hands, secrets.
 *
 * The match is one as an engine keeps it, with all that stands beside the game. Each row below changes one
 * thing, mends every check and the whole chain, and says what must be found. */
#include "match/verify.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "forger.h"

static struct forger forger;

#define EACH_FOUND(rows) forger_each_found(&forger, rows, sizeof rows / sizeof rows[0])

static Arbiter__Match__Contribution *contribution(uint32_t nth)
{
    return forger_find(&forger, ARBITER__MATCH__RECORD__KIND_CONTRIBUTION, nth)->contribution;
}

/* Contributions. */

static void contribute_other_bytes(void)
{
    contribution(0)->revealed.data[0] ^= 1; /* And their hash: other dice, well announced. */
    crypto_hash_sha256(contribution(0)->hash.data, contribution(0)->revealed.data, 16);
}

static void contribute_other_bytes_unannounced(void)
{
    contribution(0)->revealed.data[0] ^= 1;
}

static void reveal_without_hash(void)
{
    contribution(0)->has_hash = false;
}

static void take_a_hash_back(void)
{
    contribution(1)->has_hash = false;
}

static void post_another_hash(void)
{
    contribution(1)->hash.data[0] ^= 1;
}

static void keep_a_contribution_back(void)
{
    contribution(0)->has_revealed = false;
}

static void lose_a_contribution(void)
{
    forger_drop(&forger, forger_place(&forger, contribution(1)));
}

static void contribute_for_nobody(void)
{
    contribution(1)->seat = 3;
}

static void contribute_for_a_bot(void)
{
    forger_repeat(&forger, forger_place(&forger, contribution(1)));
    contribution(2)->seat = 2;
}

static void contribute_twice(void)
{
    forger_repeat(&forger, forger_place(&forger, contribution(1)));
}

static void contribute_in_another_order(void)
{
    forger_swap(&forger, forger_place(&forger, contribution(0)));
}

static void contributions_are_those_that_were_posted(void **unused)
{
    static const struct forgery rows[] = {
        { "other bytes", contribute_other_bytes, "not those that its acts tell of" },
        { "other bytes than announced", contribute_other_bytes_unannounced,
          "not the one its seat announced" },
        { "bytes without a hash", reveal_without_hash, "not the one its seat announced" },
        { "no hash where one was posted", take_a_hash_back, "not those that its acts tell of" },
        { "another hash without bytes", post_another_hash, "not those that its acts tell of" },
        { "a hash without its bytes", keep_a_contribution_back, "" }, /* Other dice, other game. */
        { "a silent seat left out", lose_a_contribution, "not those that its acts tell of" },
        { "a seat that does not exist", contribute_for_nobody, "has no place here" },
        { "a seat nobody asked", contribute_for_a_bot, "not those that its acts tell of" },
        { "a seat twice", contribute_twice, "has no place here" },
        { "seats in another order", contribute_in_another_order, "has no place here" },
    };
    (void) unused;
    EACH_FOUND(rows);
}

/* Seats. */

static void begin_later(void)
{
    forger_seat(&forger, 0)->since = 2;
}

static void begin_with_generation_two(void)
{
    forger_seat(&forger, 0)->generation = 2;
}

static void go_back_a_generation(void)
{
    forger_seat(&forger, 2)->generation = 1;
}

static void skip_a_generation(void)
{
    forger_seat(&forger, 2)->generation = 3;
}

static void change_hands_at_once(void)
{
    forger_seat(&forger, 2)->since = 1;
}

static void change_hands_later(void)
{
    forger_seat(&forger, 2)->since++;
}

static void change_hands_behind_the_end(void)
{
    forger_seat(&forger, 2)->since = 1000;
}

static void change_into_another(void)
{
    forger_seat(&forger, 2)->bot = false;
}

static void never_change_hands(void)
{
    forger_drop(&forger, forger_place(&forger, forger_seat(&forger, 2)));
}

static void change_hands_untold(void)
{
    forger_repeat(&forger, forger_place(&forger, forger_seat(&forger, 2)));
    forger_seat(&forger, 3)->generation = 3;
    forger_seat(&forger, 3)->since++;
}

static void sit_twice(void)
{
    forger_repeat(&forger, forger_place(&forger, forger_seat(&forger, 0)));
}

static void leave_a_seat_empty(void)
{
    forger_drop(&forger, forger_place(&forger, forger_seat(&forger, 3)));
}

static void leave_all_seats_empty(void)
{
    for (uint32_t i = 0; i < 4; i++)
        forger_drop(&forger, forger_place(&forger, forger_seat(&forger, 0)));
}

static void sit_in_another_order(void)
{
    forger_swap(&forger, forger_place(&forger, forger_seat(&forger, 2)));
}

static void sit_where_no_seat_is(void)
{
    forger_seat(&forger, 3)->seat = 3;
}

static void leave_the_generation_out(void)
{
    forger_seat(&forger, 0)->has_generation = false;
}

static void seats_go_on_from_hand_to_hand(void **unused)
{
    static const char           order[] = "does not go on from seat to seat";
    static const struct forgery rows[] = {
        { "a seat held from act 2 on", begin_later, order },
        { "a first generation of 2", begin_with_generation_two, order },
        { "a generation that goes back", go_back_a_generation, order },
        { "a generation left out", skip_a_generation, order },
        { "two holders from the same act on", change_hands_at_once, order },
        { "another act of the change", change_hands_later, "does not know of this change" },
        { "a change behind the end", change_hands_behind_the_end, "does not know of this change" },
        { "another kind of holder", change_into_another, "does not know of this change" },
        { "a change without its record", never_change_hands, "does not know of this change" },
        { "a change that no act tells", change_hands_untold, "no act tells of a change" },
        { "a seat doubled", sit_twice, order },
        { "a seat nobody holds", leave_a_seat_empty, "not every seat has a holder" },
        { "no seats", leave_all_seats_empty, "not every seat has a holder" },
        { "seats in another order", sit_in_another_order, order },
        { "a seat that does not exist", sit_where_no_seat_is, "there is no such seat" },
        { "no generation", leave_the_generation_out, "wrong size" },
    };
    (void) unused;
    EACH_FOUND(rows);
}

/* What the house says. */

static void begin_before_the_dice(void)
{
    forger_drop(&forger, forger_place(&forger, forger_act(&forger, FORGER_SILENT)));
    for (uint32_t i = FORGER_SILENT; i < forger_end(&forger)->acts - 1; i++)
        forger_act(&forger, i)->number = i + 1;
    forger_end(&forger)->acts--;
    forger_seat(&forger, 2)->since--;
}

/* Byte 3 of what is said is in all of them the seat, or the commitment's first byte but one. */
static void say_otherwise(uint32_t nth, uint32_t byte, uint8_t to)
{
    Arbiter__Match__Act *act = forger_act(&forger, nth);
    uint8_t             *said = act->body.data + act->body.len - act->command.len;
    assert_memory_equal(said, act->command.data, act->command.len);
    act->command.data[byte] = said[byte] = to;
}

static void commit_to_another_secret(void)
{
    say_otherwise(0, 6, 0);
}

static void silence_another_seat(void)
{
    say_otherwise(FORGER_SILENT, 3, 0);
}

static void silence_no_seat(void)
{
    say_otherwise(FORGER_SILENT, 3, 9);
}

static void post_for_another_seat(void)
{
    say_otherwise(FORGER_HASHED, 3, 2);
}

static void post_for_no_seat(void)
{
    say_otherwise(FORGER_HASHED, 3, 77);
}

static void reveal_other_bytes(void)
{
    say_otherwise(FORGER_REVEALED, 7, 99);
}

static void say_what_nobody_knows(void)
{
    say_otherwise(FORGER_SILENT, 0, 15 << 3 | 2);
}

static void abort_and_go_on(void)
{
    say_otherwise(FORGER_SILENT, 0, 7 << 3 | 2); /* match_aborted, whose first field is a text. */
    say_otherwise(FORGER_SILENT, 2, 1 << 3 | 2);
    say_otherwise(FORGER_SILENT, 3, 0);
}

static void show_secrets_too_early(void)
{
    say_otherwise(FORGER_SILENT, 0, 8 << 3 | 2);
    say_otherwise(FORGER_SILENT, 2, 1 << 3 | 2);
    say_otherwise(FORGER_SILENT, 3, 0);
}

static void silence_after_the_start(void)
{
    Arbiter__Match__Act *act = forger_act(&forger, FORGER_HANDS);
    Arbiter__Match__Act *silence = forger_act(&forger, FORGER_SILENT);
    assert_true(silence->body.len <= act->body.len && silence->command.len <= act->command.len);
    memcpy(act->body.data, silence->body.data, act->body.len = silence->body.len);
    memcpy(act->command.data, silence->command.data, act->command.len = silence->command.len);
}

static void what_the_house_says_agrees_with_its_records(void **unused)
{
    static const struct forgery rows[] = {
        { "a start before the dice", begin_before_the_dice, "before its dice are made" },
        { "another commitment", commit_to_another_secret, "another secret than in the header" },
        { "another seat silent", silence_another_seat, "nobody awaits anything of this seat" },
        { "no seat silent", silence_no_seat, "nobody awaits anything of this seat" },
        { "a hash of a bot", post_for_another_seat, "nobody awaits this hash" },
        { "a hash of no seat", post_for_no_seat, "nobody awaits this hash" },
        { "other bytes", reveal_other_bytes, "nobody awaits these bytes" },
        { "an unknown event", say_what_nobody_knows, "the house says what cannot be read" },
        { "an end that is none", abort_and_go_on, "goes on although the house ended it" },
        { "secrets that are no act", show_secrets_too_early, "what no house would" },
        { "dice after the start", silence_after_the_start, "no dice are made here" },
    };
    (void) unused;
    EACH_FOUND(rows);
}

/* By the rules such a match is over, and yet nobody has won or lost it. */
static void a_match_that_the_house_ended_by_its_rules_holds(void **unused)
{
    struct verify_report report;
    (void) unused;
    forger_annul(&forger);
    forger_verify(&forger, &report);
    assert_string_equal(report.fault.bytes, "");
    assert_true(report.holds && report.replayed && !report.finished);
    forger_annul(&forger);
    forger_end(&forger)->reason = ARBITER__MATCH__END__REASON__REASON_FINISHED;
    forger_end(&forger)->outcome = calloc(2, sizeof(int32_t));
    forger_end(&forger)->n_outcome = 2;
    forger_verify(&forger, &report);
    assert_false(report.holds);
    assert_non_null(strstr(report.fault.bytes, "goes on although the house ended it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contributions_are_those_that_were_posted),
        cmocka_unit_test(seats_go_on_from_hand_to_hand),
        cmocka_unit_test(what_the_house_says_agrees_with_its_records),
        cmocka_unit_test(a_match_that_the_house_ended_by_its_rules_holds),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

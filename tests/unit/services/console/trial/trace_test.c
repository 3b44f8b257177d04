/* trace_test.c: a simulated match's file, with secrets in it, holds; and forged secrets do not.
 *
 * Played with the dead, whose players are told of cards that others may not know. The forger here
 * is the best there is: every check and every chain is mended. */
#include "services/console/trial/trace.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "match/verify.h"
#include "wire/act.h"
#include "wire/chain.h"

#define CONFIG ARBITER_SOURCE "/common/games/dead/configs/barricades-base.json"

static char     path[] = "/tmp/arbiter-trace-XXXXXX";
static uint8_t *bytes;
static size_t   size;

/* Plays the match of a seed into bytes. */
static void trace(uint64_t seed, bool whole)
{
    struct table         table;
    struct playing       playing;
    struct table_ask     ask = { .config = CONFIG, .set = { { "edition=base" }, 1 }, .seats = 2 };
    struct playing_rules rules = { .most = 100000,
                                   .dice = "chacha",
                                   .leave_one_in = 1000,
                                   .flags = MATCH_CHAINED | MATCH_SEALED };
    assert_int_equal(table_open(&table, "dead", &ask), 0);
    playing_open(&playing, &table, &rules);
    struct trace *file = trace_open(path);
    assert_non_null(file);
    playing_begin(&playing, seed);
    assert_true(trace_begin(file, &playing));
    do
        assert_true(trace_act(file, &playing.act));
    while (playing_step(&playing));
    assert_true(trace_close(&file, whole ? &playing : NULL));
    assert_null(file);
    playing_close(&playing);
    table_close(&table);
}

static void load(void)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    free(bytes);
    bytes = malloc((size_t) 1 << 22);
    assert_non_null(bytes);
    size = fread(bytes, 1, (size_t) 1 << 22, file);
    fclose(file);
    assert_true(size > 1000 && size < (size_t) 1 << 22);
}

static void assert_holds(bool expected, const char *fault)
{
    struct verify_report report;
    verify(&report, bytes, size);
    if (report.holds != expected || strstr(report.fault.bytes, fault) == NULL)
        fail_msg("expected \"%s\", came \"%s\"", fault, report.fault.bytes);
}

/* What a forger does to the body of an act; returns the new size. */
typedef size_t forgery(uint8_t *body, size_t body_size, size_t capacity);

/* Writes the file again with act `number` forged, all checks and chains mended. */
static void forge(uint64_t number, forgery *forged)
{
    struct match_file file;
    struct arena      arena;
    size_t            room = (size_t) 1 << 20, out_size = 0;
    char             *out_bytes = NULL;
    uint8_t           chain[32], hash[32], secret[32] = { 0 };
    static uint8_t    body[1 << 16];
    FILE             *out = open_memstream(&out_bytes, &out_size);
    void             *memory = malloc(room);
    assert_true(out != NULL && memory != NULL);
    arena_init(&arena, memory, room);
    match_file_open(&file, bytes, size, &arena);
    while (match_file_next(&file) == MATCH_FILE_RECORD)
        if (file.record->kind_case == ARBITER__MATCH__RECORD__KIND_END)
            memcpy(secret, file.record->end->sealing_secret.data, sizeof secret);
    match_file_open(&file, bytes, size, &arena);
    assert_true(match_file_begin(out));
    while (match_file_next(&file) == MATCH_FILE_RECORD) {
        const Arbiter__Match__Record *record = file.record;
        if (record->kind_case == ARBITER__MATCH__RECORD__KIND_HEADER)
            replay_chain_begin(chain, record->header);
        if (record->kind_case == ARBITER__MATCH__RECORD__KIND_END)
            memcpy(record->end->chain.data, chain, sizeof chain);
        if (record->kind_case == ARBITER__MATCH__RECORD__KIND_ACT) {
            Arbiter__Match__Act *act = record->act;
            assert_true(act->body.len < sizeof body / 2);
            memcpy(body, act->body.data, act->body.len);
            if (act->number == number)
                act->body.len = forged(body, act->body.len, sizeof body);
            act->body.data = body;
            chain_command(hash, &crypto_sodium, secret, act->command.data, act->command.len);
            chain_next(chain, &crypto_sodium, act->number, act->actor, hash, body, act->body.len);
            memcpy(act->chain.data, chain, sizeof chain);
        }
        assert_true(match_file_put(out, record));
    }
    fclose(out);
    free(memory);
    free(bytes);
    bytes = (uint8_t *) out_bytes;
    size = out_size;
}

static size_t leave_alone(uint8_t *body, size_t body_size, size_t capacity)
{
    (void) body;
    (void) capacity;
    return body_size;
}

static uint8_t *box_of(uint8_t *body, size_t body_size, uint32_t seat, size_t *box_size)
{
    const uint8_t *box = NULL;
    assert_true(act_find_box(body, body_size, seat, &box, box_size));
    return body + (box - body);
}

static size_t swap_boxes(uint8_t *body, size_t body_size, size_t capacity)
{
    static uint8_t kept[4096];
    size_t         one_size = 0, other_size = 0;
    uint8_t       *one = box_of(body, body_size, 0, &one_size);
    uint8_t       *other = box_of(body, body_size, 1, &other_size);
    (void) capacity;
    assert_true(one_size == other_size && one_size <= sizeof kept);
    memcpy(kept, one, one_size);
    memcpy(one, other, one_size);
    memcpy(other, kept, one_size);
    return body_size;
}

static size_t flip_in_box(uint8_t *body, size_t body_size, size_t capacity)
{
    size_t box_size = 0;
    (void) capacity;
    box_of(body, body_size, 1, &box_size)[box_size - 1] ^= 1;
    return body_size;
}

/* An entry of the house, of a kind that stands only in acts of its own. */
static size_t add_house(uint8_t *body, size_t body_size, size_t capacity)
{
    static const uint8_t restarted[] = { 6 << 3 | 2, 0 }; /* HouseEvent.wait_restarted, empty. */
    static uint8_t       entry[64];
    struct act_body      written = { entry, sizeof entry, 0 };
    assert_true(act_put_house(&written, restarted, sizeof restarted));
    assert_true(body_size + written.size <= capacity);
    /* Behind the game's events and before the boxes: the first begins with its tag and length. */
    size_t   box_size = 0;
    uint8_t *boxes = box_of(body, body_size, 0, &box_size) - 1 - (box_size < 128 ? 1 : 2);
    memmove(boxes + written.size, boxes, body_size - (size_t) (boxes - body));
    memcpy(boxes, entry, written.size);
    return body_size + written.size;
}

static void a_traced_match_holds(void **unused)
{
    (void) unused;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        trace(seed, true);
        load();
        assert_holds(true, "");
        forge(0, leave_alone);
        assert_holds(true, "");
    }
}

static void forged_boxes_are_found(void **unused)
{
    (void) unused;
    trace(1, true);
    load();
    forge(1, swap_boxes);
    assert_holds(false, "a seat's box holds not what the rules say");
    load();
    forge(2, flip_in_box);
    assert_holds(false, "act 2, byte ");
}

static void what_the_house_never_says_there_is_found(void **unused)
{
    (void) unused;
    trace(1, true);
    load();
    forge(2, add_house);
    assert_holds(false, "the house says what has no place here");
}

static void a_trace_that_is_given_up_leaves_no_file(void **unused)
{
    char part[64];
    (void) unused;
    unlink(path);
    trace(1, false);
    snprintf(part, sizeof part, "%s.part", path);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(part, F_OK), 0);
}

static int choose_path(void **unused)
{
    (void) unused;
    int file = mkstemp(path);
    return file >= 0 ? close(file) : -1;
}

static int remove_path(void **unused)
{
    (void) unused;
    free(bytes);
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_traced_match_holds),
        cmocka_unit_test(forged_boxes_are_found),
        cmocka_unit_test(what_the_house_never_says_there_is_found),
        cmocka_unit_test(a_trace_that_is_given_up_leaves_no_file),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, choose_path, remove_path);
}

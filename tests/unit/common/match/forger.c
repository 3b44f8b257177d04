/* forger.c: records out of a file and into it again, every check and chain as it must be. */
#include "forger.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/chain.h"
#include "wire/order.h"

#define CHECK_SIZE 8
#define ROOM 64 /* For what a spelling adds. */

ProtobufCBinaryData forger_copy(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return (ProtobufCBinaryData){ size, copy };
}

char *forger_text(const char *text)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    return copy;
}

Arbiter__Match__Record *forger_add(struct forger *forger, Arbiter__Match__Record__KindCase kind,
                                   const ProtobufCMessageDescriptor *descriptor)
{
    Arbiter__Match__Record *record = malloc(sizeof *record);
    ProtobufCMessage       *message = malloc(descriptor->sizeof_message);
    assert_true(record != NULL && message != NULL && forger->count < FORGER_RECORDS_MAX);
    arbiter__match__record__init(record);
    protobuf_c_message_init(descriptor, message);
    record->kind_case = kind;
    record->header =
        (Arbiter__Match__Header *) (void *) message; /* All kinds are pointers there. */
    forger->record[forger->count++] = record;
    return record;
}

void forger_take(struct forger *forger, const uint8_t *bytes, size_t size)
{
    size_t at = MATCH_FILE_MAGIC_SIZE;
    *forger = (struct forger){ .spelled = UINT32_MAX };
    while (at < size) {
        const uint8_t          *frame = bytes + at;
        size_t                  length = (size_t) order_get(&frame, 4);
        Arbiter__Match__Record *record =
            arbiter__match__record__unpack(NULL, length, bytes + at + MATCH_RECORD_FRAME);
        assert_true(record != NULL && forger->count < FORGER_RECORDS_MAX);
        forger->record[forger->count++] = record;
        at += MATCH_RECORD_FRAME + length;
    }
}

Arbiter__Match__Record *forger_find(struct forger *forger, Arbiter__Match__Record__KindCase kind,
                                    uint32_t nth)
{
    for (uint32_t i = 0; i < forger->count; i++)
        if (forger->record[i]->kind_case == kind && nth-- == 0)
            return forger->record[i];
    fail_msg("the file has no such record");
    return NULL;
}

Arbiter__Match__Header *forger_header(struct forger *forger)
{
    return forger_find(forger, ARBITER__MATCH__RECORD__KIND_HEADER, 0)->header;
}

Arbiter__Match__Act *forger_act(struct forger *forger, uint32_t nth)
{
    return forger_find(forger, ARBITER__MATCH__RECORD__KIND_ACT, nth)->act;
}

Arbiter__Match__Seat *forger_seat(struct forger *forger, uint32_t nth)
{
    return forger_find(forger, ARBITER__MATCH__RECORD__KIND_SEAT, nth)->seat;
}

Arbiter__Match__End *forger_end(struct forger *forger)
{
    return forger_find(forger, ARBITER__MATCH__RECORD__KIND_END, 0)->end;
}

void forger_mend(struct forger *forger)
{
    uint8_t chain[MATCH_HASH_SIZE];
    uint8_t hash[MATCH_HASH_SIZE];
    replay_chain_begin(chain, forger_header(forger));
    for (uint32_t i = 0; i < forger->count; i++) {
        if (forger->record[i]->kind_case != ARBITER__MATCH__RECORD__KIND_ACT)
            continue;
        const Arbiter__Match__Act *act = forger->record[i]->act;
        chain_command(hash, &crypto_sodium, forger_end(forger)->sealing_secret.data,
                      act->command.data, act->command.len);
        chain_next(chain, &crypto_sodium, act->number, act->actor, hash, act->body.data,
                   act->body.len);
        memcpy(act->chain.data, chain, sizeof chain);
    }
    memcpy(forger_end(forger)->chain.data, chain, sizeof chain);
}

/* A record in the forger's own spelling, which no writer of ours would write. */
static void put_spelled(const struct forger *forger, const Arbiter__Match__Record *record,
                        FILE *out)
{
    uint8_t  frame[MATCH_RECORD_FRAME];
    uint8_t  digest[crypto_hash_sha256_BYTES];
    size_t   size = arbiter__match__record__get_packed_size(record);
    uint8_t *bytes = malloc(4 + size + ROOM);
    assert_non_null(bytes);
    arbiter__match__record__pack(record, bytes + 4);
    size = forger->spelling(bytes + 4, size);
    order_put(bytes, size, 4);
    crypto_hash_sha256(digest, bytes, 4 + size);
    memcpy(frame, bytes, 4);
    memcpy(frame + 4, digest, CHECK_SIZE);
    assert_int_equal(fwrite(frame, 1, sizeof frame, out), sizeof frame);
    assert_int_equal(fwrite(bytes + 4, 1, size, out), size);
    free(bytes);
}

uint8_t *forger_write(struct forger *forger, size_t *size)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    assert_non_null(stream);
    assert_true(match_file_begin(stream));
    for (uint32_t i = 0; i < forger->count; i++) {
        if (i == forger->spelled)
            put_spelled(forger, forger->record[i], stream);
        else
            assert_true(match_file_put(stream, forger->record[i]));
        arbiter__match__record__free_unpacked(forger->record[i], NULL);
    }
    fclose(stream);
    forger->count = 0;
    return (uint8_t *) bytes;
}

uint32_t forger_place(const struct forger *forger, const void *message)
{
    for (uint32_t i = 0; i < forger->count; i++)
        if (forger->record[i]->header == message) /* All kinds are pointers there. */
            return i;
    fail_msg("the file has no such record");
    return 0;
}

void forger_drop(struct forger *forger, uint32_t place)
{
    arbiter__match__record__free_unpacked(forger->record[place], NULL);
    forger->count--;
    memmove(&forger->record[place], &forger->record[place + 1],
            (forger->count - place) * sizeof forger->record[0]);
}

void forger_repeat(struct forger *forger, uint32_t place)
{
    size_t   size = arbiter__match__record__get_packed_size(forger->record[place]);
    uint8_t *bytes = malloc(size);
    assert_true(bytes != NULL && forger->count < FORGER_RECORDS_MAX);
    arbiter__match__record__pack(forger->record[place], bytes);
    memmove(&forger->record[place + 2], &forger->record[place + 1],
            (forger->count - place - 1) * sizeof forger->record[0]);
    forger->record[place + 1] = arbiter__match__record__unpack(NULL, size, bytes);
    forger->count++;
    free(bytes);
}

void forger_swap(struct forger *forger, uint32_t place)
{
    Arbiter__Match__Record *one = forger->record[place];
    forger->record[place] = forger->record[place + 1];
    forger->record[place + 1] = one;
}

void forger_verify(struct forger *forger, struct verify_report *report)
{
    size_t size = 0;
    forger_mend(forger);
    uint8_t *bytes = forger_write(forger, &size);
    verify(report, bytes, size);
    free(bytes);
}

void forger_each_found(struct forger *forger, const struct forgery *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct verify_report report;
        forger_play(forger);
        rows[i].forge();
        forger_verify(forger, &report);
        if (report.holds || strstr(report.fault.bytes, rows[i].found) == NULL)
            fail_msg("%s: expected \"%s\", came \"%s\"", rows[i].what, rows[i].found,
                     report.fault.bytes);
    }
}

/* match_mend.c: see match_mend.h. */
#include "match_mend.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/record.h"
#include "match/replay.h"
#include "wire/chain.h"
#include "wire/order.h"

#define CHECK_SIZE 8
#define RECORDS_MAX 4096

struct records {
    Arbiter__Match__Record *record[RECORDS_MAX];
    uint32_t                count;
};

void match_mend_checks(uint8_t *bytes, size_t size)
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    size_t  at = MATCH_FILE_MAGIC_SIZE;
    while (at < size && size - at > MATCH_RECORD_FRAME) {
        const uint8_t           *frame = bytes + at;
        size_t                   room = size - at - MATCH_RECORD_FRAME;
        size_t                   length = (size_t) order_get(&frame, 4);
        crypto_hash_sha256_state hash;
        length = length > room ? room : length;
        order_put(bytes + at, length, 4);
        crypto_hash_sha256_init(&hash);
        crypto_hash_sha256_update(&hash, bytes + at, 4);
        crypto_hash_sha256_update(&hash, bytes + at + MATCH_RECORD_FRAME, length);
        crypto_hash_sha256_final(&hash, digest);
        memcpy(bytes + at + 4, digest, CHECK_SIZE);
        at += MATCH_RECORD_FRAME + length;
    }
}

static void records_free(struct records *records)
{
    for (uint32_t i = 0; i < records->count; i++)
        arbiter__match__record__free_unpacked(records->record[i], NULL);
    records->count = 0;
}

static bool records_take(struct records *records, const uint8_t *bytes, size_t size)
{
    size_t at = MATCH_FILE_MAGIC_SIZE;
    records->count = 0;
    while (at < size && size - at > MATCH_RECORD_FRAME && records->count < RECORDS_MAX) {
        const uint8_t *frame = bytes + at;
        size_t         length = (size_t) order_get(&frame, 4);
        if (length > size - at - MATCH_RECORD_FRAME)
            break;
        Arbiter__Match__Record *record =
            arbiter__match__record__unpack(NULL, length, bytes + at + MATCH_RECORD_FRAME);
        if (record == NULL)
            break;
        records->record[records->count++] = record;
        at += MATCH_RECORD_FRAME + length;
    }
    if (at == size)
        return true;
    records_free(records);
    return false;
}

/* The header and the end, if they have what a chain is made of. */
static bool find_ends(const struct records *records, const Arbiter__Match__Header **header,
                      const Arbiter__Match__End **end)
{
    if (records->count < 2)
        return false;
    *header = records->record[0]->header;
    *end = records->record[records->count - 1]->end;
    return records->record[0]->kind_case == ARBITER__MATCH__RECORD__KIND_HEADER &&
           records->record[records->count - 1]->kind_case == ARBITER__MATCH__RECORD__KIND_END &&
           (*header)->match_id.len == MATCH_ID_SIZE && (*header)->game != NULL &&
           (*header)->setup != NULL && (*header)->dice != NULL &&
           (*end)->sealing_secret.len == MATCH_SECRET_SIZE && (*end)->chain.len == MATCH_HASH_SIZE;
}

static void mend(const struct records *records, const Arbiter__Match__Header *header,
                 const Arbiter__Match__End *end)
{
    uint8_t chain[MATCH_HASH_SIZE];
    uint8_t hash[MATCH_HASH_SIZE];
    replay_chain_begin(chain, header);
    for (uint32_t i = 0; i < records->count; i++) {
        if (records->record[i]->kind_case != ARBITER__MATCH__RECORD__KIND_ACT)
            continue;
        const Arbiter__Match__Act *act = records->record[i]->act;
        chain_command(hash, &crypto_sodium, end->sealing_secret.data, act->command.data,
                      act->command.len);
        chain_next(chain, &crypto_sodium, act->number, act->actor, hash, act->body.data,
                   act->body.len);
        if (act->chain.len == sizeof chain)
            memcpy(act->chain.data, chain, sizeof chain);
    }
    memcpy(end->chain.data, chain, sizeof chain);
}

static uint8_t *records_write(const struct records *records, size_t *written)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, written);
    assert(stream != NULL && match_file_begin(stream));
    for (uint32_t i = 0; i < records->count; i++)
        if (match_record_size(records->record[i]) > MATCH_RECORD_FRAME)
            match_file_put(stream, records->record[i]);
    fclose(stream);
    return (uint8_t *) bytes;
}

uint8_t *match_mend_chains(const uint8_t *bytes, size_t size, size_t *written)
{
    static struct records         records;
    const Arbiter__Match__Header *header;
    const Arbiter__Match__End    *end;
    uint8_t                      *mended = NULL;
    if (!records_take(&records, bytes, size))
        return NULL;
    if (find_ends(&records, &header, &end)) {
        mend(&records, header, end);
        mended = records_write(&records, written);
    }
    records_free(&records);
    return mended;
}

/* Takes out of a record what proves nothing; false if nothing is left of it. */
static bool is_essential(Arbiter__Match__Record *record)
{
    switch (record->kind_case) {
    case ARBITER__MATCH__RECORD__KIND_HEADER: record->header->has_created_ms = 0; return true;
    case ARBITER__MATCH__RECORD__KIND_CONTRIBUTION: return record->contribution->has_revealed;
    case ARBITER__MATCH__RECORD__KIND_ACT:
        record->act->has_session = record->act->has_request = record->act->has_at_ms = 0;
        record->act->has_epoch = 0; /* Boxes depend on it and do not open if it is another. */
        return true;
    case ARBITER__MATCH__RECORD__KIND_END: return true;
    default: return false;
    }
}

bool match_essence(const uint8_t *bytes, size_t size, uint8_t hash[MATCH_HASH_SIZE])
{
    static struct records    records;
    crypto_hash_sha256_state state;
    if (!records_take(&records, bytes, size))
        return false;
    crypto_hash_sha256_init(&state);
    for (uint32_t i = 0; i < records.count; i++) {
        if (!is_essential(records.record[i]))
            continue;
        size_t   packed_size = protobuf_c_message_get_packed_size(&records.record[i]->base);
        uint8_t *packed = malloc(packed_size + 1);
        assert(packed != NULL);
        protobuf_c_message_pack(&records.record[i]->base, packed);
        crypto_hash_sha256_update(&state, packed, packed_size);
        free(packed);
    }
    crypto_hash_sha256_final(&state, hash);
    records_free(&records);
    return true;
}

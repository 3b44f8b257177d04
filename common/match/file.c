/* file.c: frames and checks match records, and judges them before anybody looks at them. */
#include "match/file.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "match/match.h"
#include "wire/validate.h"

/* protobuf-c writes a message piece by piece into this, to see whether what was read is how it would be
 * written. */
struct same_buffer {
    ProtobufCBuffer base;
    const uint8_t  *at, *end;
    bool            differs;
};

static void append_to_same(ProtobufCBuffer *buffer, size_t size, const uint8_t *bytes)
{
    struct same_buffer *same = (struct same_buffer *) (void *) buffer;
    same->differs = same->differs || (size_t) (same->end - same->at) < size ||
                    (size > 0 && memcmp(same->at, bytes, size) != 0);
    same->at += same->differs ? 0 : size;
}

bool match_file_begin(FILE *out)
{
    return fwrite(MATCH_FILE_MAGIC, 1, MATCH_FILE_MAGIC_SIZE, out) == MATCH_FILE_MAGIC_SIZE;
}

bool match_file_put(FILE *out, const Arbiter__Match__Record *record)
{
    size_t size = match_record_size(record);
    assert(size > MATCH_RECORD_FRAME && size - MATCH_RECORD_FRAME <= MATCH_RECORD_MAX);
    uint8_t *bytes = malloc(size);
    if (bytes == NULL)
        return false;
    match_record_write(bytes, record, &crypto_sodium);
    bool is_put = fwrite(bytes, 1, size, out) == size;
    free(bytes);
    return is_put;
}

void match_file_open(struct match_file *file, const uint8_t *bytes, size_t size,
                     struct arena *arena)
{
    memset(file, 0, sizeof *file);
    file->bytes = bytes;
    file->size = size;
    file->arena = arena;
}

bool match_file_fault(struct match_file *file, const char *what)
{
    if (file->fault.size > 0)
        return false; /* The first fault is the cause of the others. */
    if (file->acts > 0) {
        bool act =
            file->record != NULL && file->record->kind_case == ARBITER__MATCH__RECORD__KIND_ACT;
        text_put(&file->fault, act ? "act " : "after act ");
        text_put_number(&file->fault, (int64_t) file->acts);
        text_put(&file->fault, ", ");
    }
    text_put(&file->fault, "byte ");
    text_put_number(&file->fault, (int64_t) file->record_at);
    text_put(&file->fault, ": ");
    text_put(&file->fault, what);
    return false;
}

/* Who gives bytes to hosted dice, in order of seats; from protocol 2 on, and not with open dice. */
static bool contributors_have_shape(const Arbiter__Match__Header *header)
{
    uint32_t next = 0;
    if (header->n_contributors > 0 && (header->protocol < 2 || header->has_seed))
        return false;
    for (size_t i = 0; i < header->n_contributors; i++) {
        const Arbiter__Wire__Contributor *contributor = header->contributors[i];
        if (!contributor->has_seat || contributor->seat < next ||
            contributor->seat >= header->seats || !contributor->has_origin ||
            contributor->origin == ARBITER__WIRE__ORIGIN__ORIGIN_UNSPECIFIED)
            return false;
        next = contributor->seat + 1;
    }
    return true;
}

static bool header_has_shape(const Arbiter__Match__Header *header)
{
    bool hosted = header->has_commitment && header->commitment.len == MATCH_HASH_SIZE;
    return header->has_match_id && header->match_id.len == MATCH_ID_SIZE && header->has_protocol &&
           header->game != NULL && header->has_rules_version && header->setup != NULL &&
           header->has_seats && header->seats >= 1 && header->seats <= SEATS_MAX &&
           header->dice != NULL && (header->has_seed ? !header->has_commitment : hosted) &&
           (header->options == NULL || header->options[0] != '\0') &&
           contributors_have_shape(header);
}

static bool contribution_has_shape(const Arbiter__Match__Contribution *contribution)
{
    return contribution->has_seat && contribution->seat < SEATS_MAX &&
           (!contribution->has_hash || contribution->hash.len == 32) &&
           (!contribution->has_revealed || contribution->revealed.len == 16);
}

static bool seat_has_shape(const Arbiter__Match__Seat *seat)
{
    return seat->has_seat && seat->seat < SEATS_MAX && seat->has_bot && seat->has_generation &&
           seat->has_since;
}

static bool act_has_shape(const Arbiter__Match__Act *act)
{
    return act->has_number && act->has_actor && act->has_command && act->has_body &&
           act->has_chain && act->chain.len == MATCH_HASH_SIZE && act->has_epoch &&
           act->has_session == act->has_request;
}

static bool end_has_shape(const Arbiter__Match__End *end)
{
    return (end->reason == ARBITER__MATCH__END__REASON__REASON_FINISHED ||
            end->reason == ARBITER__MATCH__END__REASON__REASON_ABORTED) &&
           end->has_acts && end->has_chain && end->chain.len == MATCH_HASH_SIZE &&
           end->n_outcome <= SEATS_MAX && end->has_digest && end->digest.len == MATCH_HASH_SIZE &&
           end->has_sealing_secret && end->sealing_secret.len == MATCH_SECRET_SIZE &&
           (!end->has_dice_secret || end->dice_secret.len == 32);
}

static bool has_shape(const Arbiter__Match__Record *record)
{
    switch (record->kind_case) {
    case ARBITER__MATCH__RECORD__KIND_HEADER: return header_has_shape(record->header);
    case ARBITER__MATCH__RECORD__KIND_CONTRIBUTION:
        return contribution_has_shape(record->contribution);
    case ARBITER__MATCH__RECORD__KIND_SEAT: return seat_has_shape(record->seat);
    case ARBITER__MATCH__RECORD__KIND_ACT: return act_has_shape(record->act);
    case ARBITER__MATCH__RECORD__KIND_END: return end_has_shape(record->end);
    default: return false;
    }
}

/* header contribution* seat* act* end?: kinds are numbered in this order. */
static bool in_order(uint32_t before, uint32_t kind)
{
    if (before == 0)
        return kind == ARBITER__MATCH__RECORD__KIND_HEADER;
    bool many =
        kind != ARBITER__MATCH__RECORD__KIND_HEADER && kind != ARBITER__MATCH__RECORD__KIND_END;
    return kind > before || (kind == before && many);
}

/* Whether the record is spelled as we would write it. A second value where one is allowed, fields
 * in another order, a NUL in a text, or a number longer than necessary would hide bytes. Nobody
 * reads such bytes, and the chain knows nothing of them. */
static bool is_plain(const Arbiter__Match__Record *record, const uint8_t *bytes, size_t size)
{
    struct same_buffer same = { .base.append = append_to_same, .at = bytes, .end = bytes + size };
    if (!validate_message(&record->base))
        return false;
    protobuf_c_message_pack_to_buffer(&record->base, &same.base);
    return !same.differs && same.at == same.end;
}

static bool judge(struct match_file *file, const Arbiter__Match__Record *record, size_t size)
{
    const uint8_t *bytes = file->bytes + file->at + MATCH_RECORD_FRAME;
    if (record == NULL)
        return match_file_fault(file, "this is no record of a match, or too large a one");
    if (!is_plain(record, bytes, size))
        return match_file_fault(file, "a record holds more than is read of it, or is spelled "
                                      "otherwise than it is written");
    if (!has_shape(record))
        return match_file_fault(file, "a record lacks a field, or has one of the wrong size");
    if (!in_order(file->kind, (uint32_t) record->kind_case))
        return match_file_fault(file,
                                "records stand in the wrong order: it is header, contributions, "
                                "seats, acts, end");
    file->kind = (uint32_t) record->kind_case;
    if (file->kind != ARBITER__MATCH__RECORD__KIND_ACT)
        return true;
    if (record->act->number == file->acts + 1) {
        file->acts++;
        return true;
    }
    return match_file_fault(file, "this is not its number: acts are missing, doubled or swapped");
}

static uint32_t length_read(const uint8_t *frame)
{
    return (uint32_t) frame[0] << 24 | (uint32_t) frame[1] << 16 | (uint32_t) frame[2] << 8 |
           (uint32_t) frame[3];
}

static bool is_possible(uint32_t length)
{
    return length > 0 && length <= MATCH_RECORD_MAX;
}

static bool frame_read(struct match_file *file, uint32_t *length)
{
    const uint8_t *frame = file->bytes + file->at;
    uint8_t        digest[crypto_hash_sha256_BYTES];
    size_t         left = file->size - file->at;
    if (left < MATCH_RECORD_FRAME)
        return match_file_fault(file, "the file ends in the middle of a record");
    *length = length_read(frame);
    if (!is_possible(*length))
        return match_file_fault(file, "a record claims an impossible length");
    if (left - MATCH_RECORD_FRAME < *length)
        return match_file_fault(file, "the file ends in the middle of a record");
    crypto_hash_sha256_state hash;
    crypto_hash_sha256_init(&hash);
    crypto_hash_sha256_update(&hash, frame, 4);
    crypto_hash_sha256_update(&hash, frame + MATCH_RECORD_FRAME, *length);
    crypto_hash_sha256_final(&hash, digest);
    if (memcmp(frame + 4, digest, MATCH_RECORD_CHECK) != 0)
        return match_file_fault(file, "the bytes of a record are damaged");
    return true;
}

bool match_file_is_one(const uint8_t *bytes, size_t size)
{
    return size >= MATCH_FILE_MAGIC_SIZE &&
           memcmp(bytes, MATCH_FILE_MAGIC, MATCH_FILE_MAGIC_SIZE) == 0;
}

bool match_file_goes_on(const uint8_t *bytes, size_t size, size_t *at)
{
    if (*at == 0 && !match_file_is_one(bytes, size))
        return size < MATCH_FILE_MAGIC_SIZE;
    if (*at == 0)
        *at = MATCH_FILE_MAGIC_SIZE;
    while (size > *at && size - *at >= MATCH_RECORD_FRAME) {
        uint32_t length = length_read(bytes + *at);
        if (!is_possible(length))
            return false;
        *at += MATCH_RECORD_FRAME + length;
    }
    return true;
}

static bool magic_read(struct match_file *file)
{
    if (!match_file_is_one(file->bytes, file->size))
        return match_file_fault(file, "this is no match file, or one of another format; this "
                                      "build reads \"arbiter match 1\"");
    file->at = MATCH_FILE_MAGIC_SIZE;
    return true;
}

enum match_file_step match_file_next(struct match_file *file)
{
    uint32_t length = 0;
    arena_reset(file->arena);
    file->record = NULL;
    if (file->fault.size > 0 || (file->at == 0 && !magic_read(file)))
        return MATCH_FILE_BAD;
    file->record_at = file->at;
    if (file->at == file->size && file->kind != 0)
        return MATCH_FILE_DONE;
    if (!frame_read(file, &length))
        return MATCH_FILE_BAD;
    const Arbiter__Match__Record *record = arbiter__match__record__unpack(
        &file->arena->allocator, length, file->bytes + file->at + MATCH_RECORD_FRAME);
    if (!judge(file, record, length))
        return MATCH_FILE_BAD;
    file->at += MATCH_RECORD_FRAME + length;
    file->record = record;
    return MATCH_FILE_RECORD;
}

/* trace.c: writes a simulated match's file record by record. */
#include "services/console/trial/trace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "wire/header.h"

struct trace {
    struct half_file file;
};

/* protobuf-c does not write to what it packs, but has no const to say so. */
union lent {
    const void *given;
    void       *taken;
};

static ProtobufCBinaryData data_of(const void *bytes, size_t size)
{
    return (ProtobufCBinaryData){ size, ((union lent){ .given = bytes }).taken };
}

static char *text_of(const char *text)
{
    return ((union lent){ .given = text }).taken;
}

void trace_header(Arbiter__Match__Header *header, const struct playing *playing,
                  uint8_t commitment[COMMITMENT_BYTES])
{
    const struct table *table = playing->table;
    bool                hosted = strcmp(playing->rules.dice, "chacha") == 0;
    arbiter__match__header__init(header);
    header->has_match_id = header->has_protocol = header->has_rules_version = 1;
    header->match_id = data_of(playing->id, sizeof playing->id);
    header->protocol = PROTOCOL_FIRST;
    header->game = text_of(table->wire->game->name);
    header->rules_version = table->wire->game->version;
    header->setup = table->config;
    header->options = table->options;
    header->has_seats = 1;
    header->seats = table->seats;
    header->dice = text_of(playing->rules.dice);
    header->has_seed = !hosted;
    header->seed = hosted ? 0 : (int64_t) playing->seed;
    header->has_commitment = hosted;
    if (hosted) {
        commit_secret(playing->house, commitment);
        header->commitment = data_of(commitment, COMMITMENT_BYTES);
    }
}

struct trace *trace_open(const char *path)
{
    struct trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL || !half_file_open(&trace->file, path)) {
        free(trace);
        return NULL;
    }
    return trace;
}

static bool put(struct trace *trace, const Arbiter__Match__Record *record)
{
    if (match_file_put(trace->file.stream, record))
        return true;
    complain("%s cannot be written: %s.", trace->file.path, strerror(errno));
    return false;
}

static bool put_seat(struct trace *trace, uint32_t seat, const char *called)
{
    char                   name[16];
    Arbiter__Match__Seat   holder = ARBITER__MATCH__SEAT__INIT;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    snprintf(name, sizeof name, "Bot %u", seat + 1);
    holder.has_seat = holder.has_bot = holder.has_generation = holder.has_since = 1;
    holder.seat = seat;
    holder.name = called != NULL ? text_of(called) : name;
    holder.bot = 1;
    holder.generation = 1;
    holder.since = 1;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_SEAT;
    record.seat = &holder;
    return put(trace, &record);
}

bool trace_begin(struct trace *trace, const struct playing *playing)
{
    Arbiter__Match__Header header;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    uint8_t                commitment[COMMITMENT_BYTES];
    trace_header(&header, playing, commitment);
    record.kind_case = ARBITER__MATCH__RECORD__KIND_HEADER;
    record.header = &header;
    bool good = match_file_begin(trace->file.stream) && put(trace, &record);
    for (uint32_t seat = 0; seat < playing->table->seats && good; seat++)
        good = put_seat(trace, seat, playing->names[seat]);
    return good;
}

bool trace_act(struct trace *trace, const struct match_act *act)
{
    Arbiter__Match__Act    kept = ARBITER__MATCH__ACT__INIT;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    kept.has_number = kept.has_actor = kept.has_command = kept.has_body = 1;
    kept.number = act->number;
    kept.actor = act->actor;
    kept.command = data_of(act->command, act->command_size);
    kept.body = data_of(act->body, act->body_size);
    kept.has_chain = kept.has_epoch = 1;
    kept.chain = data_of(act->chain, sizeof act->chain);
    kept.epoch = 1;
    record.kind_case = ARBITER__MATCH__RECORD__KIND_ACT;
    record.act = &kept;
    return put(trace, &record);
}

static bool put_end(struct trace *trace, const struct playing *playing)
{
    Arbiter__Match__End    end = ARBITER__MATCH__END__INIT;
    Arbiter__Match__Record record = ARBITER__MATCH__RECORD__INIT;
    uint8_t                digest[MATCH_HASH_SIZE];
    int32_t                outcome[SEATS_MAX] = { 0 };
    bool                   over = playing_over(playing);
    match_digest(playing->match, digest);
    end.has_reason = end.has_acts = end.has_chain = end.has_digest = end.has_sealing_secret = 1;
    end.reason = over ? ARBITER__MATCH__END__REASON__REASON_FINISHED
                      : ARBITER__MATCH__END__REASON__REASON_ABORTED;
    end.acts = playing->match->number;
    end.chain = data_of(playing->match->chain, MATCH_HASH_SIZE);
    end.digest = data_of(digest, sizeof digest);
    end.sealing_secret = data_of(playing->secret, sizeof playing->secret);
    if (over) {
        match_outcome(playing->match, outcome);
        end.outcome = outcome;
        end.n_outcome = playing->table->seats;
    }
    if (strcmp(playing->rules.dice, "chacha") == 0) {
        end.has_dice_secret = 1;
        end.dice_secret = data_of(playing->house, sizeof playing->house);
    }
    record.kind_case = ARBITER__MATCH__RECORD__KIND_END;
    record.end = &end;
    return put(trace, &record);
}

bool trace_close(struct trace **trace, const struct playing *playing)
{
    struct trace *closing = *trace;
    bool          whole = playing != NULL && put_end(closing, playing);
    bool          good = half_file_close(&closing->file, whole);
    free(closing);
    *trace = NULL;
    return good && (whole || playing == NULL);
}

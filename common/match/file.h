/* file.h: a match as a file: written record by record, read without trusting a byte.
 *
 * proto/match.proto says what stands in it. The writer streams: it keeps nothing and can stop after
 * any act. The reader walks over bytes in memory and hands out one record at a time. It judges the
 * framing, the check, the shape of the fields, the order of the records and the numbers of the
 * acts. It names the act and the byte of every fault. It does not know what acts mean; replay.h
 * does. */
#ifndef ARBITER_MATCH_FILE_H
#define ARBITER_MATCH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "contract/match.pb-c.h"
#include "match/record.h"
#include "wire/arena.h"

/* A set-up or an act is far smaller; what claims more is refused unread. */
#define MATCH_RECORD_MAX (4u << 20)

/* Writing: first the magic, then records in their order. False: the stream failed, errno says why. */
bool match_file_begin(FILE *out);
bool match_file_put(FILE *out, const Arbiter__Match__Record *record);

enum match_file_step {
    MATCH_FILE_RECORD, /* `record` stands there until the next step.                            */
    MATCH_FILE_DONE,   /* The bytes are used up between two records.                            */
    MATCH_FILE_BAD,    /* `fault` says what is wrong and where.                                 */
};

struct match_file {
    const uint8_t                *bytes;
    size_t                        size;
    size_t                        at;        /* Next byte to read.                              */
    size_t                        record_at; /* Where `record` begins.                          */
    uint32_t                      kind;      /* Of the last record; 0: none yet.                */
    uint64_t                      acts;      /* Act records so far.                             */
    const Arbiter__Match__Record *record;
    struct arena                 *arena; /* The caller's; reset at every step.                  */
    struct text                   fault;
};

/* Places a reader over bytes its owner keeps. */
void                 match_file_open(struct match_file *file, const uint8_t *bytes, size_t size,
                                     struct arena *arena);
/* The next record. */
enum match_file_step match_file_next(struct match_file *file);
/* Whether the bytes begin as a match file does; what does not is none, and not a forged one either. */
bool                 match_file_is_one(const uint8_t *bytes, size_t size);
/* Whether a match file that begins with these bytes could go on behind them, judged by its magic
 * and the lengths of its records alone. If not, the reader finds the same fault in these bytes as
 * in the whole file. `at` is where it was left last time, 0 at first. */
bool                 match_file_goes_on(const uint8_t *bytes, size_t size, size_t *at);
/* Says that something is wrong at the present record; returns false, for the caller's return. */
bool                 match_file_fault(struct match_file *file, const char *what);

#endif

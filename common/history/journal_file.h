/* journal_file.h: a match's rows as the records of its file: the one place that makes a file of a journal. Pure.
 *
 * It reads nothing itself. Its owner makes the reads it asks for, one after the other, hands over their
 * rows, and is handed records in the order of proto/match.proto. What the journal holds is written as it
 * is: whether it is right is `arbiter verify`'s to say, which shares no line with this.
 *
 *     journal_file_open; while (journal_file_query(...)) { read: journal_file_row...; journal_file_done }
 *
 * Records have numbers, from 0, and an owner who wants them from some number on reads only acts from there. */
#ifndef ARBITER_JOURNAL_FILE_H
#define ARBITER_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/match.pb-c.h"
#include "match/match.h"
#include "schema/journal.h"

/* Room for the texts of a set-up and its options: they came in one message. */
#define JOURNAL_FILE_TEXTS (68u << 10)

/* In the order in which they are read. */
enum journal_file_part {
    FILE_MATCH,
    FILE_RESULT, /* Already now, because what is over may be told.                              */
    FILE_SETUP,  /* And the header is put.                                                       */
    FILE_SAID,   /* What the house said before the start: contributions; then they are put.      */
    FILE_SEATS,
    FILE_ACTS,
    FILE_WHOLE /* The end was put, if there is one.                                             */
};

/* What a seat gave to hosted dice. */
struct journal_given {
    bool    is_there, has_hash, has_revealed;
    uint8_t hash[32];
    uint8_t revealed[16];
};

/* What `results` says. */
struct journal_result {
    uint64_t acts;
    bool     is_aborted;
    uint32_t seats;
    int32_t  outcome[SEATS_MAX];
    uint8_t  chain[MATCH_HASH_SIZE], digest[MATCH_HASH_SIZE];
};

struct journal_file {
    uint8_t                id[MATCH_ID_SIZE];
    enum journal_file_part part;
    uint64_t               from;       /* The first record wanted.                              */
    uint32_t               acts_limit; /* Of one read of acts; 0: none. See journal_file_done.  */
    bool (*put)(void *taker, const Arbiter__Match__Record *record);
    void    *taker;
    uint64_t record;     /* The number of the next record.                                      */
    uint64_t act;        /* The number of the next act.                                        */
    uint32_t rows;       /* Of the read under way.                                             */
    bool     has_begun;  /* The start was seen among what the house said.                      */
    bool     is_stopped; /* Somebody wants no more of it: `put` has said so ...                */
    bool     is_wrong;   /* ... or a row is not what was written.                              */
    bool     is_there;   /* There is such a match.                                             */
    bool     is_over;    /* It has a result.                                                   */
    char     game[64], dice[16];
    char    *texts; /* The owner's: JOURNAL_FILE_TEXTS bytes.                                  */
    Arbiter__Match__Header     header;
    Arbiter__Wire__Contributor contributor[SEATS_MAX], *contributors[SEATS_MAX]; /* The header's. */
    uint8_t               setup[32], commitment[32], sealing[MATCH_SECRET_SIZE], dice_secret[32];
    struct journal_given  given[SEATS_MAX];
    struct journal_result result;
};

void journal_file_open(struct journal_file *file, const uint8_t id[MATCH_ID_SIZE], uint64_t from,
                       char *texts);
/* The read that is to be made now; false: there is nothing more to read. Its cells point into `file`. */
bool journal_file_query(const struct journal_file *file, struct query *query);
/* A row of it; false: no more rows of this read are wanted. */
bool journal_file_row(struct journal_file *file, const struct row *row);
/* The read is at its end. Acts are read once. Where their limit cut them short, or they were
 * stopped, the part stays FILE_ACTS and there is nothing more to read. Otherwise it becomes
 * FILE_WHOLE. */
void journal_file_done(struct journal_file *file);

#endif

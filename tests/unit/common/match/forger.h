/* forger.h: a match file taken apart into records, to be changed and written again. Every check and
 * chain is mended: what the best of forgers could do. For tests. */
#ifndef ARBITER_TEST_FORGER_H
#define ARBITER_TEST_FORGER_H

#include <stddef.h>
#include <stdint.h>

#include "match/verify.h"

#define FORGER_RECORDS_MAX 128

struct forger {
    Arbiter__Match__Record *record[FORGER_RECORDS_MAX]; /* Each of them malloc'ed throughout.     */
    uint32_t                count;
    uint32_t                spelled; /* The record written as `spelling` says; UINT32_MAX: none.  */
    /* Gets the record as it is written, returns how many bytes it is now; there is room for more. */
    size_t (*spelling)(uint8_t *bytes, size_t size);
};

void                    forger_take(struct forger *forger, const uint8_t *bytes, size_t size);
/* The nth record of a kind; fails the test if there is none. */
Arbiter__Match__Record *forger_find(struct forger *forger, Arbiter__Match__Record__KindCase kind,
                                    uint32_t nth);
Arbiter__Match__Header *forger_header(struct forger *forger);
Arbiter__Match__Act    *forger_act(struct forger *forger, uint32_t nth);
Arbiter__Match__Seat   *forger_seat(struct forger *forger, uint32_t nth);
Arbiter__Match__End    *forger_end(struct forger *forger);
/* Makes every chain right again for what now stands in the records. */
void                    forger_mend(struct forger *forger);
/* The file, each record with a right check; to be freed. The records are gone. */
uint8_t                *forger_write(struct forger *forger, size_t *size);

/* Parts of records: all of them copies. */
ProtobufCBinaryData     forger_copy(const void *bytes, size_t size);
char                   *forger_text(const char *text);
Arbiter__Match__Record *forger_add(struct forger *forger, Arbiter__Match__Record__KindCase kind,
                                   const ProtobufCMessageDescriptor *descriptor);

/* Where a record's message stands; takes a record out, puts it in once more behind itself, swaps it with
 * the next. */
uint32_t forger_place(const struct forger *forger, const void *message);
void     forger_drop(struct forger *forger, uint32_t place);
void     forger_repeat(struct forger *forger, uint32_t place);
void     forger_swap(struct forger *forger, uint32_t place);

/* Mends, writes and verifies. */
void forger_verify(struct forger *forger, struct verify_report *report);

/* One thing changed in the match of forger_play, and what must be found. */
struct forgery {
    const char *what;
    void (*forge)(void);
    const char *found;
};
void forger_each_found(struct forger *forger, const struct forgery *rows, size_t count);

/* A match of nim as an engine keeps it, as records. Its dice are hosted: two of three seats were
 * asked to contribute, and one of these two fell silent. There are requests in sessions, and a seat
 * that changed hands. The secrets are shown with the last act. FORGER_* are the places of what
 * there is one of. */
void forger_play(struct forger *forger);
/* The same in a match of this version of the protocol: from 2 on the header says that the first seat makes its own
 * bytes, and a gateway those of the second. */
void forger_play_as(struct forger *forger, uint32_t protocol);
enum {
    FORGER_HASHED = 1,
    FORGER_REVEALED = 3,
    FORGER_SILENT = 4,
    FORGER_START = 5,
    FORGER_HANDS = 8
};

/* A match of treasure that began and was ended by the house, as its rules end it. */
void forger_annul(struct forger *forger);

#endif

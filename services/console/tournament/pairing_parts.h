/* pairing_parts.h: how the files of a tournament's game call each other. */
#ifndef ARBITER_PAIRING_PARTS_H
#define ARBITER_PAIRING_PARTS_H

#include "services/console/tournament/door_plain.h"
#include "services/console/tournament/door_rest.h"
#include "services/console/tournament/pairing.h"
#include "services/console/trial/trace.h"

#define PAIRING_MESSAGE_BYTES ((size_t) 1 << 20)

/* A seat whose entrant is a program. */
struct pairing_seat {
    struct contestant_run run;
    struct door_rest     *rest;  /* NULL: it comes by another door. */
    struct door_plain    *plain; /* The same.                       */
};

struct pairing {
    const struct pairing_terms     *terms;
    const struct contestant *const *entrants;
    struct pairing_result          *result;
    struct playing                  playing;
    struct policy                   policy[2]; /* Of a program: for what is legal, and proposals. */
    void                           *memory[2];
    struct pairing_seat             seat[SEATS_MAX];
    uint8_t                        *bytes;
    struct arena                    arena;
    struct trace                   *trace; /* NULL: no match file is written. */
    bool                            swapped;
};

/* The entrant who sits there. */
static inline uint32_t pairing_entrant(const struct pairing *pairing, uint32_t seat)
{
    return (seat + pairing->swapped) % 2;
}

/* pairing_trace.c: its match file, if one is wanted. Of a game that does not count nothing stays. */
void pairing_open_trace(struct pairing *pairing);
void pairing_put_trace(struct pairing *pairing);
void pairing_close_trace(struct pairing *pairing);

/* pairing_ask.c: programs, whatever door they come by. */
/* Opens a seat's door and starts its program, which is told where it is. */
void     pairing_open_seat(struct pairing *pairing, uint32_t seat);
/* What the program at `*seat` wants to do. By HTTP another program may have lost meanwhile; then
 * `*seat` becomes its seat. False: it forfeits, and why. */
bool     pairing_ask(struct pairing *pairing, uint32_t *seat, struct command *command,
                     const char **why);
/* What it said was refused; true: it may say something better. */
bool     pairing_refuse(struct pairing *pairing, uint32_t seat, verdict no);
/* Everybody is told of the last act. */
void     pairing_tell(struct pairing *pairing);
/* It is over: programs are told how, have a moment to hear it, and are ended. */
void     pairing_close_seats(struct pairing *pairing);
uint64_t pairing_slowest_ms(const struct pairing_seat *seat);

#endif

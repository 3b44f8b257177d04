/* record.h: what a player was promised and told, one line each, for the oracle to judge afterwards.
 *
 *     TIME play MATCH SEAT NUMBER COMMAND      asked for; NUMBER tells the seat's commands apart
 *     TIME accepted MATCH SEAT NUMBER ACT      it became this act
 *     TIME refused MATCH SEAT NUMBER REASON    it was not played
 *     TIME unsure MATCH SEAT NUMBER ACT        it may have been
 *     TIME look MATCH SEAT NUMBER -            asked what the seat may do
 *     TIME seen MATCH SEAT NUMBER ACT          it may do this, as the match stands at this act
 *     TIME attached MATCH SEAT ACT             a view at this act; acts are told from the first on
 *     TIME act MATCH SEAT NUMBER ACTOR HASH    the seat was told this act; SHA-256 of its body
 *     TIME over|lost|fault MATCH SEAT NUMBER WHY
 *     TIME begun|left TABLE MATCH              a table and the match that began there; it was left
 *     TIME asked|answered NUMBER WHAT          of the lobby
 *
 * Times are milliseconds of the machine's monotonic clock: of what is asked before it goes, of what is told
 * when it is there. Ids and bytes are hexadecimal, "-" for none. */
#ifndef ARBITER_FLEET_RECORD_H
#define ARBITER_FLEET_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool     record_open(const char *path);
/* Writes everything out; false: the record is not whole. */
bool     record_close(void);
void     record_flush(void);
uint64_t record_now_ms(void);

/* One line: a word, a match (or table) of 16 bytes, its seat, two numbers. */
void record_line(const char *what, const uint8_t *id, uint32_t seat, uint64_t number,
                 uint64_t more);
/* The same, with bytes behind it, of something that began at this time. */
void record_bytes(uint64_t at_ms, const char *what, const uint8_t *id, uint32_t seat,
                  uint64_t number, const uint8_t *bytes, size_t size);
void record_act(const uint8_t *id, uint32_t seat, uint64_t number, uint32_t actor,
                const uint8_t *body, size_t size);
/* A line of words that the caller makes. */
void record_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

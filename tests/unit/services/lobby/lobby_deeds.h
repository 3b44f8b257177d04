/* lobby_deeds.h: what those do who look after the house, in one line each. */
#ifndef ARBITER_LOBBY_DEEDS_H
#define ARBITER_LOBBY_DEEDS_H

#include "services/lobby/lobby_party.h"

/* A text of the test's, as a message wants it. */
char                         *party_word(const char *text);
/* Each names why, as `expected` says it is judged. */
const Arbiter__Lobby__Answer *party_bans(struct person *person, const char *name, bool is_banned,
                                         uint64_t until_ms, uint32_t expected);
const Arbiter__Lobby__Answer *party_mutes(struct person *person, const char *name, bool is_muted,
                                          uint64_t until_ms, uint32_t expected);
const Arbiter__Lobby__Answer *party_forgets(struct person *person, const char *name,
                                            uint32_t expected);
const Arbiter__Lobby__Answer *party_aborts(struct person *person, uint32_t expected);
const Arbiter__Lobby__Answer *party_announces(struct person *person, const char *text,
                                              uint64_t stop_ms, uint32_t expected);
const Arbiter__Lobby__Answer *party_drains(struct person *person, uint32_t expected);
const Arbiter__Lobby__Answer *party_admits(struct person *person, uint8_t number, bool is_helper,
                                           uint32_t expected);
/* The newest deeds below `before` (0: all), at most `limit` (0: as many as there may be), done since then. */
const Arbiter__Lobby__Audit  *party_audit_of(struct person *person, uint64_t before, uint32_t limit,
                                             uint64_t since_ms);
const Arbiter__Lobby__Audit  *party_audit(void);
/* Eva at the page, with a token of the operator's or of a helper. */
struct person                 party_at_the_page(bool is_helper);

#endif

/* live.h: a house of real processes: lobby, engine, fanout, and one client for each who speaks.
 *
 * It is a client like any other, many times over. It is an impatient watchdog as well: it sends an
 * Expire when the recording says so, not when time is up. Accounts are kept from table to table,
 * because a name belongs to one key for ever. */
#ifndef ARBITER_LIVE_H
#define ARBITER_LIVE_H

#include "games/house_conform.h"
#include "games/registry.h"
#include "services/console/home/home.h"

/* A house in the cluster that runs in this home, for one game. NULL, and a sentence. What does not come within
 * `patience_s` will not come: that is said once, and from then on the house answers nothing. */
struct house *live_house_open(const struct home *home, const struct game_wire *wire,
                              double patience_s, struct text *fault);
bool          live_house_is_silent(const struct house *house);
void          live_house_close(struct house **house);

#endif

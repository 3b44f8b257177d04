/* rights.h: which role may say which message at which door, and subscribe to what. Pure.
 *
 * One table. The shell asks it about every message, by the role that the sender's proved key has at
 * that moment: the handshake's check happened only once. */
#ifndef ARBITER_RIGHTS_H
#define ARBITER_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a caller of this role (directory.Role) may say this kind (wire.Kind) to a service. Answers and
 * frames that come over connections one opened oneself are not asked about: their key is the one that
 * was connected to. */
bool rights_may_say(uint32_t role, uint16_t kind);
/* Whether it may subscribe to a topic of so many bytes. A whole slot (1 byte) is for relays. One
 * match or the service's own news (17 bytes) is for all. Everything (0) is for nobody. */
bool rights_may_subscribe(uint32_t role, size_t size);

#endif

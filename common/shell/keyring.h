/* keyring.h: the keys of a role, of which each process takes one that no other process has.
 *
 * So replicas of a service start with the same command line, and yet each has its own key and name.
 * The folder holds fanout-1.key, fanout-2.key, ...; the process that takes fanout-2.key is called
 * fanout-2. A process that dies loses its lock, and the next process takes over its key and name.
 *
 * A lock keeps processes of one machine apart. Where replicas run on several machines, name each
 * machine (container, pod) like a key: the process then takes this key. It comes from a folder, or
 * from a ring: one file with all keys of a role, for systems whose secrets are files. */
#ifndef ARBITER_SHELL_KEYRING_H
#define ARBITER_SHELL_KEYRING_H

#include <stdbool.h>

#include "base/text.h"
#include "bus/keys.h"
#include "core/peers.h"

#define KEYRING_PATH_MAX 1024
#define KEYRING_LOBBY "lobby.pub" /* The lobby's public key, a line of text, beside the others.   */

struct keyring {
    char path[KEYRING_PATH_MAX]; /* Of the key that was taken ...                                 */
    char name[PEER_NAME_MAX];    /* ... and what its holder is called.                            */
    int  lock;                   /* Held while the process lives; 0: none.                        */
    bool is_ring;                /* The path is a file of several keys (bus_keys_pick).           */
};

/* Takes the key that is called like this machine, or else, of a folder, the first in the order of their numbers that
 * nobody holds. False, and a sentence. */
bool keyring_take(struct keyring *keyring, const char *place, struct text *fault);
void keyring_give_back(struct keyring *keyring);
/* The lobby's public key, as text. False, and a sentence. */
bool keyring_lobby(const struct keyring *keyring, char key[BUS_KEY_TEXT], const char *place,
                   struct text *fault);

#endif

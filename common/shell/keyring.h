/* keyring.h: the keys of a role, of which each process takes one that no other process has.
 *
 * So replicas of a service are started with the same words, and yet each has a key and a name of its own:
 * the folder holds fanout-1.key, fanout-2.key, ..., and whoever takes fanout-2.key is called fanout-2. Who
 * dies loses his lock with his life, and the next one is who he was.
 *
 * A lock keeps processes of one machine apart. Where replicas run on several, whoever starts them gives each machine
 * (container, pod) the name of a key: that one is taken, out of a folder that has it, or out of a ring, which is one
 * file with all keys of a role, as secrets are files. */
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

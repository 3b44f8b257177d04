/* keyring.h: a folder of keys, of which each process of a role takes one that no other process has.
 *
 * So replicas of a service are started with the same words, and yet each has a key and a name of its own:
 * the folder holds fanout-1.key, fanout-2.key, ..., and whoever takes fanout-2.key is called fanout-2. Who
 * dies loses his lock with his life, and the next one is who he was. */
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
};

/* Takes the first key, in the order of their numbers, that nobody holds. False, and a sentence. */
bool keyring_take(struct keyring *keyring, const char *folder, struct text *fault);
void keyring_give_back(struct keyring *keyring);
/* The lobby's public key, as text. False, and a sentence. */
bool keyring_lobby(char key[BUS_KEY_TEXT], const char *folder, struct text *fault);

#endif

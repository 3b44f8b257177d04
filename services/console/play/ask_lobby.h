/* ask_lobby.h: one ask of the lobby, and its word on it, waited for. */
#ifndef ARBITER_ASK_LOBBY_H
#define ARBITER_ASK_LOBBY_H

#include "client/client.h"
#include "contract/lobby.pb-c.h"

/* A console_exit: CONSOLE_OK if it is done. Else it has been said why: a refusal as "`refusal`: " and the
 * lobby's sentence. */
int ask_lobby(struct client *client, const Arbiter__Lobby__Ask *ask, const char *refusal);
/* The same; where it is done, `take` is shown the answer. */
int ask_lobby_for(struct client *client, const Arbiter__Lobby__Ask *ask, const char *refusal,
                  void (*take)(void *taker, const Arbiter__Lobby__Answer *answer), void *taker);

#endif

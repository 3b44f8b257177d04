/* plain.h: who is who at the plain door, and what the rules leave for others to say. Pure.
 *
 * A connection that has said something becomes a player. Connections that were not accepted yet
 * share one player, the spare one, because only one of them speaks at a time. So strangers cost one
 * player, however many knock. A player belongs to its connection to the end: a connection that
 * breaks cannot be told from another one that comes later. */
#ifndef ARBITER_GATEWAY_PLAIN_H
#define ARBITER_GATEWAY_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/registry.h"

#define PLAIN_ID_SIZE 16
#define PLAIN_NAME_MAX 255
#define PLAIN_PLAYERS_MAX (SEATS_MAX + 1) /* And the spare one. */
#define PLAIN_NO_SEAT UINT32_MAX

#define PLAIN_QUESTION_MAX 32

struct plain_player {
    uint8_t  id[PLAIN_ID_SIZE]; /* As the lobby knows it. */
    bool     is_owned;          /* Something was accepted: it belongs to `route` for good. */
    bool     is_spoken;         /* `route` is speaking through it at this moment. */
    bool     is_deaf;           /* Is told nothing more: it left, has gone, or does not read. */
    bool     has_left; /* And says nothing more.                                               */
    bool     is_attached;
    uint32_t seat; /* PLAIN_NO_SEAT: none.                                                     */
    uint64_t route;
    char     name[PLAIN_NAME_MAX + 1];
    uint8_t  asked[PLAIN_QUESTION_MAX]; /* The question it was told last ... */
    size_t   asked_size;                /* ... and that is still open; 0: none. */
};

struct plain {
    const struct game_wire *wire;
    struct plain_player     player[PLAIN_PLAYERS_MAX];
    uint32_t                count;
};

void                 plain_init(struct plain *plain, const struct game_wire *wire);
/* One more player, whom the lobby will know by this id; NULL: there are enough. */
struct plain_player *plain_add(struct plain *plain, const uint8_t id[PLAIN_ID_SIZE]);
/* Whose connection, id or seat this is; a client that is nobody's yet. NULL: nobody. */
struct plain_player *plain_of_route(struct plain *plain, uint64_t route);
struct plain_player *plain_of_id(struct plain *plain, const uint8_t id[PLAIN_ID_SIZE]);
struct plain_player *plain_of_seat(struct plain *plain, uint32_t seat);
struct plain_player *plain_spare(struct plain *plain);
/* Whether it is to be told anything. */
bool                 plain_hears(const struct plain_player *player);
/* Takes a name; false: it is too long. */
bool                 plain_call(struct plain_player *player, const char *name, size_t size);

/* The name under which a Command registers its sender: the text of a command called `register`. False:
 * it is no such command. */
bool   plain_find_name(const struct game_wire *wire, const uint8_t *command, size_t size,
                       const char **name, size_t *name_size);
/* An Event with all that rules leave out. These are `player_name` beside `player`, the set-up's
 * text as `config`, if there is one, and why a command failed as `message`. Writes it to `to` and
 * returns its size; 0: it does not fit, or is none. */
size_t plain_complete(struct plain *plain, const uint8_t *event, size_t size, const char *setup,
                      uint8_t *to, size_t capacity);
/* The Event `config` with the set-up's text, which whoever registers is sent first; 0: the game has none. */
size_t plain_config(struct plain *plain, const char *setup, uint8_t *to, size_t capacity);
/* Whether this Event is said to one player alone: a question, or that something failed. */
bool plain_is_for_one(const struct plain *plain, const uint8_t *event, size_t size, uint32_t *seat);
/* Keeps in mind what this player is asked, by an Event that it hears of. */
void plain_follow(const struct plain *plain, struct plain_player *player, const uint8_t *event,
                  size_t size);
/* Whether this Event of the rules says that this player's time ran out, and that nothing changed. */
bool plain_is_late(const struct plain *plain, const struct plain_player *player,
                   const uint8_t *event, size_t size);
/* The Event `command_failed` with this sentence, where the game has one; 0: it has none. `seat`: whose
 * command it was, or PLAIN_NO_SEAT. */
size_t plain_failure(const struct plain *plain, uint32_t seat, const char *sentence, uint8_t *to,
                     size_t capacity);
/* Whether this Event, called `left`, says that the player has left: the last one it hears. */
bool   plain_is_last(const struct plain *plain, const struct plain_player *player,
                     const uint8_t *event, size_t size);

#endif

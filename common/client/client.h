/* client.h: how a program takes part: everything a bot, a gateway or a person's own program needs.
 *
 *     struct client *client = client_open(&settings, fault, sizeof fault);
 *     client_bind_name(client, "Ada");
 *     client_quick_play(client, "nim", NULL);
 *     while (client_next(client, -1, &event))
 *         if (event.kind == CLIENT_ATTACHED || event.kind == CLIENT_ACT)
 *             ... look, and client_play(client, event.match_id, event.seat, &command) ...
 *
 * There is no thread: whatever is to be done is done inside client_next. Calls do not wait; they
 * return the number that the answer's event repeats, or 0 if that cannot be asked for now. A
 * program that loses the lobby, an engine or a fanout loses nothing. The library finds another one,
 * asks again, fills every hole and checks the chain over every act. client_event.h says what is
 * told, and in which order.
 *
 * The library attaches a seat when its match begins, contributes to hosted dice, and opens boxes,
 * all by itself. Messages are told as bytes that are valid; client_message unpacks them, and for
 * games this build knows client_words and client_happening give the rules' own words. */
#ifndef ARBITER_CLIENT_H
#define ARBITER_CLIENT_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_event.h"
#include "rules/command.h"
#include "rules/legal.h"
#include "rules/word.h"
#include "wire/act_read.h"

struct client;
struct game_wire; /* games/registry.h */

/* All that must be known. Strings are the caller's; they are not needed after client_open. */
struct client_settings {
    const char *lobby; /* "tcp://host:port" of the lobby's requests ...                      */
    const char *lobby_stream; /* ... and of its stream. */
    const char *lobby_key;    /* Its public key: 40 characters (Z85).                   */
    const char *key_file;     /* Our own (bus/keys.h), which the operator admitted.           */
    const char *name;      /* For people; left out: "client".                                   */
    uint32_t    role;      /* directory.Role; 0: ROLE_CLIENT.                                     */
    uint32_t    seats_max; /* Seats attached at a time; 0: 16.                                  */
    bool        from_start; /* A match is told from act 1 on, though its view stands further on. */
    bool follows; /* CLIENT_VIEW and CLIENT_LEGAL come behind acts, unasked, with `request` 0. They
                          * may be lost, and an engine of version 1 sends none: then ask.           */
    /* Makes the bytes that a seat gives for hosted dice; NULL: the library makes them from our key.
     * It may be called often. For the same match, seat and commitment it must always make the same
     * ones, also when the program has started anew: first their hash is posted, later they are. */
    void (*own_bytes)(void *own, const uint8_t match_id[CLIENT_ID_SIZE], uint32_t seat,
                      const uint8_t commitment[CLIENT_KEY_SIZE], uint8_t bytes[CLIENT_DICE_BYTES]);
    void *own; /* Whatever own_bytes wants. */
};

/* NULL: `fault` says why not. Nobody needs to be there yet. */
struct client *client_open(const struct client_settings *settings, char *fault, size_t fault_max);
void           client_close(struct client **client);

/* The next event; waits for it at most so long (-1: for ever, 0: not at all). False: there was none in
 * that time, and event->kind is CLIENT_NOTHING. */
bool client_next(struct client *client, int timeout_ms, struct client_event *event);
/* Waits, at most so long, until client_next has something or one of these files can be read, for programs
 * that wait for other things too. */
void client_wait(struct client *client, const int *files, size_t count, int timeout_ms);

/* Before a match. A table's id is 16 bytes; a code or name is text. NULL and 0: left out. */
uint32_t client_bind_name(struct client *client, const char *name);
uint32_t client_list_tables(struct client *client, const char *game);

struct client_table {
    const char    *game;       /* "dead".                                                         */
    const char    *setup_name; /* One that comes with the game ...                                */
    const char    *setup;   /* ... or one's own, JSON text.                                     */
    const char    *options; /* What the game lets a table say beside it, JSON text.             */
    uint32_t       seats;   /* 0: as many as may sit.                                          */
    uint64_t       turn_ms; /* Time for each wait; 0: for ever.                                */
    const int64_t *seed;    /* Open dice from this seed; NULL: hosted dice.                     */
    bool           is_private; /* Joined by its code only.                                       */
    bool           is_closed;  /* Nobody may watch.                                               */
    bool           not_seated; /* Who opens it does not play.                                     */
};
uint32_t client_create_table(struct client *client, const struct client_table *table);
uint32_t client_join_table(struct client *client, const uint8_t *table, const char *code);
uint32_t client_quick_play(struct client *client, const char *game, const char *setup_name);
uint32_t client_rejoin(
    struct client *client); /* Every seat one holds, in matches that go on.      */
uint32_t client_spectate(struct client *client, const uint8_t *table, const char *code);
uint32_t client_leave_table(struct client *client, const uint8_t *table);
uint32_t client_start_table(struct client *client, const uint8_t *table);
uint32_t client_fill_with_bots(struct client *client, const uint8_t *table, uint32_t count,
                               const char *policy);
uint32_t client_chat(struct client *client, const uint8_t *table, const char *text);
/* A command of the game's registration, at the table: words, or bytes of the game's Command. */
uint32_t client_say(struct client *client, const uint8_t *table, const char *game,
                    const struct command *command);
uint32_t client_say_bytes(struct client *client, const uint8_t *table, const uint8_t *command,
                          size_t size);
/* Anything else lobby.proto has: an Arbiter__Lobby__Ask. */
uint32_t client_ask(struct client *client, const ProtobufCMessage *ask);

/* In a match. */
bool client_attach(struct client *client, const uint8_t *match_id, uint32_t seat, const char *code);
/* A gateway's, for one of its players: an Arbiter__Wire__SignedTicket, asked of the lobby by AskTicket. */
bool client_attach_for(struct client *client, const uint8_t *match_id, uint32_t seat,
                       const ProtobufCMessage *ticket);
void client_detach(struct client *client, const uint8_t *match_id, uint32_t seat);
uint32_t client_play(struct client *client, const uint8_t *match_id, uint32_t seat,
                     const struct command *command);
uint32_t client_play_bytes(struct client *client, const uint8_t *match_id, uint32_t seat,
                           const uint8_t *command, size_t size);
/* The match as the seat, or who watches, may see it behind the last act that was told: CLIENT_VIEW. (A
 * match that has not begun when its seats are attached shows its first view only so.) */
uint32_t client_look(struct client *client, const uint8_t *match_id, uint32_t seat);
/* What the seat may do now. CLIENT_LEGAL brings the list, if `best` the command a greedy player would
 * choose, and of an open kind one that is drawn from `luck`. */
uint32_t client_legal(struct client *client, const uint8_t *match_id, uint32_t seat, uint64_t luck,
                      bool best);
/* A finished match as a file, in pieces: CLIENT_FILE. `code`: a private table's, or NULL. */
uint32_t client_file(struct client *client, const uint8_t *match_id, const char *code);

/* Reading an event. All of it lives until the next client_next. */

/* The message an event brings, unpacked: client_event.h says of which kind; NULL: it brings none. */
const ProtobufCMessage *client_message(struct client *client, const struct client_event *event);

/* The game of the event's match, if this build knows it. */
const struct game_wire *client_game(const struct client *client, const struct client_event *event);
/* The words of a view (CLIENT_ATTACHED, CLIENT_VIEW); NULL: the game is not known, or dice are made
 * first. */
const word *client_view(struct client *client, const struct client_event *event, uint32_t *count);
/* The list of a CLIENT_LEGAL; false: it brings none. */
bool client_list(struct client *client, const struct client_event *event, struct legal *list);
/* A game's Command as words; false: it is none, or the game is not known. */
bool client_command(struct client *client, const struct client_event *event, const uint8_t *bytes,
                    size_t size, struct command *command);

/* One thing that happened in an act, in order, private ones among the public ones. */
struct client_happening {
    bool is_house;   /* `bytes` are a stream.HouseEvent, else an Event of the game.         */
    bool is_private; /* Nobody else was told.                                           */
    const uint8_t *bytes;
    size_t         size;
    uint32_t       kind;  /* Of the game's event; 0: the game is not known.                      */
    const word    *words; /* Its fields.                                                          */
    uint32_t       count;
};
/* for (r = client_read_act(client, &event); client_happening(client, &r, &happening);) ... */
struct client_act {
    struct act_reader       reader;
    const struct game_wire *game;
    bool                    is_open;
};
struct client_act client_read_act(struct client *client, const struct client_event *event);
bool              client_happening(struct client *client, struct client_act *act,
                                   struct client_happening *happening);

#endif

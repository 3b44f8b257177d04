/* rest_parts.h: how the files of the 2017 door call each other. */
#ifndef ARBITER_GATEWAY_REST_PARTS_H
#define ARBITER_GATEWAY_REST_PARTS_H

#include "services/gateway/rest/rest.h"

/* rest_say.c: what a player may say next is said, what can be answered is answered. */
void     rest_pump(const struct rest_turn *turn, struct rest_player *player);
/* The same for the other player of the match. */
void     rest_pump_mate(const struct rest_turn *turn, const struct rest_player *player);
void     rest_answer_joined(const struct rest_turn *turn, struct rest_player *player);
/* Since when its slowness counts: until its turn it waits for the other player. */
uint64_t rest_came_of(const struct rest_turn *turn, const struct rest_player *player,
                      const struct rest_held *held);
/* Whether the half that came last is the first one. */
bool     rest_half_is_first(const struct rest_player *player);

/* rest_door.c: it is over for this player: every request that waits is answered. */
void rest_finish(const struct rest_turn *turn, struct rest_player *player);

/* rest_enter.c: registration, one after the other. */
void rest_enter(const struct rest_turn *turn, uint64_t route, const Arbiter__Gateway__RestAsk *ask);
void rest_enter_next(const struct rest_turn *turn);
/* What became of what a player who registers asked for. */
void rest_entered(const struct rest_turn *turn, struct rest_player *player, bool is_done,
                  const struct client_event *event);
void rest_free(const struct rest_turn *turn, struct rest_player *player);
/* A program that waits for its id has hung up or closed its side. It may leave the queue. Whoever
 * was told it had gone. */
void rest_leave(const struct rest_turn *turn, struct rest_player *player, bool is_half);
void rest_leave_queue(const struct rest_turn *turn, struct rest_player *player);
void rest_unheard(const struct rest_turn *turn, struct rest_player *player);
/* Whether the player waits for another one, and none is about to sit down. */
bool rest_is_alone(const struct rest_turn *turn, const struct rest_player *player);
/* A player who waits alone and whose program has crashed, as far as can be seen, waits no longer. Nobody
 * has lost. */
void rest_leave_silent(const struct rest_turn *turn, struct rest_player *player);
/* Back at the table at which the player waited before this process began. */
void rest_rejoin(const struct rest_turn *turn, struct rest_player *player);
void rest_rejoined(const struct rest_turn *turn, struct rest_player *player,
                   const struct client_event *event);
/* The row in the store is out of date. */
void rest_changed(const struct rest_turn *turn, struct rest_player *player);

/* rest_answer.c: answers. `route` 0: nobody waits. */
void rest_answer_problem(const struct rest_turn *turn, uint64_t route,
                         const struct rest_player *player);
/* For an unknown player; the dialect is the request's. */
void rest_answer_stranger(const struct rest_turn *turn, uint64_t route,
                          const Arbiter__Gateway__RestAsk *ask, bool is_busy);
/* Tells the id to the program that waits for it. */
void rest_answer_id(const struct rest_turn *turn, struct rest_player *player);
/* The map, or, if `is_null`, that there is none for this player. */
void rest_answer_map(const struct rest_turn *turn, uint64_t route, const struct rest_player *player,
                     bool is_null);
void rest_answer_update(const struct rest_turn *turn, uint64_t route,
                        const struct rest_player *player);
/* A request's place as the house counts. */
void rest_place_in(const struct rest *rest, const struct rest_player *player, int32_t x, int32_t y,
                   int32_t place[2]);

/* rest_told.c: the player's match begins. */
struct rest_table_news;
void rest_begins(const struct rest_turn *turn, struct rest_player *player,
                 const struct rest_table_news *news);

/* rest_game.c: an act of the game, as this player sees it. */
void rest_read_act(const struct rest_turn *turn, struct rest_player *player,
                   const struct client_event *event);
/* One event of the game: also at the table, before the match. */
void rest_read_event(const struct rest_turn *turn, struct rest_player *player, const uint8_t *bytes,
                     size_t size);

/* rest_house.c: what the lobby and the engine are asked, and what they say, as bytes. */
#define REST_ASK_MAX 512 /* Without what it carries. */
/* rest_sources.c: whether the address of who asks has as many players here as it may. */
bool   rest_is_too_many(const struct rest *rest, const Arbiter__Gateway__RestAsk *ask);
void   rest_is_from(struct rest_player *player, const Arbiter__Gateway__RestAsk *ask);
/* Behind any ask of the lobby: where the player is from. */
size_t rest_ask_from(uint8_t *bytes, size_t size, const struct rest_player *player,
                     const struct client_core *client);
size_t rest_ask_bind(uint8_t *to, const uint8_t *player);
size_t rest_ask_create(uint8_t *to, const uint8_t *player, const struct rest_settings *settings);
size_t rest_ask_join(uint8_t *to, const uint8_t *player, const uint8_t *table, const char *code);
size_t rest_ask_leave(uint8_t *to, const uint8_t *player, const uint8_t *table);
size_t rest_ask_say(uint8_t *to, const uint8_t *player, const uint8_t *table,
                    const uint8_t *command, size_t size);
/* The same for a Register, with the way to number the player. */
size_t rest_ask_register(uint8_t *to, const struct rest *rest, const struct rest_player *player,
                         const uint8_t *command, size_t size);
size_t rest_ask_table(uint8_t *to, const uint8_t *player, const uint8_t *table);
size_t rest_ask_fill(uint8_t *to, const uint8_t *player, const uint8_t *table, uint32_t level);
size_t rest_ask_ticket(uint8_t *to, const uint8_t *player);

size_t rest_command_register(uint8_t *to, const struct rest_player *player);
size_t rest_command_half(uint8_t *to, uint64_t think_ms, const char *half, size_t size);
size_t rest_command_update(uint8_t *to, uint64_t think_ms, const struct rest_held *update);
/* `is_half`: it came where halves do, and is no action. */
size_t rest_command_malformed(uint8_t *to, uint64_t think_ms, bool is_half);

/* A lobby.Answer. */
struct rest_news {
    bool           is_done;
    uint32_t       verdict;     /* Of lobby.Verdict; 0: it does not say. */
    const uint8_t *table;       /* 16 bytes; NULL: none. */
    const uint8_t *table_bytes; /* All that is said of it.                                        */
    size_t         table_size;
    const char *code; /* Its own; NULL: none.                                                    */
    size_t      code_size;
    const uint8_t *ticket, *signature;
    size_t         ticket_size, signature_size;
    const char    *sentence; /* Why not; NULL: nothing was said. */
    size_t         sentence_size;
    int32_t number; /* By which whoever registered is known; 0: none was said.                 */
};
void rest_read_answer(const uint8_t *bytes, size_t size, struct rest_news *news);

/* A lobby.TableEvent, or a lobby.Table, as far as it concerns this player. */
enum rest_table {
    REST_TABLE_OTHER,
    REST_TABLE_SAID,
    REST_TABLE_BEGINS,
    REST_TABLE_ENDED,
    REST_TABLE_CLOSED
};
struct rest_table_news {
    enum rest_table kind;
    bool            is_seated;
    const uint8_t  *event; /* Said: of the game. */
    size_t          event_size;
    const uint8_t  *match_id; /* Begins. */
    uint32_t        seat;
    int32_t         number; /* The player's own, at this seat; 0: it is not said. */
};
void rest_read_table(const uint8_t *bytes, size_t size, const uint8_t *player,
                     struct rest_table_news *news);
void rest_read_table_now(const uint8_t *bytes, size_t size, const uint8_t *player,
                         struct rest_table_news *news);

#endif

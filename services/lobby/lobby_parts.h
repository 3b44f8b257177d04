/* lobby_parts.h: how the lobby's files call each other. */
#ifndef ARBITER_LOBBY_PARTS_H
#define ARBITER_LOBBY_PARTS_H

#include "services/lobby/lobby_state.h"

/* An ask on its way through the lobby, and what is going to be answered. */
struct asking {
    const struct event        *event;
    const Arbiter__Lobby__Ask *ask;
    struct outbox             *out;
    uint32_t                   key; /* Whose it is,                                             */
    uint32_t    player;             /* and who speaks; NOBODY: he has no name yet.              */
    uint32_t    verdict;
    uint32_t    detail, game; /* VERDICT_RULES.                                     */
    const char *sentence;     /* NULL: the verdict's own.                           */
    uint32_t    answer;       /* Which of Answer's kinds goes with it.              */
    uint32_t    table;        /* The table it shows.                                */
    uint64_t    number;
    void       *list; /* Players, Results, Tables: made already.                    */
};

/* lobby_undo.c: touching records. */
void                     *lobby_touch(struct lobby *lobby, enum record kind, uint32_t place);
void                      undo_step_begin(struct lobby *lobby);
void                      undo_step_end(struct lobby *lobby, struct outbox *out);
void                      undo_batch(struct lobby *lobby);
void                      lobby_undo_forget(struct lobby *lobby);
static inline struct key *touch_key(struct lobby *lobby, uint32_t place)
{
    return lobby_touch(lobby, RECORD_KEY, place);
}
static inline struct player *touch_player(struct lobby *lobby, uint32_t place)
{
    return lobby_touch(lobby, RECORD_PLAYER, place);
}
static inline struct table *touch_table(struct lobby *lobby, uint32_t place)
{
    return lobby_touch(lobby, RECORD_TABLE, place);
}

/* lobby_find.c: finding records, and making ids. */
uint32_t find_key(const struct lobby *lobby, const uint8_t key[CALLER_KEY_SIZE]);
uint32_t find_player(const struct lobby *lobby, const uint8_t *id, size_t size);
uint32_t find_name(const struct lobby *lobby, const char *name);
uint32_t find_table(const struct lobby *lobby, const uint8_t *id, size_t size);
uint32_t find_code(const struct lobby *lobby, const char *code);
uint32_t find_match(const struct lobby *lobby, const uint8_t id[ID_SIZE]);
void     remember_key(struct lobby *lobby, uint32_t place);
void     remember_player(struct lobby *lobby, uint32_t place);
void     remember_table(struct lobby *lobby, uint32_t place);
void  remember_all(struct lobby *lobby); /* Anew: after a start, an undo, or when full.           */
void  draw_id(struct lobby *lobby, uint8_t id[ID_SIZE]);
bool  same_id(const uint8_t *one, const uint8_t *other);
/* Copies a string; false, and nothing is written, if it does not fit. NULL is empty. */
bool  copy_string(char *to, size_t capacity, const char *from);
char *string_in(struct outbox *out, const char *string);

/* lobby_players.c: keys and names. */
extern const char *const verdict_sentences[];
void                     on_bind_name(struct lobby *lobby, struct asking *asking);
void                     on_ask_ticket(struct lobby *lobby, struct asking *asking);
void     sign_ticket(struct lobby *lobby, const uint8_t player[ID_SIZE], uint32_t key,
                     uint64_t expires_ms, struct outbox *out, Arbiter__Wire__SignedTicket **ticket);
bool     is_online(const struct lobby *lobby, const struct player *player);
uint32_t add_player(struct lobby *lobby, const uint8_t *id, const char *name, uint32_t key);
/* lobby_operator.c: what only the operator may. */
void     on_admit(struct lobby *lobby, struct asking *asking);
void     lobby_on_abort_match(struct lobby *lobby, struct asking *asking);
void     on_ban_player(struct lobby *lobby, struct asking *asking);
void     on_forget_player(struct lobby *lobby, struct asking *asking);
void     on_list_players(struct lobby *lobby, struct asking *asking);
void     lift_bans(struct lobby *lobby);
uint32_t admit_key(struct lobby *lobby, const uint8_t *key, uint32_t role, const char *name);

/* lobby_directory.c: services and who is let in. */
void     on_hello(struct lobby *lobby, const struct event *event, struct outbox *out);
void     on_welcome(struct lobby *lobby, const struct event *event, struct outbox *out);
void     directory_forget_silent(struct lobby *lobby);
void     directory_settle(struct lobby *lobby, struct outbox *out);
void     directory_greet(struct lobby *lobby, struct outbox *out);
uint32_t engine_of(const struct lobby *lobby,
                   uint8_t             slot); /* A service; NOBODY.                  */

/* lobby_rows.c, for the one text that is written once. */
void rows_write_text(const struct lobby *lobby, uint32_t place, struct outbox *out);

/* lobby_setups.c: set-ups, named and people's own. */
bool        setup_judge(struct lobby *lobby, struct asking *asking, struct table *table);
const void *setup_of(struct lobby *lobby,
                     uint32_t      table); /* Compiled; NULL: it cannot be.           */
const char *setup_text(const struct lobby *lobby, const struct table *table);
const char *setup_options(const struct lobby *lobby,
                          const struct table *table); /* NULL: none.       */

/* lobby_tables.c: tables come and go. */
void     on_create_table(struct lobby *lobby, struct asking *asking);
void     on_quick_play(struct lobby *lobby, struct asking *asking);
void     on_list_tables(struct lobby *lobby, struct asking *asking);
void     on_rejoin(struct lobby *lobby, struct asking *asking);
void     on_spectate(struct lobby *lobby, struct asking *asking);
void     close_table(struct lobby *lobby, uint32_t place, const char *sentence, struct outbox *out);
/* The table an ask names, of which the asker may know; NOBODY, and the verdict is set. */
uint32_t table_asked(struct lobby *lobby, struct asking *asking, bool has_id,
                     const ProtobufCBinaryData *id, const char *code);

/* lobby_seats.c: who sits where. */
void     on_join_table(struct lobby *lobby, struct asking *asking);
void     on_leave_table(struct lobby *lobby, struct asking *asking);
void     on_take_seat(struct lobby *lobby, struct asking *asking);
void     on_invite(struct lobby *lobby, struct asking *asking);
void     on_start_table(struct lobby *lobby, struct asking *asking);
uint32_t seat_of(const struct table *table,
                 uint32_t            player); /* NOBODY; vacant ones do not count. */
uint32_t member_of(const struct table *table,
                   uint32_t            player); /* NOBODY.                          */
uint32_t add_member(struct lobby *lobby, uint32_t place,
                    uint32_t player); /* NOBODY: no room.       */
bool     join_seat(struct lobby *lobby, struct asking *asking, uint32_t place, uint32_t seat);
void     sit_down(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                  struct outbox *out);
void     get_up(struct lobby *lobby, uint32_t place, uint32_t player, struct outbox *out);
uint32_t taken_seats(const struct table *table);
bool     begin_if_full(struct lobby *lobby, uint32_t place, struct outbox *out);

/* The table of an ask of its members; NOBODY, and the verdict is set. */
uint32_t own_table(struct lobby *lobby, struct asking *asking, bool has_id,
                   const ProtobufCBinaryData *id);

/* lobby_registration.c: the game's own conversation at the table. */
void   on_say(struct lobby *lobby, struct asking *asking);
void   desk_open(struct lobby *lobby, uint32_t place);
/* Whoever is going to sit on this seat registers under his name; false: the rules refuse. */
bool   desk_register(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                     struct asking *asking, struct outbox *out);
bool   desk_look(struct lobby *lobby, uint32_t place, struct outbox *out);
bool   desk_start(struct lobby *lobby, uint32_t place, struct outbox *out);
void   desk_rebuild(struct lobby *lobby, uint32_t place);
void   desk_expire(struct lobby *lobby, uint32_t place, struct outbox *out);
bool   has_desk(const struct lobby *lobby, const struct table *table);
void   desk_order(struct lobby *lobby, uint32_t place);
size_t desk_opening(struct lobby *lobby, uint32_t place, struct outbox *out,
                    Arbiter__Engine__Opening ***opening);

/* lobby_matches.c: beginning, changing and ending matches at the engine. */
void begin_match(struct lobby *lobby, uint32_t place, struct outbox *out);
void send_start(struct lobby *lobby, uint32_t place, struct outbox *out);
void send_changes(struct lobby *lobby, uint32_t place, struct outbox *out);
void send_abort(struct lobby *lobby, uint32_t place, struct outbox *out);
void on_match_started(struct lobby *lobby, const struct event *event, struct outbox *out);
void on_house_reply(struct lobby *lobby, const struct event *event, struct outbox *out);
void on_match_over(struct lobby *lobby, const struct event *event, struct outbox *out);

/* A vacant seat has a holder again: the old one, or one whom the engine is told of. */
void take_over(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
               struct outbox *out);

/* lobby_results.c: how matches ended, and the next one. */
void                 on_list_results(struct lobby *lobby, struct asking *asking);
void                 on_rematch(struct lobby *lobby, struct asking *asking);
uint64_t             keep_result(struct lobby *lobby, const struct table *table,
                                 const Arbiter__Engine__MatchOver *over);
const struct result *find_result(const struct lobby *lobby, uint64_t number);

/* lobby_bots.c: programs of the house. */
void        on_fill_with_bots(struct lobby *lobby, struct asking *asking);
bool        has_bots(const struct lobby *lobby);
const char *policy_name(uint32_t policy); /* NULL: as well as it can. */
bool        promise_to_bot(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t policy,
                           struct outbox *out);
void        call_bot(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);
void        withdraw_promise(struct lobby *lobby, uint32_t place, uint32_t seat);
bool        move_promise(struct lobby *lobby, uint32_t place, uint32_t seat);

/* lobby_vote.c: vacant seats. */
void on_vote(struct lobby *lobby, struct asking *asking);
void vacate(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);
void count_votes(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);

/* lobby_chat.c: talking. */
void on_chat(struct lobby *lobby, struct asking *asking);
void on_mute(struct lobby *lobby, struct asking *asking);

/* lobby_events.c: what happens at a table, numbered, to its members. */
struct table_event *add_event(struct lobby *lobby, uint32_t place, uint32_t kind);
void                send_event(struct lobby *lobby, uint32_t place, const struct table_event *event,
                               struct outbox *out);
void on_table_ask(struct lobby *lobby, const struct event *event, struct outbox *out);
void send_invitation(struct lobby *lobby, uint32_t place, const struct table_event *event,
                     uint32_t to_player, struct outbox *out);
void send_to_key(struct lobby *lobby, uint32_t key, uint16_t kind, uint64_t number,
                 const void *body, struct outbox *out);

/* lobby_messages.c: records as messages. */
Arbiter__Lobby__Player *player_message(const struct lobby *lobby, uint32_t player,
                                       struct outbox *out);
Arbiter__Lobby__Table  *table_message(const struct lobby *lobby, uint32_t place, uint32_t reader,
                                      bool with_setup, struct outbox *out);
Arbiter__Lobby__Result *result_message(const struct lobby *lobby, const struct result *result,
                                       struct outbox *out);
size_t seat_messages(const struct lobby *lobby, const struct table *table, uint32_t count,
                     struct outbox *out, Arbiter__Lobby__TableSeat ***seats);

/* lobby_asks.c: an ask's way. */
void     on_ask(struct lobby *lobby, const struct event *event, struct outbox *out);
void     refuse(struct asking *asking, uint32_t why);
void     malformed(struct asking *asking,
                   const char    *sentence); /* No answer, and none that is kept.    */
/* The caller's key, whose way back is noted; NOBODY: it is not admitted, and was told. */
uint32_t key_of_caller(struct lobby *lobby, const struct event *event, struct outbox *out);
/* The player an ask or a table's ask speaks for; false: refused. */
bool     who_speaks(struct lobby *lobby, const struct event *event, uint32_t key, bool has_player,
                    const ProtobufCBinaryData *id, uint32_t *player, struct outbox *out);

/* lobby_time.c: what is due. */
void lobby_on_time(struct lobby *lobby, struct outbox *out);
void clock_begin(struct lobby *lobby, uint32_t place);

#endif

/* lobby_parts.h: how the lobby's files call each other. */
#ifndef ARBITER_LOBBY_PARTS_H
#define ARBITER_LOBBY_PARTS_H

#include "services/lobby/lobby_state.h"

/* Who looks after the house; each may do what those before it may. */
enum rank {
    RANK_NONE,
    RANK_HELPER,   /* A helper's key, or his token at the page.                               */
    RANK_OPERATOR, /* The operator's token at the page.                                       */
    RANK_CONSOLE   /* The operator's own key.                                                 */
};

/* An ask on its way through the lobby, and what is going to be answered. */
struct asking {
    const struct event        *event;
    const Arbiter__Lobby__Ask *ask;
    struct outbox             *out;
    uint32_t                   key; /* Whose it is,                                             */
    uint32_t                   player; /* and who speaks; NOBODY: no name yet. */
    struct source              source; /* Where from.                                           */
    uint32_t                   verdict;
    uint32_t    detail, game; /* VERDICT_RULES.                                     */
    const char *sentence;     /* NULL: the verdict's own.                           */
    uint32_t    rank;         /* enum rank: what the asker may do with the house.   */
    uint32_t    answer;       /* Which of Answer's kinds goes with it.              */
    uint32_t    table;        /* The table it shows.                                */
    uint64_t    number;
    void       *list; /* Players, Results, Tables: made already.                    */
};

/* lobby_undo.c: touching records. */
void                     *lobby_touch(struct lobby *lobby, enum record kind, uint32_t place);
void                      lobby_undo_step_begin(struct lobby *lobby);
void                      lobby_undo_step_end(struct lobby *lobby, struct outbox *out);
void                      lobby_undo_batch(struct lobby *lobby);
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

/* lobby_rows.c: what stands in the store with the key of a helper. A build that knows no helpers may give the place to
 * another key, and that one is none. */
uint64_t lobby_helper_mark(const struct key *key);

/* lobby_find.c: finding records, and making ids. */
uint32_t lobby_find_key(const struct lobby *lobby, const uint8_t key[CALLER_KEY_SIZE]);
uint32_t lobby_find_player(const struct lobby *lobby, const uint8_t *id, size_t size);
uint32_t lobby_find_name(const struct lobby *lobby, const char *name);
uint32_t lobby_find_table(const struct lobby *lobby, const uint8_t *id, size_t size);
uint32_t lobby_find_code(const struct lobby *lobby, const char *code);
uint32_t lobby_find_match(const struct lobby *lobby, const uint8_t id[ID_SIZE]);
void     lobby_remember_key(struct lobby *lobby, uint32_t place);
void     lobby_remember_player(struct lobby *lobby, uint32_t place);
void     lobby_remember_table(struct lobby *lobby, uint32_t place);
void     lobby_remember_all(
        struct lobby *lobby); /* Anew: after a start, an undo, or when full.           */
void  lobby_draw_id(struct lobby *lobby, uint8_t id[ID_SIZE]);
bool  lobby_same_id(const uint8_t *one, const uint8_t *other);
/* Copies a string; false, and nothing is written, if it does not fit. NULL is empty. */
char *lobby_string_in(struct outbox *out, const char *string);

/* lobby_players.c: keys and names. */
extern const char *const lobby_verdict_sentences[];
void                     lobby_on_bind_name(struct lobby *lobby, struct asking *asking);
void                     lobby_on_depart(struct lobby *lobby, struct asking *asking);
void                     lobby_on_ask_ticket(struct lobby *lobby, struct asking *asking);
void     lobby_sign_ticket(struct lobby *lobby, const uint8_t player[ID_SIZE], uint32_t key,
                           uint64_t expires_ms, struct outbox *out,
                           Arbiter__Wire__SignedTicket **ticket);
bool     lobby_is_online(const struct lobby *lobby, const struct player *player);
uint32_t lobby_add_player(struct lobby *lobby, const uint8_t *id, const char *name, uint32_t key);
/* lobby_guests.c: guests who come no more. */
void     lobby_guest_speaks(struct lobby *lobby, uint32_t place);
/* When few places are left: those who were silent longest are forgotten, as many as fit a step. */
void     lobby_guests_make_room(struct lobby *lobby, struct outbox *out);
/* Those of sources with more names than `above` are forgotten at once, unless a table tells of them. False: nobody. */
bool     lobby_guests_of_greedy_go(struct lobby *lobby, uint32_t above, struct outbox *out);
/* lobby_sources.c, after names were tallied: how many names there are from where this player is from. */
uint32_t lobby_names_from(const struct lobby *lobby, uint32_t player);
/* lobby_room.c: tables at which nothing happens. */
/* When this one is closed, unless something happens there: the less room there is, the sooner. */
uint64_t lobby_idle_until(const struct lobby *lobby, uint32_t place);
void     lobby_tables_make_room(struct lobby *lobby, struct outbox *out);
uint32_t lobby_tables_left(const struct lobby *lobby);
uint32_t lobby_texts_left(const struct lobby *lobby);
/* lobby_bounds.c: how much of its limits is used. */
void     lobby_bounds(const void *core, struct fullness *bounds);
/* Somebody was told that there is no room. */
void     lobby_say_full(const struct lobby *lobby, struct outbox *out);
/* Whether operators may be told something again; then they are being told. */
bool     lobby_may_tell(const struct lobby *lobby, uint64_t *again_ms);
/* lobby_operator.c: what only the operator may. */
void     lobby_on_admit(struct lobby *lobby, struct asking *asking);
void     lobby_on_abort_match(struct lobby *lobby, struct asking *asking);
void     lobby_on_accept_match(struct lobby *lobby, struct asking *asking);
void     lobby_on_drain_engine(struct lobby *lobby, struct asking *asking);
void     lobby_on_ban_player(struct lobby *lobby, struct asking *asking);
void     lobby_on_forget_player(struct lobby *lobby, struct asking *asking);
void     lobby_on_list_players(struct lobby *lobby, struct asking *asking);
void     lobby_lift_bans(struct lobby *lobby);
/* lobby_moderation.c: silencing somebody, and telling everybody something. */
void     lobby_on_mute_player(struct lobby *lobby, struct asking *asking);
void     lobby_on_announce(struct lobby *lobby, struct asking *asking);
bool     lobby_is_muted(const struct lobby *lobby, uint32_t player);
/* Whether a helper may ban this player so, or lift that; else he is refused. */
bool     lobby_helper_may_ban(const struct lobby *lobby, struct asking *asking, uint32_t player);
/* What was announced is said at tables that have not heard it. */
void     lobby_notice_spread(struct lobby *lobby, struct outbox *out);
bool     lobby_notice_is_spread(const struct lobby *lobby);
/* A stop whose time has come is no news any more. */
void     lobby_notice_ends(struct lobby *lobby);
Arbiter__Lobby__Announce *lobby_notice_message(const struct lobby *lobby, struct outbox *out);
/* lobby_audit.c: what was done, and by whom. */
/* The asker's rank follows from his key, and from what his gateway says of his token. */
uint32_t                  lobby_rank_of(const struct lobby *lobby, const struct asking *asking);
/* Called before the deed, since it may change what the names in it mean. False: it is none. */
bool                      lobby_audit_begin(const struct lobby *lobby, const struct asking *asking,
                                            struct audited *audited);
/* And behind it, with its verdict. */
void                      lobby_audit_end(struct lobby *lobby, const struct asking *asking,
                                          const struct audited *audited);
void                      lobby_on_list_audit(struct lobby *lobby, struct asking *asking);
/* Those the settings name: whoever is new is let in, and nobody is anything else than they say. */
void                      lobby_admit_seeds(struct lobby *lobby);

/* lobby_directory.c: services and who is let in. */
void     lobby_on_hello(struct lobby *lobby, const struct event *event, struct outbox *out);
void     lobby_on_welcome(struct lobby *lobby, const struct event *event, struct outbox *out);
void     lobby_directory_forget_silent(struct lobby *lobby);
void     lobby_directory_settle(struct lobby *lobby, struct outbox *out);
void     lobby_directory_greet(struct lobby *lobby, struct outbox *out);
uint32_t lobby_engine_of(const struct lobby *lobby,
                         uint8_t             slot); /* A service; NOBODY.                  */

/* lobby_rows.c, for the one text that is written once. */
void lobby_rows_write_text(const struct lobby *lobby, uint32_t place, struct outbox *out);

/* lobby_setups.c: set-ups, named and people's own. */
bool        lobby_setup_judge(struct lobby *lobby, struct asking *asking, struct table *table);
const void *lobby_setup_of(struct lobby *lobby,
                           uint32_t      place); /* Compiled; NULL: it cannot be.           */
const char *lobby_setup_text(const struct lobby *lobby, const struct table *table);
const char *lobby_setup_options(const struct lobby *lobby,
                                const struct table *table); /* NULL: none.       */

/* lobby_tables.c: tables come and go. */
void     lobby_on_create_table(struct lobby *lobby, struct asking *asking);
void     lobby_on_quick_play(struct lobby *lobby, struct asking *asking);
void     lobby_on_list_tables(struct lobby *lobby, struct asking *asking);
void     lobby_on_rejoin(struct lobby *lobby, struct asking *asking);
void     lobby_on_spectate(struct lobby *lobby, struct asking *asking);
void     lobby_close_table(struct lobby *lobby, uint32_t place, const char *sentence,
                           struct outbox *out);
/* The table an ask names, of which the asker may know; NOBODY, and the verdict is set. */
uint32_t lobby_table_asked(struct lobby *lobby, struct asking *asking, bool has_id,
                           const ProtobufCBinaryData *id, const char *code);

/* lobby_seats.c: who sits where. */
void     lobby_on_join_table(struct lobby *lobby, struct asking *asking);
void     lobby_on_leave_table(struct lobby *lobby, struct asking *asking);
void     lobby_on_take_seat(struct lobby *lobby, struct asking *asking);
void     lobby_on_invite(struct lobby *lobby, struct asking *asking);
void     lobby_on_start_table(struct lobby *lobby, struct asking *asking);
uint32_t lobby_seat_of(const struct table *table,
                       uint32_t            player); /* NOBODY; vacant ones do not count. */
uint32_t lobby_member_of(const struct table *table,
                         uint32_t            player); /* NOBODY.                          */
uint32_t lobby_add_member(struct lobby *lobby, uint32_t place,
                          uint32_t player); /* NOBODY: no room.       */
bool     lobby_join_seat(struct lobby *lobby, struct asking *asking, uint32_t place, uint32_t seat);
void     lobby_sit_down(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                        struct outbox *out);
void     lobby_get_up(struct lobby *lobby, uint32_t place, uint32_t player, struct outbox *out);
uint32_t lobby_taken_seats(const struct table *table);
bool     lobby_begin_if_full(struct lobby *lobby, uint32_t place, struct outbox *out);

/* The table of an ask of its members; NOBODY, and the verdict is set. */
uint32_t lobby_own_table(struct lobby *lobby, struct asking *asking, bool has_id,
                         const ProtobufCBinaryData *id);

/* lobby_registration.c: the game's own conversation at the table. */
void   lobby_on_say(struct lobby *lobby, struct asking *asking);
void   lobby_desk_open(struct lobby *lobby, uint32_t place);
/* Registers the player who is going to sit on this seat, under the player's name; false: the rules
 * refuse. */
bool   lobby_desk_register(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                           struct asking *asking, struct outbox *out);
bool   lobby_desk_look(struct lobby *lobby, uint32_t place, struct outbox *out);
bool   lobby_desk_start(struct lobby *lobby, uint32_t place, struct outbox *out);
void   lobby_desk_rebuild(struct lobby *lobby, uint32_t place);
void   lobby_desk_expire(struct lobby *lobby, uint32_t place, struct outbox *out);
bool   lobby_has_desk(const struct lobby *lobby, const struct table *table);
size_t lobby_desk_opening(struct lobby *lobby, uint32_t place, struct outbox *out,
                          Arbiter__Engine__Opening ***opening);
/* What the holder of the match's seat registered with; of whoever sits at the table, in its order. */
char  *lobby_desk_person(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);
char  *lobby_desk_said(struct lobby *lobby, uint32_t place, uint32_t client, struct outbox *out);

/* lobby_persons.c: numbers in the tables of games that keep persons. */
/* How a player who registers with a command of the game is numbered. */
struct numbering {
    bool     is_unguessable;
    uint32_t above; /* New numbers are higher than this. */
};
/* Whether the table's game has such tables. */
bool     lobby_numbers(const struct lobby *lobby, const struct table *table);
/* Whether a player who registers at this table now can get a number, if one is needed. */
/* Registrations that wait to be written down. */
uint32_t lobby_persons(const struct lobby *lobby);
bool     lobby_has_number(const struct lobby *lobby, const struct table *table);
/* Gives the player who sits there a number; `how` NULL: the one of the player's name. Returns it,
 * or 0. */
uint32_t lobby_number_seat(struct lobby *lobby, uint32_t place, uint32_t at,
                           const struct numbering *how, struct outbox *out);
/* Everybody in a match has one. */
void     lobby_number_all(struct lobby *lobby, uint32_t place, struct outbox *out);
void     lobby_number_on(struct lobby *lobby);
void     lobby_on_registered(struct lobby *lobby, const struct event *event, struct outbox *out);
void     lobby_forget_person(struct lobby *lobby, uint32_t player);
void     lobby_persons_again(struct lobby *lobby, struct outbox *out);

/* lobby_matches.c: beginning, changing and ending matches at the engine. */
void lobby_begin_match(struct lobby *lobby, uint32_t place, struct outbox *out);
void lobby_send_start(struct lobby *lobby, uint32_t place, struct outbox *out);
void lobby_send_changes(struct lobby *lobby, uint32_t place, struct outbox *out);
/* The operator gives up what the match's engine has lost of it. */
void lobby_send_accept(struct lobby *lobby, const uint8_t *match_id, struct outbox *out);
void lobby_send_abort(struct lobby *lobby, uint32_t place, struct outbox *out);
/* Should nobody have done anything in the match for so long, the engine ends it. */
void lobby_send_abort_if_idle(struct lobby *lobby, uint32_t place, uint64_t idle_ms,
                              struct outbox *out);
/* Matches that begin behind their tables' backs are ended until they are over. */
void lobby_unwanted_again(struct lobby *lobby, struct outbox *out);
void lobby_on_match_started(struct lobby *lobby, const struct event *event, struct outbox *out);
void lobby_on_house_reply(struct lobby *lobby, const struct event *event, struct outbox *out);
void lobby_on_match_over(struct lobby *lobby, const struct event *event, struct outbox *out);

/* A vacant seat has a holder again: the old one, or one whom the engine is told of. */
void lobby_take_over(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                     struct outbox *out);

/* lobby_versions.c */
/* Whether each service that a match may come by speaks the newest version. */
bool     lobby_services_are_new(const struct lobby *lobby);
/* The version of a match's acts: the newest, if whoever holds a seat or passes acts on reads it; else 0. */
uint32_t lobby_protocol_of(const struct lobby *lobby, const struct table *table);
/* Whether a player's program reads the acts of this table's match. */
bool     lobby_may_hold(const struct lobby *lobby, const struct table *table, uint32_t player);
void     lobby_put_protocol(const struct lobby *lobby, const struct table *table,
                            Arbiter__Engine__MatchFacts *to, struct outbox *out);

/* lobby_results.c: how matches ended, and the next one. */
void                 lobby_on_list_results(struct lobby *lobby, struct asking *asking);
void                 lobby_on_rematch(struct lobby *lobby, struct asking *asking);
uint64_t             lobby_keep_result(struct lobby *lobby, const struct table *table,
                                       const Arbiter__Engine__MatchOver *over);
const struct result *lobby_find_result(const struct lobby *lobby, uint64_t number);
/* Who sat there; NOBODY also if the player was a guest and is forgotten, whoever has the place
 * now. */
uint32_t lobby_result_player(const struct lobby *lobby, const struct result *result, uint32_t seat);

/* lobby_levels.c: how well bots play. */
const char *lobby_policy_name(uint32_t policy); /* NULL: as well as it can. */
/* NOBODY: nobody plays this game so. */
uint32_t    lobby_policy_named(const char *name, const struct game *game);
uint32_t    lobby_bot_level(const struct lobby *lobby, const struct seat *seat); /* 0: of none. */

/* lobby_bots.c: programs of the house. */
void lobby_on_fill_with_bots(struct lobby *lobby, struct asking *asking);
bool lobby_has_bots(const struct lobby *lobby);
bool lobby_promise_to_bot(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t policy,
                          struct outbox *out);
void lobby_call_bot(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);
/* A bot service has begun anew: its players at tables are called back to their seats, until they speak. */
void lobby_bots_begin_anew(struct lobby *lobby, const uint8_t *key, struct outbox *out);
void lobby_bot_speaks(struct lobby *lobby, uint32_t player, const struct event *event);
/* Bots whose service is gone for good are replaced by those of others, in matches that have begun. */
void lobby_bots_replace(struct lobby *lobby, struct outbox *out);
/* Whether a bot holds this seat whose service does not know of it. */
bool lobby_is_bot_missing(const struct lobby *lobby, const struct seat *seat);
void lobby_call_back(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);
void lobby_withdraw_promise(struct lobby *lobby, uint32_t place, uint32_t seat);
bool lobby_move_promise(struct lobby *lobby, uint32_t place, uint32_t seat);

/* lobby_vote.c: vacant seats. */
void lobby_on_vote(struct lobby *lobby, struct asking *asking);
void lobby_vacate(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);
void lobby_count_votes(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out);

/* lobby_chat.c: talking. */
void lobby_on_chat(struct lobby *lobby, struct asking *asking);
void lobby_on_mute(struct lobby *lobby, struct asking *asking);

/* lobby_events.c: what happens at a table, numbered, to its members. */
struct table_event *lobby_add_event(struct lobby *lobby, uint32_t place, uint32_t kind);
void lobby_send_event(struct lobby *lobby, uint32_t place, const struct table_event *event,
                      struct outbox *out);
void lobby_on_table_ask(struct lobby *lobby, const struct event *event, struct outbox *out);
void lobby_send_invitation(struct lobby *lobby, uint32_t place, const struct table_event *event,
                           uint32_t to_player, struct outbox *out);
void lobby_send_to_key(struct lobby *lobby, uint32_t key, uint16_t kind, uint64_t number,
                       const void *body, struct outbox *out);

/* lobby_messages.c: records as messages. */
Arbiter__Lobby__Player *lobby_player_message(const struct lobby *lobby, uint32_t place,
                                             struct outbox *out);
/* The same at a seat: a bot's with its level, for those who read version 2. */
Arbiter__Lobby__Player *lobby_seated_message(const struct lobby *lobby, const struct seat *seat,
                                             struct outbox *out);
Arbiter__Lobby__Table  *lobby_table_message(const struct lobby *lobby, uint32_t place,
                                            uint32_t reader, bool with_setup, struct outbox *out);
Arbiter__Lobby__Result *lobby_result_message(const struct lobby *lobby, const struct result *result,
                                             struct outbox *out);
size_t lobby_seat_messages(const struct lobby *lobby, const struct table *table, uint32_t count,
                           uint32_t reader, struct outbox *out, Arbiter__Lobby__TableSeat ***seats);

/* lobby_asks.c: an ask's way. */
void     lobby_on_ask(struct lobby *lobby, const struct event *event, struct outbox *out);
void     lobby_refuse(struct asking *asking, uint32_t why);
void     lobby_malformed(struct asking *asking,
                         const char    *sentence); /* No answer, and none that is kept.    */
/* The caller's key, whose way back is noted; NOBODY: it is not admitted, and was told. */
uint32_t lobby_key_of_caller(struct lobby *lobby, const struct event *event, struct outbox *out);
/* Whom an ask or a table's ask speaks for. */
struct speaking {
    bool                       has_player;
    const ProtobufCBinaryData *player;
    const ProtobufCBinaryData *proof; /* The player's secret; NULL: none.                        */
};
/* That player; false: refused. */
bool lobby_who_speaks(struct lobby *lobby, const struct event *event, uint32_t key,
                      struct speaking speaking, uint32_t *player, struct outbox *out);
/* A guest is the gateway's who brought him, until he proves by his secret that he has come to this one. */
bool lobby_is_here(struct lobby *lobby, uint32_t player, uint32_t key,
                   const ProtobufCBinaryData *proof);

/* lobby_time.c: what is due. */
void lobby_on_time(struct lobby *lobby, struct outbox *out);
void lobby_on_expire(struct lobby *lobby, const struct event *event, struct outbox *out);
void lobby_clock_begin(struct lobby *lobby, uint32_t place);

#endif

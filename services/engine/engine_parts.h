/* engine_parts.h: how the engine's files call each other, file by file.
 *
 * Private to services/engine, as is the state they work on. */
#ifndef ARBITER_ENGINE_PARTS_H
#define ARBITER_ENGINE_PARTS_H

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "services/engine/engine_state.h"
#include "wire/house.h"
#include "wire/names.h"

/* engine_table.c: matches and set-ups. */
struct hosted *engine_table_find(const struct engine *engine, const uint8_t *id);
/* A new one, linked everywhere, with nothing in it; NULL: there is no room. */
struct hosted *engine_table_add(struct engine *engine, const uint8_t *id, struct setup *setup);
void           engine_table_drop(struct engine *engine, struct hosted *hosted);
/* Copies a match for the undo, once a batch; to be called before anything of it is changed. */
void           engine_touch(struct engine *engine, struct hosted *hosted);
size_t         engine_hosted_bytes(uint32_t seats);
/* It had an act: it is the newest of its slot. */
void           engine_table_moved(struct engine *engine, struct hosted *hosted);
/* Memory for the match, before its first act; its chain is not begun yet. */
bool engine_table_place_match(struct engine *engine, struct hosted *hosted, const uint8_t *secret,
                              const struct dice *dice);
void engine_table_begin_chain(const struct engine *engine, struct hosted *hosted);
/* Holds a match, or (`why` NULL) does not hold it any more, and counts it. */
void engine_held(struct engine *engine, struct hosted *hosted, const char *why);
void engine_table_quarantine(struct engine *engine, struct hosted *hosted, const char *why,
                             struct outbox *out);

/* A match's id as people read it. */
void engine_put_id(struct text *text, const uint8_t *id);

/* engine_unread.c: matches that cannot be read here. */
/* Says why, once. */
void engine_unread_add(struct engine *engine, const uint8_t *id, const char *why, bool lacks_rules,
                       struct outbox *out);
bool engine_unread_is_known(const struct engine *engine, const uint8_t *id);
/* Whether no build can read it, or it is not there at all. */
bool engine_unread_is_lost(const struct engine *engine, const uint8_t *id);
void engine_unread_forget(struct engine *engine, uint32_t slot);
/* Whether the header's match is one of them, or may be; then the caller has been told. */
bool engine_unread_refused(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_setup.c */
/* The set-up of this text; NULL, and a sentence why, or no sentence: no room. */
struct setup *engine_setup_find(struct engine *engine, const struct engine_game *game,
                                uint32_t seats, const struct engine_setup_text *text,
                                struct text *fault, bool *is_new);
void          engine_setup_leave(struct engine *engine, struct setup *setup);
/* One that is in memory, by its text's hash; NULL. */
struct setup *engine_setup_known(const struct engine *engine, const struct engine_game *game,
                                 uint32_t seats, const uint8_t *text_hash);
const struct engine_game *engine_game_find(const struct engine *engine, const char *name,
                                           size_t size, uint32_t version);

/* engine_rows.c: what is kept. */
void engine_row_of_match(const struct hosted *hosted, enum journal_table table, struct outbox *out);
void engine_row_of_setup(const struct setup *setup, struct outbox *out);
void engine_row_of_seat(const struct hosted *hosted, uint32_t index, uint64_t since,
                        struct outbox *out);
void engine_row_of_act(const struct engine *engine, const struct hosted *hosted,
                       const struct match_act *act, const struct header *asked, struct outbox *out);
void engine_row_of_session(const struct hosted *hosted, uint32_t seat,
                           const struct session *session, bool closed, struct outbox *out);
void engine_row_of_session_gone(const struct hosted *hosted, uint32_t seat, uint32_t session,
                                struct outbox *out);
void engine_row_of_snapshot(struct hosted *hosted, struct outbox *out);
void engine_row_of_result(const struct engine *engine, const struct hosted *hosted,
                          struct outbox *out);
void engine_rows_of_gone(const struct hosted *hosted, struct outbox *out);

/* engine_answer.c: answers and refusals. */
void engine_answer(const struct engine *engine, const struct event *event, uint16_t kind,
                   uint64_t number, const void *body, struct outbox *out);
void engine_refuse(const struct engine *engine, const struct event *event, uint32_t refusal,
                   uint64_t after_ms, const char *sentence, struct outbox *out);
/* engine.c: there was no room for a match or a session; names the setting that is in the way. */
void engine_say_full(const struct engine *engine, struct outbox *out);
/* Remembers the asker, who is told "again" if the batch is not kept. */
void engine_asked(struct engine *engine, const struct event *event, struct outbox *out);
/* Whether the header's slot is held here; else the caller is told so. The slot is fenced. */
bool engine_is_slot_here(struct engine *engine, const struct event *event, struct outbox *out);
/* The header's match, sound; else the caller is told so, and NULL. */
struct hosted *engine_match_asked(struct engine *engine, const struct event *event,
                                  struct outbox *out);
/* The same of a match whose slot is known to be here. */
struct hosted *engine_match_here(struct engine *engine, const struct event *event,
                                 struct outbox *out);
/* Whether anything may be written now; else the caller is told "again". */
bool engine_may_write(struct engine *engine, const struct event *event, struct outbox *out);
bool engine_is_from(const struct engine *engine, const struct event *event, uint32_t role);
/* Fences the slot of a match that is touched without being asked for. */
void engine_fence(const struct engine *engine, const struct hosted *hosted, struct outbox *out);

/* engine_publish.c */
/* To be called before a match is played: copies it, and lays the room out. */
void engine_act_begin(struct engine *engine, struct hosted *hosted);
/* An act was done: numbered in its slot, kept, published; clocks and the end follow. `asked` is the
 * header of the request it came from, or NULL. */
void engine_act_done(struct engine *engine, struct hosted *hosted, const struct match_act *act,
                     const struct header *asked, struct outbox *out);
/* The house says something in an act of its own. */
void engine_act_say(struct engine *engine, struct hosted *hosted, const struct house_said *said,
                    const struct header *asked, struct outbox *out);
void engine_say_slot_counts(struct engine *engine, struct outbox *out);
void engine_on_moved_ask(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_record.c: what a game keeps and logs of its own. */
/* Whether a match of this game and slot can be numbered: the slot that counts is held. */
bool engine_record_counts(const struct engine *engine, const struct game *game, uint32_t slot);
/* Gives the match its number, if its game keeps records. */
void engine_record_number(struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_record_act(const struct engine *engine, const struct hosted *hosted,
                       const struct match_act *act, struct outbox *out);
/* Somebody has registered, for a match that may never be. */
void engine_on_register(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_over.c */
void engine_match_is_over(struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_tell_over(struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_on_match_over_heard(struct engine *engine, const struct event *event,
                                struct outbox *out);

/* engine_marks.c: what others were told of our matches. */
void engine_on_marks(struct engine *engine, const struct event *event, struct outbox *out);
/* Somebody (`who`, for the log) was told this act of a match; `chain` NULL: not known. */
void engine_mark_heard(struct engine *engine, const uint8_t *id, uint64_t number,
                       const uint8_t *chain, const char *who, struct outbox *out);
/* The same of somebody who is not believed: it is said once. */
void engine_mark_doubted(struct engine *engine, struct hosted *hosted, uint64_t number,
                         const uint8_t *chain, struct outbox *out);
/* The journal was asked for the header of a match that others know. */
void engine_sought_done(struct engine *engine, const struct event *event, struct outbox *out);
void engine_seek(struct engine *engine, struct outbox *out);
/* The store may be another one than before, or have gone back. */
void engine_marks_doubt(struct engine *engine);
/* All matches of a slot have been read. */
void engine_marks_await(struct engine *engine, struct slot *slot, struct outbox *out);
/* Whether everybody had time to say what he knows of a slot's matches. */
bool engine_marks_are_heard(const struct engine *engine, uint32_t slot);
/* Whether matches of this slot may have vanished, and those who know could not say so yet. */
bool engine_awaits_marks(const struct engine *engine, uint32_t slot);
void engine_refuse_early(const struct engine *engine, const struct event *event,
                         struct outbox *out);
/* Whether a match may have another act already; else the caller is told to ask again. */
bool engine_may_go_on(const struct engine *engine, const struct hosted *hosted,
                      const struct event *event, struct outbox *out);
/* A match that is held, because others were told more of it, goes on without that. */
void engine_release(struct engine *engine, struct hosted *hosted, struct outbox *out);

/* engine_lobby.c */
void engine_on_start_match(struct engine *engine, const struct event *event, struct outbox *out);
/* Unasked; the lobby's door is known. */
void engine_tell_started(const struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_on_change_seat(struct engine *engine, const struct event *event, struct outbox *out);
void engine_on_abort_match(struct engine *engine, const struct event *event, struct outbox *out);
void engine_on_accept_match(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_attach.c, engine_ticket.c, engine_session.c */
void engine_directory_heard(struct engine *engine, const Arbiter__Directory__Directory *directory);
void engine_on_attach(struct engine *engine, const struct event *event, struct outbox *out);
/* How the match stands for a seat; NULL: it does not fit a message. */
Arbiter__Engine__Attached *engine_standing(const struct engine *engine, const struct hosted *hosted,
                                           uint32_t seat, struct outbox *out);
bool            engine_ticket_holds(const struct engine *engine, const struct event *event,
                                    const Arbiter__Wire__SignedTicket *ticket, uint8_t player[PLAYER_SIZE],
                                    struct outbox *out);
struct session *engine_session_find(const struct hosted *hosted, uint32_t seat, uint32_t number);
/* The session that the caller was given on this very line and has not used. The caller may not have
 * heard of it, and asks again. NULL: there is none. */
struct session *engine_session_unused(const struct hosted *hosted, uint32_t seat,
                                      const struct event *event, const uint8_t *player);
/* A new session of the caller; the ninth closes the oldest. NULL: there is no room. */
struct session *engine_session_open(struct engine *engine, struct hosted *hosted, uint32_t index,
                                    const struct event *event, const uint8_t *player,
                                    struct outbox *out);
void            engine_session_close(struct engine *engine, struct hosted *hosted, uint32_t index,
                                     struct session *session, uint32_t why, struct outbox *out);
void            engine_sessions_free(struct engine *engine, struct seat *seat);
bool engine_session_keep_asks(struct engine *engine, struct session *session, const uint8_t *asks,
                              size_t size);

/* engine_view.c: what a seat sees and is asked, as bytes. */
/* False: it does not fit a message. */
bool   engine_put_view(const struct engine *engine, const struct hosted *hosted, uint32_t viewer,
                       ProtobufCBinaryData *view, struct outbox *out);
/* The questions to a seat, each behind its length; returns how many bytes, in engine->scratch. */
size_t engine_write_asks(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                         const uint8_t **asks);
/* The same as a list of a message. */
void   engine_put_asks(const uint8_t *asks, size_t size, size_t *count, ProtobufCBinaryData **list,
                       struct outbox *out);

/* engine_command.c */
#define HOUSE_REASON 0x10000u
enum house_reason {
    REASON_DICE_AWAITED = HOUSE_REASON,
    REASON_NO_DICE_ROUND,
    REASON_NOT_AWAITED,
    REASON_WRONG_BYTES,
    REASON_NOT_FOR_PLAYERS,
    REASON_ABORTED
};
void engine_on_command(struct engine *engine, const struct event *event, struct outbox *out);
/* Remembers an answer in the session, keeps it, and gives it. */
void engine_command_answer(struct engine *engine, struct hosted *hosted, const struct event *event,
                           struct session *session, uint32_t judged, struct outbox *out);

/* engine_legal.c */
/* Memory for the list of what a seat may do, and for the text of a proposal. */
size_t engine_legal_bytes(const struct match_terms *terms);
void   engine_on_legal_ask(struct engine *engine, const struct event *event, struct outbox *out);
Arbiter__Engine__LegalAnswer *engine_legal_answer(const struct engine *engine,
                                                  const struct hosted *hosted, uint32_t seat,
                                                  const Arbiter__Engine__LegalAsk *ask,
                                                  struct outbox                   *out);

/* engine_follow.c: view and list behind acts, for sessions that wish for it. */
/* What this Attach wishes; a session that has just begun to follow hears its list. */
void engine_follow(struct engine *engine, struct hosted *hosted, struct session *session,
                   const struct event *event, struct outbox *out);
/* The match had an act in this batch. */
void engine_follow_later(struct engine *engine, const struct hosted *hosted);
/* The batch is settled: whoever follows a match that moved in it is told, if it was kept. */
void engine_follow_settled(struct engine *engine, bool is_kept, struct outbox *out);

/* engine_dice.c */
void     engine_dice_open_round(struct engine *engine, struct hosted *hosted, struct outbox *out);
/* A seat's hash or bytes: 0, or why not. */
uint32_t engine_dice_contribute(struct engine *engine, struct hosted *hosted,
                                const struct event *event, const Arbiter__Engine__Command *command,
                                struct outbox *out);
/* Once every contribution is in, the match begins: to be called behind the answer to the last one. */
void     engine_dice_begin(struct engine *engine, struct hosted *hosted, struct outbox *out);
void     engine_dice_expire(struct engine *engine, struct hosted *hosted, seat_mask late,
                            struct outbox *out);
void     engine_match_begins(struct engine *engine, struct hosted *hosted, struct outbox *out);
/* What a contribution or a silence did, done again from its act's command. False: it cannot be. */
bool     engine_dice_replay(struct hosted *hosted, const struct house_news *heard);
bool     engine_dice_make(struct hosted *hosted);

/* engine_version.c */
/* What is wrong with the version, or with the list of contributors; NULL: nothing. */
const char *engine_judge_contributors(const Arbiter__Engine__StartMatch *ask, bool is_hosted);
void engine_take_contributors(struct hosted *hosted, const Arbiter__Engine__MatchFacts *facts);
void engine_put_contributors(const struct hosted *hosted, Arbiter__Engine__MatchFacts *facts,
                             struct outbox *out);

/* engine_clock.c */
void     engine_clock_follow(struct engine *engine, struct hosted *hosted, struct outbox *out);
uint64_t engine_clock_left(const struct engine *engine, const struct hosted *hosted);
uint64_t engine_clock_think_ms(const struct engine *engine, const struct hosted *hosted,
                               uint32_t index);
void     engine_clock_recovered(struct engine *engine, struct hosted *hosted);
bool     engine_clocks_restart(struct engine *engine, struct outbox *out);
void     engine_on_expire(struct engine *engine, const struct event *event, struct outbox *out);
void     engine_watchdog_hello(struct engine *engine, const struct event *event);
/* Whether there was something to tell. */
bool     engine_tell_waits(struct engine *engine, struct outbox *out);
void     engine_repeat_wait(struct engine *engine, const struct hosted *hosted, struct outbox *out);

/* engine_slots.c */
void engine_ask_slots(struct engine *engine, struct outbox *out);
void engine_on_slots_row(struct engine *engine, const struct row *row);
void engine_on_slots_read(struct engine *engine, bool failed, struct outbox *out);
void engine_on_leases(struct engine *engine, const struct event *event);
void engine_slots_settled(struct engine *engine, bool committed);
void engine_slots_drop_leaving(struct engine *engine);
void engine_slots_read_again(struct engine *engine);
/* The same of those slots alone of which the store could not read something, after a while. */
void engine_slots_read_later(struct engine *engine);
void engine_slots_forget_all(struct engine *engine);

/* engine_recover.c */
enum read_kind {
    READ_SLOTS = 1,
    READ_LIVE,
    READ_SETUP,
    READ_SESSIONS,
    READ_SNAPSHOTS,
    READ_SEATS,
    READ_ACTS,
    READ_SOUGHT
};
uint32_t engine_read_tag(const struct engine *engine, enum read_kind kind, uint32_t index);
/* Begins to read slots that are ours and not yet read, a few at a time. */
void     engine_recover_slots(struct engine *engine, struct outbox *out);
void     engine_on_row(struct engine *engine, const struct event *event, struct outbox *out);
void     engine_on_read_done(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_read.c: a match out of its rows. False: the row is not what was written. */
bool engine_read_match(struct engine *engine, const struct row *row, struct setup *setup);
bool engine_read_snapshot(struct engine *engine, const struct row *row);
bool engine_read_session(struct engine *engine, const struct row *row);
bool engine_read_seat(struct engine *engine, struct hosted *hosted, const struct row *row);

/* engine_replay.c: its acts, played again. */
void engine_replay_act(struct engine *engine, struct hosted *hosted, const struct row *row,
                       struct outbox *out);
void engine_replay_done(struct engine *engine, struct hosted *hosted, struct outbox *out);

/* engine_settle.c */
void engine_settle(void *core, enum store_outcome outcome, struct outbox *out);

/* engine_time.c: what is repeated, dropped, and done at the end. */
void engine_on_time(struct engine *engine, struct outbox *out);

#endif

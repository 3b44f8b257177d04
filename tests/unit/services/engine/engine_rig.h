/* engine_rig.h: an engine on a rig: a store that commits, refuses or loses, and ears for what is said.
 *
 * Shared by the engine's tests. Every call steps one event. Unless the test holds the batch back,
 * it is settled at once as the rig's next outcome says. Reads are answered out of the rig's rows.
 * What the engine wanted said lies in `said`, packed as it would travel. */
#ifndef ARBITER_TEST_ENGINE_RIG_H
#define ARBITER_TEST_ENGINE_RIG_H

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "games/registry.h"
#include "match/policy.h"
#include "schema/journal.h"
#include "services/engine/engine.h"
#include "services/engine/history.h"
#include "wire/chain.h"
#include "wire/names.h"

/* A set-up that every test may begin with, its players in the order of their seats, and a match. */
#define RIG_NIM "{\"heaps\": [3, 4, 5]}"
#define RIG_MATCH 7
#define RIG_SAID_MAX 4096u
#define RIG_ROWS_MAX 65536u
#define RIG_GAMES_MAX 16u

/* Something the engine did: a message, or another effect that matters to a test. */
struct rig_said {
    enum effect_kind effect;
    uint64_t         route;
    struct header    header;
    uint8_t         *bytes;
    size_t           size;
    struct text      text; /* EFFECT_SAY.                                                       */
};

struct rig_row {
    uint32_t    table;
    struct row *row;
};

/* The rows of a journal; they outlive an engine. */
struct rig_store {
    struct rig_row rows[RIG_ROWS_MAX];
    uint32_t       count;
    uint32_t       commits, acts;
    uint32_t       fails;   /* Reads of ...                                                      */
    uint32_t       failing; /* ... this table that fail next.                                 */
    uint32_t       asked[256]; /* By slot: how often its live matches were asked for.           */
};

struct rig {
    struct engine_settings settings;
    struct rig_store      *store;
    struct engine         *engine;
    void                  *core; /* The engine, or another core under test.                     */
    const struct core_ops *ops;
    size_t                 bytes;
    struct outbox          out;
    void                  *outbox;
    enum store_outcome     next;  /* Of the batches to come.                                     */
    bool                   holds; /* Batches wait for rig_settle.                             */
    uint64_t               now_ms;
    uint64_t               luck;
    uint32_t               batches; /* Settled with rows or fences.                             */
    bool                   exited;
    const char            *code; /* Of the matches to come: only who knows it may watch.      */
    Arbiter__Engine__Opening **openings; /* Of the matches to come.                            */
    size_t                     opening_count;
    uint32_t                   protocol; /* Of the matches to come; 0: not said.                 */
    Arbiter__Wire__Contributor **contributors; /* To their dice.                               */
    size_t                       contributor_count;
    uint8_t         version; /* In which seats are attached from now on; 0: the first. */
    const uint32_t *numbers; /* Of those who hold its seats; NULL: they have none.    */
    struct rig_said said[RIG_SAID_MAX];
    uint32_t        said_count;
};

/* The speakers of these tests: the key of each is its number, everywhere. */
enum { RIG_LOBBY = 1, RIG_ALICE, RIG_BOB, RIG_CAROL, RIG_FANOUT, RIG_WATCHDOG, RIG_GATEWAY };
extern const uint32_t rig_two[2]; /* Alice and Bob. */

struct rig_store  *rig_store_new(void);
void               rig_store_free(struct rig_store *store);
/* A copy of its rows; and the rows of a copy instead of its own, as when a backup is put back. */
struct rig_store  *rig_store_copy(const struct rig_store *store);
void               rig_store_put_back(struct rig_store *store, const struct rig_store *copy);
/* Where the tables of a game's record begin, behind the journal's; 0: it keeps none. */
uint32_t           rig_first_table(const struct game *game);
/* Everything or nothing, as store.h says. */
enum store_outcome rig_store_commit(struct rig_store *store, const struct outbox *out);
bool               rig_store_wants(const struct query *query, const struct row *row);

/* An engine over these rows that takes all slots, its first reads done. `change` may alter the settings. */
void rig_open(struct rig *rig, struct rig_store *store,
              void (*change)(struct engine_settings *settings));
/* A history door over them. */
void rig_open_history(struct rig *rig, struct rig_store *store,
                      const struct history_settings *settings);
/* The process dies: nothing is settled, nothing is said. */
void rig_close(struct rig *rig);

/* For most tests: an engine over rows of its own; the rows. And its end. */
struct rig_store *rig_begin(struct rig *rig);
void              rig_end(struct rig *rig);
/* The same with RIG_MATCH, a nim that Alice and Bob play, open dice and no clock. */
struct rig_store *rig_begin_nim(struct rig *rig);

/* A message from somebody. */
void rig_hear(struct rig *rig, uint32_t who, uint32_t role, const struct header *header,
              const void *body);
/* The same of one who shares a key with others, and is answered elsewhere. */
void rig_hear_from(struct rig *rig, uint32_t who, uint32_t route, uint32_t role,
                   const struct header *header, const void *body);
/* Time goes on by so much, and the engine is woken. */
void rig_wait(struct rig *rig, uint64_t ms);
void rig_event(struct rig *rig, enum core_event_kind kind);
/* Settles the batch that was held back, performs and reads. */
void rig_settle(struct rig *rig, enum store_outcome outcome);
void rig_forget(struct rig *rig);

/* How many messages of a kind were said, to whom (0: anybody), and the last of them, unpacked. The
 * caller frees nothing: it lives until the rig is closed. */
uint32_t             rig_count(const struct rig *rig, uint32_t who, uint16_t kind);
const void          *rig_last(struct rig *rig, uint32_t who, uint16_t kind);
const struct header *rig_last_header(const struct rig *rig, uint32_t who, uint16_t kind);
/* The refusal that was said last to somebody; 0: none. */
uint32_t             rig_refusal(struct rig *rig, uint32_t who);

/* The lobby begins a match: `names` are keys, one for each seat; open dice from a seed, or, with seed 0,
 * hosted ones. */
void     rig_start(struct rig *rig, uint8_t match, const char *game, const char *setup,
                   const char *options, const uint32_t *holders, uint32_t seats, int64_t seed,
                   uint64_t turn_ms);
void     rig_header(struct header *header, uint16_t kind, uint8_t match, uint32_t seat);
/* Attaches; returns the session, 0 if it was refused. */
uint32_t rig_attach(struct rig *rig, uint8_t match, uint32_t who, uint32_t seat);
/* A command of the game as bytes, with this request's number. */
void     rig_play(struct rig *rig, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
                  uint32_t request, const uint8_t *bytes, size_t size);
/* Takes counters at nim. */
void     rig_take(struct rig *rig, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
                  uint32_t request, uint32_t heap, uint32_t count);
/* Plays so many commands as a random player would, attached anew; fewer if the match ends. */
uint32_t rig_play_on(struct rig *rig, uint8_t match, const uint32_t *holders, uint32_t seats,
                     uint32_t commands, uint64_t luck);
/* A set-up's text that comes with a game; the caller frees it. */
char    *rig_setup(const char *path);
const struct match *rig_match(const struct rig *rig, uint8_t match);
/* So many rows of a table. */
uint32_t            rig_rows(const struct rig_store *store, enum journal_table table);

#endif

/* watchdog_parts.h: what the watchdog is made of; private to services/watchdog. */
#ifndef ARBITER_WATCHDOG_PARTS_H
#define ARBITER_WATCHDOG_PARTS_H

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "core/figures.h"
#include "core/wheel.h"
#include "services/watchdog/watchdog.h"
#include "wire/names.h"

/* The body of `event` as the message its kind names. */

#define NO_WAIT UINT32_MAX
#define NO_SERVICE UINT32_MAX
#define NOT_IN_COMMIT UINT64_MAX
/* Life is looked after so often; a longer pause between two looks is our own. */
#define TICK_MS 100u

/* A deadline; its place is its timer. */
struct watchdog_wait {
    uint8_t  id[HEADER_MATCH_SIZE];
    uint64_t wait, epoch;
    uint64_t mark;  /* Of the last list it stood in. */
    uint32_t seats; /* A bit each. */
    uint32_t peer;  /* The engine that named it. */
    uint32_t tries; /* How often Expire was said. */
    uint32_t next;  /* In its bucket, or free. */
    bool     is_used;
};

/* What a person is told about a service. */
enum watchdog_alert {
    ALERT_SILENT,
    ALERT_STUCK,
    ALERT_DISK_SLOW,
    ALERT_FORKED,
    ALERT_HOLDS,
    ALERTS
};

#define COMMIT_STEPS_MAX                                                                           \
    FIGURE_STEPS /* Of a beat's `commit_steps` and `loop_steps`; more are not kept. */

/* A service that beats. */
struct watchdog_service {
    uint32_t        role; /* directory.Role; 0: a free place. */
    char            name[PEER_NAME_MAX];
    uint64_t        started_ms; /* Another one is another process. */
    uint64_t        heard_ms;
    uint64_t        well_ms; /* It was well since then. */
    /* As its last beat said. */
    uint64_t        beat;
    uint64_t        commit_ms; /* NOT_IN_COMMIT. */
    struct figures  figures;
    uint64_t        commit_steps[COMMIT_STEPS_MAX], loop_steps[COMMIT_STEPS_MAX];
    uint32_t        steps, turn_steps;
    struct fullness bounds;
    uint32_t        open; /* Alerts that are open, a bit each. */
    bool            is_silent, is_stuck;
    bool            is_stopped; /* It said so: its silence is no news. */
};

#define WATCHDOG_SLOW 1000u /* Slow commands that are kept. */

/* A command that took long. */
struct watchdog_slow {
    uint32_t role; /* Of who says so, ... */
    char     service[PEER_NAME_MAX];
    uint8_t  id[TRACE_ID_SIZE], match_id[HEADER_MATCH_SIZE];
    uint32_t seat;
    uint64_t number, at_ms; /* ... by whose clock that is. */
    uint64_t us[TRACE_COUNT];
};

/* The engine that holds a slot, as its row says. */
struct watchdog_lease {
    bool     is_held;
    char     engine[PEER_NAME_MAX];
    uint64_t epoch;   /* 0: there is no row. */
    uint64_t renewed; /* Grows each time that any watchdog renews it. */
    /* When this watchdog last saw the row change, on its own clock. For a change of its own: when
     * it last heard the holder, since it vouches for no more. */
    uint64_t changed_ms;
    uint64_t moved_ms; /* When it last went to another engine; 0: never. */
    uint64_t taken_ms; /* When it last went there from one who was silent; 0: never. */
};

struct watchdog {
    struct watchdog_settings settings;
    struct watchdog_facts    facts;
    struct peers             peers;
    uint64_t                 now_ms; /* Of the last event. */
    uint64_t                 tick_ms;
    uint64_t                 alerts_ms;

    struct watchdog_wait *waits;
    uint32_t             *buckets; /* By hash of the match's id. */
    struct wheel         *wheel;
    uint32_t              free_wait;
    uint64_t              mark;
    uint64_t              epochs[SLOTS]; /* The highest one a wait was named under. */
    bool                  is_full;       /* A wait found no room, and people were told. */

    struct watchdog_service *services;

    struct watchdog_slow slow[WATCHDOG_SLOW]; /* The newest, round and round. */
    uint64_t             slow_heard;          /* So far. */

    struct watchdog_lease leases[SLOTS], changed[SLOTS], read[SLOTS];
    uint64_t              number; /* Of the Leases published. */
    uint64_t              look_ms, publish_ms;
    uint64_t              asked_ms; /* When the rows were asked for. */
    uint32_t              tag;      /* Of that read. */
    uint32_t              moved;    /* Slots, of which people have not been told. */
    uint32_t              handed;   /* Slots that a living holder gave away in this look. */
    bool                  is_reading, has_read, is_committing, must_publish, is_unowned;
};

/* waits.c: deadlines. */
void watchdog_waits_init(struct watchdog *watchdog);
void watchdog_on_waits(struct watchdog *watchdog, const struct event *event, struct outbox *out);
/* Says Expire for what is due, as much as a step may. */
void watchdog_expire(struct watchdog *watchdog, struct outbox *out);

/* life.c: who is there. */
void watchdog_on_beat(struct watchdog *watchdog, const struct event *event, struct outbox *out);
void watchdog_look_after_life(struct watchdog *watchdog, struct outbox *out);
/* The operator asks how everybody does. */
void watchdog_on_life_ask(const struct watchdog *watchdog, const struct event *event,
                          struct outbox *out);
/* We have not been listening: nobody is silent for that. */
void watchdog_was_away(struct watchdog *watchdog);
/* Whether it says that it is to be left alone: it stops, or the operator drains it. */
bool watchdog_is_draining(const struct watchdog *watchdog, const struct watchdog_service *service);
/* The service of this role and name; NULL. */
const struct watchdog_service *watchdog_find(const struct watchdog *watchdog, uint32_t role,
                                             const char *name);

/* slow.c: commands that took long. */
void watchdog_on_slow(struct watchdog *watchdog, const struct event *event, struct outbox *out);
/* The operator asks for them. */
void watchdog_on_slow_ask(const struct watchdog *watchdog, const struct event *event,
                          struct outbox *out);

/* alerts.c: what people are told. */
/* A service's alert begins (`is_over` false) or is over. */
void watchdog_alert(struct watchdog_service *service, enum watchdog_alert alert, bool is_over,
                    struct outbox *out);
void watchdog_repeat_alerts(struct watchdog *watchdog, struct outbox *out);
void watchdog_note_restart(const struct watchdog_service *service, struct outbox *out);
/* A new owner's wait stands at an earlier act than the one before. */
void watchdog_note_set_back(const uint8_t *match_id, uint64_t before, uint64_t now,
                            struct outbox *out);
void watchdog_note_moved(uint32_t slots, struct outbox *out);
void watchdog_alert_waits_full(struct outbox *out, bool is_over);
void watchdog_alert_unowned(struct outbox *out, bool is_over);

/* leases.c: who holds which slots. */
void watchdog_look_after_leases(struct watchdog *watchdog, struct outbox *out);
void watchdog_on_row(struct watchdog *watchdog, const struct event *event);
void watchdog_on_read(struct watchdog *watchdog, const struct event *event, struct outbox *out);
void watchdog_leases_settle(struct watchdog *watchdog, enum store_outcome outcome);
void watchdog_publish_leases(struct watchdog *watchdog, struct outbox *out);

#endif

/* parts.h: what the fanout is made of; private to services/fanout.
 *
 * A *slot* knows how many acts it has had, as far as the fanout knows of all of them, and how many its
 * owner says. A *match* knows the act it will relay next, the last one it has heard of, and what it asked
 * for. A *question* waits at its match until the acts are there. Deadlines stand in two wheels, by the
 * match's number: one for heads, one for questions upstream. */
#ifndef ARBITER_FANOUT_PARTS_H
#define ARBITER_FANOUT_PARTS_H

#include "core/wheel.h"
#include "services/fanout/fanout.h"
#include "services/fanout/shelf.h"

#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "wire/names.h"

#define NO_MATCH UINT32_MAX
#define NO_ASK UINT32_MAX
#define HAS_READERS UINT64_MAX
#define HEAD_FIRST_MS 1000u /* After an act. */
#define MARKS_IN_STEP 1024u /* Each takes about 150 bytes of the outbox. */
/* The body of `event` as the message its kind names. */

struct fanout_slot {
    uint64_t epoch;  /* The highest one seen. */
    uint64_t count;  /* Of all acts up to this one it is known whose they are; if is_known. */
    uint64_t stands; /* What its owner says; if is_heard. */
    uint64_t run_first, run_last; /* Acts counted beyond a gap, without a gap; 0: none. */
    uint64_t idle_ms;             /* Since when it has had no reader; HAS_READERS. */
    uint64_t asked_ms;            /* When it was last asked which matches moved. */
    uint64_t level_ms;            /* When it was last seen level, or began to be followed. */
    uint32_t request;             /* The number of that question: answers to others do not count. */
    uint32_t marked;              /* The engine that heard our marks, ... */
    uint64_t marked_ms;           /* ... which of its processes, ... */
    uint64_t marked_epoch;        /* ... and under which epoch. */
    bool     is_marking;          /* The question that is out says them. */
    uint32_t source;              /* The peer from which its highest epoch came; NO_PEER. */
    uint32_t readers;             /* Matches of it that are read. */
    uint32_t newest, oldest;      /* Its matches, by when they last moved. */
    bool     is_whole;            /* Somebody subscribed to all of it. */
    bool     is_followed;         /* We subscribed to it. */
    bool     is_known;            /* `count` is. */
    bool     is_heard;            /* `stands` was said by its present owner. */
    bool     is_asked;            /* A question is out. */
};

struct fanout_match {
    uint8_t  id[HEADER_MATCH_SIZE];
    uint32_t bucket_next;
    uint32_t generation;   /* Of this place: acts of another one are not this match's. */
    uint32_t newer, older; /* In its slot. */
    bool     is_used;
    bool     is_touched; /* Since the clock's hand last passed. */
    bool     is_read;    /* Somebody subscribed to it. */
    bool     is_over;    /* The owner said that there will be no more. */
    bool     has_chain, has_last_chain;
    bool     is_doubted; /* Act `next` came with a chain that does not fit: history is asked. */
    bool     is_ready;   /* Stands in the queue of matches whose questions can be answered. */
    uint8_t  slot;
    uint8_t  version;                      /* That its acts' readers need; 0: none was seen. */
    uint64_t next;                         /* The act to be relayed next; 0: none has been seen. */
    uint64_t last;                         /* The last one heard of, ... */
    uint64_t last_epoch;                   /* ... and an epoch that it is no younger than. */
    uint64_t slot_count;                   /* Of its slot, when it last moved; never too low. */
    uint8_t  chain[CRYPTO_HASH_SIZE];      /* Chain next-1, if has_chain. */
    uint8_t  last_chain[CRYPTO_HASH_SIZE]; /* Chain `last`, if has_last_chain. */
    uint64_t head_ms;                      /* When its last head went out; 0: never. */
    uint32_t head_step;                    /* How often since its last act. */
    uint32_t first_ask, last_ask;          /* Questions that wait. */
    uint32_t ready_next;
    uint32_t refusal;    /* Why upstream would not serve the last question; 0: it did. */
    uint32_t attempts;   /* Questions upstream that brought nothing. */
    uint64_t fetch_from; /* The question that is out; 0: none is. */
};

struct fanout_ask {
    uint32_t      next; /* Of its match, or free. */
    uint32_t      door;
    uint64_t      route;
    uint8_t       key[CALLER_KEY_SIZE];
    struct header header;
    uint64_t      from, to; /* `to` UINT64_MAX: as far as there are. */
    uint64_t      since_ms;
    bool          is_used;
    bool          is_covered; /* Upstream has said all it knows of it, or it has waited too long. */
};

struct fanout {
    struct fanout_settings settings;
    struct fanout_facts    facts;
    struct peers           peers;
    struct fanout_slot     slots[SLOTS];
    struct fanout_match   *matches;
    uint32_t              *buckets; /* By hash of the match's id. */
    struct fanout_ask     *asks;
    struct shelf          *shelf;
    struct wheel          *heads;   /* By match: when its next head is due. */
    struct wheel          *fetches; /* By match: when to look after what it lacks. */
    uint8_t               *scratch; /* One message's worth of bytes. */
    uint32_t               free_ask, waiting;
    uint32_t               hand; /* Where the search for a match to forget goes on. */
    uint32_t               ready_first, ready_last;
    uint32_t               in_flight;    /* Questions for acts that are out. */
    uint64_t               window_ms;    /* Heads are paced by windows of WINDOW_MS; ... */
    uint32_t               window_heads; /* ... so many went out in this one. */
    bool     must_listen[PEERS_MAX];     /* Its connection is new and has not been told. */
    bool     has_new_peers;
    uint64_t slots_ms;   /* When to look after all slots. */
    uint32_t marks_left; /* So many marks may be said in this step still. */
};

/* matches.c: which matches are known. */
void                 fanout_matches_init(struct fanout *fanout);
struct fanout_match *fanout_match_find(struct fanout *fanout, const uint8_t *id);
/* Found or made, another one forgotten for it; NULL: every match is read or asked about. */
struct fanout_match *fanout_match_make(struct fanout *fanout, const uint8_t *id);
uint32_t fanout_match_index(const struct fanout *fanout, const struct fanout_match *match);
/* Whose acts they are, on the shelf. */
uint64_t fanout_match_owner(const struct fanout *fanout, const struct fanout_match *match);
/* Nothing of what is held of it is believed any more. */
void     fanout_match_disbelieve(struct fanout *fanout, struct fanout_match *match);
/* It moved, with its slot at `slot_count`. */
void     fanout_match_moved(struct fanout *fanout, struct fanout_match *match, uint64_t slot_count);
void     fanout_match_read(struct fanout *fanout, struct fanout_match *match, bool is_read);
/* Whether somebody wants all of its acts. */
bool     fanout_match_is_wanted(const struct fanout *fanout, const struct fanout_match *match);

/* slots.c: which slots are followed, and whether they are complete. */
void     fanout_slots_init(struct fanout *fanout);
void     fanout_on_reader(struct fanout *fanout, const struct event *event, struct outbox *out);
/* Connections opened since that effect are told what is listened to; true: some are yet to be. */
bool     fanout_listen_again(struct fanout *fanout, struct outbox *out, uint32_t first_effect);
void     fanout_look_after_slots(struct fanout *fanout, uint64_t now_ms, struct outbox *out);
bool     fanout_slot_is_level(const struct fanout_slot *slot);
/* Something of its slot came from upstream, under its owner's epoch; false: it is an old owner's. Also
 * of a slot that is not followed (any more): a fanout that follows it again must not believe the
 * older one. */
bool     fanout_slot_takes(struct fanout *fanout, const struct event *event);
/* An act was seen that the slot counted as this one. */
void     fanout_slot_counted(struct fanout *fanout, uint8_t index, uint64_t count, uint64_t now_ms,
                             struct outbox *out);
/* All acts up to this one are accounted for; a run that was counted beyond may join. */
void     fanout_slot_known(struct fanout_slot *slot, uint64_t count);
/* The role of those whom this fanout follows. */
uint32_t fanout_upstream_role(const struct fanout *fanout);
/* Whom to ask about a slot; NO_PEER. Another attempt may ask another one. */
uint32_t fanout_slot_source(const struct fanout *fanout, uint8_t slot, uint32_t attempt);

/* moved.c: which matches moved. */
void fanout_on_slot_count(struct fanout *fanout, const struct event *event, struct outbox *out);
void fanout_ask_moved(struct fanout *fanout, uint8_t index, uint64_t now_ms, struct outbox *out);
void fanout_on_moved_answer(struct fanout *fanout, const struct event *event, struct outbox *out);
/* Whether the slot's engine, as it is now, has not yet heard what we were told of its matches. */
bool fanout_must_mark(const struct fanout *fanout, uint8_t index);
/* Somebody of the present epoch says that a match stands at `number`; `chain` may be NULL. */
void fanout_learn(struct fanout *fanout, struct fanout_match *match, uint64_t number,
                  const uint8_t *chain, uint64_t now_ms, struct outbox *out);
/* The match's last act is this one, as far as one knows now; owners of later epochs than this must have it. */
#define EPOCH_UNKNOWN UINT64_MAX
void           fanout_stands_at(struct fanout_match *match, uint64_t number, uint64_t epoch);
/* The chain of the last act heard of; NULL: not known. */
const uint8_t *fanout_last_chain(const struct fanout_match *match);
void fanout_on_moved_ask(struct fanout *fanout, const struct event *event, struct outbox *out);

/* live.c: acts, once each and in order. */
void fanout_on_act(struct fanout *fanout, const struct event *event, struct outbox *out);
/* An act that history gave, as the bytes it came in. */
void fanout_take_past(struct fanout *fanout, struct fanout_match *match,
                      const Arbiter__Stream__Act *act, const uint8_t *bytes, size_t size,
                      const struct event *event, struct outbox *out);
/* Whether an act has all that its readers rely on. */
bool fanout_act_is_whole(const Arbiter__Stream__Act *act);
/* Chain `number`, of an act that was relayed; false: it is not known any more. */
bool fanout_chain_at(struct fanout *fanout, const struct fanout_match *match, uint64_t number,
                     uint8_t chain[CRYPTO_HASH_SIZE]);
/* Chain `number` after an act. */
void fanout_chain_after(const struct fanout *fanout, const Arbiter__Stream__Act *act,
                        uint8_t chain[CRYPTO_HASH_SIZE]);
/* A line for the log about a match. */
void fanout_say(struct outbox *out, enum say_level level, const struct fanout_match *match,
                uint64_t number, const char *sentence);

/* fetch.c: what is missing, asked for upstream. */
/* Looks whether the match lacks something, and asks. */
void fanout_fetch(struct fanout *fanout, struct fanout_match *match, uint64_t now_ms,
                  struct outbox *out);
void fanout_look_after_fetches(struct fanout *fanout, uint64_t now_ms, struct outbox *out);
void fanout_on_history_answer(struct fanout *fanout, const struct event *event, struct outbox *out);
void fanout_on_refused(struct fanout *fanout, const struct event *event, struct outbox *out);

/* asks.c: the history door. */
void fanout_asks_init(struct fanout *fanout);
void fanout_on_history_ask(struct fanout *fanout, const struct event *event, struct outbox *out);
/* Upstream has told all it has from act `from` to `to`, and that `last` is the last. */
void fanout_asks_cover(struct fanout *fanout, struct fanout_match *match, uint64_t from,
                       uint64_t to, uint64_t last);
/* The first question that upstream has not answered; NULL. Questions that are too old go. */
const struct fanout_ask *fanout_asks_open(struct fanout *fanout, struct fanout_match *match,
                                          uint64_t now_ms);
/* Answers what can be answered, as much as a step may; true: there is more. */
bool fanout_answer_ready(struct fanout *fanout, uint64_t now_ms, struct outbox *out);
void fanout_make_ready(struct fanout *fanout, struct fanout_match *match);

/* heads.c: where matches stand, said at a bounded pace. */
/* The match moved, or somebody new wants to know: its next head comes after `delay_ms`. */
void     fanout_head_soon(struct fanout *fanout, struct fanout_match *match, uint64_t now_ms,
                          uint64_t delay_ms);
void     fanout_publish_heads(struct fanout *fanout, uint64_t now_ms, struct outbox *out);
/* When the next head may go out. */
uint64_t fanout_heads_wake(const struct fanout *fanout);
void     fanout_on_head(struct fanout *fanout, const struct event *event, struct outbox *out);

#endif

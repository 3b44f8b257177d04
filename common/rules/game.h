/* game.h: what a game is: one table of small pure functions over two flat blocks.
 *
 * The *set-up* is what the table was created with, read, judged and compiled once; it never changes
 * and every match of the table may share it. The *state* is everything that changes. It has a fixed
 * size, no pointers and no padding. So a snapshot is memcpy, equality is memcmp and a checksum is
 * honest. Both are zeroed by the owner before the first write.
 *
 * The functions are pure: they open nothing, ask no clock, draw from no dice but those handed to
 * them, keep nothing between calls and allocate nothing. They link against memcpy, memset, memcmp and
 * the assert; a test asks the object files. Bytes of a peer never reach an assert: commands come
 * decoded, but with any values, and `apply` judges them all.
 *
 * What holds for every game, and one test for all games proves:
 *   - a refused command changes no byte of the state, draws nothing and emits nothing;
 *   - `legal` lists exactly what `apply` accepts (but for kinds flagged below), for every seat;
 *   - looking (`legal`, `view`, `asks`, `outcome`, `to_act`, `check`) changes nothing;
 *   - the same set-up, dice and commands give the same words at any address, with any compiler;
 *   - `hidden` marks what a seat may not know. No view depends on that, and nothing that `legal`,
 *     `asks`, `propose` and `judge` say to the seat. Events may, once a rule reveals something: a
 *     deck's top card, a built stage;
 *   - nothing exceeds what `bounds` declares. */
#ifndef ARBITER_GAME_H
#define ARBITER_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "dice/dice.h"
#include "rules/command.h"
#include "rules/extents.h"
#include "rules/legal.h"
#include "rules/record.h"
#include "rules/registration.h"
#include "rules/sink.h"

#define SEATS_MAX 16
#define SPECTATOR 0xffu /* The viewer who holds no seat.                  */
#define BOX_CLASSES_MAX 4

typedef uint32_t seat_mask; /* Bit s: seat s.                                 */
typedef uint32_t verdict;   /* 0: accepted; else an index into `reasons`.     */

#define ACCEPTED 0u

/* How a kind of command relates to what `legal` lists. */
enum command_flags {
    COMMAND_LISTED = 0,   /* Accepted if and only if listed.                                    */
    COMMAND_OPEN = 1,     /* Too many to list (half a map); `propose` makes one.                 */
    COMMAND_FORFEITS = 2, /* Unlisted ones may be accepted and lose (a wrong countdown).         */
    COMMAND_ALIAS = 4,    /* Another spelling of a listed command; accepted though not listed.   */
    COMMAND_ANYTIME = 8,  /* May be accepted from a seat that is not in `to_act`.                */
    COMMAND_TIMED = 16,   /* Its first argument is the player's think time in ms. Who owns the   */
                          /* match puts it there, measured by itself or by a door it trusts,     */
                          /* over whatever the player sent. ABSENT counts as 0, and is what      */
                          /* `legal` lists.                                                      */
    COMMAND_SELDOM = 32,  /* Gives up, or takes back what the seat itself has done: random       */
                          /* players choose it seldom, or no match of theirs would get anywhere. */
};

#define NO_TIME_LIMIT UINT32_MAX

struct command_kind {
    const char *name;  /* As the field in the .proto's `Command.kind`.   */
    uint32_t    flags; /* enum command_flags.                            */
};

struct event_kind {
    const char *name;      /* As the field in the .proto's `Event.kind`.     */
    uint32_t    box_class; /* An act with this public event has boxes of at least this class.    */
};

/* Several verdicts may share a name and differ in sentence or details: "cannot_sponsor" of 2, 3, 4
 * and 5 stages are four. */
struct reason {
    const char *name;     /* The code a program reads: "CANNOT_END_ON_START_SQUARE".            */
    const char *sentence; /* What a person reads; says what to do where it can.                 */
};

/* The bounds of everything, worked out from a set-up. Owners allocate by them, once. */
struct bounds {
    uint32_t state_bytes;
    uint32_t legal_patterns;
    uint32_t legal_values;
    uint32_t event_words; /* Of one command, expiry or start, headers included.        */
    uint32_t view_words;
    uint32_t commands; /* After so many a match is over whatever happens; 0: it has */
                       /* no such end, and random play ends it almost surely.       */
    /* Size of a sealed box by class, padded so that it tells nothing; 0: no boxes, and then nothing
     * may be said to one seat. A box holds 4 bytes, and for each event that only its seat is told
     * at most 20 bytes and the encoded fields. A 32-bit number takes 6 bytes, one of 64 bits takes
     * 11. */
    uint32_t box_bytes[BOX_CLASSES_MAX];
    uint32_t text_bytes;      /* Longest text `propose` writes; 0 without open kinds.      */
    uint32_t answer_ms;       /* When `expire` is due after a question, if the set-up says */
                              /* so itself, grace included; 0: the table decides.          */
    uint32_t registration_ms; /* The same for the registration's `expire`.                 */
};

/* What a rule may touch when something happens. */
struct play {
    const void  *setup;
    void        *state;
    struct dice *dice;
    struct sink *out;
};

struct foresight;

struct game {
    const char *name;              /* "dead": folder, registry and wire name.                   */
    uint32_t    version;           /* Of the rules; kept with each match, replays ask for it.   */
    const char *title;             /* For people.                                               */
    uint32_t seats_min, seats_max; /* Over all set-ups.                                         */
    bool     wanders;      /* Random players may never come to an end: they are no default.     */
    const char *open_dice; /* The dice kind a given seed means: "java" or "splitmix".   */

    const struct command_kind *commands; /* By kind; [0] is unused. */
    const struct event_kind *events; /* By kind; [0] is unused.                                   */
    const struct reason *reasons;    /* By verdict; [0] is unused.                                */
    uint32_t             command_kinds, event_kinds, reason_kinds; /* Sizes of the three.       */
    /* By verdict: what a program reads beside the code, as members of a JSON object
     * ("\"missing\":\"dir\""). NULL where there is nothing; the pointer is NULL for a game that has
     * none. */
    const char *const   *details;

    /* Reads a set-up: `config` as a person wrote it, `options` what the table says beside it (the
     * dead's edition and patience; NULL for none). Reports every fault, and refuses what exceeds its
     * bounds, naming both numbers. Returns the bytes the compiled set-up takes, or, with faults, 0;
     * writes only if `capacity` suffices. `setup` NULL asks for the size. */
    size_t (*configure)(const struct value *config, const struct value *options, void *setup,
                        size_t capacity, struct faults *faults);
    /* How many may sit at a table of this set-up. */
    void (*seats)(const void *setup, uint32_t *least, uint32_t *most);
    void (*bounds)(const void *setup, uint32_t seats, struct bounds *bounds);
    /* The seed a set-up names itself, for tables with open dice; false: it names none. NULL: no set-up
     * of this game does. */
    bool (*seed)(const void *setup, uint64_t *seed);

    /* Begins a match of `seats` seats: fills the zeroed state, emits the first events. */
    void (*start)(struct play *play, uint32_t seats);
    /* A seat asks to do something. Accepted: done. Refused: nothing has happened. */
    verdict (*apply)(struct play *play, uint32_t seat, const struct command *command);
    /* The time of these seats ran out at one instant. False: none of them was awaited, nothing has
     * happened. Each expiry that happens answers one question of each. NULL: the game knows no time. */
    bool (*expire)(struct play *play, seat_mask late);
    /* A seat is removed by the house (ban, abort of a seat). False: nothing has happened. May be NULL. */
    bool (*leave)(struct play *play, uint32_t seat);

    /* The house ends the whole match: nobody wins or loses. False: it was over. NULL: such a match
     * just stops, and nothing more is said in it. */
    bool (*annul)(struct play *play);

    /* Whom the game waits for; 0: the match is over. */
    seat_mask (*to_act)(const void *setup, const void *state);
    /* The number of the question an awaited seat is being asked. Its time starts when it becomes
     * awaited or the number changes, and not with every act. So a player who adds a card and takes
     * it back gains no time, and an act of another player costs none. NULL: every act asks
     * everybody awaited anew. */
    uint64_t (*question)(const void *setup, const void *state, uint32_t seat);
    /* What a seat may do now; fills the list from the beginning. */
    void (*legal)(const void *setup, const void *state, uint32_t seat, struct legal *list);
    /* Makes a command of an open kind, its text into `text` of `text_max` bytes; false: there is none
     * now. NULL for games without open kinds. */
    bool (*propose)(const void *setup, const void *state, uint32_t seat, struct dice *dice,
                    struct command *command, uint8_t *text, uint32_t text_max);
    /* Repeats what a seat is being asked, as the events that asked it; nothing if it is not awaited. */
    void (*asks)(const void *setup, const void *state, uint32_t seat, struct sink *out);
    /* What a seat, or SPECTATOR, may know: the words of one View. Built from what may be known, never
     * by hiding parts of the whole. */
    void (*view)(const void *setup, const void *state, uint32_t viewer, struct sink *out);
    /* The result of a match that is over: per seat more than 0 won, 0 drew, less than 0 lost. */
    void (*outcome)(const void *setup, const void *state, int32_t *per_seat);
    /* The first broken invariant, as a sentence, or NULL. For tests and after recovery. */
    const char *(*check)(const void *setup, const void *state);
    /* Marks, with 0xff, the bytes of the state that the viewer may know nothing of. For tests. */
    void (*hidden)(const void *setup, const void *state, uint32_t viewer, uint8_t *mask);
    /* How much a greedy player likes a listed command, seeing what the seat may see; the best one is
     * played. May be NULL. */
    int64_t (*judge)(const void *setup, const void *state, uint32_t seat,
                     const struct command *command);

    /* Of the state's struct: raised when it changes while the rules do not, as when a field is moved.
     * Snapshots of another layout are not read; their matches are replayed. */
    uint32_t layout;

    /* The conversation at the table before the match, where the rules describe one; NULL elsewhere. */
    const struct registration *registration;

    /* Tables of its own and lines for the log; NULL where the rules ask for none. */
    const struct game_record *record;

    /* For players that think ahead (rules/foresight.h); NULL: nobody does in this game. */
    const struct foresight *foresight;

    /* How wide lists and Views can get (rules/extents.h), into zeroed numbers. NULL: who asks for a View as a block gets its
     * plain words, in a block that all of them fit. */
    void (*extents)(const void *setup, uint32_t seats, struct extents *extents);
};

#endif

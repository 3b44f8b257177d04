/* marks.h: what a campaign must have seen *sometimes*: a mark that stays dark is a blind spot.
 *
 * A mark is lit where the interesting thing happens. A campaign adds the marks of its universes up,
 * and fails if one of them was lit in none. Then the dice never went there, and all the green
 * around it says nothing. */
#ifndef ARBITER_CLUSTER_MARKS_H
#define ARBITER_CLUSTER_MARKS_H

#include <stdint.h>

#define MARKS(MARK)                                                                                \
    MARK(FRAME_LOST, "a frame is lost")                                                            \
    MARK(FRAME_DOUBLED, "a frame comes twice")                                                     \
    MARK(FRAME_OVERTAKEN, "a frame overtakes another")                                             \
    MARK(FRAME_DROPPED, "a publisher's queue overflows")                                           \
    MARK(FRAME_TO_NOBODY, "a message to a route that is gone")                                     \
    MARK(FRAME_REFUSED, "a frame without the right to say it is refused")                          \
    MARK(FRAME_BROKEN, "bytes that are no frame are dropped")                                      \
    MARK(LINK_ANEW, "a connection stands anew")                                                    \
    MARK(LINK_CUT, "a process is told that a connection of its own was lost")                      \
    MARK(LINK_REFUSED, "a connection of a key that is not admitted, or not yet")                   \
    MARK(SPLIT, "the network is split")                                                            \
    MARK(CRASH_IDLE, "a process dies between batches")                                             \
    MARK(CRASH_IN_COMMIT, "a process dies while it commits")                                       \
    MARK(CRASH_KEPT, "... and the commit is kept")                                                 \
    MARK(CRASH_LOST, "... and the commit is lost")                                                 \
    MARK(CRASH_UNSAID, "a process dies with effects unperformed behind a kept commit")             \
    MARK(PAUSE_IN_COMMIT, "a process stands still while it commits")                               \
    MARK(PAUSE_INBOX, "a process goes on with a full inbox")                                       \
    MARK(COMMIT_FULL, "a commit is refused: the disk is full")                                     \
    MARK(COMMIT_BUSY, "a commit is refused: try again")                                            \
    MARK(COMMIT_OLD_EPOCH, "a commit is refused: an old epoch")                                    \
    MARK(COMMIT_UNKNOWN_KEPT, "a commit of unknown outcome is kept")                               \
    MARK(COMMIT_UNKNOWN_LOST, "a commit of unknown outcome is lost")                               \
    MARK(COMMIT_LATE, "a commit is kept after its process had given it up")                        \
    MARK(BATCH_OF_MANY, "one transaction for several messages")                                    \
    MARK(READ_FAILED, "a read fails")                                                              \
    MARK(STALE_FRAME, "a client says again what it said before")                                   \
    MARK(TAKEOVER, "a slot goes to another engine")                                                \
    MARK(HOSTED, "a match is played with dice of the house's")                                     \
    MARK(PROTOCOL_FIRST, "a match is of version 1")                                                \
    MARK(PROTOCOL_NEWEST, "a match is of version 2")                                               \
    MARK(SILENT, "a player is too slow to contribute to the dice")                                 \
    MARK(EXPIRED, "a player's time runs out")                                                      \
    MARK(FINISHED, "a match is played to its end")                                                 \
    MARK(REFUSED_BY_RULES, "the rules refuse a command")                                           \
    MARK(ANSWERED_TWICE, "a request that was answered is answered the same again")                 \
    MARK(ANSWERED_BY_SUCCESSOR, "... by an engine that came after the one that played it")         \
    MARK(FETCHED, "acts that were missed come from a history door")                                \
    MARK(ATTACHED_LATE, "somebody attaches to a match that goes on")                               \
    MARK(CLOSED, "a session is closed")                                                            \
    MARK(TOLD_AGAIN, "a player is told: again")                                                    \
    MARK(TOLD_ELSEWHERE, "a player is told: elsewhere")                                            \
    MARK(TOLD_ATTACH_AGAIN, "a player is told: attach again")                                      \
    MARK(TOLD_NO_SUCH_MATCH, "a player is told: no such match, for it has not begun yet")          \
    MARK(TOLD_GAP, "a player is told: a number was skipped")                                       \
    MARK(TOLD_HELD, "a player is told: held for inspection")                                       \
    MARK(SET_BACK, "a store is set back, and a match of it has lost acts")                         \
    MARK(SET_BACK_VANISHED, "... and a match has vanished from it")                                \
    MARK(SET_BACK_ENDED, "... and a match that was over goes on in it")                            \
    MARK(DAMAGED, "a store is damaged in the middle, and cut there")                               \
    MARK(OLD_EPOCH_FRAME, "a frame of an owner that was replaced reaches a relay")                 \
    MARK(EXPIRE_TWICE, "two watchdogs, or one twice, say that the same time ran out")              \
    MARK(OVER_TWICE, "the lobby hears twice that a match is over")                                 \
    MARK(STARTED_TWICE, "the lobby hears twice that a match has begun")                            \
    MARK(CHAINED, "acts come by a fanout that follows a fanout")                                   \
    MARK(SECOND, "a player's second device plays")                                                 \
    MARK(BOT, "a bot plays")                                                                       \
    MARK(BOT_BACK, "a bot service that began anew plays")                                          \
    MARK(DEAD_FINISHED, "a match of the dead is played to its end")                                \
    MARK(RULES_NEWER, "a match is played by the newer version of its rules")                       \
    MARK(RULES_OLDER, "one of the older version is played by an engine of the newer build")        \
    MARK(RULES_MISSING, "a match lies in a slot whose engine does not have its rules")

enum mark {
#define MARK(name, sentence) MARK_##name,
    MARKS(MARK)
#undef MARK
        MARKS_COUNT
};

struct marks {
    uint64_t lit[MARKS_COUNT]; /* How often.                                                   */
};

const char *mark_sentence(enum mark which);

static inline void mark(struct marks *marks, enum mark which)
{
    marks->lit[which]++;
}

#endif

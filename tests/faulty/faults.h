/* faults.h: the faults that can be planted in an engine or a fanout of these tests, one at a time.
 *
 * The programs are the product's own object files. A fault stands in what is linked in front of a
 * function (the linker's --wrap), or in what runs the core (frames.h). ARBITER_FAULT names the one
 * that is planted; the product's programs know neither the name nor the functions. */
#ifndef ARBITER_FAULTY_FAULTS_H
#define ARBITER_FAULTY_FAULTS_H

#include <stdbool.h>

#define FAULTS(FAULT)                                                                              \
    FAULT(NONE, "none")                                                                            \
    /* Of an engine: rules, numbers, seals, */                                                     \
    FAULT(OTHER_MOVE, "other-move")                                                                \
    FAULT(OUT_OF_TURN, "out-of-turn")                                                              \
    FAULT(NUMBER_GAP, "number-gap")                                                                \
    FAULT(BOX_OF_ANOTHER, "box-of-another")                                                        \
    FAULT(NONCE_AGAIN, "nonce-again")                                                              \
    FAULT(BOX_EMPTY, "box-empty")                                                                  \
    FAULT(PUBLIC_SECRET, "public-secret")                                                          \
    FAULT(SPECTATOR_KEY, "spectator-key")                                                          \
    FAULT(OTHERS_VIEW, "others-view")                                                              \
    /* sessions, answers, */                                                                       \
    FAULT(ANY_SESSION, "any-session")                                                              \
    FAULT(REPLY_CHAIN, "reply-chain")                                                              \
    FAULT(YES_FOR_NO, "yes-for-no")                                                                \
    FAULT(REPLY_NUMBER, "reply-number")                                                            \
    FAULT(PLAYED_TWICE, "played-twice")                                                            \
    FAULT(ANSWERS_FORGOTTEN, "answers-forgotten")                                                  \
    /* dice, epochs, history. */                                                                   \
    FAULT(OTHER_SECRET, "other-secret")                                                            \
    FAULT(HOUSE_DICE, "house-dice")                                                                \
    FAULT(EPOCH_KEPT, "epoch-kept")                                                                \
    FAULT(PAST_REWRITTEN, "past-rewritten")                                                        \
    /* Of a fanout. */                                                                             \
    FAULT(ACT_SKIPPED, "act-skipped")                                                              \
    FAULT(ACTS_SWAPPED, "acts-swapped")                                                            \
    FAULT(ACT_REPEATED, "act-repeated")                                                            \
    FAULT(BODY_CHANGED, "body-changed")                                                            \
    FAULT(OLD_EPOCH, "old-epoch")                                                                  \
    FAULT(HEAD_AHEAD, "head-ahead")                                                                \
    FAULT(HEAD_CHAIN, "head-chain")                                                                \
    FAULT(NO_HEADS, "no-heads")                                                                    \
    FAULT(HISTORY_HOLE, "history-hole")                                                            \
    FAULT(HISTORY_CHANGED, "history-changed")                                                      \
    FAULT(NO_CATCH_UP, "no-catch-up")

enum fault {
#define FAULT(name, word) FAULT_##name,
    FAULTS(FAULT)
#undef FAULT
        FAULTS_END
};

/* Whether this one is planted. A process with a name in ARBITER_FAULT that is none ends. */
bool fault_is(enum fault fault);

/* WRAPPED(int, f, (int a)): declares `real_f`, the product's function, and `planted_f`, which is called in
 * its stead wherever another file calls f. */
#define WRAPPED(type, name, arguments)                                                             \
    type real_##name arguments __asm__("__real_" #name);                                           \
    type planted_##name arguments __asm__("__wrap_" #name)

#endif
